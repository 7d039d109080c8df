#include "views/commands/recipe_command.h"
#include "views/bridge/problem_list.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include <QHash>
#include <QSet>
#include <algorithm>
#include <cmath>
#include <utility>

namespace ql {

// NOLINTNEXTLINE(performance-unnecessary-value-param)
RecipeCommand::RecipeCommand(Document &document, QString text, api::Recipe before, api::Recipe after, QString mergeKey)
    : QUndoCommand(text), m_document(document), m_before(std::move(before)), m_after(std::move(after)),
      m_folder(document.folder()), m_mergeKey(std::move(mergeKey))
{}

void RecipeCommand::undo()
{
    m_document.setRecipe(m_document.recipeFrom(m_before, m_folder));
}

void RecipeCommand::redo()
{
    m_document.setRecipe(m_document.recipeFrom(m_after, m_folder));
}

bool RecipeCommand::mergeWith(const QUndoCommand *other)
{
    const auto *next = static_cast<const RecipeCommand *>(other);
    if (next->m_mergeKey != m_mergeKey) return false;
    m_after = next->m_after;
    setObsolete(m_before == m_after);
    return true;
}

void replaceRecipe(Document &document, const QString &text, const api::Recipe &recipe, const QString &mergeKey)
{
    const api::Recipe &before = document.recipe();
    if (before == recipe) return;
    api::recipeFromJson(api::JsonText::wrap(api::toJson(recipe), "recipe")); // refused before it is on the stack
    const QString hash = document.resultHash();
    document.undoStack().push(new RecipeCommand(document, text, before, recipe, mergeKey));
    if (document.resultHash() != hash) document.problems().carryGain(hash, text);
}

void editRecipe(Document &document, const QString &text, const std::function<void(api::Recipe &recipe)> &edit)
{
    api::Recipe recipe = document.recipe();
    edit(recipe);
    replaceRecipe(document, text, recipe);
}

std::pair<double, double> rangeOf(const ConfigInfo &config, double low, double high)
{
    if (!config.isSymmetric || config.quantMax <= 0) return {low, high};
    const double above = high / double(config.quantMax);
    const double below = config.quantMin < 0 ? low / double(config.quantMin) : above;
    if (std::abs(above - below) > 2e-3 * above) return {low, high};
    // The scale of a symmetric range is 2 max(|low|, |high|) / (codes - 1), and there is one code more below zero
    const double end = above * double(config.quantMax - config.quantMin) / 2;
    return {config.quantMin < 0 ? -end : 0.0, end};
}

void choosePlatform(Document &document, const QString &id)
{
    const bool hadPasses = document.recipe().passes.has_value();
    editRecipe(document, Document::tr("Platform %1").arg(id), [&](api::Recipe &recipe) {
        recipe.platform = id.toStdString();
        recipe.platformParams = nlohmann::json::object();
        recipe.dispatcher.clear();
        recipe.passes.reset();
    });
    if (hadPasses)
        Q_EMIT document.note(Document::tr("The recipe now has the passes of %1; Undo restores your list.").arg(id));
}

QStringList operationsIn(const OverrideScope &scope, const GraphSnapshot &graph)
{
    QStringList names;
    const QSet<QString> listed(scope.operations.begin(), scope.operations.end());
    for (const OperationInfo &op : graph.operations) {
        if (op.body >= 0) break; // bodies follow their operation, and come after the others
        bool in = false;
        switch (scope.kind) {
        case OverrideScope::Kind::Operations: in = listed.contains(op.name); break;
        case OverrideScope::Kind::Type: in = op.type == scope.text; break;
        case OverrideScope::Kind::Pattern: in = globMatch(scope.text.toStdString(), op.name.toStdString()); break;
        }
        if (in) names.append(op.name);
    }
    return names;
}

static std::vector<api::RuleMatch> matchesOf(const OverrideScope &scope)
{
    api::RuleMatch common;
    if (scope.role) common.roles = {*scope.role};
    if (scope.index >= 0) common.index = scope.index;
    std::vector<api::RuleMatch> matches;
    const auto addPattern = [&](const std::string &op) {
        matches.push_back(common);
        matches.back().op = op;
    };
    switch (scope.kind) {
    case OverrideScope::Kind::Operations:
        for (const QString &name : scope.operations) addPattern(globEscaped(name.toStdString()));
        break;
    case OverrideScope::Kind::Type:
        matches.push_back(common);
        matches.back().types = {scope.text.toStdString()};
        break;
    case OverrideScope::Kind::Pattern: addPattern(scope.text.toStdString()); break;
    }
    return matches;
}

static QByteArray keyOf(const api::RuleMatch &match)
{
    return QByteArray::fromStdString(api::toJson(match).dump());
}

/// The matches as keys: a selection may be thousands of operations.
static QSet<QByteArray> keysOf(const std::vector<api::RuleMatch> &matches)
{
    QSet<QByteArray> keys;
    for (const api::RuleMatch &match : matches) keys.insert(keyOf(match));
    return keys;
}

static void removeFields(api::RuleSet &set, const std::vector<api::RuleField> &fields)
{
    for (const api::RuleField field : fields) api::removeField(set, field);
}

/// With values set in all that fit a match.
static api::Recipe overridden(api::Recipe recipe, const std::vector<api::RuleMatch> &matches,
                              const api::RuleSet &values)
{
    using Field = api::RuleField;
    const QSet<QByteArray> keys = keysOf(matches);
    // Equivalent keys: the later one wins
    std::vector<Field> said = api::fieldsOf(values);
    if (values.range) said.insert(said.end(), {Field::Scale, Field::ZeroPoint});
    if (!values.scale.empty()) said.push_back(Field::Range);
    // The last matching rule wins, so new settings are appended, and only those: other fields of an entry for the same
    // slots stay in place, because a later rule may have changed them
    std::vector<api::Rule> before = std::exchange(recipe.overrides, {});
    std::size_t tail = before.size(); // all later entries are for the same slots
    while (tail > 0 && keys.contains(keyOf(before[tail - 1].match))) --tail;
    QHash<QByteArray, api::RuleSet> last;
    for (std::size_t i = 0; i < before.size(); ++i) {
        api::Rule &entry = before[i];
        const QByteArray key = keyOf(entry.match);
        if (keys.contains(key)) {
            removeFields(entry.set, said);
            if (i >= tail) {
                api::update(last[key], entry.set);
                continue;
            }
            if (entry.set.empty()) continue;
        }
        recipe.overrides.push_back(std::move(entry));
    }
    for (const api::RuleMatch &match : matches) {
        api::RuleSet set = last.value(keyOf(match));
        api::update(set, values);
        recipe.overrides.push_back({.match = match, .set = std::move(set)});
    }
    return recipe;
}

api::Recipe withOverride(api::Recipe recipe, const OverrideScope &scope, const api::RuleSet &values)
{
    return overridden(std::move(recipe), matchesOf(scope), values);
}

api::Recipe withOverrides(api::Recipe recipe, const std::vector<api::Rule> &rules)
{
    for (const api::Rule &rule : rules) recipe = overridden(std::move(recipe), {rule.match}, rule.set);
    return recipe;
}

api::Recipe withoutOverride(api::Recipe recipe, const OverrideScope &scope, const std::vector<api::RuleField> &fields)
{
    const QSet<QByteArray> keys = keysOf(matchesOf(scope));
    std::erase_if(recipe.overrides, [&](api::Rule &entry) {
        if (!keys.contains(keyOf(entry.match))) return false;
        removeFields(entry.set, fields);
        return fields.empty() || entry.set.empty();
    });
    return recipe;
}

/// Whether a match may apply to the slot: outputs are never inputs, all other roles overlap.
static bool canBeAbout(const api::RuleMatch &match, const OverrideScope &where)
{
    if (match.index && where.index >= 0 && *match.index != where.index) return false;
    if (match.roles.empty() || !where.role) return true;
    const bool isOutput = where.role == api::SlotRole::Output;
    return std::any_of(match.roles.begin(), match.roles.end(),
                       [&](api::SlotRole role) { return (role == api::SlotRole::Output) == isOutput; });
}

api::Recipe withoutOverrideOf(api::Recipe recipe, const Origin &origin, const OverrideScope &where,
                              const std::vector<api::RuleField> &fields)
{
    const auto isMeant = [&](const api::Rule &entry) {
        return api::labelOf(entry.match) == origin.id && canBeAbout(entry.match, where) &&
               std::any_of(fields.begin(), fields.end(),
                           [&](api::RuleField field) { return api::hasField(entry.set, field); });
    };
    std::vector<api::Rule> &overrides = recipe.overrides;
    auto meant = std::find_if(overrides.rbegin(), overrides.rend(), isMeant);
    const auto at = std::size_t(origin.index);
    if (origin.index >= 0 && at < overrides.size() && isMeant(overrides[at]))
        meant = overrides.rend() - std::ptrdiff_t(at) - 1;
    if (meant == overrides.rend()) return recipe;
    removeFields(meant->set, fields);
    if (meant->set.empty()) overrides.erase(std::next(meant).base());
    return recipe;
}

/// Without settings for exactly the patterns of rules.
static api::Recipe withoutDispatch(api::Recipe recipe, const std::vector<api::Rule> &rules)
{
    QSet<QByteArray> patterns;
    for (const api::Rule &rule : rules) patterns.insert(QByteArray::fromStdString(rule.match.op));
    std::erase_if(recipe.dispatch, [&](const api::Rule &rule) {
        const bool isPatternAlone = rule.match == api::RuleMatch{.op = rule.match.op};
        return isPatternAlone && patterns.contains(QByteArray::fromStdString(rule.match.op));
    });
    return recipe;
}

api::Recipe withDispatch(api::Recipe recipe, const QStringList &operations, const QString &platform)
{
    std::vector<api::Rule> rules;
    for (const QString &name : operations)
        rules.push_back(
            {.match = {.op = globEscaped(name.toStdString())}, .set = {.platform = platform.toStdString()}});
    return platform.isEmpty() ? withoutDispatch(std::move(recipe), rules) : withDispatchRules(std::move(recipe), rules);
}

api::Recipe withDispatchRules(api::Recipe recipe, const std::vector<api::Rule> &rules)
{
    recipe = withoutDispatch(std::move(recipe), rules);
    recipe.dispatch.insert(recipe.dispatch.end(), rules.begin(), rules.end());
    return recipe;
}

} // namespace ql

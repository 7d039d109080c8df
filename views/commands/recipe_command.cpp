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

using nlohmann::json;

// NOLINTNEXTLINE(performance-unnecessary-value-param)
RecipeCommand::RecipeCommand(Document &document, QString text, json before, json after, QString mergeKey)
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

void replaceRecipe(Document &document, const QString &text, const json &recipe, const QString &mergeKey)
{
    const json before = document.recipeJson();
    // Refused before it is on the stack
    const json after = api::toJson(api::recipeFromJson(api::JsonText::wrap(recipe, "recipe")));
    if (before == after) return;
    const QString hash = document.resultHash();
    document.undoStack().push(new RecipeCommand(document, text, before, after, mergeKey));
    if (document.resultHash() != hash) document.problems().carryGain(hash, text);
}

json rangeOf(const ConfigInfo &config, double low, double high)
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
    json recipe = document.recipeJson();
    const bool hadPasses = !recipe["passes"].is_null();
    recipe["platform"] = id.toStdString();
    recipe["dispatcher"] = "";
    recipe["passes"] = nullptr;
    replaceRecipe(document, Document::tr("Platform %1").arg(id), recipe);
    if (hadPasses)
        Q_EMIT document.note(Document::tr("The recipe now has the passes of %1; Undo restores your list.").arg(id));
}

void editRecipe(Document &document, const QString &text, const std::string &pointer, const json &value,
                const QString &mergeKey)
{
    json recipe = document.recipeJson();
    recipe[json::json_pointer(pointer)] = value;
    replaceRecipe(document, text, recipe, mergeKey);
}

QStringList operationsIn(const OverrideScope &scope, const GraphSnapshot &graph)
{
    QStringList names;
    const QSet<QString> listed(scope.operations.begin(), scope.operations.end());
    for (const OperationInfo &op : graph.operations) {
        if (op.body >= 0) break; // bodies run in float; they follow behind the others
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

static std::vector<json> matchesOf(const OverrideScope &scope)
{
    json common = json::object();
    if (!scope.role.isEmpty()) common["role"] = scope.role.toStdString();
    if (scope.index >= 0) common["index"] = scope.index;
    std::vector<json> matches;
    const auto add = [&](const char *key, json value) {
        json match = common;
        match[key] = std::move(value);
        matches.push_back(std::move(match));
    };
    switch (scope.kind) {
    case OverrideScope::Kind::Operations:
        for (const QString &name : scope.operations) add("op", globEscaped(name.toStdString()));
        break;
    case OverrideScope::Kind::Type: add("types", json::array({scope.text.toStdString()})); break;
    case OverrideScope::Kind::Pattern: add("op", scope.text.toStdString()); break;
    }
    return matches;
}

/// The matches as keys: a selection may be thousands of operations.
static QSet<QByteArray> keysOf(const std::vector<json> &matches)
{
    QSet<QByteArray> keys;
    for (const json &match : matches) keys.insert(QByteArray::fromStdString(match.dump()));
    return keys;
}

static QByteArray keyOf(const json &entry)
{
    const auto match = entry.find("match");
    return match == entry.end() ? QByteArray() : QByteArray::fromStdString(match->dump());
}

/// With values set for what each of the matches fits.
static json overridden(json recipe, const std::vector<json> &matches, const json &values)
{
    const QSet<QByteArray> keys = keysOf(matches);
    // Two ways to say the same: the later one wins
    json said = values;
    if (values.contains("range")) said.update({{"scale", nullptr}, {"zero_point", nullptr}});
    if (values.contains("scale")) said["range"] = nullptr;
    // The last rule that fits wins, so what is set now goes behind all others, and only that: other fields of an entry
    // for the same slots stay where they are, as a rule behind it may have changed them
    const json before = std::exchange(recipe["overrides"], json::array());
    json &overrides = recipe["overrides"];
    std::size_t behind = before.size(); // entries from here on are all of the same slots
    while (behind > 0 && keys.contains(keyOf(before[behind - 1]))) --behind;
    QHash<QByteArray, json> last;
    for (std::size_t i = 0; i < before.size(); ++i) {
        json entry = before[i];
        const QByteArray key = keyOf(entry);
        if (keys.contains(key)) {
            json &set = entry["set"];
            for (const auto &field : said.items()) set.erase(field.key());
            if (i >= behind) {
                last[key].update(set);
                continue;
            }
            if (set.empty()) continue;
        }
        overrides.push_back(std::move(entry));
    }
    for (const json &match : matches) {
        json set = last.value(QByteArray::fromStdString(match.dump()), json::object());
        set.update(values);
        overrides.push_back({{"match", match}, {"set", std::move(set)}});
    }
    return recipe;
}

json withOverride(json recipe, const OverrideScope &scope, const json &values)
{
    return overridden(std::move(recipe), matchesOf(scope), values);
}

json withOverrides(json recipe, const json &rules)
{
    for (const json &rule : rules) recipe = overridden(std::move(recipe), {rule.at("match")}, rule.at("set"));
    return recipe;
}

json withoutOverride(json recipe, const OverrideScope &scope, const QString &field)
{
    json kept = json::array();
    const QSet<QByteArray> keys = keysOf(matchesOf(scope));
    for (json entry : recipe["overrides"]) {
        const bool same = keys.contains(keyOf(entry));
        if (same && field.isEmpty()) continue;
        if (same) entry["set"].erase(field.toStdString());
        if (!same || !entry["set"].empty()) kept.push_back(std::move(entry));
    }
    recipe["overrides"] = kept;
    return recipe;
}

/// As the engine names an override: by its operations, tensors, types or role, whichever it has first.
static QString originOf(const json &match)
{
    QString label = QStringLiteral("*");
    if (match.contains("op")) {
        label = textOf(match, "op");
    } else if (match.contains("variable")) {
        label = textOf(match, "variable");
    } else if (match.contains("types")) {
        QStringList types;
        for (const json &type : match["types"]) types.append(QString::fromStdString(type.get<std::string>()));
        label = types.join(QStringLiteral(", "));
    } else if (match.contains("role")) {
        const json &role = match["role"];
        label = QString::fromStdString((role.is_array() ? role.at(0) : role).get<std::string>());
    }
    return QStringLiteral("override '%1'").arg(label);
}

/// Whether a match may be about the slot: outputs are never inputs, all other roles overlap.
static bool canBeAbout(const json &match, const OverrideScope &where)
{
    if (match.contains("index") && where.index >= 0 && match["index"] != where.index) return false;
    if (!match.contains("role") || where.role.isEmpty()) return true;
    const json roles = match["role"].is_array() ? match["role"] : json::array({match["role"]});
    const bool isOutput = where.role == QLatin1String("output");
    return std::any_of(roles.begin(), roles.end(), [&](const json &role) { return (role == "output") == isOutput; });
}

json withoutOverrideOf(json recipe, const QString &origin, const OverrideScope &where, const QStringList &fields)
{
    json &overrides = recipe["overrides"];
    for (std::size_t i = overrides.size(); i-- > 0;) {
        const json match = overrides[i].value("match", json::object());
        json &set = overrides[i]["set"];
        if (originOf(match) != origin || !canBeAbout(match, where)) continue;
        std::size_t removed = 0;
        for (const QString &field : fields) removed += set.erase(field.toStdString());
        if (removed == 0) continue;
        if (set.empty()) overrides.erase(i);
        break;
    }
    return recipe;
}

/// Without what was said about exactly the patterns of rules.
static json withoutDispatch(json recipe, const json &rules)
{
    QSet<QString> patterns;
    for (const json &rule : rules) patterns.insert(textOf(rule, "op"));
    json kept = json::array();
    for (const json &entry : recipe["dispatch"])
        if (entry.size() > 2 || !patterns.contains(textOf(entry, "op"))) kept.push_back(entry);
    recipe["dispatch"] = std::move(kept);
    return recipe;
}

json withDispatch(json recipe, const QStringList &operations, const QString &platform)
{
    json rules = json::array();
    for (const QString &name : operations)
        rules.push_back({{"op", globEscaped(name.toStdString())}, {"platform", platform.toStdString()}});
    return platform.isEmpty() ? withoutDispatch(std::move(recipe), rules) : withDispatchRules(std::move(recipe), rules);
}

json withDispatchRules(json recipe, const json &rules)
{
    recipe = withoutDispatch(std::move(recipe), rules);
    for (const json &rule : rules) recipe["dispatch"].push_back(rule);
    return recipe;
}

} // namespace ql

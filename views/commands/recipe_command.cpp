#include "views/commands/recipe_command.h"

#include "core/base/error.h"
#include "core/base/text.h"

namespace ql {

using nlohmann::json;

RecipeCommand::RecipeCommand(Document &document, QString text, json before, json after, QString mergeKey)
    : QUndoCommand(text), m_document(document), m_before(std::move(before)), m_after(std::move(after)),
      m_mergeKey(std::move(mergeKey))
{}

void RecipeCommand::undo()
{
    m_document.setRecipeJson(m_before);
}

void RecipeCommand::redo()
{
    m_document.setRecipeJson(m_after);
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
    document.undoStack().push(new RecipeCommand(document, text, before, after, mergeKey));
}

void editRecipe(Document &document, const QString &text, const std::string &pointer, const json &value,
                const QString &mergeKey)
{
    json recipe = document.recipeJson();
    recipe[json::json_pointer(pointer)] = value;
    replaceRecipe(document, text, recipe, mergeKey);
}

QString escapedPattern(const QString &name)
{
    QString out;
    for (const QChar c : name) {
        if (QStringLiteral("*?[").contains(c))
            out += QLatin1Char('[') + QString(c) + QLatin1Char(']');
        else
            out += c;
    }
    return out;
}

QStringList operationsIn(const OverrideScope &scope, const GraphSnapshot &graph)
{
    QStringList names;
    for (const OperationInfo &op : graph.operations) {
        if (op.body >= 0) break; // bodies run in float; they follow behind the others
        bool in = false;
        switch (scope.kind) {
        case OverrideScope::Kind::Operations: in = scope.operations.contains(op.name); break;
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
        for (const QString &name : scope.operations) add("op", escapedPattern(name).toStdString());
        break;
    case OverrideScope::Kind::Type: add("types", json::array({scope.text.toStdString()})); break;
    case OverrideScope::Kind::Pattern: add("op", scope.text.toStdString()); break;
    }
    return matches;
}

json withOverride(json recipe, const OverrideScope &scope, const json &values)
{
    json &overrides = recipe["overrides"];
    for (const json &match : matchesOf(scope)) {
        const auto same = std::find_if(overrides.begin(), overrides.end(),
                                       [&](const json &entry) { return entry.value("match", json()) == match; });
        if (same == overrides.end()) {
            overrides.push_back({{"match", match}, {"set", values}});
            continue;
        }
        json &set = (*same)["set"];
        set.update(values);
        // Two ways to say the same: the later one wins
        if (values.contains("range"))
            for (const char *key : {"scale", "zero_point"}) set.erase(key);
        if (values.contains("scale")) set.erase("range");
    }
    return recipe;
}

json withoutOverride(json recipe, const OverrideScope &scope, const QString &field)
{
    json kept = json::array();
    const std::vector<json> matches = matchesOf(scope);
    for (json entry : recipe["overrides"]) {
        const bool same = std::find(matches.begin(), matches.end(), entry.value("match", json())) != matches.end();
        if (same && field.isEmpty()) continue;
        if (same) entry["set"].erase(field.toStdString());
        if (!same || !entry["set"].empty()) kept.push_back(std::move(entry));
    }
    recipe["overrides"] = kept;
    return recipe;
}

json withDispatch(json recipe, const QStringList &operations, const QString &platform)
{
    json kept = json::array();
    QStringList patterns;
    for (const QString &name : operations) patterns.append(escapedPattern(name));
    for (const json &entry : recipe["dispatch"])
        if (!(entry.size() <= 2 && patterns.contains(textOf(entry, "op")))) kept.push_back(entry);
    if (!platform.isEmpty())
        for (const QString &pattern : patterns)
            kept.push_back({{"op", pattern.toStdString()}, {"platform", platform.toStdString()}});
    recipe["dispatch"] = kept;
    return recipe;
}

} // namespace ql

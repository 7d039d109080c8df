#include "core/api/lint.h"

namespace ql::api {

/// Translated like a text of the engine's code (scripts/engine_texts.py).
static Text textOf(const JsonNode &node)
{
    return Text::ofTemplate(node.string().c_str());
}

static LintRule lintRuleFromJson(const JsonNode &node)
{
    node.expectKeys({"name", "section", "match", "except", "allow", "ranks", "operations", "severity", "remedy"});
    LintRule rule;
    rule.meaning = textOf(node.at("name"));
    rule.section = node.at("section").string();
    if (const auto match = node.find("match")) rule.match = matchFromJson(*match, RuleKind::Platform);
    if (const auto except = node.find("except"))
        for (const JsonNode &match : except->elements())
            rule.except.push_back(matchFromJson(match, RuleKind::Platform));
    if (const auto allow = node.find("allow"))
        for (const JsonNode &set : allow->elements()) rule.allow.push_back(setFromJson(set, RuleKind::Platform));
    if (const auto ranks = node.find("ranks"))
        for (const JsonNode &rank : ranks->elements()) rule.ranks.push_back(rank.integer(0, 16));
    if (const auto ofOperations = node.find("operations")) rule.ofOperations = ofOperations->boolean();
    if (const auto severity = node.find("severity"))
        rule.severity = severityFromString(severity->choice(severityWords()));
    rule.remedy = textOf(node.at("remedy"));
    return rule;
}

LintTable lintTableFromJson(const JsonText &text)
{
    const JsonNode root(text);
    root.expectKeys({"id", "title", "document", "formats", "rules"});
    LintTable table;
    table.id = root.at("id").string();
    table.title = textOf(root.at("title"));
    table.document = root.at("document").string();
    for (const auto &[format, platforms] : root.at("formats").members()) table.formats[format] = platforms.strings();
    for (const JsonNode &rule : root.at("rules").elements()) table.rules.push_back(lintRuleFromJson(rule));
    return table;
}

} // namespace ql::api

#pragma once

#include "core/api/json_text.h"
#include "core/api/problem.h"
#include "core/api/rule.h"
#include "core/base/text.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ql::api {

/// What a document of a deployment tool says about the configs that it accepts.
struct LintRule
{
    Text meaning;                          ///< "activations have one scale per tensor"
    std::string section;                   ///< of the table's document
    RuleMatch match = {};                  ///< quantized slots that the rule is about
    std::vector<RuleMatch> except = {};    ///< those among them that are accepted
    std::vector<RuleSet> allow = {};       ///< a slot has all values of one of these; empty: no slot is quantized
    std::vector<std::int64_t> ranks = {};  ///< of the slot's tensor, if known; empty: any
    bool ofOperations = false;             ///< about all operations: input 0 or match's index
    Severity severity = Severity::Warning; ///< Error: the tool refuses the file
    Text remedy = {};
};

/// The rules of one deployment tool: a file of resources/lint.
struct LintTable
{
    std::string id;
    Text title; ///< name of the tool
    std::string document;
    /// Exporters whose files it reads, with the platforms for which these files are written; none: all.
    std::map<std::string, std::vector<std::string>> formats;
    std::vector<LintRule> rules;
};

/// {"id", "title", "document", "formats", "rules": [{"name", "section", "match", "except", "allow", "ranks",
/// "operations", "severity", "remedy"}]}. @throws Error (BadConfig) with the place of what is wrong.
LintTable lintTableFromJson(const JsonText &text);

} // namespace ql::api

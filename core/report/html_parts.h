#pragma once

#include "core/api/run_report.h"
#include "core/base/language.h"
#include "core/report/report_format.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The sections of the HTML report, assembled by htmlReport. Each returns HTML, or an empty string if the report has no
/// data for it. Closing tags that are optional in HTML5 are omitted: a report has thousands of rows.
namespace ql::report::html {

/// Messages and remedies may be longer than names.
inline constexpr std::size_t messageLimit = 2000;

/// Text made safe for HTML, in content and in quoted attributes; see visibleText.
std::string escape(std::string_view utf8, std::size_t limit = 240);
/// escape as <code>.
std::string code(std::string_view utf8);

/// Data about the whole report for several sections.
struct Context
{
    /// r must outlive the context. l: of the texts, nullptr for English
    Context(const api::Report &r, const Language *l);

    const api::Report &report;
    const Language *language;
    std::map<std::string, std::size_t> operationRows; ///< op name -> row of the operations table, from 1 on
    std::string modelName, platform, recipeHash;      ///< as in the report, not escaped
    std::size_t urgent = 0;                           ///< problems that are errors or warnings
    std::string samples;                              ///< "8 samples", or empty if nothing was measured
    std::string made; ///< "8 samples · cpu · recipe 3f9a…": how the numbers were made, as HTML

    /// The name of an op as a link to its row in the operations table.
    std::string opLink(const std::string &op) const;
    /// The same as <code>.
    std::string opCode(const std::string &op) const;
    /// A text in the language; its arguments are HTML.
    std::string in(const Text &text) const { return text.in(language); }
    /// "53 ops", "1 op". noun: of a fixed list
    std::string counted(std::size_t count, std::string_view noun) const;
    /// A cell of the header row of a table.
    std::string th(const Text &title, const char *attributes = "") const;
    /// The same, of a column with numbers.
    std::string thNumber(const Text &title) const { return th(title, " class=n"); }
};

/// A table whose rows after the first `shown` are hidden behind a check box, so that it works without JavaScript.
/// boxClasses: classes of the surrounding box; head: cells of the header row; rows: whole <tr> elements.
std::string foldedTable(const Context &context, const std::string &id, const std::string &boxClasses,
                        const std::string &head, const std::vector<std::string> &rows, std::size_t shown,
                        std::string_view noun);
/// Search field, CSV button and more above a table; visible if scripts run.
std::string tableTools(const Context &context, const std::string &id, const Text &placeholder,
                       const std::string &more = {});

std::string header(const Context &context);
std::string problemSection(const Context &context);
std::string outputsSection(const Context &context);
/// section: "graphwise" or "layerwise", with its rows.
std::string errorSection(const Context &context, const char *section, const std::vector<ErrorRow> &rows,
                         const Text &title, const Text &meaning);
std::string noiseSection(const Context &context);
std::string explanationSection(const Context &context);
std::string distributionSection(const Context &context);
std::string configSection(const Context &context);
std::string operationSection(const Context &context);
std::string runSection(const Context &context);
std::string definitionSection(const Context &context);

} // namespace ql::report::html

#include "core/report/html_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace ql::report::html {

using nlohmann::json;

static constexpr std::size_t shownRows = 60;

std::string foldedTable(const std::string &id, const std::string &boxClasses, const std::string &head,
                        const std::vector<std::string> &rows, std::size_t shown, const std::string &noun)
{
    const bool folded = rows.size() > shown;
    std::string html = "<div class=fold>";
    if (folded) html += "<input type=checkbox id=all-" + id + ">";
    html +=
        "<div class=\"scroll " + boxClasses + "\"><table class=sortable id=" + id + "><thead><tr>" + head + "<tbody>\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == shown) html += "<tbody class=more>\n";
        html += rows[i];
        html += '\n';
    }
    html += "</table></div>";
    if (folded) {
        html += "<label for=all-" + id + "><span class=a>Show all " + plural(rows.size(), noun) +
                "</span><span class=b>Show only the first " + std::to_string(shown) + " only</span></label>";
    }
    return html + "</div>";
}

std::string tableTools(const std::string &id, const std::string &placeholder, const std::string &more)
{
    return "<div class=tools>" + more + "<input type=search id=search-" + id.substr(id.find('-') + 1) +
           " data-search=" + id + " placeholder=\"" + placeholder + "\" aria-label=\"" + placeholder +
           "\"><span class=found></span><button type=button class=right data-csv=" + id + ">Copy as CSV</button></div>";
}

static std::string tableCell(const std::string &value, const char *attributes = "")
{
    return std::string("<td") + attributes + ">" + escape(value);
}

// One value as is, several as smallest … largest and their number: 512 channels would flood the table.
template <class T>
static std::string spanText(const std::vector<T> &values)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    std::size_t undefined = 0;
    for (const T entry : values) {
        const auto value = double(entry);
        if (!std::isfinite(value)) {
            ++undefined;
            continue;
        }
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (values.empty()) return "–";
    std::string out;
    if (low > high)
        out = "undefined";
    else if (low == high)
        out = numberText(low);
    else
        out = numberText(low) + " … " + numberText(high);
    if (undefined && low <= high) out += ", " + std::to_string(undefined) + " undefined";
    return values.size() > 1 ? out + " (" + std::to_string(values.size()) + ")" : out;
}

static std::string granularity(const api::QuantScheme &scheme)
{
    std::string out =
        scheme.channelAxis ? "per channel, axis " + std::to_string(*scheme.channelAxis) : std::string("per tensor");
    if (scheme.groupSize > 0)
        out = "groups of " + std::to_string(scheme.groupSize) + ", axis " + std::to_string(*scheme.channelAxis);
    out += scheme.symmetric ? ", symmetric" : ", asymmetric";
    if (scheme.powerOfTwo) out += ", power of 2";
    if (scheme.scaleFormat != api::ScaleFormat::Float32)
        out += std::string(", scales in ") + toString(scheme.scaleFormat);
    return out;
}

static std::string rangeText(const api::QuantScheme &scheme)
{
    const std::string min = std::to_string(scheme.quantMin), max = std::to_string(scheme.quantMax);
    return min == "-" + max ? "±" + max : min + " … " + max;
}

static std::string bitsText(const api::QuantScheme &scheme)
{
    const std::string bits = std::to_string(scheme.bits);
    if (scheme.codebook != api::Codebook::None) return bits + " " + toString(scheme.codebook);
    if (scheme.exponentBits == 0) return bits;
    return bits + " E" + std::to_string(scheme.exponentBits) + "M" +
           std::to_string(scheme.bits - 1 - scheme.exponentBits);
}

namespace {

// Origins of fields, inverted: a few setters with their fields instead of a dozen fields with their setter. Slots with
// the same rule share their set, so each set is written once and rows refer to it.
class RuleSets
{
public:
    // The cell that refers to the set of a config, "–" if it has none.
    std::string cell(const std::map<std::string, Origin> &setBy)
    {
        if (setBy.empty()) return "–";
        std::vector<std::pair<std::string, std::string>> setters; // in order of first use: setter -> fields
        for (const auto &[field, setter] : setBy) {
            const std::string who = setter.text().english();
            const auto known =
                std::find_if(setters.begin(), setters.end(), [&](const auto &entry) { return entry.first == who; });
            if (known == setters.end())
                setters.emplace_back(who, field);
            else
                known->second += ", " + field;
        }
        std::string list, names;
        for (const auto &[who, fields] : setters) {
            list += "<dt>" + escape(who) + "<dd>" + escape(fields);
            if (names.size() < 80)
                names += (names.empty() ? "" : ", ") + escape(who);
            else if (!names.ends_with("…"))
                names += " …";
        }
        const auto [it, isNew] = m_numbers.emplace(list, m_numbers.size() + 1);
        if (isNew) m_lists.push_back(list);
        return "<a href=#set-" + std::to_string(it->second) + ">S" + std::to_string(it->second) + "</a> " + names;
    }
    std::string html() const
    {
        if (m_lists.empty()) return {};
        std::string out = "<details><summary>Who set what: " + plural(m_lists.size(), "combination") +
                          " of rules, passes and overrides</summary>";
        for (std::size_t i = 0; i < m_lists.size(); ++i) {
            out += "<div class=\"panel rule-set\" id=set-" + std::to_string(i + 1) + "><b>S" + std::to_string(i + 1) +
                   "</b><div><dl class=terms>" + m_lists[i] + "</dl></div></div>";
        }
        return out + "</details>";
    }

private:
    std::map<std::string, std::size_t> m_numbers;
    std::vector<std::string> m_lists;
};

} // namespace

static std::string rootText(const std::optional<api::SlotName> &root)
{
    return root ? escape(root->op) + " " + toString(root->role) + " " + std::to_string(root->index) : std::string();
}

std::string configSection(const Context &context)
{
    std::map<std::string, std::size_t> states;
    RuleSets sets;
    std::vector<std::string> rows;
    for (const api::ConfigRow &config : context.report.configs) {
        const api::QuantScheme &scheme = config.scheme;
        const std::string state = toString(scheme.state);
        ++states[state];
        // Cells are styled by their column (#table-configs): a large model has ten thousand of these rows.
        std::string row = "<tr>" + tableCell(config.slot.op) + tableCell(config.variable);
        row += tableCell(toString(config.slot.role)) + " " + std::to_string(config.slot.index);
        row += "<td><b class=\"s s-" + state + "\">" + state + "</b><td>" + bitsText(scheme);
        row += "<td>" + rangeText(scheme);
        row += "<td>" + granularity(scheme) + "<td>" + spanText(scheme.scale);
        row += "<td>" + spanText(scheme.zeroPoint) + tableCell(toString(scheme.rounding)) + tableCell(scheme.observer);
        row += "<td>" + rootText(config.root) + "<td>" + sets.cell(scheme.setBy);
        rows.push_back(std::move(row));
    }
    std::string counts;
    for (const auto &[state, count] : states)
        counts += (counts.empty() ? "" : " · ") + std::to_string(count) + " " + state;
    std::string html = "<section id=configs><h2>Configs <small>" + plural(rows.size(), "slot") + "</small></h2>";
    if (rows.empty()) return html + "<p class=none>This platform quantizes no slot of this model.</p></section>";
    html +=
        "<p class=made>" + counts + "</p>" + tableTools("table-configs", "Search: conv1 output active per channel …");
    const std::string head =
        "<th>Op<th>Variable<th>Role<th>State<th class=n>Bits<th>Range<th>Granularity<th class=n>Scale<th class=n>Zero "
        "point<th>Rounding<th>Observer<th>Scale shared with<th>Set by";
    return html + foldedTable("table-configs", "wide", head, rows, shownRows, "slot") + sets.html() + "</section>";
}

static std::string names(const std::vector<std::string> &values)
{
    std::string out;
    for (const std::string &value : values) out += (out.empty() ? "" : ", ") + escape(value);
    return out;
}

std::string operationSection(const Context &context)
{
    std::map<std::string, std::pair<std::size_t, std::size_t>> types; // type -> quantized, float
    std::vector<std::string> rows;
    for (const api::OperationRow &operation : context.report.operations) {
        auto &count = types[operation.type];
        ++(operation.quantized ? count.first : count.second);
        const std::string number = std::to_string(rows.size() + 1);
        std::string row = "<tr id=op-" + number + "><td>" + number + tableCell(operation.name);
        row += tableCell(operation.type) + "<td><b class=\"s " + (operation.quantized ? "s-q" : "s-fp32") + "\">" +
               escape(operation.platform) + "</b>";
        row += tableCell(operation.reason.english()) + "<td>" + names(operation.inputs) + "<td>" +
               names(operation.outputs);
        rows.push_back(std::move(row));
    }
    std::string html = "<section id=operations><h2>Operations <small>" + plural(rows.size(), "op") +
                       " in execution order</small></h2>";
    if (rows.empty()) return html + "<p class=none>The graph is empty.</p></section>";
    std::string counts;
    for (const auto &[type, count] : types) {
        counts += (counts.empty() ? "" : " · ") + escape(type) + " " + std::to_string(count.first + count.second);
        if (count.first && count.second)
            counts += " (" + std::to_string(count.second) + " float)";
        else if (count.second)
            counts += " (float)";
    }
    html += "<p class=made>" + counts + "</p>" +
            tableTools("table-operations", "Search name, type, platform, reason, tensor");
    const std::string head = "<th class=\"n up\">#<th>Name<th>Type<th>Platform<th>Reason<th>Inputs<th>Outputs";
    return html + foldedTable("table-operations", "", head, rows, shownRows, "op") + "</section>";
}

// The scalar fields of a document as rows of a definition list, including those of nested objects.
static void factRows(const json &object, std::string &html)
{
    for (const auto &[key, value] : object.items()) {
        std::string label = key;
        std::replace(label.begin(), label.end(), '_', ' ');
        if (value.is_object())
            factRows(value, html);
        else if (value.is_number_integer())
            html += "<dt>" + escape(label) + "<dd>" + countText(value.get<std::int64_t>());
        else if (value.is_string() && value != "")
            html += "<dt>" + escape(label) + "<dd>" + escape(value.get<std::string>());
    }
}

static std::string secondsText(double seconds)
{
    return decimalText(seconds, seconds < 10.0 ? 3 : 1);
}

static std::string plainTable(const std::string &head, const std::string &rows)
{
    return "<div class=scroll><table><thead><tr>" + head + "<tbody>" + rows + "</table></div>";
}

// The data in the recipe: for calibration and for evaluation.
static std::string dataFacts(const char *title, const api::DataRequest &data, const char *without)
{
    std::string html = std::string("<dt>") + title + "<dd>" + (data.path.empty() ? without : code(data.path));
    if (data.samples > 0) html += ", at most " + plural(std::size_t(data.samples), "sample");
    if (!data.preprocess.empty()) html += "<br>" + code(data.preprocess);
    return html;
}

std::string runSection(const Context &context)
{
    const api::Report &report = context.report;
    std::string model, tool;
    factRows(json(report.model), model);
    factRows(json(report.tool), tool);
    tool += "<dt>whole run<dd>" + decimalText(report.seconds, 2) + " s";
    tool += "<dt>peak memory<dd>" + decimalText(report.peakRssMib, 0) + " MiB";

    std::string html =
        "<section id=run><h2>Run</h2><div class=columns2><div class=panel><h3>Model</h3><dl class=terms>" + model +
        "</dl></div><div class=panel><h3>Tool</h3><dl class=terms>" + tool + "</dl></div></div>";
    html += "<div class=panel><h3>Data</h3><dl class=terms>" +
            dataFacts("calibration", report.recipe.calibration, "none") +
            dataFacts("evaluation", report.recipe.evaluation, "the calibration data") + "</dl></div>";
    std::string rows;
    for (const api::PassRow &pass : report.passes)
        rows += "<tr>" + tableCell(pass.id) + tableCell(std::to_string(pass.changed), " class=n") + "<td class=n>" +
                secondsText(pass.seconds);
    html += "<div class=columns2>";
    if (!rows.empty())
        html += "<div><h3>Passes</h3>" + plainTable("<th>Pass<th class=n>Changed<th class=n>Seconds", rows) + "</div>";
    rows.clear();
    for (const api::StageRow &stage : report.stages)
        rows += "<tr>" + tableCell(stage.id) + "<td class=name>" + escape(stage.key.substr(0, 12)) + "<td>" +
                (stage.cached ? "<b class=\"s s-q\">from cache</b>" : "computed") + "<td class=n>" +
                secondsText(stage.seconds);
    if (!rows.empty())
        html += "<div><h3>Stages</h3>" + plainTable("<th>Stage<th>Key<th>Result<th class=n>Seconds", rows) + "</div>";
    html += "</div>";
    rows.clear();
    for (const api::ExportRow &entry : report.exports) {
        std::string files, notes;
        for (const api::ExportRow::File &file : entry.files)
            files += (files.empty() ? "" : "<br>") + escape(file.path) + " <span class=dim>sha256 " +
                     escape(file.sha256) + "</span>";
        for (const Text &note : entry.notes) notes += (notes.empty() ? "" : "<br>") + escape(note.english());
        rows += "<tr>" + tableCell(entry.format) + "<td class=name>" + files + "<td>" + notes;
    }
    if (!rows.empty()) html += "<h3 id=exports>Exports</h3>" + plainTable("<th>Format<th>Files<th>Notes", rows);
    return html + "</section>";
}

} // namespace ql::report::html

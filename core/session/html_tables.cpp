#include "core/session/html_parts.h"

#include <algorithm>
#include <limits>

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

static std::string tableCell(const json &object, const char *key, const char *attributes = "")
{
    return std::string("<td") + attributes + ">" + escape(text(object, key));
}

// One value as is, several as smallest … largest and their number: 512 channels would flood the table.
static std::string spanText(const json &values)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    std::size_t undefined = 0;
    for (const json &value : values) {
        if (!value.is_number()) {
            ++undefined;
            continue;
        }
        low = std::min(low, value.get<double>());
        high = std::max(high, value.get<double>());
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

static std::string granularity(const json &config)
{
    const std::string axis = text(config, "channel_axis");
    std::string out = axis.empty() ? "per tensor" : "per channel, axis " + escape(axis);
    out += text(config, "symmetric") == "true" ? ", symmetric" : ", asymmetric";
    if (text(config, "power_of_two") == "true") out += ", power of 2";
    return out;
}

static std::string rangeText(const json &config)
{
    const std::string min = text(config, "quant_min");
    const std::string max = text(config, "quant_max");
    return escape(min == "-" + max ? "±" + max : min + " … " + max);
}

static std::string bitsText(const json &config)
{
    const auto exponent = number(config, "exponent_bits");
    if (!exponent || *exponent == 0.0) return escape(text(config, "bits"));
    const double mantissa = number(config, "bits").value_or(0.0) - 1.0 - *exponent;
    return escape(text(config, "bits")) + " E" + numberText(*exponent) + "M" + numberText(mantissa);
}

namespace {

// Origins of fields, inverted: a few setters with their fields instead of a dozen fields with their setter. Slots with
// the same rule share their set, so each set is written once and rows refer to it.
class RuleSets
{
public:
    // The cell that refers to the set of a config, "–" if it has none.
    std::string cell(const json &setBy)
    {
        if (setBy.empty() || !setBy.is_object()) return "–";
        std::vector<std::pair<std::string, std::string>> setters; // in order of first use: setter -> fields
        for (const auto &[field, setter] : setBy.items()) {
            const std::string who = setter.is_string() ? setter.get<std::string>()
                                                       : setter.dump(-1, ' ', false, json::error_handler_t::replace);
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

static std::string rootText(const json &config)
{
    const json &root = list(config, "root");
    if (!root.is_object() || root.empty()) return {};
    return escape(text(root, "op")) + " " + escape(text(root, "role")) + " " + escape(text(root, "index"));
}

std::string configSection(const Context &context)
{
    if (!context.report.contains("configs")) return {};
    const json &configs = list(context.report, "configs");
    std::map<std::string, std::size_t> states;
    RuleSets sets;
    std::vector<std::string> rows;
    for (const json &config : configs) {
        if (!config.is_object()) continue;
        const std::string state = text(config, "state");
        ++states[state];
        const std::string index = text(config, "index");
        // Cells are styled by their column (#table-configs): a large model has ten thousand of these rows.
        std::string row = "<tr>" + tableCell(config, "op") + tableCell(config, "variable");
        row += "<td>" + escape(text(config, "role")) + (index.empty() ? "" : " " + escape(index));
        row += "<td><b class=\"s s-" + escape(state) + "\">" + escape(state) + "</b><td>" + bitsText(config);
        row += "<td>" + rangeText(config);
        row += "<td>" + granularity(config) + "<td>" + spanText(list(config, "scale"));
        row += "<td>" + spanText(list(config, "zero_point")) + tableCell(config, "rounding") +
               tableCell(config, "observer");
        row += "<td>" + rootText(config) + "<td>" + sets.cell(list(config, "set_by"));
        rows.push_back(std::move(row));
    }
    std::string counts;
    for (const auto &[state, count] : states)
        counts += (counts.empty() ? "" : " · ") + std::to_string(count) + " " + escape(state);
    std::string html = "<section id=configs><h2>Configs <small>" + plural(rows.size(), "slot") + "</small></h2>";
    if (rows.empty()) return html + "<p class=none>This platform quantizes no slot of this model.</p></section>";
    html +=
        "<p class=made>" + counts + "</p>" + tableTools("table-configs", "Search: conv1 output active per channel …");
    const std::string head =
        "<th>Op<th>Variable<th>Role<th>State<th class=n>Bits<th>Range<th>Granularity<th class=n>Scale<th class=n>Zero "
        "point<th>Rounding<th>Observer<th>Scale shared with<th>Set by";
    return html + foldedTable("table-configs", "wide", head, rows, shownRows, "slot") + sets.html() + "</section>";
}

static std::string names(const json &values)
{
    std::string out;
    for (const json &value : values) {
        if (value.is_string()) out += (out.empty() ? "" : ", ") + escape(value.get<std::string>());
    }
    return out;
}

std::string operationSection(const Context &context)
{
    if (!context.report.contains("operations")) return {};
    std::map<std::string, std::pair<std::size_t, std::size_t>> types; // type -> quantized, float
    std::vector<std::string> rows;
    for (const json &operation : list(context.report, "operations")) {
        if (!operation.is_object()) continue;
        const bool quantized = text(operation, "quantized") == "true";
        auto &count = types[text(operation, "type")];
        ++(quantized ? count.first : count.second);
        const std::string number = std::to_string(rows.size() + 1);
        std::string row = "<tr id=op-" + number + "><td>" + number + tableCell(operation, "name");
        row += tableCell(operation, "type") + "<td><b class=\"s " + (quantized ? "s-q" : "s-fp32") + "\">" +
               escape(text(operation, "platform")) + "</b>";
        row += tableCell(operation, "reason") + "<td>" + names(list(operation, "inputs")) + "<td>" +
               names(list(operation, "outputs"));
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

// The scalar fields of an object as rows of a definition list, including those of nested objects.
static void factRows(const json &object, std::string &html)
{
    if (!object.is_object()) return;
    for (const auto &[key, value] : object.items()) {
        std::string label = key;
        std::replace(label.begin(), label.end(), '_', ' ');
        if (value.is_object())
            factRows(value, html);
        else if (value.is_number_integer())
            html += "<dt>" + escape(label) + "<dd>" + countText(value.get<std::int64_t>());
        else if (const std::string shown = text(object, key.c_str()); !shown.empty())
            html += "<dt>" + escape(label) + "<dd>" + escape(shown);
    }
}

static std::string secondsText(const json &object)
{
    const auto seconds = number(object, "seconds");
    return seconds ? decimalText(*seconds, *seconds < 10.0 ? 3 : 1) : std::string("–");
}

static std::string plainTable(const std::string &head, const std::string &rows)
{
    return "<div class=scroll><table><thead><tr>" + head + "<tbody>" + rows + "</table></div>";
}

// The data in the recipe: for calibration and for evaluation.
static std::string dataFacts(const json &recipe)
{
    std::string html;
    for (const char *key : {"calibration", "evaluation"}) {
        const json &data = list(recipe, key);
        const std::string path = text(data, "path");
        if (data.empty()) continue;
        const bool borrowed = path.empty() && key == std::string_view("evaluation");
        html += std::string("<dt>") + key + "<dd>" +
                (borrowed       ? "the calibration data"
                 : path.empty() ? "none"
                                : code(path));
        if (const std::int64_t samples = integerInRange(data, "samples"); samples > 0)
            html += ", at most " + plural(std::size_t(samples), "sample");
        if (const std::string steps = text(data, "preprocess"); !steps.empty()) html += "<br>" + code(steps);
    }
    return html;
}

std::string runSection(const Context &context)
{
    const json &report = context.report;
    std::string model, tool;
    factRows(list(report, "model"), model);
    factRows(list(report, "tool"), tool);
    if (const auto seconds = number(report, "seconds")) tool += "<dt>whole run<dd>" + decimalText(*seconds, 2) + " s";
    if (const auto peak = number(report, "peak_rss_mib"))
        tool += "<dt>peak memory<dd>" + decimalText(*peak, 0) + " MiB";

    std::string html =
        "<section id=run><h2>Run</h2><div class=columns2><div class=panel><h3>Model</h3><dl class=terms>" + model +
        "</dl></div><div class=panel><h3>Tool</h3><dl class=terms>" + tool + "</dl></div></div>";
    if (const std::string data = dataFacts(list(report, "recipe")); !data.empty()) {
        html += "<div class=panel><h3>Data</h3><dl class=terms>" + data + "</dl></div>";
    }
    std::string rows;
    for (const json &pass : list(report, "passes")) {
        rows += "<tr>" + tableCell(pass, "id") + tableCell(pass, "changed", " class=n") + "<td class=n>" +
                secondsText(pass);
    }
    html += "<div class=columns2>";
    if (!rows.empty())
        html += "<div><h3>Passes</h3>" + plainTable("<th>Pass<th class=n>Changed<th class=n>Seconds", rows) + "</div>";
    rows.clear();
    for (const json &stage : list(report, "stages")) {
        rows += "<tr>" + tableCell(stage, "id") + "<td class=name>" + escape(text(stage, "key").substr(0, 12)) +
                "<td>" + (text(stage, "cached") == "true" ? "<b class=\"s s-q\">from cache</b>" : "computed") +
                "<td class=n>" + secondsText(stage);
    }
    if (!rows.empty())
        html += "<div><h3>Stages</h3>" + plainTable("<th>Stage<th>Key<th>Result<th class=n>Seconds", rows) + "</div>";
    html += "</div>";
    rows.clear();
    for (const json &entry : list(report, "exports")) {
        std::string files, notes;
        for (const json &file : list(entry, "files")) {
            files += (files.empty() ? "" : "<br>") + escape(text(file, "path")) + " <span class=dim>sha256 " +
                     escape(text(file, "sha256")) + "</span>";
        }
        for (const json &note : list(entry, "notes")) {
            if (note.is_string()) notes += (notes.empty() ? "" : "<br>") + escape(note.get<std::string>());
        }
        rows += "<tr>" + tableCell(entry, "format") + "<td class=name>" + files + "<td>" + notes;
    }
    if (!rows.empty()) html += "<h3 id=exports>Exports</h3>" + plainTable("<th>Format<th>Files<th>Notes", rows);
    return html + "</section>";
}

} // namespace ql::report::html

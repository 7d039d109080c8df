#include "core/report/html_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace ql::report::html {

using nlohmann::json;

static constexpr std::size_t shownRows = 60;

std::string foldedTable(const Context &context, const std::string &id, const std::string &boxClasses,
                        const std::string &head, const std::vector<std::string> &rows, std::size_t shown,
                        std::string_view noun)
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
        html += "<label for=all-" + id + "><span class=a>" +
                context.in(QL_TEXT("Show all %1").with(context.counted(rows.size(), noun))) + "</span><span class=b>" +
                context.in(QL_TEXT("Show only the first %1").with(shown)) + "</span></label>";
    }
    return html + "</div>";
}

std::string tableTools(const Context &context, const std::string &id, const Text &placeholder, const std::string &more)
{
    const std::string words = context.in(placeholder);
    return "<div class=tools>" + more + "<input type=search id=search-" + id.substr(id.find('-') + 1) +
           " data-search=" + id + " placeholder=\"" + words + "\" aria-label=\"" + words +
           "\"><span class=found></span><button type=button class=right data-csv=" + id + ">" +
           context.in(QL_TEXT("Copy as CSV")) + "</button></div>";
}

static std::string tableCell(const std::string &value, const char *attributes = "")
{
    return std::string("<td") + attributes + ">" + escape(value);
}

// One value as is, several as smallest … largest and their number: 512 channels would flood the table.
template <class T>
static std::string spanText(const Context &context, const std::vector<T> &values)
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
        out = context.in(QL_TEXT("undefined"));
    else if (low == high)
        out = numberText(low);
    else
        out = numberText(low) + " … " + numberText(high);
    if (undefined && low <= high) out = context.in(QL_TEXT("%1, %2 undefined").with(out, undefined));
    return values.size() > 1 ? out + " (" + std::to_string(values.size()) + ")" : out;
}

static Text granularity(const api::QuantScheme &scheme)
{
    std::vector<Text> parts;
    if (scheme.groupSize > 0)
        parts.push_back(QL_TEXT("groups of %1, axis %2").with(scheme.groupSize, *scheme.channelAxis));
    else
        parts.push_back(scheme.channelAxis ? QL_TEXT("per channel, axis %1").with(*scheme.channelAxis)
                                           : QL_TEXT("per tensor"));
    parts.push_back(scheme.symmetric ? QL_TEXT("symmetric") : QL_TEXT("asymmetric"));
    if (scheme.powerOfTwo) parts.push_back(QL_TEXT("power of 2"));
    if (scheme.scaleFormat != api::ScaleFormat::Float32)
        parts.push_back(QL_TEXT("scales in %1").with(toString(scheme.scaleFormat)));
    return Text::list(std::move(parts));
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
    std::string cell(const Context &context, const std::map<std::string, Origin> &setBy)
    {
        if (setBy.empty()) return "–";
        std::vector<std::pair<std::string, std::string>> setters; // in order of first use: setter -> fields
        for (const auto &[field, setter] : setBy) {
            const std::string who = context.in(setter.text());
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
    std::string html(const Context &context) const
    {
        if (m_lists.empty()) return {};
        std::string out = "<details><summary>" +
                          context.in(QL_TEXT("Who set what: %1 of rules, passes and overrides")
                                         .with(context.counted(m_lists.size(), "combination"))) +
                          "</summary>";
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
        row += "<td>" + context.in(granularity(scheme)) + "<td>" + spanText(context, scheme.scale);
        row += "<td>" + spanText(context, scheme.zeroPoint) + tableCell(toString(scheme.rounding)) +
               tableCell(scheme.observer);
        row += "<td>" + rootText(config.root) + "<td>" + sets.cell(context, scheme.setBy);
        rows.push_back(std::move(row));
    }
    std::string counts;
    for (const auto &[state, count] : states)
        counts += (counts.empty() ? "" : " · ") + std::to_string(count) + " " + state;
    std::string html = "<section id=configs><h2>" + context.in(QL_TEXT("Configs")) + " <small>" +
                       context.counted(rows.size(), "slot") + "</small></h2>";
    if (rows.empty())
        return html + "<p class=none>" + context.in(QL_TEXT("This platform quantizes no slot of this model.")) +
               "</p></section>";
    html += "<p class=made>" + counts + "</p>" +
            tableTools(context, "table-configs", QL_TEXT("Search: conv1 output active per channel …"));
    const std::string head = context.th(QL_TEXT("Op")) + context.th(QL_TEXT("Variable")) + context.th(QL_TEXT("Role")) +
                             context.th(QL_TEXT("State")) + context.thNumber(QL_TEXT("Bits")) +
                             context.th(QL_TEXT("Range")) + context.th(QL_TEXT("Granularity")) +
                             context.thNumber(QL_TEXT("Scale")) + context.thNumber(QL_TEXT("Zero point")) +
                             context.th(QL_TEXT("Rounding")) + context.th(QL_TEXT("Observer")) +
                             context.th(QL_TEXT("Scale shared with")) + context.th(QL_TEXT("Set by"));
    return html + foldedTable(context, "table-configs", "wide", head, rows, shownRows, "slot") + sets.html(context) +
           "</section>";
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
        row += tableCell(context.in(operation.reason)) + "<td>" + names(operation.inputs) + "<td>" +
               names(operation.outputs);
        rows.push_back(std::move(row));
    }
    std::string html = "<section id=operations><h2>" + context.in(QL_TEXT("Operations")) + " <small>" +
                       context.in(QL_TEXT("%1 in execution order").with(context.counted(rows.size(), "op"))) +
                       "</small></h2>";
    if (rows.empty()) return html + "<p class=none>" + context.in(QL_TEXT("The graph is empty.")) + "</p></section>";
    std::string counts;
    for (const auto &[type, count] : types) {
        counts += (counts.empty() ? "" : " · ") + escape(type) + " " + std::to_string(count.first + count.second);
        if (count.first && count.second)
            counts += " (" + context.in(QL_TEXT("%1 float").with(count.second)) + ")";
        else if (count.second)
            counts += " (" + context.in(QL_TEXT("float")) + ")";
    }
    html += "<p class=made>" + counts + "</p>" +
            tableTools(context, "table-operations", QL_TEXT("Search name, type, platform, reason, tensor"));
    const std::string head = "<th class=\"n up\">#" + context.th(QL_TEXT("Name")) + context.th(QL_TEXT("Type")) +
                             context.th(QL_TEXT("Platform")) + context.th(QL_TEXT("Reason")) +
                             context.th(QL_TEXT("Inputs")) + context.th(QL_TEXT("Outputs"));
    return html + foldedTable(context, "table-operations", "", head, rows, shownRows, "op") + "</section>";
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
static std::string dataFacts(const Context &context, const Text &title, const api::DataRequest &data,
                             const Text &without)
{
    std::string html =
        "<dt>" + context.in(title) + "<dd>" + (data.path.empty() ? context.in(without) : code(data.path));
    if (data.samples > 0)
        html = context.in(QL_TEXT("%1, at most %2").with(html, context.counted(std::size_t(data.samples), "sample")));
    if (!data.preprocess.empty()) html += "<br>" + code(data.preprocess);
    return html;
}

std::string runSection(const Context &context)
{
    const api::Report &report = context.report;
    const auto heading = [&](const Text &title) { return "<h3>" + context.in(title) + "</h3>"; };
    std::string model, tool;
    factRows(json(report.model), model);
    factRows(json(report.tool), tool);
    tool += "<dt>" + context.in(QL_TEXT("whole run")) + "<dd>" + decimalText(report.seconds, 2) + " s";
    tool += "<dt>" + context.in(QL_TEXT("peak memory")) + "<dd>" + decimalText(report.peakRssMib, 0) + " MiB";

    std::string html = "<section id=run><h2>" + context.in(QL_TEXT("Run")) +
                       "</h2><div class=columns2><div class=panel>" + heading(QL_TEXT("Model")) + "<dl class=terms>" +
                       model + "</dl></div><div class=panel>" + heading(QL_TEXT("Tool")) + "<dl class=terms>" + tool +
                       "</dl></div></div>";
    html += "<div class=panel>" + heading(QL_TEXT("Data")) + "<dl class=terms>" +
            dataFacts(context, QL_TEXT("calibration"), report.recipe.calibration, QL_TEXT("none")) +
            dataFacts(context, QL_TEXT("evaluation"), report.recipe.evaluation, QL_TEXT("the calibration data")) +
            "</dl></div>";
    std::string rows;
    for (const api::PassRow &pass : report.passes)
        rows += "<tr>" + tableCell(pass.id) + tableCell(std::to_string(pass.changed), " class=n") + "<td class=n>" +
                secondsText(pass.seconds);
    html += "<div class=columns2>";
    if (!rows.empty())
        html += "<div>" + heading(QL_TEXT("Passes")) +
                plainTable(context.th(QL_TEXT("Pass")) + context.thNumber(QL_TEXT("Changed")) +
                               context.thNumber(QL_TEXT("Seconds")),
                           rows) +
                "</div>";
    rows.clear();
    for (const api::StageRow &stage : report.stages)
        rows += "<tr>" + tableCell(stage.id) + "<td class=name>" + escape(stage.key.substr(0, 12)) + "<td>" +
                (stage.cached ? "<b class=\"s s-q\">" + context.in(QL_TEXT("from cache")) + "</b>"
                              : context.in(QL_TEXT("computed"))) +
                "<td class=n>" + secondsText(stage.seconds);
    if (!rows.empty())
        html += "<div>" + heading(QL_TEXT("Stages")) +
                plainTable(context.th(QL_TEXT("Stage")) + context.th(QL_TEXT("Key")) + context.th(QL_TEXT("Result")) +
                               context.thNumber(QL_TEXT("Seconds")),
                           rows) +
                "</div>";
    html += "</div>";
    rows.clear();
    for (const api::ExportRow &entry : report.exports) {
        std::string files, notes;
        for (const api::ExportRow::File &file : entry.files)
            files += (files.empty() ? "" : "<br>") + escape(file.path) + " <span class=dim>sha256 " +
                     escape(file.sha256) + "</span>";
        for (const Text &note : entry.notes) notes += (notes.empty() ? "" : "<br>") + escape(context.in(note));
        rows += "<tr>" + tableCell(entry.format) + "<td class=name>" + files + "<td>" + notes;
    }
    if (!rows.empty())
        html += "<h3 id=exports>" + context.in(QL_TEXT("Exports")) + "</h3>" +
                plainTable(context.th(QL_TEXT("Format")) + context.th(QL_TEXT("Files")) + context.th(QL_TEXT("Notes")),
                           rows);
    return html + "</section>";
}

} // namespace ql::report::html

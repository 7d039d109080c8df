#include "core/report/report_compare.h"

#include "core/api/json_pointer.h"
#include "core/base/error.h"
#include "core/base/strings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace ql {

using nlohmann::json;
using report::ErrorRow;

std::optional<double> ErrorChange::ratio() const
{
    if (!a || !b) return std::nullopt;
    const auto before = a->deviation(), after = b->deviation();
    if (!before || !after) return std::nullopt;
    if (*before == *after) return 1.0;
    if (*before == 0.0) return std::numeric_limits<double>::infinity();
    return *after / *before;
}

double ErrorChange::magnitude() const
{
    if (!a || !b || (!a->deviation() && !b->deviation())) return 0.0;
    const auto value = ratio();
    return value ? std::abs(std::log(*value)) : std::numeric_limits<double>::infinity();
}

// The id of an array element, if it has one; arrays of objects are aligned by it.
static std::string idOf(const json &element)
{
    static const std::vector<std::string> keys{"id", "name", "pass", "format"};
    for (const std::string &key : keys)
        if (const auto id = element.is_object() ? element.find(key) : element.end();
            id != element.end() && id->is_string() && *id != "")
            return id->get<std::string>();
    return {};
}

static bool haveIds(const json &array)
{
    return std::all_of(array.begin(), array.end(), [](const json &element) { return !idOf(element).empty(); });
}

static void differ(const json &before, const json &after, const std::string &path, std::vector<FieldChange> &out);

// Longest common subsequence of the ids; other elements were removed or added.
static void differById(const json &before, const json &after, const std::string &path, std::vector<FieldChange> &out)
{
    const std::size_t n = before.size();
    const std::size_t m = after.size();
    std::vector<std::string> left, right;
    for (const json &element : before) left.push_back(idOf(element));
    for (const json &element : after) right.push_back(idOf(element));
    std::vector<std::vector<std::uint32_t>> common(n + 1, std::vector<std::uint32_t>(m + 1, 0));
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = m; j-- > 0;) {
            common[i][j] =
                left[i] == right[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
        }
    }
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < n || j < m) {
        if (i < n && j < m && left[i] == right[j]) {
            differ(before[i], after[j], api::pointerTo(path, std::to_string(j)), out);
            ++i;
            ++j;
        } else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1])) {
            out.push_back({api::pointerTo(path, std::to_string(i)), before[i], std::nullopt});
            ++i;
        } else {
            out.push_back({api::pointerTo(path, std::to_string(j)), std::nullopt, after[j]});
            ++j;
        }
    }
}

static void differ(const json &before, const json &after, const std::string &path, std::vector<FieldChange> &out)
{
    if (before == after) return;
    if (before.is_object() && after.is_object()) {
        for (const auto &[key, value] : before.items()) {
            const std::string child = api::pointerTo(path, key);
            if (const auto other = after.find(key); other != after.end())
                differ(value, *other, child, out);
            else
                out.push_back({child, value, std::nullopt});
        }
        for (const auto &[key, value] : after.items()) {
            if (!before.contains(key)) out.push_back({api::pointerTo(path, key), std::nullopt, value});
        }
        return;
    }
    if (before.is_array() && after.is_array()) {
        static constexpr std::size_t alignable = 4'000'000; // cells of the table; larger ones are compared by position
        if (haveIds(before) && haveIds(after) && before.size() * after.size() <= alignable)
            return differById(before, after, path, out);
        const bool structured =
            std::any_of(after.begin(), after.end(), [](const json &element) { return element.is_structured(); });
        if (structured) {
            for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
                const std::string child = api::pointerTo(path, std::to_string(i));
                if (i >= after.size())
                    out.push_back({child, before[i], std::nullopt});
                else if (i >= before.size())
                    out.push_back({child, std::nullopt, after[i]});
                else
                    differ(before[i], after[i], child, out);
            }
            return;
        }
    }
    out.push_back({path, before, after}); // a list of plain values is one value: a shape, a mean
}

std::vector<FieldChange> differences(const json &before, const json &after)
{
    std::vector<FieldChange> out;
    differ(before, after, "", out);
    return out;
}

api::Report reportFromJson(const json &document)
{
    const std::string schema = api::schemaOf(document);
    if (schema != api::reportSchema)
        throw Error(ErrorKind::BadData,
                    QL_TEXT("the file is not a report: expected \"schema\": \"quantloupe-report/1\", got %1")
                        .with(schema.empty() ? QL_TEXT("none") : Text("\"" + report::visibleText(schema) + "\"")))
            .withRemedy(QL_TEXT("Write reports with run --json FILE."));
    return document.get<api::Report>();
}

enum class ComparedSection { Outputs, Graphwise, Layerwise };

static std::vector<ErrorChange> compareSection(const std::vector<ErrorRow> &a, const std::vector<ErrorRow> &b,
                                               ComparedSection section)
{
    // Ops have unique names in a valid graph, but a report is input: the n-th of a name is compared with the n-th.
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> places;
    std::vector<ErrorChange> changes;
    const auto keyOf = [&](const ErrorRow &row) {
        return section == ComparedSection::Outputs
                   ? std::pair(std::string(), row.variable)
                   : std::pair(row.op, section == ComparedSection::Graphwise ? row.variable : std::string());
    };
    for (const ErrorRow &row : a) {
        places[keyOf(row)].push_back(changes.size());
        changes.push_back({.op = row.op, .type = row.type, .variable = row.variable, .a = row});
    }
    for (const ErrorRow &row : b) {
        auto &same = places[keyOf(row)];
        if (same.empty()) {
            changes.push_back({.op = row.op, .type = row.type, .variable = row.variable, .b = row});
        } else {
            changes[same.front()].b = row;
            same.erase(same.begin());
        }
    }
    std::stable_sort(changes.begin(), changes.end(), [](const ErrorChange &x, const ErrorChange &y) {
        const bool bothX = x.a && x.b;
        const bool bothY = y.a && y.b;
        return bothX != bothY ? bothX : x.magnitude() > y.magnitude();
    });
    return changes;
}

/// The path of a change for --set: passes.calibrate.observer for /passes/4/params/observer.
static std::string settingPath(const FieldChange &change, const json &before, const json &after)
{
    const auto childOf = [](const json *at, const std::string &step) -> const json * {
        if (at && at->is_object()) return at->contains(step) ? &(*at)[step] : nullptr;
        const auto place = std::size_t(std::atoll(step.c_str()));
        return at && at->is_array() && place < at->size() ? &(*at)[place] : nullptr;
    };
    const std::vector<std::string> steps = api::pointerParts(change.path);
    const json *at = &after;
    std::string out;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        // Removed elements are indexed in the first document.
        if (i + 1 == steps.size() && !change.after && i == 1) at = childOf(&before, steps[0]);
        const bool isElement = at && at->is_array();
        at = childOf(at, steps[i]);
        if (steps[i] == "params") continue;
        const std::string id = isElement && at ? idOf(*at) : std::string();
        out += (out.empty() ? "" : ".") + (id.empty() ? steps[i] : id);
    }
    return out;
}

ReportComparison compareReports(const api::Report &a, const api::Report &b)
{
    ReportComparison out;
    const auto addContext = [&out](const char *key, const json &before, const json &after) {
        for (FieldChange &change : differences(before, after)) {
            change.path.insert(0, api::pointerTo({}, key));
            out.context.push_back(std::move(change));
        }
    };
    addContext("model", a.model, b.model);
    addContext("tool", a.tool, b.tool);
    const json before = api::toJson(a.recipe), after = api::toJson(b.recipe);
    out.recipe = differences(before, after);
    for (FieldChange &change : out.recipe) change.setting = settingPath(change, before, after);
    const auto compare = [](const auto &x, const auto &y, ComparedSection section) {
        return compareSection(report::errorRows(x), report::errorRows(y), section);
    };
    out.outputs = compare(a.measures.outputs, b.measures.outputs, ComparedSection::Outputs);
    out.graphwise = compare(a.measures.graphwise, b.measures.graphwise, ComparedSection::Graphwise);
    out.layerwise = compare(a.measures.layerwise, b.measures.layerwise, ComparedSection::Layerwise);
    return out;
}

static std::string shortJson(const std::optional<json> &value)
{
    if (!value) return "(none)";
    return report::visibleText(value->dump(-1, ' ', false, json::error_handler_t::replace), 100);
}

static void fieldText(std::string &out, const Text &title, const std::vector<FieldChange> &changes,
                      const Language *language)
{
    const Text count = changes.empty()       ? QL_TEXT("no difference")
                       : changes.size() == 1 ? QL_TEXT("1 difference")
                                             : QL_TEXT("%1 differences").with(changes.size());
    out += QL_TEXT("%1: %2").with(title, count).in(language) + "\n";
    std::size_t width = 0;
    for (const FieldChange &change : changes)
        width = std::max(width, report::displayWidth(report::visibleText(change.place(), 60)));
    for (const FieldChange &change : changes) {
        out += "  " + report::padRight(report::visibleText(change.place(), 60), width) + "  " +
               shortJson(change.before) + " -> " + shortJson(change.after) + "\n";
    }
}

static Text ratioText(const ErrorChange &change)
{
    if (!change.a) return QL_TEXT("only in B");
    if (!change.b) return QL_TEXT("only in A");
    const auto ratio = change.ratio();
    if (!ratio) return "-";
    return *ratio == 1.0 ? QL_TEXT("equal") : Text("x" + numberText(*ratio, 3));
}

static Text noiseText(const std::optional<ErrorRow> &row)
{
    if (!row) return "-";
    return row->deviation() ? Text(report::percentText(*row->deviation())) : QL_TEXT("undefined");
}

/// "Graphwise: 3 better, 1 worse, 9 equal"
static Text countsText(const Text &title, const std::vector<ErrorChange> &changes)
{
    std::size_t better = 0, worse = 0, equal = 0, single = 0;
    for (const ErrorChange &change : changes) {
        const auto ratio = change.ratio();
        if (!change.a || !change.b)
            ++single;
        else if (ratio && *ratio < 1.0)
            ++better;
        else if (change.magnitude() > 0.0)
            ++worse; // more noise, or a measure that is defined in only one of them
        else
            ++equal;
    }
    const Text counts = QL_TEXT("%1: %2 better, %3 worse, %4 equal").with(title, better, worse, equal);
    return single ? QL_TEXT("%1, %2 in only one report").with(counts, single) : counts;
}

static void errorText(std::string &out, const Text &title, const std::vector<ErrorChange> &changes, std::size_t most,
                      const Language *language)
{
    if (changes.empty()) return;
    out += "\n" + countsText(title, changes).in(language) + "\n";
    using Line = std::vector<std::string>;
    std::vector<Line> lines{
        {"", QL_TEXT("noise A").in(language), QL_TEXT("noise B").in(language), "B / A", "SQNR A", "SQNR B"}};
    std::size_t left = 0;
    for (const ErrorChange &change : changes) {
        const bool unchanged = change.a && change.b && change.magnitude() == 0.0;
        if (lines.size() > most || (unchanged && changes.size() > most)) {
            ++left;
            continue;
        }
        const std::string &name = change.op.empty() ? change.variable : change.op;
        lines.push_back({report::visibleText(name, 60), noiseText(change.a).in(language),
                         noiseText(change.b).in(language), ratioText(change).in(language),
                         change.a ? report::sqnrText(*change.a, language) : "-",
                         change.b ? report::sqnrText(*change.b, language) : "-"});
    }
    std::vector<std::size_t> widths(lines.front().size(), 0);
    for (const Line &line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], report::displayWidth(line[i]));
    }
    for (const Line &line : lines) {
        out += "  " + report::padRight(line[0], widths[0]);
        for (std::size_t i = 1; i < line.size(); ++i) out += "  " + report::padLeft(line[i], widths[i]);
        out += "\n";
    }
    if (left) out += "  " + QL_TEXT("… and %1 more with smaller changes").with(left).in(language) + "\n";
}

std::string toText(const ReportComparison &comparison, std::size_t most, const Language *language)
{
    std::string out;
    if (!comparison.context.empty()) {
        fieldText(out, QL_TEXT("Model and tool"), comparison.context, language);
        out += "\n";
    }
    fieldText(out, QL_TEXT("Recipe"), comparison.recipe, language);
    errorText(out, QL_TEXT("Outputs"), comparison.outputs, most, language);
    for (const ErrorChange &change : comparison.outputs) {
        if (!change.a || !change.a->metric || !change.b || !change.b->metric) continue;
        const api::Metric &a = *change.a->metric, &b = *change.b->metric;
        out += "  " +
               QL_TEXT("%1: float %2, quantized A %3, B %4")
                   .with(report::visibleText(a.name, 60), report::fp32Text(a), report::quantizedText(a),
                         report::quantizedText(b))
                   .in(language) +
               "\n";
    }
    errorText(out, QL_TEXT("Layerwise"), comparison.layerwise, most, language);
    errorText(out, QL_TEXT("Graphwise"), comparison.graphwise, most, language);
    return out;
}

static std::vector<api::ChangedField> fieldRows(const std::vector<FieldChange> &changes)
{
    std::vector<api::ChangedField> out;
    for (const FieldChange &change : changes) out.push_back({change.path, change.before, change.after});
    return out;
}

static std::optional<api::ComparedMeasures> sideOf(const std::optional<ErrorRow> &row)
{
    if (!row) return std::nullopt;
    api::ComparedMeasures out{row->noiseRatio, row->sqnrDb, row->cosine, std::nullopt};
    if (const auto &metric = row->metric) out.metric = {metric->name, metric->fp32, metric->quantized};
    return out;
}

static std::vector<api::ComparedRow> errorComparison(const std::vector<ErrorChange> &changes)
{
    std::vector<api::ComparedRow> out;
    for (const ErrorChange &change : changes) {
        api::ComparedRow &row = out.emplace_back();
        row.op = change.op;
        row.type = change.type;
        row.variable = change.variable;
        if (const auto ratio = change.ratio(); ratio && std::isfinite(*ratio)) row.ratio = ratio;
        if (!change.a || !change.b) row.onlyIn = change.a ? "a" : "b";
        row.a = sideOf(change.a);
        row.b = sideOf(change.b);
    }
    return out;
}

api::Comparison comparisonRows(const ReportComparison &comparison)
{
    return {fieldRows(comparison.context), fieldRows(comparison.recipe), errorComparison(comparison.outputs),
            errorComparison(comparison.graphwise), errorComparison(comparison.layerwise)};
}

} // namespace ql

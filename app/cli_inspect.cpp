#include "app/cli_commands.h"
#include "app/cli_recipe.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/session/report_compare.h"
#include "core/session/report_format.h"
#include "core/session/run.h"

#include <algorithm>
#include <map>
#include <memory>

namespace ql::cli {

using nlohmann::json;

namespace {

std::string shapeText(const json &shape)
{
    if (!shape.is_array()) return "unknown shape";
    std::vector<std::string> sizes;
    for (const json &size : shape) sizes.push_back(size.is_string() ? size.get<std::string>() : size.dump());
    return sizes.empty() ? "scalar" : join(sizes, "x");
}

/// --input-shape for the graph inputs with open sizes, with 1 for the batch; empty if there are none.
std::string openInputs(const json &model)
{
    std::string out;
    for (const json &row : report::list(model, "inputs")) {
        const json shape = row.value("shape", json());
        const auto isOpen = [](const json &size) { return size.is_string(); };
        if (!shape.is_array() || std::none_of(shape.begin(), shape.end(), isOpen)) continue;
        std::vector<std::string> sizes;
        for (const json &size : shape)
            sizes.push_back(!isOpen(size) ? size.dump() : sizes.empty() ? std::string("1") : size.get<std::string>());
        out += (out.empty() ? "" : " ") + ("--input-shape " + report::visibleText(report::text(row, "name"))) + "=" +
               report::visibleText(join(sizes, "x"));
    }
    return out;
}

/// One row per reason, with the first operation and the number of others.
std::string unsupportedTable(const json &unsupported)
{
    std::vector<std::vector<std::string>> rows;
    std::vector<std::size_t> counts;
    for (const json &op : unsupported) {
        const std::string domain = report::text(op, "domain");
        const std::vector<std::string> row = {
            report::text(op, "op"), (domain.empty() ? "" : domain + ".") + report::text(op, "type"),
            report::text(op, "opset"), report::text(op, "why"), report::text(op, "remedy")};
        const auto known = std::find_if(rows.begin(), rows.end(), [&](const auto &other) {
            return std::equal(row.begin() + 1, row.end(), other.begin() + 1);
        });
        if (known == rows.end()) {
            rows.push_back(row);
            counts.push_back(1);
        } else {
            ++counts[std::size_t(known - rows.begin())];
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (counts[i] > 1) rows[i][0] += " and " + std::to_string(counts[i] - 1) + " more";
    return table({"operation", "type", "opset", "why", "remedy"}, rows);
}

std::string inspectionText(const json &inspection, bool all)
{
    const json &model = inspection.at("model");
    std::string out =
        "Model     " + report::visibleText(report::text(model, "path")) + "\n          " +
        report::text(model, "format") + ", opset " + report::text(model, "opset") +
        (report::text(model, "producer").empty() ? ""
                                                 : ", by " + report::visibleText(report::text(model, "producer"))) +
        "\n";
    for (const char *kind : {"inputs", "outputs"})
        for (const json &row : report::list(model, kind))
            out += (kind == std::string("inputs") ? "Input     " : "Output    ") +
                   report::visibleText(report::text(row, "name")) + "  " + report::text(row, "type") + " " +
                   report::visibleText(shapeText(row.value("shape", json()))) + "\n";
    const json counts = model.value("counts", json::object());
    out += "Size      " + report::plural(counts.value("operations", std::size_t(0)), "operation") + ", " +
           report::countText(counts.value("weights", std::int64_t(0))) + " weights in " +
           report::plural(counts.value("parameters", std::size_t(0)), "parameter") + "\n";
    const std::size_t left = report::list(inspection, "operations").size();
    if (left != counts.value("operations", std::size_t(0)))
        out += "          " + report::plural(left, "operation") +
               " after formatting (BatchNormalization, Constant, Identity and others are folded)\n";
    std::map<std::string, std::size_t> platforms;
    for (const json &op : report::list(inspection, "operations")) ++platforms[report::text(op, "platform")];
    std::vector<std::string> parts;
    for (const auto &[id, count] : platforms) parts.push_back(std::to_string(count) + " to " + id);
    out += "Dispatch  " + report::text(inspection, "dispatcher") + " for " + report::text(inspection, "platform") +
           ": " + join(parts, ", ") + "\n\n";

    std::map<std::string, std::string> shapes;
    for (const json &tensor : report::list(inspection, "tensors"))
        shapes[report::text(tensor, "name")] = report::text(tensor, "shape");
    std::vector<std::vector<std::string>> rows;
    for (const json &op : report::list(inspection, "operations")) {
        if (rows.size() == 200 && !all) break;
        const json &outputs = report::list(op, "outputs");
        const std::string first = outputs.empty() ? "" : outputs[0].get<std::string>();
        rows.push_back({report::text(op, "name"), report::text(op, "type"), shapes[first], report::text(op, "platform"),
                        report::text(op, "reason")});
    }
    out += table({"operation", "type", "output", "platform", "reason"}, rows);
    const std::size_t count = report::list(inspection, "operations").size();
    const std::string open = openInputs(model);
    if (!open.empty() && std::any_of(rows.begin(), rows.end(), [](const auto &row) { return row[2] == "unknown"; }))
        out += "Shapes that depend on open sizes of the model are unknown: fix them with\n"
               " " +
               open + "\n";
    if (rows.size() < count) out += "... " + std::to_string(count - rows.size()) + " more: --all or --json FILE\n";
    const json &unsupported = report::list(inspection, "unsupported");
    if (!unsupported.empty()) {
        out += "\nNot supported:\n" + unsupportedTable(unsupported);
    } else {
        out += "\nEvery operation is supported.\n";
    }
    return out;
}

struct InspectCommand
{
    RecipeOptions recipe;
    std::string jsonFile;
    bool quiet = false, all = false;

    int run(Console &console) const
    {
        console.setQuiet(quiet);
        const LoadedRecipe loaded = recipe.load();
        if (!jsonFile.empty()) checkWritable(jsonFile, loaded.inputs());
        RunOptions options;
        options.base = loaded.base;
        options.recipeFile = loaded.file;
        const json inspection =
            aboutModel(loaded, [&] { return inspectModel(loaded.recipe, options, console.startJob()); });
        console.endProgress();
        console.problems(report::list(inspection, "problems"));
        if (jsonFile.empty())
            console.print(inspectionText(inspection, all));
        else
            console.writeJson(jsonFile, inspection);
        return report::list(inspection, "unsupported").empty() ? ExitCode::Good : ExitCode::ConditionHeld;
    }
};

struct CompareCommand
{
    std::string first, second, jsonFile;
    std::size_t most = 20;

    static json load(const std::string &file)
    {
        json value = json::parse(readFile(file), nullptr, false);
        if (value.is_discarded())
            throw Error(ErrorKind::BadData, "expected a report (JSON), but the file is not JSON")
                .inFile(file)
                .withRemedy("Write one with `quantloupe-cli run ... --json FILE`.");
        try {
            requireReport(value);
        } catch (Error &error) {
            throw Error(error).inFile(file);
        }
        return value;
    }

    int run(Console &console) const
    {
        if (!jsonFile.empty()) checkWritable(jsonFile, {first, second});
        const ReportComparison comparison = compareReports(load(first), load(second));
        if (jsonFile.empty())
            console.print(toText(comparison, most == 0 ? SIZE_MAX : most));
        else
            console.writeJson(jsonFile, toJson(comparison));
        return ExitCode::Good;
    }
};

} // namespace

void addInspect(CLI::App &app, Action &action)
{
    CLI::App *command =
        app.add_subcommand("inspect", "Show graph, shapes, parameters and dispatch with reasons; needs no data");
    const auto self = std::make_shared<InspectCommand>();
    self->recipe.addSource(*command);
    self->recipe.addTarget(*command);
    self->recipe.addDevice(*command);
    command->add_option("--json", self->jsonFile, "Write JSON to FILE (- for standard output)")
        ->type_name("FILE")
        ->group("Results");
    command->add_flag("--all", self->all, "List every operation, not only the first 200")->group("Results");
    command->add_flag("-q,--quiet", self->quiet, "Print errors only: no progress, no notes")->group("Program");
    command->footer(
        "Example: quantloupe-cli inspect model.onnx --platform TRT_INT8\n"
        "\n"
        "Exit codes: 0 the model can run; 1 it has unsupported operators (the JSON is still complete); 2 bad input\n"
        "or usage; 3 internal error; 130 cancelled.");
    command->callback([self, &action] { action = [self](Console &console) { return self->run(console); }; });
}

void addCompare(CLI::App &app, Action &action)
{
    CLI::App *command = app.add_subcommand("compare", "Compare two reports: recipe differences, then errors op by op");
    const auto self = std::make_shared<CompareCommand>();
    command->add_option("A", self->first, "Report (JSON) of the first run")->required();
    command->add_option("B", self->second, "Report (JSON) of the second run")->required();
    command->add_option("--json", self->jsonFile, "Write JSON to FILE (- for standard output)")->type_name("FILE");
    command->add_option("--most", self->most, "Maximum rows per table, 0 for all (default 20)")->type_name("N");
    command->footer("Example: quantloupe-cli compare before.json after.json");
    command->callback([self, &action] { action = [self](Console &console) { return self->run(console); }; });
}

} // namespace ql::cli

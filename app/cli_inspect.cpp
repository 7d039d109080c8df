#include "app/cli_commands.h"
#include "app/cli_recipe.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/report/report_compare.h"
#include "core/report/report_format.h"
#include "core/session/run.h"

#include <algorithm>
#include <map>
#include <memory>

namespace ql::cli {

using nlohmann::json;

namespace {

Text shapeText(const std::optional<std::vector<api::ShapeSize>> &shape)
{
    if (!shape) return QL_TEXT("unknown shape");
    std::vector<std::string> sizes;
    for (const api::ShapeSize &size : *shape) sizes.push_back(size.text());
    return sizes.empty() ? QL_TEXT("scalar") : Text(join(sizes, "x"));
}

/// --input-shape for the graph inputs with open sizes, with 1 for the batch; empty if there are none.
std::string openInputs(const api::ModelFacts &model)
{
    std::string out;
    for (const api::PortRow &row : model.inputs) {
        const auto isOpen = [](const api::ShapeSize &size) { return size.isOpen(); };
        if (!row.shape || std::none_of(row.shape->begin(), row.shape->end(), isOpen)) continue;
        std::vector<std::string> sizes;
        for (const api::ShapeSize &size : *row.shape)
            sizes.push_back(isOpen(size) && sizes.empty() ? std::string("1") : size.text());
        out += (out.empty() ? "" : " ") + ("--input-shape " + report::visibleText(row.name)) + "=" +
               report::visibleText(join(sizes, "x"));
    }
    return out;
}

/// One row per reason, with the first operation and the number of others.
std::string unsupportedTable(const std::vector<api::UnsupportedRow> &unsupported, const Language *language)
{
    std::vector<std::vector<std::string>> rows;
    std::vector<std::size_t> counts;
    for (const api::UnsupportedRow &op : unsupported) {
        const std::vector<std::string> row = {op.op, (op.domain.empty() ? "" : op.domain + ".") + op.type,
                                              std::to_string(op.opset), op.why.in(language), op.remedy.in(language)};
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
        if (counts[i] > 1) rows[i][0] = QL_TEXT("%1 and %2 more").with(rows[i][0], counts[i] - 1).in(language);
    return table({QL_TEXT("operation").in(language), QL_TEXT("type").in(language), "opset", QL_TEXT("why").in(language),
                  QL_TEXT("remedy").in(language)},
                 rows);
}

/// "Size      7 operations\n"
std::string factLine(const Text &title, const std::string &fact, const Language *language)
{
    constexpr std::size_t titleWidth = 10;
    return report::padRight(title.in(language), titleWidth) + fact + "\n";
}

std::string portLines(const Text &title, const std::vector<api::PortRow> &rows, const Language *language)
{
    std::string out;
    for (const api::PortRow &row : rows)
        out += factLine(title,
                        report::visibleText(row.name) + "  " + row.type + " " +
                            report::visibleText(shapeText(row.shape).in(language)),
                        language);
    return out;
}

Text operationCount(std::size_t count)
{
    return count == 1 ? QL_TEXT("1 operation") : QL_TEXT("%1 operations").with(report::countText(std::int64_t(count)));
}

/// File, inputs, outputs and size of the model, and where its operations go.
std::string factLines(const api::Inspection &inspection, const Language *language)
{
    const api::ModelFacts &model = inspection.model;
    const std::string opset = model.opset ? std::to_string(*model.opset) : "";
    const Text format =
        model.producer.empty()
            ? QL_TEXT("%1, opset %2").with(model.format, opset)
            : QL_TEXT("%1, opset %2, by %3").with(model.format, opset, report::visibleText(model.producer));
    std::string out = factLine(QL_TEXT("Model"), report::visibleText(model.path), language) +
                      factLine("", format.in(language), language) +
                      portLines(QL_TEXT("Input"), model.inputs, language) +
                      portLines(QL_TEXT("Output"), model.outputs, language);
    const api::ModelCounts &counts = model.counts;
    const Text weights =
        counts.parameters == 1
            ? QL_TEXT("%1 weights in 1 parameter").with(report::countText(counts.weights))
            : QL_TEXT("%1 weights in %2 parameters")
                  .with(report::countText(counts.weights), report::countText(std::int64_t(counts.parameters)));
    out += factLine(QL_TEXT("Size"), QL_TEXT("%1, %2").with(operationCount(counts.operations), weights).in(language),
                    language);
    if (inspection.operations.size() != counts.operations)
        out += factLine("",
                        QL_TEXT("%1 after formatting (BatchNormalization, Constant, Identity and others are folded)")
                            .with(operationCount(inspection.operations.size()))
                            .in(language),
                        language);
    std::map<std::string, std::size_t> platforms;
    for (const api::InspectedOperation &op : inspection.operations) ++platforms[op.platform];
    std::vector<Text> parts;
    for (const auto &[id, count] : platforms) parts.push_back(QL_TEXT("%1 run on %2").with(count, id));
    return out + factLine(QL_TEXT("Dispatch"),
                          QL_TEXT("%1 for %2: %3")
                              .with(inspection.dispatcher, inspection.platform, Text::list(parts))
                              .in(language),
                          language);
}

std::string inspectionText(const api::Inspection &inspection, bool all, const Language *language)
{
    const auto &operations = inspection.operations;
    std::string out = factLines(inspection, language) + "\n";
    std::map<std::string, std::string> shapes;
    for (const api::TensorRow &tensor : inspection.tensors) shapes[tensor.name] = tensor.shape;
    std::vector<std::vector<std::string>> rows;
    for (const api::InspectedOperation &op : operations) {
        if (rows.size() == 200 && !all) break;
        const std::string first = op.outputs.empty() ? "" : op.outputs.front();
        rows.push_back({op.name, op.type, shapes[first], op.platform, op.reason.in(language)});
    }
    out += table({QL_TEXT("operation").in(language), QL_TEXT("type").in(language), QL_TEXT("output").in(language),
                  QL_TEXT("platform").in(language), QL_TEXT("reason").in(language)},
                 rows);
    const std::string open = openInputs(inspection.model);
    if (!open.empty() && std::any_of(rows.begin(), rows.end(), [](const auto &row) { return row[2] == "unknown"; }))
        out += QL_TEXT("Shapes that depend on open sizes of the model are unknown: fix them with").in(language) +
               "\n  " + open + "\n";
    if (rows.size() < operations.size())
        out += QL_TEXT("... %1 more: %2")
                   .with(operations.size() - rows.size(), Text::option("--all or --json FILE"))
                   .in(language) +
               "\n";
    if (inspection.unsupported.empty())
        return out + "\n" + QL_TEXT("Every operation is supported.").in(language) + "\n";
    return out + "\n" + QL_TEXT("Not supported:").in(language) + "\n" +
           unsupportedTable(inspection.unsupported, language);
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
        console.problems(loaded.notes);
        if (!jsonFile.empty()) checkWritable(jsonFile, loaded.inputs());
        RunOptions options;
        options.base = loaded.base;
        options.recipeFile = loaded.file;
        const api::Inspection inspection =
            aboutModel(loaded, [&] { return inspectModel(loaded.recipe, options, console.startJob()); });
        console.endProgress();
        console.problems(inspection.problems);
        if (jsonFile.empty())
            console.print(inspectionText(inspection, all, console.language()));
        else
            console.writeJson(jsonFile, inspection);
        return inspection.unsupported.empty() ? ExitCode::Good : ExitCode::ConditionHeld;
    }
};

struct CompareCommand
{
    std::string first, second, jsonFile;
    std::size_t most = 20;

    int run(Console &console) const
    {
        if (!jsonFile.empty()) checkWritable(jsonFile, {first, second});
        const ReportComparison comparison = compareReports(loadReport(first), loadReport(second));
        if (jsonFile.empty())
            console.print(toText(comparison, most == 0 ? SIZE_MAX : most, console.language()));
        else
            console.writeJson(jsonFile, comparisonRows(comparison));
        return ExitCode::Good;
    }
};

} // namespace

api::Report loadReport(const std::string &file)
{
    const json value = json::parse(readFile(file), nullptr, false);
    if (value.is_discarded())
        throw Error(ErrorKind::BadData, "expected a report (JSON), but the file is not JSON")
            .inFile(file)
            .withRemedy("Write one with `quantloupe-cli run ... --json FILE`.");
    try {
        return reportFromJson(value);
    } catch (Error &error) {
        throw Error(error).inFile(file);
    }
}

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
        "Exit codes: 0 the model can run; 1 it has unsupported operators (the JSON is still complete); 2 bad input "
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

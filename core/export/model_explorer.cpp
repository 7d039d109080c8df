// Model Explorer (google-ai-edge/model-explorer): custom node data, loaded next to the original model. One number per
// operation, keyed by the tensor it writes, which every reader of models keeps; the colors are those of our window.
// Source: node_data_builder.py of the package ai-edge-model-explorer, GraphNodeData.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/export/exporter.h"

#include <array>

namespace ql {

/// SQNR in dB from which on the next color is used; the last one is for everything above. views/style/theme.cpp has the
/// same colors for noise ratios.
struct SqnrColor
{
    double upTo;
    const char *background, *text;
};
static constexpr std::array<SqnrColor, 8> sqnrColors{{{6.25, "#6b2503", "#ffffff"},
                                                      {12.5, "#9a3a06", "#ffffff"},
                                                      {18.75, "#c9560c", "#ffffff"},
                                                      {25, "#ea7a1f", "#1d232b"},
                                                      {31.25, "#fba04b", "#1d232b"},
                                                      {37.5, "#ffc483", "#1d232b"},
                                                      {43.75, "#ffe0ba", "#1d232b"},
                                                      {1000, "#fff4e6", "#1d232b"}}};

static ExportResult writeModelExplorer(const ExportRequest &request)
{
    const bool isLayerwise = request.params.at("errors") == "layerwise";
    const auto &rows = isLayerwise ? request.errors.layerwise : request.errors.graphwise;
    if (!rows)
        throw Error(ErrorKind::BadConfig,
                    QL_TEXT("export 'model_explorer': errors were not measured: there is no evaluation data, or no "
                            "analysis '%1'")
                        .with(isLayerwise ? "layerwise" : "graphwise"))
            .inFile(request.target.string())
            .withRemedy(QL_TEXT("Give evaluation data and add the analysis."));
    nlohmann::ordered_json results = nlohmann::ordered_json::object(), thresholds = nlohmann::ordered_json::array();
    for (const api::ErrorRow &row : *rows)
        if (row.sqnrDb) results[row.variable.empty() ? row.op : row.variable] = {{"value", *row.sqnrDb}};
    for (const SqnrColor &color : sqnrColors)
        thresholds.push_back({{"value", color.upTo}, {"bgColor", color.background}, {"textColor", color.text}});
    const nlohmann::ordered_json data = {
        {"results", results},
        {"name", isLayerwise ? "SQNR of the outputs, quantized alone (dB)" : "SQNR (dB)"},
        {"thresholds", thresholds}};
    writeFileAtomically(request.target, data.dump(4) + "\n");
    ExportResult result;
    result.files = {request.target};
    result.notes = {QL_TEXT("Open the original model in Model Explorer and load this file as custom node data.")};
    return result;
}

static const ExporterRegistrar modelExplorer{
    "model_explorer",
    {.info = {.id = "model_explorer",
              .title = QL_TEXT("Model Explorer node data"),
              .meaning = QL_TEXT("The measured error of each operation as numbers and colors in Google's Model "
                                 "Explorer."),
              .params = {uncalibratedParam(),
                         {.name = "errors",
                          .type = "enum",
                          .fallback = "graphwise",
                          .meaning = QL_TEXT("graphwise: the error accumulated up to each operation; layerwise: the "
                                             "error at the outputs if only this operation is quantized."),
                          .choices = {"graphwise", "layerwise"}}}},
     .extensions = {".json"},
     .isForAllPlatforms = true,
     .keepsDynamicGroups = true,
     .run = writeModelExplorer,
     .errorsFrom = [](const nlohmann::json &params) { return params.at("errors").get<std::string>(); }}};

} // namespace ql

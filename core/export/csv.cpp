// Every config as a table: one line per slot, scales and zero points of channels separated by spaces (RFC 4180).
#include "core/base/file.h"
#include "core/export/exporter.h"

namespace ql {

static std::string csvCell(const std::string &text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

template <class T>
static std::string csvList(const std::vector<T> &values)
{
    std::string text;
    for (const T &value : values) text += (text.empty() ? "" : " ") + nlohmann::json(value).dump();
    return text;
}

static std::string csvLine(const std::vector<std::string> &cells)
{
    std::string line;
    for (const std::string &cell : cells) line += (line.empty() ? "" : ",") + csvCell(cell);
    return line + "\r\n";
}

static ExportResult writeCsv(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    std::string text = csvLine({"operation",  "type",         "platform",     "variable",      "role",
                                "index",      "state",        "bits",         "exponent_bits", "quant_min",
                                "quant_max",  "symmetric",    "power_of_two", "dynamic",       "channel_axis",
                                "rounding",   "observer",     "scale",        "zero_point",    "shares_scale_of",
                                "group_size", "scale_format", "codebook"});
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        for (const Slot slot : model.plan.slotsOf(id)) {
            const VarId variable = variableOf(op, slot);
            if (variable == noVar) continue;
            const TensorQuantConfig &config = *model.plan.find(slot);
            const Slot root = model.plan.root(slot);
            const std::string shared = root == slot
                                           ? ""
                                           : model.graph.operation(root.op).name + " " +
                                                 toString(roleOf(model.graph, root)) + " " + std::to_string(root.index);
            text += csvLine({op.name,
                             op.type,
                             model.platformOf(id),
                             model.graph.variable(variable).name,
                             toString(roleOf(model.graph, slot)),
                             std::to_string(slot.index),
                             toString(config.state),
                             std::to_string(config.bits),
                             std::to_string(config.exponentBits),
                             std::to_string(config.quantMin),
                             std::to_string(config.quantMax),
                             config.symmetric ? "true" : "false",
                             config.powerOfTwo ? "true" : "false",
                             config.dynamic ? "true" : "false",
                             config.channelAxis ? std::to_string(*config.channelAxis) : "",
                             toString(config.rounding),
                             config.observer,
                             csvList(model.plan.scale(slot)),
                             csvList(model.plan.zeroPoint(slot)),
                             shared,
                             std::to_string(config.groupSize),
                             toString(config.scaleFormat),
                             toString(config.codebook)});
        }
    }
    writeFileAtomically(request.target, text);
    return {.files = {request.target}, .notes = {}};
}

static const ExporterRegistrar csvRegistrar{
    "csv",
    {.info = {.id = "csv",
              .title = QL_TEXT("Table (CSV)"),
              .meaning = QL_TEXT("Every config of every slot as a table for spreadsheets."),
              .params = {uncalibratedParam()}},
     .extensions = {".csv"},
     .isForAllPlatforms = true,
     .keepsDynamicGroups = true,
     .run = writeCsv}};

} // namespace ql

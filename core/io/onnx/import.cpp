#include "core/io/onnx/import.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/base/utf8.h"
#include "core/io/importer.h"
#include "core/io/onnx/graph_builder.h"
#include "core/io/onnx/limits.h"
#include "core/io/onnx/scan.h"
#include "core/ir/op_traits.h"
#include "core/ir/opset.h"
#include "core/ir/subgraphs.h"
#include "gpu/reduce.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <google/protobuf/io/zero_copy_stream_impl.h>

namespace ql {

namespace fs = std::filesystem;
using namespace onnx_io;

namespace {

onnx::ModelProto parse(const fs::path &file)
{
    checkModelFile(file);
    std::ifstream in(file, std::ios::binary);
    if (!in) throw cannotRead(file, errno);
    constexpr int piece = 1 << 18; // bytes, which stay in the cache; the file is not kept in memory with the model
    google::protobuf::io::IstreamInputStream stream(&in, piece);
    onnx::ModelProto model;
    if (!model.ParseFromZeroCopyStream(&stream))
        throw Error(ErrorKind::InvalidModel, QL_TEXT("the ONNX file is damaged: it cannot be parsed"))
            .withRemedy(QL_TEXT("Copy or download it again, or export the model again."));
    return model;
}

void checkVersions(const onnx::ModelProto &model, const Opsets &opsets, const ImportOptions &options)
{
    if (model.ir_version() > maxIrVersion)
        options.report({.severity = api::Severity::Warning,
                        .message = QL_TEXT("IR version %1 is newer than %2, the newest supported version")
                                       .with(model.ir_version(), maxIrVersion),
                        .remedy = QL_TEXT("If results look wrong, export the model with an older IR version.")});
    if (model.ir_version() < minIrVersion)
        throw Error(
            ErrorKind::InvalidModel,
            QL_TEXT("IR version %1 is older than the oldest supported one, %2").with(model.ir_version(), minIrVersion))
            .withRemedy(QL_TEXT("Convert the model with onnx.version_converter, or export it again."));
    const auto version = opsets.find("");
    if (version == opsets.end()) return; // reported for the first node that needs it
    if (version->second > newestOpset)
        options.report(
            {.severity = api::Severity::Warning,
             .message =
                 QL_TEXT("opset %1 is newer than %2, the newest supported opset").with(version->second, newestOpset),
             .remedy =
                 QL_TEXT("If operators are rejected, export the model with opset %1 or older.").with(newestOpset)});
    if (version->second < minOpset)
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("opset %1 is older than the oldest supported one, %2").with(version->second, minOpset))
            .withRemedy(QL_TEXT("Convert the model with onnx.version_converter, or export it with opset 13."));
}

void checkInputs(const Graph &graph)
{
    if (graph.outputs().empty())
        throw Error(ErrorKind::InvalidModel, QL_TEXT("the graph has no outputs"))
            .withRemedy(QL_TEXT("Export the model again."));
    for (const VarId id : graph.inputs()) {
        const Variable &input = graph.variable(id);
        if (!input.type.shape) continue;
        std::int64_t elements = 1;
        for (const Dim &dim : *input.type.shape) {
            const std::int64_t size = dim.size < 0 ? 1 : dim.size;
            if (size > 0 && elements > maxInputElements / size)
                throw Error(ErrorKind::InvalidModel,
                            QL_TEXT("the graph input has the shape %1, more than %2 elements")
                                .with(toString(input.type), maxInputElements),
                            {}, input.name)
                    .withRemedy(
                        QL_TEXT("Give a smaller shape with %1.").with(Text::option("--input-shape NAME=SIZES")));
            elements *= size;
        }
    }
}

// ---- values that are not numbers

struct NonFinite
{
    std::int64_t nans = 0, infinities = 0;
};

/// Counts by bit pattern: exponent all ones, and mantissa zero (infinite) or not (NaN).
template <class Bits>
NonFinite countBits(const at::Tensor &value, Bits exponentMask, Bits mantissaMask)
{
    const auto *const bits = static_cast<const Bits *>(value.data_ptr());
    const std::int64_t count = value.numel();
    NonFinite out;
    for (std::int64_t i = 0; i < count; ++i) {
        if ((bits[i] & exponentMask) != exponentMask) continue;
        ++((bits[i] & mantissaMask) ? out.nans : out.infinities);
    }
    return out;
}

NonFinite countNonFinite(const at::Tensor &value)
{
    switch (value.scalar_type()) {
    case at::ScalarType::Float: {
        // Many times as fast as testing each value. In pieces for one thread: starting others takes longer
        constexpr std::int64_t piece = 32768;
        gpu::MinMax range;
        for (std::int64_t i = 0; i < value.numel(); i += piece)
            gpu::minMaxCpu(value.data_ptr<float>() + i, std::min(piece, value.numel() - i), &range);
        const bool isFinite = range.nanCount == 0 && !std::isinf(range.min) && !std::isinf(range.max);
        if (value.numel() == 0 || isFinite) return {};
        return countBits<std::uint32_t>(value, 0x7f800000u, 0x007fffffu);
    }
    case at::ScalarType::Double: return countBits<std::uint64_t>(value, 0x7ffull << 52, (1ull << 52) - 1);
    case at::ScalarType::Half: return countBits<std::uint16_t>(value, 0x7c00, 0x03ff);
    case at::ScalarType::BFloat16: return countBits<std::uint16_t>(value, 0x7f80, 0x007f);
    default: return {};
    }
}

/// A weight that is not finite invalidates every result, so it is refused; an infinite constant elsewhere is used for
/// masks.
void checkFinite(const Graph &graph, const ImportOptions &options)
{
    const auto check = [&](const at::Tensor &value, VarId id, const std::string &op) {
        const NonFinite found = countNonFinite(value);
        if (found.nans + found.infinities == 0) return;
        const Variable &variable = graph.variable(id);
        std::string consumer = op;
        bool isWeight = false;
        for (const Use &use : variable.uses) {
            const Operation &user = graph.operation(use.op);
            if (consumer.empty()) consumer = user.name;
            const bool scales = isComputing(user) || traitsOf(user).channels == ChannelUse::Normalizes;
            isWeight = isWeight || (scales && use.index > 0);
        }
        if (found.nans == 0 && !isWeight) {
            options.report({api::Severity::Info, consumer, variable.name,
                            QL_TEXT("%1 of %2 values are infinite").with(found.infinities, value.numel()),
                            QL_TEXT("This is normal for masks and for the initial value of a maximum; otherwise the "
                                    "file is damaged.")});
            return;
        }
        const Text message =
            QL_TEXT("%1 of %2 values are NaN and %3 infinite").with(found.nans, value.numel(), found.infinities);
        const Text remedy = QL_TEXT("Training has diverged, or the file is damaged: use another checkpoint.");
        if (!options.allowNonFinite && (isWeight || (found.nans > 0 && value.numel() > 1)))
            throw Error(ErrorKind::InvalidModel, message, consumer, variable.name).withRemedy(remedy);
        options.report({api::Severity::Warning, consumer, variable.name, message, remedy});
    };
    for (const VarId id : graph.variables())
        if (graph.isParameter(id)) check(graph.variable(id).value, id, {});
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        for (const auto &body : bodies(op)) checkFinite(*body, options);
        const auto value = op.attributes.find("value");
        if (op.type != "Constant" || value == op.attributes.end() || op.outputs.empty() || op.outputs[0] == noVar)
            continue;
        if (const auto *tensor = std::get_if<at::Tensor>(&value->second)) check(*tensor, op.outputs[0], op.name);
    }
}

void verifyAll(const Graph &graph)
{
    graph.verify();
    for (const OpId id : graph.operations())
        for (const auto &body : bodies(graph.operation(id))) verifyAll(*body);
}

} // namespace

Graph importOnnx(const fs::path &file, const ImportOptions &options)
{
    try {
        onnx::ModelProto model = parse(file);
        const Opsets opsets = readOpsets(model.opset_import());
        checkVersions(model, opsets, options);
        Graph graph = GraphBuilder(model, file, opsets, options.report).build();
        graph.producerName = printable(model.producer_name());
        applyInputShapes(graph, options.inputShapes, options.report);
        checkInputs(graph);
        verifyAll(graph);
        checkFinite(graph, options);
        return graph;
    } catch (const Error &error) {
        if (!error.file.empty()) throw;
        throw Error(error).inFile(file.string());
    }
}

std::map<std::string, std::string> onnxMetadata(const fs::path &file)
{
    const onnx::ModelProto model = parse(file);
    std::map<std::string, std::string> metadata;
    for (const auto &entry : model.metadata_props()) metadata[entry.key()] = entry.value();
    return metadata;
}

/// Files with data of the model, if they exist and may be read; the import reports problems.
static std::vector<fs::path> dataFiles(const ImportRequest &request)
{
    std::vector<fs::path> files;
    try {
        for (const fs::path location : checkModelFile(request.file)) {
            const bool climbs = location.is_absolute() || location.string().find('\0') != std::string::npos ||
                                std::find(location.begin(), location.end(), "..") != location.end();
            std::error_code code;
            const fs::path file = request.file.parent_path() / location;
            if (!climbs && fs::is_regular_file(file, code)) files.push_back(file);
        }
    } catch (const Error &) {
    }
    return files;
}

static const Registrar<ImporterEntry> importRegistrar{
    "onnx",
    {.info = {.id = "onnx",
              .title = QL_TEXT("ONNX"),
              .meaning =
                  QL_TEXT("ONNX models of IR 3 to 14 and opset 6 to 28, with external data below the model's folder.")},
     .extensions = {".onnx"},
     .run =
         [](const ImportRequest &request) {
             ImportOptions options;
             options.inputShapes = request.inputShapes;
             options.report = request.report;
             return importOnnx(request.file, options);
         },
     .otherFiles = dataFiles}};

} // namespace ql

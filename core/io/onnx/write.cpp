#include "core/io/onnx/write.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/onnx/check.h"
#include "core/io/onnx/element_type.h"
#include "core/io/onnx/limits.h"
#include "core/ir/subgraphs.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace ql {

namespace fs = std::filesystem;
using namespace onnx_io;

namespace {

constexpr std::int64_t externalFrom = 1024;    // size of a tensor that is stored in the data file
constexpr std::int64_t externalAlignment = 64; // so that readers may map the file
constexpr std::int64_t inputsListWeights = 4;  // before this IR version every initialiser is also an input

/// Insertion order if every operation comes after its producers, as ONNX requires; otherwise a topological order.
std::vector<OpId> writingOrder(const Graph &graph)
{
    const std::vector<OpId> order = graph.operations();
    std::vector<bool> isDone(std::size_t(graph.operationIdBound()), false);
    for (const OpId id : order) {
        for (const OpId producer : graph.producers(id))
            if (!isDone[std::size_t(index(producer))]) return graph.topological();
        isDone[std::size_t(index(id))] = true;
    }
    return order;
}

class Writer
{
public:
    explicit Writer(const WriteOptions &options) : m_options(options) {}

    onnx::ModelProto write(const Graph &graph, const fs::path &file)
    {
        onnx::ModelProto model;
        m_irVersion = m_options.irVersion.value_or(graph.irVersion);
        model.set_ir_version(m_irVersion);
        model.set_producer_name(m_options.producer);
        if (!m_options.producerVersion.empty()) model.set_producer_version(m_options.producerVersion);
        m_opsets = m_options.opsets;
        m_opsets.insert(graph.opsets.begin(), graph.opsets.end());
        std::int64_t bytes = 0;
        for (const VarId id : graph.variables())
            if (graph.isParameter(id)) bytes += std::int64_t(graph.variable(id).value.nbytes());
        if (bytes >= m_options.externalDataThreshold) m_dataName = file.filename().string() + ".data";
        fill(*model.mutable_graph(), graph, {}, true);
        for (const auto &[domain, version] : m_opsets) { // only now complete: operations may use more domains
            auto *import = model.add_opset_import();
            import->set_domain(domain);
            import->set_version(version);
        }
        for (const auto &[key, value] : m_options.metadata) {
            auto *entry = model.add_metadata_props();
            entry->set_key(key);
            entry->set_value(value);
        }
        return model;
    }

    const std::string &dataName() const { return m_dataName; }
    void writeData(std::ostream &out) const
    {
        std::int64_t at = 0;
        for (const auto &[offset, value] : m_external) {
            for (; at < offset; ++at) out.put('\0');
            out.write(static_cast<const char *>(value.data_ptr()), std::streamsize(value.nbytes()));
            at += std::int64_t(value.nbytes());
        }
    }

private:
    using Renames = std::unordered_map<std::string, std::string>; ///< captured name in a body -> outer name
    using VarNames = std::vector<std::string>;                    ///< by index(VarId)

    static VarNames namesOf(const Graph &graph, const Renames &captures)
    {
        std::unordered_set<std::string> outer;
        for (const auto &[inside, outside] : captures) outer.insert(outside);
        VarNames names(std::size_t(graph.variableIdBound()));
        for (const VarId id : graph.variables()) {
            const Variable &variable = graph.variable(id);
            std::string &name = names[std::size_t(index(id))];
            name = variable.name;
            const auto captured = captures.find(variable.name);
            const bool isCaptured = captured != captures.end() && variable.producer == noOp &&
                                    !variable.isParameter() && !graph.isGraphInput(id);
            if (isCaptured) {
                name = captured->second;
                continue;
            }
            // A tensor of the body must not hide an outer one that the body reads.
            for (int k = 1; outer.contains(name) || (k > 1 && graph.findVariable(name) != noVar); ++k)
                name = variable.name + "_" + std::to_string(k);
        }
        return names;
    }

    void fill(onnx::GraphProto &proto, const Graph &graph, const Renames &captures, bool isOutermost)
    {
        const VarNames names = namesOf(graph, captures);
        const auto nameOf = [&](VarId id) { return id == noVar ? std::string() : names[std::size_t(index(id))]; };
        proto.set_name(graph.name.empty() ? "graph" : graph.name); // must not be empty
        for (const OpId id : writingOrder(graph)) {
            const Operation &op = graph.operation(id);
            onnx::NodeProto &node = *proto.add_node();
            node.set_name(op.name);
            node.set_op_type(op.type);
            if (!op.domain.empty()) node.set_domain(op.domain);
            const std::size_t formal = formalInputCount(op);
            for (std::size_t i = 0; i < formal; ++i) node.add_input(nameOf(op.inputs[i]));
            for (const VarId output : op.outputs) node.add_output(nameOf(output));
            Renames inside;
            const std::vector<std::string> captured = captureNames(op);
            for (std::size_t k = 0; k < captured.size(); ++k)
                if (op.hasInput(formal + k)) inside.emplace(captured[k], nameOf(op.inputs[formal + k]));
            const auto fileTypeAt = [&](const std::vector<VarId> &ids, std::size_t i) {
                return i < ids.size() && ids[i] != noVar ? graph.variable(ids[i]).fileType : 0;
            };
            for (const auto &[key, value] : op.attributes) {
                // The zero point defines it
                const bool isSaid =
                    op.type == "QuantizeLinear" && key == "output_dtype" && fileTypeAt(op.inputs, 2) != 0;
                if (key == capturesAttribute || isSaid) continue;
                onnx::AttributeProto &attribute = *node.add_attribute();
                fill(attribute, key, value, inside, op);
                if (const int type = fileTypeAt(op.outputs, 0); type != 0 && op.type == "Constant" && key == "value")
                    narrow(*attribute.mutable_t(), std::get<at::Tensor>(value), type);
            }
            checkVersion(op);
        }
        for (const VarId id : graph.inputs()) fill(*proto.add_input(), nameOf(id), graph.variable(id));
        const auto isOptional = [&](VarId id) { // held in its own type
            const OpId producer = graph.variable(id).producer;
            return producer != noOp && graph.operation(producer).type == "Optional";
        };
        for (const VarId id : graph.outputs()) {
            onnx::ValueInfoProto &output = *proto.add_output();
            fill(output, nameOf(id), graph.variable(id));
            if (!isOptional(id) || !output.has_type()) continue;
            const onnx::TypeProto held = output.type();
            *output.mutable_type()->mutable_optional_type()->mutable_elem_type() = held;
        }
        const std::vector<VarId> ids = graph.variables();
        // The file's type is unknown for values computed from wider ones
        const bool isPlain =
            std::none_of(ids.begin(), ids.end(), [&](VarId id) { return graph.variable(id).fileType != 0; });
        for (const VarId id : ids) {
            const Variable &variable = graph.variable(id);
            if (variable.isParameter()) {
                onnx::TensorProto &tensor = *proto.add_initializer();
                fill(tensor, nameOf(id), variable.value, isOutermost && variable.fileType == 0);
                if (variable.fileType != 0) narrow(tensor, variable.value, variable.fileType);
                if (isOutermost &&
                    (m_irVersion < inputsListWeights || m_options.listedParameters.contains(variable.name)))
                    fill(*proto.add_input(), nameOf(id), variable);
                continue;
            }
            const bool isInner = variable.producer != noOp && !graph.isGraphOutput(id) && !isOptional(id);
            if (isInner && isPlain && variable.type.dtype != at::ScalarType::Undefined)
                fill(*proto.add_value_info(), nameOf(id), variable);
        }
    }

    void checkVersion(const Operation &op)
    {
        const auto [it, isNew] = m_opsets.emplace(op.domain, op.opset);
        if (!isNew && op.opset > it->second)
            throw Error(ErrorKind::Internal,
                        QL_TEXT("%1 has the form of opset %2, but the file would declare opset %3")
                            .with(op.type, op.opset, it->second),
                        op.name)
                .withRemedy(QL_TEXT("Convert the graph to one opset before writing it."));
    }

    /// The type of the value in the file.
    static void narrow(onnx::TensorProto &proto, const at::Tensor &value, int type)
    {
        proto.set_data_type(type);
        proto.set_raw_data(rawBytes(value, *findElementType(type)));
    }

    static void fill(onnx::ValueInfoProto &proto, const std::string &name, const Variable &variable)
    {
        const TensorType &type = variable.type;
        proto.set_name(name);
        if (type.dtype == at::ScalarType::Undefined) return;
        auto *tensor = proto.mutable_type()->mutable_tensor_type();
        tensor->set_elem_type(variable.fileType != 0 ? variable.fileType : elementCode(type.dtype));
        if (!type.shape) return;
        auto *shape = tensor->mutable_shape();
        for (const Dim &dim : *type.shape) {
            auto *out = shape->add_dim();
            if (dim.size >= 0)
                out->set_dim_value(dim.size);
            else if (!dim.symbol.empty())
                out->set_dim_param(dim.symbol);
        }
    }

    void fill(onnx::TensorProto &proto, const std::string &name, const at::Tensor &tensor, bool mayBeExternal)
    {
        const at::Tensor value = tensor.to(at::kCPU).contiguous();
        if (!name.empty()) proto.set_name(name);
        proto.set_data_type(elementCode(value.scalar_type()));
        for (const std::int64_t size : value.sizes()) proto.add_dims(size);
        const auto bytes = std::int64_t(value.nbytes());
        if (!mayBeExternal || m_dataName.empty() || bytes < externalFrom) {
            proto.set_raw_data(value.data_ptr(), std::size_t(bytes));
            return;
        }
        m_dataEnd = (m_dataEnd + externalAlignment - 1) / externalAlignment * externalAlignment;
        proto.set_data_location(onnx::TensorProto::EXTERNAL);
        for (const auto &[key, text] : {std::pair{"location", m_dataName},
                                        {"offset", std::to_string(m_dataEnd)},
                                        {"length", std::to_string(bytes)}}) {
            auto *entry = proto.add_external_data();
            entry->set_key(key);
            entry->set_value(text);
        }
        m_external.emplace_back(m_dataEnd, value);
        m_dataEnd += bytes;
    }

    void fill(onnx::AttributeProto &proto, const std::string &key, const Attribute &attribute, const Renames &captures,
              const Operation &op)
    {
        using A = onnx::AttributeProto;
        using Body = std::shared_ptr<const Graph>;
        proto.set_name(key);
        const auto body = [&](onnx::GraphProto &graph, const Body &value) {
            if (!value) throw Error(ErrorKind::Internal, QL_TEXT("attribute '%1' has no graph").with(key), op.name);
            fill(graph, *value, captures, false);
        };
        if (const auto *value = std::get_if<std::int64_t>(&attribute)) {
            proto.set_type(A::INT);
            proto.set_i(*value);
        } else if (const auto *number = std::get_if<float>(&attribute)) {
            proto.set_type(A::FLOAT);
            proto.set_f(*number);
        } else if (const auto *text = std::get_if<std::string>(&attribute)) {
            proto.set_type(A::STRING);
            proto.set_s(*text);
        } else if (const auto *tensor = std::get_if<at::Tensor>(&attribute)) {
            proto.set_type(A::TENSOR);
            fill(*proto.mutable_t(), {}, *tensor, false);
        } else if (const auto *graph = std::get_if<Body>(&attribute)) {
            proto.set_type(A::GRAPH);
            body(*proto.mutable_g(), *graph);
        } else if (const auto *ints = std::get_if<std::vector<std::int64_t>>(&attribute)) {
            proto.set_type(A::INTS);
            proto.mutable_ints()->Add(ints->begin(), ints->end());
        } else if (const auto *floats = std::get_if<std::vector<float>>(&attribute)) {
            proto.set_type(A::FLOATS);
            proto.mutable_floats()->Add(floats->begin(), floats->end());
        } else if (const auto *strings = std::get_if<std::vector<std::string>>(&attribute)) {
            proto.set_type(A::STRINGS);
            for (const std::string &each : *strings) proto.add_strings(each);
        } else if (const auto *tensors = std::get_if<std::vector<at::Tensor>>(&attribute)) {
            proto.set_type(A::TENSORS);
            for (const at::Tensor &each : *tensors) fill(*proto.add_tensors(), {}, each, false);
        } else {
            proto.set_type(A::GRAPHS);
            for (const Body &each : std::get<std::vector<Body>>(attribute)) body(*proto.add_graphs(), each);
        }
    }

    const WriteOptions &m_options;
    std::map<std::string, std::int64_t> m_opsets;
    std::int64_t m_irVersion = 0;
    std::string m_dataName; ///< empty: no external data
    std::int64_t m_dataEnd = 0;
    std::vector<std::pair<std::int64_t, at::Tensor>> m_external; ///< by offset
};

} // namespace

std::vector<fs::path> writeOnnx(const Graph &graph, const fs::path &file, const WriteOptions &options)
{
    Writer writer(options);
    onnx::ModelProto model = writer.write(graph, file);
    if (model.ByteSizeLong() > std::size_t(maxModelBytes))
        throw Error(ErrorKind::Io, QL_TEXT("the model has %1 bytes, an ONNX file can have at most %2")
                                       .with(model.ByteSizeLong(), maxModelBytes))
            .inFile(file.string())
            .withRemedy(QL_TEXT("Write its parameters as external data."));
    completeAndCheck(model, file);
    std::vector<fs::path> files{file};
    // The data first: a model without its data would be incomplete.
    if (!writer.dataName().empty()) {
        files.push_back(file.parent_path() / writer.dataName());
        writeFileAtomically(files.back(), [&](std::ostream &out) { writer.writeData(out); });
    }
    try {
        writeFileAtomically(file, [&](std::ostream &out) {
            if (!model.SerializeToOstream(&out)) out.setstate(std::ios::failbit);
        });
    } catch (...) {
        std::error_code ignored;
        if (files.size() > 1) fs::remove(files.back(), ignored);
        throw;
    }
    return files;
}

} // namespace ql

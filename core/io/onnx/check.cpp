#include "core/io/onnx/check.h"

#include "core/base/error.h"

#include <onnx/checker.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ql::onnx_io {

namespace {

constexpr std::size_t largestConstant = 4096; ///< in bytes: shapes and axes, which determine other shapes

/// Whether the library knows all versions of operator sets that model uses.
bool isKnown(const onnx::ModelProto &model)
{
    const auto &versions = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
    return std::all_of(model.opset_import().begin(), model.opset_import().end(), [&](const auto &import) {
        const auto known = versions.find(import.domain());
        return known == versions.end() || import.version() <= known->second.second;
    });
}

bool hasExternalData(const onnx::ModelProto &model)
{
    const auto &all = model.graph().initializer();
    return std::any_of(all.begin(), all.end(), [](const onnx::TensorProto &each) {
        return each.data_location() == onnx::TensorProto::EXTERNAL;
    });
}

/// Whether the type has what the checker requires: of tensors, a shape, if only of unknown sizes.
bool isTyped(const onnx::ValueInfoProto &value)
{
    const onnx::TypeProto &type = value.type();
    return type.value_case() != onnx::TypeProto::VALUE_NOT_SET &&
           (!type.has_tensor_type() || type.tensor_type().has_shape());
}

/// The model without the contents of large parameters, which become inputs of the same type.
onnx::ModelProto withoutWeights(const onnx::ModelProto &model)
{
    onnx::ModelProto out;
    out.set_ir_version(model.ir_version());
    *out.mutable_opset_import() = model.opset_import();
    const onnx::GraphProto &from = model.graph();
    onnx::GraphProto &to = *out.mutable_graph();
    to.set_name(from.name());
    *to.mutable_node() = from.node();
    *to.mutable_input() = from.input();
    *to.mutable_output() = from.output();
    *to.mutable_value_info() = from.value_info();
    for (const onnx::TensorProto &tensor : from.initializer()) {
        if (tensor.raw_data().size() <= largestConstant) {
            *to.add_initializer() = tensor;
            continue;
        }
        onnx::ValueInfoProto &input = *to.add_input();
        input.set_name(tensor.name());
        auto &type = *input.mutable_type()->mutable_tensor_type();
        type.set_elem_type(tensor.data_type());
        type.mutable_shape();
        for (const auto size : tensor.dims()) type.mutable_shape()->add_dim()->set_dim_value(size);
    }
    return out;
}

/// Operators of ONNX's domain that the library does not know, in another domain while this lives: the checker accepts
/// any operator there. Some are written without a domain, which a runtime registered itself (ONNX Runtime's
/// SimplifiedLayerNormalization); what no runtime knows is refused before.
class UnknownOperators
{
public:
    explicit UnknownOperators(onnx::ModelProto &model) : m_model(model)
    {
        for (const auto &import : model.opset_import())
            if (import.domain().empty()) find(*model.mutable_graph(), int(import.version()));
        if (m_nodes.empty()) return;
        onnx::OperatorSetIdProto &import = *model.add_opset_import();
        import.set_domain(elsewhere);
        import.set_version(1);
        for (onnx::NodeProto *node : m_nodes) node->set_domain(elsewhere);
    }
    ~UnknownOperators()
    {
        if (!m_nodes.empty()) m_model.mutable_opset_import()->RemoveLast();
        for (onnx::NodeProto *node : m_nodes) node->clear_domain();
    }
    UnknownOperators(const UnknownOperators &) = delete;
    UnknownOperators &operator=(const UnknownOperators &) = delete;

private:
    static constexpr const char *elsewhere = "quantloupe.unknown";

    void find(onnx::GraphProto &graph, int version)
    {
        for (onnx::NodeProto &node : *graph.mutable_node()) {
            if (node.domain().empty() && !onnx::OpSchemaRegistry::Schema(node.op_type(), version))
                m_nodes.push_back(&node);
            for (onnx::AttributeProto &attribute : *node.mutable_attribute())
                if (attribute.has_g()) find(*attribute.mutable_g(), version);
        }
    }

    onnx::ModelProto &m_model;
    std::vector<onnx::NodeProto *> m_nodes;
};

/// As a model of the newest IR version that the library knows: a newer one adds nothing to operators that it knows.
void checkAsKnown(onnx::ModelProto &model)
{
    const UnknownOperators unknown(model);
    const std::int64_t version = model.ir_version();
    model.set_ir_version(std::min<std::int64_t>(version, onnx::Version::IR_VERSION));
    onnx::checker::check_model(model); // an error ends the export
    model.set_ir_version(version);
}

} // namespace

void completeAndCheck(onnx::ModelProto &model, const std::filesystem::path &file)
{
    if (!isKnown(model) || hasExternalData(model)) return;
    try {
        onnx::ModelProto skeleton = withoutWeights(model);
        const UnknownOperators unknown(skeleton);
        onnx::shape_inference::InferShapes(skeleton);
        auto &outputs = *model.mutable_graph()->mutable_output();
        for (int i = 0; i < outputs.size(); ++i)
            if (!isTyped(outputs[i]) && isTyped(skeleton.graph().output(i)))
                *outputs[i].mutable_type() = skeleton.graph().output(i).type();
        const auto &inputs = model.graph().input();
        if (std::all_of(outputs.begin(), outputs.end(), isTyped) && std::all_of(inputs.begin(), inputs.end(), isTyped))
            checkAsKnown(model);
    } catch (const std::exception &error) {
        throw Error(ErrorKind::BadData, QL_TEXT("the ONNX library refuses the model: %1").with(error.what()))
            .inFile(file.string())
            .withRemedy(
                QL_TEXT("Nothing was written. Declared shapes and attributes that contradict the model's operators are "
                        "copied from it: correct them there, or report the model if the ONNX checker accepts it."));
    }
}

} // namespace ql::onnx_io

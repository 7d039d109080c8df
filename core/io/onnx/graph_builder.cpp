#include "core/io/onnx/graph_builder.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/base/utf8.h"
#include "core/io/onnx/element_type.h"
#include "core/io/onnx/limits.h"
#include "core/io/onnx/schema.h"
#include "core/ir/subgraphs.h"

#include <ATen/ops/full.h>

namespace ql::onnx_io {

namespace {

const Text damagedRemedy = QL_TEXT("The file is damaged or was written by a faulty tool; export the model again.");

TensorType readType(const onnx::TypeProto &proto)
{
    TensorType type;
    if (!proto.has_tensor_type()) return type; // sequences, maps: not supported in computation
    const auto &tensor = proto.tensor_type();
    if (const ElementType *element = findElementType(tensor.elem_type())) type.dtype = element->stored;
    if (!tensor.has_shape()) return type;
    type.shape.emplace();
    for (const auto &dim : tensor.shape().dim()) {
        // Some exporters write 0 or -1 for a size that is only known at run time.
        if (dim.has_dim_value() && dim.dim_value() > 0)
            type.shape->push_back({dim.dim_value(), {}});
        else
            type.shape->push_back({-1, dim.has_dim_param() ? printable(dim.dim_param()) : std::string()});
    }
    return type;
}

/// The kind of an attribute without a type, as in very old files.
onnx::AttributeProto::AttributeType kindOf(const onnx::AttributeProto &proto)
{
    using A = onnx::AttributeProto;
    if (proto.has_type() && proto.type() != A::UNDEFINED) return proto.type();
    if (proto.has_f()) return A::FLOAT;
    if (proto.has_i()) return A::INT;
    if (proto.has_s()) return A::STRING;
    if (proto.has_t()) return A::TENSOR;
    if (proto.has_g()) return A::GRAPH;
    if (proto.floats_size()) return A::FLOATS;
    if (proto.ints_size()) return A::INTS;
    if (proto.strings_size()) return A::STRINGS;
    return A::UNDEFINED;
}

} // namespace

std::string normalDomain(const std::string &domain)
{
    return domain == "ai.onnx" ? std::string() : printable(domain);
}

Opsets readOpsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &imports)
{
    Opsets out;
    for (const auto &import : imports) {
        const auto [it, isNew] = out.emplace(normalDomain(import.domain()), import.version());
        if (!isNew && it->second != import.version())
            throw Error(ErrorKind::InvalidModel, QL_TEXT("domain '%1' is imported in versions %2 and %3")
                                                     .with(printable(import.domain()), it->second, import.version()))
                .withRemedy(QL_TEXT("Export the model with one opset."));
    }
    return out;
}

/// As Variable::fileType.
static int fileType(int dataType)
{
    const ElementType *const type = findElementType(dataType);
    return type && (type->widened || type->code == onnx::TensorProto::STRING) ? dataType : 0;
}

GraphBuilder::GraphBuilder(onnx::ModelProto &model, const std::filesystem::path &file, Opsets opsets,
                           std::function<void(api::Problem)> report)
    : m_model(model), m_opsets(std::move(opsets)), m_report(report), m_tensors(file, std::move(report))
{
    for (onnx::FunctionProto &function : *model.mutable_functions())
        m_functions.emplace(std::make_pair(normalDomain(function.domain()), function.name()), &function);
}

void GraphBuilder::fail(const Text &message, const About &about, const Text &remedy) const
{
    throw Error(ErrorKind::InvalidModel, message, about.op, about.variable).withRemedy(remedy);
}

Graph GraphBuilder::build()
{
    Call call;
    call.opsets = &m_opsets;
    return buildGraph(*m_model.mutable_graph(), call, nullptr);
}

Graph GraphBuilder::buildGraph(onnx::GraphProto &proto, const Call &call, std::vector<std::string> *captured)
{
    Scope scope;
    Names names;
    scope.graph.name = printable(proto.name());
    scope.graph.opsets = m_opsets;
    scope.graph.irVersion = m_model.ir_version();

    addInitializers(proto, scope, names, call);
    std::vector<VarId> inputs;
    std::unordered_set<std::string> seen;
    for (const onnx::ValueInfoProto &input : proto.input()) {
        if (!seen.insert(input.name()).second)
            fail(QL_TEXT("the graph has two inputs of the same name"), {.variable = printable(input.name())},
                 damagedRemedy);
        if (names.ids.contains(input.name()) || scope.stringTensors.contains(input.name())) continue;
        const VarId id = variableOf(input.name(), scope, names);
        scope.graph.edit(id).type = readType(input.type());
        const int type = input.type().tensor_type().elem_type();
        if (type != 0 && !findElementType(type))
            fail(QL_TEXT("data type number %1 is unknown").with(type), {.variable = printable(input.name())},
                 QL_TEXT("Export the model with opset 21 or older."));
        scope.graph.edit(id).fileType = fileType(type);
        scope.inputs.insert(id);
        inputs.push_back(id);
    }
    scope.graph.setInputs(std::move(inputs));

    // Names have no meaning in ONNX. Here they identify operations: of several, the first one keeps its name
    for (const onnx::NodeProto &node : proto.node())
        if (!node.name().empty() && !scope.nodeNames.insert(printable(node.name())).second &&
            scope.sharedNames.emplace(printable(node.name()), 1).second)
            m_report({.severity = api::Severity::Info,
                      .op = printable(node.name()),
                      .message = QL_TEXT("duplicate node name; later nodes get a number")});
    std::int64_t index = 0;
    for (onnx::NodeProto &node : *proto.mutable_node()) addNode(node, scope, names, call, index++);

    std::vector<VarId> outputs;
    std::set<VarId> listed;
    for (const onnx::ValueInfoProto &output : proto.output()) {
        const bool isKnown = names.ids.contains(output.name());
        if (!isKnown && !captured)
            fail(QL_TEXT("no node writes this graph output"), {.variable = printable(output.name())}, damagedRemedy);
        VarId id = variableOf(output.name(), scope, names);
        if (!listed.insert(id).second) {
            if (!captured) {
                m_report({.severity = api::Severity::Info,
                          .variable = printable(output.name()),
                          .message = QL_TEXT("listed as a graph output more than once; read once")});
                continue;
            }
            // A loop may carry one value under two names
            Operation copy;
            copy.name = scope.graph.freshName(names.prefix + printable(output.name()) + "_copy");
            copy.type = "Identity";
            copy.opset = call.opsets->contains("") ? call.opsets->at("") : 1;
            copy.inputs = {id};
            id = scope.graph.addVariable(scope.graph.freshName(names.prefix + printable(output.name())));
            copy.outputs = {id};
            scope.graph.addOperation(std::move(copy));
        }
        outputs.push_back(id);
    }
    scope.graph.setOutputs(std::move(outputs));
    addTypes(proto, scope, names);
    checkProvided(scope, names, captured);
    return std::move(scope.graph);
}

void GraphBuilder::addInitializers(onnx::GraphProto &proto, Scope &scope, Names &names, const Call &call)
{
    const auto add = [&](const std::string &name, const auto &read) {
        if (name.empty()) fail(QL_TEXT("an initialiser has no name"), {}, damagedRemedy);
        if (names.ids.contains(name) || scope.stringTensors.contains(name))
            fail(QL_TEXT("two initialisers have the same name"), {.variable = printable(name)}, damagedRemedy);
        const at::Tensor value = read(TensorPlace{{}, printable(name)});
        if (value.defined()) scope.graph.setValue(variableOf(name, scope, names), value);
    };
    for (onnx::TensorProto &tensor : *proto.mutable_initializer())
        add(tensor.name(), [&](const TensorPlace &place) {
            if (const int type = fileType(tensor.data_type()); type != 0 && type != onnx::TensorProto::STRING)
                scope.graph.edit(variableOf(tensor.name(), scope, names)).fileType = type;
            if (tensor.data_type() != onnx::TensorProto::STRING) return readTensor(tensor, place, call);
            scope.stringTensors.insert(tensor.name()); // refused only if it has a consumer
            return at::Tensor();
        });
    for (onnx::SparseTensorProto &tensor : *proto.mutable_sparse_initializer())
        add(tensor.values().name(), [&](const TensorPlace &place) { return m_tensors.readSparse(tensor, place); });
}

void GraphBuilder::addTypes(const onnx::GraphProto &proto, Scope &scope, const Names &names) const
{
    const auto add = [&](const onnx::ValueInfoProto &info) {
        const auto it = names.ids.find(info.name());
        if (it == names.ids.end() || scope.inputs.contains(it->second)) return;
        Variable &variable = scope.graph.edit(it->second);
        if (variable.isParameter()) return;
        variable.type = readType(info.type());
        variable.fileType = fileType(info.type().tensor_type().elem_type());
    };
    for (const onnx::ValueInfoProto &info : proto.value_info()) add(info);
    for (const onnx::ValueInfoProto &info : proto.output()) add(info);
}

void GraphBuilder::checkProvided(Scope &scope, const Names &names, std::vector<std::string> *captured) const
{
    std::map<VarId, std::string> raw;
    for (const auto &[name, id] : names.ids)
        if (id != noVar) raw.emplace(id, name);
    for (const VarId id : scope.graph.variables()) {
        const Variable &variable = scope.graph.variable(id);
        if (variable.producer != noOp || variable.isParameter() || scope.inputs.contains(id)) continue;
        const auto it = raw.find(id);
        const std::string op = variable.uses.empty() ? std::string() : scope.graph.operation(variable.uses[0].op).name;
        if (it != raw.end() && scope.stringTensors.contains(it->second))
            fail(QL_TEXT("the computation uses a tensor of strings"), {.op = op, .variable = variable.name},
                 QL_TEXT("Computing with strings is not supported; cut the model where they are used."));
        if (captured && it != raw.end()) {
            captured->push_back(it->second);
            continue;
        }
        constexpr std::size_t most = 2000, longest = 200; // limits the time for suggesting a name
        std::vector<std::string> provided;
        for (const VarId other : scope.graph.variables()) {
            const Variable &candidate = scope.graph.variable(other);
            if (provided.size() == most || variable.name.size() > longest || variable.name.size() < 3) break;
            if ((candidate.producer != noOp || candidate.isParameter()) && candidate.name.size() <= longest)
                provided.push_back(candidate.name);
        }
        fail(Text::sentences(
                 {QL_TEXT(
                      "nothing provides the tensor: it is not a graph input or an initialiser, and no node writes it."),
                  suggestion(variable.name, provided)}),
             {.op = op, .variable = variable.name}, damagedRemedy);
    }
}

VarId GraphBuilder::variableOf(const std::string &name, Scope &scope, Names &names) const
{
    const auto known = names.ids.find(name);
    if (known != names.ids.end()) return known->second;
    std::string shown = names.prefix + printable(name);
    if (shown.empty()) fail(QL_TEXT("a tensor has an empty name"), {}, damagedRemedy);
    if (scope.graph.findVariable(shown) != noVar) shown = scope.graph.freshName(shown);
    const VarId id = scope.graph.addVariable(std::move(shown));
    names.ids.emplace(name, id);
    return id;
}

std::string GraphBuilder::nodeName(const onnx::NodeProto &node, Scope &scope, const Names &names,
                                   std::int64_t index) const
{
    const bool isExplicit = !node.name().empty();
    if (isExplicit && names.prefix.empty()) {
        const auto shared = scope.sharedNames.find(printable(node.name()));
        if (shared == scope.sharedNames.end()) return printable(node.name());
        int &count = shared->second;
        if (count++ == 1) return shared->first;
        std::string numbered = shared->first + "_" + std::to_string(count - 1);
        while (!scope.nodeNames.insert(numbered).second) numbered = shared->first + "_" + std::to_string(count++);
        return numbered;
    }
    std::string name =
        names.prefix + (isExplicit ? printable(node.name()) : printable(node.op_type()) + "_" + std::to_string(index));
    // The file may use this name for another node.
    for (int k = 1; !scope.nodeNames.insert(name).second; ++k)
        name = names.prefix + printable(node.op_type()) + "_" + std::to_string(index) + "_" + std::to_string(k);
    return name;
}

/// Kernels see the wider type: the declared type is recorded in an attribute or in the choice of operator.
void GraphBuilder::recordDeclaredTypes(Operation &op, Scope &scope) const
{
    const auto typeOf = [&](std::size_t input) {
        return op.hasInput(input) ? scope.graph.variable(op.inputs[input]).fileType : 0;
    };
    if (!op.domain.empty()) return;
    if (op.type == "QuantizeLinear" && typeOf(2) != 0) // saturation limits of the codes
        op.attributes.try_emplace("output_dtype", std::int64_t(typeOf(2)));
    if (op.type == "CastLike" && typeOf(1) != 0) {
        op.type = "Cast";
        op.attributes["to"] = std::int64_t(typeOf(1));
        op.inputs.resize(1);
    }
    if (op.type == "Cast" && op.outputs.size() == 1)
        scope.graph.edit(op.outputs[0]).fileType = fileType(int(op.intAttribute("to", 0)));
    if (op.type == "BitwiseNot" && typeOf(0) != 0) { // only of the bits of the file's type
        const int bits = findElementType(typeOf(0))->bits;
        op.type = "BitwiseXor";
        op.inputs.push_back(scope.graph.addVariable(scope.graph.freshName(op.name + "_ones")));
        scope.graph.setValue(op.inputs.back(), at::full({}, bits == 64 ? -1 : (std::int64_t{1} << bits) - 1,
                                                        findElementType(typeOf(0))->stored));
        scope.graph.edit(op.inputs.back()).fileType = typeOf(0);
        if (op.outputs.size() == 1) scope.graph.edit(op.outputs[0]).fileType = typeOf(0);
    }
}

std::int64_t GraphBuilder::opsetOf(const Operation &op, const Call &call)
{
    const auto version = call.opsets->find(op.domain);
    if (version != call.opsets->end()) return version->second;
    if (op.domain.empty())
        fail(QL_TEXT("the file does not say which opset it uses"), {.op = op.name},
             QL_TEXT("Add an opset import for ai.onnx, or export the model again."));
    if (m_missingDomains.insert(op.domain).second)
        m_report({.severity = api::Severity::Warning,
                  .op = op.name,
                  .message = QL_TEXT("domain '%1' is used but not imported; version 1 is assumed").with(op.domain),
                  .remedy = QL_TEXT("Export the model again.")});
    return 1;
}

std::vector<std::string> GraphBuilder::readAttributes(onnx::NodeProto &node, Operation &op, Scope &scope, Names &names,
                                                      const Call &call)
{
    std::vector<std::string> captured;
    for (onnx::AttributeProto &proto : *node.mutable_attribute()) {
        onnx::AttributeProto *source = &proto;
        if (!proto.ref_attr_name().empty()) {
            const auto it = call.attributes.find(proto.ref_attr_name());
            if (call.depth == 0)
                fail(QL_TEXT("attribute '%1' refers to a function's attribute outside a function")
                         .with(printable(proto.name())),
                     {.op = op.name}, damagedRemedy);
            if (it == call.attributes.end()) continue; // omitted by the caller: the operator's default
            source = it->second;
        }
        // The type of an Optional: values have their own types
        if (kindOf(*source) == onnx::AttributeProto::TYPE_PROTO) continue;
        std::string key = printable(proto.name());
        if (op.type == "Constant" && source->has_t() && node.output_size() == 1)
            scope.graph.edit(variableOf(node.output(0), scope, names)).fileType = fileType(source->t().data_type());
        Attribute value = readAttribute(*source, op.name, call, captured);
        if (op.type == "Constant" && key == "sparse_value") key = "value";
        if (op.type == "Constant" && std::holds_alternative<std::vector<std::string>>(value)) key = "value_strings";
        if (!op.attributes.emplace(key, std::move(value)).second)
            fail(QL_TEXT("the node has two attributes '%1'").with(key), {.op = op.name}, damagedRemedy);
    }
    return captured;
}

void GraphBuilder::linkOutputs(const onnx::NodeProto &node, Operation &op, Scope &scope, Names &names)
{
    std::set<VarId> written;
    for (const std::string &output : node.output()) {
        const VarId id = output.empty() ? noVar : variableOf(output, scope, names);
        if (id != noVar && scope.inputs.contains(id))
            fail(QL_TEXT("the node writes a graph input"), {.op = op.name, .variable = scope.graph.variable(id).name},
                 damagedRemedy);
        if (id != noVar && scope.graph.variable(id).producer != noOp)
            fail(QL_TEXT("the tensor is written by two nodes, also by '%1'")
                     .with(scope.graph.operation(scope.graph.variable(id).producer).name),
                 {.op = op.name, .variable = scope.graph.variable(id).name}, damagedRemedy);
        if (id != noVar && scope.graph.isParameter(id))
            fail(QL_TEXT("the node writes a tensor that has an initialiser"),
                 {.op = op.name, .variable = scope.graph.variable(id).name}, damagedRemedy);
        if (id != noVar && !written.insert(id).second)
            fail(QL_TEXT("the node writes the tensor twice"),
                 {.op = op.name, .variable = scope.graph.variable(id).name}, damagedRemedy);
        op.outputs.push_back(id);
    }
}

void GraphBuilder::addNode(onnx::NodeProto &node, Scope &scope, Names &names, const Call &call, std::int64_t index)
{
    if (++m_nodes > maxNodes)
        fail(QL_TEXT("the model has more than %1 nodes").with(maxNodes), {}, QL_TEXT("Split the model."));
    Operation op;
    op.name = nodeName(node, scope, names, index);
    op.type = printable(node.op_type());
    op.domain = normalDomain(node.domain());
    if (op.type.empty()) fail(QL_TEXT("a node has no operator type"), {.op = op.name}, damagedRemedy);
    const auto function = m_functions.find({op.domain, node.op_type()});
    if (function != m_functions.end()) return inlineFunction(*function->second, node, op.name, scope, names, call);

    op.opset = opsetOf(op, call);
    const std::vector<std::string> captured = readAttributes(node, op, scope, names, call);
    for (const std::string &input : node.input())
        op.inputs.push_back(input.empty() ? noVar : variableOf(input, scope, names));
    linkOutputs(node, op, scope, names);
    for (const std::string &attribute : checkAgainstSchema(op))
        if (m_unknownAttributes.insert(op.type + attribute).second)
            m_report({.severity = api::Severity::Warning,
                      .op = op.name,
                      .message = QL_TEXT("%1 has no attribute '%2' in opset %3").with(op.type, attribute, op.opset),
                      .remedy = QL_TEXT("It has no effect; if results look wrong, export the model again.")});
    recordDeclaredTypes(op, scope);
    if (!captured.empty()) {
        // Sorted: the order must not depend on the order of the attributes in the file.
        std::vector<std::string> shown;
        for (const std::string &name : std::set<std::string>(captured.begin(), captured.end())) {
            const VarId id = variableOf(name, scope, names);
            if (id == noVar)
                fail(QL_TEXT("a body reads an input that the caller omits"),
                     {.op = op.name, .variable = printable(name)});
            op.inputs.push_back(id);
            shown.push_back(printable(name));
        }
        op.attributes.insert_or_assign(std::string(capturesAttribute), std::move(shown));
    }
    scope.graph.addOperation(std::move(op));
}

void GraphBuilder::inlineFunction(onnx::FunctionProto &function, onnx::NodeProto &node, const std::string &name,
                                  Scope &scope, Names &names, const Call &call)
{
    if (call.depth >= maxFunctionDepth)
        fail(QL_TEXT("function calls are nested more than %1 levels deep").with(maxFunctionDepth), {.op = name},
             QL_TEXT("Inline the functions when exporting."));
    if (node.input_size() > function.input_size() || node.output_size() > function.output_size())
        fail(QL_TEXT("the node has more inputs or outputs than function '%1'").with(printable(function.name())),
             {.op = name}, damagedRemedy);
    m_nodes += function.input_size() + function.attribute_size(); // each call adds these again
    Names inner;
    inner.prefix = name + "/";
    for (int i = 0; i < function.input_size(); ++i) {
        const bool given = i < node.input_size() && !node.input(i).empty();
        inner.ids.emplace(function.input(i), given ? variableOf(node.input(i), scope, names) : noVar);
    }
    for (int i = 0; i < node.output_size(); ++i)
        if (!node.output(i).empty()) inner.ids.emplace(function.output(i), variableOf(node.output(i), scope, names));

    Call body;
    body.depth = call.depth + 1;
    const Opsets opsets = readOpsets(function.opset_import());
    body.opsets = opsets.empty() ? call.opsets : &opsets;
    for (auto &[key, value] : functionDefaults(function)) body.attributes.emplace(key, &value);
    for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
        onnx::AttributeProto *source = &attribute;
        if (!attribute.ref_attr_name().empty()) {
            const auto it = call.attributes.find(attribute.ref_attr_name());
            if (it == call.attributes.end()) continue;
            source = it->second;
        }
        body.attributes.insert_or_assign(attribute.name(), source);
    }
    std::int64_t index = 0;
    for (onnx::NodeProto &inside : *function.mutable_node()) addNode(inside, scope, inner, body, index++);
}

std::map<std::string, onnx::AttributeProto> &GraphBuilder::functionDefaults(onnx::FunctionProto &function)
{
    const auto known = m_defaults.find(&function);
    if (known != m_defaults.end()) return known->second;
    auto &defaults = m_defaults[&function];
    // Attributes with defaults are field 11 since IR 9; older headers keep them as an unknown field.
    constexpr int attributeProtoField = 11;
    const auto *reflection = function.GetReflection();
    const auto add = [&](const onnx::AttributeProto &proto) { defaults.insert_or_assign(proto.name(), proto); };
    if (const auto *field = function.GetDescriptor()->FindFieldByNumber(attributeProtoField)) {
        for (int i = 0; i < reflection->FieldSize(function, field); ++i)
            add(static_cast<const onnx::AttributeProto &>(reflection->GetRepeatedMessage(function, field, i)));
        return defaults;
    }
    const auto &unknown = reflection->GetUnknownFields(function);
    for (int i = 0; i < unknown.field_count(); ++i) {
        const auto &field = unknown.field(i);
        if (field.number() != attributeProtoField || field.type() != field.TYPE_LENGTH_DELIMITED) continue;
        onnx::AttributeProto proto;
        if (proto.ParseFromString(field.length_delimited())) add(proto);
    }
    return defaults;
}

at::Tensor GraphBuilder::readTensor(onnx::TensorProto &proto, const TensorPlace &place, const Call &call)
{
    if (call.depth == 0) return m_tensors.read(proto, place, true);
    // A function's constant is read once for any number of calls.
    const auto known = m_constants.find(&proto);
    if (known != m_constants.end()) return known->second;
    return m_constants.emplace(&proto, m_tensors.read(proto, place, false)).first->second;
}

Attribute GraphBuilder::readAttribute(onnx::AttributeProto &proto, const std::string &op, const Call &call,
                                      std::vector<std::string> &captured)
{
    using A = onnx::AttributeProto;
    const TensorPlace place{op, {}};
    const auto body = [&](onnx::GraphProto &graph) -> std::shared_ptr<const Graph> {
        return std::make_shared<Graph>(buildGraph(graph, call, &captured));
    };
    switch (kindOf(proto)) {
    case A::INT: return std::int64_t(proto.i());
    case A::FLOAT: return proto.f();
    case A::STRING: return proto.s();
    case A::INTS: return std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end());
    case A::FLOATS: return std::vector<float>(proto.floats().begin(), proto.floats().end());
    case A::STRINGS: return std::vector<std::string>(proto.strings().begin(), proto.strings().end());
    case A::TENSOR:
        if (proto.t().data_type() == onnx::TensorProto::STRING) return m_tensors.readStrings(proto.t(), place);
        return readTensor(*proto.mutable_t(), place, call);
    case A::SPARSE_TENSOR: return m_tensors.readSparse(*proto.mutable_sparse_tensor(), place);
    case A::GRAPH: return body(*proto.mutable_g());
    case A::TENSORS: {
        std::vector<at::Tensor> out;
        for (onnx::TensorProto &tensor : *proto.mutable_tensors()) out.push_back(readTensor(tensor, place, call));
        return out;
    }
    case A::GRAPHS: {
        std::vector<std::shared_ptr<const Graph>> out;
        for (onnx::GraphProto &graph : *proto.mutable_graphs()) out.push_back(body(graph));
        return out;
    }
    default: break;
    }
    fail(QL_TEXT("attribute '%1' has a kind that is not supported (number %2)")
             .with(printable(proto.name()), int(proto.type())),
         {.op = op}, QL_TEXT("Optional and sequence types are not supported."));
}

} // namespace ql::onnx_io

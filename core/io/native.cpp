#include "core/io/native.h"

#include "core/api/json_builder.h"
#include "core/api/report.h"
#include "core/api/text_json.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/io/importer.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <utility>

namespace ql {

using nlohmann::json;

namespace {

constexpr std::string_view signature = "quantloupe-native/1\n";

[[noreturn]] void bad(const Text &what)
{
    throw Error(ErrorKind::BadData, QL_TEXT("the native file is damaged: %1").with(what))
        .withRemedy(QL_TEXT("Export it again."));
}

json parseCbor(std::string_view bytes)
{
    api::JsonBuilder builder(400);
    if (json::sax_parse(bytes.begin(), bytes.end(), &builder, json::input_format_t::cbor)) return builder.take();
    bad(builder.isTooDeep() ? QL_TEXT("values are nested too deeply") : QL_TEXT("its structure cannot be read"));
}

/// Integers; a float would be truncated, or overflow if it is large.
template <class Int>
Int integer(const json &j)
{
    if (!j.is_number_integer()) bad(QL_TEXT("expected an integer, got %1").with(j.dump().substr(0, 40)));
    const auto value = j.get<std::int64_t>();
    if (!std::in_range<Int>(value)) bad(QL_TEXT("the number %1 is too large").with(value));
    return Int(value);
}

std::vector<std::int64_t> integers(const json &j)
{
    std::vector<std::int64_t> out;
    for (const json &value : j) out.push_back(integer<std::int64_t>(value));
    return out;
}

const std::pair<at::ScalarType, const char *> typeNames[] = {
    {at::kFloat, "float32"}, {at::kDouble, "float64"}, {at::kHalf, "float16"}, {at::kBFloat16, "bfloat16"},
    {at::kByte, "uint8"},    {at::kChar, "int8"},      {at::kShort, "int16"},  {at::kInt, "int32"},
    {at::kLong, "int64"},    {at::kBool, "bool"}};

std::string typeName(at::ScalarType type)
{
    for (const auto &[value, name] : typeNames)
        if (value == type) return name;
    return "unknown";
}

at::ScalarType typeOf(const std::string &name)
{
    for (const auto &[value, text] : typeNames)
        if (name == text) return value;
    return at::ScalarType::Undefined;
}

json tensorToJson(const at::Tensor &tensor)
{
    const at::Tensor whole = tensor.cpu().contiguous();
    const auto *bytes = static_cast<const std::uint8_t *>(whole.data_ptr());
    return {{"dtype", typeName(whole.scalar_type())},
            {"shape", std::vector<std::int64_t>(whole.sizes().begin(), whole.sizes().end())},
            {"data", json::binary(std::vector<std::uint8_t>(bytes, bytes + whole.nbytes()))}};
}

at::Tensor tensorFromJson(const json &j)
{
    const at::ScalarType type = typeOf(j.at("dtype").get<std::string>());
    if (type == at::ScalarType::Undefined) bad(QL_TEXT("unknown element type %1").with(j.at("dtype").dump()));
    const std::vector<std::int64_t> shape = integers(j.at("shape"));
    const auto &data = j.at("data").get_binary();
    std::size_t count = 1;
    for (const std::int64_t size : shape) {
        if (size < 0 || (size > 0 && count > (std::size_t{1} << 40) / std::size_t(size)))
            bad(QL_TEXT("a tensor's shape is not usable"));
        count *= std::size_t(size);
    }
    if (count * at::elementSize(type) != data.size()) bad(QL_TEXT("a tensor's data does not match its shape"));
    at::Tensor tensor = at::empty(shape, at::TensorOptions(type));
    if (!data.empty()) std::memcpy(tensor.data_ptr(), data.data(), data.size());
    return tensor;
}

/// {"kind": value}: the kinds of Attribute by name.
json attributeToJson(const Attribute &attribute)
{
    const char *kind = kindName(attribute);
    return std::visit(
        [&](const auto &value) -> json {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, at::Tensor>) {
                return {{kind, tensorToJson(value)}};
            } else if constexpr (std::is_same_v<T, std::shared_ptr<const Graph>>) {
                return {{kind, graphToJson(*value)}};
            } else if constexpr (std::is_same_v<T, std::vector<at::Tensor>>) {
                json list = json::array();
                for (const at::Tensor &t : value) list.push_back(tensorToJson(t));
                return {{kind, list}};
            } else if constexpr (std::is_same_v<T, std::vector<std::shared_ptr<const Graph>>>) {
                json list = json::array();
                for (const auto &g : value) list.push_back(graphToJson(*g));
                return {{kind, list}};
            } else if constexpr (std::is_same_v<T, std::string>) {
                // ONNX strings are bytes, JSON strings are text
                return {{kind, json::binary(std::vector<std::uint8_t>(value.begin(), value.end()))}};
            } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
                json list = json::array();
                for (const std::string &s : value)
                    list.push_back(json::binary(std::vector<std::uint8_t>(s.begin(), s.end())));
                return {{kind, list}};
            } else {
                return {{kind, value}};
            }
        },
        attribute);
}

std::string bytesOf(const json &j)
{
    const auto &bytes = j.get_binary();
    return {bytes.begin(), bytes.end()};
}

Attribute attributeFromJson(const json &j)
{
    if (!j.is_object() || j.size() != 1) bad(QL_TEXT("an attribute must have one value of one kind"));
    const std::string kind = j.begin().key();
    const json &value = j.begin().value();
    if (kind == "int") return integer<std::int64_t>(value);
    if (kind == "float") return value.get<float>();
    if (kind == "string") return bytesOf(value);
    if (kind == "tensor") return tensorFromJson(value);
    if (kind == "graph") return std::make_shared<const Graph>(graphFromJson(value));
    if (kind == "ints") return integers(value);
    if (kind == "floats") return value.get<std::vector<float>>();
    if (kind == "strings") {
        std::vector<std::string> list;
        for (const json &s : value) list.push_back(bytesOf(s));
        return list;
    }
    if (kind == "tensors") {
        std::vector<at::Tensor> list;
        for (const json &t : value) list.push_back(tensorFromJson(t));
        return list;
    }
    if (kind != "graphs") bad(QL_TEXT("unknown attribute kind %1").with(kind));
    std::vector<std::shared_ptr<const Graph>> list;
    for (const json &g : value) list.push_back(std::make_shared<const Graph>(graphFromJson(g)));
    return list;
}

json slotToJson(Slot slot)
{
    return {index(slot.op), slot.output ? 1 : 0, slot.index};
}

Slot slotFromJson(const json &j)
{
    return {OpId{integer<std::int32_t>(j.at(0))}, integer<int>(j.at(1)) != 0, integer<std::int32_t>(j.at(2))};
}

json typeToJson(const TensorType &type)
{
    json out = {{"dtype", typeName(type.dtype)}, {"shape", nullptr}};
    if (!type.shape) return out;
    out["shape"] = json::array();
    for (const Dim &d : *type.shape) out["shape"].push_back(d.size >= 0 ? json(d.size) : json(d.symbol));
    return out;
}

TensorType typeFromJson(const json &j)
{
    TensorType type;
    type.dtype = typeOf(j.at("dtype").get<std::string>());
    if (j.at("shape").is_null()) return type;
    type.shape.emplace();
    for (const json &d : j.at("shape"))
        type.shape->push_back(d.is_string() ? Dim{-1, d.get<std::string>()} : Dim{integer<std::int64_t>(d), {}});
    for (const Dim &d : *type.shape)
        if (d.size < -1) bad(QL_TEXT("a dimension is negative"));
    return type;
}

template <class T>
json orNull(const std::optional<T> &value)
{
    return value ? json(*value) : json();
}

template <class T>
std::optional<T> optionalFrom(const json &j)
{
    if (j.is_null()) return std::nullopt;
    if constexpr (std::is_integral_v<T>)
        return integer<T>(j);
    else
        return j.get<T>();
}

TensorQuantConfig configFromJson(const json &j)
{
    TensorQuantConfig c;
    c.bits = integer<int>(j.at("bits"));
    c.exponentBits = integer<int>(j.at("exponent_bits"));
    c.quantMin = integer<std::int64_t>(j.at("quant_min"));
    c.quantMax = integer<std::int64_t>(j.at("quant_max"));
    c.symmetric = j.at("symmetric").get<bool>();
    c.powerOfTwo = j.at("power_of_two").get<bool>();
    c.dynamic = j.at("dynamic").get<bool>();
    c.channelAxis = optionalFrom<int>(j.at("channel_axis"));
    if (const auto size = j.find("group_size"); size != j.end()) { // missing in older files
        c.groupSize = integer<int>(*size);
        c.scaleFormat = api::scaleFormatFromString(j.at("scale_format").get<std::string>());
        c.codebook = api::codebookFromString(j.at("codebook").get<std::string>());
    }
    c.rounding = roundingFromString(j.at("rounding").get<std::string>());
    c.observer = j.at("observer").get<std::string>();
    c.percentile = optionalFrom<double>(j.at("percentile"));
    if (const auto over = j.find("percentile_over"); over != j.end() && !over->is_null()) // missing in older files
        c.percentileOver = percentileOverFromString(over->get<std::string>());
    c.minScale = optionalFrom<double>(j.at("min_scale"));
    c.histogramBins = optionalFrom<int>(j.at("histogram_bins"));
    c.isotoneAxis = optionalFrom<int>(j.at("isotone_axis"));
    const int visibility = integer<int>(j.at("visibility"));
    if (visibility < 0 || visibility > int(Visibility::Internal)) bad(QL_TEXT("an unknown visibility"));
    c.visibility = Visibility(visibility);
    c.state = quantStateFromString(j.at("state").get<std::string>());
    c.scale = j.at("scale").get<std::vector<float>>();
    for (const json &zero : j.at("zero_point")) c.zeroPoint.push_back(integer<std::int32_t>(zero));
    for (const float scale : c.scale)
        if (!std::isfinite(scale) || scale <= 0) bad(QL_TEXT("a scale is not a positive number"));
    if (c.scale.size() != c.zeroPoint.size()) bad(QL_TEXT("scale and zero point differ in length"));
    if (!j.at("parent").is_null()) c.parent = slotFromJson(j.at("parent"));
    c.validate();
    return c;
}

} // namespace

static constexpr auto configFields = std::size_t(ConfigField::Count);

static json originsToJson(const TensorQuantConfig &c, const QuantPlan &plan)
{
    json setBy = json::object();
    for (std::size_t f = 0; f < configFields; ++f)
        setBy[toString(ConfigField(f))] = api::toJson(plan.origin(c, ConfigField(f)));
    return setBy;
}

static json configToJson(const TensorQuantConfig &c, const QuantPlan &plan)
{
    return {{"state", toString(c.state)},
            {"bits", c.bits},
            {"exponent_bits", c.exponentBits},
            {"quant_min", c.quantMin},
            {"quant_max", c.quantMax},
            {"symmetric", c.symmetric},
            {"power_of_two", c.powerOfTwo},
            {"dynamic", c.dynamic},
            {"channel_axis", orNull(c.channelAxis)},
            {"group_size", c.groupSize},
            {"scale_format", toString(c.scaleFormat)},
            {"codebook", toString(c.codebook)},
            {"rounding", toString(c.rounding)},
            {"observer", c.observer},
            {"percentile", orNull(c.percentile)},
            {"percentile_over", c.percentileOver ? json(toString(*c.percentileOver)) : json()},
            {"min_scale", orNull(c.minScale)},
            {"histogram_bins", orNull(c.histogramBins)},
            {"isotone_axis", orNull(c.isotoneAxis)},
            {"visibility", int(c.visibility)},
            {"scale", c.scale},
            {"zero_point", c.zeroPoint},
            {"parent", c.parent ? slotToJson(*c.parent) : json()},
            {"set_by", originsToJson(c, plan)}};
}

json planToJson(const QuantPlan &plan)
{
    json configs = json::array();
    for (const auto &[slot, config] : plan.configs()) {
        json entry = configToJson(config, plan);
        entry["slot"] = slotToJson(slot);
        configs.push_back(std::move(entry));
    }
    json values = json::array();
    for (const auto &[id, tensor] : plan.parameterValues)
        values.push_back({{"variable", index(id)}, {"value", tensorToJson(tensor)}});
    json integerOps = json::array();
    for (const OpId id : plan.integerOps) integerOps.push_back(index(id));
    json kernels = json::array();
    for (const auto &[id, kernel] : plan.kernels)
        kernels.push_back(
            {{"op", index(id)}, {"sums", std::int64_t(kernel.sums)}, {"result", std::int64_t(kernel.result)}});
    json out = {{"configs", std::move(configs)},
                {"parameter_values", std::move(values)},
                {"integer_ops", std::move(integerOps)}};
    if (!kernels.empty()) out["kernels"] = std::move(kernels);
    for (const auto &[id, bodies] : plan.bodies)
        for (const auto &[name, body] : bodies)
            out["bodies"].push_back({{"op", index(id)}, {"name", name}, {"model", modelToJson(*body)}});
    return out;
}

QuantPlan planFromJson(const json &j)
{
    try {
        QuantPlan plan;
        for (const json &entry : j.at("configs")) {
            TensorQuantConfig config = configFromJson(entry);
            for (const auto &[field, by] : entry.at("set_by").items()) // files of earlier versions have words here
                if (by.is_object()) plan.mark(config, configFieldFromString(field), api::originFromJson(by));
            plan.set(slotFromJson(entry.at("slot")), std::move(config));
        }
        for (const json &entry : j.at("parameter_values"))
            plan.parameterValues[VarId{integer<std::int32_t>(entry.at("variable"))}] =
                tensorFromJson(entry.at("value"));
        for (const json &id : j.value("integer_ops", json::array()))
            plan.integerOps.insert(OpId{integer<std::int32_t>(id)});
        const json kernels = j.value("kernels", json::array());
        for (const json &kernel : kernels) {
            const auto sums = integer<std::int32_t>(kernel.at("sums")),
                       result = integer<std::int32_t>(kernel.at("result"));
            if (std::clamp(sums, 0, int(TargetKernel::Sums::Rknn)) != sums ||
                std::clamp(result, 0, int(TargetKernel::Result::Exact)) != result)
                bad(QL_TEXT("unknown kernel: %1").with(kernel.dump()));
            plan.kernels[OpId{integer<std::int32_t>(kernel.at("op"))}] = {TargetKernel::Sums(sums),
                                                                          TargetKernel::Result(result)};
        }
        for (const json &body : j.value("bodies", json::array()))
            plan.bodies[OpId{integer<std::int32_t>(body.at("op"))}][body.at("name").get<std::string>()] =
                std::make_shared<const QuantModel>(modelFromJson(body.at("model")));
        return plan;
    } catch (const json::exception &error) {
        bad(error.what());
    }
}

json graphToJson(const Graph &graph)
{
    json variables = json::array();
    for (const VarId id : graph.variables()) {
        const Variable &v = graph.variable(id);
        json entry = {{"id", index(id)}, {"name", v.name}, {"type", typeToJson(v.type)}};
        if (v.isParameter()) entry["value"] = tensorToJson(v.value);
        variables.push_back(std::move(entry));
    }
    json operations = json::array();
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        json entry = {
            {"id", index(id)}, {"name", op.name}, {"type", op.type}, {"domain", op.domain}, {"opset", op.opset}};
        entry["attributes"] = json::object();
        for (const auto &[key, value] : op.attributes) entry["attributes"][key] = attributeToJson(value);
        entry["inputs"] = json::array();
        for (const VarId input : op.inputs) entry["inputs"].push_back(index(input));
        entry["outputs"] = json::array();
        for (const VarId output : op.outputs) entry["outputs"].push_back(index(output));
        operations.push_back(std::move(entry));
    }
    json inputs = json::array(), outputs = json::array();
    for (const VarId id : graph.inputs()) inputs.push_back(index(id));
    for (const VarId id : graph.outputs()) outputs.push_back(index(id));
    return {{"name", graph.name},
            {"producer", graph.producerName},
            {"ir_version", graph.irVersion},
            {"opsets", graph.opsets},
            {"variables", variables},
            {"operations", operations},
            {"inputs", inputs},
            {"outputs", outputs}};
}

Graph graphFromJson(const json &j)
{
    try {
        Graph graph;
        graph.name = j.at("name").get<std::string>();
        graph.producerName = j.at("producer").get<std::string>();
        graph.irVersion = j.at("ir_version").get<std::int64_t>();
        graph.opsets = j.at("opsets").get<std::map<std::string, std::int64_t>>();
        for (const json &entry : j.at("variables")) {
            graph.reserveIds(OpId{0}, VarId{integer<std::int32_t>(entry.at("id"))});
            const VarId id = graph.addVariable(entry.at("name").get<std::string>(), typeFromJson(entry.at("type")));
            if (entry.contains("value")) graph.setValue(id, tensorFromJson(entry.at("value")));
        }
        const auto known = [&](const json &number) {
            const VarId id{integer<std::int32_t>(number)};
            if (id != noVar && !graph.contains(id)) bad(QL_TEXT("a link to a tensor that does not exist"));
            return id;
        };
        for (const json &entry : j.at("operations")) {
            graph.reserveIds(OpId{integer<std::int32_t>(entry.at("id"))}, VarId{0});
            Operation op;
            op.name = entry.at("name").get<std::string>();
            op.type = entry.at("type").get<std::string>();
            op.domain = entry.at("domain").get<std::string>();
            op.opset = entry.at("opset").get<std::int64_t>();
            for (const auto &[key, value] : entry.at("attributes").items())
                op.attributes[key] = attributeFromJson(value);
            for (const json &input : entry.at("inputs")) op.inputs.push_back(known(input));
            for (const json &output : entry.at("outputs")) op.outputs.push_back(known(output));
            graph.addOperation(std::move(op));
        }
        std::vector<VarId> inputs, outputs;
        for (const json &id : j.at("inputs")) inputs.push_back(known(id));
        for (const json &id : j.at("outputs")) outputs.push_back(known(id));
        graph.setInputs(std::move(inputs));
        graph.setOutputs(std::move(outputs));
        return graph;
    } catch (const json::exception &error) {
        bad(error.what());
    }
}

json modelToJson(const QuantModel &model)
{
    json dispatch = json::array();
    for (const auto &[id, entry] : model.dispatch) {
        json row = {{"op", index(id)}, {"platform", entry.platform}};
        api::putText(row, "reason", entry.reason);
        dispatch.push_back(std::move(row));
    }
    return {{"graph", graphToJson(model.graph)}, {"dispatch", std::move(dispatch)}, {"plan", planToJson(model.plan)}};
}

QuantModel modelFromJson(const json &j)
{
    try {
        QuantModel model;
        model.graph = graphFromJson(j.at("graph"));
        for (const json &entry : j.at("dispatch"))
            model.dispatch[OpId{integer<std::int32_t>(entry.at("op"))}] = {entry.at("platform").get<std::string>(),
                                                                           api::textAt(entry, "reason")};
        model.plan = planFromJson(j.at("plan"));
        try {
            model.graph.verify();
            model.plan.verify(model.graph);
        } catch (const Error &error) { // elsewhere an internal error, here an error of the file
            if (error.kind != ErrorKind::Internal) throw;
            throw Error(ErrorKind::BadData, QL_TEXT("the native file is damaged: %1").with(error.message), error.op,
                        error.variable)
                .withRemedy(QL_TEXT("Export it again."));
        }
        return model;
    } catch (const json::exception &error) {
        bad(error.what());
    }
}

void writeModel(std::ostream &out, const QuantModel &model)
{
    out << signature;
    json::to_cbor(modelToJson(model), nlohmann::detail::output_adapter<char>(out));
}

std::string modelToBytes(const QuantModel &model)
{
    std::ostringstream out;
    writeModel(out, model);
    return std::move(out).str();
}

QuantModel modelFromBytes(std::string_view bytes)
{
    if (!bytes.starts_with("quantloupe-native/"))
        throw Error(ErrorKind::BadData, QL_TEXT("this is not a native Quantloupe file"))
            .withRemedy(QL_TEXT("Export one with --export native:FILE."));
    if (!bytes.starts_with(signature))
        throw Error(ErrorKind::BadData, QL_TEXT("this program cannot read this version of the native format"))
            .withRemedy(QL_TEXT("Use a newer program."));
    bytes.remove_prefix(signature.size());
    try {
        return modelFromJson(parseCbor(bytes));
    } catch (const json::exception &error) {
        bad(error.what());
    }
}

static constexpr const char *extension = ".qln";

bool hasNativeName(const std::filesystem::path &file)
{
    return lower(file.extension().string()) == extension;
}

static const Registrar<ImporterEntry> nativeRegistrar{
    "native",
    {.info = {.id = "native",
              .title = QL_TEXT("Quantloupe native"),
              .meaning = QL_TEXT(
                  "Files written by the exporter of the same name. `infer` runs them quantized as they are; `run` uses "
                  "their float graph.")},
     .extensions = {extension},
     .run = [](const ImportRequest &request) {
         Graph graph = modelFromBytes(readFile(request.file)).graph;
         applyInputShapes(graph, request.inputShapes, request.report);
         return graph;
     }}};

} // namespace ql

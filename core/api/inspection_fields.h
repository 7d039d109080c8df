#pragma once

#include "core/api/inspection.h"
#include "core/api/problem_fields.h"
#include "core/api/report_fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<Tool> auto &tool)
{
    codec.member("name", tool.name);
    codec.member("version", tool.version);
    codec.member("libtorch", tool.libtorch);
    codec.member("device", tool.device);
    codec.member("threads", tool.threads);
}

template <class Codec>
void fields(Codec &codec, Same<PortRow> auto &row)
{
    codec.member("name", row.name);
    codec.member("type", row.type);
    codec.member("shape", row.shape);
}

template <class Codec>
void fields(Codec &codec, Same<ModelCounts> auto &counts)
{
    codec.member("operations", counts.operations);
    codec.member("parameters", counts.parameters);
    codec.member("weights", counts.weights);
    codec.member("types", counts.types);
}

template <class Codec>
void fields(Codec &codec, Same<ModelFacts> auto &model)
{
    codec.member("path", model.path);
    codec.member("format", model.format);
    codec.member("producer", model.producer);
    codec.member("sha256", model.sha256);
    codec.member("opset", model.opset);
    codec.member("opsets", model.opsets);
    codec.member("ir_version", model.irVersion);
    codec.member("inputs", model.inputs);
    codec.member("outputs", model.outputs);
    codec.member("counts", model.counts);
    codec.member("files", model.files);
}

template <class Codec>
void operationFields(Codec &codec, auto &row)
{
    codec.member("name", row.name);
    codec.member("type", row.type);
    codec.member("domain", row.domain);
    codec.member("inputs", row.inputs);
    codec.member("outputs", row.outputs);
}

template <class Codec>
void dispatchFields(Codec &codec, auto &row)
{
    codec.member("platform", row.platform);
    codec.member("quantized", row.quantized);
    codec.text("reason", row.reason);
    codec.part("set_by", row.setBy);
}

template <class Codec>
void fields(Codec &codec, Same<OperationRow> auto &row)
{
    operationFields(codec, row);
    dispatchFields(codec, row);
}

template <class Codec>
void fields(Codec &codec, Same<WeightInputs> auto &weights)
{
    codec.member("input", weights.input);
    codec.optional("bias", weights.bias, -1);
    codec.part("channels", weights.channels);
}

template <class Codec>
void operatorFields(Codec &codec, auto &row)
{
    codec.member("attributes", row.attributes);
    codec.optional("activation", row.activation);
    codec.part("weights", row.weights);
    codec.list("bodies", row.bodies);
}

template <class Codec>
void fields(Codec &codec, Same<TensorRow> auto &row)
{
    codec.member("name", row.name);
    codec.member("type", row.type);
    codec.member("shape", row.shape);
    codec.member("parameter", row.parameter);
    codec.list("values", row.values);
}

template <class Codec>
void fields(Codec &codec, Same<BodyOperation> auto &row)
{
    operationFields(codec, row);
    operatorFields(codec, row);
}

template <class Codec>
void fields(Codec &codec, Same<BodyRow> auto &row)
{
    codec.member("attribute", row.attribute);
    codec.member("inputs", row.inputs);
    codec.member("outputs", row.outputs);
    codec.member("operations", row.operations);
    codec.member("tensors", row.tensors);
}

template <class Codec>
void fields(Codec &codec, Same<InspectedOperation> auto &row)
{
    operationFields(codec, row);
    dispatchFields(codec, row);
    operatorFields(codec, row);
}

template <class Codec>
void fields(Codec &codec, Same<UnsupportedRow> auto &row)
{
    codec.member("op", row.op);
    codec.member("type", row.type);
    codec.member("domain", row.domain);
    codec.member("opset", row.opset);
    codec.text("why", row.why);
    codec.text("remedy", row.remedy);
}

template <class Codec>
void fields(Codec &codec, Same<ShortConfigs> auto &configs)
{
    codec.member("rows", configs.rows);
    codec.member("schemes", configs.schemes);
}

template <class Codec>
void fields(Codec &codec, Same<Inspection> auto &inspection)
{
    codec.constant("schema", inspectionSchema);
    codec.member("tool", inspection.tool);
    codec.member("model", inspection.model);
    codec.member("inputs_key", inspection.inputsKey);
    codec.member("platform", inspection.platform);
    codec.member("dispatcher", inspection.dispatcher);
    codec.member("operations", inspection.operations);
    codec.member("input_names", inspection.inputNames);
    codec.member("tensors", inspection.tensors);
    codec.member("unsupported", inspection.unsupported);
    codec.member("problems", inspection.problems);
    codec.part("configs", inspection.configs);
    codec.part("recipe", inspection.recipe);
}

} // namespace ql::api

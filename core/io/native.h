#pragma once

#include "core/quant/quant_plan.h"

#include <filesystem>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

namespace ql {

/// The native form of a quantized model: graph, dispatch and plan, which read back to an equal model. JSON with binary
/// values (tensors), so it is stored as CBOR (RFC 8949). Ids are kept, so that slots of a plan stay valid.

nlohmann::json planToJson(const QuantPlan &plan);
/// @throws Error (BadData) for anything that planToJson does not write.
QuantPlan planFromJson(const nlohmann::json &json);

nlohmann::json graphToJson(const Graph &graph);
Graph graphFromJson(const nlohmann::json &json);

nlohmann::json modelToJson(const QuantModel &model);
/// The result passes Graph::verify and QuantPlan::verify. @throws Error (BadData, InvalidModel)
QuantModel modelFromJson(const nlohmann::json &json);

/// CBOR bytes after a signature. @throws Error (BadData) if bytes are not in this format, of a newer version, or
/// damaged.
void writeModel(std::ostream &out, const QuantModel &model);
std::string modelToBytes(const QuantModel &model);
QuantModel modelFromBytes(std::string_view bytes);

/// Whether the file has the extension of native files (.qln).
bool hasNativeName(const std::filesystem::path &file);

} // namespace ql

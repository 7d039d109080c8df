#include "core/api/inspection_fields.h"

namespace ql::api {

void to_json(nlohmann::json &written, const ShapeSize &size)
{
    written = size.isOpen() ? nlohmann::json(size.name) : nlohmann::json(size.size);
}

void from_json(const nlohmann::json &written, ShapeSize &size)
{
    size = {};
    if (written.is_string())
        written.get_to(size.name);
    else
        readValue(written, JsonPlace{"a size"}, size.size);
}

QL_JSON_PAIR(Tool, "the tool")
QL_JSON_PAIR(ModelFacts, "the model")
QL_JSON_PAIR(Inspection, "the inspection")

} // namespace ql::api

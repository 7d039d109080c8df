#pragma once

#include "core/api/methods.h"
#include "core/api/requests.h"

/// The request of a window to use the scales of another tool.
namespace ql::api {

/// For the recipe's float model.
struct EncodingsImportRequest : RecipeRequest
{
    std::string file;     ///< encodings, or a quantized model
    std::string platform; ///< target; empty: the usual one for such files
};

struct EncodingsImported
{
    Recipe recipe; ///< the one of the request, with platform, passes, dispatch and overrides of the file
    std::int64_t tensors = 0, matched = 0; ///< with encodings in the file; of those, in the model
    std::vector<Problem> problems;
};

namespace method {

inline constexpr MethodOf<EncodingsImportRequest, EncodingsImported> importEncodings{{"import_encodings", Lane::Short}};

} // namespace method

QL_HAS_JSON(EncodingsImportRequest)
QL_HAS_JSON(EncodingsImported)

} // namespace ql::api

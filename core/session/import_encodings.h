#pragma once

#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/base/job.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ql {

/// What to import. Paths start from the current folder.
struct EncodingsImport
{
    std::string file;
    std::string model = {};    ///< the float model; empty: the one that the file contains
    std::string platform = {}; ///< id of the target; empty: the one that the file names, or the usual one
};

/// A quantized model, or a float model with encodings, as a recipe.
struct ImportedEncodings
{
    api::Recipe recipe; ///< runs without calibration data: overrides fix all scales
    std::size_t tensors = 0, matched = 0;
    std::vector<api::Problem> problems;
};

/// Reads the scales, zero points and bits of a quantized model as a recipe. Operations that it does not quantize run in
/// float; every other slot is fixed by an override, or stays in float32.
/// @throws Error (BadData) if less than half of the tensors exist in the model, naming the first missing one; (Io,
/// InvalidModel, BadConfig) with the place of what is wrong in the file
ImportedEncodings importEncodings(const EncodingsImport &request, const JobContext &job);

} // namespace ql

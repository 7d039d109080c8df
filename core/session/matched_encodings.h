#pragma once

#include "core/base/error.h"
#include "core/session/encodings.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ql {

using Grids = std::map<Slot, StoredGrid>;

/// Encodings that were found in the model.
struct Matches
{
    Grids grids;
    std::map<Slot, at::Tensor> values;  ///< of parameters, as in the file
    std::vector<std::string> different; ///< weights that have other codes in the model
    std::set<std::string> found, missing;
    std::optional<Error> unfit; ///< the first tensor with another number of channels
};

/// Operations with bodies and attributes, outermost first: where a body is, by name.
using BodyNames = std::vector<std::pair<std::string, std::string>>;

/// body: the one that graph is; empty: the model's own graph.
Matches matchEncodings(const Graph &graph, const StoredEncodings &stored, const BodyNames &body);

/// The codes of values on a grid. Of a float format: the values.
at::Tensor codesOn(const at::Tensor &value, const StoredGrid &grid);

} // namespace ql

#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace ql {

class Graph;

/// The value of a node attribute: every kind of ONNX's AttributeProto that inference models use. Subgraphs (bodies of
/// If, Loop, Scan) remain graphs; they are shared between copies of the outer graph and never edited in place.
using Attribute = std::variant<std::int64_t, float, std::string, at::Tensor, std::shared_ptr<const Graph>,
                               std::vector<std::int64_t>, std::vector<float>, std::vector<std::string>,
                               std::vector<at::Tensor>, std::vector<std::shared_ptr<const Graph>>>;

/// "int", "floats" ... for messages.
const char *kindName(const Attribute &attribute);

} // namespace ql

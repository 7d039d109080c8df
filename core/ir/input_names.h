#pragma once

#include "core/base/registry.h"
#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace ql {

/// Input names of operators as specified. Registered by the room that reads the specification ("onnx").
struct InputNamesEntry
{
    static constexpr const char *kindName = "names of inputs";
    /// A name for each input of op that has one.
    std::vector<std::string> (*namesOf)(const Operation &op);
};
using InputNamesRegistrar = Registrar<InputNamesEntry>;

/// The operator's own names of its inputs ("X", "W", "B"; "input", "min", "max"); empty if unknown.
std::vector<std::string> inputNames(const Operation &op);

} // namespace ql

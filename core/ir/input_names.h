#pragma once

#include "core/base/registry.h"
#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace ql {

/// What a specification calls the inputs of operators. Registered by the room that reads it ("onnx").
struct InputNamesEntry
{
    static constexpr const char *kindName = "names of inputs";
    /// A name for each input of op, as far as the specification knows them.
    std::vector<std::string> (*namesOf)(const Operation &op);
};
using InputNamesRegistrar = Registrar<InputNamesEntry>;

/// The operator's own names of its inputs ("X", "W", "B"; "input", "min", "max"); empty where nobody knows them.
std::vector<std::string> inputNames(const Operation &op);

} // namespace ql

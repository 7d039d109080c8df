#include "core/ir/input_names.h"

namespace ql {

std::vector<std::string> inputNames(const Operation &op)
{
    const auto &registry = Registry<InputNamesEntry>::instance();
    for (const std::string &id : registry.ids())
        if (std::vector<std::string> names = registry.find(id)->namesOf(op); !names.empty()) return names;
    return {};
}

} // namespace ql

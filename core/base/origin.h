#pragma once

#include "core/base/text.h"

#include <string>

namespace ql {

/// Who set a field of a config, or chose where an operation runs. It is data: a window names a pass by its title, opens
/// the rule of a platform and removes an override.
struct Origin
{
    enum class Kind {
        Default,      ///< nobody: the value that a new config has
        FloatSlot,    ///< operator type id: the slot stays in float32
        ShapeOrIndex, ///< operator type id: the slot is a shape or an index
        ElementType,  ///< a tensor of type id, which is never quantized
        Rule,         ///< rule number index of platform id
        Pass,         ///< pass id
        Override      ///< override number index of the recipe, which is about what id names
    };

    Kind kind = Kind::Default;
    std::string id = {};
    int index = -1;        ///< from 0, in the list of the platform or of the recipe; -1: in none
    std::string name = {}; ///< of a rule, where it has one

    static Origin pass(std::string id) { return {.kind = Kind::Pass, .id = std::move(id)}; }
    bool isOverride() const { return kind == Kind::Override; }
    /// "platform TRT_INT8: rule 3 (bias in float32)", "pass align", "override 'conv1*'"
    Text text() const;
    friend bool operator==(const Origin &, const Origin &) = default;
};
const char *toString(Origin::Kind kind); ///< "default", "float_slot", "rule" ... as in reports
/// @throws Error (BadData) for another word
Origin::Kind originKindFromString(const std::string &text);

} // namespace ql

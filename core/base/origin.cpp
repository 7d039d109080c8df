#include "core/base/origin.h"

#include "core/base/strings.h"

#include <string>
#include <vector>

namespace ql {

namespace {

/// In the order of Origin::Kind.
const std::vector<std::string> &originKindWords()
{
    static const std::vector<std::string> words = {"default", "float_slot", "shape_or_index", "element_type",
                                                   "rule",    "pass",       "override"};
    return words;
}

} // namespace

const char *toString(Origin::Kind kind)
{
    return originKindWords()[std::size_t(kind)].c_str();
}

Origin::Kind originKindFromString(const std::string &text)
{
    return Origin::Kind(wordIndex(originKindWords(), text, "origin"));
}

Text Origin::text() const
{
    switch (kind) {
    case Kind::Default: return QL_TEXT("default");
    case Kind::FloatSlot: return QL_TEXT("operator %1: stays in float32").with(id);
    case Kind::ShapeOrIndex: return QL_TEXT("operator %1: shape or index").with(id);
    case Kind::ElementType: return QL_TEXT("tensor of type %1").with(id);
    case Kind::Rule:
        return name.empty() ? QL_TEXT("platform %1: rule %2").with(id, index + 1)
                            : QL_TEXT("platform %1: rule %2 (%3)").with(id, index + 1, Text::ofTemplate(name.c_str()));
    case Kind::Pass: return QL_TEXT("pass %1").with(id);
    case Kind::Override: return QL_TEXT("override '%1'").with(id);
    }
    return {};
}

} // namespace ql

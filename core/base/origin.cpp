#include "core/base/origin.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ql {

namespace {

/// In the order of Origin::Kind.
constexpr std::array<const char *, 7> originKinds = {"default", "float_slot", "shape_or_index", "element_type",
                                                     "rule",    "pass",       "override"};

} // namespace

const char *toString(Origin::Kind kind)
{
    return originKinds[std::size_t(kind)];
}

Origin::Kind originKindFromString(const std::string &text)
{
    const auto it = std::find(originKinds.begin(), originKinds.end(), std::string_view(text));
    if (it == originKinds.end()) throw Error(ErrorKind::BadData, QL_TEXT("unknown origin '%1'").with(text));
    return Origin::Kind(it - originKinds.begin());
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

// Before: Conv -> Relu (read by nothing)        After: -
//
// Removes operations without a path to a graph output, then tensors without references. Graph inputs stay, used or
// not: callers may still feed them.
#include "core/pass/pass.h"

namespace ql {

namespace {

class DeleteIsolated final : public Pass
{
public:
    std::string_view id() const override { return "delete_isolated"; }
    int run(QuantModel &model, const PassContext &) const override { return model.graph.removeUnreachable(); }
};

const PassRegistrar deleteIsolatedRegistrar{
    {.info = {.id = "delete_isolated",
              .title = QL_TEXT("Delete isolated operations"),
              .meaning = QL_TEXT(
                  "Before: operations whose results are never read. After: they and their parameters are removed.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<DeleteIsolated>}};

} // namespace
} // namespace ql

// Before: Slice(x), attributes starts, ends, axes        After: Slice(x, starts, ends, axes)
//
// Converts the form of opset 1 to 9 to that of opset 10, with int64 parameters. Without axes, the first axes are used.
#include "core/ir/subgraphs.h"
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <algorithm>
#include <numeric>

namespace ql {

namespace {

class FormatSlice final : public Pass
{
public:
    std::string_view id() const override { return "format_slice"; }
    int run(QuantModel &model, const PassContext &) const override { return editAllGraphs(model.graph, convert); }

private:
    static int convert(Graph &graph)
    {
        int changed = 0;
        for (const OpId id : graph.operations()) {
            const Operation &op = graph.operation(id);
            if (op.type != "Slice" || !op.domain.empty() || op.inputCount() != 1 || !op.hasAttribute("starts"))
                continue;
            const std::vector<std::int64_t> starts = op.intsAttribute("starts");
            const std::vector<std::int64_t> ends = op.intsAttribute("ends");
            std::vector<std::int64_t> axes(starts.size());
            std::iota(axes.begin(), axes.end(), std::int64_t{0});
            axes = op.intsAttribute("axes", axes);
            addParameterInput(graph, id, 1, int64List(starts), "starts");
            addParameterInput(graph, id, 2, int64List(ends), "ends");
            addParameterInput(graph, id, 3, int64List(axes), "axes");
            Operation &changedOp = graph.edit(id);
            for (const char *key : {"starts", "ends", "axes"}) changedOp.attributes.erase(key);
            changedOp.opset = std::max<std::int64_t>(changedOp.opset, 10);
            ++changed;
        }
        return changed;
    }
};

const PassRegistrar formatSliceRegistrar{
    {.info = {.id = "format_slice",
              .title = QL_TEXT("Slice: attributes to inputs"),
              .meaning = QL_TEXT(
                  "Before: Slice with attributes starts, ends and axes. After: Slice with parameters in their place.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FormatSlice>}};

} // namespace
} // namespace ql

// An analysis without data: reports parameters that are mostly 0.
#include <core/analysis/analyser.h>

#include <ATen/ops/count_nonzero.h>

using namespace ql;

namespace {

api::Measures findZeros(const AnalysisContext &context, const nlohmann::json &params)
{
    const double most = params.at("most");
    for (const VarId id : context.model.graph.variables()) {
        const at::Tensor &value = context.model.graph.variable(id).value;
        if (!value.defined() || value.numel() == 0) continue;
        const double zeros = 1 - double(value.count_nonzero().item<std::int64_t>()) / double(value.numel());
        if (zeros > most)
            context.report({api::Severity::Info, "", context.model.graph.variable(id).name,
                            QL_TEXT("%1 % of the values are 0").with(Text::number(100 * zeros))});
    }
    return {};
}

const AnalyserRegistrar analyserRegistrar{
    "example_zeros",
    {.info = {.id = "example_zeros",
              .title = "Zeros",
              .meaning = "Reports parameters that are mostly 0.",
              .params = {{.name = "most", .type = "float", .fallback = 0.5, .meaning = "Share.", .min = 0, .max = 1}}},
     .needsData = false,
     .run = findZeros}};

} // namespace

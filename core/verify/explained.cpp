#include "core/verify/explained.h"

#include <cmath>

namespace ql {

Explained explainedBy(const LocalContext &context, std::size_t index,
                      const std::function<at::Tensor(std::size_t batch)> &hypothesis)
{
    const AlignedTensor &tensor = context.tensors[index];
    const LocalProgram plain(context, index, false);
    Explained out;
    for (std::size_t batch = 0; batch < context.data.size(); ++batch) {
        const LocalValues values = plain.run(batch);
        const at::Tensor other = hypothesis(batch);
        const float *r = values.runtime.data_ptr<float>(), *s = values.simulator.data_ptr<float>(),
                    *h = other.data_ptr<float>();
        const Steps::OfTensor steps(tensor.steps, values.simulator);
        for (std::int64_t i = 0; i < values.simulator.numel(); ++i) {
            const double same = sameCode + 2e-7 * std::abs(s[i]) / steps[i];
            const bool differs = std::abs(double(r[i]) - s[i]) / steps[i] > same;
            const bool isExplained = std::abs(double(r[i]) - h[i]) / steps[i] <= same;
            out.differing += differs;
            out.explained += differs && isExplained;
            out.otherwise += !differs && !isExplained;
        }
    }
    return out;
}

} // namespace ql

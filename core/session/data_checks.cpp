#include "core/session/data_checks.h"

#include "core/base/strings.h"
#include "core/report/report_format.h"
#include "gpu/reduce.h"

#include <algorithm>
#include <cmath>

namespace ql {

static std::vector<double> numbersOf(const std::string &step)
{
    std::vector<double> numbers;
    const std::size_t space = step.find(' ');
    if (space == std::string::npos) return numbers;
    for (const std::string &word : split(step.substr(space + 1), ',')) {
        try {
            numbers.push_back(std::stod(std::string(trim(word))));
        } catch (const std::exception &) {
            return {};
        }
    }
    return numbers;
}

std::vector<api::Problem> suspectChannelOrder(const std::vector<std::string> &steps)
{
    std::vector<api::Problem> problems;
    bool bgr = false;
    for (const std::string &step : steps) {
        if (step == "bgr") bgr = true;
        if (step == "rgb") bgr = false;
        if (!step.starts_with("mean")) continue;
        const std::vector<double> mean = numbersOf(step);
        if (mean.size() != 3) continue;
        const bool falls = mean[0] > mean[1] && mean[1] > mean[2], rises = mean[0] < mean[1] && mean[1] < mean[2];
        if ((bgr && falls) || (!bgr && rises))
            problems.push_back(
                {.severity = api::Severity::Warning,
                 .message = QL_TEXT("the means %1 as in %2 images, but the channels are in the order %3")
                                .with(falls ? QL_TEXT("fall") : QL_TEXT("rise"),
                                      falls ? QL_TEXT("RGB") : QL_TEXT("BGR"), bgr ? QL_TEXT("BGR") : QL_TEXT("RGB")),
                 .remedy = bgr ? QL_TEXT("Give the means in the order blue, green, red, or remove 'bgr'.")
                               : QL_TEXT("Give the means in the order red, green, blue, or put 'bgr' first.")});
    }
    return problems;
}

void RangeCheck::add(const at::Tensor &x)
{
    const Range range = rangeOf(x);
    m_all.min = std::min(m_all.min, range.min);
    m_all.max = std::max(m_all.max, range.max);
    m_isImage = x.dim() == 4 && x.size(0) > 0 && imageAxis(x.select(0, 0)) >= 0;
    const gpu::Moments moments = gpu::momentsCpu(x.data_ptr<float>(), x.numel()); // the data set reports NaN
    m_sum += moments.mean * double(moments.count);
    m_count += moments.count;
}

std::vector<api::Problem> RangeCheck::problems() const
{
    std::vector<api::Problem> problems;
    const auto add = [&](api::Severity severity, const Text &message, const Text &remedy) {
        problems.push_back({.severity = severity, .message = message, .remedy = remedy});
    };
    if (m_count == 0) return problems;
    if (m_all.min == m_all.max) {
        add(api::Severity::Warning, QL_TEXT("every value is %1").with(numberText(m_all.min)),
            QL_TEXT("Check path and preprocessing."));
        return problems;
    }
    const double mean = m_sum / double(m_count), reach = std::max(std::abs(m_all.min), std::abs(m_all.max));
    // Images: the darkest and the lightest values are far from each other, wherever 0 is
    if (m_isImage && std::abs(mean) > 4 * (m_all.max - m_all.min))
        add(api::Severity::Warning,
            QL_TEXT("every value is between %1 and %2, far from 0").with(numberText(m_all.min), numberText(m_all.max)),
            QL_TEXT("'scale' and 'mean' do not match: give the means of the values after 'scale'."));
    else if (m_all.min >= 0 && m_all.max > 200 && m_all.max <= 255.5)
        add(api::Severity::Info, QL_TEXT("the values range from 0 to 255: they are not scaled"),
            QL_TEXT(
                "Correct if the model was trained on such values; otherwise add 'scale 1/255', and 'mean' and 'std'."));
    else if (reach < 0.05)
        add(api::Severity::Warning,
            QL_TEXT("the largest value is %1: the data may be scaled twice").with(numberText(reach)),
            QL_TEXT("Check 'scale', 'mean' and 'std'."));
    else if (std::abs(mean) > 1000 || reach > 4096 || (m_isImage && reach > 300))
        add(api::Severity::Warning, QL_TEXT("values reach %1, far beyond the range of images").with(numberText(reach)),
            QL_TEXT("Check the data type of the arrays and 'scale', 'mean' and 'std'."));
    else if (reach > 20 && m_all.min < -20)
        add(api::Severity::Info,
            QL_TEXT("the values range from %1 to %2").with(numberText(m_all.min), numberText(m_all.max)),
            QL_TEXT("Correct for models that subtract a mean from values of 0 to 255; otherwise put 'scale 1/255' "
                    "before 'mean'."));
    return problems;
}

std::vector<std::string> preprocessSteps(const std::string &text)
{
    std::vector<std::string> steps;
    for (const std::string &part : split(text, ';'))
        if (const std::string_view step = trim(part); !step.empty()) steps.emplace_back(step);
    return steps;
}

} // namespace ql

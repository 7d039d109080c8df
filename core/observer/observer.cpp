#include "core/observer/observer.h"

#include "core/api/rule.h"
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/observer/per_channel.h"
#include "core/observer/range.h"

#include <cmath>
#include <memory>

namespace ql {

namespace {

/// What of the config the observer does not support; empty: it serves the config.
Text refusalOf(const ObserverEntry &entry, const TensorQuantConfig &config)
{
    if (!(config.isFloating() ? entry.floating : entry.integer))
        return config.isFloating() ? QL_TEXT("a floating format") : QL_TEXT("an integer format");
    if (config.codebook != Codebook::None && entry.integer != entry.floating) return QL_TEXT("a codebook");
    if (config.isPerChannel() && !entry.perChannel) return QL_TEXT("a config with one scale per channel");
    if (!config.symmetric && !entry.asymmetric) return QL_TEXT("an asymmetric config");
    return {};
}

/// @throws Error (BadConfig) for a parameter of the config that is outside the observer's limits.
void checkLimits(const ObserverEntry &entry, const TensorQuantConfig &config)
{
    nlohmann::json given = toJson(api::RuleSet{.percentile = config.percentile,
                                               .minScale = config.minScale,
                                               .percentileOver = config.percentileOver,
                                               .histogramBins = config.histogramBins,
                                               .isotoneAxis = config.isotoneAxis});
    for (auto it = given.begin(); it != given.end();)
        it = api::hasParam(entry.info, it.key()) ? std::next(it) : given.erase(it);
    api::completeParams(entry.info.params, given, QL_TEXT("observer '%1'").with(entry.info.id));
}

std::vector<std::string> observersFor(const TensorQuantConfig &config)
{
    std::vector<std::string> names;
    for (const std::string &id : Registry<ObserverEntry>::instance().ids())
        if (refusalOf(*Registry<ObserverEntry>::instance().find(id), config).isEmpty()) names.push_back(id);
    return names;
}

} // namespace

std::unique_ptr<Observer> makeObserver(const TensorQuantConfig &config)
{
    const std::string id = lower(config.observer);
    const ObserverEntry &entry = Registry<ObserverEntry>::instance().at(id, QL_TEXT("observer"));
    if (const Text refusal = refusalOf(entry, config); !refusal.isEmpty())
        throw Error(ErrorKind::BadConfig, QL_TEXT("observer '%1' does not support %2").with(id, refusal))
            .withRemedy(QL_TEXT("Use one of: %1.").with(Text::list(observersFor(config))));
    checkLimits(entry, config);
    const auto make = [&](const TensorQuantConfig &one) {
        std::unique_ptr<Observer> observer = entry.make(one);
        if (!observer)
            throw entryError(QL_TEXT("observer '%1'").with(id), QL_TEXT("it was not created"), ObserverEntry::kindName,
                             id);
        return observer;
    };
    return callObserver(config, [&] {
        return config.isPerChannel() && entry.channelByChannel ? makePerChannel(config, make) : make(config);
    });
}

Observer::Result resultOf(const Observer &observer, const TensorQuantConfig &config)
{
    Observer::Result result = callObserver(config, [&] { return observer.result(); });
    const bool isOne = !config.isPerChannel() && !config.isGrouped();
    const auto wrong = [&](ErrorKind kind, const Text &what) {
        Error error(kind, what);
        namePlugin(error, "observer", lower(config.observer));
        return error;
    };
    const std::string &id = config.observer;
    if (result.scale.empty() || (isOne && result.scale.size() != 1))
        throw wrong(ErrorKind::Internal, QL_TEXT("observer '%1' returned %2 scales").with(id, result.scale.size()));
    if (result.zeroPoint.size() > result.scale.size())
        throw wrong(ErrorKind::Internal, QL_TEXT("observer '%1' returned %2 zero points for %3 scales")
                                             .with(id, result.zeroPoint.size(), result.scale.size()));
    for (const std::int32_t zero : result.zeroPoint)
        if (zero != 0 && (zero < config.quantMin || zero > config.quantMax))
            throw wrong(ErrorKind::Numeric, QL_TEXT("observer '%1' returned a zero point of %2").with(id, zero));
    for (const float scale : result.scale)
        if (!(scale > 0) || !std::isfinite(scale))
            throw wrong(ErrorKind::Numeric,
                        QL_TEXT("observer '%1' returned a scale of %2").with(id, Text::number(double(scale))));
    return result;
}

int phasesOf(const TensorQuantConfig &config)
{
    const ObserverEntry &entry = Registry<ObserverEntry>::instance().at(lower(config.observer), QL_TEXT("observer"));
    if (!refusalOf(entry, config).isEmpty()) return 1;
    TensorQuantConfig ofOneChannel = config;
    ofOneChannel.channelAxis.reset();
    return callObserver(config, [&] { return entry.make(ofOneChannel)->phases(); });
}

std::optional<int> observedAxis(const TensorQuantConfig &config, int rank)
{
    if (config.isPerChannel()) return config.channelAxis;
    if (lower(config.observer) != "isotone" || rank == 0) return std::nullopt;
    int axis = config.isotoneAxis.value_or(-1);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank)
        throw Error(
            ErrorKind::BadConfig,
            QL_TEXT("isotone_axis %1 is outside a tensor of rank %2").with(config.isotoneAxis.value_or(-1), rank));
    return axis;
}

void checkObserved(int rc)
{
    if (rc != 0) throw Error(ErrorKind::Kernel, QL_TEXT("statistics of a tensor: %1").with(gpu::errorText(rc)));
}

ScaleZero solveObserved(double min, double max, const TensorQuantConfig &config)
{
    if (min > max)
        throw Error(ErrorKind::Numeric,
                    QL_TEXT("no values were observed: the tensor was empty or all NaN in every batch"))
            .withRemedy(QL_TEXT("Check the calibration data, or leave this tensor in float32."));
    if (!std::isfinite(min) || !std::isfinite(max))
        throw Error(ErrorKind::Numeric, QL_TEXT("the observed range is infinite"))
            .withRemedy(QL_TEXT("Find the operation that produces infinities, or leave this tensor in float32."));
    return solveRange(min, max, config);
}

api::ParamSpec minScaleParam()
{
    return {.name = "min_scale",
            .type = "float",
            .fallback = 1e-8,
            .meaning = QL_TEXT("Lower bound of the scale."),
            .min = 0};
}

} // namespace ql

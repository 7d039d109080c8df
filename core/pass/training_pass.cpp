#include "core/pass/training_pass.h"

#include "core/pass/block_params.h"
#include "core/pass/calibration_data.h"
#include "core/train/held_out.h"

#include <cmath>

namespace ql {

TrainingPass::TrainingPass(std::string_view id, const nlohmann::json &params) : m_id(id)
{
    options.origin = Origin::pass(m_id);
    options.interested = params["interested_layers"].get<std::vector<std::string>>();
    options.wholeGraph = params["whole_graph"];
    options.blockSize = params["block_size"];
    options.heldOut = params["held_out"];
    if (!params.contains("steps")) return; // without gradients
    options.steps = params["steps"];
    options.batchSize = params["batch_size"];
    options.patience = params["patience"];
    options.augment = params["augment"];
    options.seed = params["seed"];
}

static double decibels(double noiseRatio)
{
    return -10 * std::log10(noiseRatio); // infinite without noise
}

Text TrainingPass::summary(const TrainingResult &result, std::size_t kept) const
{
    const Text improved = QL_TEXT("%1 improved %2 of %3 blocks.").with(m_id, kept, result.blocks.size());
    const bool isHeldOut = result.heldOut > 0;
    if (options.loss == Loss::Classes) {
        const Text place = isHeldOut ? QL_TEXT("On the calibration samples that were held out, the divergence of the "
                                               "network's classes was %1 and is %2.")
                                     : QL_TEXT("On the calibration samples, all of which were trained on, the "
                                               "divergence of the network's classes was %1 and is %2.");
        return Text::sentences({improved, place.with(Text::number(result.before), Text::number(result.after))});
    }
    const Text place = isHeldOut ? QL_TEXT("On the calibration samples that were held out, the network's SQNR was %1 "
                                           "dB and is %2 dB.")
                                 : QL_TEXT("On the calibration samples, all of which were trained on, the network's "
                                           "SQNR was %1 dB and is %2 dB.");
    return Text::sentences(
        {improved, place.with(Text::number(decibels(result.before)), Text::number(decibels(result.after)))});
}

static Text fewHeldOut(std::size_t count)
{
    if (count == 0)
        return QL_TEXT("No calibration sample was held out from training, so other samples may have become worse.");
    return QL_TEXT("Only %1 calibration samples were held out from training to decide what is kept; others may have "
                   "become worse.")
        .with(count);
}

int TrainingPass::run(QuantModel &model, const PassContext &context) const
{
    requireCalibration(context, QL_TEXT("training"));
    requireLayers(model.graph, options.interested);
    const auto skipped = [&](OpId op, const Text &message) {
        context.report({.severity = api::Severity::Info,
                        .op = op == noOp ? std::string() : model.graph.operation(op).name,
                        .message = message,
                        .remedy = QL_TEXT("Its scales and weights are those before training.")});
    };
    const auto progress = [&](const api::TrainingEvent &event) {
        api::TrainingEvent named = event;
        named.pass = m_id;
        context.training(named);
    };
    const TrainingInput input{
        *context.calibration,
        std::min(context.calibrationSteps, context.calibration->size()), // repeating a batch would add nothing
        context.exec,
        context.memory,
        context.fixedScales,
        context.job,
        skipped,
        progress,
        context.trainingStart,
        context.keepTraining};
    const TrainingResult result = train(model, input, options);
    std::size_t kept = 0;
    for (const api::TrainedBlock &block : result.blocks) {
        context.trained(block);
        kept += block.kept;
    }
    if (result.blocks.empty()) {
        context.report({.severity = api::Severity::Info,
                        .message = QL_TEXT("%1 found nothing to train.").with(m_id),
                        .remedy = QL_TEXT("It needs quantized operations with free scales, or with weights or biases "
                                          "that it trains.")});
        return result.changed;
    }
    context.report({.severity = api::Severity::Info, .message = summary(result, kept)});
    if (result.undone > 0)
        context.report({.severity = api::Severity::Info,
                        .message = QL_TEXT("%1: blocks whose errors became smaller, but not clearly those of the "
                                           "network's outputs, so that they are unchanged: %2.")
                                       .with(m_id, result.undone),
                        .remedy = QL_TEXT("More steps or more calibration samples may give a clearer gain.")});
    if (kept > 0 && result.heldOut < enoughHeldOut)
        context.report({.severity = api::Severity::Info,
                        .message = fewHeldOut(result.heldOut),
                        .remedy = QL_TEXT("Calibrate with at least %1 samples.").with(4 * enoughHeldOut)});
    return result.changed;
}

std::vector<api::ParamSpec> trainingParams(std::vector<api::ParamSpec> own, int steps)
{
    const std::vector<api::ParamSpec> common = {
        {.name = "whole_graph",
         .type = "bool",
         .fallback = false,
         .meaning = QL_TEXT("Train the whole network as one block, by the error of its outputs.")},
        {.name = "held_out",
         .type = "float",
         .fallback = 0.25,
         .meaning = QL_TEXT("Share of the calibration samples held out from training; the error on them decides what "
                            "is kept. 0: all samples serve both purposes."),
         .min = 0,
         .max = 0.9}};
    const std::vector<api::ParamSpec> ofBlocks = blockParams();
    own.insert(own.end(), ofBlocks.begin(), ofBlocks.end());
    own.insert(own.end(), common.begin(), common.end());
    if (steps == 0) return own;
    const std::vector<api::ParamSpec> ofOptimizer = {
        {.name = "steps",
         .type = "int",
         .fallback = steps,
         .meaning = QL_TEXT("Steps of the optimizer for each block."),
         .min = 1,
         .max = 1000000},
        {.name = "batch_size",
         .type = "int",
         .fallback = 1,
         .meaning = QL_TEXT("Number of samples for each step."),
         .min = 1,
         .max = 1024},
        {.name = "augment",
         .type = "int",
         .fallback = 0,
         .meaning = QL_TEXT("For images: how many variants of each sample are also trained on, mirrored and moved at "
                            "random. 0: none."),
         .min = 0,
         .max = 64},
        {.name = "patience",
         .type = "int",
         .fallback = 4,
         .meaning = QL_TEXT("Stop a block after that many tests without progress (ten tests are planned); 0: never."),
         .min = 0,
         .max = 100},
        {.name = "seed",
         .type = "int",
         .fallback = 0,
         .meaning = QL_TEXT("Seed of the random order of samples. The same seed gives the same result."),
         .min = 0,
         .max = 2147483647}};
    own.insert(own.end(), ofOptimizer.begin(), ofOptimizer.end());
    return own;
}

api::ParamSpec rateParam(std::string name, double fallback, Text meaning)
{
    return {.name = std::move(name),
            .type = "float",
            .fallback = fallback,
            .meaning = std::move(meaning),
            .min = 0,
            .max = 1};
}

api::ParamSpec penaltyParam()
{
    return {.name = "penalty",
            .type = "float",
            .fallback = 0.01,
            .meaning = QL_TEXT("Weight of the term in the loss that drives roundings to up or down."),
            .min = 0,
            .max = 1000};
}

api::ParamSpec refineScalesParam()
{
    return {.name = "refine_scales",
            .type = "bool",
            .fallback = true,
            .meaning = QL_TEXT("First search scales with smaller rounding errors for weights of 3 to 7 bits.")};
}

std::optional<double> rateOf(const nlohmann::json &params, const char *name)
{
    const double rate = params[name];
    return rate > 0 ? std::optional(rate) : std::nullopt;
}

api::PassTraits trainingTraits()
{
    return {.kind = PassKind::Quant,
            .needsData = true,
            .needs = {PassAspect::ParameterScales, PassAspect::ActivationScales},
            .writes = {PassAspect::TrainedValues},
            .finishes = {PassAspect::ParameterScales, PassAspect::ActivationScales, PassAspect::SharedScales}};
}

} // namespace ql

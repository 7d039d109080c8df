#pragma once

#include "core/api/params.h"
#include "core/api/run_report.h"
#include "core/base/job.h"
#include "core/base/registry.h"
#include "core/exec/executor.h"
#include "core/quant/quant_plan.h"

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ql {

struct GraphwiseCache;
struct MetricSource;
struct LayerwiseCache;
struct TensorPairCache;

/// Input of an analyser. FP32 is the same graph without the plan.
struct AnalysisContext
{
    explicit AnalysisContext(const QuantModel &quantized) : model(quantized) {}

    const QuantModel &model;
    const BatchSource *data = nullptr;          ///< evaluation batches; nullptr for analysers without data
    std::size_t batches = 8;                    ///< number of batches to use, at most data->size()
    std::vector<std::int64_t> labels;           ///< class of each sample, empty if the data has none
    std::shared_ptr<const MetricSource> metric; ///< core/analysis/metric.h; nullptr: top-1 of the labels
    std::vector<VarId> outputs;                 ///< the tensors at which errors are measured; empty: measuredOutputs()
    /// Image of a sample of the data, as NoisySample::image.
    std::function<std::string(std::size_t sample)> picture = [](std::size_t) { return std::string(); };
    ExecOptions exec;
    std::size_t memory = 0;              ///< memory limit in bytes for cached activations; 0: half of the free memory
    GraphwiseCache *graphwise = nullptr; ///< of earlier runs, core/analysis/graphwise_cache.h; nullptr: none
    LayerwiseCache *layerwise = nullptr; ///< of earlier runs, core/analysis/layerwise_cache.h; nullptr: none
    TensorPairCache *pairs = nullptr;    ///< of earlier requests for operations, core/analysis/tensor_pairs.h
    std::string cacheKey;                ///< differs for another graph, data or device
    JobContext job;
    std::function<void(api::Problem)> report = [](api::Problem) {};
    /// Called by "outputs" with the graph outputs of the float and the quantized network for each batch, in order, and
    /// the number of its samples.
    std::function<void(const std::vector<at::Tensor> &fp, const std::vector<at::Tensor> &quantized,
                       std::int64_t samples)>
        compared;
};

/// An analyser in the catalogue. It sets its own members of the measures.
struct AnalyserEntry
{
    static constexpr const char *kindName = "analysis";
    api::CatalogueItem info;
    bool needsData = true;
    /// Empty for an analysis that runs recipes: core/session does it after all others.
    std::function<api::Measures(const AnalysisContext &, const nlohmann::json &params)> run;
    /// Approximate number of float passes over each batch, for progress.
    std::function<double(const QuantModel &, const nlohmann::json &params)> passes =
        [](const QuantModel &, const nlohmann::json &) { return 2.0; };
};
using AnalyserRegistrar = Registrar<AnalyserEntry>;

/// @throws Error (BadConfig) for an unknown analyser or parameter; an Error from inside keeps its op.
api::Measures analyse(const std::string &id, const AnalysisContext &context, const nlohmann::json &params);

/// Batches of the context with as many samples as the parameter "samples"; all of them if that is 0.
std::size_t batchesOf(const AnalysisContext &context, const nlohmann::json &params);
/// The first names of a model's tensors, and where to find the others.
Text tensorsHelp(const std::vector<std::string> &names);
/// AnalysisContext::outputs, with its default.
std::vector<VarId> outputsOf(const AnalysisContext &context);
/// The names of the samples of a batch: "a.jpg, b.jpg" are two. A batch that does not name them has one.
std::vector<std::string> sampleNames(const BatchSource &data, std::size_t batch);

/// Parameters of the analyses of single operations: statistics, parameters, details. fine: as Distribution; not for
/// details.
nlohmann::json paramsOfOperations(const std::vector<std::string> &operations, bool isFine = false);

} // namespace ql

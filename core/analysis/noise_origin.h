#pragma once

#include "core/analysis/analyser.h"
#include "core/analysis/error_measure.h"
#include "core/ir/subgraphs.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ql {

/// Where the noise of each operation of a network comes from: what comes in through its inputs, and what it adds. Both
/// networks run, then each operation alone: with float inputs and its own rounding, and in float with one of its inputs
/// from the quantized network. Operations in quantized bodies are measured on the runs of their body.
class NoiseOrigins
{
public:
    /// path: of the body that model is; empty: the model itself. names: namesInBodies() of the model itself.
    NoiseOrigins(const AnalysisContext &context, const QuantModel &model, BodyPath path,
                 const std::map<std::pair<BodyPath, OpId>, std::string> &names);

    struct Outputs
    {
        std::vector<at::Tensor> floating, rounded;
    };
    /// One batch of the model itself, with the graph outputs of both networks.
    Outputs addBatch(const Feed &feed, std::size_t batch);
    /// In execution order, each followed by those in its bodies.
    void addRows(std::vector<api::NoiseOrigin> &rows) const;

private:
    using Values = std::map<VarId, at::Tensor>;
    using BodyName = std::pair<OpId, std::string>;

    /// An operation with the programs that run it alone.
    struct Explained
    {
        OpId op = noOp;
        VarId output = noVar;
        std::vector<VarId> inputs; ///< without parameters, each once
        std::optional<Program> floating, rounding;
        ErrorMeasure all, added;
        std::vector<ErrorMeasure> through; ///< by input
        std::vector<ErrorMeasure> batch;   ///< of each sample of the current batch, mean over the runs of a body
        std::vector<std::optional<double>> samples;
    };
    /// One of both networks, with the values of its last run.
    struct Network
    {
        std::optional<Program> program;
        Values values;
        std::map<BodyName, std::vector<Feed>> runs; ///< of bodies
    };

    void addOperation(OpId id);
    void compile(Network &network, const QuantPlan *plan);
    void compile(Explained &explained) const;
    /// One run of both networks. samples: of the batch
    Outputs run(const Feed &floating, const Feed &rounded, std::int64_t samples, std::size_t batch);
    std::vector<at::Tensor> run(Network &network, const Feed &feed, std::size_t batch) const;
    void finishBatch(std::int64_t samples);
    std::optional<at::Tensor> alone(const Program &program, const std::function<const Values &(VarId)> &from) const;
    void explain(Explained &explained, std::int64_t samples);

    const AnalysisContext &m_context;
    const QuantModel &m_model;
    const Graph &m_graph;
    const BodyPath m_path;
    const std::map<std::pair<BodyPath, OpId>, std::string> &m_names;
    const Executor m_executor;
    std::vector<VarId> m_feeds; ///< inputs, and what a body captures
    std::vector<Explained> m_operations;
    std::map<BodyName, std::unique_ptr<NoiseOrigins>> m_bodies;
    Network m_floating, m_rounded;
};

} // namespace ql

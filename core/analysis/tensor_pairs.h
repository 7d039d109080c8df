#pragma once

#include "core/analysis/analyser.h"
#include "core/exec/prefix.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// What questions about single operations leave for the next one of the same model and data: the tensors at some cuts
/// through the float and the quantized graph, so that the next operation is computed from the last cut ahead of it, and
/// both tensors of every slot that was asked about last. Used by one question at a time.
struct TensorPairCache
{
    /// Bytes that the tensors of the last slots may take; larger ones are computed again for every pass over them.
    static constexpr std::size_t mostPairBytes = std::size_t(256) << 20;

    using Pair = std::pair<at::Tensor, at::Tensor>; ///< float, quantized

    std::string key; ///< AnalysisContext::memoryKey that everything belongs to
    std::unique_ptr<Executor> executor;
    bool isFilled = false; ///< cuts were taken, as far as there are any
    KeptCuts floating, quantized;
    std::vector<std::int64_t> samples;         ///< of each batch
    std::map<Slot, std::vector<Pair>> tensors; ///< a pair for each batch; undefined where a tensor is not float32
};

/// float and quantized: float32, of one shape. samples: of the batch.
using TensorPairVisitor =
    std::function<void(Slot slot, const at::Tensor &floating, const at::Tensor &quantized, std::int64_t samples)>;

/// Shows each slot (an activation of the graph) in float and in the quantized model, batch after batch. With
/// context.pairs the tensors are taken from there, or kept there, and slots are visited by several threads: each slot
/// by one thread. what: for the progress.
/// @throws as Program::run
void forEachTensorPair(const AnalysisContext &context, const std::vector<Slot> &slots, const Text &what,
                       const TensorPairVisitor &visit);

} // namespace ql

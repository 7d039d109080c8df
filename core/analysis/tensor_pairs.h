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

/// Cached results of requests for single operations, for the next one on the same model and data: the tensors at some
/// cuts through the float and the quantized graph, so that the next operation is computed from the last cut upstream of
/// it, and both tensors of every slot of the last request. Used by one request at a time.
struct TensorPairCache
{
    /// Memory limit in bytes for the tensors of the last slots; larger ones are recomputed for every pass over them.
    static constexpr std::size_t maxPairBytes = std::size_t(256) << 20;

    using Pair = std::pair<at::Tensor, at::Tensor>; ///< float, quantized

    std::string key; ///< AnalysisContext::cacheKey of the contents
    std::unique_ptr<Executor> executor;
    bool isFilled = false; ///< cuts were stored, if possible
    KeptCuts floating, quantized;
    std::vector<std::int64_t> samples;         ///< of each batch
    std::map<Slot, std::vector<Pair>> tensors; ///< a pair per batch; undefined if a tensor is not float32
};

/// float and quantized: float32, with the same shape. samples: of the batch.
using TensorPairVisitor = std::function<void(const BodySlot &place, const at::Tensor &floating,
                                             const at::Tensor &quantized, std::int64_t samples)>;

/// Passes each slot (an activation of the graph or of a quantized body, there of each of its runs) in float and in the
/// quantized model to a function, batch by batch. With context.pairs the tensors of the graph are taken from there, or
/// stored there, and slots are visited by several threads: each slot by one thread. what: for the progress.
/// @throws as Program::run
void forEachTensorPair(const AnalysisContext &context, const std::vector<BodySlot> &slots, const Text &what,
                       const TensorPairVisitor &visit);

} // namespace ql

#pragma once

#include "core/exec/executor.h"
#include "core/exec/integer.h"
#include "core/exec/kernel.h"
#include "core/exec/target_rounding.h"
#include "core/quant/device.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ql {

class TypeTracer;

/// A tensor of a compiled program: an index into the run's list of values.
using ValueId = std::int32_t;
inline constexpr ValueId noValue = -1;

/// One step of a compiled program.
struct Step
{
    enum class Kind {
        Kernel,   ///< outputs = kernel(inputs)
        Quantize, ///< outputs[0] = fake-quantized inputs[0]
        Codes,    ///< outputs[0] = centred codes of inputs[0], whose values lie on grid
        Values,   ///< outputs[0] = values of the centred codes inputs[0]
        Move,     ///< outputs[0] = inputs[0] on the device, or on the CPU
        Probe     ///< probes see inputs[0]
    };
    Kind kind = Kind::Kernel;
    OpId op = noOp; ///< the operation it belongs to, for messages
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<ValueId> release; ///< values that no later step reads

    const KernelEntry *kernel = nullptr;
    std::shared_ptr<PreparedKernel> prepared;
    Epilogue epilogue; ///< applied by the prepared kernel, or after the kernel when there is none
    bool epilogueInKernel = false;
    OpId fusedOp = noOp; ///< the activation that epilogue implements

    TensorQuantConfig config; ///< Quantize
    Slot slot, root;          ///< Quantize: the slot, and the owner of its scale
    std::vector<float> scale;
    std::vector<std::int32_t> zeroPoint;
    TargetRounding rounding = TargetRounding::Divides; ///< how codes are computed
    float shift = 0; ///< Quantize: added to codes before they are rounded, subtracted afterwards
    /// Quantize: values are sums of products of codes times these, one or one per channel (axis 1), which are part of
    /// the factor that is multiplied by; empty: of the values themselves.
    std::vector<float> sumSteps;

    CodeGrid grid; ///< Codes, Values; of the input if rounding is TimesRangeFactorSeparately

    bool onDevice = false; ///< Kernel: device of the computation. Move: destination

    std::vector<std::function<void(const at::Tensor &, std::size_t)>> callbacks;
};

struct Program::Impl
{
    const Graph *graph = nullptr;
    int threads = 0;
    std::vector<Step> steps;
    std::vector<at::Tensor> constants; ///< by ValueId; undefined for values computed at run time
    std::vector<VarId> feeds, outputs;
    std::vector<ValueId> feedValues, outputValues;
    std::vector<std::string> feedNames;
    BodyProbe bodyProbe; ///< empty: none
    const Trainable *trainable = nullptr;
    std::vector<std::pair<VarId, ValueId>> trained; ///< parameters that are read from trainable
    /// The variable of each value, noVar for quantized copies.
    std::vector<VarId> valueVariables;

    c10::Device device = c10::Device(c10::kCPU);
    bool resultsOnDevice = false;
    std::vector<bool> feedsOnDevice; ///< by feed; empty: none
    std::vector<HostOperation> hostOperations;
    /// Found at run time.
    mutable std::vector<HostOperation> refused;
    mutable std::mutex refusedMutex;

    bool usesDevice() const { return !device.is_cpu(); }
    /// tracer: receives the types of all values, and skips work if only these are needed; nullptr: none
    std::vector<at::Tensor> run(const std::vector<at::Tensor> &values, const JobContext &job, std::size_t batch,
                                TypeTracer *tracer) const;
};

} // namespace ql

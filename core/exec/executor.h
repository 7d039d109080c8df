#pragma once

#include "core/base/ids.h"
#include "core/base/job.h"
#include "core/ir/graph.h"
#include "core/ir/subgraphs.h"
#include "core/quant/quant_plan.h"

#include <ATen/core/Tensor.h>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// One batch for a graph: a tensor for each graph input, by name, in the model's own batch size.
using Feed = std::map<std::string, at::Tensor>;
std::size_t bytesOf(const Feed &feed);

/// An ordered, re-readable sequence of batches (calibration or evaluation data). The same index gives the same bits.
class BatchSource
{
public:
    virtual ~BatchSource() = default;
    virtual std::size_t size() const = 0;
    /// @throws Error (BadData, Io)
    virtual Feed batch(std::size_t index) const = 0;
    /// Name used in messages: "data.npz[3]".
    virtual std::string name(std::size_t index) const { return "batch " + std::to_string(index); }
};

/// The calling thread's current number of threads: for bodies of control flow.
inline constexpr int callersThreads = -1;

struct ExecOptions
{
    std::string device = "cpu"; ///< as parseDevice takes it: "cpu", "cuda", "cuda:1"
    int threads = 0;            ///< 0: defaultThreads(); callersThreads
};

/// Whether a probe sees the tensor of a slot before or after the slot's own quantization.
enum class ProbePoint { Raw, Quantized };

/// Called while a program runs, in execution order, with the tensor of the slot and the number of the batch that the
/// caller of Program::run() gave; the tensor is only valid during the call and must not be changed. It has any dense
/// layout (contiguous or channels-last).
struct Probe
{
    Slot slot;
    ProbePoint point = ProbePoint::Raw;
    std::function<void(const at::Tensor &, std::size_t batch)> callback;
};

/// The same for a slot in a body of If, Loop or Scan: called each time that the body runs, after the slot's own
/// quantization. The plan decides which bodies are quantized.
struct BodySlotProbe
{
    BodySlot place;
    std::function<void(const at::Tensor &, std::size_t batch)> callback;
};

/// The tensors that training changes, for a program with gradients. All are float32 on the CPU; a run reads what is
/// there, so they may be replaced between runs, but not added to.
struct Trainable
{
    using Quantizer = std::function<at::Tensor(const at::Tensor &value)>;
    /// Values of parameters before they are quantized, instead of those of plan and graph.
    std::map<VarId, at::Tensor> parameters;
    /// One scale, or one per channel, by the slot that owns it (QuantPlan::root); other scales are the plan's.
    std::map<Slot, at::Tensor> scales;
    /// Quantize a slot instead of its config: a rounding that is learned, or that is left out at random.
    std::map<Slot, Quantizer> quantizers;
    std::map<BodySlot, Quantizer> bodyQuantizers = {}; ///< the same in quantized bodies of If, Loop and Scan
};

/// What to compile.
struct ProgramSpec
{
    const QuantPlan *plan = nullptr; ///< nullptr: float
    const std::set<OpId> *onlyQuantized =
        nullptr;                ///< set: slots of other operations stay float ("only op X quantized")
    std::vector<VarId> feeds;   ///< variables that the caller provides; empty: the graph inputs
    std::vector<VarId> outputs; ///< variables that the caller wants; empty: the graph outputs
    std::vector<Probe> probes;
    std::vector<BodySlotProbe> bodySlotProbes = {};
    std::function<void(OpId op, const std::string &body, const Feed &values)> bodyProbe = {}; ///< as in KernelContext
    /// Compute float 3x3 convolutions by minimal filtering (core/exec/winograd.h), which takes half the time if each
    /// thread computes its own samples. Compare the results only with others computed this way: rounding errors are
    /// some 5 dB larger than with direct convolution.
    bool minimalFiltering = false;
    /// Outputs and probed tensors stay on the device where they are computed. Otherwise they are copied to the CPU.
    bool onDevice = false;
    /// For training; outlives the program. Every step is then a function of LibTorch, or our fake quantization, with a
    /// gradient: nothing is fused, packed, computed in place or in integers, and run() keeps the caller's grad mode. It
    /// throws Error (UnsupportedOp) naming the operation through which a gradient would have to pass, but cannot.
    const Trainable *trainable = nullptr;
};

/// An operation that runs on the CPU although its inputs or results are needed on the device, and why.
struct HostOperation
{
    OpId op = noOp;
    Text why;

    friend bool operator==(const HostOperation &, const HostOperation &) = default;
};

/// A graph, with its plan, as a list of steps: constants folded, activations fused into their producers unless probed
/// between, weights quantized and prepacked once, buffers released after their last use.
class Program
{
public:
    struct Impl;
    explicit Program(std::shared_ptr<Impl> impl);
    /// values: one tensor per feed, in the order of ProgramSpec::feeds (or graph inputs), on any device.
    /// @returns one tensor per requested output, in order; any layout. name: identifies the values in errors. batch:
    /// their number, for probes. May be called from several threads concurrently.
    /// @throws Error (Kernel, BadData ...) naming op and tensor; Cancelled between steps if job is cancelled.
    std::vector<at::Tensor> run(const std::vector<at::Tensor> &values, const JobContext &job,
                                const std::string &name = {}, std::size_t batch = 0) const;
    /// By input name. @throws Error (BadData) for a missing or unknown name, or a mismatched shape or type.
    std::vector<at::Tensor> run(const Feed &feed, const JobContext &job, const std::string &name = {},
                                std::size_t batch = 0) const;
    /// Creates in advance what the first run would create for its step number `step` (primitives, packed weights) if
    /// the graph's types give the sizes. From any thread. @returns false if there is no such step
    bool prepare(std::size_t step) const;
    /// Variables that run needs, in order: the feeds that are actually used.
    const std::vector<VarId> &feeds() const;
    const std::vector<VarId> &outputs() const;
    /// Operations that do not run on the device, including those that LibTorch turned out not to support at run time;
    /// empty on the CPU.
    std::vector<HostOperation> hostOperations() const;

private:
    std::shared_ptr<Impl> m_impl;
};

/// Compiles programs over one graph and shares data between them (prepacked weights). The graph must outlive it and
/// stay unchanged; the plan may change between compilations.
class Executor
{
public:
    /// @throws Error (BadConfig) when there is no such device.
    explicit Executor(const Graph &graph, ExecOptions options = {});
    ~Executor();

    /// @throws Error (UnsupportedOp) listing every operation without a kernel, (BadConfig) for unresolved plans.
    Program compile(const ProgramSpec &spec) const;
    /// Runs the float graph once where types depend on values, and returns the type of every computed variable (none
    /// inside bodies).
    std::map<VarId, TensorType> traceTypes(const Feed &feed, const JobContext &job) const;
    const Graph &graph() const;
    /// Threads of its programs; 0: those of the caller.
    int threads() const;
    bool isOnCpu() const;
    /// Bytes available for activations on the device of the programs.
    std::int64_t freeMemory() const;

    struct Shared;

private:
    std::shared_ptr<Shared> m_shared;
};

/// Operations of the graph (and its subgraphs) that no kernel implements: node, type, opset and what to do.
struct UnsupportedOp
{
    std::string op, type, domain;
    std::int64_t opset = 0;
    Text why;
    bool isOtherVersion = false; ///< implemented, but not in this version of the operator
};
std::vector<UnsupportedOp> unsupportedOps(const Graph &graph);
/// The domain of classical machine learning: trees, support vectors and so on.
inline constexpr const char *classicalDomain = "ai.onnx.ml";

} // namespace ql

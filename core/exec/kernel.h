#pragma once

#include "core/base/error.h"
#include "core/base/job.h"
#include "core/base/registry.h"
#include "core/ir/graph.h"
#include "core/ir/op_traits.h"
#include "core/ir/opset.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ql {

struct BodySlotProbe; // core/exec/executor.h
struct Trainable;     // core/exec/executor.h
struct QuantModel;

/// Called before each run of a body with the values of its inputs and of the tensors that it captures, by name.
using BodyProbe =
    std::function<void(OpId op, const std::string &body, const std::map<std::string, at::Tensor> &values)>;

/// Arguments of a kernel besides its inputs.
struct KernelContext
{
    const Operation &op;
    const Graph &graph;
    const JobContext *job = nullptr; ///< for kernels that run long: cancellation; nullptr while constants are folded
    bool minimalFiltering = false;   ///< as in ProgramSpec, for a float layer
    /// QuantPlan::bodies of op when it is prepared; nullptr: its bodies run in float32.
    const std::map<std::string, std::shared_ptr<const QuantModel>> *bodies = nullptr;
    const BodyProbe *bodyProbe = nullptr; ///< as in ProgramSpec
    /// Those of ProgramSpec when op is prepared; nullptr: none.
    const std::vector<BodySlotProbe> *bodySlotProbes = nullptr;
    const Trainable *trainable = nullptr; ///< that of ProgramSpec when op is prepared: its bodies have gradients, too
    std::size_t batch = 0;                ///< number of the batch that is computed, for probes
};

/// Inputs in slot order; an omitted optional input is an undefined tensor. Inputs must not be changed.
using Inputs = std::span<const at::Tensor>;
/// Computes the outputs of one operation, in slot order, per the ONNX specification of op.opset. Shape, axis and index
/// inputs are int64 tensors on the CPU. Float tensors may have any dense layout.
/// @throws Error (Kernel, UnsupportedOp); other exceptions are wrapped with the op's name by the executor.
using KernelFunction = std::function<std::vector<at::Tensor>(const KernelContext &, Inputs)>;

/// An element-wise function that a producer can apply to its own result while it is hot: y = f(x).
/// Relu: max(x, 0). Clip: min(max(x, alpha), beta). LeakyRelu: x < 0 ? alpha x : x. Sigmoid, Tanh: as named.
/// HardSwish: x * clamp(x / 6 + 0.5, 0, 1). Silu: x * sigmoid(x).
struct Epilogue
{
    enum class Kind { None, Relu, Clip, LeakyRelu, Sigmoid, Tanh, HardSwish, Silu };
    Kind kind = Kind::None;
    float alpha = 0;
    float beta = 0;

    friend auto operator<=>(const Epilogue &, const Epilogue &) = default;
};
/// The epilogue that KernelEntry::epilogue returns for op.
std::optional<Epilogue> epilogueOf(const Operation &op, Inputs constants);
/// Applies an epilogue as a separate step; the result may be x itself when kind is None.
at::Tensor applyEpilogue(const at::Tensor &x, const Epilogue &epilogue);

/// A kernel bound to the constants of one operation: weights prepacked, primitives cached per input shape. Used by
/// several threads concurrently.
class PreparedKernel
{
public:
    virtual ~PreparedKernel() = default;
    virtual std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) = 0;
    /// Creates in advance what the first run() would create for an input 0 of these sizes, with the calling thread's
    /// number of threads.
    virtual void prepareFor(const KernelContext &, at::IntArrayRef) {}
    /// Why it runs only on the CPU; empty: it runs on the device of its inputs.
    virtual Text hostReason() const { return {}; }
};
/// constants: as many as inputs, undefined for computed ones. @returns nullptr if the general kernel has to be used
/// (then the epilogue is a separate step).
using PrepareFunction =
    std::function<std::unique_ptr<PreparedKernel>(const KernelContext &, Inputs constants, const Epilogue &)>;

/// The features of op that a kernel does not implement, determined by attributes and present inputs: reported for all
/// operations together, before anything is computed. Empty: none.
using RefusalFunction = std::function<Text(const Operation &)>;
/// Refuses a string, or a list of strings, with other values: {{"mode", {"nearest", "linear"}}}.
RefusalFunction acceptsOnly(std::map<std::string, std::vector<std::string>> known);

/// Which outputs of a kernel with string inputs are strings. Such a kernel computes on the ranks of the strings in a
/// sorted list; other kernels get the strings themselves (core/exec/opaque.h) or refuse them.
enum class StringOutputs { NotOnPlaces, All, First, None };

/// Whether the kernel runs on a device other than the CPU for this operation.
using DeviceRule = bool (*)(const Operation &);
/// Whether finite inputs can give NaN or infinite values, given the constant inputs (undefined where not constant).
using UndefinedRule = std::function<bool(Inputs constants)>;
/// The epilogue equivalent to an operation, given its constant inputs (undefined if not constant); nullopt: none.
using EpilogueRule = std::function<std::optional<Epilogue>(const Operation &, Inputs constants)>;

struct IntegerLayer; // core/exec/integer.h
/// The operator in integer arithmetic. nullptr: not with these attributes and numbers.
using IntegerFunction = std::unique_ptr<PreparedKernel> (*)(const KernelContext &, const IntegerLayer &);
struct ExactSums; // core/quant/integer_arithmetic.h
using NormalizeFunction = std::unique_ptr<PreparedKernel> (*)(const Operation &, float scale);
using SumsFunction = std::unique_ptr<PreparedKernel> (*)(const KernelContext &, const ExactSums &);

/// The implementation of one operator. Written by name: `{.run = relu, .family = "activation"}`.
struct KernelEntry
{
    static constexpr const char *kindName = "kernel";
    KernelFunction run;
    std::int64_t minOpset = 1;
    std::int64_t maxOpset = newestOpset; ///< supported versions of the operator
    std::string family = {};             ///< a label of the catalogue: "convolution", "activation" ...
    PrepareFunction prepare = {};        ///< optional: the fast path for constant weights
    std::string limits = {};             ///< unsupported features of the operator, in words; empty: none
    RefusalFunction refusal = {};        ///< optional: the part that can be determined without values
    /// float16 and bfloat16 inputs are passed unchanged to operators that move, compare or convert values; others
    /// compute them in float32.
    bool takesShortFloats = false;
    bool isRandom = false;  ///< draws numbers: never folded
    bool isLoop = false;    ///< may run long: not folded, because folding cannot be stopped
    bool hasBodies = false; ///< runs graphs in its attributes: prepared for every device, but run on the CPU
    StringOutputs strings = StringOutputs::NotOnPlaces;
    /// Optional: set for kernels that consist of LibTorch functions only. Inputs of SlotKind::ShapeOrIndex are read
    /// element by element, and passed on the CPU.
    DeviceRule onDevice = nullptr;
    EpilogueRule epilogue = {}; ///< optional: a producer's kernel can apply it to its own result
    /// Optional: Log, Sqrt, a division by what may be 0. What follows it keeps NaN as it is.
    UndefinedRule canBeUndefined = {};
    IntegerFunction integerForm = nullptr; ///< optional: for codes instead of values, if the plan requests it
    SumsFunction exactSums = nullptr;      ///< optional: likewise, with a result that is not rounded
    /// Optional: from the centred codes of input 0 (values / scale), with statistics that do not depend on an order.
    NormalizeFunction normalizeCodes = nullptr;
    /// Optional: the function as ONNX Runtime computes it, bit for bit, for plans with integer arithmetic.
    KernelFunction asRuntime = {};
    /// OpenVINO has a kernel of its own that also rounds the result; it leaves that of others to the node FakeQuantize.
    bool openvinoRoundsResult = false;

    /// The refusal of op. Also empty if an attribute has the wrong kind: the kernel reports that, with a remedy.
    Text refuses(const Operation &op) const;
};
/// KernelEntry::onDevice: with any attributes.
inline bool always(const Operation &)
{
    return true;
}

/// KernelEntry::canBeUndefined: whatever the constants are.
inline KernelEntry oftenUndefined(KernelEntry entry)
{
    entry.canBeUndefined = [](Inputs) { return true; };
    return entry;
}

/// The function; of a plug-in that is being loaded, its first calls fail if it writes into an input, which others may
/// read.
KernelFunction checkedKernel(KernelFunction run);
/// The other functions of an operator of a plug-in that is being loaded: their exceptions name it.
void nameOtherFunctions(const std::string &type, KernelEntry &entry, OpTraits &traits);

/// Registers the kernel and the record of one or more operators, by "Type" for ai.onnx or "domain:Type" for others:
/// `const KernelRegistrar erf{{"Erf"}, {.run = erfKernel, .family = "elementwise"}, {.shapes = sameAsInput0()}};`
struct KernelRegistrar
{
    KernelRegistrar(std::initializer_list<const char *> types, KernelEntry entry, OpTraits traits = {})
    {
        entry.run = checkedKernel(std::move(entry.run));
        traits.hasIntegerForm = entry.integerForm != nullptr;
        traits.hasExactSums = entry.exactSums != nullptr;
        traits.normalizesCodes = entry.normalizeCodes != nullptr;
        for (const char *type : types) {
            KernelEntry named = entry;
            OpTraits namedTraits = traits;
            nameOtherFunctions(type, named, namedTraits);
            Registry<KernelEntry>::instance().add(type, std::move(named));
            Registry<OpTraits>::instance().add(type, std::move(namedTraits));
        }
    }
};

/// The kernel of op, or nullptr.
const KernelEntry *findKernel(const Operation &op);

/// kernel.run. float16 and bfloat16 on the CPU are computed in float32, because LibTorch has few functions for them,
/// and the results rounded back; operators that only move or convert values get them unchanged.
std::vector<at::Tensor> callKernel(const KernelEntry &kernel, const KernelContext &context, Inputs inputs);

/// The result of op for constant inputs, computed once. nullopt if it draws random numbers, has no kernel, fails (it
/// fails again, with its name, if it is really needed) or an output has more than mostElements.
std::optional<std::vector<at::Tensor>> constantOutputs(const KernelContext &context, Inputs inputs,
                                                       std::int64_t mostElements);
/// Reads an int64 or int32 tensor (any shape) as a list; empty for an undefined tensor.
std::vector<std::int64_t> toInts(const at::Tensor &tensor);
/// axis in [-rank, rank) as [0, rank). @throws Error (Kernel) naming the op.
std::int64_t normalizeAxis(std::int64_t axis, std::int64_t rank, const Operation &op);
/// The type in which values of TensorProto.DataType number code are held (uint16 as int32, uint32 and uint64 as
/// int64).
/// @throws Error (UnsupportedOp) for non-numeric types.
at::ScalarType typeOfOnnxCode(std::int64_t code, const Operation &op);
/// Refuses results that would have more than 2^31 elements, or that need more than three quarters of the currently
/// available memory. Kernels whose result can be far larger than their inputs call it before they allocate.
/// @throws Error (OutOfMemory) naming op and shape; (Kernel) for a negative dimension.
void checkElements(const Operation &op, at::IntArrayRef shape, std::size_t bytesPerElement = 4);
/// Concatenates the parts along axis, or along a new one, after checkElements(): a loop may double its result in each
/// iteration. @pre parts is not empty, axis is not negative
at::Tensor joined(const Operation &op, const std::vector<at::Tensor> &parts, std::int64_t axis, bool isNewAxis = false);
/// Why inputs cannot be computed with. Thrown by kernels that do not know what they belong to; the executor makes an
/// Error of it that names operation and inputs.
class IncompatibleInputs : public std::exception
{
public:
    explicit IncompatibleInputs(Text reason) : m_reason(std::move(reason)) {}
    const Text &reason() const { return m_reason; }
    const char *what() const noexcept override { return "inputs do not fit"; }

private:
    Text m_reason;
};
/// checkElements for the broadcast of two shapes. @throws IncompatibleInputs for shapes that do not broadcast.
void checkBroadcast(const Operation &op, const at::Tensor &a, const at::Tensor &b);
/// The tensor at input i, or undefined when absent.
inline at::Tensor inputOr(Inputs inputs, std::size_t i)
{
    return i < inputs.size() ? inputs[i] : at::Tensor();
}
/// Whether input i exists and is float32.
inline bool hasFloat(Inputs inputs, std::size_t i)
{
    return i < inputs.size() && inputs[i].defined() && inputs[i].scalar_type() == at::kFloat;
}
/// @throws Error (Kernel) "TYPE: input I (NAME) is missing" if it is.
const at::Tensor &requiredInput(const KernelContext &context, Inputs inputs, std::size_t i);

} // namespace ql

// Which steps of a program run on a device, and what has to be copied for that.
#include "core/exec/placement.h"

#include "core/ir/subgraphs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace ql {

namespace {

/// Inputs that a kernel reads number by number: shapes, axes, counts. They are wanted on the CPU.
struct DeviceOperator
{
    std::vector<std::size_t> hostInputs;
};

using Operators = std::map<std::string, DeviceOperator, std::less<>>;

void add(Operators &operators, std::initializer_list<const char *> types, std::vector<std::size_t> hostInputs = {})
{
    for (const char *type : types) operators.insert_or_assign(type, DeviceOperator{hostInputs});
}

/// Operators whose kernels are LibTorch functions from end to end. All others have loops of their own over the data.
const Operators &deviceOperators()
{
    static const Operators operators = [] {
        Operators out;
        add(out, {"Abs",         "Acos",
                  "Acosh",       "Asin",
                  "Asinh",       "Atan",
                  "Atanh",       "BitwiseNot",
                  "Ceil",        "Celu",
                  "Clip",        "Cos",
                  "Cosh",        "Elu",
                  "Erf",         "Exp",
                  "Floor",       "Gelu",
                  "HardSigmoid", "HardSwish",
                  "Hardmax",     "IsInf",
                  "IsNaN",       "LeakyRelu",
                  "Log",         "LogSoftmax",
                  "Mish",        "Neg",
                  "Not",         "PRelu",
                  "Reciprocal",  "Relu",
                  "Round",       "Selu",
                  "Shrink",      "Sigmoid",
                  "Sign",        "Sin",
                  "Sinh",        "Softmax",
                  "Softplus",    "Softsign",
                  "Sqrt",        "Tan",
                  "Tanh",        "ThresholdedRelu"});
        add(out, {"Add",        "And",         "BitShift", "BitwiseAnd", "BitwiseOr",
                  "BitwiseXor", "Div",         "Equal",    "Greater",    "GreaterOrEqual",
                  "Less",       "LessOrEqual", "Max",      "Mean",       "Min",
                  "Mod",        "Mul",         "Or",       "Pow",        "Sub",
                  "Sum",        "Where",       "Xor"});
        add(out, {"Conv", "ConvTranspose", "BiasedMatMul", "quantloupe:BiasedMatMul", "Einsum", "Gemm", "MatMul"});
        add(out, {"AveragePool", "GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool", "LpPool", "MaxPool"});
        add(out, {"BatchNormalization", "GroupNormalization", "InstanceNormalization", "LRN", "LayerNormalization",
                  "LpNormalization", "MeanVarianceNormalization", "SimplifiedLayerNormalization"});
        add(out, {"Concat", "DepthToSpace", "Dropout", "Flatten", "Identity", "SpaceToDepth", "Transpose"});
        add(out, {"Expand", "Reshape", "Split", "Squeeze", "Unsqueeze"}, {1});
        add(out, {"Tile"}, {1, 2});
        add(out, {"Pad"}, {1, 2, 3});
        add(out, {"Slice"}, {1, 2, 3, 4});
        add(out, {"Resize", "Upsample"}, {1, 2, 3});
        add(out,
            {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin",
             "ReduceProd", "ReduceSum", "ReduceSumSquare", "CumSum", "TopK", "Trilu", "OneHot"},
            {1});
        add(out, {"ArgMax", "ArgMin", "Cast", "CastLike", "Gather", "GatherElements", "GatherND", "GridSample",
                  "Scatter", "ScatterElements", "ScatterND"});
        add(out, {"GRU", "LSTM", "RNN", "com.microsoft:Attention", "com.microsoft:MultiHeadAttention"});
        add(out, {"QuantizeLinear", "DequantizeLinear"});
        for (const char *fused : {"BiasGelu", "FastGelu", "FusedConv", "FusedGemm", "FusedMatMul", "Gelu", "QuickGelu",
                                  "SimplifiedLayerNormalization", "SkipLayerNormalization",
                                  "SkipSimplifiedLayerNormalization", "QuantizeLinear", "DequantizeLinear"})
            out.insert_or_assign("com.microsoft:" + std::string(fused), DeviceOperator{});
        return out;
    }();
    return operators;
}

const DeviceOperator *deviceOperator(const Operation &op)
{
    // One update after the other where they are combined: on a device sums would differ from run to run
    if (op.type.starts_with("Scatter") && op.stringAttribute("reduction", "none") != "none") return nullptr;
    const auto it = deviceOperators().find(op.domain.empty() ? op.type : op.domain + ":" + op.type);
    return it == deviceOperators().end() ? nullptr : &it->second;
}

/// Operators that read nothing of their input but its type and shape.
bool readsShapeOnly(const Operation &op)
{
    return op.domain.empty() && (op.type == "Shape" || op.type == "Size");
}

class Placer
{
public:
    Placer(Program::Impl &program, c10::Device device, const std::function<at::Tensor(const at::Tensor &)> &uploaded)
        : m_program(program), m_device(device), m_uploaded(uploaded), m_onDevice(program.constants.size(), false)
    {}

    void place()
    {
        m_program.device = m_device;
        for (std::size_t i = 0; i < m_program.feeds.size(); ++i) {
            const at::ScalarType type = m_program.graph->variable(m_program.feeds[i]).type.dtype;
            const bool there = type != at::ScalarType::Undefined && at::isFloatingType(type);
            m_program.feedsOnDevice.push_back(there);
            if (m_program.feedValues[i] != noValue) m_onDevice[std::size_t(m_program.feedValues[i])] = there;
        }
        for (Step &step : m_program.steps) {
            switch (step.kind) {
            case Step::Kind::Kernel: placeKernel(std::move(step)); break;
            case Step::Kind::Quantize:
            case Step::Kind::Codes:
            case Step::Kind::Values:
                setPlace(step.outputs[0], isOnDevice(step.inputs[0]));
                m_steps.push_back(std::move(step));
                break;
            case Step::Kind::Look:
            case Step::Kind::Move: m_steps.push_back(std::move(step)); break;
            }
        }
        m_program.steps = std::move(m_steps);
        for (const OpId op : m_hostOrder)
            if (m_costly.contains(op)) m_program.hostOperations.push_back({op, m_reasons.at(op)});
    }

private:
    bool isConstant(ValueId id) const { return m_program.constants[std::size_t(id)].defined(); }
    bool isOnDevice(ValueId id) const { return m_onDevice[std::size_t(id)]; }
    void setPlace(ValueId id, bool onDevice)
    {
        if (id != noValue) m_onDevice[std::size_t(id)] = onDevice;
    }

    ValueId newValue(VarId variable)
    {
        m_program.constants.emplace_back();
        m_program.valueVariables.push_back(variable);
        m_onDevice.push_back(false);
        return ValueId(m_program.constants.size() - 1);
    }

    /// The value on the device or on the CPU, by a copy where it is on the other side.
    ValueId at(ValueId id, bool onDevice, OpId reader)
    {
        if (id == noValue || isOnDevice(id) == onDevice) return id;
        const auto known = m_copies.find(id);
        if (known != m_copies.end()) return known->second;
        const ValueId copy = newValue(noVar);
        setPlace(copy, onDevice);
        m_copies.emplace(id, copy);
        if (isConstant(id)) {
            m_program.constants[std::size_t(copy)] = m_uploaded(m_program.constants[std::size_t(id)]);
            return copy;
        }
        Step step;
        step.kind = Step::Kind::Move;
        step.op = reader;
        step.inputs = {id};
        step.outputs = {copy};
        step.onDevice = onDevice;
        m_steps.push_back(std::move(step));
        if (const auto maker = m_makers.find(id); onDevice && maker != m_makers.end()) m_costly.insert(maker->second);
        return copy;
    }

    /// Whether op makes a shape, an index or the like out of numbers that are all on the CPU.
    bool isBookkeeping(const Step &step) const
    {
        for (const ValueId id : step.inputs)
            if (id != noValue && !isConstant(id) && isOnDevice(id)) return false;
        return std::all_of(step.outputs.begin(), step.outputs.end(), [&](ValueId id) {
            const VarId variable = id == noValue ? noVar : m_program.valueVariables[std::size_t(id)];
            return variable == noVar || isSmallOrInteger(m_program.graph->variable(variable).type);
        });
    }
    static bool isSmallOrInteger(const TensorType &type)
    {
        constexpr std::int64_t few = 64;
        if (type.dtype != at::ScalarType::Undefined && !at::isFloatingType(type.dtype)) return true;
        if (!type.shape) return false;
        if (!type.isStatic()) return type.shape->size() < 2;
        std::int64_t count = 1;
        for (const std::int64_t size : type.sizes()) count *= size;
        return count <= few;
    }

    void placeKernel(Step step)
    {
        const Operation &op = m_program.graph->operation(step.op);
        if (readsShapeOnly(op)) {
            m_steps.push_back(std::move(step));
            return;
        }
        static const DeviceOperator integerLayer; // core/exec/integer.h
        const DeviceOperator *there = !step.prepared                          ? deviceOperator(op)
                                      : step.kernel->family == "control flow" ? nullptr
                                      : op.type == "AveragePool"              ? nullptr
                                                                              : &integerLayer;
        const bool isFedFromDevice = std::any_of(step.inputs.begin(), step.inputs.end(), [&](ValueId id) {
            return id != noValue && !isConstant(id) && isOnDevice(id);
        });
        step.onDevice = there && !isBookkeeping(step);
        for (std::size_t i = 0; i < step.inputs.size(); ++i) {
            const bool wantsHost = !step.onDevice || std::find(there->hostInputs.begin(), there->hostInputs.end(), i) !=
                                                         there->hostInputs.end();
            step.inputs[i] = at(step.inputs[i], !wantsHost, step.op);
        }
        for (const ValueId id : step.outputs) setPlace(id, step.onDevice);
        if (!step.onDevice && !there) {
            m_hostOrder.push_back(step.op);
            m_reasons.emplace(step.op, reasonFor(step));
            if (isFedFromDevice) m_costly.insert(step.op);
            for (const ValueId id : step.outputs)
                if (id != noValue) m_makers.emplace(id, step.op);
        }
        m_steps.push_back(std::move(step));
    }

    static std::string reasonFor(const Step &step)
    {
        if (!step.prepared) return "it has no kernel for the device";
        return step.kernel->family == "control flow" ? "its bodies run on the CPU"
                                                     : "its integer arithmetic has an order that is the CPU's";
    }

    Program::Impl &m_program;
    const c10::Device m_device;
    const std::function<at::Tensor(const at::Tensor &)> &m_uploaded;
    std::vector<bool> m_onDevice;        ///< by value
    std::map<ValueId, ValueId> m_copies; ///< on the other side
    std::map<ValueId, OpId> m_makers;    ///< values that operations without a device kernel computed
    std::vector<OpId> m_hostOrder;
    std::map<OpId, std::string> m_reasons;
    std::set<OpId> m_costly; ///< data were copied for them
    std::vector<Step> m_steps;
};

} // namespace

void placeOnDevice(Program::Impl &program, c10::Device device,
                   const std::function<at::Tensor(const at::Tensor &)> &uploaded)
{
    Placer(program, device, uploaded).place();
}

} // namespace ql

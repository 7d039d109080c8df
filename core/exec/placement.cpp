// Which steps of a program run on a device, and which copies that needs.
#include "core/exec/placement.h"

#include "core/ir/op_traits.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace ql {

namespace {

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
            case Step::Kind::Probe:
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

    /// The value on the device or on the CPU, copied if necessary.
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

    /// Whether op computes a shape, an index or the like from numbers that are all on the CPU.
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
        const bool canRunOnDevice =
            step.prepared ? step.prepared->hostReason().isEmpty() : step.kernel->onDevice && step.kernel->onDevice(op);
        const bool isFedFromDevice = std::any_of(step.inputs.begin(), step.inputs.end(), [&](ValueId id) {
            return id != noValue && !isConstant(id) && isOnDevice(id);
        });
        step.onDevice = canRunOnDevice && !isBookkeeping(step);
        for (std::size_t i = 0; i < step.inputs.size(); ++i) {
            const bool wantsHost =
                !step.onDevice || (!step.prepared && slotKind(op, inputSlot(op.id, i)) == SlotKind::ShapeOrIndex);
            step.inputs[i] = at(step.inputs[i], !wantsHost, step.op);
        }
        for (const ValueId id : step.outputs) setPlace(id, step.onDevice);
        if (!step.onDevice && !canRunOnDevice) {
            m_hostOrder.push_back(step.op);
            m_reasons.emplace(step.op, reasonFor(step));
            if (isFedFromDevice) m_costly.insert(step.op);
            for (const ValueId id : step.outputs)
                if (id != noValue) m_makers.emplace(id, step.op);
        }
        m_steps.push_back(std::move(step));
    }

    static Text reasonFor(const Step &step)
    {
        return step.prepared ? step.prepared->hostReason() : QL_TEXT("it has no kernel for the device");
    }

    Program::Impl &m_program;
    const c10::Device m_device;
    const std::function<at::Tensor(const at::Tensor &)> &m_uploaded;
    std::vector<bool> m_onDevice;        ///< by value
    std::map<ValueId, ValueId> m_copies; ///< on the other device
    std::map<ValueId, OpId> m_makers;    ///< values computed by operations without a device kernel
    std::vector<OpId> m_hostOrder;
    std::map<OpId, Text> m_reasons;
    std::set<OpId> m_costly; ///< data was copied for them
    std::vector<Step> m_steps;
};

} // namespace

void placeOnDevice(Program::Impl &program, c10::Device device,
                   const std::function<at::Tensor(const at::Tensor &)> &uploaded)
{
    Placer(program, device, uploaded).place();
}

} // namespace ql

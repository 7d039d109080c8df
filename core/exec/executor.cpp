// Shared by programs over one graph: folded constants, packed weights, copies on the device.
#include "core/exec/executor.h"

#include "core/exec/compiler.h"
#include "core/exec/convolution.h"
#include "core/exec/placement.h"
#include "core/exec/threads.h"
#include "core/exec/type_tracer.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace ql {

/// Constants larger than this are computed at run time rather than kept.
static constexpr std::int64_t maxFoldedElements = std::int64_t{1} << 24;

std::size_t bytesOf(const Feed &feed)
{
    std::size_t bytes = 0;
    for (const auto &[name, tensor] : feed) bytes += tensor.nbytes();
    return bytes;
}

struct Executor::Shared
{
    const Graph *graph = nullptr;
    ExecOptions options;
    std::vector<OpId> order;
    /// Results of operations that depend only on parameters, and the parameters themselves, in float.
    std::unordered_map<std::int32_t, at::Tensor> constants;
    std::set<OpId> folded;
    std::set<VarId> undefined; ///< may hold NaN although all data are finite

    struct PreparedKey
    {
        OpId op;
        Epilogue epilogue;
        bool filters;                        ///< by minimal filtering
        std::vector<const void *> constants; ///< identity of the tensors that were packed
        auto operator<=>(const PreparedKey &) const = default;
    };
    struct PreparedValue
    {
        std::shared_ptr<PreparedKernel> kernel; ///< null: the general kernel
        std::vector<at::Tensor> keepAlive;      ///< so that the identities in the key stay unique
    };
    std::map<PreparedKey, PreparedValue> prepared;

    c10::Device device = c10::Device(c10::kCPU);
    /// The device's copies of constants that all programs share, by the identity of the CPU tensor.
    std::map<const void *, at::Tensor> uploaded;

    void foldConstants();
    void findUndefined();
    at::Tensor onDevice(const at::Tensor &constant);
};

Executor::Executor(const Graph &graph, ExecOptions options) : m_shared(std::make_shared<Shared>())
{
    m_shared->device = requireDevice(options.device);
    options.threads = options.threads == callersThreads ? 0 : threadsFor(options.threads);
    const ThreadScope threads(options.threads);
    m_shared->graph = &graph;
    m_shared->options = std::move(options);
    m_shared->order = graph.topological();
    m_shared->foldConstants();
    m_shared->findUndefined();
}

Executor::~Executor() = default;

const Graph &Executor::graph() const
{
    return *m_shared->graph;
}

int Executor::threads() const
{
    return m_shared->options.threads;
}

bool Executor::isOnCpu() const
{
    return m_shared->device.is_cpu();
}

std::int64_t Executor::freeMemory() const
{
    return backendOf(m_shared->device).freeMemory(m_shared->device);
}

at::Tensor Executor::Shared::onDevice(const at::Tensor &constant)
{
    // Not by toDevice: page-locked memory of the size of all weights would remain allocated.
    const auto copy = [&] {
        return constant.scalar_type() == at::ScalarType::Undefined ? constant : constant.to(device);
    };
    const auto known = uploaded.find(constant.unsafeGetTensorImpl());
    if (known == uploaded.end()) return copy(); // of one plan
    if (!known->second.defined()) known->second = copy();
    return known->second;
}

void Executor::Shared::foldConstants()
{
    const c10::InferenceMode noGradients;
    for (const VarId id : graph->variables())
        if (graph->variable(id).isParameter()) constants.emplace(index(id), graph->variable(id).value);
    for (const OpId id : order) {
        const Operation &op = graph->operation(id);
        // A loop may run for a long time, and nothing can stop it here
        if (const KernelEntry *kernel = findKernel(op); kernel && kernel->isLoop) continue;
        std::vector<at::Tensor> inputs;
        bool allConstant = true;
        for (const VarId input : op.inputs) {
            const auto it = input == noVar ? constants.end() : constants.find(index(input));
            if (input != noVar && it == constants.end()) {
                allConstant = false;
                break;
            }
            inputs.push_back(input == noVar ? at::Tensor() : it->second);
        }
        if (!allConstant) continue;
        const auto outputs = constantOutputs({op, *graph}, inputs, maxFoldedElements);
        if (!outputs) continue;
        for (std::size_t i = 0; i < op.outputs.size(); ++i)
            if (op.outputs[i] != noVar) constants.emplace(index(op.outputs[i]), (*outputs)[i]);
        folded.insert(id);
    }
    if (!device.is_cpu())
        for (const auto &[id, constant] : constants) uploaded.emplace(constant.unsafeGetTensorImpl(), at::Tensor());
}

void Executor::Shared::findUndefined()
{
    for (const OpId id : order) {
        const Operation &op = graph->operation(id);
        if (folded.contains(id)) continue;
        bool isUndefined =
            std::any_of(op.inputs.begin(), op.inputs.end(), [&](VarId input) { return undefined.contains(input); });
        if (const KernelEntry *kernel = findKernel(op); !isUndefined && kernel && kernel->canBeUndefined) {
            std::vector<at::Tensor> known;
            for (const VarId input : op.inputs) {
                const auto constant = input == noVar ? constants.end() : constants.find(index(input));
                known.push_back(constant == constants.end() ? at::Tensor() : constant->second);
            }
            isUndefined = kernel->canBeUndefined(known);
        }
        if (isUndefined) undefined.insert(op.outputs.begin(), op.outputs.end());
    }
    undefined.erase(noVar);
}

/// nullptr: the bodies of op run in float32, or it has none.
static const QuantizedBodies *quantizedBodies(const ProgramSpec &spec, OpId op)
{
    if (!spec.plan || (spec.onlyQuantized && !spec.onlyQuantized->contains(op))) return nullptr;
    const auto found = spec.plan->bodies.find(op);
    return found == spec.plan->bodies.end() ? nullptr : &found->second;
}

static std::shared_ptr<Program::Impl> compileShared(Executor::Shared &shared, const ProgramSpec &spec, bool fuse)
{
    const c10::InferenceMode noGradients(!spec.trainable);
    const ThreadScope threads(shared.options.threads); // oneDNN divides the work when it makes a primitive
    const bool isOnDevice = !shared.device.is_cpu();
    const auto prepare = [&](const Operation &op, const KernelEntry &kernel, std::vector<at::Tensor> constants,
                             const Epilogue &epilogue) -> std::shared_ptr<PreparedKernel> {
        // Primitives with packed weights are for the CPU; bodies of control flow also run there.
        if (isOnDevice && !kernel.hasBodies) return nullptr;
        const bool isFloat = std::all_of(constants.begin(), constants.end(), [&](const at::Tensor &t) {
            return !t.defined() || std::any_of(op.inputs.begin(), op.inputs.end(), [&](VarId v) {
                return v != noVar && shared.constants.contains(index(v)) && shared.constants.at(index(v)).is_same(t);
            });
        });
        const bool filters = spec.minimalFiltering && isFloat && fitsMinimalFiltering(op, constants);
        const QuantizedBodies *bodies = quantizedBodies(spec, op.id);
        if (bodies || (kernel.hasBodies && (spec.trainable || !spec.bodySlotProbes.empty())))
            return kernel.prepare(
                {op, *shared.graph, nullptr, false, bodies, nullptr, &spec.bodySlotProbes, spec.trainable}, constants,
                epilogue);
        Executor::Shared::PreparedKey key{op.id, epilogue, filters, {}};
        for (const at::Tensor &t : constants) key.constants.push_back(t.defined() ? t.unsafeGetTensorImpl() : nullptr);
        const auto known = shared.prepared.find(key);
        if (known != shared.prepared.end()) return known->second.kernel;
        std::shared_ptr<PreparedKernel> made =
            kernel.prepare(KernelContext{op, *shared.graph, nullptr, filters}, constants, epilogue);
        // Weights that only this plan uses would accumulate over many plans: cache only those of the float graph.
        if (isFloat)
            shared.prepared.emplace(std::move(key), Executor::Shared::PreparedValue{made, std::move(constants)});
        return made;
    };
    PlaceSteps place;
    if (isOnDevice) {
        place = [&](Program::Impl &program) {
            const c10::DeviceGuard guard(shared.device);
            placeOnDevice(program, shared.device,
                          [&](const at::Tensor &constant) { return shared.onDevice(constant); });
        };
    }
    const CompilerInput input{*shared.graph, shared.order, shared.constants, shared.folded, shared.undefined};
    auto impl = compileProgram(input, spec, prepare, fuse, place);
    impl->resultsOnDevice = spec.onDevice;
    impl->threads = shared.options.threads;
    impl->bodyProbe = spec.bodyProbe;
    return impl;
}

Program Executor::compile(const ProgramSpec &spec) const
{
    return Program(compileShared(*m_shared, spec, true));
}

std::map<VarId, TensorType> Executor::traceTypes(const Feed &feed, const JobContext &job) const
{
    const auto impl = compileShared(*m_shared, ProgramSpec{}, false);
    std::vector<at::Tensor> values;
    for (const std::string &name : impl->feedNames) {
        const auto it = feed.find(name);
        if (it == feed.end())
            throw Error(ErrorKind::BadData, QL_TEXT("the data has no array for this graph input"), {}, name);
        values.push_back(it->second);
    }
    TypeTracer tracer(*m_shared->graph);
    impl->run(values, job, 0, &tracer);
    for (const auto &[id, tensor] : m_shared->constants) tracer.record(VarId{id}, tensor);
    return std::move(tracer.types);
}

} // namespace ql

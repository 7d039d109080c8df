#include "core/exec/program.h"

#include "core/base/plugin.h"
#include "core/exec/arena.h"
#include "core/exec/placement.h"
#include "core/exec/target_kernel.h"
#include "core/exec/threads.h"
#include "core/exec/trainable.h"
#include "core/exec/type_tracer.h"
#include "core/quant/quantize.h"

#include <ATen/core/grad_mode.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ql {

namespace {

/// True if nothing else refers to the memory of tensor, so it may be overwritten.
bool isExclusive(const at::Tensor &tensor)
{
    return tensor.use_count() == 1 && tensor.storage().use_count() == 1 && tensor.is_non_overlapping_and_dense();
}

/// "'a' float32[1x3], none"
std::string inputsOf(const Operation &op, const Graph &graph, const std::vector<at::Tensor> &tensors)
{
    std::string text;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        text += i == 0 ? "" : ", ";
        if (op.hasInput(i)) text += "'" + graph.variable(op.inputs[i]).name + "' ";
        text += tensors[i].defined() ? toString(TypeTracer::typeOf(tensors[i])) : std::string("none");
    }
    return text.empty() ? "none" : text;
}

/// Why LibTorch refused, in terms of the model: its own message is about its functions and their arguments. Others, of
/// a plug-in's kernel, say it themselves.
Text reasonOf(const std::exception &error, const std::string &what)
{
    static const std::pair<const char *, Text> reasons[] = {
        {"not implemented for", QL_TEXT("this data type is not implemented")},
        {"expected scalar type", QL_TEXT("the data types differ")},
        {"same dtype", QL_TEXT("the data types differ")},
        {"cannot be multiplied", QL_TEXT("the inner sizes differ")},
        {"of batch2 tensor", QL_TEXT("the inner sizes differ")},
        {"is invalid for input of size", QL_TEXT("the numbers of elements differ")},
        {"must match except in dimension", QL_TEXT("sizes differ along an axis that is not concatenated")},
        {"must match the size of tensor", QL_TEXT("sizes do not broadcast")},
        {"expanded size", QL_TEXT("sizes do not broadcast")},
        {"Dimension out of range", QL_TEXT("an axis is out of range")},
        {"out of range", QL_TEXT("an index is out of range")},
        {"out of bounds", QL_TEXT("an index is out of range")},
        {"support automatic differentiation", QL_TEXT("it has no gradient")},
    };
    for (const auto &[phrase, reason] : reasons)
        if (what.find(phrase) != std::string::npos) return reason;
    if (!dynamic_cast<const c10::Error *>(&error) && !what.empty()) return what;
    return QL_TEXT("input shapes or attributes are incompatible");
}

/// An operation with incompatible inputs: an error in the model, or in the shapes given to it.
const Text modelRemedy =
    QL_TEXT("Check the operation's attributes and inputs, and the input shapes (%1); or export the model again.")
        .with(Text::option("--input-shape"));

bool isOutOfMemory(const std::exception &error, const std::string &what)
{
    return dynamic_cast<const std::bad_alloc *>(&error) || what.find("allocate memory") != std::string::npos ||
           what.find("not enough memory") != std::string::npos || what.find("out of memory") != std::string::npos;
}

std::string wordsOf(const std::exception &error)
{
    const auto *torch = dynamic_cast<const c10::Error *>(&error);
    return torch ? torch->what_without_backtrace() : error.what();
}

/// Runs the kernel on tensors of the device. If LibTorch has no function for them there (because of a data type,
/// mostly), it runs on the CPU and the operation is added to program.refused.
std::vector<at::Tensor> callOnDevice(const Program::Impl &program, const Step &step, const KernelContext &context,
                                     Inputs inputs)
{
    try {
        return callKernel(*step.kernel, context, inputs);
    } catch (const Error &) {
        throw;
    } catch (const std::exception &error) {
        const std::string what = wordsOf(error);
        // After an error of the device itself, nothing on it works any more
        if (isOutOfMemory(error, what) || what.find("CUDA error") != std::string::npos) throw;
    }
    std::vector<at::Tensor> there;
    for (const at::Tensor &input : inputs) there.push_back(toHost(input));
    std::vector<at::Tensor> outputs = callKernel(*step.kernel, context, there);
    for (at::Tensor &output : outputs) output = toDevice(output, program.device);
    const std::lock_guard lock(program.refusedMutex);
    const HostOperation refused{step.op, refusedByDevice()};
    if (std::find(program.refused.begin(), program.refused.end(), refused) == program.refused.end())
        program.refused.push_back(refused);
    return outputs;
}

/// tracer: skips work of the kernel if only types are needed, or nullptr
void runKernel(const Program::Impl &program, const Step &step, std::vector<at::Tensor> &values, const JobContext &job,
               std::size_t batch, const TypeTracer *tracer)
{
    const Graph &graph = *program.graph;
    const Operation &op = graph.operation(step.op);
    std::vector<at::Tensor> inputs;
    inputs.reserve(step.inputs.size());
    for (const ValueId id : step.inputs) inputs.push_back(id == noValue ? at::Tensor() : values[std::size_t(id)]);
    KernelContext context{op, graph, &job};
    context.batch = batch;
    if (program.bodyProbe) context.bodyProbe = &program.bodyProbe;
    std::vector<at::Tensor> outputs;
    try {
        auto zeros = tracer ? tracer->zerosFor(op, inputs) : std::nullopt;
        if (tracer && !zeros)
            for (at::Tensor &input : inputs) input = TypeTracer::dense(input);
        outputs = zeros           ? std::move(*zeros)
                  : step.prepared ? step.prepared->run(context, inputs)
                  : step.onDevice ? callOnDevice(program, step, context, inputs)
                                  : callKernel(*step.kernel, context, inputs);
        if (step.epilogue.kind != Epilogue::Kind::None && !step.epilogueInKernel)
            outputs.at(0) = applyEpilogue(outputs.at(0), step.epilogue);
    } catch (Error &error) {
        if (error.op.empty()) error.op = op.name;
        if (error.remedy.isEmpty()) error.remedy = modelRemedy;
        throw;
    } catch (const Cancelled &) {
        throw;
    } catch (const std::exception &error) {
        const std::string what = wordsOf(error);
        if (isOutOfMemory(error, what))
            throw Error(ErrorKind::OutOfMemory,
                        QL_TEXT("not enough memory for the result of %1 with inputs %2")
                            .with(op.type, inputsOf(op, graph, inputs)),
                        op.name)
                .withRemedy(QL_TEXT("Use a smaller batch or input size."));
        if (what.find("CUDA error") != std::string::npos)
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1 failed on the device: %2").with(op.type, what.substr(0, what.find('\n'))), op.name)
                .withRemedy(QL_TEXT("Run again with %1 to see what is wrong with the model or the data. The device "
                                    "stays unusable until this program ends.")
                                .with(Text::option("--device cpu")));
        const auto *ours = dynamic_cast<const IncompatibleInputs *>(&error);
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1 cannot be computed from its inputs %2: %3")
                        .with(op.type, inputsOf(op, graph, inputs), ours ? ours->reason() : reasonOf(error, what)),
                    op.name)
            .withRemedy(modelRemedy);
    } catch (const IterationLimitReached &) {
        throw;
    } catch (...) { // of a plug-in
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: an exception of an unknown type").with(op.type), op.name);
    }
    if (program.trainable) requireGradient(op, inputs, outputs);
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        if (step.outputs[i] == noValue) continue;
        if (i >= outputs.size() || !outputs[i].defined())
            throw Error(ErrorKind::Kernel, QL_TEXT("%1: output %2 is not computed").with(op.type, i), op.name)
                .withRemedy(modelRemedy);
        values[std::size_t(step.outputs[i])] = std::move(outputs[i]);
    }
}

/// Errors name the plug-in, if the kernel is part of one.
void runNamedKernel(const Program::Impl &program, const Step &step, std::vector<at::Tensor> &values,
                    const JobContext &job, std::size_t batch, const TypeTracer *tracer)
{
    try {
        runKernel(program, step, values, job, batch, tracer);
    } catch (Error &error) {
        const Operation &op = program.graph->operation(step.op);
        namePlugin(error, KernelEntry::kindName, op.domain.empty() ? op.type : op.domain + ":" + op.type);
        throw;
    }
}

void runQuantize(const Step &step, const Program::Impl &program, std::vector<at::Tensor> &values)
{
    const std::size_t from = std::size_t(step.inputs[0]);
    const std::size_t to = std::size_t(step.outputs[0]);
    try {
        if (program.trainable) {
            values[to] = quantizeForTraining(*program.trainable, step, values[from]);
            return;
        }
        if (step.rounding != TargetRounding::Divides) {
            values[to] = roundedByTarget(values[from], step);
            return;
        }
        const bool lastUse = !step.release.empty() && step.release[0] == step.inputs[0];
        if (lastUse && isExclusive(values[from]) && values[from].scalar_type() == at::kFloat) {
            at::Tensor x = std::move(values[from]);
            fakeQuantInPlace(x, step.config, step.scale, step.zeroPoint);
            values[to] = std::move(x);
        } else {
            values[to] = fakeQuant(values[from], step.config, step.scale, step.zeroPoint);
        }
    } catch (Error &error) {
        if (error.op.empty()) error.op = program.graph->operation(step.op).name;
        throw;
    }
}

} // namespace

std::vector<at::Tensor> Program::Impl::run(const std::vector<at::Tensor> &given, const JobContext &job,
                                           std::size_t batch, TypeTracer *tracer) const
{
    std::optional<c10::InferenceMode> noGradients;
    if (!trainable) noGradients.emplace();
    const c10::DeviceGuard guard(device);
    const ArenaScope memory;
    const ThreadScope scope(threads);
    if (given.size() != feedValues.size())
        throw Error(ErrorKind::BadData, QL_TEXT("expected %1 tensors, got %2").with(feedValues.size(), given.size()));
    std::vector<at::Tensor> values = constants;
    const auto placed = [&](const at::Tensor &value, std::size_t i) {
        if (!usesDevice()) return toHost(value);
        return feedsOnDevice[i] ? toDevice(value, device) : toHost(value);
    };
    const auto shown = [&](ValueId id) {
        const at::Tensor &value = values[std::size_t(id)];
        return resultsOnDevice ? value : toHost(value);
    };
    for (std::size_t i = 0; i < given.size(); ++i)
        if (feedValues[i] != noValue) values[std::size_t(feedValues[i])] = placed(given[i], i);
    for (const auto &[parameter, value] : trained) values[std::size_t(value)] = trainable->parameters.at(parameter);
    const auto record = [&](ValueId id) {
        if (id == noValue || valueVariables[std::size_t(id)] == noVar) return;
        tracer->record(valueVariables[std::size_t(id)], values[std::size_t(id)]);
    };
    if (tracer)
        for (const ValueId id : feedValues) record(id);
    for (const Step &step : steps) {
        job.checkpoint();
        switch (step.kind) {
        case Step::Kind::Kernel: runNamedKernel(*this, step, values, job, batch, tracer); break;
        case Step::Kind::Quantize: runQuantize(step, *this, values); break;
        case Step::Kind::Codes:
            values[std::size_t(step.outputs[0])] = centredCodes(values[std::size_t(step.inputs[0])], step.grid);
            break;
        case Step::Kind::Values:
            values[std::size_t(step.outputs[0])] = valuesOfCodes(values[std::size_t(step.inputs[0])], step.grid);
            break;
        case Step::Kind::Move: {
            const at::Tensor &value = values[std::size_t(step.inputs[0])];
            values[std::size_t(step.outputs[0])] = !step.onDevice ? toHost(value)
                                                   : trainable    ? value.to(device) // has a gradient
                                                                  : toDevice(value, device);
            break;
        }
        case Step::Kind::Probe: {
            const at::Tensor value = shown(step.inputs[0]);
            for (const auto &callback : step.callbacks) callback(value, batch);
            break;
        }
        }
        if (tracer)
            for (const ValueId id : step.outputs) record(id);
        for (const ValueId id : step.release) values[std::size_t(id)] = at::Tensor();
    }
    std::vector<at::Tensor> results;
    for (const ValueId id : outputValues) results.push_back(shown(id));
    return results;
}

Program::Program(std::shared_ptr<Impl> impl) : m_impl(std::move(impl)) {}

std::vector<at::Tensor> Program::run(const std::vector<at::Tensor> &values, const JobContext &job,
                                     const std::string &name, std::size_t batch) const
{
    try {
        return m_impl->run(values, job, batch, nullptr);
    } catch (const Error &error) {
        if (name.empty() || (error.kind != ErrorKind::Kernel && error.kind != ErrorKind::BadData)) throw;
        throw Error(error.kind, QL_TEXT("%1, for sample %2").with(error.message, name), error.op, error.variable)
            .inFile(error.file)
            .withRemedy(error.remedy);
    }
}

std::vector<at::Tensor> Program::run(const Feed &feed, const JobContext &job, const std::string &name,
                                     std::size_t batch) const
{
    std::vector<at::Tensor> values;
    for (std::size_t i = 0; i < m_impl->feedNames.size(); ++i) {
        const std::string &input = m_impl->feedNames[i];
        const auto it = feed.find(input);
        if (it == feed.end())
            throw Error(ErrorKind::BadData, QL_TEXT("the data has no array for this graph input"), {}, input);
        const TensorType &want = m_impl->graph->variable(m_impl->feeds[i]).type;
        if (want.dtype != at::ScalarType::Undefined && it->second.scalar_type() != want.dtype)
            throw Error(ErrorKind::BadData,
                        QL_TEXT("expected %1, got %2").with(dtypeName(want.dtype), dtypeName(it->second.scalar_type())),
                        {}, input);
        bool fits = !want.shape || std::int64_t(want.shape->size()) == it->second.dim();
        for (std::size_t d = 0; fits && want.shape && d < want.shape->size(); ++d)
            fits = (*want.shape)[d].size < 0 || (*want.shape)[d].size == it->second.size(std::int64_t(d));
        if (!fits)
            throw Error(
                ErrorKind::BadData,
                QL_TEXT("expected shape %1, got %2").with(toString(want), toString(TypeTracer::typeOf(it->second))), {},
                input)
                .withRemedy(QL_TEXT("Preprocess the data to this shape, or fix a dynamic shape with %1.")
                                .with(Text::option("--input-shape")));
        values.push_back(it->second);
    }
    return run(values, job, name, batch);
}

bool Program::prepare(std::size_t step) const
{
    if (step >= m_impl->steps.size()) return false;
    const Step &s = m_impl->steps[step];
    if (s.kind != Step::Kind::Kernel || !s.prepared || s.inputs.empty() || s.inputs[0] == noValue) return true;
    const Operation &op = m_impl->graph->operation(s.op);
    const TensorType &type = m_impl->graph->variable(op.inputs[0]).type;
    if (!type.shape) return true;
    std::vector<std::int64_t> sizes;
    for (const Dim &dim : *type.shape) sizes.push_back(dim.size);
    if (std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size < 1; })) return true;
    try {
        const c10::InferenceMode noGradients;
        s.prepared->prepareFor(KernelContext{op, *m_impl->graph}, sizes);
    } catch (const std::exception &) { // reported at run time, if reached
    }
    return true;
}

const std::vector<VarId> &Program::feeds() const
{
    return m_impl->feeds;
}

const std::vector<VarId> &Program::outputs() const
{
    return m_impl->outputs;
}

std::vector<HostOperation> Program::hostOperations() const
{
    std::vector<HostOperation> all = m_impl->hostOperations;
    const std::lock_guard lock(m_impl->refusedMutex);
    all.insert(all.end(), m_impl->refused.begin(), m_impl->refused.end());
    return all;
}

} // namespace ql

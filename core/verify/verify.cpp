#include "core/verify/verify.h"

#include "core/base/error.h"
#include "core/base/scratch_folder.h"
#include "core/base/strings.h"
#include "core/exec/target_rounding.h"
#include "core/ir/op_traits.h"
#include "core/verify/causes.h"

#include <ATen/ops/equal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace ql {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostFailures = 5; ///< of cuts in a row

/// Files of the same stem: a runtime may read its scales from one of them.
void copyCompanions(const fs::path &file, const fs::path &folder)
{
    const fs::path parent = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (const fs::directory_entry &entry : fs::directory_iterator(parent))
        if (entry.is_regular_file() && entry.path().stem() == file.stem() && entry.path() != file)
            fs::copy_file(entry.path(), folder / entry.path().filename());
}

class Verification
{
public:
    Verification(const VerifyInput &input, const JobContext &job)
        : m_input(input), m_job(job), m_graph(input.model.graph), m_executor(m_graph, input.exec)
    {
        for (std::size_t i = 0; i < input.data.size(); ++i) m_feeds.push_back(input.data.batch(i));
        for (const Feed &feed : m_feeds) m_report.samples += samplesPerBatch(feed);
    }

    api::VerifyReport run()
    {
        m_plain = runtime(m_input.file, {}, 0, 0.3);
        compareOutputs();
        if (const auto &facts = m_plain->reply().facts; facts.contains("sessions"))
            m_report.notes.push_back(
                QL_TEXT("The runtime's results differ between sessions with the same file and inputs, so no "
                        "simulation can agree with all of them."));
        if (m_input.intermediate) compareInside();
        const auto isGood = [&](const api::TensorAgreement &row) { return row.withinOneStep >= m_input.within; };
        m_report.good = std::all_of(m_report.outputs.begin(), m_report.outputs.end(), isGood);
        m_report.within = m_input.within;
        m_report.file = m_input.file.string();
        m_report.runtime = {m_input.runtime.info.id, m_plain->reply().version, m_input.options, m_plain->reply().facts};
        return std::move(m_report);
    }

private:
    std::shared_ptr<RuntimeResult> runtime(const fs::path &file, std::vector<std::string> outputs, double from,
                                           double to)
    {
        m_job.checkpoint(from, QL_TEXT("run %1").with(m_input.runtime.info.title));
        const RuntimeRequest request{file, m_feeds, std::move(outputs), m_input.options};
        return std::make_shared<RuntimeResult>(m_input.runtime.run(m_input.place, request, m_job.part(from, to)));
    }

    /// The same number of elements as the simulator's.
    at::Tensor shaped(const at::Tensor &runtime, const at::Tensor &simulator, const std::string &name) const
    {
        if (runtime.numel() == simulator.numel()) return runtime.reshape(simulator.sizes());
        throw Error(ErrorKind::BadData,
                    QL_TEXT("the tensor is %1 in the runtime and %2 in the simulator")
                        .with(sizesText(runtime.sizes()), sizesText(simulator.sizes())),
                    {}, name)
            .withRemedy(QL_TEXT("Check that the file was exported from this recipe."));
    }

    /// Compares variables over all batches. value: the runtime's; simulatedOnes: set to the simulator's, by batch
    std::vector<api::TensorAgreement> compare(const std::vector<AlignedTensor> &tensors, const RuntimeValues &value,
                                              double from, double to, std::vector<at::Tensor> *simulatedOnes = nullptr)
    {
        const auto isRoundedInput = [this](const AlignedTensor &tensor) {
            return tensor.isInput(m_graph) && tensor.slot.has_value();
        };
        std::vector<VarId> computed;
        for (const AlignedTensor &tensor : tensors)
            if (!isRoundedInput(tensor)) computed.push_back(tensor.variable);
        ProgramSpec spec;
        spec.outputs = computed;
        const Program floating = m_executor.compile(spec);
        spec.plan = &m_input.model.plan;
        const Program simulator = m_executor.compile(spec);
        std::vector<Agreement> agreements;
        for (const AlignedTensor &tensor : tensors) agreements.emplace_back(tensor.steps);
        for (std::size_t batch = 0; batch < m_feeds.size(); ++batch) {
            m_job.checkpoint(from + (to - from) * double(batch) / double(m_feeds.size()), QL_TEXT("compare"));
            const auto f = floating.run(m_feeds[batch], m_job, m_input.data.name(batch), batch);
            const auto s = simulator.run(m_feeds[batch], m_job, m_input.data.name(batch), batch);
            const std::int64_t samples = samplesPerBatch(m_feeds[batch]);
            std::size_t next = 0;
            for (std::size_t t = 0; t < tensors.size(); ++t) {
                const std::string &name = m_graph.variable(tensors[t].variable).name;
                at::Tensor simulated, original;
                if (isRoundedInput(tensors[t])) {
                    original = m_feeds[batch].at(name);
                    simulated = roundedForTarget(original, m_graph, m_input.model.plan, *tensors[t].slot);
                } else {
                    original = f[next];
                    simulated = s[next++];
                    if (tensors[t].isRoundedByReaders(m_graph))
                        simulated = roundedForTarget(simulated, m_graph, m_input.model.plan, *tensors[t].slot);
                }
                if (simulatedOnes) simulatedOnes->push_back(simulated.contiguous());
                agreements[t].add(shaped(value(batch, tensors[t]), simulated, name), simulated, original,
                                  rowsOf(simulated, samples));
            }
        }
        std::vector<api::TensorAgreement> rows;
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            api::TensorAgreement row;
            const Variable &variable = m_graph.variable(tensors[t].variable);
            row.name = variable.name;
            if (variable.producer != noOp) row.op = m_graph.operation(variable.producer).name;
            agreements[t].fill(row);
            rows.push_back(std::move(row));
        }
        return rows;
    }

    void compareOutputs()
    {
        std::vector<AlignedTensor> tensors;
        for (const VarId id : m_graph.outputs()) {
            // An input or a constant is an output as it is, however others round it
            const bool isComputed = m_graph.variable(id).producer != noOp;
            const std::optional<Slot> slot = isComputed ? roundingSlot(m_input.model, id) : std::nullopt;
            tensors.push_back({id, slot, stepsOf(m_input.model, slot), {}});
        }
        m_report.outputs = compare(
            tensors,
            [this](std::size_t batch, const AlignedTensor &tensor) {
                return m_plain->tensor(batch, m_graph.variable(tensor.variable).name);
            },
            0.3, 0.4);
    }

    void compareInside()
    {
        const ModelFileEntry *format =
            Registry<ModelFileEntry>::instance().find(lower(m_input.file.extension().string()));
        if (!format) {
            m_report.notes.push_back(QL_TEXT("Only outputs are compared: files of this format cannot be cut."));
            return;
        }
        m_file = format->tensors(m_input.file);
        m_tensors = alignedTensors(m_input.model, m_file);
        if (m_tensors.empty()) {
            m_report.notes.push_back(QL_TEXT(
                "Only outputs are compared: no inner tensor of the file has the name of a tensor in the model."));
            return;
        }
        const ScratchFolder scratch;
        const fs::path changed = scratch.path() / m_input.file.filename();
        if (hasScalesAside()) copyCompanions(m_input.file, scratch.path());
        if (const auto all = withIntermediateOutputs(*format, changed)) {
            m_report.how = "intermediate outputs";
            compareAsRead(*all);
            for (std::size_t i = 0; i < m_tensors.size(); ++i) m_sources.push_back(all);
            m_report.tensors = compare(m_tensors, values(), 0.6, 0.7);
            for (std::size_t i = 0; i < m_tensors.size(); ++i) {
                m_job.checkpoint(0.7 + 0.3 * double(i) / double(m_tensors.size()), QL_TEXT("compare"));
                if (m_report.tensors[i].equal < 1) check(i);
                if (isFound()) break;
            }
        } else {
            m_report.how = "cuts";
            compareCuts(*format, changed);
        }
        if (!m_report.firstDivergence && m_firstTies)
            m_report.firstDivergence = causeOf(context(), *m_firstTies, *m_report.tensors[*m_firstTies].local);
        for (std::size_t i = 0; !isFound() && !isEqual() && i < m_report.tensors.size(); ++i)
            m_report.firstDivergence = tieAtConsumer(context(), i);
        if (!isFound() && !isEqual()) m_report.firstDivergence = m_moved;
        if (!isFound() && !isEqual()) m_report.firstDivergence = tieUpstream();
    }

    /// The first tensor with other codes, if the simulator gives the runtime's from the runtime's own tensors upstream,
    /// and these agree within the tolerance: rounding errors of float operations in a row cross the border of two
    /// codes.
    std::optional<api::FirstDivergence> tieUpstream() const
    {
        for (std::size_t i = 0; i < m_report.tensors.size(); ++i) {
            const api::TensorAgreement &row = m_report.tensors[i];
            const bool isQuantized = m_tensors[i].steps.isQuantized();
            if ((isQuantized ? row.equal : row.withinOneStep) == 1) continue;
            if (!isQuantized || !row.local || row.local->differing > 0) return {};
            const auto differing = std::llround((1 - row.equal) * double(row.elements));
            return api::FirstDivergence{
                row.op, row.name, api::cause::tie,
                QL_TEXT("%1 elements have other codes, but none if computed from the runtime's own tensors upstream, "
                        "which agree within the tolerance: rounding errors of float operations add up and cross the "
                        "border of two codes")
                    .with(differing)};
        }
        return {};
    }

    bool isEqual() const
    {
        return std::all_of(m_report.outputs.begin(), m_report.outputs.end(),
                           [](const api::TensorAgreement &row) { return row.equal == 1; });
    }

    /// The tensors as outputs of the whole model; nothing if that changes what the runtime computes.
    std::shared_ptr<RuntimeResult> withIntermediateOutputs(const ModelFileEntry &format, const fs::path &changed)
    {
        std::vector<std::string> outputs;
        for (const AlignedTensor &tensor : m_tensors)
            outputs.push_back(tensor.file.codes.empty() ? tensor.file.name : tensor.file.codes);
        const std::size_t inner = outputs.size();
        for (const VarId id : m_graph.outputs()) outputs.push_back(m_graph.variable(id).name);
        try {
            format.writeWithOutputs(m_input.file, changed,
                                    std::vector<std::string>(outputs.begin(), outputs.begin() + std::ptrdiff_t(inner)),
                                    true);
            std::sort(outputs.begin(), outputs.end());
            outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
            auto result = runtime(changed, outputs, 0.4, 0.6);
            for (std::size_t batch = 0; batch < m_feeds.size(); ++batch)
                for (const VarId id : m_graph.outputs()) {
                    const std::string &name = m_graph.variable(id).name;
                    const at::Tensor a = m_plain->tensor(batch, name), b = result->tensor(batch, name);
                    if (a.sizes() != b.sizes() || !at::equal(a, b)) {
                        m_report.notes.push_back(QL_TEXT("With inner tensors as outputs, the runtime computes a "
                                                         "different '%1', because it fuses operations differently. So "
                                                         "the model is cut at each tensor in turn, up to the first "
                                                         "divergence.")
                                                     .with(name));
                        return nullptr;
                    }
                }
            keepThoseOf(*result);
            return result;
        } catch (const Error &error) {
            m_report.notes.push_back(
                QL_TEXT("The model cannot be run with inner tensors as outputs (%1), so it is cut at each tensor in "
                        "turn, up to the first divergence.")
                    .with(error.message));
            return nullptr;
        }
    }

    /// A runtime that fuses operations does not have the tensors between them.
    void keepThoseOf(const RuntimeResult &result)
    {
        const auto removed = std::erase_if(m_tensors, [&](const AlignedTensor &tensor) {
            return !result.contains(0, tensor.file.codes.empty() ? tensor.file.name : tensor.file.codes);
        });
        if (removed > 0)
            m_report.notes.push_back(
                QL_TEXT("%1 inner tensors do not exist in the runtime, which fuses operations.").with(removed));
    }

    /// The values of a tensor, also where the runtime gave codes.
    static at::Tensor decoded(const RuntimeResult &result, std::size_t batch, const AlignedTensor &tensor)
    {
        if (!tensor.file.codes.empty() && result.contains(batch, tensor.file.codes))
            return valuesOfCodes(result.tensor(batch, tensor.file.codes), tensor.file);
        return result.tensor(batch, tensor.file.name).to(at::kFloat);
    }

    /// MNN hands out codes of a tensor that its readers round, although the operation that writes it is a float one.
    /// Such a tensor is compared as they read it.
    void compareAsRead(const RuntimeResult &result)
    {
        for (AlignedTensor &tensor : m_tensors) {
            if (tensor.slot) continue;
            const std::optional<Slot> slot = roundingReader(m_input.model, tensor.variable);
            const Steps steps = stepsOf(m_input.model, slot);
            if (!steps.isQuantized()) continue;
            bool isRounded = true;
            for (std::size_t batch = 0; isRounded && batch < m_feeds.size(); ++batch)
                isRounded = steps.contain(decoded(result, batch, tensor));
            if (!isRounded) continue;
            tensor.slot = slot;
            tensor.steps = steps;
        }
    }

    /// Whether the operation before the tensor only copies values.
    bool isMoved(const AlignedTensor &tensor) const
    {
        const Variable &variable = m_graph.variable(tensor.variable);
        const auto &outputs = m_graph.outputs();
        if (variable.producer == noOp || std::find(outputs.begin(), outputs.end(), tensor.variable) != outputs.end())
            return false;
        return traitsOf(m_graph.operation(variable.producer)).keepsGrid;
    }

    /// Whether the runtime rounds the tensor only because the operation that reads it has scales next to the file, as
    /// MNN does with an Add: in the model that is cut at it, that operation is missing.
    bool isRoundedForReader(const AlignedTensor &tensor) const
    {
        if (!hasScalesAside() || !tensor.slot || !tensor.slot->output) return false;
        OpId id = m_graph.variable(tensor.variable).producer;
        while (id != noOp && isLinearActivation(m_graph.operation(id)))
            id = m_graph.variable(m_graph.operation(id).inputs[0]).producer;
        return id == noOp || !isComputing(m_graph.operation(id));
    }

    /// A runtime may refuse the model that is cut at some tensors: those are left out.
    void compareCuts(const ModelFileEntry &format, const fs::path &changed)
    {
        const auto leaveOut = [this](std::size_t &i) { m_tensors.erase(m_tensors.begin() + std::ptrdiff_t(i--)); };
        std::string first;
        Text why;
        std::size_t failed = 0, inRow = 0;
        for (std::size_t i = 0; i < m_tensors.size() && inRow < mostFailures && !isFound(); ++i) {
            const double at = 0.4 + 0.6 * double(i) / double(m_tensors.size());
            // A cut after an input would leave no operation. One after a copy may change how the runtime computes
            // what is copied. What reads such a tensor is compared
            if (m_tensors[i].isInput(m_graph) || isMoved(m_tensors[i]) || isRoundedForReader(m_tensors[i])) {
                leaveOut(i);
                continue;
            }
            try {
                compareCut(format, changed, i, at);
                inRow = 0;
            } catch (const Error &error) { // the outputs are known
                if (++failed == 1) {
                    first = m_graph.variable(m_tensors[i].variable).name;
                    why = error.message;
                }
                m_sources.resize(std::min(m_sources.size(), i));
                m_report.tensors.resize(std::min(m_report.tensors.size(), i));
                leaveOut(i);
                ++inRow;
            }
        }
        if (failed > 0)
            m_report.notes.push_back(
                QL_TEXT("Cuts that the runtime refused, which are left out: %1; the first one at '%2': %3")
                    .with(failed, first, why));
    }

    void compareCut(const ModelFileEntry &format, const fs::path &changed, std::size_t i, double at)
    {
        AlignedTensor &tensor = m_tensors[i];
        tensor.file.scale = tensor.file.codes.empty() ? at::Tensor() : tensor.file.scale;
        format.writeWithOutputs(m_input.file, changed, {tensor.file.name}, false);
        m_sources.push_back(runtime(changed, {tensor.file.name}, at, at));
        // A tensor upstream may differ in the model that is cut at it, but not in this one
        std::vector<at::Tensor> whole;
        m_report.tensors.push_back(compare({tensor}, values(), at, at, &whole).front());
        if (m_report.tensors.back().equal < 1) check(i, whole);
        if (!isFound() || m_report.firstDivergence->cause != api::cause::unknown) return;
        try {
            lookUpstream(format, changed, i);
        } catch (const Error &) { // of a longer list of outputs: the cause stays unknown
        }
    }

    /// A tensor upstream of tensor i may be computed differently in the model that is cut at i than in the model that
    /// is cut at itself. It is an output of that model, too, if this does not change tensor i.
    void lookUpstream(const ModelFileEntry &format, const fs::path &changed, std::size_t i)
    {
        std::vector<std::string> names;
        for (std::size_t j = 0; j <= i; ++j) names.push_back(m_tensors[j].file.name);
        format.writeWithOutputs(m_input.file, changed, names, false);
        const auto together = runtime(changed, names, 1, 1);
        for (std::size_t batch = 0; batch < m_feeds.size(); ++batch)
            if (!at::equal(together->tensor(batch, names.back()), m_sources[i]->tensor(batch, names.back()))) return;
        auto sources = std::vector(i + 1, together);
        std::swap(m_sources, sources);
        auto rows = m_report.tensors;
        auto unknown = std::exchange(m_report.firstDivergence, std::nullopt);
        const auto ties = m_firstTies;
        for (std::size_t j = 0; j < i && !isFound(); ++j) {
            std::vector<at::Tensor> whole;
            m_report.tensors[j] = compare({m_tensors[j]}, values(), 1, 1, &whole).front();
            if (m_report.tensors[j].equal < 1) check(j, whole);
        }
        if (isFound() && m_report.firstDivergence->cause != api::cause::unknown) {
            m_report.notes.push_back(
                QL_TEXT("In the model cut at '%1', the runtime computes '%2' differently than in the model cut there.")
                    .with(m_graph.variable(m_tensors[i].variable).name, m_report.firstDivergence->tensor));
            return;
        }
        m_sources = std::move(sources);
        m_report.tensors = std::move(rows);
        m_report.firstDivergence = std::move(unknown);
        m_firstTies = ties;
    }

    bool hasScalesAside() const
    {
        const auto &aside = m_input.runtime.scalesAside;
        return std::find(aside.begin(), aside.end(), lower(m_input.file.extension().string())) != aside.end();
    }
    bool isFound() const { return m_report.firstDivergence.has_value(); }

    LocalContext context() const
    {
        return {.model = m_input.model,
                .executor = m_executor,
                .data = m_input.data,
                .tensors = m_tensors,
                .usable = m_sources.size(),
                .values = values(),
                .job = m_job,
                .scalesAside = hasScalesAside(),
                .file = &m_file,
                .changedParameters = &m_input.changedParameters};
    }

    RuntimeValues values() const
    {
        return [this](std::size_t batch, const AlignedTensor &tensor) {
            const auto at = std::find_if(m_tensors.begin(), m_tensors.end(),
                                         [&](const auto &other) { return other.variable == tensor.variable; });
            return decoded(*m_sources.at(std::size_t(at - m_tensors.begin())), batch, tensor);
        };
    }

    /// Compares tensor i as computed from the runtime's own tensors upstream; finds the cause if it diverges.
    /// whole: as in localAgreement()
    void check(std::size_t i, const std::vector<at::Tensor> &whole = {})
    {
        const LocalContext local = context();
        const api::LocalAgreement agreement = localAgreement(local, i, whole);
        m_report.tensors[i].local = agreement;
        if (agreement.differing == 0) return;
        if (isExplainedByTies(agreement)) {
            if (!m_firstTies) m_firstTies = i;
            return;
        }
        if (auto moved = movedRounding(local, i)) {
            if (!m_moved) m_moved = std::move(moved);
            return;
        }
        m_report.firstDivergence = causeOf(local, i, agreement);
    }

    const VerifyInput &m_input;
    const JobContext &m_job;
    const Graph &m_graph;
    const Executor m_executor;
    std::vector<Feed> m_feeds;
    std::map<std::string, FileTensor> m_file;
    std::vector<AlignedTensor> m_tensors;
    std::shared_ptr<RuntimeResult> m_plain;
    std::vector<std::shared_ptr<RuntimeResult>> m_sources; ///< of the first of m_tensors
    std::optional<std::size_t> m_firstTies;
    std::optional<api::FirstDivergence> m_moved; ///< by a rounding that the runtime moves; no numbers change
    api::VerifyReport m_report;
};

} // namespace

api::VerifyReport verifyFile(const VerifyInput &input, const JobContext &job)
{
    const auto begin = std::chrono::steady_clock::now();
    api::VerifyReport report = Verification(input, job).run();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
}

} // namespace ql

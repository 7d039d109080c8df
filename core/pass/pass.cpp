#include "core/pass/pass.h"

#include "core/base/error.h"
#include "core/base/plugin.h"
#include "core/ir/unwritten_tensors.h"
#include "core/platform/platform_params.h"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

namespace ql {

PassRegistrar::PassRegistrar(PassEntry entry)
{
    const std::string id = entry.info.id;
    if (entry.valuesFrom) {
        PlatformParams params{{},
                              namedFunction(entry.valuesFrom, QL_TEXT("pass %1").with(id), PassEntry::kindName, id)};
        for (const api::ParamSpec &spec : entry.info.params)
            if (!spec.follows.empty()) params.follows.emplace(spec.name, spec.follows);
        Registry<PlatformParams>::instance().add(id, std::move(params));
    }
    Registry<PassEntry>::instance().add(id, std::move(entry));
}

const api::PassTraits &passTraits(const std::string &id)
{
    return Registry<PassEntry>::instance().at(id, QL_TEXT("pass")).traits;
}

api::PassCatalogue passCatalogue()
{
    api::PassCatalogue passes;
    for (const std::string &id : Registry<PassEntry>::instance().ids()) passes.emplace(id, passTraits(id));
    return passes;
}

std::string passThatWrites(PassAspect aspect)
{
    return api::passThatWrites(aspect, passCatalogue());
}

std::unique_ptr<Pass> makePass(const std::string &id, const nlohmann::json &params)
{
    const PassEntry &entry = Registry<PassEntry>::instance().at(id, QL_TEXT("pass"));
    const nlohmann::json complete = api::completeParams(entry.info.params, params, QL_TEXT("pass '%1'").with(id));
    const Text who = QL_TEXT("pass %1").with(id);
    std::unique_ptr<Pass> pass;
    try {
        pass = entry.make(complete);
    } catch (...) {
        throwNamed<PassEntry>(who, id);
    }
    const auto wrong = [&](const Text &what) { return entryError(who, what, PassEntry::kindName, id); };
    if (!pass) throw wrong(QL_TEXT("it was not created"));
    if (pass->id() != id) throw wrong(QL_TEXT("its id() is '%1'").with(std::string(pass->id())));
    return pass;
}

Text passTitle(const std::string &id)
{
    const PassEntry *entry = Registry<PassEntry>::instance().find(id);
    return entry ? entry->info.title : Text(id);
}

/// What is missing for a run of the graph; empty: nothing.
static Text missingValue(const Graph &graph)
{
    if (graph.outputs().empty()) return QL_TEXT("the graph has no outputs");
    const auto hasValue = [&](const Variable &variable) {
        return variable.producer != noOp || variable.isParameter() || graph.isGraphInput(variable.id);
    };
    for (const VarId id : graph.outputs())
        if (!hasValue(graph.variable(id)))
            return QL_TEXT("no operation computes the output '%1' of the graph").with(graph.variable(id).name);
    for (const VarId id : graph.variables())
        if (const Variable &variable = graph.variable(id); !variable.uses.empty() && !hasValue(variable))
            return QL_TEXT("no operation computes '%1', which '%2' reads")
                .with(variable.name, graph.operation(variable.uses.front().op).name);
    return {};
}

/// Values of the float network, earlier stages and caches.
static UnwrittenTensors sharedValues(const QuantModel &model)
{
    UnwrittenTensors values;
    for (const VarId id : model.graph.variables())
        values.add(model.graph.variable(id).name, model.graph.variable(id).value);
    for (const auto &[id, value] : model.plan.parameterValues) values.add(model.graph.variable(id).name, value);
    return values;
}

static void requireUnwritten(const UnwrittenTensors &values)
{
    if (const std::string written = values.firstWritten(); !written.empty())
        throw Error(ErrorKind::Internal, QL_TEXT("it wrote into the values of '%1'").with(written))
            .withRemedy(QL_TEXT("Values are shared with the float network: set a new tensor with Graph::setValue() or "
                                "in QuantPlan::parameterValues."));
}

namespace {

/// The worst of the values of a tensor.
enum class WorstValue { Finite, Infinite, Nan };

} // namespace

/// Of the tensors with values.
static std::map<VarId, WorstValue> worstValues(const QuantModel &model)
{
    std::map<VarId, WorstValue> found;
    const auto add = [&](VarId id, const at::Tensor &value) {
        if (!value.defined() || !value.is_floating_point()) return;
        const bool isFinite = at::isfinite(value).all().item().toBool();
        const WorstValue worst = isFinite                                 ? WorstValue::Finite
                                 : at::isnan(value).any().item().toBool() ? WorstValue::Nan
                                                                          : WorstValue::Infinite;
        const auto entry = found.emplace(id, worst).first;
        entry->second = std::max(entry->second, worst);
    };
    for (const VarId id : model.graph.variables()) add(id, model.graph.variable(id).value);
    for (const auto &[id, value] : model.plan.parameterValues) add(id, value);
    return found;
}

/// before: worstValues() before the pass. A new tensor may be infinite: a mask.
static void requireNumbers(const QuantModel &model, const std::map<VarId, WorstValue> &before)
{
    for (const auto &[id, worst] : worstValues(model)) {
        const auto old = before.find(id);
        if (worst <= (old == before.end() ? WorstValue::Infinite : old->second)) continue;
        const Variable &variable = model.graph.variable(id);
        const std::string op = variable.uses.empty() ? std::string() : model.graph.operation(variable.uses[0].op).name;
        const Text message = worst == WorstValue::Nan ? QL_TEXT("it set values of '%1' to NaN")
                                                      : QL_TEXT("it set values of '%1' to infinity");
        throw Error(ErrorKind::Internal, message.with(variable.name), op, variable.name);
    }
}

PassReport runPass(const Pass &pass, QuantModel &model, const PassContext &context)
{
    const std::string id(pass.id());
    context.job.checkpoint(0, passTitle(id));
    PassReport report;
    report.id = id;
    const bool wasComplete = missingValue(model.graph).isEmpty();
    const bool isOfPlugin = pluginOf(PassEntry::kindName, id).has_value();
    UnwrittenTensors unwritten; // reading all values takes time: only for code of others
    std::map<VarId, WorstValue> worst;
    if (isOfPlugin) {
        unwritten = sharedValues(model);
        worst = worstValues(model);
    }
    const auto start = std::chrono::steady_clock::now();
    try {
        report.changed = pass.run(model, context);
        requireUnwritten(unwritten);
        if (isOfPlugin) requireNumbers(model, worst);
        if (const Text missing = missingValue(model.graph); wasComplete && !missing.isEmpty())
            throw Error(ErrorKind::Internal, missing);
        if (report.changed != 0) { // the pass that broke the graph is named here, not three passes later
            model.graph.verify();
            model.plan.verify(model.graph);
        }
    } catch (const Error &error) {
        Error named(error.kind, QL_TEXT("pass %1: %2").with(id, error.message), error.op, error.variable);
        named.inFile(error.file).withRemedy(error.remedy);
        namePlugin(named, PassEntry::kindName, id);
        throw named;
    } catch (...) {
        throwNamed<PassEntry>(QL_TEXT("pass %1").with(id), id);
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

} // namespace ql

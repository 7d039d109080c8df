#include "core/platform/dispatcher.h"

#include "core/api/word_check.h"
#include "core/base/error.h"
#include "core/base/plugin.h"
#include "core/base/strings.h"
#include "core/ir/subgraphs.h"
#include "core/platform/body_weights.h"
#include "core/platform/rule.h"

#include <algorithm>

namespace ql {

DispatchRequest dispatchRequest(const PlatformDefinition &definition)
{
    return {{definition.quantizable.begin(), definition.quantizable.end()}, definition.id};
}

const DispatcherEntry &dispatcherNamed(const std::string &name)
{
    const std::string id = lower(name);
    return Registry<DispatcherEntry>::instance().at(id == "aggresive" ? "aggressive" : id, QL_TEXT("dispatcher"));
}

/// Names the dispatcher, which a plug-in may have registered, in its errors.
static Dispatch runDispatcher(const DispatcherEntry &entry, const GraphSearch &search, const DispatchRequest &request)
{
    const auto named = [&](const Text &what) { return QL_TEXT("dispatcher %1: %2").with(entry.info.id, what); };
    try {
        Dispatch result = entry.run(search, request);
        for (const OpId op : search.operations()) {
            const std::string &name = search.graph().operation(op).name;
            const auto decision = result.find(op);
            if (decision == result.end())
                throw Error(ErrorKind::Internal, QL_TEXT("no platform for this operation"), name);
            const std::string &id = decision->second.platform;
            if (id != request.platform && id != fp32Platform && id != soiPlatform && !findPlatform(id))
                throw Error(ErrorKind::Internal, QL_TEXT("there is no platform '%1'").with(id), name);
        }
        return result;
    } catch (const Error &error) {
        Error failed(error.kind, named(error.message), error.op, error.variable);
        failed.inFile(error.file).withRemedy(error.remedy);
        namePlugin(failed, DispatcherEntry::kindName, entry.info.id);
        throw failed;
    } catch (...) {
        throwNamed<DispatcherEntry>(QL_TEXT("dispatcher %1").with(entry.info.id), entry.info.id);
    }
}

Dispatch dispatch(const Graph &graph, const std::string &dispatcher, const DispatchRequest &request)
{
    const DispatcherEntry &entry = dispatcherNamed(dispatcher);
    const GraphSearch search(graph);
    Dispatch result = runDispatcher(entry, search, request);
    for (const OpId op : search.operations()) {
        const Operation &operation = graph.operation(op);
        DispatchEntry &decision = result.at(op);
        if (decision.platform == request.platform && !request.isQuantizable(operation))
            decision = {fp32Platform,
                        QL_TEXT("type %1 is not quantizable on %2").with(operation.type, request.platform)};
        if (bodies(operation).empty() || !request.isQuantizable(operation)) continue;
        const std::size_t weights = bodyWeights(graph, operation, request.quantizable).size();
        decision = weights == 0
                       ? DispatchEntry{fp32Platform, QL_TEXT("no weights of quantizable operations in its bodies")}
                       : DispatchEntry{request.platform, QL_TEXT("weights in its bodies: %1").with(weights)};
    }
    return result;
}

std::vector<api::CatalogueItem> dispatcherCatalogue()
{
    std::vector<api::CatalogueItem> items;
    const auto &registry = Registry<DispatcherEntry>::instance();
    for (const std::string &id : registry.ids()) items.push_back(registry.find(id)->info);
    return items;
}

static const api::WordCheckRegistrar platformWord{
    "platform", {[](const api::JsonNode &node) {
        const std::string id = node.string();
        if (id == fp32Platform || id == soiPlatform || findPlatform(id)) return;
        std::vector<std::string> known = {fp32Platform, soiPlatform};
        for (const PlatformDefinition *definition : platforms()) known.push_back(definition->id);
        node.fail(Text::sentences({QL_TEXT("unknown platform '%1'.").with(id), suggestion(id, known)}),
                  Text::sentences(unknownPlatformRemedy(id, known)));
    }}};

void applyDispatchOverrides(Dispatch &dispatch, const Graph &graph, const std::vector<api::Rule> &rules,
                            const std::function<void(api::Problem)> &report, const PlatformLookup &find,
                            const OperationNames &names)
{
    const std::vector<OpId> operations = graph.operations();
    for (std::size_t place = 0; place < rules.size(); ++place) {
        const api::RuleMatch &match = rules[place].match;
        const std::string &target = rules[place].set.platform;
        const Origin by{.kind = Origin::Kind::Override, .id = api::labelOf(match), .index = int(place)};
        if (target != fp32Platform && target != soiPlatform && !find(target)) platform(target); // which names near ones
        int matched = 0;
        for (const OpId op : operations) {
            if (!matchesOperation(match, graph.operation(op), names)) continue;
            dispatch[op] = {target, by.text(), by};
            ++matched;
        }
        if (matched > 0 || matchesInBodies(match, graph)) continue; // a body is dispatched when it is quantized
        std::vector<std::string> known;
        if (match.op.empty())
            for (const OpId op : operations) known.push_back(graph.operation(op).type);
        else
            known = knownNames(graph);
        report({.severity = api::Severity::Warning,
                .message = Text::sentences(
                    {QL_TEXT("dispatch[%1]: dispatch override '%2' matches no operation.").with(place, by.id),
                     suggestion(by.id, known)}),
                .remedy = QL_TEXT("Check the name, pattern or type; 'inspect' lists all operations.")});
    }
}

} // namespace ql

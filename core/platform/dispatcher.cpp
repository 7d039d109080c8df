#include "core/platform/dispatcher.h"

#include "core/base/error.h"
#include "core/base/strings.h"

#include <algorithm>

namespace ql {

DispatchRequest dispatchRequest(const PlatformDefinition &definition)
{
    return {{definition.quantizable.begin(), definition.quantizable.end()}, definition.id};
}

const DispatcherEntry &dispatcherNamed(const std::string &name)
{
    const std::string id = lower(name);
    return Registry<DispatcherEntry>::instance().at(id == "aggresive" ? "aggressive" : id, "dispatcher");
}

Dispatch dispatch(const Graph &graph, const std::string &dispatcher, const DispatchRequest &request)
{
    const DispatcherEntry &entry = dispatcherNamed(dispatcher);
    const GraphSearch search(graph);
    Dispatch result = entry.run(search, request);
    for (const OpId op : search.operations()) {
        const Operation &operation = graph.operation(op);
        DispatchEntry &decision = result.at(op);
        if (decision.platform == request.platform && !request.isQuantizable(operation))
            decision = {fp32Platform,
                        QL_TEXT("type %1 is not quantizable on %2").with(operation.type, request.platform)};
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

DispatchOverride dispatchOverrideFromJson(const api::JsonNode &node)
{
    node.expectKeys({"op", "types", "platform"});
    DispatchOverride entry;
    if (const auto n = node.find("op")) entry.op = n->string();
    if (const auto n = node.find("types")) entry.types = n->strings();
    if (entry.op.empty() && entry.types.empty()) node.fail(QL_TEXT("needs op (a name or shell pattern) or types"));
    entry.platform = node.at("platform").string();
    if (entry.platform != fp32Platform && entry.platform != soiPlatform && !findPlatform(entry.platform)) {
        std::vector<std::string> known = {fp32Platform, soiPlatform};
        for (const PlatformDefinition *definition : platforms()) known.push_back(definition->id);
        node.at("platform")
            .fail(Text::sentences(
                      {QL_TEXT("unknown platform '%1'.").with(entry.platform), suggestion(entry.platform, known)}),
                  QL_TEXT("Known: %1.").with(Text::list(known)));
    }
    return entry;
}

nlohmann::json toJson(const DispatchOverride &entry)
{
    nlohmann::json out = {{"platform", entry.platform}};
    if (!entry.op.empty()) out["op"] = entry.op;
    if (!entry.types.empty()) out["types"] = entry.types;
    return out;
}

void applyDispatchOverrides(Dispatch &dispatch, const Graph &graph, const std::vector<DispatchOverride> &overrides,
                            const std::function<void(api::Problem)> &report)
{
    const std::vector<OpId> operations = graph.operations();
    for (const DispatchOverride &entry : overrides) {
        const std::string label = entry.op.empty() ? join(entry.types, ", ") : entry.op;
        if (entry.platform != fp32Platform && entry.platform != soiPlatform) platform(entry.platform);
        int matched = 0;
        for (const OpId op : operations) {
            const Operation &operation = graph.operation(op);
            if (!entry.op.empty() && !globMatch(entry.op, operation.name) && entry.op != operation.name) continue;
            if (!entry.types.empty() &&
                std::find(entry.types.begin(), entry.types.end(), operation.type) == entry.types.end())
                continue;
            dispatch[op] = {entry.platform, QL_TEXT("override '%1'").with(label)};
            ++matched;
        }
        if (matched > 0) continue;
        std::vector<std::string> names;
        for (const OpId op : operations)
            names.push_back(entry.op.empty() ? graph.operation(op).type : graph.operation(op).name);
        report({"warning", "", "",
                Text::sentences({QL_TEXT("%1dispatch override '%2' matches no operation.")
                                     .with((entry.place.empty() ? "" : entry.place + ": "), label),
                                 suggestion(label, names)}),
                QL_TEXT("Check the name, pattern or type; 'inspect' lists all operations.")});
    }
}

} // namespace ql

#include "core/ir/body_names.h"

#include "core/base/strings.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

namespace ql {

const Graph &bodyAt(const Graph &graph, const BodyPath &path)
{
    const Graph *at = &graph;
    for (const auto &[op, attribute] : path)
        at = std::get<std::shared_ptr<const Graph>>(at->operation(op).attributes.find(attribute)->second).get();
    return *at;
}

static std::string pathTo(const Graph &graph, const BodyPath &path, OpId id)
{
    std::string text;
    for (std::size_t depth = 0; depth < path.size(); ++depth) {
        const BodyPath outer(path.begin(), path.begin() + std::ptrdiff_t(depth));
        text += bodyAt(graph, outer).operation(path[depth].first).name + "/" + path[depth].second + "/";
    }
    return text + bodyAt(graph, path).operation(id).name;
}

std::map<BodyPath, OperationNames> namesOfBodies(const Graph &graph)
{
    std::map<BodyPath, OperationNames> all;
    for (auto &[place, name] : namesInBodies(graph)) {
        const auto &[path, id] = place;
        std::string whole = pathTo(graph, path, id);
        std::vector<std::string> &names = all[path][id];
        const bool isShort = whole != name;
        names.push_back(name);
        if (isShort) names.push_back(std::move(whole));
    }
    return all;
}

const std::string &shownName(const Graph &graph, OpId id, const OperationNames &names)
{
    const auto found = names.find(id);
    return found == names.end() ? graph.operation(id).name : found->second.front();
}

bool isCalled(const std::string &pattern, const Operation &op, const OperationNames &names)
{
    const auto matches = [&](const std::string &name) { return pattern == name || globMatch(pattern, name); };
    if (pattern.empty()) return true;
    const auto found = names.find(op.id);
    if (found == names.end()) return matches(op.name);
    return std::any_of(found->second.begin(), found->second.end(), matches);
}

} // namespace ql

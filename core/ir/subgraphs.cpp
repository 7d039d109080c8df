#include "core/ir/subgraphs.h"

#include <variant>

namespace ql {

namespace {

using Body = std::shared_ptr<const Graph>;

int editBody(Body &body, const std::function<int(Graph &)> &edit)
{
    if (!body) return 0;
    auto copy = std::make_shared<Graph>(*body);
    const int changed = editAllGraphs(*copy, edit);
    if (changed > 0) body = std::move(copy);
    return changed;
}

} // namespace

std::vector<std::string> captureNames(const Operation &op)
{
    return op.stringsAttribute(capturesAttribute);
}

std::size_t formalInputCount(const Operation &op)
{
    const std::size_t captured = captureNames(op).size();
    return op.inputs.size() > captured ? op.inputs.size() - captured : 0;
}

std::vector<std::shared_ptr<const Graph>> bodies(const Operation &op)
{
    std::vector<Body> out;
    for (const auto &[key, value] : op.attributes) {
        if (const Body *body = std::get_if<Body>(&value)) out.push_back(*body);
        if (const auto *list = std::get_if<std::vector<Body>>(&value))
            out.insert(out.end(), list->begin(), list->end());
    }
    return out;
}

int editAllGraphs(Graph &graph, const std::function<int(Graph &)> &edit)
{
    int changed = 0;
    for (const OpId id : graph.operations()) {
        for (auto &[key, value] : graph.edit(id).attributes) {
            if (Body *body = std::get_if<Body>(&value)) changed += editBody(*body, edit);
            if (auto *list = std::get_if<std::vector<Body>>(&value))
                for (Body &body : *list) changed += editBody(body, edit);
        }
    }
    return changed + edit(graph);
}

} // namespace ql

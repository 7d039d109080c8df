#include "core/quant/networks.h"

#include <algorithm>

namespace ql {

const std::string &Network::nameOf(OpId id) const
{
    return shownName(model->graph, id, names);
}

bool Network::isNamed(const std::vector<std::string> &patterns, OpId id) const
{
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string &pattern) {
        return !pattern.empty() && isCalled(pattern, model->graph.operation(id), names);
    });
}

std::vector<Network> bodyNetworks(const QuantModel &model)
{
    if (model.plan.bodies.empty()) return {};
    std::vector<Network> networks;
    const auto names = namesOfBodies(model.graph);
    forEachQuantizedBody(model, [&](const BodyPath &path, const QuantModel &body) {
        const auto found = names.find(path);
        networks.push_back({path, &body, found == names.end() ? OperationNames() : found->second});
    });
    return networks;
}

std::vector<Network> networksOf(const QuantModel &model)
{
    std::vector<Network> networks = bodyNetworks(model);
    networks.insert(networks.begin(), Network{{}, &model, {}});
    return networks;
}

} // namespace ql

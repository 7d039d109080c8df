#include "core/io/importer.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"

#include <algorithm>
#include <set>

namespace ql {

namespace fs = std::filesystem;

const ImporterEntry &importerFor(const fs::path &file)
{
    const auto &registry = Registry<ImporterEntry>::instance();
    const std::string extension = lower(file.extension().string());
    std::set<std::string> known;
    for (const std::string &id : registry.ids()) {
        const ImporterEntry &entry = *registry.find(id);
        if (std::find(entry.extensions.begin(), entry.extensions.end(), extension) != entry.extensions.end())
            return entry;
        known.insert(entry.extensions.begin(), entry.extensions.end());
    }
    throw Error(ErrorKind::BadConfig, "no importer for files ending in '" + extension + "'")
        .inFile(file.string())
        .withRemedy("Known: " + join({known.begin(), known.end()}, ", ") + ".");
}

static void requireFile(const fs::path &file)
{
    std::error_code code;
    if (fs::is_directory(file, code))
        throw Error(ErrorKind::Io, "expected a model file, found a folder").inFile(file.string());
    if (!fs::exists(file, code)) throw cannotRead(file, ENOENT);
}

Graph importModel(const ImportRequest &request)
{
    requireFile(request.file);
    const ImporterEntry &entry = importerFor(request.file);
    if (!entry.takesWeights && !request.weights.empty())
        throw Error(ErrorKind::BadConfig, QL_TEXT("%1 models include their weights; %2 would not be read")
                                              .with(entry.info.title, request.weights.string()))
            .inFile(request.file.string())
            .withRemedy(QL_TEXT("Remove %1.").with(Text::option("--weights")));
    if (!request.weights.empty()) requireFile(request.weights);
    try {
        return entry.run(request);
    } catch (const Error &error) {
        if (!error.file.empty()) throw;
        throw Error(error).inFile(request.file.string());
    }
}

void applyInputShapes(Graph &graph, const std::map<std::string, std::vector<std::int64_t>> &shapes,
                      const std::function<void(api::Problem)> &report)
{
    std::map<std::string, std::int64_t> symbols;
    bool isReshaped = false;
    for (const auto &[name, sizes] : shapes) {
        const VarId id = graph.findVariable(name);
        if (id == noVar || !graph.isGraphInput(id)) {
            std::vector<std::string> names;
            for (const VarId input : graph.inputs()) names.push_back(graph.variable(input).name);
            throw Error(ErrorKind::BadConfig, "an input shape is given for '" + name + "', which is no graph input." +
                                                  didYouMean(name, names))
                .withRemedy("Graph inputs: " + join(names, ", ") + ".");
        }
        TensorType &type = graph.edit(id).type;
        const std::string declared = toString(type);
        if (!type.shape) type.shape.emplace(sizes.size());
        if (type.shape->size() != sizes.size())
            throw Error(ErrorKind::BadConfig,
                        "the input shape given has " + std::to_string(sizes.size()) +
                            " dimensions, the model declares " + declared,
                        {}, name)
                .withRemedy("Give one size per dimension; -1 keeps a dimension as it is.");
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            Dim &dim = (*type.shape)[i];
            if (sizes[i] == -1) continue;
            if (sizes[i] < 1)
                throw Error(ErrorKind::BadConfig,
                            "the input shape given has a dimension of " + std::to_string(sizes[i]), {}, name)
                    .withRemedy("Sizes are at least 1; -1 keeps a dimension as it is.");
            if (dim.size >= 0 && dim.size != sizes[i]) {
                isReshaped = true;
                report({"info",
                        {},
                        name,
                        "dimension " + std::to_string(i) + " is declared as " + std::to_string(dim.size) +
                            " and run as " + std::to_string(sizes[i]),
                        "If an operation refuses the new shape, the model has its sizes built in."});
            }
            if (!dim.symbol.empty()) symbols.emplace(dim.symbol, sizes[i]);
            dim = {sizes[i], {}};
        }
    }
    for (const VarId id : graph.variables()) {
        TensorType &type = graph.edit(id).type;
        if (!type.shape || graph.isParameter(id)) continue;
        for (Dim &dim : *type.shape)
            if (const auto it = symbols.find(dim.symbol); dim.size < 0 && it != symbols.end()) dim = {it->second, {}};
        // What the file says about inner tensors was true for the old sizes; the rank still is.
        if (isReshaped && !graph.isGraphInput(id))
            for (Dim &dim : *type.shape) dim = {};
    }
}

} // namespace ql

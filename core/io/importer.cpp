#include "core/io/importer.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/plugin.h"
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
    throw Error(ErrorKind::BadConfig, QL_TEXT("no importer for files ending in '%1'").with(extension))
        .inFile(file.string())
        .withRemedy(knownNames({known.begin(), known.end()}));
}

static void requireFile(const fs::path &file)
{
    std::error_code code;
    if (fs::is_directory(file, code))
        throw Error(ErrorKind::Io, QL_TEXT("expected a model file, found a folder")).inFile(file.string());
    if (!fs::exists(file, code)) throw cannotRead(file, ENOENT);
}

/// In a catch block. @throws Error that names the importer
[[noreturn]] static void failIn(const ImporterEntry &entry)
{
    throwNamed<ImporterEntry>(QL_TEXT("importer '%1'").with(entry.info.id), entry.info.id);
}

std::vector<fs::path> otherFilesOf(const ImportRequest &request)
{
    const ImporterEntry &entry = importerFor(request.file);
    try {
        return entry.otherFiles ? entry.otherFiles(request) : std::vector<fs::path>();
    } catch (...) {
        failIn(entry);
    }
}

Graph importModel(const ImportRequest &request)
{
    requireFile(request.file);
    const ImporterEntry &entry = importerFor(request.file);
    if (!entry.takesWeights && !request.weights.empty())
        throw Error(ErrorKind::BadConfig, QL_TEXT("%1 models include their weights; %2 would not be read")
                                              .with(entry.info.title, request.weights.string()))
            .inFile(request.file.string())
            .withFix(Fix::RemoveWeights)
            .withRemedy(QL_TEXT("Remove %1.").with(Text::option("--weights")));
    if (!request.weights.empty()) requireFile(request.weights);
    try {
        return entry.run(request);
    } catch (const Error &error) {
        if (!error.file.empty()) throw;
        throw Error(error).inFile(request.file.string());
    } catch (...) {
        failIn(entry);
    }
}

void applyInputShapes(Graph &graph, const std::map<std::string, std::vector<std::int64_t>> &shapes,
                      const std::function<void(api::Problem)> &report)
{
    std::map<std::string, std::int64_t> symbols;
    bool isReshaped = false;
    for (const auto &ids : {graph.inputs(), graph.outputs()})
        for (const VarId id : ids)
            if (const TensorType &type = graph.variable(id).type; type.shape && !type.isStatic() && !shapes.empty())
                graph.declaredShapes.emplace(graph.variable(id).name, *type.shape);
    for (const auto &[name, sizes] : shapes) {
        const VarId id = graph.findVariable(name);
        if (id == noVar || !graph.isGraphInput(id)) {
            std::vector<std::string> names;
            for (const VarId input : graph.inputs()) names.push_back(graph.variable(input).name);
            throw Error(
                ErrorKind::BadConfig,
                Text::sentences({QL_TEXT("an input shape is given for '%1', which is not a graph input.").with(name),
                                 suggestion(name, names)}))
                .withRemedy(QL_TEXT("Graph inputs: %1.").with(Text::list(names)));
        }
        TensorType &type = graph.edit(id).type;
        const std::string declared = toString(type);
        if (!type.shape) type.shape.emplace(sizes.size());
        if (type.shape->size() != sizes.size())
            throw Error(
                ErrorKind::BadConfig,
                QL_TEXT("the input shape given has %1 dimensions, the model declares %2").with(sizes.size(), declared),
                {}, name)
                .withRemedy(QL_TEXT("Give one size per dimension; -1 keeps a dimension as it is."));
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            Dim &dim = (*type.shape)[i];
            if (sizes[i] == -1) continue;
            if (sizes[i] < 1)
                throw Error(ErrorKind::BadConfig, QL_TEXT("the input shape given has a dimension of %1").with(sizes[i]),
                            {}, name)
                    .withRemedy(QL_TEXT("Sizes are at least 1; -1 keeps a dimension as it is."));
            if (dim.size >= 0 && dim.size != sizes[i]) {
                isReshaped = true;
                if (const auto open = graph.declaredShapes.find(name); open != graph.declaredShapes.end())
                    open->second[i] = {sizes[i], {}}; // the model runs with this size
                report({.severity = api::Severity::Info,
                        .variable = name,
                        .message = QL_TEXT("dimension %1 is declared as %2 and run as %3").with(i, dim.size, sizes[i]),
                        .remedy = QL_TEXT("If an operation rejects the new shape, the model has hard-coded sizes.")});
            }
            if (!dim.symbol.empty()) symbols.emplace(dim.symbol, sizes[i]);
            dim = {sizes[i], {}};
        }
    }
    if (isReshaped) {
        for (auto &[name, shape] : graph.declaredShapes)
            for (Dim &dim : shape)
                if (dim.size >= 0 && !graph.isGraphInput(graph.findVariable(name))) dim = {};
    }
    for (const VarId id : graph.variables()) {
        TensorType &type = graph.edit(id).type;
        if (!type.shape || graph.isParameter(id)) continue;
        for (Dim &dim : *type.shape)
            if (const auto it = symbols.find(dim.symbol); dim.size < 0 && it != symbols.end()) dim = {it->second, {}};
        // The file's shapes of inner tensors applied to the old sizes; the ranks remain valid.
        if (isReshaped && !graph.isGraphInput(id))
            for (Dim &dim : *type.shape) dim = {};
    }
}

} // namespace ql

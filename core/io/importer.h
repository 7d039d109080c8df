#pragma once

#include "core/api/params.h"
#include "core/base/registry.h"
#include "core/ir/graph.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ql {

/// Input of an importer.
struct ImportRequest
{
    std::filesystem::path file;
    std::filesystem::path weights; ///< for formats with a separate weights file; otherwise empty
    std::map<std::string, std::vector<std::int64_t>> inputShapes; ///< by graph input; -1 keeps a dimension
    std::function<void(api::Problem)> report = [](api::Problem) {};
};

/// How a type of another format is imported.
struct ImportedType
{
    std::string type, becomes, notes;
};

/// A model format. Registers itself from its own file:
/// `static const Registrar<ImporterEntry> registrar{"onnx", {...}};`
struct ImporterEntry
{
    static constexpr const char *kindName = "importer";
    api::CatalogueItem info;
    std::vector<std::string> extensions = {}; ///< lower case, with the dot
    bool takesWeights = false;                ///< the weights may be in a second file, named in the request
    std::function<Graph(const ImportRequest &)> run = {};
    /// Files besides request.file that run reads, if they exist; they are part of the model.
    std::function<std::vector<std::filesystem::path>(const ImportRequest &)> otherFiles = {};
    /// For formats with operators other than ONNX's: the resulting operators.
    std::function<std::vector<ImportedType>()> types = {};
};

/// The importer for a file, by its extension. @throws Error (BadConfig) naming the known ones.
const ImporterEntry &importerFor(const std::filesystem::path &file);

/// ImporterEntry::otherFiles of the file's importer.
std::vector<std::filesystem::path> otherFilesOf(const ImportRequest &request);

/// Reads the model with the importer of its extension. @throws Error (Io) if there is no such file, and whatever the
/// importer throws; always names the file.
Graph importModel(const ImportRequest &request);

/// For importers: fixes dimensions of graph inputs and, through their symbols, of everything that shares them.
/// @param shapes sizes by graph input, -1 keeps a dimension; sizes that differ from the declared ones are reported
/// @throws Error (BadConfig) for a name that is not a graph input, another rank, a size below 1
void applyInputShapes(Graph &graph, const std::map<std::string, std::vector<std::int64_t>> &shapes,
                      const std::function<void(api::Problem)> &report);

} // namespace ql

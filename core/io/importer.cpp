#include "core/io/importer.h"

#include "core/base/error.h"
#include "core/base/text.h"

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
    if (!fs::exists(file, code))
        throw Error(ErrorKind::Io, "there is no such file").inFile(file.string()).withRemedy("Check the path.");
}

Graph importModel(const ImportRequest &request)
{
    requireFile(request.file);
    const ImporterEntry &entry = importerFor(request.file);
    if (entry.needsWeights && request.weights.empty())
        throw Error(ErrorKind::BadConfig, entry.info.title + " keeps its weights in a second file, none was given")
            .inFile(request.file.string())
            .withRemedy("Name it with --weights.");
    if (!request.weights.empty()) requireFile(request.weights);
    try {
        return entry.run(request);
    } catch (const Error &error) {
        if (!error.file.empty()) throw;
        throw Error(error).inFile(request.file.string());
    }
}

} // namespace ql

#include "core/session/recipe_files.h"

#include "core/api/data_words.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/io/dataset.h"
#include "core/io/importer.h"

#include <functional>
#include <nlohmann/json.hpp>

namespace ql {

namespace fs = std::filesystem;

/// The files listed in a manifest.
static void addManifest(const fs::path &manifest, std::vector<fs::path> &out)
{
    const std::function<void(const nlohmann::json &, int)> visit = [&](const nlohmann::json &value, int depth) {
        if (value.is_string()) {
            std::error_code code;
            const fs::path file = manifest.parent_path() / fs::path(value.get<std::string>());
            if (fs::is_regular_file(file, code)) out.push_back(file);
        }
        if (value.is_structured() && depth < 8)
            for (const nlohmann::json &member : value) visit(member, depth + 1);
    };
    visit(nlohmann::json::parse(readFile(manifest), nullptr, false), 0);
}

std::vector<fs::path> filesRead(const api::Recipe &recipe, const fs::path &base)
{
    std::vector<fs::path> out;
    for (const std::string &input : {recipe.model, recipe.weights})
        if (!input.empty()) out.push_back(base / input);
    std::error_code code;
    if (std::error_code none; !recipe.metric.labels.empty() && fs::is_regular_file(base / recipe.metric.labels, none))
        out.push_back(base / recipe.metric.labels);
    for (const std::string &data : {recipe.calibration.path, recipe.evaluation.path}) {
        if (data.empty() || api::isGenerated(data)) continue;
        out.push_back(base / data);
        if (lower(out.back().extension().string()) == ".json" && fs::is_regular_file(out.back(), code))
            addManifest(fs::path(out.back()), out);
    }
    ImportRequest request;
    request.file = base / recipe.model;
    if (!recipe.weights.empty()) request.weights = base / recipe.weights;
    try {
        for (const fs::path &other : otherFilesOf(request)) out.push_back(other);
    } catch (const Error &) { // other files are reported when they are read
    }
    return out;
}

void refuseInput(const fs::path &file, const std::vector<fs::path> &inputs)
{
    std::error_code code;
    const bool isThere = fs::is_regular_file(file, code);
    const fs::path whole = fs::weakly_canonical(fs::absolute(file), code);
    for (const fs::path &input : inputs) {
        if (fs::is_directory(input, code)) {
            const fs::path below = whole.lexically_relative(fs::weakly_canonical(fs::absolute(input), code));
            if (!below.empty() && *below.begin() != ".." && isSampleFile(file))
                throw Error(ErrorKind::BadConfig,
                            QL_TEXT("the output would be read as a sample of %1").with(input.string()))
                    .inFile(file.string())
                    .withRemedy(QL_TEXT("Write it to another folder."));
        } else if (isThere && fs::equivalent(file, input, code)) {
            throw Error(ErrorKind::BadConfig, QL_TEXT("the output would overwrite a file that is read"))
                .inFile(file.string())
                .withRemedy(QL_TEXT("Choose another path."));
        }
    }
}

} // namespace ql

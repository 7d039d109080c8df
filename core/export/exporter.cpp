#include "core/export/exporter.h"

#include <unistd.h>

namespace ql {

void checkExportTarget(const std::filesystem::path &target)
{
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
    std::error_code code;
    if (!std::filesystem::is_directory(folder, code))
        throw Error(ErrorKind::Io, "the folder to export to does not exist")
            .inFile(target.string())
            .withRemedy("Create it or choose another.");
    if (::access(folder.c_str(), W_OK) != 0)
        throw Error(ErrorKind::Io, "nothing may be written into the folder to export to")
            .inFile(target.string())
            .withRemedy("Choose another folder, or change its permissions.");
    if (std::filesystem::is_directory(target, code))
        throw Error(ErrorKind::Io, "the export target is a folder")
            .inFile(target.string())
            .withRemedy("Give a file name.");
}

ExportResult exportModel(const std::string &format, const QuantModel &model, const std::filesystem::path &target,
                         const nlohmann::json &params, const std::function<void(api::Problem)> &report)
{
    const ExporterEntry &entry = Registry<ExporterEntry>::instance().at(format, "export format");
    checkExportTarget(target);
    ExportRequest request{model, target, api::completeParams(entry.info.params, params, "export '" + format + "'"),
                          report};
    return entry.run(request);
}

} // namespace ql

#include "core/export/onnx/side_files.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/export/onnx/open_shapes.h"
#include "core/export/onnx/operators.h"

#include <algorithm>
#include <unistd.h>

namespace ql {

FileSet::FileSet(std::filesystem::path target) : m_target(std::move(target))
{
    const std::filesystem::path folder = m_target.has_parent_path() ? m_target.parent_path() : ".";
    m_scratch = folder / ("." + m_target.filename().string() + "." + std::to_string(::getpid()) + "-files.part");
    std::error_code code;
    std::filesystem::remove_all(m_scratch, code);
    if (!std::filesystem::create_directory(m_scratch, code))
        throw Error(ErrorKind::Io, QL_TEXT("cannot be written: %1").with(code.message())).inFile(m_target.string());
}

FileSet::~FileSet()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_scratch, ignored);
}

std::filesystem::path FileSet::add(const std::string &name)
{
    m_names.push_back(name);
    return m_scratch / name;
}

void FileSet::addText(std::string_view ending, std::string_view text)
{
    writeFileAtomically(add(m_target.stem().string() + std::string(ending)), text);
}

void FileSet::addScript(std::string_view ending, std::string_view script)
{
    constexpr std::string_view mark = "@STEM@";
    std::string text(script);
    text.replace(text.find(mark), mark.size(), m_target.stem().string());
    addText(ending, text);
}

std::vector<std::filesystem::path> FileSet::commit()
{
    const std::filesystem::path folder = m_target.parent_path();
    std::vector<std::filesystem::path> files;
    // The external data of a large model is a separate file
    for (const auto &entry : std::filesystem::directory_iterator(m_scratch)) {
        const std::string name = entry.path().filename().string();
        if (std::find(m_names.begin(), m_names.end(), name) == m_names.end()) m_names.push_back(name);
    }
    for (const std::string &name : m_names) {
        std::error_code code;
        std::filesystem::rename(m_scratch / name, folder / name, code);
        if (code)
            throw Error(ErrorKind::Io, QL_TEXT("cannot be written: %1").with(code.message()))
                .inFile((folder / name).string());
        files.push_back(folder / name);
    }
    return files;
}

std::vector<api::ParamSpec> modelParams()
{
    return {uncalibratedParam(), fixedShapesParam(), foreignOperatorsParam()};
}

ExportResult writeModelWith(const ExportRequest &request, const std::function<void(FileSet &)> &write)
{
    FileSet files(request.target);
    ExportResult result;
    result.notes = writePlainOnnx(request.model, files.add(), request.params);
    write(files);
    result.files = files.commit();
    return result;
}

void requireOneScale(const ExportRequest &request, const ExportedSlot &slot, const char *format, const char *platform)
{
    if (!slot.isPerChannel()) return;
    const Graph &graph = request.model.graph;
    throw Error(ErrorKind::UnsupportedOp, QL_TEXT("export '%1': the format has one scale per tensor").with(format),
                graph.operation(slot.slot.op).name, graph.variable(slot.variable).name)
        .inFile(request.target.string())
        .withRemedy(QL_TEXT("Quantize for %1.").with(platform));
}

void setEntry(nlohmann::ordered_json &entries, const std::string &name, const ExportedSlot &slot,
              nlohmann::ordered_json entry)
{
    if (slot.config->state != QuantState::Passive || !entries.contains(name)) entries[name] = std::move(entry);
}

} // namespace ql

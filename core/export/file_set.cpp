#include "core/export/file_set.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <algorithm>
#include <unistd.h>

namespace ql {

constexpr std::string_view scratchEnding = "-files.part";

std::filesystem::path finalName(const std::filesystem::path &file)
{
    const std::filesystem::path folder = file.parent_path();
    return folder.string().ends_with(scratchEnding) ? folder.parent_path() / file.filename() : file;
}

FileSet::FileSet(std::filesystem::path target) : m_target(std::move(target))
{
    const std::filesystem::path folder = m_target.has_parent_path() ? m_target.parent_path() : ".";
    m_scratch = folder / ("." + m_target.filename().string() + "." + std::to_string(::getpid()));
    m_scratch += scratchEnding;
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
    if (std::find(m_names.begin(), m_names.end(), name) != m_names.end())
        throw Error(ErrorKind::BadConfig, QL_TEXT("two files of the export would be called '%1'").with(name))
            .inFile(m_target.string())
            .withRemedy(QL_TEXT("The target is the model file, and the names of the other files differ only in their "
                                "extensions: choose a target that ends in '.onnx', or '.prototxt' for Caffe."));
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
    for (const std::string &name : m_names) // before the first gets its name
        if (std::error_code code; std::filesystem::is_directory(folder / name, code))
            throw Error(ErrorKind::Io, QL_TEXT("cannot be written: there is a folder of that name"))
                .inFile((folder / name).string())
                .withRemedy(QL_TEXT("Choose another folder, or remove that one."));
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

} // namespace ql

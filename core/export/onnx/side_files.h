#pragma once

#include "core/export/exported_slots.h"
#include "core/export/exporter.h"

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

namespace ql {

/// Files that belong together: all of them get their names after the last one has been written, or none.
class FileSet
{
public:
    /// @param target the main file; the others get the same stem.
    explicit FileSet(std::filesystem::path target);
    ~FileSet(); ///< removes what was not committed
    FileSet(const FileSet &) = delete;
    FileSet &operator=(const FileSet &) = delete;

    /// Where the file of that name is written for now. name: without a folder.
    std::filesystem::path add(const std::string &name);
    /// The main file.
    std::filesystem::path add() { return add(m_target.filename().string()); }
    /// The main file with another ending (".json"), a text or JSON with 4 spaces of indentation.
    void addText(std::string_view ending, std::string_view text);
    /// Likewise, with the target's stem in place of @STEM@.
    void addScript(std::string_view ending, std::string_view script);
    void addJson(std::string_view ending, const nlohmann::ordered_json &json) { addText(ending, json.dump(4) + "\n"); }

    /// Gives all files their names. @returns these, in the order of add(). @throws Error (Io)
    std::vector<std::filesystem::path> commit();

private:
    std::filesystem::path m_target, m_scratch;
    std::vector<std::string> m_names;
};

/// Writes the float graph with rounded parameters as ONNX (the format "onnx"). params: of fixedShapesParam() and
/// foreignOperatorsParam(). @returns notes for its reader
std::vector<Text> writePlainOnnx(const QuantModel &model, const std::filesystem::path &file,
                                 const nlohmann::json &params);

/// The parameters of exporters that use writeModelWith().
std::vector<api::ParamSpec> modelParams();
/// Writes a plain ONNX file to the target and adds what write makes: for runtimes that read a float model and its
/// scales from separate files.
ExportResult writeModelWith(const ExportRequest &request, const std::function<void(FileSet &)> &write);

/// Refuses a slot with a scale per channel, for formats with one scale per tensor. platform: one that has no such
/// slots.
/// @throws Error (UnsupportedOp)
void requireOneScale(const ExportRequest &request, const ExportedSlot &slot, const char *format, const char *platform);

/// Sets the entry of the slot's tensor in a file with one entry per tensor: that of the last slot, but a passive slot
/// replaces no entry.
void setEntry(nlohmann::ordered_json &entries, const std::string &name, const ExportedSlot &slot,
              nlohmann::ordered_json entry);

/// A number as JSON: one value for a tensor, a list for channels.
template <class T>
nlohmann::ordered_json numberOrList(const std::vector<T> &values, bool isList)
{
    if (isList) return values;
    return values.front();
}

} // namespace ql

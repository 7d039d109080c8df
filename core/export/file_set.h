#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

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

    /// Where the file of that name is written for now. name: without a folder. @throws Error (BadConfig) if it is taken
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

/// The name that a file written by a FileSet will have; any other is unchanged.
std::filesystem::path finalName(const std::filesystem::path &file);

/// A number as JSON: one value for a tensor, a list for channels.
template <class T>
nlohmann::ordered_json numberOrList(const std::vector<T> &values, bool isList)
{
    if (isList) return values;
    return values.front();
}

} // namespace ql

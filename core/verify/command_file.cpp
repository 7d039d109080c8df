#include "core/verify/command_file.h"

#include "core/api/verify.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/trust.h"
#include "core/verify/runtime.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ql {

namespace fs = std::filesystem;

CommandFile::CommandFile(const fs::path &file, const std::vector<std::string> &needed, const Text &meaning,
                         std::vector<std::string> words)
    : m_file(fs::absolute(file)), m_command(std::move(words))
{
    try {
        if (m_command.empty()) m_command = nlohmann::json::parse(readFile(file)).get<api::UserCommand>().command;
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorKind::BadConfig, QL_TEXT("not JSON: %1").with(error.what())).inFile(file.string());
    } catch (Error &error) {
        throw error.inFile(file.string());
    }
    for (const std::string &name : needed)
        if (std::none_of(m_command.begin(), m_command.end(),
                         [&](const std::string &word) { return word.find(name) != std::string::npos; }))
            throw Error(ErrorKind::BadConfig, QL_TEXT("the command must contain %1").with(name))
                .inFile(file.string())
                .withRemedy(meaning);
}

void CommandFile::requireConsent(bool isAllowed) const
{
    if (!isAllowed) return requirePrograms(m_file, Text::list(m_command, Text::Join::Space), m_command);
    if (!fs::exists(m_file)) return; // a recipe that was not saved
    try {
        allowProgramsOf(m_file, programKey(m_file, m_command));
    } catch (const Error &) { // cannot be remembered: it is asked for again
    }
}

ChildResult CommandFile::run(const std::map<std::string, fs::path> &names, const fs::path &log, const Text &title,
                             const ChildLimits &limits, const JobContext &job) const
{
    std::vector<std::string> words = m_command;
    for (std::string &word : words)
        for (const auto &[name, path] : names) {
            const std::string &value = path.string();
            for (std::size_t at = word.find(name); at != std::string::npos; at = word.find(name, at + value.size()))
                word.replace(at, name.size(), value);
        }
    ChildResult result = runChild(words, {}, m_file.parent_path(), log, limits, job);
    requireSuccess(title, result, limits);
    return result;
}

} // namespace ql

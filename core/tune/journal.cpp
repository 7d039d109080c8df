#include "core/tune/journal.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"

#include <nlohmann/json.hpp>

namespace ql {

using nlohmann::json;

TuneJournal::TuneJournal(std::filesystem::path file, const api::TuneHeader &header, bool resume)
    : m_file(std::move(file))
{
    std::string kept;
    if (resume && std::filesystem::exists(m_file)) {
        bool isFirst = true;
        for (const std::string &line : split(readFile(m_file), '\n')) {
            const json value = json::parse(line, nullptr, false);
            if (value.is_discarded() && isFirst && !line.empty())
                throw Error(ErrorKind::BadData, QL_TEXT("the file is not the journal of a search"))
                    .inFile(m_file.string())
                    .withRemedy(QL_TEXT("Omit %1 to start again.").with(Text::option("--resume")));
            if (value.is_discarded()) break; // the process ended while it wrote this line
            try {
                if (isFirst) {
                    const auto found = value.get<api::TuneHeader>();
                    if (found.recipeHash != header.recipeHash || found.data != header.data)
                        throw Error(ErrorKind::BadData,
                                    QL_TEXT("the journal belongs to a search with another recipe, data or seed"))
                            .withRemedy(QL_TEXT("Omit %1 to start again.").with(Text::option("--resume")));
                } else {
                    const auto record = value.get<api::TuneRecord>();
                    m_known.emplace(std::pair(record.recipeHash, record.part), record);
                }
            } catch (Error &error) {
                if (error.file.empty()) error.file = m_file.string();
                throw;
            }
            isFirst = false;
            kept += line + "\n";
        }
    }
    if (kept.empty()) kept = json(header).dump() + "\n";
    writeFileAtomically(m_file, kept);
    m_stream.open(m_file, std::ios::app);
}

const api::TuneRecord *TuneJournal::find(const std::string &recipeHash, const std::string &part)
{
    const auto known = m_known.find({recipeHash, part});
    if (known == m_known.end()) return nullptr;
    ++m_used;
    return &known->second;
}

void TuneJournal::add(const api::TuneRecord &record)
{
    if (!m_stream.is_open()) return;
    m_stream << json(record).dump() << std::endl; // also after a crash
    if (!m_stream) throw Error(ErrorKind::Io, QL_TEXT("cannot write the journal")).inFile(m_file.string());
}

} // namespace ql

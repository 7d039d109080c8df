#include "core/session/recent_inputs.h"

#include "core/base/file.h"
#include "core/base/memory.h"

#include <algorithm>

namespace ql {

std::int64_t RecentInputs::samplesLimit() const
{
    return std::min(m_most, availableMemory() / 16);
}

RecentInputs::Stamps RecentInputs::stampsOf(const std::vector<std::filesystem::path> &files)
{
    Stamps stamps;
    for (const std::filesystem::path &file : files) stamps.emplace_back(file, fileStamp(file));
    return stamps;
}

std::shared_ptr<const PreparedInputs> RecentInputs::find(const std::string &key) const
{
    const std::lock_guard lock(m_mutex);
    if (key != m_key || !m_inputs) return nullptr;
    const bool isSame = std::all_of(m_stamps.begin(), m_stamps.end(),
                                    [](const auto &stamp) { return fileStamp(stamp.first) == stamp.second; });
    return isSame ? m_inputs : nullptr;
}

std::uint64_t RecentInputs::keep(std::string key, Stamps stamps, std::shared_ptr<PreparedInputs> inputs)
{
    const std::lock_guard lock(m_mutex);
    inputs->number = ++m_count;
    m_key = std::move(key);
    m_stamps = std::move(stamps);
    m_inputs = std::move(inputs);
    return m_count;
}

} // namespace ql

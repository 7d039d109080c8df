#include "core/base/fingerprint.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <cstdio>
#include <memory>
#include <xxhash.h>

namespace ql {

static std::string fingerprint(const std::filesystem::path &file, const std::atomic_bool &isStopped)
{
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
    XXH3_128bits_reset(state.get());
    readInPieces(file, [&](std::string_view piece) {
        if (isStopped) throw Cancelled();
        XXH3_128bits_update(state.get(), piece.data(), piece.size());
    });
    const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
    char digits[33];
    std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return digits;
}

std::string fingerprintOfFile(const std::filesystem::path &file)
{
    return fingerprint(file, false);
}

std::string Fingerprints::of(const std::filesystem::path &file)
{
    const std::lock_guard lock(m_mutex); // other requests for the same file wait for this one
    const auto [it, isNew] = m_known.try_emplace(file);
    if (isNew) {
        try {
            it->second = fingerprint(file, m_isStopped);
        } catch (...) {
            m_known.erase(it);
            throw;
        }
    }
    return it->second;
}

} // namespace ql

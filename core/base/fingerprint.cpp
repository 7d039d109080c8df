#include "core/base/fingerprint.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <cstdio>
#include <memory>
#include <xxhash.h>

namespace ql {

namespace {

class Xxh3
{
public:
    Xxh3() { XXH3_128bits_reset(m_state.get()); }
    void add(std::string_view bytes) { XXH3_128bits_update(m_state.get(), bytes.data(), bytes.size()); }
    std::string hex() const
    {
        const XXH128_hash_t hash = XXH3_128bits_digest(m_state.get());
        char digits[33];
        std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                      static_cast<unsigned long long>(hash.low64));
        return digits;
    }

private:
    std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> m_state{XXH3_createState(), &XXH3_freeState};
};

} // namespace

static std::string fingerprint(const std::filesystem::path &file, const std::atomic_bool &isStopped)
{
    Xxh3 hash;
    readInPieces(file, [&](std::string_view piece) {
        if (isStopped) throw Cancelled();
        hash.add(piece);
    });
    return hash.hex();
}

std::string fingerprintOf(const std::vector<std::string_view> &bytes)
{
    Xxh3 hash;
    for (const std::string_view piece : bytes) hash.add(piece);
    return hash.hex();
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

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ql {

/// Incremental SHA-256 (FIPS 180-4); used for stage keys and file identity.
class Sha256
{
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256 &) = delete;
    Sha256 &operator=(const Sha256 &) = delete;

    Sha256 &add(const void *data, std::size_t bytes);
    Sha256 &add(std::string_view text) { return add(text.data(), text.size()); }
    /// @returns 64 lower-case hexadecimal digits; the object must not be used afterwards.
    std::string hex();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

std::string sha256(std::string_view bytes);
/// @throws Error (Io) when the file cannot be read.
std::string sha256OfFile(const std::filesystem::path &file);

} // namespace ql

#include "core/base/sha256.h"

#include "core/base/file.h"

#include <openssl/evp.h>

namespace ql {

struct Sha256::State
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : m_state(std::make_unique<State>())
{
    EVP_DigestInit_ex(m_state->context, EVP_sha256(), nullptr);
}

Sha256::~Sha256() = default;

Sha256 &Sha256::add(const void *data, std::size_t bytes)
{
    EVP_DigestUpdate(m_state->context, data, bytes);
    return *this;
}

std::string Sha256::hex()
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    EVP_DigestFinal_ex(m_state->context, digest, &size);
    static const char digits[] = "0123456789abcdef";
    std::string out;
    for (unsigned int i = 0; i < size; ++i) {
        out += digits[digest[i] >> 4];
        out += digits[digest[i] & 15];
    }
    return out;
}

std::string sha256(std::string_view bytes)
{
    return Sha256().add(bytes).hex();
}

std::string sha256OfFile(const std::filesystem::path &file)
{
    Sha256 hash;
    readInPieces(file, [&](std::string_view piece) { hash.add(piece); });
    return hash.hex();
}

} // namespace ql

#include "core/base/sha256.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <cerrno>
#include <fstream>
#include <openssl/evp.h>
#include <vector>

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
    checkRegularFile(file);
    std::ifstream in(file, std::ios::binary);
    if (!in) throw cannotRead(file, errno);
    Sha256 hash;
    std::vector<char> buffer(1 << 20);
    while (in) {
        in.read(buffer.data(), std::streamsize(buffer.size()));
        hash.add(buffer.data(), std::size_t(in.gcount()));
    }
    if (in.bad()) throw Error(ErrorKind::Io, "reading the file failed").inFile(file.string());
    return hash.hex();
}

} // namespace ql

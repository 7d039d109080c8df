#include "core/base/base64.h"

#include <openssl/evp.h>

namespace ql {

std::string base64(std::string_view bytes)
{
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0'); // OpenSSL appends a zero
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char *>(text.data()),
                                       reinterpret_cast<const unsigned char *>(bytes.data()), int(bytes.size()));
    text.resize(std::size_t(length));
    return text;
}

} // namespace ql

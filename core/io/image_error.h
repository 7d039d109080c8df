#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <string>

namespace ql {

/// What is wrong with an image file, and what to do about it.
Error badImage(const std::string &file, const Text &why);
/// For images of numbers: colours, and more than 8 bits.
Error notNumbers(const std::string &file);
Error largeNumber(std::int64_t value, const std::string &file);
/// @throws Error (BadData) for no pixels and for more than 100 million, before memory is allocated
void checkImageSize(std::int64_t width, std::int64_t height, const std::string &file);

} // namespace ql

// std::__fill_a1 for vectors of bits, which cmake/clang_prefix.h keeps the library's header from defining.
#include <vector>

void fillBits(std::_Bit_iterator first, std::_Bit_iterator last,
              const bool &value) __asm__("_ZSt9__fill_a1St13_Bit_iteratorS_RKb");

void fillBits(std::_Bit_iterator first, std::_Bit_iterator last, const bool &value)
{
    for (; first != last; ++first) *first = value;
}

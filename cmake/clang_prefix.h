#pragma once

// Included before each source by clang: by clang-tidy (scripts/lint) and for the fuzzers. clang 14 instantiates the
// constexpr members of libstdc++ 12's std::vector as soon as they are named, which is too early for LibTorch's vectors
// of incomplete types; without constexpr it waits, as gcc does. The function that <vector> declares before it includes
// its definition keeps its own name (fill_bits.cpp provides the missing definition).
#include <string>
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#define __fill_a1 __fill_a1_of_bits
#include <vector>
#undef __fill_a1
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr

// Part of every test program that links the engine: LibTorch's random numbers would differ from run to run, and a test
// that draws its data would fail once in a while.
#include <ATen/Context.h>

namespace {

[[maybe_unused]] const bool isSeeded = (at::manual_seed(7), true);

} // namespace

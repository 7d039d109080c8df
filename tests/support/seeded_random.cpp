// Part of every test program that links the engine: without this, LibTorch seeds its generator by the time, and a test with
// random data fails once in a while.
#include <ATen/Context.h>

namespace {

[[maybe_unused]] const bool isSeeded = (at::manual_seed(7), true);

} // namespace

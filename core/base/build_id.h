#pragma once

#include <string>

namespace ql {

/// The bytes of the linker's build ID (NT_GNU_BUILD_ID) of the program or library that contains this function: a build
/// of other sources has another one. Empty if it was linked without (`--build-id=none`).
std::string buildId();

} // namespace ql

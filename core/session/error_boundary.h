#pragma once

#include "core/base/error.h"

#include <exception>

namespace ql {

/// Converts any exception that leaves the engine to the one error type that users see: Error unchanged; failed
/// allocations as OutOfMemory with a remedy; everything else (including LibTorch's errors) as Internal. @pre not
/// Cancelled
Error asError(const std::exception_ptr &failure);

} // namespace ql

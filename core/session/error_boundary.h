#pragma once

#include "core/base/error.h"

#include <exception>

namespace ql {

/// Whatever left the engine, as the one error type that its users show: Error as it is; memory that could not be had as
/// OutOfMemory with a remedy; everything else (LibTorch's errors included) as Internal. @pre not Cancelled
Error asError(const std::exception_ptr &failure);

} // namespace ql

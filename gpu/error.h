#pragma once

#include <string>

struct CUstream_st;

namespace ql::gpu {

/// A CUDA stream as the CUDA runtime names it (cudaStream_t), without its headers. nullptr is the default stream.
using Stream = CUstream_st *;

/// What every ...Cuda function returns: 0, a cudaError_t (positive), or one of these.
enum Status : int {
    Ok = 0,
    NotBuilt = -1,        ///< this program was built without nvcc
    InvalidArgument = -2, ///< a size, a range or a null pointer that no kernel supports
};

/// @returns one line of English for a return value of a ...Cuda function; "no error" for 0.
std::string errorText(int rc);

/// @returns how many CUDA devices this process can use: 0 without a driver, without a device or without CUDA code.
int deviceCount();

/// @returns true when the CUDA kernels are compiled into this program.
bool builtWithCuda();

} // namespace ql::gpu

#pragma once

#include "gpu/error.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ql::gpu {

constexpr int kThreads = 256;
constexpr std::size_t kLockedBytes = std::size_t(64) << 10; ///< of lockedMemory()

/// Blocks for a grid-stride loop over n pieces of work: enough to fill any device, few enough to start at once.
inline unsigned blocksFor(std::int64_t n, std::int64_t most = 132 * 16)
{
    return unsigned(std::max<std::int64_t>(1, std::min(most, (n + kThreads - 1) / kThreads)));
}

/// First index of this thread in a grid-stride loop, and the stride.
__device__ inline std::int64_t gridIndex()
{
    return std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ inline std::int64_t gridSize()
{
    return std::int64_t(gridDim.x) * blockDim.x;
}

/// Calls f with x[begin], x[begin + step] and so on, up to n, with four loads in flight.
template <class Function>
__device__ inline void forEach(const float *x, std::int64_t begin, std::int64_t n, std::int64_t step, const Function &f)
{
    std::int64_t i = begin;
    for (; i + 3 * step < n; i += 4 * step) {
        const float a = x[i], b = x[i + step], c = x[i + 2 * step], d = x[i + 3 * step];
        f(a);
        f(b);
        f(c);
        f(d);
    }
    for (; i < n; i += step) f(x[i]);
}

__device__ inline std::int64_t smaller(std::int64_t a, std::int64_t b)
{
    return a < b ? a : b;
}

/// @returns what went wrong when the last kernel was enqueued, 0 if nothing.
inline int launched()
{
    return int(cudaGetLastError());
}

inline bool aligned(const void *p, std::size_t bytes)
{
    return reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
}

/// Freed blocks stay with the process: by default every wait for the stream returns them to the driver, and the next
/// allocation costs more than the kernel it is for.
inline int keepFreedMemory()
{
    int device = 0;
    cudaMemPool_t pool = nullptr;
    if (const cudaError_t rc = cudaGetDevice(&device)) return int(rc);
    if (const cudaError_t rc = cudaDeviceGetDefaultMemPool(&pool, device)) return int(rc);
    std::uint64_t most = std::uint64_t(64) << 20;
    return int(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most));
}

/// Device memory that lives as long as the work enqueued before its destruction.
class Workspace
{
public:
    Workspace(std::size_t bytes, Stream stream) : m_stream(stream)
    {
        static const int kept = keepFreedMemory();
        m_status = bytes == 0 || kept ? kept : int(cudaMallocAsync(&m_data, bytes, stream));
    }
    ~Workspace()
    {
        if (m_data) cudaFreeAsync(m_data, m_stream);
    }
    Workspace(const Workspace &) = delete;
    Workspace &operator=(const Workspace &) = delete;

    int status() const { return m_status; }

    template <class T>
    T *as() const
    {
        return static_cast<T *>(m_data);
    }

private:
    void *m_data = nullptr;
    Stream m_stream;
    int m_status;
};

/// Page-locked memory of this thread for small results: the driver copies to it without a detour.
/// @returns nullptr if there is none
inline void *lockedMemory()
{
    struct Block
    {
        Block() { cudaMallocHost(&data, kLockedBytes); }
        ~Block() { cudaFreeHost(data); }
        Block(const Block &) = delete;
        Block &operator=(const Block &) = delete;
        void *data = nullptr;
    };
    static thread_local const Block block;
    return block.data;
}

/// Copies `bytes` from the device to the host and waits for the stream.
inline int fetch(void *host, const void *device, std::size_t bytes, Stream stream)
{
    void *locked = bytes <= kLockedBytes ? lockedMemory() : nullptr;
    if (const cudaError_t rc = cudaMemcpyAsync(locked ? locked : host, device, bytes, cudaMemcpyDeviceToHost, stream))
        return int(rc);
    if (const cudaError_t rc = cudaStreamSynchronize(stream)) return int(rc);
    if (locked) std::memcpy(host, locked, bytes);
    return Ok;
}

} // namespace ql::gpu

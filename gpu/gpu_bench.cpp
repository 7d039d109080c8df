#include "gpu/error.h"
#include "gpu/fake_quant.h"
#include "gpu/isa.h"
#include "gpu/parallel.h"
#include "gpu/reduce.h"
#include "gpu/select.h"
#include "gpu/tails.h"
#include "gpu/test_data.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#ifdef QL_WITH_CUDA_RUNTIME
#include <cuda_runtime_api.h>
#endif

// The throughput of each kernel, compared with a copy of floats on the same device in the same run. Prints JSON:
//   {"cpu": {...}, "cuda": {...} or null, "rows": [{"device", "isa", "kernel", "elements", "bytes", "seconds",
//    "gb_per_s", "copy_gb_per_s", "of_copy"}]}
// bytes is what the kernel must read and write; seconds is the median of the repetitions. Exit code 0.
namespace ql::gpu {
namespace {

struct Options
{
    double budget = 0.3; ///< seconds for each row
    std::vector<std::int64_t> sizes{1 << 20, 1 << 25};
    int threads = 0;
    bool everyIsa = false;
};

struct Row
{
    std::string device, isa, kernel;
    std::int64_t elements;
    std::int64_t bytes;
    double seconds;
    double copy; ///< GB/s
};

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// @returns the median time of one call of f, with one call to warm up.
double timeOf(const std::function<void()> &f, double budget)
{
    f();
    std::vector<double> times;
    const double start = now();
    while (times.size() < 3 || now() - start < budget) {
        const double begin = now();
        f();
        times.push_back(now() - begin);
    }
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
}

/// One kernel: a call on prepared data, and the bytes it moves per element.
struct Case
{
    std::string name;
    int bytesPerElement;
    std::function<void()> call;
};

/// Arrays of one size with data like activations: most values small, many zero.
struct Data
{
    explicit Data(std::int64_t size) : n(size)
    {
        x = awkwardFloats(n, 1.f, false, 1);
        for (float &v : x)
            if (!(std::abs(v) < 100.f)) v = 0.f;
        z = x;
        for (float &v : z) v *= 1.01f;
        y.resize(x.size());
        codes.resize(x.size());
        for (std::int64_t c = 0; c < kChannels; ++c) {
            scale.push_back(0.01f * float(c + 1));
            zero.push_back(std::int32_t(c % 5));
        }
    }

    static constexpr std::int64_t kChannels = 64;
    std::int64_t n;
    std::vector<float> x, y, z;
    std::vector<std::int8_t> codes;
    std::vector<float> scale;
    std::vector<std::int32_t> zero;
    std::vector<std::int64_t> counts = std::vector<std::int64_t>(4096, 0);
    std::vector<float> mins = std::vector<float>(kChannels, 0.f), maxs = std::vector<float>(kChannels, 0.f);
    std::vector<double> ds = std::vector<double>(kChannels, 0.0);
};

std::vector<Case> cpuCases(Data &d)
{
    const std::int64_t n = d.n;
    const LinearParams tensor{0.05f, 3, -128.f, 127.f, Rounding::HalfEven};
    LinearParams halfUp = tensor;
    halfUp.rounding = Rounding::HalfUp;
    const LinearChannelParams last{d.scale.data(), d.zero.data(), Data::kChannels,   1,
                                   -128.f,         127.f,         Rounding::HalfEven};
    LinearChannelParams rows = last;
    rows.channelStride = 56 * 56;
    LinearChannelParams kernel3x3 = last;
    kernel3x3.channelStride = 9;
    const FloatParams e4m3{0.05f, 4, 3, -448.f, 448.f, Rounding::HalfEven};
    Data *p = &d;
    const float *x = d.x.data(), *z = d.z.data();
    float *y = d.y.data();
    return {
        {"fake_quant", 8, [=] { fakeQuantCpu(x, y, n, tensor); }},
        {"fake_quant, in place", 8, [=] { fakeQuantCpu(y, y, n, tensor); }},
        {"fake_quant, half up", 8, [=] { fakeQuantCpu(x, y, n, halfUp); }},
        {"fake_quant, channels last", 8, [=] { fakeQuantChannelCpu(x, y, n, last); }},
        {"fake_quant, channel rows", 8, [=] { fakeQuantChannelCpu(x, y, n, rows); }},
        {"fake_quant, channel runs of 9", 8, [=] { fakeQuantChannelCpu(x, y, n, kernel3x3); }},
        {"fake_quant, E4M3", 8, [=] { fakeQuantFloatCpu(x, y, n, e4m3); }},
        {"quantize, int8", 5, [=] { quantizeCpu(x, p->codes.data(), n, tensor); }},
        {"dequantize, int8", 5, [=] { dequantizeCpu(p->codes.data(), y, n, tensor); }},
        {"backward", 12, [=] { fakeQuantBackwardCpu(x, z, y, p->ds.data(), n, tensor); }},
        {"backward, channels last", 12, [=] { fakeQuantBackwardChannelCpu(x, z, y, p->ds.data(), n, last); }},
        {"backward, channel rows", 12, [=] { fakeQuantBackwardChannelCpu(x, z, y, p->ds.data(), n, rows); }},
        {"min_max", 4,
         [=] {
             MinMax r;
             minMaxCpu(x, n, &r);
         }},
        {"min_max, channels last", 4,
         [=] { minMaxChannelCpu(x, n, Data::kChannels, 1, p->mins.data(), p->maxs.data()); }},
        {"min_max, channel rows", 4,
         [=] { minMaxChannelCpu(x, n, Data::kChannels, 56 * 56, p->mins.data(), p->maxs.data()); }},
        {"histogram, 2048", 4, [=] { histogramCpu(x, n, -4.f, 4.f, 2048, p->counts.data()); }},
        {"histogram of |x|, 4096", 4, [=] { histogramAbsCpu(x, n, 4.f, 4096, p->counts.data()); }},
        {"error_sums", 8, [=] { errorSumsCpu(x, z, n); }},
        {"moments", 4, [=] { momentsCpu(x, n); }},
        {"tails, 0.9999", 4, [=] { tailsCpu(x, n, 0.9999); }},
        {"select, median", 4, [=] { selectCpu(x, n, n / 2, true); }},
    };
}

/// @returns the better of one memcpy and one memcpy per piece and thread, in GB/s read and written.
double cpuCopy(Data &d, double budget)
{
    const std::size_t bytes = d.x.size() * sizeof(float);
    const double one = timeOf([&] { std::memcpy(d.y.data(), d.x.data(), bytes); }, budget);
    const double all = timeOf(
        [&] {
            forBlocks(d.n, std::max(kBlock, d.n / omp_get_max_threads()), [&](std::int64_t begin, std::int64_t end) {
                std::memcpy(d.y.data() + begin, d.x.data() + begin, std::size_t(end - begin) * sizeof(float));
            });
        },
        budget);
    return 2e-9 * double(bytes) / std::min(one, all);
}

void benchCpu(const Options &options, std::vector<Row> *rows)
{
    for (const std::int64_t n : options.sizes) {
        Data d(n);
        const double copy = cpuCopy(d, options.budget);
        for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
            if (isa > bestIsa() || (isa != bestIsa() && !options.everyIsa)) continue;
            useIsa(isa);
            for (const Case &c : cpuCases(d))
                rows->push_back(
                    {"cpu", toString(isa), c.name, n, n * c.bytesPerElement, timeOf(c.call, options.budget), copy});
        }
    }
}

#ifdef QL_WITH_CUDA_RUNTIME
void require(int rc)
{
    if (rc == 0) return;
    std::fprintf(stderr, "CUDA: %s\n", errorText(rc).c_str());
    std::exit(2);
}

template <class T>
T *onDevice(const std::vector<T> &values)
{
    void *data = nullptr;
    require(int(cudaMalloc(&data, values.size() * sizeof(T))));
    require(int(cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice)));
    return static_cast<T *>(data); // until the program ends
}

/// Many calls between two waits, so that launches do not count.
double timeOnDevice(const std::function<int()> &f, double budget)
{
    int calls = 1;
    for (;;) {
        const double seconds = timeOf(
            [&] {
                for (int i = 0; i < calls; ++i) require(f());
                require(int(cudaDeviceSynchronize()));
            },
            budget / 4);
        if (seconds > 2e-3 || calls > 4096) return seconds / calls;
        calls *= 4;
    }
}

void benchCuda(const Options &options, std::vector<Row> *rows)
{
    for (const std::int64_t size : options.sizes) {
        const std::int64_t n = size * 4;
        Data d(n);
        const float *x = onDevice(d.x), *z = onDevice(d.z);
        float *y = onDevice(d.y), *mins = onDevice(d.mins), *maxs = onDevice(d.maxs);
        std::int8_t *codes = onDevice(d.codes);
        std::int64_t *counts = onDevice(d.counts);
        double *ds = onDevice(d.ds);
        const LinearParams tensor{0.05f, 3, -128.f, 127.f, Rounding::HalfEven};
        const LinearChannelParams last{onDevice(d.scale), onDevice(d.zero), Data::kChannels, 1, -128.f, 127.f,
                                       Rounding::HalfEven};
        LinearChannelParams runs = last;
        runs.channelStride = 56 * 56;
        const FloatParams e4m3{0.05f, 4, 3, -448.f, 448.f, Rounding::HalfEven};
        ErrorSums sums;
        Moments moments;
        MinMax range;
        float kth = 0;
        const double copy =
            2e-9 * double(n) * sizeof(float) /
            timeOnDevice(
                [&] { return int(cudaMemcpyAsync(y, x, std::size_t(n) * sizeof(float), cudaMemcpyDeviceToDevice)); },
                options.budget);
        struct DeviceCase
        {
            const char *name;
            int bytes;
            std::function<int()> call;
        };
        const std::vector<DeviceCase> cases{
            {"fake_quant", 8, [&] { return fakeQuantCuda(x, y, n, tensor, nullptr); }},
            {"fake_quant, channels last", 8, [&] { return fakeQuantChannelCuda(x, y, n, last, nullptr); }},
            {"fake_quant, channel rows", 8, [&] { return fakeQuantChannelCuda(x, y, n, runs, nullptr); }},
            {"fake_quant, E4M3", 8, [&] { return fakeQuantFloatCuda(x, y, n, e4m3, nullptr); }},
            {"quantize, int8", 5, [&] { return quantizeCuda(x, codes, n, tensor, nullptr); }},
            {"dequantize, int8", 5, [&] { return dequantizeCuda(codes, y, n, tensor, nullptr); }},
            {"backward", 12, [&] { return fakeQuantBackwardCuda(x, z, y, ds, n, tensor, nullptr); }},
            {"backward, channels last", 12,
             [&] { return fakeQuantBackwardChannelCuda(x, z, y, ds, n, last, nullptr); }},
            {"backward, channel rows", 12, [&] { return fakeQuantBackwardChannelCuda(x, z, y, ds, n, runs, nullptr); }},
            {"min_max", 4, [&] { return minMaxCuda(x, n, &range, nullptr); }},
            {"min_max, channels last", 4,
             [&] { return minMaxChannelCuda(x, n, Data::kChannels, 1, mins, maxs, nullptr, nullptr); }},
            {"min_max, channel rows", 4,
             [&] { return minMaxChannelCuda(x, n, Data::kChannels, 56 * 56, mins, maxs, nullptr, nullptr); }},
            {"histogram, 2048", 4, [&] { return histogramCuda(x, n, -4.f, 4.f, 2048, counts, nullptr); }},
            {"histogram of |x|, 4096", 4, [&] { return histogramAbsCuda(x, n, 4.f, 4096, counts, nullptr); }},
            {"error_sums", 8, [&] { return errorSumsCuda(x, z, n, &sums, nullptr); }},
            {"moments", 4, [&] { return momentsCuda(x, n, &moments, nullptr); }},
            {"select, median", 4, [&] { return selectCuda(x, n, n / 2, true, &kth, nullptr); }},
        };
        for (const DeviceCase &c : cases)
            rows->push_back({"cuda", "", c.name, n, n * c.bytes, timeOnDevice(c.call, options.budget), copy});
        require(int(cudaDeviceReset()));
    }
}
#endif

std::string deviceName()
{
#ifdef QL_WITH_CUDA_RUNTIME
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess) return properties.name;
#endif
    return {};
}

int run(const Options &options)
{
    if (options.threads > 0) omp_set_num_threads(options.threads);
    std::vector<Row> rows;
    benchCpu(options, &rows);
    const bool cuda = deviceCount() > 0;
#ifdef QL_WITH_CUDA_RUNTIME
    if (cuda) benchCuda(options, &rows);
#endif
    std::printf("{\"cpu\": {\"isa\": \"%s\", \"threads\": %d},\n \"cuda\": ", toString(bestIsa()),
                omp_get_max_threads());
    if (cuda)
        std::printf("{\"device\": \"%s\"},\n \"rows\": [", deviceName().c_str());
    else
        std::printf("null,\n \"rows\": [");
    const char *separator = "\n";
    for (const Row &r : rows) {
        const double speed = 1e-9 * double(r.bytes) / r.seconds;
        std::printf(
            "%s  {\"device\": \"%s\", \"isa\": \"%s\", \"kernel\": \"%s\", \"elements\": %lld, \"bytes\": %lld, "
            "\"seconds\": %.3e, \"gb_per_s\": %.2f, \"copy_gb_per_s\": %.2f, \"of_copy\": %.3f}",
            separator, r.device.c_str(), r.isa.c_str(), r.kernel.c_str(), static_cast<long long>(r.elements),
            static_cast<long long>(r.bytes), r.seconds, speed, r.copy, speed / r.copy);
        separator = ",\n";
    }
    std::printf("\n ]}\n");
    return 0;
}

} // namespace
} // namespace ql::gpu

int main(int argc, char **argv)
{
    ql::gpu::Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--quick") {
            options.budget = 0.002;
            options.sizes = {1 << 16};
        } else if (argument == "--every-isa") {
            options.everyIsa = true;
        } else if (argument == "--threads" && i + 1 < argc) {
            options.threads = std::atoi(argv[++i]);
        } else if (argument == "--elements" && i + 1 < argc) {
            options.sizes = {std::max(1ll, std::atoll(argv[++i]))};
        } else {
            std::fprintf(stderr, "usage: gpu_bench [--quick] [--every-isa] [--threads N] [--elements N]\n");
            return 2;
        }
    }
    return ql::gpu::run(options);
}

#include "gpu/error.h"
#include "gpu/fake_quant.h"
#include "gpu/kernels.h"
#include "gpu/reduce.h"
#include "gpu/select.h"
#include "gpu/test_data.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#ifdef QL_WITH_CUDA_RUNTIME
#include <cuda_runtime_api.h>
#endif

// CPU against CUDA on the same inputs, bit for bit. Needs neither Qt nor LibTorch. Exit code: 0 all equal, 1 a
// difference or an error, 77 no device.

#ifdef QL_WITH_CUDA_RUNTIME
namespace ql::gpu {
namespace {

int failures = 0;
int checks = 0;

void check(bool good, const std::string &what)
{
    ++checks;
    if (good) return;
    ++failures;
    std::printf("FAIL %s\n", what.c_str());
}

bool succeeded(int rc, const std::string &what)
{
    if (rc != 0) check(false, what + ": " + errorText(rc));
    return rc == 0;
}

/// An array on the device.
template <class T>
class Device
{
public:
    explicit Device(std::size_t size) : m_size(size)
    {
        succeeded(int(cudaMalloc(&m_data, std::max<std::size_t>(1, size) * sizeof(T))), "cudaMalloc");
    }
    explicit Device(const std::vector<T> &values) : Device(values.size())
    {
        succeeded(int(cudaMemcpy(m_data, values.data(), m_size * sizeof(T), cudaMemcpyHostToDevice)), "cudaMemcpy");
    }
    ~Device() { cudaFree(m_data); }
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;

    T *data() { return static_cast<T *>(m_data); }
    std::vector<T> values()
    {
        std::vector<T> host(m_size);
        succeeded(int(cudaMemcpy(host.data(), m_data, m_size * sizeof(T), cudaMemcpyDeviceToHost)), "cudaMemcpy");
        return host;
    }

private:
    void *m_data = nullptr;
    std::size_t m_size;
};

const std::vector<std::int64_t> kSizes{0, 1, 3, 31, 257, 4096, 4099, 1000003};

std::string label(const char *what, std::int64_t n, int detail)
{
    return std::string(what) + ", n " + std::to_string(n) + ", case " + std::to_string(detail);
}

template <class T>
void compare(const std::vector<T> &cpu, const std::vector<T> &cuda, const std::string &what)
{
    const std::int64_t at = firstDifference(cpu, cuda);
    if (at < 0) return check(true, what);
    const std::size_t i = std::size_t(at);
    check(false, what + ": element " + std::to_string(at) + " is " + std::to_string(double(cuda[i])) +
                     ", the CPU has " + std::to_string(double(cpu[i])));
}

void checkTensor()
{
    for (const std::int64_t n : kSizes) {
        const std::vector<float> x = awkwardFloats(n, 0.05f, true);
        std::vector<float> y(x.size());
        Device<float> dx(x), dy(x.size());
        for (int r = 0; r < 8; ++r) {
            const LinearParams p{0.05f, 11, -100.f, 120.f, Rounding(r)};
            fakeQuantCpu(x.data(), y.data(), n, p);
            if (succeeded(fakeQuantCuda(dx.data(), dy.data(), n, p, nullptr), "fakeQuant"))
                compare(y, dy.values(), label("fakeQuant", n, r));
            Device<float> inPlace(x);
            if (succeeded(fakeQuantCuda(inPlace.data(), inPlace.data(), n, p, nullptr), "fakeQuant in place"))
                compare(y, inPlace.values(), label("fakeQuant in place", n, r));
            if (n > 1) { // not aligned to 16 bytes
                fakeQuantCpu(x.data() + 1, y.data() + 1, n - 1, p);
                if (succeeded(fakeQuantCuda(dx.data() + 1, dy.data() + 1, n - 1, p, nullptr), "fakeQuant, offset"))
                    compare(y, dy.values(), label("fakeQuant, offset", n, r));
            }
            for (int format = 0; format < 5; ++format) {
                const int e[] = {4, 5, 3, 8, 1}, m[] = {3, 2, 4, 7, 2};
                const float top[] = {448.f, 57344.f, 31.f, 3.3895314e38f, 3.f};
                const FloatParams f{0.3f, e[format], m[format], -top[format], top[format], Rounding(r)};
                fakeQuantFloatCpu(x.data(), y.data(), n, f);
                if (succeeded(fakeQuantFloatCuda(dx.data(), dy.data(), n, f, nullptr), "fakeQuantFloat"))
                    compare(y, dy.values(), label("fakeQuantFloat", n, 10 * r + format));
            }
        }
    }
}

template <class Int>
void checkIntegers(const char *name)
{
    for (const std::int64_t n : kSizes) {
        const std::vector<float> x = awkwardFloats(n, 0.05f, true, 2);
        std::vector<Int> q(x.size());
        std::vector<float> y(x.size());
        Device<float> dx(x), dy(x.size());
        Device<Int> dq(x.size());
        for (int r = 0; r < 8; ++r) {
            const LinearParams p{0.05f, 11, -3e9f, 3e9f, Rounding(r)};
            quantizeCpu(x.data(), q.data(), n, p);
            if (succeeded(quantizeCuda(dx.data(), dq.data(), n, p, nullptr), "quantize"))
                compare(q, dq.values(), label(name, n, r));
            dequantizeCpu(q.data(), y.data(), n, p);
            if (succeeded(dequantizeCuda(dq.data(), dy.data(), n, p, nullptr), "dequantize"))
                compare(y, dy.values(), label("dequantize", n, r));
        }
    }
}

struct Layout
{
    std::int64_t channels, stride, n;
};

const std::vector<Layout> kLayouts{{1, 1, 1000},   {3, 1, 3003},        {1280, 1, 1280 * 49}, {96, 9, 864},
                                   {64, 49, 9408}, {5, 100000, 500000}, {7, 3, 50},           {7, 40, 1000}};

void checkChannelRanges(const Layout &l, const std::vector<float> &x, Device<float> &dx)
{
    const float inf = std::numeric_limits<float>::infinity();
    std::vector<float> mins(std::size_t(l.channels), inf), maxs(std::size_t(l.channels), -inf);
    Device<float> dmins(mins), dmaxs(maxs);
    Device<std::int64_t> dnan(std::vector<std::int64_t>{0});
    const std::int64_t nan = minMaxChannelCpu(x.data(), l.n, l.channels, l.stride, mins.data(), maxs.data());
    if (succeeded(
            minMaxChannelCuda(dx.data(), l.n, l.channels, l.stride, dmins.data(), dmaxs.data(), dnan.data(), nullptr),
            "minMaxChannel")) {
        compare(mins, dmins.values(), label("minMaxChannel, minima", l.n, int(l.stride)));
        compare(maxs, dmaxs.values(), label("minMaxChannel, maxima", l.n, int(l.stride)));
        compare({nan}, dnan.values(), label("minMaxChannel, NaN", l.n, int(l.stride)));
    }
}

void checkChannels()
{
    for (const Layout &l : kLayouts) {
        const std::vector<float> x = awkwardFloats(l.n, 0.05f, true, 3);
        std::vector<float> scale(std::size_t(l.channels), 0.f), y(x.size());
        std::vector<std::int32_t> zero(scale.size());
        for (std::size_t c = 0; c < scale.size(); ++c) {
            scale[c] = 0.01f * float(c % 20 + 1);
            zero[c] = std::int32_t(c % 9) - 4;
        }
        Device<float> dx(x), dy(x.size()), dscale(scale);
        Device<std::int32_t> dzero(zero);
        std::vector<std::int16_t> q(x.size());
        Device<std::int16_t> dq(x.size());
        for (int r = 0; r < 8; ++r) {
            LinearChannelParams p{scale.data(), zero.data(), l.channels, l.stride, -128.f, 127.f, Rounding(r)};
            FloatChannelParams f{scale.data(), l.channels, l.stride, {}};
            f.format.rounding = Rounding(r);
            LinearChannelParams dp = p;
            dp.scale = dscale.data();
            dp.zeroPoint = dzero.data();
            FloatChannelParams df = f;
            df.scale = dscale.data();
            fakeQuantChannelCpu(x.data(), y.data(), l.n, p);
            if (succeeded(fakeQuantChannelCuda(dx.data(), dy.data(), l.n, dp, nullptr), "fakeQuantChannel"))
                compare(y, dy.values(), label("fakeQuantChannel", l.n, r));
            const RequantizeParams sums{scale.data(), l.channels, l.stride, -100.f, 90.f};
            RequantizeParams deviceSums = sums;
            deviceSums.factor = dscale.data();
            requantizeCpu(x.data(), y.data(), l.n, sums);
            if (succeeded(requantizeCuda(dx.data(), dy.data(), l.n, deviceSums, nullptr), "requantize"))
                compare(y, dy.values(), label("requantize", l.n, r));
            fakeQuantFloatChannelCpu(x.data(), y.data(), l.n, f);
            if (succeeded(fakeQuantFloatChannelCuda(dx.data(), dy.data(), l.n, df, nullptr), "fakeQuantFloatChannel"))
                compare(y, dy.values(), label("fakeQuantFloatChannel", l.n, r));
            quantizeChannelCpu(x.data(), q.data(), l.n, p);
            if (succeeded(quantizeChannelCuda(dx.data(), dq.data(), l.n, dp, nullptr), "quantizeChannel"))
                compare(q, dq.values(), label("quantizeChannel", l.n, r));
            dequantizeChannelCpu(q.data(), y.data(), l.n, p);
            if (succeeded(dequantizeChannelCuda(dq.data(), dy.data(), l.n, dp, nullptr), "dequantizeChannel"))
                compare(y, dy.values(), label("dequantizeChannel", l.n, r));
        }
        std::vector<float> dyHost = awkwardFloats(l.n, 1.f, false, 7);
        for (float &v : dyHost)
            if (!std::isfinite(v)) v = 1.f;
        scale[0] = -scale[0]; // the only functions that take a negative scale
        Device<float> ddy(dyHost), dnegative(scale);
        for (int r = 0; r < 8; ++r) {
            const LinearChannelParams p{scale.data(), zero.data(), l.channels, l.stride, -128.f, 127.f, Rounding(r)};
            LinearChannelParams dp = p;
            dp.scale = dnegative.data();
            dp.zeroPoint = dzero.data();
            std::vector<double> ds(scale.size(), 0.0);
            Device<double> dds(ds);
            fakeQuantBackwardChannelCpu(x.data(), dyHost.data(), y.data(), ds.data(), l.n, p);
            if (succeeded(fakeQuantBackwardChannelCuda(dx.data(), ddy.data(), dy.data(), dds.data(), l.n, dp, nullptr),
                          "backwardChannel")) {
                compare(y, dy.values(), label("backwardChannel, dx", l.n, r));
                compare(ds, dds.values(), label("backwardChannel, ds", l.n, r));
            }
            const LinearParams one{0.05f, 3, -128.f, 127.f, Rounding(r)};
            fakeQuantBackwardCpu(x.data(), dyHost.data(), y.data(), ds.data(), l.n, one);
            if (succeeded(fakeQuantBackwardCuda(dx.data(), ddy.data(), dy.data(), dds.data(), l.n, one, nullptr),
                          "backward")) {
                compare(y, dy.values(), label("backward, dx", l.n, r));
                check(sameBits(ds[0], dds.values()[0]), label("backward, ds", l.n, r));
            }
        }
        checkChannelRanges(l, x, dx);
    }
}

void checkReductions()
{
    for (const std::int64_t n : kSizes) {
        const std::vector<float> x = awkwardFloats(n, 1.f, true, 4);
        Device<float> dx(x);
        MinMax cpu, cuda;
        minMaxCpu(x.data(), n, &cpu);
        if (succeeded(minMaxCuda(dx.data(), n, &cuda, nullptr), "minMax"))
            check(sameBits(cpu, cuda), label("minMax", n, 0));

        for (const int bins : {1, 128, 2048, 4096, 20000}) {
            std::vector<std::int64_t> counts(std::size_t(bins), 1);
            Device<std::int64_t> dcounts(counts);
            histogramCpu(x.data(), n, -2.7f, 3.1f, bins, counts.data());
            if (succeeded(histogramCuda(dx.data(), n, -2.7f, 3.1f, bins, dcounts.data(), nullptr), "histogram"))
                compare(counts, dcounts.values(), label("histogram", n, bins));
            histogramAbsCpu(x.data(), n, 3.3f, bins, counts.data());
            if (succeeded(histogramAbsCuda(dx.data(), n, 3.3f, bins, dcounts.data(), nullptr), "histogramAbs"))
                compare(counts, dcounts.values(), label("histogramAbs", n, bins));
        }

        std::vector<float> a = awkwardFloats(n, 2.f, false, 5), b = awkwardFloats(n, 2.f, false, 6);
        for (std::vector<float> *values : {&a, &b})
            for (float &v : *values)
                if (!std::isfinite(v)) v = 1.f; // the sign of a NaN sum depends on the processor
        Device<float> da(a), db(b);
        const ErrorSums sums = errorSumsCpu(a.data(), b.data(), n);
        ErrorSums dsums;
        if (succeeded(errorSumsCuda(da.data(), db.data(), n, &dsums, nullptr), "errorSums"))
            check(sameBits(sums, dsums), label("errorSums", n, 0));

        const Moments moments = momentsCpu(x.data(), n);
        Moments dmoments;
        if (succeeded(momentsCuda(dx.data(), n, &dmoments, nullptr), "moments"))
            check(sameBits(moments, dmoments), label("moments", n, 0));

        for (const std::int64_t rank : {std::int64_t(0), n / 1000, n / 2, n - 1}) {
            for (const bool largest : {false, true}) {
                const float cpuKth = selectCpu(x.data(), n, rank, largest);
                float cudaKth = 0;
                if (succeeded(selectCuda(dx.data(), n, rank, largest, &cudaKth, nullptr), "select"))
                    check(sameBits(cpuKth, cudaKth), label("select", n, int(rank)));
            }
        }
    }
}

void checkTails(const Kernels &host, const Kernels &there, const std::vector<float> &x, Device<float> &dx)
{
    const auto n = std::int64_t(x.size());
    for (const double p : {0.5, 0.9, 0.9999, 1.0}) {
        Tails cpu, cuda;
        host.tails(x.data(), n, p, &cpu, nullptr);
        if (succeeded(there.tails(dx.data(), n, p, &cuda, nullptr), "tails"))
            check(sameBits(cpu, cuda), label("tails", n, int(p * 10000)));
    }
    for (const std::int64_t keep : {std::int64_t(5), std::int64_t(300), n / 2 + 1}) {
        TailStore cpu(keep, keep, 1 << 14), cuda(keep, keep, 1 << 14);
        for (int batch = 0; batch < 3; ++batch) {
            host.addTails(x.data(), n, &cpu, nullptr);
            if (!succeeded(there.addTails(dx.data(), n, &cuda, nullptr), "addTails")) return;
        }
        for (std::int64_t rank = 0; rank < std::min(keep, cpu.size()); rank += 1 + keep / 7) {
            check(sameBits(cpu.low.at(rank), cuda.low.at(rank)), label("addTails low", n, int(rank)));
            check(sameBits(cpu.high.at(rank), cuda.high.at(rank)), label("addTails high", n, int(rank)));
        }
        check(cpu.size() == cuda.size(), label("addTails size", n, 0));
    }
}

/// The tables that the engine uses: results on the host, ranks and rows combined from several kernels.
void checkTables()
{
    const Kernels &host = cpuKernels();
    const Kernels &there = *cudaKernels();
    for (const std::int64_t n : kSizes) {
        std::vector<float> x = awkwardFloats(n, 1.f, true, 7), y(x.size());
        Device<float> dx(x), dy(x.size());
        checkTails(host, there, x, dx);
        std::vector<std::int64_t> counts(2048, 1), dcounts = counts;
        host.histogram(x.data(), n, -2.7f, 3.1f, 2048, counts.data(), nullptr);
        if (succeeded(there.histogram(dx.data(), n, -2.7f, 3.1f, 2048, dcounts.data(), nullptr), "table histogram"))
            compare(counts, dcounts, label("table histogram", n, 0));
        host.histogramAbs(x.data(), n, 3.3f, 2048, counts.data(), nullptr);
        if (succeeded(there.histogramAbs(dx.data(), n, 3.3f, 2048, dcounts.data(), nullptr), "table histogramAbs"))
            compare(counts, dcounts, label("table histogramAbs", n, 0));
        check(there.histogram(dx.data(), n, 1.f, 1.f, 2048, dcounts.data(), nullptr) == 0, "a range without width");
        compare(counts, dcounts, "a range without width counts nothing");

        std::vector<std::int64_t> positions;
        for (std::int64_t i = 0; n > 0 && i < 4096; ++i) positions.push_back(i * 7919 % n);
        std::vector<float> picked(positions.size()), dpicked = picked;
        const auto count = std::int64_t(positions.size());
        host.pick(x.data(), positions.data(), count, picked.data(), nullptr);
        if (succeeded(there.pick(dx.data(), positions.data(), count, dpicked.data(), nullptr), "pick"))
            compare(picked, dpicked, label("pick", n, 0));

        const float inf = std::numeric_limits<float>::infinity();
        for (const std::int64_t channels : {1, 3}) {
            std::vector<float> mins(std::size_t(channels), inf), maxs(std::size_t(channels), -inf);
            std::vector<float> dmins = mins, dmaxs = maxs;
            std::int64_t nan = 5, dnan = 5;
            host.minMaxChannel(x.data(), n, channels, 7, mins.data(), maxs.data(), &nan, nullptr);
            if (succeeded(there.minMaxChannel(dx.data(), n, channels, 7, dmins.data(), dmaxs.data(), &dnan, nullptr),
                          "table minMaxChannel")) {
                compare(mins, dmins, label("table minMaxChannel, minima", n, int(channels)));
                compare(maxs, dmaxs, label("table minMaxChannel, maxima", n, int(channels)));
                check(nan == dnan, label("table minMaxChannel, NaN", n, int(channels)));
            }
        }

        const std::vector<float> scale{0.1f, 0.02f, 0.5f};
        const std::vector<std::int32_t> zero{0, 3, -7};
        for (const std::int32_t *zeros : {zero.data(), static_cast<const std::int32_t *>(nullptr)}) {
            const LinearChannelParams linear{scale.data(), zeros, 3, 7, -128.f, 127.f, Rounding::HalfEven};
            host.fakeQuantChannel(x.data(), y.data(), n, linear, nullptr);
            if (succeeded(there.fakeQuantChannel(dx.data(), dy.data(), n, linear, nullptr), "table fakeQuantChannel"))
                compare(y, dy.values(), label("table fakeQuantChannel", n, zeros != nullptr));
        }
        const FloatChannelParams floating{scale.data(), 3, 7, {}};
        host.fakeQuantFloatChannel(x.data(), y.data(), n, floating, nullptr);
        if (succeeded(there.fakeQuantFloatChannel(dx.data(), dy.data(), n, floating, nullptr), "table float channel"))
            compare(y, dy.values(), label("table fakeQuantFloatChannel", n, 0));

        for (const std::int64_t rows : {1, 2, 7}) {
            const std::int64_t columns = n / rows;
            std::vector<float> a = awkwardFloats(n, 2.f, false, 5), b = awkwardFloats(n, 2.f, false, 6);
            for (std::vector<float> *values : {&a, &b})
                for (float &v : *values)
                    if (!std::isfinite(v)) v = 1.f;
            Device<float> da(a), db(b);
            std::vector<ErrorSums> sums(std::size_t(rows), ErrorSums{}), dsums = sums;
            host.errorSumsRows(a.data(), b.data(), rows, columns, sums.data(), nullptr);
            if (succeeded(there.errorSumsRows(da.data(), db.data(), rows, columns, dsums.data(), nullptr),
                          "errorSumsRows"))
                for (std::size_t r = 0; r < sums.size(); ++r)
                    check(sameBits(sums[r], dsums[r]), label("errorSumsRows", n, int(r)));
        }
    }
}

} // namespace
} // namespace ql::gpu
#endif

int main()
{
    using namespace ql::gpu;
    if (deviceCount() == 0) {
        LinearParams p;
        float x = 1.f;
        const int rc = fakeQuantCuda(&x, &x, 1, p, nullptr);
        std::printf("no CUDA device; a kernel call says: %s\n", errorText(rc).c_str());
        return rc == 0 ? 1 : 77; // without a device, calls must fail rather than pretend to work
    }
#ifdef QL_WITH_CUDA_RUNTIME
    checkTensor();
    checkIntegers<std::int8_t>("int8");
    checkIntegers<std::uint8_t>("uint8");
    checkIntegers<std::int16_t>("int16");
    checkIntegers<std::uint16_t>("uint16");
    checkIntegers<std::int32_t>("int32");
    checkChannels();
    checkReductions();
    checkTables();
    std::printf("%d checks, %d failures\n", checks, failures);
    return failures == 0 ? 0 : 1;
#endif
    return 1;
}

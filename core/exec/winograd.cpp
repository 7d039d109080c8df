#include "core/exec/winograd.h"

#include "gpu/isa_clones.h"

#include <cstring>

namespace ql::winograd {

namespace {

// The points +-a and +-b
constexpr double a = 5. / 8, b = 3. / 2, a2 = a * a, b2 = b * b;

// Channels processed together, for every instruction set: GCC and clang split vectors that do not fit its registers.
// Loops over the 6 and 4 entries have constant bounds and are unrolled.
using Floats = float __attribute__((vector_size(lanes * sizeof(float))));
using HalfFloats = float __attribute__((vector_size(lanes / 2 * sizeof(float))));
using Doubles = double __attribute__((vector_size(lanes / 2 * sizeof(double))));

template <class Vector>
QL_INLINE void load(Vector &to, const float *from)
{
    std::memcpy(&to, from, sizeof to);
}

template <class Vector>
QL_INLINE void store(float *to, const Vector &from)
{
    std::memcpy(to, &from, sizeof from);
}

/// Values of the polynomials with all of these roots but one (Bt of the paper), on six entries.
QL_INLINE void tileRow(const Floats *in, Floats *out)
{
    // With the signs of a point, sums and differences are shared
    const Floats evenA = in[4] - float(b2) * in[2], oddA = float(a) * (in[3] - float(b2) * in[1]);
    const Floats evenB = in[4] - float(a2) * in[2], oddB = float(b) * (in[3] - float(a2) * in[1]);
    out[0] = float(a2 * b2) * in[0] - float(a2 + b2) * in[2] + in[4];
    out[1] = evenA + oddA;
    out[2] = evenA - oddA;
    out[3] = evenB + oddB;
    out[4] = evenB - oddB;
    out[5] = float(a2 * b2) * in[1] - float(a2 + b2) * in[3] + in[5];
}

/// Values of a filter at the points, divided by the products of their distances (G of the paper): three entries to
/// six.
QL_INLINE void weightRow(const Doubles *in, Doubles *out)
{
    constexpr double atA = 1 / (2 * a2 * (a2 - b2)), atB = 1 / (2 * b2 * (b2 - a2));
    const Doubles evenA = atA * (in[0] + a2 * in[2]), oddA = atA * a * in[1];
    const Doubles evenB = atB * (in[0] + b2 * in[2]), oddB = atB * b * in[1];
    out[0] = in[0] / (a2 * b2);
    out[1] = evenA + oddA;
    out[2] = evenA - oddA;
    out[3] = evenB + oddB;
    out[4] = evenB - oddB;
    out[5] = in[2];
}

/// Coefficients of the polynomial with these values at the points (At of the paper): six entries to four.
QL_INLINE void resultRow(const Floats *in, Floats *out)
{
    const Floats evenA = in[1] + in[2], oddA = in[1] - in[2], evenB = in[3] + in[4], oddB = in[3] - in[4];
    out[0] = in[0] + evenA + evenB;
    out[1] = float(a) * oddA + float(b) * oddB;
    out[2] = float(a2) * evenA + float(b2) * evenB;
    out[3] = float(a2 * a) * oddA + float(b2 * b) * oddB + in[5];
}

struct Weights
{
    static QL_INLINE void run(const float *weights, std::int64_t count, float *to)
    {
        for (std::int64_t k = 0; k < count; k += lanes / 2) {
            Doubles half[3][tile]; // columns of the filter
            for (int x = 0; x < 3; ++x) {
                Doubles column[3];
                for (int y = 0; y < 3; ++y) {
                    HalfFloats values;
                    load(values, weights + (3 * y + x) * count + k);
                    column[y] = __builtin_convertvector(values, Doubles);
                }
                weightRow(column, half[x]);
            }
            for (int y = 0; y < tile; ++y) {
                const Doubles row[3] = {half[0][y], half[1][y], half[2][y]};
                Doubles whole[tile];
                weightRow(row, whole);
                for (int x = 0; x < tile; ++x)
                    store(to + (tile * y + x) * count + k, __builtin_convertvector(whole[x], HalfFloats));
            }
        }
    }
};

struct Tile
{
    static QL_INLINE void run(const float *const *values, std::int64_t channels, float *to, std::int64_t stride)
    {
        for (std::int64_t c = 0; c < channels; c += lanes) {
            Floats half[tile][tile]; // [x][y]
            for (int x = 0; x < tile; ++x) {
                Floats column[tile];
                for (int y = 0; y < tile; ++y) load(column[y], values[tile * y + x] + c);
                tileRow(column, half[x]);
            }
            for (int y = 0; y < tile; ++y) {
                Floats row[tile], whole[tile];
                for (int x = 0; x < tile; ++x) row[x] = half[x][y];
                tileRow(row, whole);
                for (int x = 0; x < tile; ++x) store(to + (tile * y + x) * stride + c, whole[x]);
            }
        }
    }
};

struct Back
{
    static QL_INLINE void run(const float *in, std::int64_t stride, std::int64_t channels, const float *bias, float low,
                              float high, float *const *pixels)
    {
        const Floats lowest = low - Floats{}, highest = high - Floats{};
        for (std::int64_t c = 0; c < channels; c += lanes) {
            Floats half[tile][results]; // [x][y]
            for (int x = 0; x < tile; ++x) {
                Floats column[tile];
                for (int y = 0; y < tile; ++y) load(column[y], in + (tile * y + x) * stride + c);
                resultRow(column, half[x]);
            }
            Floats shift;
            load(shift, bias + c);
            for (int y = 0; y < results; ++y) {
                Floats row[tile], whole[results];
                for (int x = 0; x < tile; ++x) row[x] = half[x][y];
                resultRow(row, whole);
                for (int x = 0; x < results; ++x) {
                    float *pixel = pixels[results * y + x];
                    if (!pixel) continue;
                    Floats value = whole[x] + shift;
                    value = value < lowest ? lowest : value;
                    value = value > highest ? highest : value;
                    store(pixel + c, value);
                }
            }
        }
    }
};

} // namespace

void transformWeights(const float *weights, std::int64_t count, float *out)
{
    gpu::dispatch<Weights>(weights, count, out);
}

void transformTile(const float *const *values, std::int64_t channels, float *out, std::int64_t stride)
{
    gpu::dispatch<Tile>(values, channels, out, stride);
}

void transformBack(const float *in, std::int64_t stride, std::int64_t channels, const float *bias, float low,
                   float high, float *const *pixels)
{
    gpu::dispatch<Back>(in, stride, channels, bias, low, high, pixels);
}

} // namespace ql::winograd

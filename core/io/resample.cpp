#include "core/io/resample.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace ql {

static double triangle(double x)
{
    x = std::abs(x);
    return x < 1 ? 1 - x : 0;
}

/// Keys' cubic convolution with a = -0.5.
static double cubic(double x)
{
    constexpr double a = -0.5;
    x = std::abs(x);
    if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

namespace {

/// For every output position: the first source position, and its weights.
struct Taps
{
    std::vector<int> first;
    std::vector<std::vector<double>> weights;
};

constexpr int fractionBits = 22; // 32 bits hold 8 bits of pixel, 22 of weight and an overshoot of the cubic filter

std::uint8_t roundFixed(std::int32_t sum)
{
    return std::uint8_t(std::clamp(sum >> fractionBits, 0, 255));
}

} // namespace

static Taps tapsFor(int from, int to, Filter filter)
{
    const double ratio = double(from) / to, stretch = std::max(1.0, ratio);
    const double support = (filter == Filter::Bicubic ? 2.0 : 1.0) * stretch;
    Taps taps;
    for (int i = 0; i < to; ++i) {
        const double centre = (i + 0.5) * ratio;
        const int first = std::max(0, int(std::floor(centre - support + 0.5)));
        const int last = std::min(from, int(std::floor(centre + support + 0.5)));
        std::vector<double> weights;
        double sum = 0;
        for (int j = first; j < last; ++j) {
            const double x = (j + 0.5 - centre) / stretch;
            weights.push_back(filter == Filter::Bicubic ? cubic(x) : triangle(x));
            sum += weights.back();
        }
        if (sum != 0)
            for (double &weight : weights) weight /= sum;
        taps.first.push_back(first);
        taps.weights.push_back(std::move(weights));
    }
    return taps;
}

/// One convolution along lines of `length` elements `step` apart: `lines` of them, each `channels` interleaved values.
template <class T>
static void convolve(const T *in, T *out, const Taps &taps, std::size_t outerCount, std::size_t inOuter,
                     std::size_t outOuter, std::size_t innerCount, std::size_t step)
{
    constexpr bool fixed = std::is_same_v<T, std::uint8_t>;
    std::vector<std::int32_t> integers;
    for (std::size_t i = 0; i < taps.first.size(); ++i) {
        const std::vector<double> &weights = taps.weights[i];
        if constexpr (fixed) {
            integers.clear();
            for (const double weight : weights)
                integers.push_back(std::int32_t(weight * (1 << fractionBits) + (weight < 0 ? -0.5 : 0.5)));
        }
        for (std::size_t outer = 0; outer < outerCount; ++outer) {
            const T *source = in + outer * inOuter + std::size_t(taps.first[i]) * step;
            T *target = out + outer * outOuter + i * step;
            for (std::size_t inner = 0; inner < innerCount; ++inner) {
                if constexpr (fixed) {
                    std::int32_t sum = 1 << (fractionBits - 1);
                    for (std::size_t k = 0; k < integers.size(); ++k)
                        sum += integers[k] * std::int32_t(source[k * step + inner]);
                    target[inner] = roundFixed(sum);
                } else {
                    double sum = 0;
                    for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * source[k * step + inner];
                    target[inner] = float(sum);
                }
            }
        }
    }
}

template <class T>
static std::vector<T> resampleValues(const std::vector<T> &in, const Image &image, int width, int height, Filter filter)
{
    const auto channels = std::size_t(image.channels), oldWidth = std::size_t(image.width);
    const auto oldHeight = std::size_t(image.height), newWidth = std::size_t(width);
    std::vector<T> wide;
    const std::vector<T> *source = &in;
    if (width != image.width) { // an axis that keeps its length is unchanged
        wide.resize(oldHeight * newWidth * channels);
        convolve(in.data(), wide.data(), tapsFor(image.width, width, filter), oldHeight, oldWidth * channels,
                 newWidth * channels, channels, channels);
        source = &wide;
    }
    if (height == image.height) return *source;
    std::vector<T> out(std::size_t(height) * newWidth * channels);
    convolve(source->data(), out.data(), tapsFor(image.height, height, filter), 1, 0, 0, newWidth * channels,
             newWidth * channels);
    return out;
}

template <class T>
static std::vector<T> nearestValues(const std::vector<T> &in, const Image &image, int width, int height)
{
    const auto channels = std::size_t(image.channels);
    std::vector<T> out;
    out.reserve(std::size_t(width) * std::size_t(height) * channels);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto row = std::size_t((y + 0.5) * image.height / height);
            const auto column = std::size_t((x + 0.5) * image.width / width);
            const auto at = (row * std::size_t(image.width) + column) * channels;
            out.insert(out.end(), in.begin() + std::ptrdiff_t(at), in.begin() + std::ptrdiff_t(at + channels));
        }
    return out;
}

Image resample(const Image &image, int width, int height, Filter filter)
{
    if (width == image.width && height == image.height) return image;
    Image out;
    out.width = width;
    out.height = height;
    out.channels = image.channels;
    out.floating = image.floating;
    if (filter == Filter::Nearest) {
        if (image.floating)
            out.values = nearestValues(image.values, image, width, height);
        else
            out.bytes = nearestValues(image.bytes, image, width, height);
    } else if (image.floating) {
        out.values = resampleValues(image.values, image, width, height, filter);
    } else {
        out.bytes = resampleValues(image.bytes, image, width, height, filter);
    }
    return out;
}

} // namespace ql

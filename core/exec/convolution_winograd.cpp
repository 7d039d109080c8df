// Conv with kernels of 3x3 and stride 1 by Winograd's minimal filtering (core/exec/winograd.h), on channels-last
// tensors: tiles are transformed, 36 matrix products by oneDNN mix their channels, and the results are transformed
// back.
#include "core/exec/convolution.h"
#include "core/exec/threads.h"
#include "core/exec/winograd.h"

#ifdef QL_WITH_DNNL

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <dnnl.hpp>
#include <limits>
#include <map>
#include <memory>
#include <mutex>

namespace ql {

namespace winograd {

namespace {

using dnnl::memory;

/// Fewer tiles than this of a sample keep no matrix product busy.
constexpr std::int64_t minTiles = 9;
/// Transformed tiles and their products of this size stay in a core's second-level cache.
constexpr std::int64_t blockBytes = 768 * 1024;

class WinogradConvolution final : public PreparedKernel
{
public:
    /// weight: [O, C, 3, 3]; direct: used for sizes for which this does not pay
    WinogradConvolution(const at::Tensor &weight, const at::Tensor &bias, const Epilogue &epilogue,
                        std::unique_ptr<PreparedKernel> direct)
        : m_weight(weight),
          m_bias(bias.defined() ? bias.reshape({-1}).contiguous() : at::zeros({weight.size(0)}, weight.options())),
          m_epilogue(epilogue), m_direct(std::move(direct))
    {
        using Kind = Epilogue::Kind;
        if (epilogue.kind == Kind::Relu) m_low = 0;
        if (epilogue.kind == Kind::Clip) {
            m_low = epilogue.alpha;
            m_high = epilogue.beta;
        }
        m_isClamp = epilogue.kind == Kind::None || epilogue.kind == Kind::Relu || epilogue.kind == Kind::Clip;
    }

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        at::Tensor x = requiredInput(context, inputs, 0);
        if (x.dim() != 4 || x.scalar_type() != at::kFloat) return m_direct->run(context, inputs);
        const ConvGeometry g = convGeometry(context.op, x.sizes(), m_weight.sizes());
        const std::vector<std::int64_t> sizes = convOutputSizes(context.op, g, x.sizes(), m_weight.sizes());
        const std::int64_t down = (sizes[2] + results - 1) / results, across = (sizes[3] + results - 1) / results;
        // Depends on the size of a sample only: the same sample gives the same result in every batch
        if (down * across < minTiles) return m_direct->run(context, inputs);
        x = x.contiguous(at::MemoryFormat::ChannelsLast);
        at::Tensor y = at::empty(sizes, x.options().memory_format(at::MemoryFormat::ChannelsLast));
        convolve(x, y, g.padBegin[0], g.padBegin[1], down, across);
        return {m_isClamp ? y : applyEpilogue(y, m_epilogue)};
    }

private:
    /// The 36 products of a block of tiles: [36, tiles, C] by [36, C, O], by one thread.
    struct Product
    {
        memory::desc in, out, scratch;
        memory weights;
        dnnl::matmul primitive;
    };

    void convolve(const at::Tensor &x, at::Tensor &y, std::int64_t padTop, std::int64_t padLeft, std::int64_t down,
                  std::int64_t across)
    {
        const std::int64_t height = x.size(2), width = x.size(3), channels = x.size(1), filters = y.size(1);
        const std::int64_t rows = y.size(2), columns = y.size(3);
        const std::int64_t tiles = x.size(0) * down * across, threads = at::get_num_threads();
        // A block stays in the cache, or is so large that reading all weights for it takes no longer than reading its
        // tiles
        const std::int64_t bytes = products * std::int64_t(sizeof(float)) * (channels + filters);
        const std::int64_t fit = std::max({lanes, blockBytes / bytes, channels * filters / (channels + filters)});
        // The same number for each thread, and no block that is nearly empty
        const std::int64_t rounds = (tiles + fit * threads - 1) / (fit * threads);
        const std::int64_t block = (tiles + rounds * threads - 1) / (rounds * threads);
        const std::shared_ptr<const Product> product = productFor(block);
        const float *const from = x.data_ptr<float>(), *const bias = m_bias.data_ptr<float>();
        float *const to = y.data_ptr<float>();
        at::parallel_for(0, (tiles + block - 1) / block, 1, [&](std::int64_t begin, std::int64_t end) {
            static thread_local dnnl::stream stream(engine());
            const auto floats = [&](std::int64_t count) { return at::empty({count}, x.options()); };
            const at::Tensor in = floats(products * block * channels), out = floats(products * block * filters),
                             scratch = floats(std::int64_t(product->scratch.get_size() / sizeof(float)) + 1),
                             zeros = at::zeros({channels}, x.options());
            std::array<const float *, products> values;
            std::array<float *, results * results> pixels;
            for (std::int64_t b = begin; b < end; ++b) {
                const std::int64_t first = b * block, last = std::min(tiles, first + block);
                // The corner of tile t in the result
                const auto cornerOf = [&](std::int64_t t) {
                    const std::int64_t inSample = t % (down * across);
                    return std::array{t / (down * across), results * (inSample / across),
                                      results * (inSample % across)};
                };
                for (std::int64_t t = first; t < last; ++t) {
                    const auto [sample, top, left] = cornerOf(t);
                    for (std::int64_t i = 0; i < products; ++i) {
                        const std::int64_t row = top - padTop + i / tile, column = left - padLeft + i % tile;
                        const bool isInside = row >= 0 && row < height && column >= 0 && column < width;
                        values[std::size_t(i)] = isInside ? from + ((sample * height + row) * width + column) * channels
                                                          : zeros.data_ptr<float>();
                    }
                    transformTile(values.data(), channels, in.data_ptr<float>() + (t - first) * channels,
                                  block * channels);
                }
                memory source(product->in, engine(), in.data_ptr()), target(product->out, engine(), out.data_ptr()),
                    buffer(product->scratch, engine(), scratch.data_ptr());
                product->primitive.execute(stream, {{DNNL_ARG_SRC, source},
                                                    {DNNL_ARG_WEIGHTS, product->weights},
                                                    {DNNL_ARG_DST, target},
                                                    {DNNL_ARG_SCRATCHPAD, buffer}});
                stream.wait();
                for (std::int64_t t = first; t < last; ++t) {
                    const auto [sample, top, left] = cornerOf(t);
                    for (std::int64_t i = 0; i < results * results; ++i) {
                        const std::int64_t row = top + i / results, column = left + i % results;
                        const bool isInside = row < rows && column < columns;
                        pixels[std::size_t(i)] =
                            isInside ? to + ((sample * rows + row) * columns + column) * filters : nullptr;
                    }
                    transformBack(out.data_ptr<float>() + (t - first) * filters, block * filters, filters, bias, m_low,
                                  m_high, pixels.data());
                }
            }
        });
    }

    std::shared_ptr<const Product> productFor(std::int64_t block)
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_products.find(block); known != m_products.end()) return known->second;
        const ThreadLimit one(1); // oneDNN divides the work among the threads at creation of a primitive
        const std::int64_t filters = m_weight.size(0), channels = m_weight.size(1);
        const auto f32 = memory::data_type::f32;
        const auto plain = memory::format_tag::abc;
        Product p;
        p.in = memory::desc({products, block, channels}, f32, plain);
        p.out = memory::desc({products, block, filters}, f32, plain);
        const memory::desc anyWeights({products, channels, filters}, f32, memory::format_tag::any);
        dnnl::primitive_attr attributes;
        attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
#if DNNL_VERSION_MAJOR >= 3
        const dnnl::matmul::primitive_desc description(engine(), p.in, anyWeights, p.out, attributes);
#else
        const dnnl::matmul::primitive_desc description(dnnl::matmul::desc(p.in, anyWeights, p.out), attributes,
                                                       engine());
#endif
        p.primitive = dnnl::matmul(description);
        p.scratch = description.scratchpad_desc();
        const memory::desc packed = description.weights_desc();
        if (!m_products.empty() && m_products.begin()->second->weights.get_desc() == packed) {
            p.weights = m_products.begin()->second->weights;
        } else {
            const at::Tensor filter = m_weight.permute({2, 3, 1, 0}).contiguous();
            const at::Tensor transformed = at::empty({products, channels, filters}, filter.options());
            transformWeights(filter.data_ptr<float>(), channels * filters, transformed.data_ptr<float>());
            memory source(memory::desc({products, channels, filters}, f32, plain), engine(), transformed.data_ptr());
            p.weights = memory(packed, engine());
            dnnl::stream stream(engine());
            dnnl::reorder(source, p.weights).execute(stream, source, p.weights);
            stream.wait();
        }
        // Dynamic shapes must not fill the memory with primitives
        if (m_products.size() >= 16) m_products.clear();
        return m_products.emplace(block, std::make_shared<const Product>(std::move(p))).first->second;
    }

    static dnnl::engine &engine()
    {
        static dnnl::engine instance(dnnl::engine::kind::cpu, 0);
        return instance;
    }

    at::Tensor m_weight, m_bias;
    Epilogue m_epilogue;
    float m_low = -std::numeric_limits<float>::infinity(), m_high = std::numeric_limits<float>::infinity();
    bool m_isClamp = false; ///< the epilogue is part of the transform back
    std::unique_ptr<PreparedKernel> m_direct;
    std::mutex m_mutex;                                                ///< of m_products
    std::map<std::int64_t, std::shared_ptr<const Product>> m_products; ///< by tiles of a block
};

} // namespace

} // namespace winograd

bool fitsMinimalFiltering(const Operation &op, Inputs constants)
{
    const at::Tensor weight = inputOr(constants, 1);
    if (op.type != "Conv" || !weight.defined() || weight.dim() != 4) return false;
    const auto areOnes = [&](const char *key) {
        const std::vector<std::int64_t> values = op.intsAttribute(key);
        return std::all_of(values.begin(), values.end(), [](std::int64_t v) { return v == 1; });
    };
    return weight.size(2) == 3 && weight.size(3) == 3 && op.intAttribute("group", 1) == 1 && areOnes("strides") &&
           areOnes("dilations") && weight.size(0) % winograd::lanes == 0 && weight.size(1) % winograd::lanes == 0 &&
           std::min(weight.size(0), weight.size(1)) >= 2 * winograd::lanes;
}

std::unique_ptr<PreparedKernel> prepareWinogradConvolution(const KernelContext &context, Inputs constants,
                                                           const Epilogue &epilogue)
{
    if (!context.minimalFiltering) return nullptr;
    std::unique_ptr<PreparedKernel> direct = prepareDnnlConvolution(context, constants, epilogue);
    if (!direct) return nullptr;
    return std::make_unique<winograd::WinogradConvolution>(constants[1], inputOr(constants, 2), epilogue,
                                                           std::move(direct));
}

} // namespace ql

#else

namespace ql {

bool fitsMinimalFiltering(const Operation &, Inputs)
{
    return false;
}

std::unique_ptr<PreparedKernel> prepareWinogradConvolution(const KernelContext &, Inputs, const Epilogue &)
{
    return nullptr;
}

} // namespace ql

#endif

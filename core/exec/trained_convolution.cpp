// Conv with gradients on the CPU through oneDNN: forward, and backward by data, weights and bias, on channels-last
// tensors. LibTorch would compute single samples and kernels of size 1 by a general matrix product.
#include "core/exec/trained_convolution.h"

#ifdef QL_WITH_DNNL

#include "core/exec/gradient_node.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>
#include <dnnl.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace ql {

namespace {

using torch::autograd::variable_list;
using Desc = dnnl::memory::desc;

dnnl::engine &gradientEngine()
{
    static dnnl::engine instance(dnnl::engine::kind::cpu, 0);
    return instance;
}

dnnl::memory bound(const Desc &desc, const at::Tensor &tensor)
{
    return {desc, gradientEngine(), tensor.data_ptr()};
}

at::Tensor bytesFor(const Desc &desc)
{
    return at::empty({std::int64_t(desc.get_size())}, at::TensorOptions(at::kByte));
}

void execute(const dnnl::primitive &primitive, const std::unordered_map<int, dnnl::memory> &args)
{
    static thread_local dnnl::stream stream(gradientEngine());
    primitive.execute(stream, args);
    stream.wait();
}

/// One of the three computations, with its own packing of weights.
struct Computation
{
    dnnl::primitive primitive, packing; ///< packing: from plain to packed weights, or back for their gradient
    Desc packed, scratch;

    template <class Description>
    void set(const Description &description, const Desc &weights)
    {
        primitive = dnnl::primitive(description.get());
        scratch = description.scratchpad_desc();
        packed = weights;
    }
    void run(std::unordered_map<int, dnnl::memory> args) const
    {
        at::Tensor buffer;
        if (scratch.get_size() > 0) {
            buffer = bytesFor(scratch);
            args.emplace(DNNL_ARG_SCRATCHPAD, bound(scratch, buffer));
        }
        execute(primitive, args);
    }
};

dnnl::primitive packingOf(const Desc &from, const Desc &to)
{
    return dnnl::reorder(dnnl::reorder::primitive_desc(gradientEngine(), from, gradientEngine(), to));
}

/// Convolutions of one geometry. Tensors are [N, C, H, W], lines have H = 1.
struct TrainedConvolution
{
    std::vector<std::int64_t> outputSizes;
    Desc src, weights, bias, dst; ///< weights: as in the graph
    Computation forward, byData, byWeights;

    TrainedConvolution(const std::vector<std::int64_t> &in, const std::vector<std::int64_t> &weightSizes,
                       const std::vector<std::int64_t> &out, const ConvGeometry &g, bool hasBias)
        : outputSizes(out)
    {
        using Tag = dnnl::memory::format_tag;
        const auto f32 = dnnl::memory::data_type::f32;
        src = Desc(in, f32, Tag::nhwc);
        dst = Desc(out, f32, Tag::nhwc);
        dnnl::memory::dims w = weightSizes;
        if (g.group != 1) {
            w[0] /= g.group;
            w.insert(w.begin(), g.group);
        }
        weights = Desc(w, f32, g.group == 1 ? Tag::oihw : Tag::goihw);
        if (hasBias) bias = Desc({out[1]}, f32, Tag::x);
        dnnl::memory::dims dilations = g.dilations; // oneDNN counts the zeros between taps
        for (auto &d : dilations) --d;
        describe(Desc(w, f32, Tag::any), g, dilations);
        if (forward.packed != weights) forward.packing = packingOf(weights, forward.packed);
        if (byData.packed != weights) byData.packing = packingOf(weights, byData.packed);
        if (byWeights.packed != weights) byWeights.packing = packingOf(byWeights.packed, weights);
    }

    at::Tensor pack(const at::Tensor &w, const Computation &to) const
    {
        if (!to.packing) return w;
        at::Tensor packed = bytesFor(to.packed);
        execute(to.packing, {{DNNL_ARG_FROM, bound(weights, w)}, {DNNL_ARG_TO, bound(to.packed, packed)}});
        return packed;
    }

private:
    void describe(const Desc &anyWeights, const ConvGeometry &g, const dnnl::memory::dims &dilations)
    {
        const auto direct = dnnl::algorithm::convolution_direct;
        const auto training = dnnl::prop_kind::forward_training;
        const dnnl::engine &on = gradientEngine();
        dnnl::primitive_attr attr;
        attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        using Forward = dnnl::convolution_forward;
        using ByData = dnnl::convolution_backward_data;
        using ByWeights = dnnl::convolution_backward_weights;
#if DNNL_VERSION_MAJOR >= 3
        const Forward::primitive_desc f(on, training, direct, src, anyWeights, bias, dst, g.strides, dilations,
                                        g.padBegin, g.padEnd, attr);
        const ByData::primitive_desc d(on, direct, src, anyWeights, dst, g.strides, dilations, g.padBegin, g.padEnd, f,
                                       attr);
        const ByWeights::primitive_desc w(on, direct, src, anyWeights, bias, dst, g.strides, dilations, g.padBegin,
                                          g.padEnd, f, attr);
#else
        const Forward::primitive_desc f(
            {training, direct, src, anyWeights, bias, dst, g.strides, dilations, g.padBegin, g.padEnd}, attr, on);
        const ByData::primitive_desc d({direct, src, anyWeights, dst, g.strides, dilations, g.padBegin, g.padEnd}, attr,
                                       on, f);
        const ByWeights::primitive_desc w(
            {direct, src, anyWeights, bias, dst, g.strides, dilations, g.padBegin, g.padEnd}, attr, on, f);
#endif
        forward.set(f, f.weights_desc());
        byData.set(d, d.weights_desc());
        byWeights.set(w, w.diff_weights_desc());
    }
};

/// [N, C, L] as [N, C, 1, L].
std::vector<std::int64_t> withHeight(at::IntArrayRef sizes)
{
    std::vector<std::int64_t> all = sizes.vec();
    if (all.size() == 3) all.insert(all.begin() + 2, 1);
    return all;
}

/// For the calling thread's number of threads, among which oneDNN divides the work.
std::shared_ptr<const TrainedConvolution> trainedConvolution(ConvGeometry g, const std::vector<std::int64_t> &out,
                                                             const at::Tensor &x, const at::Tensor &w, bool hasBias)
{
    if (x.dim() == 3) {
        for (std::vector<std::int64_t> *one : {&g.strides, &g.dilations}) one->insert(one->begin(), 1);
        for (std::vector<std::int64_t> *none : {&g.padBegin, &g.padEnd}) none->insert(none->begin(), 0);
    }
    std::vector<std::int64_t> key{at::get_num_threads(), hasBias, g.group};
    const std::vector<std::int64_t> in = withHeight(x.sizes()), taps = withHeight(w.sizes());
    for (const auto &part : {in, taps, g.strides, g.dilations, g.padBegin, g.padEnd})
        key.insert(key.end(), part.begin(), part.end());
    static std::mutex mutex;
    static std::map<std::vector<std::int64_t>, std::shared_ptr<const TrainedConvolution>> known;
    const std::lock_guard lock(mutex);
    const auto it = known.find(key);
    if (it != known.end()) return it->second;
    if (known.size() >= 256) known.clear(); // dynamic shapes must not fill the memory
    auto made = std::make_shared<const TrainedConvolution>(in, taps, withHeight(out), g, hasBias);
    return known.emplace(std::move(key), std::move(made)).first->second;
}

at::Tensor channelsLast(const at::Tensor &tensor)
{
    return (tensor.dim() == 3 ? tensor.unsqueeze(2) : tensor).contiguous(at::MemoryFormat::ChannelsLast);
}

struct ConvolutionGradient final : torch::autograd::Node
{
    std::shared_ptr<const TrainedConvolution> conv;
    at::Tensor x, w; ///< as computed with
    bool isLine = false, hasBias = false;

    /// @returns the gradients by x, w and bias
    variable_list apply(variable_list &&gradients) override
    {
        variable_list result(3);
        if (!gradients[0].defined()) return result;
        const at::Tensor dy = channelsLast(gradients[0]);
        const dnnl::memory slope = bound(conv->dst, dy);
        if (task_should_compute_output(0)) {
            const Computation &data = conv->byData;
            const at::Tensor packed = conv->pack(w, data);
            at::Tensor dx = at::empty_like(x, at::MemoryFormat::ChannelsLast);
            data.run({{DNNL_ARG_DIFF_DST, slope},
                      {DNNL_ARG_WEIGHTS, bound(data.packed, packed)},
                      {DNNL_ARG_DIFF_SRC, bound(conv->src, dx)}});
            result[0] = isLine ? dx.squeeze(2) : dx;
        }
        if (task_should_compute_output(1) || (hasBias && task_should_compute_output(2))) byWeights(slope, &result);
        return result;
    }

    void release_variables() override
    {
        x.reset();
        w.reset();
    }

private:
    void byWeights(const dnnl::memory &slope, variable_list *result) const
    {
        const Computation &weights = conv->byWeights;
        at::Tensor dw = at::empty_like(w);
        const at::Tensor packed = weights.packing ? bytesFor(weights.packed) : dw;
        std::unordered_map<int, dnnl::memory> args{{DNNL_ARG_SRC, bound(conv->src, x)},
                                                   {DNNL_ARG_DIFF_DST, slope},
                                                   {DNNL_ARG_DIFF_WEIGHTS, bound(weights.packed, packed)}};
        if (hasBias) {
            (*result)[2] = at::empty({conv->outputSizes[1]}, x.options());
            args.emplace(DNNL_ARG_DIFF_BIAS, bound(conv->bias, (*result)[2]));
        }
        weights.run(std::move(args));
        if (weights.packing)
            execute(weights.packing,
                    {{DNNL_ARG_FROM, bound(weights.packed, packed)}, {DNNL_ARG_TO, bound(conv->weights, dw)}});
        (*result)[1] = isLine ? dw.squeeze(2) : dw;
    }
};

} // namespace

/// oneDNN's gradient by the weights (version 2.6.3, AVX-512) writes past the end of its scratchpad for kernels of size
/// 1 with strides and fewer than 16 channels.
static bool overrunsScratchpad(const ConvGeometry &geometry, const at::Tensor &w)
{
    constexpr std::int64_t block = 16;
    const auto isStrided = [](std::int64_t stride) { return stride > 1; };
    return w.size(1) < block && w.numel() == w.size(0) * w.size(1) &&
           std::any_of(geometry.strides.begin(), geometry.strides.end(), isStrided);
}

at::Tensor convolveWithGradient(const ConvGeometry &geometry, const std::vector<std::int64_t> &outputSizes,
                                const at::Tensor &x, const at::Tensor &w, const at::Tensor &bias)
{
    const auto fits = [](const at::Tensor &t) { return t.is_cpu() && t.scalar_type() == at::kFloat && t.numel() > 0; };
    if ((x.dim() != 3 && x.dim() != 4) || !fits(x) || !fits(w) || (bias.defined() && !fits(bias))) return {};
    if (overrunsScratchpad(geometry, w)) return {};
    const auto isNegative = [](std::int64_t pad) { return pad < 0; };
    if (bias.defined() && bias.numel() != outputSizes[1]) return {}; // LibTorch reports it
    if (std::any_of(geometry.padBegin.begin(), geometry.padBegin.end(), isNegative) ||
        std::any_of(geometry.padEnd.begin(), geometry.padEnd.end(), isNegative))
        return {};
    std::shared_ptr<const TrainedConvolution> conv;
    try {
        conv = trainedConvolution(geometry, outputSizes, x, w, bias.defined());
    } catch (const dnnl::error &) { // no implementation for these sizes
        return {};
    }
    const auto node = gradientNode<ConvolutionGradient>(x, w, bias);
    at::Tensor y;
    {
        const at::NoGradGuard noGradients;
        const at::Tensor in = channelsLast(x).detach();
        const at::Tensor taps = (w.dim() == 3 ? w.unsqueeze(2) : w).contiguous().detach();
        const at::Tensor packed = conv->pack(taps, conv->forward);
        y = at::empty(conv->outputSizes, in.options().memory_format(at::MemoryFormat::ChannelsLast));
        std::unordered_map<int, dnnl::memory> args{{DNNL_ARG_SRC, bound(conv->src, in)},
                                                   {DNNL_ARG_WEIGHTS, bound(conv->forward.packed, packed)},
                                                   {DNNL_ARG_DST, bound(conv->dst, y)}};
        at::Tensor biasRow;
        if (bias.defined()) {
            biasRow = bias.contiguous();
            args.emplace(DNNL_ARG_BIAS, bound(conv->bias, biasRow));
        }
        conv->forward.run(std::move(args));
        if (x.dim() == 3) y = y.squeeze(2);
        if (node) {
            node->conv = conv;
            node->x = in;
            node->w = taps;
            node->isLine = x.dim() == 3;
            node->hasBias = bias.defined();
        }
    }
    if (node) torch::autograd::set_history(y, node);
    return y;
}

} // namespace ql

#else

namespace ql {

at::Tensor convolveWithGradient(const ConvGeometry &, const std::vector<std::int64_t> &, const at::Tensor &,
                                const at::Tensor &, const at::Tensor &)
{
    return {};
}

} // namespace ql

#endif

// Conv and ConvTranspose on the CPU through oneDNN: weights packed once per operation, activations channels-last
// (NHWC), bias and activation inside the primitive.
#include "core/exec/convolution.h"

#ifdef QL_WITH_DNNL

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <dnnl.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace ql {

namespace {

using dnnl::memory;

/// One engine, and a stream for each thread.
dnnl::engine &engine()
{
    static dnnl::engine instance(dnnl::engine::kind::cpu, 0);
    return instance;
}

dnnl::stream &stream()
{
    static thread_local dnnl::stream instance(engine());
    return instance;
}

/// An activation as oneDNN computes it.
struct Eltwise
{
    dnnl::algorithm algorithm;
    float alpha = 0, beta = 0;
};

std::optional<Eltwise> eltwiseOf(const Epilogue &epilogue)
{
    using Kind = Epilogue::Kind;
    switch (epilogue.kind) {
    case Kind::None: break;
    case Kind::Relu: return Eltwise{dnnl::algorithm::eltwise_relu};
    case Kind::Clip: return Eltwise{dnnl::algorithm::eltwise_clip, epilogue.alpha, epilogue.beta};
    case Kind::LeakyRelu: return Eltwise{dnnl::algorithm::eltwise_relu, epilogue.alpha};
    case Kind::Sigmoid: return Eltwise{dnnl::algorithm::eltwise_logistic};
    case Kind::Tanh: return Eltwise{dnnl::algorithm::eltwise_tanh};
    case Kind::Silu: return Eltwise{dnnl::algorithm::eltwise_swish, 1.f};
    case Kind::HardSwish: return Eltwise{dnnl::algorithm::eltwise_hardswish};
    }
    return std::nullopt;
}

dnnl::post_ops postOps(const Eltwise &e)
{
    dnnl::post_ops ops;
#if DNNL_VERSION_MAJOR >= 3
    ops.append_eltwise(e.algorithm, e.alpha, e.beta);
#else
    ops.append_eltwise(1.f, e.algorithm, e.alpha, e.beta);
#endif
    return ops;
}

dnnl::primitive_attr attributes(const std::optional<Eltwise> &fused)
{
    dnnl::primitive_attr attr;
    if (fused) attr.set_post_ops(postOps(*fused));
    // oneDNN's own scratchpad belongs to the thread that creates the primitive
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
}

/// The description of a primitive, in oneDNN's terms.
struct Setup
{
    memory::desc src, weights, bias, dst;
    memory::dims strides, dilations, padBegin, padEnd;
};

/// Primitive: dnnl::convolution_forward or dnnl::deconvolution_forward.
template <class Primitive>
typename Primitive::primitive_desc describe(const Setup &s, dnnl::algorithm algorithm, const dnnl::primitive_attr &attr)
{
    const auto inference = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
    return {engine(), inference, algorithm,   s.src,      s.weights, s.bias,
            s.dst,    s.strides, s.dilations, s.padBegin, s.padEnd,  attr};
#else
    return {{inference, algorithm, s.src, s.weights, s.bias, s.dst, s.strides, s.dilations, s.padBegin, s.padEnd},
            attr,
            engine()};
#endif
}

/// tensor = activation(tensor + bias), in place; at least one of the two. bias: empty, or one value per channel.
dnnl::primitive afterwards(const memory::desc &tensor, const memory::desc &bias, const std::optional<Eltwise> &e)
{
    if (bias.is_zero()) {
        const auto inference = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
        return dnnl::eltwise_forward(dnnl::eltwise_forward::primitive_desc(engine(), inference, e->algorithm, tensor,
                                                                           tensor, e->alpha, e->beta));
#else
        return dnnl::eltwise_forward(
            dnnl::eltwise_forward::primitive_desc({inference, e->algorithm, tensor, e->alpha, e->beta}, engine()));
#endif
    }
    dnnl::primitive_attr attr;
    if (e) attr.set_post_ops(postOps(*e));
    const auto add = dnnl::algorithm::binary_add;
#if DNNL_VERSION_MAJOR >= 3
    return dnnl::binary(dnnl::binary::primitive_desc(engine(), add, tensor, bias, tensor, attr));
#else
    return dnnl::binary(dnnl::binary::primitive_desc({add, tensor, bias, tensor}, attr, engine()));
#endif
}

/// A tensor of rank 3 [N, C, L] as [N, C, 1, L]; rank 4 as it is.
std::vector<std::int64_t> asImage(at::IntArrayRef sizes)
{
    std::vector<std::int64_t> out;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (i == 2 && sizes.size() == 3) out.push_back(1);
        out.push_back(sizes[i]);
    }
    return out;
}

class DnnlConvolution final : public PreparedKernel
{
public:
    DnnlConvolution(const Operation &op, const at::Tensor &weight, const at::Tensor &bias, const Epilogue &epilogue)
        : m_weight(weight.contiguous()), m_epilogue(epilogue), m_transposed(op.type == "ConvTranspose")
    {
        if (bias.defined()) m_bias = bias.reshape({-1}).contiguous();
    }

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        at::Tensor x = requiredInput(context, inputs, 0);
        if (x.scalar_type() != at::kFloat)
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1: expected float32 input, got %2").with(context.op.type, dtypeName(x.scalar_type())),
                        context.op.name);
        const bool line = x.dim() == 3;
        const std::shared_ptr<const Prepared> prepared = preparedFor(context.op, x.sizes());
        const Prepared &p = *prepared;
        if (line) x = x.unsqueeze(2);
        x = x.contiguous(at::MemoryFormat::ChannelsLast);
        at::Tensor y = at::empty(p.outputSizes, x.options().memory_format(at::MemoryFormat::ChannelsLast));
        // oneDNN takes non-const pointers also for inputs
        memory src(p.src, engine(), x.data_ptr<float>());
        memory dst(p.dst, engine(), y.data_ptr<float>());
        std::unordered_map<int, memory> args{{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, p.weights}, {DNNL_ARG_DST, dst}};
        if (m_bias.defined() && !m_transposed) args.emplace(DNNL_ARG_BIAS, p.bias);
        at::Tensor scratch;
        if (const auto bytes = std::int64_t(p.scratch.get_size()); bytes > 0) {
            scratch = at::empty({bytes}, at::TensorOptions(at::kByte));
            args.emplace(DNNL_ARG_SCRATCHPAD, memory(p.scratch, engine(), scratch.data_ptr()));
        }
        p.primitive.execute(stream(), args);
        if (p.afterwards) {
            std::unordered_map<int, memory> inPlace{{DNNL_ARG_SRC, dst}, {DNNL_ARG_DST, dst}};
            if (m_bias.defined()) inPlace.emplace(DNNL_ARG_SRC_1, p.bias);
            p.afterwards.execute(stream(), inPlace);
        }
        stream().wait();
        if (line) y = y.squeeze(2);
        return {y};
    }

    void prepareFor(const KernelContext &context, at::IntArrayRef inputSizes) override
    {
        preparedFor(context.op, inputSizes);
    }

private:
    struct Prepared
    {
        std::vector<std::int64_t> outputSizes;
        memory::desc src, dst, scratch;
        memory weights, bias;
        dnnl::primitive primitive;
        dnnl::primitive afterwards; ///< bias and activation of a deconvolution, in place
    };

    /// For these sizes and the calling thread's number of threads, among which oneDNN divides the work.
    std::shared_ptr<const Prepared> preparedFor(const Operation &op, at::IntArrayRef inputSizes)
    {
        std::vector<std::int64_t> key(inputSizes.begin(), inputSizes.end());
        key.push_back(at::get_num_threads());
        const std::lock_guard lock(m_mutex);
        const auto known = m_prepared.find(key);
        if (known != m_prepared.end()) return known->second;
        const ConvGeometry g = convGeometry(op, inputSizes, m_weight.sizes());
        Prepared p;
        p.outputSizes = asImage(convOutputSizes(op, g, inputSizes, m_weight.sizes()));
        const Setup setup = setupOf(g, asImage(inputSizes), p.outputSizes);
        p.src = setup.src;
        p.dst = setup.dst;
        const memory::desc packed =
            m_transposed ? makePrimitive<dnnl::deconvolution_forward>(setup, dnnl::algorithm::deconvolution_direct, p)
                         : makePrimitive<dnnl::convolution_forward>(setup, dnnl::algorithm::convolution_direct, p);
        p.weights = packedWeights(memory::desc(setup.weights.dims(), memory::data_type::f32, plainFormat(g)), packed);
        if (m_bias.defined()) p.bias = memory(biasDesc(), engine(), m_bias.data_ptr<float>());
        // With a fused bias or activation, oneDNN computes a deconvolution element by element in its reference code: a
        // hundred times the time of a depthwise deconvolution (tests/bench/bench_fused.cpp)
        if (m_transposed && (m_bias.defined() || m_epilogue.kind != Epilogue::Kind::None))
            p.afterwards = afterwards(setup.dst, biasDesc(), eltwiseOf(m_epilogue));
        // Dynamic shapes must not fill the memory with primitives.
        if (m_prepared.size() >= 16) m_prepared.clear();
        return m_prepared.emplace(std::move(key), std::make_shared<const Prepared>(std::move(p))).first->second;
    }

    memory::format_tag plainFormat(const ConvGeometry &g) const
    {
        using Tag = memory::format_tag;
        if (m_transposed) return g.group == 1 ? Tag::iohw : Tag::giohw;
        return g.group == 1 ? Tag::oihw : Tag::goihw;
    }

    Setup setupOf(const ConvGeometry &g, const std::vector<std::int64_t> &in,
                  const std::vector<std::int64_t> &out) const
    {
        const auto pair = [](const std::vector<std::int64_t> &v, std::int64_t first) {
            memory::dims dims;
            if (v.size() == 1) dims.push_back(first);
            for (const std::int64_t value : v) dims.push_back(value);
            return dims;
        };
        const auto f32 = memory::data_type::f32;
        Setup s;
        s.strides = pair(g.strides, 1);
        s.dilations = pair(g.dilations, 1);
        for (auto &d : s.dilations) --d; // oneDNN counts the zeros between taps
        s.padBegin = pair(g.padBegin, 0);
        s.padEnd = pair(g.padEnd, 0);
        const std::size_t offset = s.padEnd.size() - g.outputPadding.size();
        if (m_transposed) // output padding shortens the padding at the end
            for (std::size_t i = 0; i < g.outputPadding.size(); ++i) s.padEnd[offset + i] -= g.outputPadding[i];
        // Channels-last by explicit strides: the same for every size, also where LibTorch's own are ambiguous.
        s.src = memory::desc(in, f32, memory::format_tag::nhwc);
        s.dst = memory::desc(out, f32, memory::format_tag::nhwc);
        // Ours is [out, in / group, kh, kw], transposed [in, out / group, kh, kw]; oneDNN's logical order is out, in
        const std::vector<std::int64_t> w = asImage(m_weight.sizes());
        memory::dims weights = m_transposed ? memory::dims{w[1], w[0] / g.group, w[2], w[3]}
                                            : memory::dims{w[0] / g.group, w[1], w[2], w[3]};
        if (g.group != 1) weights.insert(weights.begin(), g.group);
        s.weights = memory::desc(weights, f32, memory::format_tag::any);
        if (m_bias.defined() && !m_transposed) s.bias = biasDesc();
        return s;
    }

    memory::desc biasDesc() const
    {
        const auto f32 = memory::data_type::f32;
        if (!m_bias.defined()) return {};
        return m_transposed ? memory::desc({1, m_bias.numel(), 1, 1}, f32, memory::format_tag::nhwc)
                            : memory::desc({m_bias.numel()}, f32, memory::format_tag::x);
    }

    /// @returns how the weights have to be packed
    template <class Primitive>
    memory::desc makePrimitive(const Setup &setup, dnnl::algorithm algorithm, Prepared &p) const
    {
        const auto fused = m_transposed ? std::nullopt : eltwiseOf(m_epilogue);
        const auto description = describe<Primitive>(setup, algorithm, attributes(fused));
        p.scratch = description.scratchpad_desc();
        p.primitive = Primitive(description);
        return description.weights_desc();
    }

    memory packedWeights(const memory::desc &plain, const memory::desc &packed) const
    {
        const memory given(plain, engine(), m_weight.data_ptr<float>());
        if (packed == plain) return given;
        if (!m_prepared.empty() && m_prepared.begin()->second->weights.get_desc() == packed)
            return m_prepared.begin()->second->weights; // another input shape, the same packing
        memory weights(packed, engine());
        memory source = given;
        dnnl::reorder(source, weights).execute(stream(), source, weights);
        stream().wait();
        return weights;
    }

    at::Tensor m_weight, m_bias;
    Epilogue m_epilogue;
    bool m_transposed;
    std::mutex m_mutex; ///< of m_prepared
    std::map<std::vector<std::int64_t>, std::shared_ptr<const Prepared>> m_prepared;
};

} // namespace

std::unique_ptr<PreparedKernel> prepareDnnlConvolution(const KernelContext &context, Inputs constants,
                                                       const Epilogue &epilogue)
{
    const at::Tensor weight = inputOr(constants, 1);
    const at::Tensor bias = inputOr(constants, 2);
    if (!weight.defined() || !weight.is_cpu() || weight.scalar_type() != at::kFloat) return nullptr;
    if (weight.dim() != 3 && weight.dim() != 4) return nullptr;
    if (context.op.hasInput(2) && (!bias.defined() || bias.scalar_type() != at::kFloat)) return nullptr;
    return std::make_unique<DnnlConvolution>(context.op, weight, bias, epilogue);
}

} // namespace ql

#else

namespace ql {

std::unique_ptr<PreparedKernel> prepareDnnlConvolution(const KernelContext &, Inputs, const Epilogue &)
{
    return nullptr;
}

} // namespace ql

#endif

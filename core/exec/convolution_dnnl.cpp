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

dnnl::primitive_attr attributes(const Epilogue &epilogue)
{
    dnnl::post_ops ops;
    using Kind = Epilogue::Kind;
    switch (epilogue.kind) {
    case Kind::None: break;
    case Kind::Relu: ops.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f); break;
    case Kind::Clip: ops.append_eltwise(1.f, dnnl::algorithm::eltwise_clip, epilogue.alpha, epilogue.beta); break;
    case Kind::LeakyRelu: ops.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, epilogue.alpha, 0.f); break;
    case Kind::Sigmoid: ops.append_eltwise(1.f, dnnl::algorithm::eltwise_logistic, 0.f, 0.f); break;
    case Kind::Tanh: ops.append_eltwise(1.f, dnnl::algorithm::eltwise_tanh, 0.f, 0.f); break;
    case Kind::Silu: ops.append_eltwise(1.f, dnnl::algorithm::eltwise_swish, 1.f, 0.f); break;
    case Kind::HardSwish: ops.append_eltwise(1.f, dnnl::algorithm::eltwise_hardswish, 0.f, 0.f); break;
    }
    dnnl::primitive_attr attr;
    attr.set_post_ops(ops);
    // oneDNN's own belongs to the thread that makes the primitive
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
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
                        context.op.type + ": expected float32 input, got " + dtypeName(x.scalar_type()),
                        context.op.name);
        const bool line = x.dim() == 3;
        const std::shared_ptr<const Prepared> prepared = preparedFor(context.op, x.sizes());
        const Prepared &p = *prepared;
        if (line) x = x.unsqueeze(2);
        x = x.contiguous(at::MemoryFormat::ChannelsLast);
        at::Tensor y = at::empty(p.outputSizes, x.options().memory_format(at::MemoryFormat::ChannelsLast));
        // oneDNN takes non-const pointers also for what it only reads
        memory src(p.src, engine(), x.data_ptr<float>());
        memory dst(p.dst, engine(), y.data_ptr<float>());
        std::unordered_map<int, memory> args{{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, p.weights}, {DNNL_ARG_DST, dst}};
        if (m_bias.defined()) args.emplace(DNNL_ARG_BIAS, p.bias);
        at::Tensor scratch;
        if (const auto bytes = std::int64_t(p.scratch.get_size()); bytes > 0) {
            scratch = at::empty({bytes}, at::TensorOptions(at::kByte));
            args.emplace(DNNL_ARG_SCRATCHPAD, memory(p.scratch, engine(), scratch.data_ptr()));
        }
        p.primitive.execute(stream(), args);
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
    };

    /// For these sizes and as many threads as the calling one uses, for which oneDNN divides the work.
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
        const std::vector<std::int64_t> in = asImage(inputSizes);
        const auto pair = [](const std::vector<std::int64_t> &v, std::int64_t first) {
            memory::dims out;
            if (v.size() == 1) out.push_back(first);
            for (const std::int64_t value : v) out.push_back(value);
            return out;
        };
        const memory::dims strides = pair(g.strides, 1);
        memory::dims dilations = pair(g.dilations, 1);
        for (auto &d : dilations) --d; // oneDNN counts the zeros between taps
        const memory::dims padBegin = pair(g.padBegin, 0);
        memory::dims padEnd = pair(g.padEnd, 0);
        const std::vector<std::int64_t> w = asImage(m_weight.sizes());
        const auto f32 = memory::data_type::f32;
        // Channels-last by explicit strides: the same for every size, also where LibTorch's own are ambiguous.
        p.src = memory::desc(in, f32, memory::format_tag::nhwc);
        p.dst = memory::desc(p.outputSizes, f32, memory::format_tag::nhwc);
        memory::dims weightDims;
        memory::format_tag plain;
        if (!m_transposed) {
            weightDims = g.group == 1 ? memory::dims{w[0], w[1], w[2], w[3]}
                                      : memory::dims{g.group, w[0] / g.group, w[1], w[2], w[3]};
            plain = g.group == 1 ? memory::format_tag::oihw : memory::format_tag::goihw;
        } else { // ours is [in, out / group, kh, kw]; oneDNN's logical order is out, in
            weightDims = g.group == 1 ? memory::dims{w[1], w[0], w[2], w[3]}
                                      : memory::dims{g.group, w[1], w[0] / g.group, w[2], w[3]};
            plain = g.group == 1 ? memory::format_tag::iohw : memory::format_tag::giohw;
        }
        const memory::desc plainWeights(weightDims, f32, plain);
        const memory::desc anyWeights(weightDims, f32, memory::format_tag::any);
        memory::desc biasDesc;
        if (m_bias.defined()) biasDesc = memory::desc({m_bias.numel()}, f32, memory::format_tag::x);
        const dnnl::primitive_attr attr = attributes(m_epilogue);
        const auto inference = dnnl::prop_kind::forward_inference;
        memory::desc packedDesc;
        if (!m_transposed) {
#if DNNL_VERSION_MAJOR >= 3
            const dnnl::convolution_forward::primitive_desc pd(engine(), inference, dnnl::algorithm::convolution_direct,
                                                               p.src, anyWeights, biasDesc, p.dst, strides, dilations,
                                                               padBegin, padEnd, attr);
#else
            const dnnl::convolution_forward::desc d(inference, dnnl::algorithm::convolution_direct, p.src, anyWeights,
                                                    biasDesc, p.dst, strides, dilations, padBegin, padEnd);
            const dnnl::convolution_forward::primitive_desc pd(d, attr, engine());
#endif
            packedDesc = pd.weights_desc();
            p.scratch = pd.scratchpad_desc();
            p.primitive = dnnl::convolution_forward(pd);
        } else {
            for (std::size_t i = 0; i < padEnd.size(); ++i) { // output padding shortens the padding at the end
                const std::size_t offset = padEnd.size() - g.outputPadding.size();
                if (i >= offset) padEnd[i] -= g.outputPadding[i - offset];
            }
#if DNNL_VERSION_MAJOR >= 3
            const dnnl::deconvolution_forward::primitive_desc pd(
                engine(), inference, dnnl::algorithm::deconvolution_direct, p.src, anyWeights, biasDesc, p.dst, strides,
                dilations, padBegin, padEnd, attr);
#else
            const dnnl::deconvolution_forward::desc d(inference, dnnl::algorithm::deconvolution_direct, p.src,
                                                      anyWeights, biasDesc, p.dst, strides, dilations, padBegin,
                                                      padEnd);
            const dnnl::deconvolution_forward::primitive_desc pd(d, attr, engine());
#endif
            packedDesc = pd.weights_desc();
            p.scratch = pd.scratchpad_desc();
            p.primitive = dnnl::deconvolution_forward(pd);
        }
        memory plainMemory(plainWeights, engine(), m_weight.data_ptr<float>());
        if (packedDesc == plainWeights) {
            p.weights = plainMemory;
        } else if (!m_prepared.empty() && m_prepared.begin()->second->weights.get_desc() == packedDesc) {
            p.weights = m_prepared.begin()->second->weights; // another input shape, the same packing
        } else {
            p.weights = memory(packedDesc, engine());
            dnnl::reorder(plainMemory, p.weights).execute(stream(), plainMemory, p.weights);
            stream().wait();
        }
        if (m_bias.defined()) p.bias = memory(biasDesc, engine(), m_bias.data_ptr<float>());
        // Dynamic shapes must not fill the memory with primitives.
        if (m_prepared.size() >= 16) m_prepared.clear();
        return m_prepared.emplace(std::move(key), std::make_shared<const Prepared>(std::move(p))).first->second;
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

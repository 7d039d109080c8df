"""Small networks: fusions, BatchNormalization in all its places, linear layers, patterns for quantizers."""

import numpy as np
import torch
import torch.nn.functional as F
from onnx import helper

from .builder import F32, Model, batch_norm, conv, f32, t


def residual(out):
    """The toy network of the exporter tests; names are part of their expectations."""
    m = Model(
        "residual",
        "conv1 - relu1 - conv2 - add(relu1) - gap - flat - fc; tensors x c1 r1 c2 a p fl y, "
        "parameters w1 b1 w2 b2 w3 b3",
    )
    x = m.input("x", m.rand(1, 3, 8, 8))
    w1, b1 = m.init("w1", m.rand(4, 3, 3, 3, scale=0.3)), m.init("b1", m.rand(4, scale=0.1))
    w2, b2 = m.init("w2", m.rand(4, 4, 3, 3, scale=0.3)), m.init("b2", m.rand(4, scale=0.1))
    w3, b3 = m.init("w3", m.rand(2, 4)), m.init("b3", m.rand(2, scale=0.3))
    m.node("Conv", "x w1 b1", "c1", name="conv1", kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    m.node("Relu", "c1", "r1", name="relu1")
    m.node("Conv", "r1 w2 b2", "c2", name="conv2", kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    m.node("Add", "c2 r1", "a", name="add")
    m.node("GlobalAveragePool", "a", "p", name="gap")
    m.node("Flatten", "p", "fl", name="flat")
    m.node("Gemm", "fl w3 b3", "y", name="fc", transB=1)
    r1 = F.relu(conv(x, w1, b1, padding=1))
    a = conv(r1, w2, b2, padding=1) + r1
    m.output("y", a.mean((2, 3)) @ t(w3).T + t(b3))
    m.save(out)


def bn_parameters(m, prefix, channels):
    values = (
        m.rand(channels, scale=0.3) + 1,
        m.rand(channels, scale=0.3),
        m.rand(channels, scale=0.3),
        (m.random.uniform(0.3, 2.0, channels)).astype(np.float32),
    )
    return [m.init(prefix + s, v) for s, v in zip(("gamma", "beta", "mean", "var"), values)]


def bn_inputs(prefix):
    return " ".join(prefix + s for s in ("gamma", "beta", "mean", "var"))


def batch_norm_models(out):
    m = Model(
        "conv_bn_clip",
        "Conv without bias - BN - Clip(0,6), depthwise Conv with bias - BN - Clip, 1x1 Conv - BN; "
        "every BN can be folded",
    )
    x = m.input("x", m.rand(1, 3, 8, 8, scale=2))
    w1, bn1 = m.init("w1", m.rand(6, 3, 3, 3, scale=0.4)), bn_parameters(m, "bn1_", 6)
    w2, b2, bn2 = m.init("w2", m.rand(6, 1, 3, 3)), m.init("b2", m.rand(6)), bn_parameters(m, "bn2_", 6)
    w3, bn3 = m.init("w3", m.rand(4, 6, 1, 1)), bn_parameters(m, "bn3_", 4)
    m.init("zero", f32(0).reshape(()))
    m.init("six", f32(6).reshape(()))
    m.node("Conv", "x w1", "c1", name="conv1", strides=[2, 2], pads=[1, 1, 1, 1])
    m.node("BatchNormalization", "c1 " + bn_inputs("bn1_"), "n1", name="bn1", epsilon=1e-3)
    m.node("Clip", "n1 zero six", "r1", name="clip1")
    m.node("Conv", "r1 w2 b2", "c2", name="depthwise", group=6, pads=[1, 1, 1, 1])
    m.node("BatchNormalization", "c2 " + bn_inputs("bn2_"), "n2", name="bn2")
    m.node("Clip", "n2 zero six", "r2", name="clip2")
    m.node("Conv", "r2 w3", "c3", name="project")
    m.node("BatchNormalization", "c3 " + bn_inputs("bn3_"), "y", name="bn3")
    h = batch_norm(conv(x, w1, stride=2, padding=1), *bn1, epsilon=1e-3).clamp(0, 6)
    h = batch_norm(conv(h, w2, b2, padding=1, groups=6), *bn2).clamp(0, 6)
    m.output("y", batch_norm(conv(h, w3), *bn3))
    m.save(out)

    m = Model(
        "convtranspose_grouped_bn", "ConvTranspose with group 2, stride 2x3, uneven pads, output_padding - BN - Relu"
    )
    x, w = m.input("x", m.rand(1, 4, 5, 4)), m.init("w", m.rand(4, 3, 3, 4, scale=0.5))
    b, bn = m.init("b", m.rand(6)), bn_parameters(m, "bn_", 6)
    m.node(
        "ConvTranspose",
        "x w b",
        "c",
        name="deconv",
        group=2,
        strides=[2, 3],
        pads=[1, 0, 0, 2],
        output_padding=[1, 0],
        kernel_shape=[3, 4],
    )
    m.node("BatchNormalization", "c " + bn_inputs("bn_"), "n", name="bn")
    m.node("Relu", "n", "y", name="relu")
    full = F.conv_transpose2d(t(x), t(w), t(b), stride=(2, 3), output_padding=(1, 0), groups=2)
    m.output("y", F.relu(batch_norm(full[:, :, 1:, : full.shape[3] - 2], *bn)))
    m.save(out)

    m = Model("convtranspose_1d_bn", "ConvTranspose over [N,C,L] with group 2 and no bias - BN")
    x, w = m.input("x", m.rand(2, 4, 7)), m.init("w", m.rand(4, 2, 3, scale=0.5))
    bn = bn_parameters(m, "bn_", 4)
    m.node("ConvTranspose", "x w", "c", name="deconv", group=2, strides=[2], pads=[1, 1])
    m.node("BatchNormalization", "c " + bn_inputs("bn_"), "y", name="bn")
    m.output("y", batch_norm(F.conv_transpose1d(t(x), t(w), stride=2, padding=1, groups=2), *bn))
    m.save(out)


def batch_norm_places(out):
    for suffix, shape in (("nc", (3, 5)), ("ncl", (2, 5, 7)), ("nchw", (2, 5, 4, 3)), ("ncdhw", (1, 5, 2, 3, 4))):
        m = Model(
            "bn_alone_" + suffix, f"BatchNormalization of a graph input of rank {len(shape)}, nothing to fold into"
        )
        x, bn = m.input("x", m.rand(*shape)), bn_parameters(m, "bn_", 5)
        m.node("BatchNormalization", "x " + bn_inputs("bn_"), "n", name="bn", epsilon=2e-5)
        m.node("Relu", "n", "y", name="relu")
        m.output("y", F.relu(batch_norm(x, *bn, epsilon=2e-5)))
        m.save(out)

    m = Model(
        "bn_not_foldable",
        "BN after a Conv that has a second consumer, and BN after a Conv whose weight is computed: "
        "neither may be folded",
    )
    x, w, bn1, bn2 = (
        m.input("x", m.rand(1, 3, 6, 6)),
        m.init("w", m.rand(4, 3, 1, 1)),
        bn_parameters(m, "bn1_", 4),
        bn_parameters(m, "bn2_", 4),
    )
    k = m.input("k", m.rand(4, 4, 1, 1))
    m.node("Conv", "x w", "c1", name="conv1")
    m.node("BatchNormalization", "c1 " + bn_inputs("bn1_"), "n1", name="bn1")
    m.node("Add", "c1 n1", "s", name="add")
    m.node("Conv", "s k", "c2", name="conv2")
    m.node("BatchNormalization", "c2 " + bn_inputs("bn2_"), "y", name="bn2")
    c1 = conv(x, w)
    m.output("y", batch_norm(conv(c1 + batch_norm(c1, *bn1), k), *bn2))
    m.save(out)

    m = Model(
        "gemm_bn",
        "Gemm with transB=0, alpha 0.5, beta 2 - BN, and Gemm with transB=1 and no bias - BN; both BN can be folded",
    )
    x, w1, b1 = m.input("x", m.rand(3, 6)), m.init("w1", m.rand(6, 4)), m.init("b1", m.rand(4))
    bn1, w2, bn2 = bn_parameters(m, "bn1_", 4), m.init("w2", m.rand(5, 4)), bn_parameters(m, "bn2_", 5)
    m.node("Gemm", "x w1 b1", "g1", name="fc1", alpha=0.5, beta=2.0)
    m.node("BatchNormalization", "g1 " + bn_inputs("bn1_"), "n1", name="bn1")
    m.node("Gemm", "n1 w2", "g2", name="fc2", transB=1)
    m.node("BatchNormalization", "g2 " + bn_inputs("bn2_"), "y", name="bn2")
    h = batch_norm(0.5 * t(x) @ t(w1) + 2 * t(b1), *bn1)
    m.output("y", batch_norm(h @ t(w2).T, *bn2))
    m.save(out)

    for opset, ir in ((7, 3), (9, 4), (14, 7), (15, 8)):
        m = Model(
            f"bn_opset{opset}", f"BatchNormalization as written in opset {opset}, after a Conv", opset=opset, ir=ir
        )
        x, w, bn = m.input("x", m.rand(1, 2, 5, 5)), m.init("w", m.rand(3, 2, 3, 3)), bn_parameters(m, "bn_", 3)
        if ir == 3:  # before IR 4 every initialiser is listed as an input, too
            m.inputs += [helper.make_tensor_value_info(i.name, i.data_type, i.dims) for i in m.inits]
        attributes = {"momentum": 0.9, "epsilon": 1e-4}
        if opset >= 14:
            attributes["training_mode"] = 0
        m.node("Conv", "x w", "c", name="conv")
        m.node("BatchNormalization", "c " + bn_inputs("bn_"), "y", name="bn", **attributes)
        m.output("y", batch_norm(conv(x, w), *bn, epsilon=1e-4))
        m.save(out)


def linear_models(out):
    m = Model(
        "matmul_add",
        "MatMul with a parameter + Add of a bias [N] (bias on the right), Relu, MatMul + Add (bias on the left)",
    )
    x, w1, b1 = m.input("x", m.rand(2, 3, 8)), m.init("w1", m.rand(8, 5)), m.init("b1", m.rand(5))
    w2, b2 = m.init("w2", m.rand(5, 4)), m.init("b2", m.rand(4))
    m.node("MatMul", "x w1", "m1", name="matmul1")
    m.node("Add", "m1 b1", "a1", name="add1")
    m.node("Relu", "a1", "r1", name="relu1")
    m.node("MatMul", "r1 w2", "m2", name="matmul2")
    m.node("Add", "b2 m2", "y", name="add2")
    m.output("y", F.relu(t(x) @ t(w1) + t(b1)) @ t(w2) + t(b2))
    m.save(out)

    m = Model("matmul_two_inputs", "MatMul of two graph inputs with broadcast batch dimensions, then a bias")
    a, b, c = m.input("a", m.rand(2, 1, 3, 4)), m.input("b", m.rand(5, 4, 6)), m.init("c", m.rand(6))
    m.node("MatMul", "a b", "p", name="matmul")
    m.node("Add", "p c", "y", name="add")
    m.output("y", t(a) @ t(b) + t(c))
    m.save(out)

    m = Model(
        "gemm_variants",
        "four Gemm: transB, transA with alpha, alpha+beta with a [1,N] bias, no bias",
    )
    x, z = m.input("x", m.rand(3, 6)), m.input("z", m.rand(6, 3))
    w, wt, c, row = (
        m.init("w", m.rand(6, 4)),
        m.init("wt", m.rand(4, 6)),
        m.init("c", m.rand(4)),
        m.init("row", m.rand(1, 4)),
    )
    m.node("Gemm", "x wt c", "y1", name="gemm_transb", transB=1)
    m.node("Gemm", "z w c", "y2", name="gemm_transa_alpha", transA=1, alpha=0.25)
    m.node("Gemm", "x w row", "y3", name="gemm_alpha_beta", alpha=1.5, beta=0.5)
    m.node("Gemm", "z wt", "y4", name="gemm_no_bias", transA=1, transB=1)
    m.output("y1", t(x) @ t(wt).T + t(c))
    m.output("y2", 0.25 * t(z).T @ t(w) + t(c))
    m.output("y3", 1.5 * t(x) @ t(w) + 0.5 * t(row))
    m.output("y4", t(z).T @ t(wt).T)
    m.save(out)


def conv_swish(out):
    m = Model("conv_swish", "Conv - Sigmoid - Mul (Swish) - Conv - Relu")
    x, w1, w2 = m.input("x", m.rand(1, 3, 6, 6)), m.init("w1", m.rand(4, 3, 3, 3)), m.init("w2", m.rand(4, 4, 1, 1))
    m.node("Conv", "x w1", "c1", name="conv1", pads=[1, 1, 1, 1])
    m.node("Sigmoid", "c1", "s1", name="sigmoid")
    m.node("Mul", "c1 s1", "m1", name="mul")
    m.node("Conv", "m1 w2", "c2", name="conv2")
    m.node("Relu", "c2", "y", name="relu")
    m.output("y", F.relu(conv(F.silu(conv(x, w1, padding=1)), w2)))
    m.save(out)


def concat_branches(out):
    m = Model(
        "concat_branches",
        "two Conv branches (Relu, Clip) - Concat - MaxPool - AveragePool - Conv; the stem is shared by both",
    )
    x = m.input("x", m.rand(1, 3, 8, 8))
    w0, w1, w2, w3 = (
        m.init(f"w{i}", m.rand(*s, scale=0.4))
        for i, s in enumerate(((4, 3, 3, 3), (3, 4, 1, 1), (5, 4, 3, 3), (2, 8, 1, 1)))
    )
    m.init("low", f32(0).reshape(()))
    m.init("high", f32(1.5).reshape(()))
    m.node("Conv", "x w0", "c0", name="stem", pads=[1, 1, 1, 1])
    m.node("Relu", "c0", "r0", name="stem_relu")
    m.node("Conv", "r0 w1", "c1", name="left")
    m.node("Relu", "c1", "r1", name="left_relu")
    m.node("Conv", "r0 w2", "c2", name="right", pads=[1, 1, 1, 1])
    m.node("Clip", "c2 low high", "r2", name="right_clip")
    m.node("Concat", "r1 r2", "cat", name="concat", axis=1)
    m.node("MaxPool", "cat", "mp", name="maxpool", kernel_shape=[2, 2], strides=[2, 2])
    m.node("AveragePool", "mp", "ap", name="avgpool", kernel_shape=[2, 2], strides=[1, 1])
    m.node("Conv", "ap w3", "y", name="head")
    r0 = F.relu(conv(x, w0, padding=1))
    cat = torch.cat([F.relu(conv(r0, w1)), conv(r0, w2, padding=1).clamp(0, 1.5)], 1)
    m.output("y", conv(F.avg_pool2d(F.max_pool2d(cat, 2), 2, 1), w3))
    m.save(out)


def equalization_pair(out):
    m = Model(
        "equalization_pair",
        "1x1 Conv - Relu - depthwise Conv - Relu - 1x1 Conv; channel 2 of the depthwise weight is 64 times the others, "
        "its input 1/64",
    )
    x = m.input("x", m.rand(2, 3, 6, 6))
    factor = np.ones(6, np.float32)
    factor[2] = 64
    w1, b1 = m.rand(6, 3, 1, 1) / factor.reshape(-1, 1, 1, 1), m.rand(6, scale=0.3) / factor
    w2, b2 = m.rand(6, 1, 3, 3, scale=0.4) * factor.reshape(-1, 1, 1, 1), m.rand(6, scale=0.3)
    for name, value in (("w1", w1), ("b1", b1), ("w2", w2), ("b2", b2)):
        m.init(name, value)
    w3, b3 = m.init("w3", m.rand(4, 6, 1, 1)), m.init("b3", m.rand(4, scale=0.3))
    m.node("Conv", "x w1 b1", "c1", name="expand")
    m.node("Relu", "c1", "r1", name="expand_relu")
    m.node("Conv", "r1 w2 b2", "c2", name="depthwise", group=6, pads=[1, 1, 1, 1])
    m.node("Relu", "c2", "r2", name="depthwise_relu")
    m.node("Conv", "r2 w3 b3", "y", name="project")
    h = F.relu(conv(F.relu(conv(x, w1, b1)), w2, b2, padding=1, groups=6))
    m.output("y", conv(h, w3, b3))
    m.save(out)


def identity_dropout_cast(out):
    m = Model(
        "identity_dropout_cast",
        "Identity on a parameter, a Dropout and a Cast float to float in the middle, an Identity before the output, "
        "a Mul(x,x), an unused node",
    )
    x, w = m.input("x", m.rand(1, 3, 5, 5)), m.init("w", m.rand(3, 3, 1, 1))
    m.node("Identity", "w", "w_same", name="identity_weight")
    m.node("Conv", "x w_same", "c", name="conv")
    m.node("Dropout", "c", "d", name="dropout")
    m.node("Cast", "d", "f", name="cast", to=F32)
    m.node("Mul", "f f", "sq", name="square")
    m.node("Sqrt", "sq", "unused", name="dead_sqrt")
    m.node("Identity", "sq", "y", name="identity_output")
    m.output("y", conv(x, w) ** 2)
    m.save(out)


def inner_output(out):
    m = Model(
        "inner_output",
        "an inner tensor with a consumer is a graph output, too; one graph input goes to an output through Identity",
    )
    x, w = m.input("x", m.rand(1, 3, 5, 5)), m.init("w", m.rand(3, 3, 1, 1))
    m.node("Conv", "x w", "c", name="conv")
    m.node("Relu", "c", "y", name="relu")
    m.node("Identity", "x", "copy", name="identity")
    m.output("y", F.relu(conv(x, w)))
    m.output("c", conv(x, w))
    m.output("copy", x)
    m.save(out)


def quantizer_models(out):
    for make in (conv_swish, concat_branches, equalization_pair, identity_dropout_cast, inner_output):
        make(out)

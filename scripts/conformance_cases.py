#!/usr/bin/python3
"""Cases for tests/conformance: python3 conformance_cases.py TARGET PYTHON_WITH_ONNXRUNTIME

Debian's onnx writes the models, ONNX Runtime (in another interpreter, without onnx) computes the outputs.
"""
import shutil
import sys
import zlib
from pathlib import Path

import numpy as np
from onnx import helper, TensorProto

from conformance_writer import answer, write

rng = None  # seeded for each group by its name: a case that is added at the end of a group changes no other
cases = {}


def f(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def positive(*shape):
    return np.abs(f(*shape)) + np.float32(0.1)


def u8(*shape):
    return rng.integers(0, 256, shape).astype(np.uint8)


def i8(*shape):
    return rng.integers(-128, 128, shape).astype(np.int8)


def i64(*values):
    return np.array(values, dtype=np.int64)


def case(name, op, inputs, opset=21, domain="", outputs=1, constant=(), extra=None, **attributes):
    """inputs: arrays, or None for an omitted one; constant: numbers of those that become initialisers; extra: attributes
    whose names are taken here."""
    assert name not in cases, name
    names = ["" if x is None else f"x{i}" for i, x in enumerate(inputs)]
    outs = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(op, names, outs, domain=domain, **attributes, **(extra or {}))
    cases[name] = ([node], inputs, outs, opset, constant)


def graph_case(name, nodes, inputs, outs, opset=21):
    """nodes read x0, x1 ... and write outs."""
    cases[name] = (nodes, inputs, outs, opset, ())


def transformer_cases():
    d = "com.microsoft"
    for a, b in ((0, 0), (1, 0), (0, 1), (1, 1)):
        case(f"fused_matmul_{a}{b}", "FusedMatMul", [f(2, 4, 3) if a else f(2, 3, 4), f(2, 5, 4) if b else f(2, 4, 5)],
             domain=d, transA=a, transB=b, alpha=0.5)
    case("gelu", "Gelu", [f(3, 4)], domain=d)
    case("bias_gelu", "BiasGelu", [f(3, 4), f(4)], domain=d)
    case("fast_gelu", "FastGelu", [f(3, 4), f(4)], domain=d)
    case("quick_gelu", "QuickGelu", [f(3, 4)], domain=d, alpha=1.5)
    case("skip_layer_norm", "SkipLayerNormalization", [f(2, 3, 8), f(2, 3, 8), f(8), f(8), f(8)], domain=d,
         epsilon=1e-5)
    case("skip_layer_norm_no_beta", "SkipLayerNormalization", [f(2, 3, 8), f(2, 3, 8), f(8)], domain=d)
    case("skip_simplified", "SkipSimplifiedLayerNormalization", [f(2, 3, 8), f(2, 3, 8), f(8)], domain=d)
    case("simplified_layer_norm", "SimplifiedLayerNormalization", [f(2, 3, 8), f(8)], opset=17, epsilon=1e-6, axis=-1)
    ids, segments = rng.integers(0, 9, (2, 5)).astype(np.int32), rng.integers(0, 2, (2, 5)).astype(np.int32)
    mask = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)
    tables = [f(9, 8), f(6, 8), f(2, 8), f(8), f(8)]
    case("embed_layer_norm", "EmbedLayerNormalization", [ids, segments, *tables, mask], domain=d, outputs=2)
    case("embed_layer_norm_plain", "EmbedLayerNormalization", [ids, None, tables[0], tables[1], None, *tables[3:]],
         domain=d, outputs=2)
    x, w, b = f(2, 5, 8), f(8, 24) * np.float32(0.3), f(24)
    case("attention", "Attention", [x, w, b], domain=d, num_heads=2)
    case("attention_mask2", "Attention", [x, w, b, mask], domain=d, num_heads=2)
    case("attention_lengths", "Attention", [x, w, b, np.array([3, 5], np.int32)], domain=d, num_heads=2)
    case("attention_mask3", "Attention", [x, w, b, rng.integers(0, 2, (2, 5, 5)).astype(np.int32) | np.eye(5, dtype=np.int32)],
         domain=d, num_heads=4)
    case("attention_causal", "Attention", [x, w, b], domain=d, num_heads=2, unidirectional=1)
    case("attention_past", "Attention", [x, w, b, None, f(2, 2, 2, 3, 4)], domain=d, num_heads=2, unidirectional=1,
         outputs=2)
    case("attention_bias", "Attention", [x, w, b, None, None, f(2, 2, 5, 5)], domain=d, num_heads=2)
    case("attention_sizes", "Attention", [x, f(8, 20), f(20)], domain=d, num_heads=2, qkv_hidden_sizes=[8, 8, 4],
         scale=0.4)
    q, k, v = f(2, 5, 8), f(2, 6, 8), f(2, 6, 8)
    case("multi_head", "MultiHeadAttention", [q, k, v], domain=d, num_heads=2)
    case("multi_head_bias", "MultiHeadAttention", [q, k, v, f(24)], domain=d, num_heads=2)
    case("multi_head_mask", "MultiHeadAttention", [q, k, v, None, np.array([[1, 1, 1, 1, 0, 0], [1] * 6], np.int32)],
         domain=d, num_heads=2)
    case("multi_head_scores", "MultiHeadAttention", [q, k, v, None, None, f(1, 2, 5, 6)], domain=d, num_heads=2)
    angle = f(7, 2)
    cosine, sine = np.cos(angle), np.sin(angle)
    case("rotary", "RotaryEmbedding", [f(2, 3, 8), i64(2), cosine, sine], domain=d)
    case("rotary_places", "RotaryEmbedding", [f(2, 2, 3, 4), i64(0, 1, 2, 3, 4, 5).reshape(2, 3), cosine, sine],
         domain=d, interleaved=1)
    for bits in (4, 8):
        blob = u8(5, 3, 16 * bits // 8)
        case(f"matmul_{bits}bits", "MatMulNBits", [f(2, 3, 40), blob, positive(15)], domain=d, K=40, N=5, bits=bits,
             block_size=16, constant=(1, 2))
    case("matmul_4bits_zero", "MatMulNBits", [f(3, 40), u8(5, 3, 8), positive(15), u8(10)], domain=d, K=40, N=5, bits=4,
         block_size=16, constant=(1, 2, 3))
    case("fused_gemm", "FusedGemm", [f(3, 4), f(4, 5), f(5)], domain=d, activation="LeakyRelu", activation_alpha=0.2)
    case("fused_conv", "FusedConv", [f(1, 2, 5, 5), f(3, 2, 3, 3), f(3), f(1, 3, 5, 5)], domain=d, activation="Relu",
         pads=[1, 1, 1, 1])


def quantized_cases():
    d = "com.microsoft"
    s, z = (lambda value: np.array(value, np.float32)), (lambda value: np.array(value, np.uint8))
    a, b = u8(2, 3, 4), u8(2, 3, 4)
    case("qlinear_add", "QLinearAdd", [a, s(0.1), z(120), b, s(0.2), z(10), s(0.3), z(50)], domain=d)
    case("qlinear_mul", "QLinearMul", [a, s(0.1), z(120), b[:, :1], s(0.2), z(10), s(2.0), z(90)], domain=d)
    case("qlinear_sigmoid", "QLinearSigmoid", [a, s(0.05), z(120), s(1 / 256), z(0)], domain=d, constant=(1, 2, 3, 4))
    case("qlinear_leaky", "QLinearLeakyRelu", [a, s(0.05), z(120), s(0.06), z(100)], domain=d, alpha=0.3,
         constant=(1, 2, 3, 4))
    case("qlinear_concat", "QLinearConcat", [s(0.1), z(100), a, s(0.1), z(120), b, s(0.05), z(30)], domain=d, axis=1,
         constant=(0, 1, 3, 4, 6, 7))
    image = u8(1, 2, 5, 6)
    case("qlinear_average", "QLinearAveragePool", [image, s(0.1), z(3), s(0.0813), z(5)], domain=d, kernel_shape=[3, 2],
         strides=[2, 2], pads=[1, 0, 1, 0])
    case("qlinear_global", "QLinearGlobalAveragePool", [image, s(0.1), z(3), s(0.0813), z(5)], domain=d)
    case("qlinear_softmax", "QLinearSoftmax", [a, s(0.03), z(120), s(1 / 256), z(0)], domain=d, axis=-1,
         extra={"opset": 13}, constant=(1, 2, 3, 4))
    c = rng.integers(-500, 500, 5).astype(np.int32)
    case("qgemm", "QGemm", [u8(3, 4), s(0.02), z(128), i8(4, 5), positive(5), np.zeros(5, np.int8), c, s(0.9), z(128)],
         domain=d)
    case("qgemm_float", "QGemm", [u8(3, 4), s(0.02), z(128), i8(5, 4), s(0.01), np.array(3, np.int8), c], domain=d,
         transB=1, alpha=0.5)
    case("dynamic_matmul", "DynamicQuantizeMatMul", [f(3, 8), i8(8, 4), s(0.02), np.array(1, np.int8), f(4)], domain=d)
    case("integer_to_float", "MatMulIntegerToFloat", [u8(3, 8), u8(8, 4), s(0.1), positive(4), z(100), u8(4), f(4)],
         domain=d)
    case("q_attention", "QAttention",
         [u8(2, 5, 8), i8(8, 24), f(24), s(0.02), s(0.005), np.array([3, 5], np.int32), z(128), np.array(0, np.int8)],
         domain=d, num_heads=2, constant=(1, 2))
    x = u8(1, 3, 6, 6)
    case("qlinear_conv_channels", "QLinearConv",
         [x, s(0.02), z(120), i8(4, 3, 3, 3), positive(4) * np.float32(0.01), np.zeros(4, np.int8), s(0.1), z(100),
          rng.integers(-2000, 2000, 4).astype(np.int32)], opset=13, pads=[1, 0, 1, 1], strides=[2, 1])
    case("qlinear_conv_group", "QLinearConv",
         [u8(1, 4, 5), s(0.02), z(120), i8(4, 2, 3), s(0.01), np.array(0, np.int8), s(0.1), z(100)], opset=13, group=2)
    # Sums that float32 cannot hold: the largest codes, and more products than are split
    case("matmul_integer_large", "MatMulInteger", [np.full((2, 5000), 255, np.uint8), np.full((5000, 2), 255, np.uint8),
                                                   z(0), z(0)], opset=13)
    case("matmul_integer_split", "MatMulInteger", [u8(3, 4112) | np.uint8(0x81), u8(4112, 2) | np.uint8(0xc1), z(0), z(0)],
         opset=13)
    case("conv_integer_deep", "ConvInteger", [u8(1, 300, 4, 4), u8(2, 300, 3, 3), z(3), z(250)], opset=13,
         pads=[1, 0, 0, 1])
    case("quantize_axis", "QuantizeLinear", [f(3, 4) * 20, positive(3), i8(3)], opset=13, axis=0)
    case("quantize_ties", "QuantizeLinear", [np.arange(-8, 8, dtype=np.float32) / 2, s(1.0), z(128)], opset=13)
    case("quantize_int16", "QuantizeLinear", [f(4, 4) * 3000, s(0.07), np.array(5, np.int16)], opset=21)
    case("dequantize_blocks", "DequantizeLinear", [i8(4, 8), positive(4, 2), i8(4, 2)], opset=21, axis=1, block_size=4)
    case("quantize_blocks", "QuantizeLinear", [f(8, 4) * 50, positive(2, 4), u8(2, 4)], opset=21, axis=0, block_size=4)
    case("dequantize_half", "DequantizeLinear", [i8(4, 3), np.array(0.5, np.float16), np.array(2, np.int8)], opset=21)
    case("dynamic_zero", "DynamicQuantizeLinear", [np.array([1, 2, 3, 0.5], np.float32)], opset=13, outputs=3)


def recurrent_cases():
    t, n, i, h = 4, 3, 5, 2
    x = f(t, n, i)
    lengths = np.array([4, 1, 3], np.int32)
    for gates, op in ((4, "LSTM"), (3, "GRU"), (1, "RNN")):
        outs = 3 if op == "LSTM" else 2
        low = op.lower()

        def weights(dirs):
            return [f(dirs, gates * h, i), f(dirs, gates * h, h), f(dirs, 2 * gates * h)]

        initial = [f(1, n, h)] * (outs - 1)
        case(f"{low}_reverse_lengths", op, [x, *weights(1), lengths, *initial], opset=14, outputs=outs, hidden_size=h,
             direction="reverse")
        case(f"{low}_both_ways", op, [x, *weights(2), lengths], opset=14, outputs=outs, hidden_size=h,
             direction="bidirectional")
        case(f"{low}_clip", op, [x, *weights(1)], opset=14, outputs=outs, hidden_size=h, clip=0.3)
        names = {"LSTM": ["HardSigmoid", "Softsign", "Elu"], "GRU": ["HardSigmoid", "Softsign"], "RNN": ["LeakyRelu"]}
        parameters = {"LSTM": {"activation_alpha": [0.3, 0.7], "activation_beta": [0.4]},
                      "GRU": {"activation_alpha": [0.3], "activation_beta": [0.4]}, "RNN": {"activation_alpha": [0.3]}}
        case(f"{low}_activations", op, [x, *weights(1)], opset=14, outputs=outs, hidden_size=h, activations=names[op],
             **parameters[op])
    case("gru_reset_after", "GRU", [x, f(1, 3 * h, i), f(1, 3 * h, h), f(1, 6 * h)], opset=14, outputs=2, hidden_size=h,
         linear_before_reset=1)
    case("lstm_coupled", "LSTM", [x, f(1, 4 * h, i), f(1, 4 * h, h)], opset=14, outputs=3, hidden_size=h,
         input_forget=1)
    case("lstm_peepholes_both", "LSTM",
         [x, f(2, 4 * h, i), f(2, 4 * h, h), f(2, 8 * h), None, f(2, n, h), f(2, n, h), f(2, 3 * h)], opset=14,
         outputs=3, hidden_size=h, direction="bidirectional")
    # ONNX Runtime finds the ranges for as many sequences as a thread has: one sequence does not depend on that
    one = x[:, :1]
    w, r, zeros = i8(2, i, 4 * h), i8(2, h, 4 * h), np.zeros(2, np.int8)
    case("dynamic_lstm", "DynamicQuantizeLSTM",
         [one, w, r, f(2, 8 * h), None, f(2, 1, h), f(2, 1, h), None, positive(2) * np.float32(0.02), zeros,
          positive(2) * np.float32(0.02), zeros], domain="com.microsoft", outputs=3, hidden_size=h,
         direction="bidirectional", constant=(1, 2, 8, 9, 10, 11))
    zeros = np.zeros((1, 4 * h), np.int8)
    case("dynamic_lstm_columns", "DynamicQuantizeLSTM",
         [one, w[:1], r[:1], None, np.array([3], np.int32), None, None, None, positive(1, 4 * h) * np.float32(0.02),
          zeros, positive(1, 4 * h) * np.float32(0.02), zeros], domain="com.microsoft", outputs=3, hidden_size=h,
         constant=(1, 2, 8, 9, 10, 11))


def resize_cases():
    image = f(1, 2, 5, 7)
    empty = np.array([], np.float32)
    modes = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric")
    for mode in modes:
        for kind in ("nearest", "linear", "cubic"):
            for name, size in (("up", (1, 2, 11, 13)), ("down", (1, 2, 3, 4))):
                case(f"resize_{kind}_{mode}_{name}", "Resize", [image, None, None, i64(*size)], opset=19, mode=kind,
                     coordinate_transformation_mode=mode, constant=(3,))
    for rule in ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil"):
        case(f"resize_rule_{rule}", "Resize", [image, None, np.array([1, 1, 2.5, 0.6], np.float32)], opset=13,
             nearest_mode=rule, constant=(2,))
    for kind in ("linear", "cubic"):
        case(f"resize_antialias_{kind}", "Resize", [image, None, None, i64(1, 2, 3, 3)], opset=18, mode=kind, antialias=1,
             constant=(3,))
        case(f"resize_outside_{kind}", "Resize", [image, None, None, i64(1, 2, 9, 3)], opset=18, mode=kind,
             exclude_outside=1, constant=(3,)) if kind == "cubic" else None
    case("resize_crop", "Resize", [image, np.array([0, 0, 0.2, -0.1, 1, 1, 0.8, 1.1], np.float32), None, i64(1, 2, 4, 4)],
         opset=13, mode="linear", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=9.0,
         constant=(1, 3))
    for policy in ("not_larger", "not_smaller"):
        case(f"resize_{policy}", "Resize", [image, None, None, i64(8, 20)], opset=18, mode="linear", axes=[2, 3],
             keep_aspect_ratio_policy=policy, constant=(3,))
    case("resize_10", "Resize", [image, np.array([1, 1, 2, 1.5], np.float32)], opset=10, mode="linear", constant=(1,))
    case("upsample_9", "Upsample", [image, np.array([1, 1, 2, 3], np.float32)], opset=9, mode="linear", constant=(1,))
    case("upsample_7", "Upsample", [image], opset=7, mode="nearest", scales=[1.0, 1.0, 2.0, 2.0])
    case("resize_volume", "Resize", [f(1, 1, 3, 4, 5), None, np.array([1, 1, 2, 2, 2], np.float32)], opset=13,
         mode="linear", constant=(2,))


def layer_cases():
    image = f(1, 2, 6, 7)
    for op in ("MaxPool", "AveragePool"):
        low = op.lower()
        case(f"{low}_ceil_pads", op, [image], opset=19, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 0, 1, 1], ceil_mode=1)
        case(f"{low}_1d_uneven", op, [f(1, 2, 9)], opset=19, kernel_shape=[4], strides=[3], pads=[0, 2])
        case(f"{low}_3d_uneven", op, [f(1, 1, 4, 5, 6)], opset=19, kernel_shape=[2, 3, 2], pads=[0, 1, 0, 1, 0, 1])
        case(f"{low}_dilated", op, [image], opset=19, kernel_shape=[2, 3], dilations=[2, 2], pads=[1, 1, 1, 1])
        case(f"{low}_same_lower", op, [image], opset=19, kernel_shape=[3, 2], strides=[2, 2], auto_pad="SAME_LOWER")
    case("averagepool_counting", "AveragePool", [image], opset=19, kernel_shape=[3, 3], pads=[1, 1, 1, 1],
         count_include_pad=1)
    case("averagepool_counting_ceil", "AveragePool", [image], opset=19, kernel_shape=[3, 3], strides=[2, 2],
         pads=[1, 1, 1, 1], count_include_pad=1, ceil_mode=1)
    case("maxpool_indices_pads", "MaxPool", [f(2, 2, 5, 6)], opset=12, outputs=2, kernel_shape=[3, 3], strides=[2, 2],
         pads=[1, 1, 0, 2])
    case("maxpool_indices_1d", "MaxPool", [f(2, 2, 7)], opset=12, outputs=2, kernel_shape=[2], strides=[2])
    case("maxpool_indices_3d", "MaxPool", [f(1, 2, 4, 4, 4)], opset=12, outputs=2, kernel_shape=[2, 2, 2])
    case("lp_pool", "LpPool", [image], opset=18, kernel_shape=[2, 3], strides=[1, 2], pads=[1, 0, 0, 1], p=3)
    case("global_lp_pool", "GlobalLpPool", [image], opset=2 + 11, p=1)
    x, w = f(1, 4, 5, 6), f(4, 3, 3, 2)
    case("convtranspose_output_padding", "ConvTranspose", [x, w, f(6)], opset=11, strides=[2, 3], output_padding=[1, 2],
         pads=[1, 0, 0, 1], group=2)
    case("convtranspose_output_shape", "ConvTranspose", [x, f(4, 3, 3, 2)], opset=11, strides=[2, 2],
         output_shape=[10, 13])
    case("convtranspose_same_lower", "ConvTranspose", [x, w], opset=11, strides=[2, 2], auto_pad="SAME_LOWER")
    case("convtranspose_same_upper", "ConvTranspose", [x, w], opset=11, strides=[2, 2], auto_pad="SAME_UPPER")
    case("convtranspose_constant", "ConvTranspose", [x, w, f(6)], opset=11, strides=[2, 2], dilations=[2, 1],
         pads=[1, 1, 1, 0], group=2, constant=(1, 2))
    case("convtranspose_1d_constant", "ConvTranspose", [f(1, 4, 5), f(4, 3, 3)], opset=11, strides=[2],
         output_padding=[1], constant=(1,))
    case("conv_1d_constant", "Conv", [f(1, 4, 9), f(6, 2, 3), f(6)], opset=11, group=2, pads=[2, 0], dilations=[2],
         constant=(1, 2))
    case("conv_same_lower", "Conv", [x, f(3, 4, 2, 2)], opset=11, auto_pad="SAME_LOWER", strides=[2, 2], constant=(1,))
    case("conv_3d", "Conv", [f(1, 2, 4, 5, 5), f(3, 2, 2, 3, 3), f(3)], opset=11, pads=[0, 1, 0, 1, 1, 2],
         strides=[1, 2, 1], constant=(1, 2))
    case("group_norm_18", "GroupNormalization", [f(2, 6, 4), f(3), f(3)], opset=18, num_groups=3)
    case("group_norm_21", "GroupNormalization", [f(2, 6, 4, 3), f(6), f(6)], opset=21, num_groups=2, epsilon=1e-3)
    case("instance_norm_1d", "InstanceNormalization", [f(2, 3, 5), f(3), f(3)], opset=6 + 7, epsilon=1e-2)
    case("lp_norm_1", "LpNormalization", [f(3, 4)], opset=13, p=1, axis=0)
    case("lrn", "LRN", [f(1, 6, 3, 3)], opset=13, size=5, alpha=0.02, beta=0.6, bias=1.5)
    case("mvn_axes", "MeanVarianceNormalization", [f(2, 3, 4)], opset=13, axes=[0, 2])
    case("batch_norm_1d", "BatchNormalization", [f(4, 3), f(3), f(3), f(3), positive(3)], opset=15, epsilon=1e-2)
    case("prelu_channels", "PRelu", [f(2, 3, 4, 4), f(3, 1, 1)], opset=16)
    case("softmax_12", "Softmax", [f(2, 3, 4)], opset=12)
    case("logsoftmax_12_axis0", "LogSoftmax", [f(2, 3, 4)], opset=12, axis=0)
    case("hardmax_12", "Hardmax", [f(2, 3, 4)], opset=12, axis=1)


def index_cases():
    x = f(3, 4, 5)
    ties = np.array([[3, 1, 3, 2, 3, 1]], np.float32)
    case("topk_ties", "TopK", [ties, i64(4)], opset=11, outputs=2)
    case("topk_ties_smallest", "TopK", [ties, i64(4)], opset=11, outputs=2, largest=0)
    case("topk_int", "TopK", [rng.integers(-9, 9, (4, 6)).astype(np.int64), i64(3)], opset=11, outputs=2, axis=0)
    case("topk_7", "TopK", [x], opset=9, outputs=2, k=2, axis=1)
    for reduction in ("none", "add", "mul", "max", "min"):
        index = np.array([[0, -1, 2], [1, 1, 0]], np.int64)
        updates = f(2, 3)
        if reduction == "none":
            index = np.array([[0, -1, 2], [1, 2, 0]], np.int64)
        case(f"scatter_elements_{reduction}", "ScatterElements", [f(3, 4), index, updates], opset=18, axis=1,
             reduction=reduction)
        case(f"scatter_nd_{reduction}", "ScatterND", [f(3, 4), i64(0, 2, -1 if reduction != "none" else 1).reshape(3, 1),
                                                      f(3, 4)], opset=18, reduction=reduction)
    case("scatter_bool", "ScatterElements", [x[0] > 0, i64(0, 1, 2, 3, 0).reshape(1, 5), f(1, 5) > 0], opset=18)
    case("gather_nd_negative", "GatherND", [x, i64(-1, 0, 1, -2).reshape(2, 2)], opset=13)
    case("gather_nd_batch2", "GatherND", [f(2, 3, 4, 2), rng.integers(0, 4, (2, 3, 1)).astype(np.int64)], opset=13,
         batch_dims=2)
    case("gather_elements_axis", "GatherElements", [x, rng.integers(-4, 4, (3, 2, 5)).astype(np.int64)], opset=13, axis=1)
    case("gather_negative_axis", "Gather", [x, i64(0, -1, 2)], opset=13, axis=-2)
    case("onehot_outside", "OneHot", [i64(0, 5, -1, 2), i64(3), np.array([2, 7], np.float32)], opset=11, axis=0)
    case("unique_rows", "Unique", [np.array([[1, 0], [2, 3], [1, 0], [0, 9]], np.float32)], opset=11, outputs=4, axis=0)
    case("unique_order", "Unique", [np.array([5, 2, 5, 1, 2, 9], np.int64)], opset=11, outputs=4, sorted=0)
    case("nonzero_bool", "NonZero", [x > 0], opset=13)
    case("cumsum_int", "CumSum", [rng.integers(-9, 9, (3, 4)).astype(np.int32), np.array(-1, np.int32)], opset=14,
         exclusive=1, reverse=1)
    case("trilu_large_k", "Trilu", [f(3, 4), i64(9)], opset=14, upper=0)
    case("argmax_ties_last", "ArgMax", [ties], opset=13, axis=1, select_last_index=1)
    case("argmin_ties", "ArgMin", [ties], opset=13, axis=1)
    case("range_down", "Range", [np.array(7, np.float32), np.array(0.5, np.float32), np.array(-1.5, np.float32)], opset=11)
    case("eye_like_type", "EyeLike", [f(3, 5)], opset=9, k=-1, dtype=TensorProto.INT32)
    case("reverse_sequence", "ReverseSequence", [f(3, 4, 2), i64(4, 2, 1)], opset=10, batch_axis=0, time_axis=1)
    boxes = np.sort(positive(2, 12, 4) * 10, axis=-1)
    case("nms_many", "NonMaxSuppression",
         [boxes[..., [0, 1, 2, 3]], positive(2, 3, 12), i64(4), np.array([0.2], np.float32), np.array([0.3], np.float32)],
         opset=11)
    case("nms_none", "NonMaxSuppression", [boxes, positive(2, 3, 12)], opset=11)
    cache, update = f(2, 3, 5, 4), f(2, 3, 2, 4)
    case("tensor_scatter", "TensorScatter", [cache, update, i64(3, 0)], opset=24)
    case("tensor_scatter_circular", "TensorScatter", [cache, update, i64(4, 7)], opset=24, mode="circular")
    case("tensor_scatter_start", "TensorScatter", [cache, f(2, 3, 5, 1), None], opset=24, axis=3)
    case("tensor_scatter_constant", "TensorScatter", [cache[:1], update[:1], i64(2)], opset=24, constant=(2,))
    case("tensor_scatter_int8", "TensorScatter", [i8(2, 6, 3), i8(2, 1, 3), i64(5, 2)], opset=24)
    for reverse in (0, 1):
        case(f"cumprod_{reverse}", "CumProd", [x, np.array(-2, np.int32)], opset=26, reverse=reverse,
             exclusive=1 - reverse)
    case("cumprod_int", "CumProd", [rng.integers(-3, 4, (3, 4)).astype(np.int32), np.array(0, np.int64)], opset=26,
         exclusive=1, reverse=1)


def shape_cases():
    x = f(2, 5, 4)
    for mode in ("constant", "reflect", "edge", "wrap"):
        case(f"pad_{mode}", "Pad", [x, i64(0, 2, 1, 0, 1, 3)], opset=19, mode=mode)
        if mode != "wrap":
            case(f"pad_{mode}_axes", "Pad", [x, i64(1, 2), None, i64(-1)], opset=18, mode=mode)
    case("pad_negative", "Pad", [x, i64(0, -2, 1, 0, 1, -1), np.array(7, np.float32)], opset=13)
    case("pad_2", "Pad", [x], opset=2 + 8, pads=[0, 1, 0, 0, 1, 0], value=3.0)
    case("slice_many", "Slice", [x, i64(4, -1), i64(-100, 0), i64(1, -1), i64(-2, -1)], opset=13)
    case("slice_beyond", "Slice", [x, i64(-100, 2), i64(100, 1), i64(1, 2)], opset=13)
    case("slice_9", "Slice", [x], opset=9, starts=[1, 0], ends=[2147483647, -1], axes=[1, 2])
    case("split_uneven", "Split", [x], opset=18, outputs=3, axis=1, num_outputs=3)
    case("split_2", "Split", [x], opset=11, outputs=2, axis=1, split=[1, 4])
    case("squeeze_all", "Squeeze", [f(1, 3, 1, 2)], opset=13)
    case("unsqueeze_mixed", "Unsqueeze", [f(3, 4), i64(-1, 0)], opset=13)
    case("expand_both", "Expand", [f(3, 1), i64(2, 1, 6)], opset=13)
    case("tile_zero", "Tile", [f(2, 3), i64(0, 2)], opset=13)
    case("flatten_0", "Flatten", [x], opset=13, axis=0)
    case("reshape_empty", "Reshape", [np.zeros((0, 3), np.float32), i64(3, 0)], opset=14, allowzero=1)
    case("center_crop_pad", "CenterCropPad", [f(5, 4, 3), i64(2, 7)], opset=18, axes=[0, 1])
    case("col2im", "Col2Im", [f(1, 8, 12), i64(4, 5), i64(2, 2)], opset=18)
    case("col2im_pads", "Col2Im", [f(1, 8, 15), i64(5, 6), i64(2, 2)], opset=18, strides=[2, 2], pads=[1, 2, 0, 2])
    case("depth_to_space_crd", "DepthToSpace", [f(1, 12, 2, 3)], opset=13, blocksize=2, mode="CRD")
    case("concat_negative", "Concat", [f(2, 3), f(2, 1)], opset=13, axis=-1)
    case("mod_negative", "Mod", [np.array([-7, 7, -7, 7], np.int32), np.array([3, -3, -3, 3], np.int32)], opset=13)
    case("mod_fmod", "Mod", [f(6) * 5, f(6)], opset=13, fmod=1)
    case("div_negative", "Div", [np.array([-7, 7, -7, 9], np.int64), np.array([2, -2, -2, 4], np.int64)], opset=14)
    case("pow_int", "Pow", [np.array([2, 3, -2], np.int64), np.array([3, 2, 3], np.int64)], opset=15)
    case("reduce_max_many", "ReduceMax", [x, i64(0, -1)], opset=18, keepdims=0)
    case("reduce_noop", "ReduceSum", [x], opset=13, noop_with_empty_axes=1)
    case("reduce_mean_int", "ReduceMean", [rng.integers(-9, 9, (3, 4)).astype(np.int32)], opset=13, axes=[1])
    case("reduce_lse_large", "ReduceLogSumExp", [x * 100], opset=13, axes=[1])
    case("reduce_prod_many", "ReduceProd", [x, i64(0, 1)], opset=18, keepdims=1)
    case("pad_wrap_negative", "Pad", [np.arange(24, dtype=np.float32).reshape(4, 6), i64(-1, 2, 2, -3)], opset=19,
         mode="wrap")
    case("reduce_max_nothing", "ReduceMax", [np.zeros((2, 0, 4), np.float32), i64(1)], opset=20, keepdims=0)
    case("clip_6", "Clip", [x], opset=6 + 4, min=-0.5)
    case("clip_int", "Clip", [rng.integers(-9, 9, (8,)).astype(np.int32), np.array(-3, np.int32), np.array(4, np.int32)],
         opset=13)
    case("where_broadcast", "Where", [x > 0, x, f(5, 1)], opset=16)
    case("einsum_ellipsis", "Einsum", [f(2, 3, 4), f(2, 4, 5)], opset=12, equation="...ij,...jk->...ik")
    case("einsum_implicit", "Einsum", [f(3, 4), f(4, 5)], opset=12, equation="ab, bc")
    case("bitwise_and", "BitwiseAnd", [i64(5, 12, -1), i64(3, 10, 7)], opset=18)
    case("bitwise_not", "BitwiseNot", [u8(5)], opset=18)
    case("gelu_tanh", "Gelu", [f(6)], opset=20, approximate="tanh")
    case("mish", "Mish", [f(6)], opset=18)
    case("is_inf_half", "IsInf", [np.array([1, np.inf, -np.inf], np.float16)], opset=20)
    case("cast_saturate", "Cast", [np.array([1.7, -1.7, 200.4], np.float32)], opset=13, to=TensorProto.INT32)


def vision_cases():
    x = f(2, 3, 6, 7)
    rois = np.array([[0, 0, 5, 4], [1.5, 2, 6, 5.5], [-1, 0.5, 3, 7]], np.float32)
    index = i64(0, 1, 1)
    for mode in ("half_pixel", "output_half_pixel"):
        for ratio in (0, 2):
            case(f"roi_align_{mode}_{ratio}", "RoiAlign", [x, rois, index], opset=16, output_height=2, output_width=3,
                 sampling_ratio=ratio, spatial_scale=0.8, coordinate_transformation_mode=mode)
    case("roi_align_10", "RoiAlign", [x, rois, index], opset=10, output_height=2, output_width=2)
    case("max_roi_pool", "MaxRoiPool", [x, np.array([[0, 0, 0, 5, 4], [1, 1.5, 2, 6, 5.5]], np.float32)], opset=13,
         pooled_shape=[2, 3], spatial_scale=0.8)
    case("deform_conv", "DeformConv", [f(2, 4, 6, 6), f(6, 2, 3, 3), f(2, 36, 3, 6), f(6), positive(2, 18, 3, 6)],
         opset=19, group=2, offset_group=2, kernel_shape=[3, 3], strides=[2, 1], pads=[1, 1, 1, 1])
    grid = f(2, 4, 5, 2)
    for kind in ("linear", "nearest", "cubic"):
        for padding in ("zeros", "border", "reflection"):
            for corners in (0, 1):
                case(f"grid_{kind}_{padding}_{corners}", "GridSample", [x, grid], opset=20, mode=kind,
                     padding_mode=padding, align_corners=corners)
    case("grid_volume", "GridSample", [f(1, 2, 3, 4, 5), f(1, 2, 3, 4, 3)], opset=20, mode="linear")
    case("affine_grid", "AffineGrid", [f(2, 2, 3), i64(2, 3, 4, 5)], opset=20)
    case("affine_grid_corners", "AffineGrid", [f(1, 3, 4), i64(1, 2, 3, 4, 5)], opset=20, align_corners=1)
    case("dft_20", "DFT", [f(2, 6, 4, 1), None, np.array(1, np.int64)], opset=20)
    case("dft_onesided", "DFT", [f(2, 7, 1)], opset=17, onesided=1)
    case("dft_longer", "DFT", [f(1, 5, 2), np.array(8, np.int64)], opset=17)
    case("stft_two_sided", "STFT", [f(1, 16, 1), np.array(4, np.int64), f(8)], opset=17, onesided=0)


def empty_cases():
    """Tensors without elements: a batch of none, nothing found, nothing chosen."""
    none = f(0, 3, 6, 6)
    case("empty_conv", "Conv", [none, f(4, 3, 3, 3), f(4)], opset=13, constant=(1, 2))
    case("empty_max_pool", "MaxPool", [none], opset=13, kernel_shape=[2, 2])
    case("empty_average_pool", "AveragePool", [none], opset=13, kernel_shape=[2, 2], pads=[1, 1, 0, 0])
    case("empty_global_pool", "GlobalAveragePool", [none], opset=13)
    case("empty_batch_norm", "BatchNormalization", [none, f(3), f(3), f(3), positive(3)], opset=15)
    case("empty_resize", "Resize", [none, None, np.array([1, 1, 2, 2], np.float32)], opset=13, constant=(2,))
    case("empty_matmul_rows", "MatMul", [f(0, 4), f(4, 5)], opset=13)
    case("empty_matmul_depth", "MatMul", [f(3, 0), f(0, 5)], opset=13)
    case("empty_gemm_depth", "Gemm", [f(3, 0), f(0, 5), f(5)], opset=13)
    case("empty_softmax", "Softmax", [f(0, 4)], opset=13)
    case("empty_softmax_12", "Softmax", [f(0, 4, 2)], opset=12)
    case("empty_layer_norm", "LayerNormalization", [f(0, 4), f(4), f(4)], opset=17)
    case("empty_sum", "ReduceSum", [f(0, 4), i64(0)], opset=13)
    case("empty_prod", "ReduceProd", [f(0, 4), i64(0)], opset=18)
    case("empty_concat", "Concat", [f(0, 4), f(2, 4)], opset=13, axis=0)
    case("empty_slice", "Slice", [f(3, 4), i64(2), i64(1), i64(0)], opset=13)
    case("empty_slice_back", "Slice", [f(3, 4), i64(0), i64(2), i64(0), i64(-1)], opset=13)
    case("empty_pad", "Pad", [f(0, 4), i64(1, 0, 2, 0)], opset=13)
    case("empty_gather", "Gather", [f(3, 4), np.zeros(0, np.int64)], opset=13)
    case("empty_gather_nd", "GatherND", [f(3, 4), np.zeros((0, 1), np.int64)], opset=13)
    case("empty_gather_elements", "GatherElements", [f(3, 4), np.zeros((0, 4), np.int64)], opset=13)
    case("empty_scatter_nd", "ScatterND", [f(3, 4), np.zeros((0, 1), np.int64), f(0, 4)], opset=16)
    case("empty_scatter_elements", "ScatterElements", [f(3, 4), np.zeros((0, 4), np.int64), f(0, 4)], opset=16)
    case("empty_nonzero", "NonZero", [np.zeros((2, 3), np.float32)], opset=13)
    case("empty_compress", "Compress", [f(3, 4), np.zeros(3, bool)], opset=11, axis=0)
    case("empty_topk", "TopK", [f(3, 4), i64(0)], opset=11, outputs=2)
    case("empty_nms", "NonMaxSuppression", [f(1, 0, 4), f(1, 2, 0), i64(3)], opset=11)
    case("empty_nms_score", "NonMaxSuppression",
         [f(1, 5, 4), positive(1, 2, 5), i64(3), np.array([0.5], np.float32), np.array([99], np.float32)], opset=11)
    case("empty_transpose", "Transpose", [f(0, 3, 2)], opset=13)
    case("empty_reshape", "Reshape", [f(0, 3, 2), i64(0, 6)], opset=13)
    case("empty_flatten", "Flatten", [f(0, 3, 2)], opset=13, axis=2)
    case("empty_tile", "Tile", [f(0, 3), i64(2, 2)], opset=13)
    case("empty_expand", "Expand", [f(1, 3), i64(0, 3)], opset=13)
    case("empty_where", "Where", [f(0, 3) > 0, f(0, 3), f(1, 3)], opset=16)
    case("empty_add", "Add", [f(0, 3), f(1, 3)], opset=14)
    case("empty_cumsum", "CumSum", [f(0, 3), np.array(0, np.int64)], opset=14)
    case("empty_split", "Split", [f(3, 4), i64(0, 3)], opset=13, outputs=2)
    case("empty_range", "Range", [np.array(5, np.int64), np.array(1, np.int64), np.array(1, np.int64)], opset=11)
    case("empty_one_hot", "OneHot", [np.zeros(0, np.int64), i64(3), np.array([0, 1], np.float32)], opset=11)
    case("empty_roi_align", "RoiAlign", [f(1, 2, 5, 5), f(0, 4), np.zeros(0, np.int64)], opset=16, output_height=2,
         output_width=2)
    case("empty_quantize", "QuantizeLinear", [f(0, 3), np.array(0.1, np.float32), np.array(3, np.uint8)], opset=13)
    case("empty_dequantize", "DequantizeLinear", [u8(0, 3), np.array(0.1, np.float32), np.array(3, np.uint8)], opset=13)
    case("empty_einsum", "Einsum", [f(0, 3), f(3, 2)], opset=12, equation="ij,jk->ik")
    case("empty_depth_to_space", "DepthToSpace", [f(0, 4, 2, 2)], opset=13, blocksize=2)
    case("empty_instance_norm", "InstanceNormalization", [none, f(3), f(3)], opset=13)
    case("empty_argmax", "ArgMax", [f(0, 3)], opset=13, axis=1)
    case("empty_lstm", "LSTM", [f(3, 0, 5), f(1, 8, 5), f(1, 8, 2)], opset=14, outputs=3, hidden_size=2)
    case("empty_convtranspose", "ConvTranspose", [none, f(3, 2, 3, 3)], opset=11, constant=(1,))
    case("empty_unique", "Unique", [f(0)], opset=11, outputs=4)
    case("empty_grid_sample", "GridSample", [f(0, 2, 4, 4), f(0, 3, 3, 2)], opset=20)
    case("empty_erf", "Erf", [f(0)], opset=13)
    case("empty_clip", "Clip", [f(0, 2), np.array(0, np.float32), np.array(1, np.float32)], opset=13)


def body(nodes, inputs, outputs):
    kinds = {"f": TensorProto.FLOAT, "b": TensorProto.BOOL, "i": TensorProto.INT64}
    shapes = {"f": None, "b": [], "i": []}
    info = lambda names: [helper.make_tensor_value_info(n[1:], kinds[n[0]], shapes[n[0]]) for n in names]
    return helper.make_graph(nodes, "body", info(inputs), info(outputs))


def control_cases():
    node = helper.make_node
    step = body([node("Add", ["state", "x1"], ["next"]), node("Mul", ["next", "next"], ["square"]),
                 node("ReduceSum", ["next"], ["sum"], keepdims=0), node("Less", ["sum", "x2"], ["go"])],
                ["ii", "bc", "fstate"], ["bgo", "fnext", "fsquare"])
    limit = np.array(20, np.float32)
    graph_case("loop_captures", [node("Loop", ["x3", "x4", "x0"], ["y0", "y1"], body=step)],
               [positive(3), positive(3), limit, np.array(9, np.int64), np.array(True)], ["y0", "y1"], 16)
    inner = lambda op: body([node(op, ["x1", "x2"], ["r"])], [], ["fr"])
    chooser = body([node("Greater", ["x1", "state"], ["more"]), node("ReduceSum", ["x0"], ["s"], keepdims=0),
                    node("If", ["x4"], ["picked"], then_branch=inner("Add"), else_branch=inner("Mul")),
                    node("Add", ["state", "picked"], ["next"]), node("Identity", ["c"], ["go"])],
                   ["ii", "bc", "fstate"], ["bgo", "fnext"])
    graph_case("if_in_loop", [node("Loop", ["x3", "", "x0"], ["y0"], body=chooser)],
               [np.array(1, np.float32), np.array(3, np.float32), limit, np.array(3, np.int64), np.array(False)], ["y0"],
               16)
    scan = body([node("Add", ["sum", "a"], ["next"]), node("Mul", ["a", "b"], ["product"])], ["fsum", "fa", "fb"],
                ["fnext", "fproduct"])
    graph_case("scan_axes", [node("Scan", ["x0", "x1", "x2"], ["y0", "y1"], body=scan, num_scan_inputs=2,
                                  scan_input_axes=[1, 0], scan_input_directions=[0, 1], scan_output_axes=[1],
                                  scan_output_directions=[1])],
               [f(3), f(3, 4), f(4, 3)], ["y0", "y1"], 11)


def contrib_cases():
    """Operators of com.microsoft that ONNX adopted later."""
    d = "com.microsoft"
    case("contrib_trilu", "Trilu", [f(2, 3, 5), i64(1).reshape(())], domain=d, constant=(1,), upper=0)
    case("contrib_grid_sample", "GridSample", [f(1, 3, 6, 6), f(1, 4, 4, 2)], domain=d, padding_mode="border")
    case("contrib_range", "Range", [i64(1).reshape(()), i64(9).reshape(()), i64(3).reshape(())], domain=d,
         constant=(0, 1, 2))
    case("contrib_gather_nd", "GatherND", [f(2, 3, 3), i64(0, 1, 1, 2).reshape(2, 2)], domain=d, constant=(1,))
    case("contrib_expand_dims", "ExpandDims", [f(2, 3), np.array(-1, np.int32)], domain=d, constant=(1,))
    for trans in (0, 1):
        case(f"contrib_matmul_batch_{trans}", "FusedMatMul", [f(3, 2, 4), f(2, 3 if trans else 4, 5)], domain=d,
             transBatchA=1, transA=trans)
    for mode in ("constant", "reflect", "edge"):
        case(f"contrib_pad_{mode}", "Pad", [f(2, 3, 4), i64(0, 1, 2, 0, 0, 1)] + [f(1)] * (mode == "constant"), domain=d,
             constant=(1,), mode=mode)
    case("contrib_pad_rows", "Pad", [f(2, 3, 4), i64(0, 1, -1, 0, 0, 1).reshape(1, 6)], domain=d, constant=(1,))
    case("contrib_inverse", "Inverse", [f(2, 3, 4, 4) + 3 * np.eye(4, dtype=np.float32)], domain=d)
    for name, x in (("int8", i8(2, 9, 8, 3)), ("uint8", u8(1, 9, 7, 4))):
        case(f"contrib_nhwc_max_pool_{name}", "NhwcMaxPool", [x], domain=d, kernel_shape=[3, 2], strides=[2, 2],
             pads=[1, 0, 1, 1], dilations=[1, 2])
    case("contrib_nhwc_max_pool_ceil", "NhwcMaxPool", [u8(1, 8, 8, 2)], domain=d, kernel_shape=[3, 3], strides=[2, 2],
         ceil_mode=1)


def decoder_cases():
    """Operators of decoders that generate text."""
    d, heads = "com.microsoft", {"num_heads": 4, "kv_num_heads": 2}
    ends = lambda *values: np.array(values, np.int32)
    q, k, v = f(2, 5, 64), f(2, 5, 32), f(2, 5, 32)
    angle = f(16, 8)
    cosine, sine = np.cos(angle), np.sin(angle)
    prompt, rotary = [q, k, v, None, None, ends(4, 4), np.array(5, np.int32)], dict(heads, do_rotary=1)

    def decode(name, inputs, **attributes):
        case("group_query_" + name, "GroupQueryAttention", inputs, domain=d, outputs=3, **attributes)

    decode("prompt", prompt, **heads)
    decode("rotary", prompt + [cosine, sine], **rotary)
    decode("interleaved", prompt + [cosine, sine], rotary_interleaved=1, scale=0.2, **rotary)
    decode("places", prompt + [cosine, sine, i64(*range(3, 8), *range(3, 8)).reshape(2, 5)], **rotary)
    decode("bias", prompt + [None, None, None, f(1, 4, 5, 5)], softcap=2.0, **heads)
    decode("sink", prompt + [None] * 4 + [f(4)], **heads)
    decode("smooth", prompt, smooth_softmax=1, local_window_size=2, **heads)
    decode("packed", [f(2, 5, 128), None, None] + prompt[3:] + [cosine, sine], **rotary)
    past, values = f(2, 2, 6, 16), f(2, 2, 6, 16)
    step = [f(2, 1, 64), f(2, 1, 32), f(2, 1, 32), past, values]
    decode("step", step + [ends(6, 3), np.array(7, np.int32), cosine, sine], **rotary)
    decode("window", step + [ends(6, 6), np.array(7, np.int32)], local_window_size=3, softcap=1.5, **heads)
    decode("append", [f(1, 3, 64), f(1, 3, 32), f(1, 3, 32), past[:1], values[:1], ends(8), np.array(9, np.int32), cosine, sine],
           **rotary)
    decode("buffer", step + [ends(3, 4), np.array(5, np.int32), cosine, sine], **rotary)
    rows, some = u8(6, 32), i64(4, 0, -1, 2).reshape(2, 2)
    for bits in (4, 8):
        blocks = 32 * 8 // bits // 16
        gather = lambda name, inputs: case(f"gather_{bits}bits{name}", "GatherBlockQuantized", inputs, domain=d, bits=bits,
                                           block_size=16, gather_axis=0, quantize_axis=1, constant=(0, 2, 3))
        gather("", [rows, some, positive(6, blocks)])
        gather("_zero", [rows, some, positive(6, blocks), u8(6, blocks * bits // 8)])


def main():
    target, python = Path(sys.argv[1]), sys.argv[2]
    shutil.rmtree(target, ignore_errors=True)
    for make in (transformer_cases, quantized_cases, recurrent_cases, resize_cases, layer_cases, index_cases, shape_cases,
                 vision_cases, control_cases, empty_cases, contrib_cases, decoder_cases):
        globals()["rng"] = np.random.default_rng(zlib.crc32(make.__name__.encode()))
        make()
    write(cases, target)
    answer(cases, target, python)
    print(len(list(target.glob("*.onnx"))), "of", len(cases), "cases")


main()

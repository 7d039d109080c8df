"""Caffe files for tests, with reference expressions in numpy and torch, written from the definitions of the layers."""

import json
import math
import zlib

import numpy as np
import torch
import torch.nn.functional as F

from . import builder
from .caffe_format import caffemodel

t = builder.t


# ---- one case --------------------------------------------------------------------------------------------------------
CASES = []


class Case:
    """A net with its weights and golden outputs. opencv: why OpenCV's reader is skipped; empty if it is not."""

    def __init__(self, name, note, opencv=""):
        self.name, self.note, self.opencv = name, note, opencv
        self.random = np.random.RandomState(zlib.crc32(name.encode()))
        self.text, self.weights, self.arrays, self.form = f'name: "{name}"\n', [], {}, "current"

    def rand(self, *shape, scale=1.0):
        return (self.random.standard_normal(shape) * scale).astype(np.float32)

    def input(self, value, name="data"):
        dims = " ".join(f"dim: {d}" for d in value.shape)
        self.layer("Input", name, "", name, f"input_param {{ shape {{ {dims} }} }}")
        self.arrays["in__" + name] = value
        return value

    def layer(self, kind, name, bottoms, tops, params="", blobs=()):
        rows = "".join(f' bottom: "{b}"' for b in bottoms.split()) + "".join(f' top: "{x}"' for x in tops.split())
        self.text += f'layer {{ name: "{name}" type: "{kind}"{rows} {params} }}\n'
        if blobs:
            self.weights.append((name, kind, [np.asarray(b, np.float32) for b in blobs]))

    def output(self, value, name="out"):
        self.arrays["out__" + name] = np.asarray(value, np.float32)

    def save(self, folder):
        builder.write(folder / f"{self.name}.prototxt", self.text.encode())
        if self.weights:
            builder.write(folder / f"{self.name}.caffemodel", caffemodel(self.weights, self.form))
        builder.write_npz(folder / f"{self.name}.npz", self.arrays)
        CASES.append({"name": self.name, "note": self.note, "opencv": self.opencv})


def one(folder, name, kind, note, x, params, result, blobs=(), opencv="", form="current"):
    """A net of one layer."""
    case = Case(name, note, opencv)
    case.form = form
    case.input(np.asarray(x, np.float32))
    case.layer(kind, "layer", "data", "out", params, blobs)
    case.output(result)
    case.save(folder)


def noise(name, *shape, scale=1.0):
    return (np.random.RandomState(zlib.crc32(name.encode())).standard_normal(shape) * scale).astype(np.float32)


# ---- references ------------------------------------------------------------------------------------------------------
def pool(x, kernel, stride, pad, average, up=True):
    """Windows one by one, as the layer is defined: sizes rounded up, no window starts beyond input and begin padding,
    an average divides by the part of the window inside input and padding."""
    n, c, h, w = x.shape
    sizes = []
    for size, k, s, p in zip((h, w), kernel, stride, pad):
        out = (math.ceil if up else math.floor)((size + 2 * p - k) / s) + 1
        sizes.append(out - 1 if any(pad) and (out - 1) * s >= size + p else out)
    y = np.zeros((n, c, *sizes), np.float32)
    for i in range(sizes[0]):
        for j in range(sizes[1]):
            top, left = i * stride[0] - pad[0], j * stride[1] - pad[1]
            bottom, right = min(top + kernel[0], h + pad[0]), min(left + kernel[1], w + pad[1])
            count = (bottom - top) * (right - left)
            part = x[:, :, max(top, 0):min(bottom, h), max(left, 0):min(right, w)]
            y[:, :, i, j] = part.sum((2, 3), dtype=np.float64) / count if average else part.max((2, 3))
    return y


def prior_boxes(rows, columns, image, sizes, largest, ratios, flip, clip, variance, step, offset):
    boxes = []
    every = [1.0]
    for r in ratios:
        if all(abs(r - q) > 1e-6 for q in every):
            every += [r, 1 / r] if flip else [r]
    step_h, step_w = (step, step) if step else (image[0] / rows, image[1] / columns)
    for y in range(rows):
        for x in range(columns):
            cx, cy = (x + offset) * step_w, (y + offset) * step_h
            for i, s in enumerate(sizes):
                shapes = [(s, s)]
                if largest:
                    shapes.append((math.sqrt(s * largest[i]),) * 2)
                shapes += [(s * math.sqrt(r), s / math.sqrt(r)) for r in every if abs(r - 1) > 1e-6]
                for w, h in shapes:
                    boxes += [(cx - w / 2) / image[1], (cy - h / 2) / image[0], (cx + w / 2) / image[1],
                              (cy + h / 2) / image[0]]
    boxes = np.array(boxes)
    if clip:
        boxes = boxes.clip(0, 1)
    return np.stack([boxes, np.tile(variance, len(boxes) // 4)])[None].astype(np.float32)


def iou(a, b):
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    both = max(w, 0) * max(h, 0)
    area = lambda r: max(r[2] - r[0], 0) * max(r[3] - r[1], 0)
    return both / (area(a) + area(b) - both) if both else 0


def detections(loc, conf, prior, classes, threshold, nms, top_k, keep, background=0, shared=True):
    """[1, 1, found, 7] for boxes in CENTER_SIZE code."""
    p, v = prior[0, 0].reshape(-1, 4), prior[0, 1].reshape(-1, 4)
    rows = []
    for n in range(loc.shape[0]):
        offsets = loc[n].reshape(len(p), 1 if shared else classes, 4)
        scores, found = conf[n].reshape(len(p), classes), []
        for c in range(classes):
            if c == background:
                continue
            d, size = offsets[:, 0 if shared else c], p[:, 2:] - p[:, :2]
            centre = v[:, :2] * d[:, :2] * size + (p[:, :2] + p[:, 2:]) / 2
            extent = np.exp(v[:, 2:] * d[:, 2:]) * size
            boxes = np.concatenate([centre - extent / 2, centre + extent / 2], 1)
            order = [i for i in np.argsort(-scores[:, c], kind="stable") if scores[i, c] > threshold][:top_k]
            kept = []
            for i in order:
                if all(iou(boxes[i], boxes[k]) <= nms for k in kept):
                    kept.append(i)
            found += [(scores[i, c], c, boxes[i]) for i in kept]
        best = sorted(found, key=lambda f: -f[0])[:keep]
        rows += [[n, c, s, *b] for s, c, b in sorted(best, key=lambda f: f[1])]
    return np.array(rows, np.float32)[None, None]


# ---- cases -----------------------------------------------------------------------------------------------------------
def convolutions(folder):
    x = noise("conv", 2, 4, 9, 8)
    w, b = noise("w", 6, 4, 3, 3, scale=0.3), noise("b", 6)
    one(folder, "conv", "Convolution", "kernel, pad and stride for both axes", x,
        "convolution_param { num_output: 6 kernel_size: 3 pad: 1 stride: 2 }", F.conv2d(t(x), t(w), t(b), 2, 1), [w, b])
    w = noise("w2", 6, 2, 3, 2, scale=0.3)
    one(folder, "conv_group", "Convolution", "group, _h and _w, no bias", x,
        "convolution_param { num_output: 6 kernel_h: 3 kernel_w: 2 pad_h: 1 pad_w: 0 stride_h: 1 stride_w: 2 group: 2 "
        "bias_term: false }", F.conv2d(t(x), t(w), None, (1, 2), (1, 0), 1, 2), [w])
    w = noise("w3", 4, 1, 3, 3, scale=0.3)
    one(folder, "conv_dilated", "Convolution", "dilation, one channel in each group, blobs of four numbers", x,
        "convolution_param { num_output: 4 kernel_size: 3 pad: 2 dilation: 2 group: 4 bias_term: false }",
        F.conv2d(t(x), t(w), None, 1, 2, 2, 4), [w], form="legacy")
    w, b = noise("w4", 4, 3, 3, 3, scale=0.3), noise("b4", 6)
    one(folder, "deconv", "Deconvolution", "stride, pad, group", x,
        "convolution_param { num_output: 6 kernel_size: 3 pad: 1 stride: 2 group: 2 }",
        F.conv_transpose2d(t(x), t(w), t(b), 2, 1, 0, 2), [w, b])
    f, c = 2, (2 * 2 - 1 - 0) / 4
    k = np.array([1 - abs(i / f - c) for i in range(4)])
    w = np.tile(np.outer(k, k)[None, None], (4, 1, 1, 1)).astype(np.float32)
    one(folder, "deconv_bilinear", "Deconvolution", "no weights: the bilinear filler", x,
        'convolution_param { num_output: 4 kernel_size: 4 pad: 1 stride: 2 group: 4 bias_term: false '
        'weight_filler { type: "bilinear" } }', F.conv_transpose2d(t(x), t(w), None, 2, 1, 0, 4),
        opencv="wants weights")
    v = noise("volume", 1, 2, 4, 5, 6)
    w = noise("w5", 3, 2, 2, 2, 2, scale=0.3)
    one(folder, "conv_3d", "Convolution", "three spatial axes", v,
        "convolution_param { num_output: 3 kernel_size: 2 stride: 1 bias_term: false }", F.conv3d(t(v), t(w)), [w],
        opencv="refuses three spatial axes")


def products(folder):
    x = noise("ip", 2, 3, 4, 5)
    w, b = noise("ipw", 7, 60, scale=0.2), noise("ipb", 7)
    flat = x.reshape(2, 60)
    one(folder, "ip", "InnerProduct", "axis 1 of four", x, "inner_product_param { num_output: 7 }",
        flat @ w.T + b, [w, b])
    one(folder, "ip_double", "InnerProduct", "weights in double precision", x, "inner_product_param { num_output: 7 }",
        flat @ w.T + b, [w, b], form="double", opencv="does not read blobs of doubles")
    half = w.astype(np.float16).astype(np.float32)
    bias = b.astype(np.float16).astype(np.float32)
    one(folder, "ip_half", "InnerProduct", "weights in half precision", x, "inner_product_param { num_output: 7 }",
        flat @ half.T + bias, [w, b], form="half")
    one(folder, "ip_transposed", "InnerProduct", "transpose, no bias", x,
        "inner_product_param { num_output: 7 transpose: true bias_term: false }", flat @ w.T, [np.ascontiguousarray(w.T)],
        opencv="ignores transpose")
    w = noise("ipw2", 4, 20, scale=0.2)
    one(folder, "ip_axis2", "InnerProduct", "axis 2: the axes before stay", x,
        "inner_product_param { num_output: 4 axis: 2 bias_term: false }", x.reshape(2, 3, 20) @ w.T, [w])
    w, b = noise("ipw3", 4, 5, scale=0.2), noise("ipb3", 4)
    one(folder, "ip_last", "InnerProduct", "axis -1, with bias", x,
        "inner_product_param { num_output: 4 axis: -1 }", x @ w.T + b, [w, b])


def normalisations(folder):
    x = noise("bn", 2, 4, 5, 6)
    mean, var, factor = noise("mean", 4), abs(noise("var", 4)) + 0.5, np.float32(2.5)
    c = lambda a: np.asarray(a).reshape(1, -1, 1, 1)
    normal = (x - c(mean / factor)) / np.sqrt(c(var / factor) + 1e-5)
    one(folder, "batchnorm", "BatchNorm", "three blobs, the third divides", x, "", normal, [mean, var, [factor]])
    g, b = noise("g", 4), noise("gb", 4)
    case = Case("batchnorm_scale", "BatchNorm and Scale in place, in place on the input")
    case.input(x)
    case.layer("BatchNorm", "bn", "data", "data", "batch_norm_param { use_global_stats: true eps: 0.001 }",
               [mean, var, [factor]])
    case.layer("Scale", "scale", "data", "data", "scale_param { bias_term: true }", [g, b])
    case.layer("ReLU", "relu", "data", "out")
    case.output(np.maximum((x - c(mean / factor)) / np.sqrt(c(var / factor) + 1e-3) * c(g) + c(b), 0))
    case.save(folder)
    case = Case("batchnorm_read_twice", "what BatchNorm writes is read by Scale and by another layer")
    case.input(x)
    case.layer("BatchNorm", "bn", "data", "bn", "", [mean, var, [factor]])
    case.layer("Scale", "scale", "bn", "scale", "", [g])
    case.layer("Eltwise", "sum", "bn scale", "out")
    case.output(normal + normal * c(g))
    case.save(folder)
    batch = (x - x.mean((0, 2, 3), keepdims=True)) / np.sqrt(x.var((0, 2, 3), keepdims=True) + 1e-5)
    one(folder, "batchnorm_batch", "BatchNorm", "use_global_stats: false", x,
        "batch_norm_param { use_global_stats: false }", batch, [mean, var, [factor]],
        opencv="takes each picture's own statistics")
    one(folder, "bn", "BN", "scale, shift, mean, variance", x, "bn_param { eps: 0.01 }",
        (x - c(mean)) / np.sqrt(c(var) + 0.01) * c(g) + c(b), [g, b, mean, var], opencv="not known there")
    one(folder, "scale", "Scale", "learned, with bias", x, "scale_param { bias_term: true }", x * c(g) + c(b), [g, b])
    s = noise("s2", 4, 5)
    one(folder, "scale_axes", "Scale", "two axes", x, "scale_param { axis: 1 num_axes: 2 }",
        x * s.reshape(1, 4, 5, 1), [s], opencv="differs in num_axes")
    s = noise("s3", 6)
    one(folder, "scale_last", "Scale", "the last axis", x, "scale_param { axis: -1 }", x * s, [s],
        opencv="wants the channels")
    case = Case("scale_two", "Scale and Bias by a second bottom")
    case.input(x)
    q = case.input(noise("q", 2, 4), "factor")
    case.layer("Scale", "scale", "data factor", "scaled", "scale_param { axis: 0 }")
    case.layer("Bias", "bias", "scaled factor", "out", "bias_param { axis: 0 }")
    case.opencv = "has no Bias of two bottoms"
    case.output(x * q.reshape(2, 4, 1, 1) + q.reshape(2, 4, 1, 1))
    case.save(folder)
    one(folder, "bias", "Bias", "learned", x, "", x + c(b), [b], opencv="not known there")
    one(folder, "lrn", "LRN", "across channels", x, "lrn_param { local_size: 3 alpha: 0.5 beta: 0.75 }",
        F.local_response_norm(t(x), 3, 0.5, 0.75, 1.0))
    one(folder, "lrn_k", "LRN", "with k", x, "lrn_param { local_size: 3 alpha: 0.5 beta: 0.75 k: 2 }",
        F.local_response_norm(t(x), 3, 0.5, 0.75, 2.0), opencv="ignores k")
    square = F.avg_pool2d(t(x) ** 2, 3, 1, 1, count_include_pad=True)
    one(folder, "lrn_within", "LRN", "within a channel", x,
        "lrn_param { local_size: 3 alpha: 0.5 norm_region: WITHIN_CHANNEL }", t(x) * (1 + 0.5 * square) ** -0.75)
    centred = x - x.mean((2, 3), keepdims=True)
    one(folder, "mvn", "MVN", "each channel", x, "", centred / (x.std((2, 3), keepdims=True) + 1e-9))
    one(folder, "mvn_across", "MVN", "all channels, a large epsilon", x, "mvn_param { across_channels: true eps: 0.1 }",
        (x - x.mean((1, 2, 3), keepdims=True)) / (x.std((1, 2, 3), keepdims=True) + 0.1),
        opencv="adds epsilon to the variance")
    one(folder, "mvn_mean", "MVN", "only the mean", x, "mvn_param { normalize_variance: false }", centred)
    norm = np.sqrt((x * x).sum(1, keepdims=True) + 1e-10)
    one(folder, "normalize", "Normalize", "across channels, a factor for each", x,
        "norm_param { across_spatial: false channel_shared: false }", x / norm * c(g), [g])
    norm = np.sqrt((x * x).sum((1, 2, 3), keepdims=True) + 1e-10)
    one(folder, "normalize_all", "Normalize", "over the whole picture, one factor", x,
        "norm_param { across_spatial: true channel_shared: true }", x / norm * 3, [[3]])


def elementwise(folder):
    x = noise("act", 2, 3, 4, 5, scale=3)
    sigmoid = 1 / (1 + np.exp(-x.astype(np.float64)))
    for name, kind, params, value, opencv in (
        ("relu", "ReLU", "", np.maximum(x, 0), ""),
        ("relu_slope", "ReLU", "relu_param { negative_slope: 0.1 }", np.where(x > 0, x, 0.1 * x), ""),
        ("relu6", "ReLU6", "", x.clip(0, 6), ""),
        ("clip", "Clip", "clip_param { min: -1 max: 2 }", x.clip(-1, 2), "not known there"),
        ("elu", "ELU", "", F.elu(t(x)), ""),
        ("elu_alpha", "ELU", "elu_param { alpha: 0.5 }", F.elu(t(x), 0.5), ""),
        ("sigmoid", "Sigmoid", "", sigmoid, ""),
        ("tanh", "TanH", "", np.tanh(x), ""),
        ("absval", "AbsVal", "", abs(x), ""),
        ("bnll", "BNLL", "", np.log1p(np.exp(x)), ""),
        ("power", "Power", "power_param { power: 3 scale: 0.5 shift: 0.25 }", (0.25 + 0.5 * x) ** 3, ""),
        ("power_square", "Power", "power_param { power: 2 scale: -1 }", x * x, ""),
        ("exp", "Exp", "", np.exp(x), ""),
        ("exp_base", "Exp", "exp_param { base: 2 scale: 0.5 shift: 1 }", 2 ** (1 + 0.5 * x), ""),
        ("swish", "Swish", "swish_param { beta: 1.5 }", x / (1 + np.exp(-1.5 * x)), "its beta is 1"),
        ("hsigmoid", "HSigmoid", "", (x / 6 + 0.5).clip(0, 1), "not known there"),
        ("hswish", "HSwish", "", x * (x / 6 + 0.5).clip(0, 1), "not known there"),
        ("threshold", "Threshold", "threshold_param { threshold: 0.5 }", x > 0.5, "not known there"),
        ("dropout", "Dropout", "dropout_param { dropout_ratio: 0.4 }", x, ""),
        ("dropout_test", "Dropout", "dropout_param { dropout_ratio: 0.4 scale_train: false }", x * 0.6, ""),
        ("softmax", "Softmax", "", torch.softmax(t(x), 1), ""),
        ("softmax_axis", "Softmax", "softmax_param { axis: 2 }", torch.softmax(t(x), 2), ""),
        ("softmax_last", "Softmax", "softmax_param { axis: -1 }", torch.softmax(t(x), 3), ""),
    ):
        one(folder, name, kind, params or "defaults", x, params, value, opencv=opencv)
    p = abs(x) + 0.5
    one(folder, "log", "Log", "defaults", p, "", np.log(p))
    one(folder, "log_base", "Log", "base 10", p, "log_param { base: 10 scale: 2 shift: 0.5 }", np.log10(0.5 + 2 * p),
        opencv="ignores base, scale and shift")
    one(folder, "power_root", "Power", "a square root", p, "power_param { power: 0.5 }", np.sqrt(p))
    s = noise("slope", 3)
    one(folder, "prelu", "PReLU", "a slope for each channel", x, "", np.where(x > 0, x, x * s.reshape(1, 3, 1, 1)), [s])
    one(folder, "prelu_shared", "PReLU", "one slope", x, "prelu_param { channel_shared: true }",
        np.where(x > 0, x, x * 0.3), [[0.3]])
    y, z = noise("y", 2, 3, 4, 5), noise("z", 2, 3, 4, 5)
    for name, params, value in (
        ("eltwise_sum", "", x + y + z),
        ("eltwise_coeff", "eltwise_param { operation: SUM coeff: 0.5 coeff: -1 coeff: 2 }", 0.5 * x - y + 2 * z),
        ("eltwise_prod", "eltwise_param { operation: PROD }", x * y * z),
        ("eltwise_max", "eltwise_param { operation: MAX }", np.maximum(np.maximum(x, y), z)),
    ):
        case = Case(name, params or "three bottoms")
        for value_in, blob_name in ((x, "data"), (y, "second"), (z, "third")):
            case.input(value_in, blob_name)
        case.layer("Eltwise", "layer", "data second third", "out", params)
        case.output(value)
        case.save(folder)
    case = Case("axpy", "a x + b", "not known there")
    a = case.input(noise("a", 2, 3, 1, 1), "a")
    case.input(x), case.input(y, "b")
    case.layer("Axpy", "layer", "a data b", "out")
    case.output(a * x + y)
    case.save(folder)


def shapes(folder):
    x = noise("shape", 2, 6, 4, 5)
    one(folder, "permute", "Permute", "all axes", x, "permute_param { order: 0 order: 2 order: 3 order: 1 }",
        x.transpose(0, 2, 3, 1))
    one(folder, "permute_some", "Permute", "the axes that are not named follow", x, "permute_param { order: 1 }",
        x.transpose(1, 0, 2, 3), opencv="wants all axes")
    for name, params, value, opencv in (
        ("reshape", "shape { dim: 0 dim: -1 dim: 5 }", x.reshape(2, 24, 5), ""),
        ("reshape_axis", "shape { dim: 3 dim: -1 } axis: 1 num_axes: 1", x.reshape(2, 3, 2, 4, 5), ""),
        ("reshape_insert", "shape { dim: 1 } axis: 2 num_axes: 0", x.reshape(2, 6, 1, 4, 5), "num_axes 0"),
        ("reshape_end", "shape { dim: 1 } axis: -1 num_axes: 0", x.reshape(2, 6, 4, 5, 1), "axis behind the last"),
        ("reshape_tail", "shape { dim: -1 } axis: -3", x.reshape(2, 6, 20), "refuses this axis"),
    ):
        one(folder, name, "Reshape", params, x, f"reshape_param {{ {params} }}", value, opencv=opencv)
    one(folder, "flatten", "Flatten", "defaults", x, "", x.reshape(2, -1))
    one(folder, "flatten_some", "Flatten", "axis 1 to 2", x, "flatten_param { axis: 1 end_axis: 2 }", x.reshape(2, 24, 5))
    one(folder, "flatten_all", "Flatten", "from axis 0", x, "flatten_param { axis: 0 }", x.reshape(-1),
        opencv="keeps an axis in front")
    one(folder, "flatten_last", "Flatten", "axis -2", x, "flatten_param { axis: -2 }", x.reshape(2, 6, 20))
    one(folder, "tile", "Tile", "axis 2", x, "tile_param { axis: 2 tiles: 3 }", np.tile(x, (1, 1, 3, 1)),
        opencv="not known there")
    shuffled = x.reshape(2, 3, 2, 4, 5).transpose(0, 2, 1, 3, 4).reshape(x.shape)
    one(folder, "shuffle", "ShuffleChannel", "three groups", x, "shuffle_channel_param { group: 3 }", shuffled)
    for name, params, parts in (
        ("slice", "", np.split(x, 3, 1)),
        ("slice_points", "slice_param { axis: 1 slice_point: 1 slice_point: 4 }", np.split(x, [1, 4], 1)),
        ("slice_dim", "slice_param { slice_dim: 2 slice_point: 1 slice_point: 2 }", np.split(x, [1, 2], 2)),
    ):
        case = Case(name, params or "equal parts", "knows no slice_dim" if "dim" in params else "")
        case.input(x)
        case.layer("Slice", "layer", "data", "a b c", params)
        for top, part in zip("abc", parts):
            case.layer("TanH", top + "_tanh", top, top + "_out")
            case.output(np.tanh(part), top + "_out")
        case.save(folder)
    for name, params, axis in (("concat", "", 1), ("concat_axis", "concat_param { axis: -1 }", 3),
                               ("concat_dim", "concat_param { concat_dim: 2 }", 2)):
        case = Case(name, params or "channels", "knows no concat_dim" if "dim" in params else "")
        case.input(x)
        case.layer("Split", "split", "data", "a b")
        case.layer("ReLU", "relu", "b", "b")
        case.layer("Concat", "layer", "a b data", "out", params)
        case.output(np.concatenate([x, np.maximum(x, 0), x], axis))
        case.save(folder)
    like = noise("like", 2, 6, 2, 3)
    for name, params, value in (("crop", "crop_param { axis: 2 offset: 1 offset: 2 }", x[:, :, 1:3, 2:5]),
                                ("crop_one", "crop_param { axis: 2 offset: 1 }", x[:, :, 1:3, 1:4])):
        case = Case(name, params)
        case.input(x), case.input(like, "like")
        case.layer("Crop", "layer", "data like", "out", params)
        case.output(value)
        case.save(folder)
    for name, params, value in (
        ("reduction", "operation: SUM axis: 1", x.sum((1, 2, 3))),
        ("reduction_mean", "operation: MEAN axis: 2 coeff: 2", x.mean((2, 3)) * 2),
        ("reduction_asum", "operation: ASUM axis: -1", abs(x).sum(3)),
        ("reduction_sumsq", "operation: SUMSQ", (x.astype(np.float64) ** 2).sum()),
    ):
        one(folder, name, "Reduction", params, x, f"reduction_param {{ {params} }}", value,
            opencv="its reductions keep other axes")
    flat = x.reshape(2, -1)
    order = np.argsort(-flat, 1, kind="stable")
    best = np.take_along_axis(flat, order, 1)
    for name, params, value in (
        ("argmax", "", order[:, None, :1]),
        ("argmax_top", "argmax_param { top_k: 3 }", order[:, None, :3]),
        ("argmax_values", "argmax_param { out_max_val: true top_k: 2 }", np.stack([order[:, :2], best[:, :2]], 1)),
        ("argmax_axis", "argmax_param { axis: 1 }", x.argmax(1)[:, None]),
        ("argmax_axis_values", "argmax_param { axis: 1 out_max_val: true }", x.max(1, keepdims=True)),
    ):
        one(folder, name, "ArgMax", params or "of each sample", x, params, value,
            opencv="not known there")


def windows(folder):
    x = noise("pool", 1, 3, 7, 8)
    for name, kernel, stride, pad, up in (("2x2", (2, 2), (2, 2), (0, 0), True), ("3x3", (3, 3), (2, 2), (0, 0), True),
                                          ("pad", (3, 3), (2, 2), (1, 1), True), ("clipped", (2, 2), (2, 2), (1, 1), True),
                                          ("beyond", (3, 3), (3, 3), (1, 1), True), ("floor", (3, 3), (2, 2), (0, 0), False),
                                          ("hw", (3, 2), (2, 1), (1, 0), True)):
        params = (f"kernel_h: {kernel[0]} kernel_w: {kernel[1]} stride_h: {stride[0]} stride_w: {stride[1]} "
                  f"pad_h: {pad[0]} pad_w: {pad[1]}" if kernel[0] != kernel[1] else
                  f"kernel_size: {kernel[0]} stride: {stride[0]} pad: {pad[0]}")
        if not up:
            params += " ceil_mode: false"
        for method in ("MAX", "AVE"):
            one(folder, f"pool_{method.lower()}_{name}", "Pooling", f"{method} {params}", x,
                f"pooling_param {{ pool: {method} {params} }}", pool(x, kernel, stride, pad, method == "AVE", up),
                opencv="clips otherwise" if name in ("clipped", "beyond") or (method == "AVE" and name == "hw") else "")
    one(folder, "pool_round", "Pooling", "round_mode: FLOOR", x,
        "pooling_param { kernel_size: 3 stride: 2 round_mode: FLOOR }", pool(x, (3, 3), (2, 2), (0, 0), False, False),
        opencv="knows ceil_mode only")
    for method, value in (("MAX", x.max((2, 3), keepdims=True)), ("AVE", x.mean((2, 3), keepdims=True))):
        one(folder, f"pool_{method.lower()}_global", "Pooling", "global", x,
            f"pooling_param {{ pool: {method} global_pooling: true }}", value)
    for name, params, size in (("interp", "height: 10 width: 5", (10, 5)), ("interp_zoom", "zoom_factor: 3", (19, 22)),
                               ("interp_shrink", "shrink_factor: 2", (4, 4))):
        one(folder, name, "Interp", params, x, f"interp_param {{ {params} }}",
            F.interpolate(t(x), size, mode="bilinear", align_corners=True),
            opencv="" if name != "interp_shrink" else "its shrink_factor is not read")
    one(folder, "interp_cut", "Interp", "pad_beg and pad_end below 0", x, "interp_param { height: 9 width: 9 pad_beg: -1 "
        "pad_end: -2 }", F.interpolate(t(x[:, :, 1:-2, 1:-2]), (9, 9), mode="bilinear", align_corners=True),
        opencv="does not cut")
    case = Case("interp_like", "the size of a second bottom", "differs")
    case.input(x), case.input(noise("il", 1, 1, 5, 11), "like")
    case.layer("Interp", "layer", "data like", "out")
    case.output(F.interpolate(t(x), (5, 11), mode="bilinear", align_corners=True))
    case.save(folder)
    one(folder, "upsample", "Upsample", "by scale", x, "upsample_param { scale: 2 }",
        x.repeat(2, 2).repeat(2, 3), opencv="not known there")
    one(folder, "nnupsample", "NNUpsample", "by resize", x, "nn_upsample_param { resize: 3 }",
        x.repeat(3, 2).repeat(3, 3), opencv="not known there")
    even = noise("unpool", 2, 3, 6, 8)
    case = Case("unpool", "values back to where a Pooling found them", "not known there")
    case.input(even)
    case.layer("Pooling", "pool", "data", "pool mask", "pooling_param { pool: MAX kernel_size: 2 stride: 2 }")
    case.layer("Upsample", "layer", "pool mask", "out", "upsample_param { scale: 2 }")
    values, index = F.max_pool2d(t(even), 2, return_indices=True)
    case.output(F.max_unpool2d(values, index, 2))
    case.save(folder)
    case = Case("roi_pooling", "regions of two pictures")
    maps = case.input(noise("maps", 2, 2, 8, 8))
    rois = case.input(np.array([[0, 0, 0, 14, 14], [1, 4, 2, 11, 15], [0, 6, 6, 7, 9]], np.float32), "rois")
    case.layer("ROIPooling", "layer", "data rois", "out", "roi_pooling_param { pooled_h: 3 pooled_w: 2 spatial_scale: 0.5 }")
    y = np.zeros((3, 2, 3, 2), np.float32)
    for r, roi in enumerate(rois):
        x0, y0, x1, y1 = (int(math.floor(v * 0.5 + 0.5)) for v in roi[1:])
        high, wide = max(y1 - y0 + 1, 1) / 3, max(x1 - x0 + 1, 1) / 2
        for i in range(3):
            for j in range(2):
                rows = slice(min(max(math.floor(i * high) + y0, 0), 8), min(max(math.ceil((i + 1) * high) + y0, 0), 8))
                columns = slice(min(max(math.floor(j * wide) + x0, 0), 8), min(max(math.ceil((j + 1) * wide) + x0, 0), 8))
                part = maps[int(roi[0]), :, rows, columns]
                y[r, :, i, j] = part.max((1, 2)) if part.size else 0
    case.output(y)
    case.save(folder)


def detectors(folder):
    image = noise("image", 1, 3, 32, 48)
    for name, params, value in (
        ("prior_box", "min_size: 8 max_size: 14 aspect_ratio: 2 flip: true clip: false variance: 0.1 variance: 0.1 "
         "variance: 0.2 variance: 0.2", dict(sizes=[8], largest=[14], ratios=[2], flip=True, clip=False,
                                             variance=[.1, .1, .2, .2], step=0, offset=.5)),
        ("prior_box_step", "min_size: 6 min_size: 12 aspect_ratio: 2 aspect_ratio: 3 flip: false clip: true variance: 0.3 "
         "step: 7 offset: 0.25", dict(sizes=[6, 12], largest=[], ratios=[2, 3], flip=False, clip=True,
                                      variance=[.3] * 4, step=7, offset=.25)),
    ):
        case = Case(name, params, "" if name == "prior_box" else "knows one min_size")
        case.input(image)
        case.layer("Pooling", "map", "data", "map", "pooling_param { pool: AVE kernel_size: 8 stride: 8 }")
        case.layer("PriorBox", "layer", "map data", "out", f"prior_box_param {{ {params} }}")
        case.layer("Silence", "silence", "map", "")
        case.output(prior_boxes(4, 6, (32, 48), **value))
        case.save(folder)
    for name, shared, extra in (("detection", True, "share_location: true"), ("detection_classes", False, "share_location: false")):
        case = Case(name, "prior boxes of a map to objects of three classes" + ("" if shared else ", each with its boxes"))
        case.input(image)
        case.layer("Pooling", "map", "data", "map", "pooling_param { pool: AVE kernel_size: 8 stride: 8 }")
        case.layer("Silence", "silence", "map", "")
        boxes = prior_boxes(4, 6, (32, 48), [8], [14], [2], True, False, [.1, .1, .2, .2], 0, .5)
        count = boxes.shape[2] // 4
        loc = case.input(case.rand(1, count * 4 * (1 if shared else 3), scale=0.5), "loc")
        raw = case.input(case.rand(1, count * 3, scale=2), "conf")
        case.layer("Reshape", "reshape", "conf", "scores", "reshape_param { shape { dim: 0 dim: -1 dim: 3 } }")
        case.layer("Softmax", "softmax", "scores", "soft", "softmax_param { axis: 2 }")
        case.layer("Flatten", "flatten", "soft", "flat")
        case.layer("PriorBox", "prior", "map data", "prior", "prior_box_param { min_size: 8 max_size: 14 aspect_ratio: 2 "
                   "flip: true clip: false variance: 0.1 variance: 0.1 variance: 0.2 variance: 0.2 }")
        case.layer("DetectionOutput", "layer", "loc flat prior", "out",
                   "detection_output_param { num_classes: 3 background_label_id: 0 code_type: CENTER_SIZE keep_top_k: 20 "
                   f"confidence_threshold: 0.4 nms_param {{ nms_threshold: 0.35 top_k: 30 }} {extra} }}")
        soft = torch.softmax(t(raw.reshape(1, count, 3)), 2).numpy()
        case.output(detections(loc, soft.reshape(1, -1), boxes, 3, 0.4, 0.35, 30, 20, shared=shared))
        case.save(folder)


def forms(folder):
    """Older forms of layers, phases, inputs."""
    x = noise("forms", 2, 3, 6, 6)
    w, b = noise("fw", 4, 3, 3, 3, scale=0.3), noise("fb", 4)
    v, c = noise("fv", 5, 36, scale=0.2), noise("fc", 5)
    y = np.maximum(F.conv2d(t(x), t(w), t(b), 1, 1).numpy(), 0)
    y = pool(y, (2, 2), (2, 2), (0, 0), False).reshape(2, -1)
    soft = torch.softmax(t(y @ v.T + c), 1)
    case = Case("v1", "layers with types as numbers, input_dim")
    case.form = "v1"
    case.arrays["in__data"] = x
    case.text = """input: "data" input_dim: 2 input_dim: 3 input_dim: 6 input_dim: 6
layers { name: "conv" type: CONVOLUTION bottom: "data" top: "conv" blobs_lr: 1 blobs_lr: 2
  convolution_param { num_output: 4 kernel_size: 3 pad: 1 weight_filler { type: "gaussian" std: 0.01 } } }
layers { name: "relu" type: RELU bottom: "conv" top: "conv" }
layers { name: "pool" type: POOLING bottom: "conv" top: "pool" pooling_param { kernel_size: 2 stride: 2 } }
layers { name: "ip" type: INNER_PRODUCT bottom: "pool" top: "ip" inner_product_param { num_output: 5 } }
layers { name: "out" type: SOFTMAX bottom: "ip" top: "out" }
"""
    case.weights = [("conv", "", [w, b]), ("ip", "", [v, c])]
    case.output(soft)
    case.save(folder)
    case = Case("v0", "layers of the first form, with a padding layer", "the names of its types are not known there")
    case.form = "v0"
    case.arrays["in__data"] = x
    case.text = """input: "data" input_dim: 2 input_dim: 3 input_dim: 6 input_dim: 6
layers { layer { name: "pad" type: "padding" pad: 1 } bottom: "data" top: "pad" }
layers { layer { name: "conv" type: "conv" num_output: 4 kernelsize: 3 stride: 1 } bottom: "pad" top: "conv" }
layers { layer { name: "relu" type: "relu" } bottom: "conv" top: "conv" }
layers { layer { name: "pool" type: "pool" pool: MAX kernelsize: 2 stride: 2 } bottom: "conv" top: "pool" }
layers { layer { name: "ip" type: "innerproduct" num_output: 5 } bottom: "pool" top: "ip" }
layers { layer { name: "drop" type: "dropout" } bottom: "ip" top: "ip" }
layers { layer { name: "out" type: "softmax" } bottom: "ip" top: "out" }
"""
    case.weights = [("conv", "conv", [w, b]), ("ip", "innerproduct", [v, c])]
    case.output(soft)
    case.save(folder)
    case = Case("phases", "rules of phases, data layers, losses", "reads layers of all phases")
    case.arrays["in__data"] = x
    case.text = """name: "phases" state { stage: "deploy" }
layer { name: "train" type: "Data" top: "data" top: "label" include { phase: TRAIN }
  data_param { source: "nowhere" batch_size: 64 backend: LMDB } }
layer { name: "test" type: "Data" top: "data" top: "label" include { phase: TEST } transform_param { crop_size: 6 }
  data_param { source: "nowhere" batch_size: 2 backend: LMDB } }
layer { name: "conv" type: "Convolution" bottom: "data" top: "conv" param { lr_mult: 1 decay_mult: 1 }
  convolution_param { num_output: 4 kernel_size: 3 pad: 1 engine: CAFFE } }
layer { name: "relu" type: "ReLU" bottom: "conv" top: "conv" }
layer { name: "pool" type: "Pooling" bottom: "conv" top: "pool" pooling_param { kernel_size: 2 stride: 2 } }
layer { name: "drop" type: "Dropout" bottom: "pool" top: "pool" include { phase: TRAIN } }
layer { name: "noise" type: "Sigmoid" bottom: "pool" top: "pool" exclude { phase: TEST } }
layer { name: "stage" type: "TanH" bottom: "pool" top: "pool" include { not_stage: "deploy" } }
layer { name: "ip" type: "InnerProduct" bottom: "pool" top: "ip" inner_product_param { num_output: 5 } }
layer { name: "accuracy" type: "Accuracy" bottom: "ip" bottom: "label" top: "accuracy" include { phase: TEST } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "out" }
"""
    case.weights = [("conv", "Convolution", [w, b]), ("ip", "InnerProduct", [v, c])]
    case.output(soft)
    case.save(folder)
    case = Case("shared", "two layers that share weights by the name of their param, input_shape",
                "wants weights in each layer")
    case.arrays["in__data"] = x
    k = noise("shared", 3, 3, 1, 1, scale=0.5)
    case.text = """input: "data" input_shape { dim: 2 dim: 3 dim: 6 dim: 6 }
layer { name: "first" type: "Convolution" bottom: "data" top: "first" param { name: "w" }
  convolution_param { num_output: 3 kernel_size: 1 bias_term: false } }
layer { name: "second" type: "Convolution" bottom: "first" top: "out" param { name: "w" }
  convolution_param { num_output: 3 kernel_size: 1 bias_term: false } }
"""
    case.weights = [("first", "Convolution", [k])]
    case.output(F.conv2d(F.conv2d(t(x), t(k)), t(k)))
    case.save(folder)


def write_all(folder):
    for make in (convolutions, products, normalisations, elementwise, shapes, windows, detectors, forms):
        make(folder)
    builder.write(folder / "cases.json", (json.dumps(CASES, indent=1) + "\n").encode())

"""Small networks of known architectures with random weights, written as exporters of frameworks write them: for
test_random_networks.py --exports. The same seed gives the same network.

Shapes are computed at run time in some of them (Shape, Gather, Concat, Reshape), batches are open, and each opset from
11 to 17 occurs."""
import numpy as np
from export_writer import Export
from onnx import TensorProto


def image(e, size=32):
    return e.input([1, 3, size, size], open_batch=e.chance(0.4))


def resnet(e):
    c, bottleneck = 8, e.chance()
    y = e.conv_bn(image(e), 3, c, e.pick(3, 7), 2, act=e.relu)
    if e.chance():
        y = e.op("MaxPool", y, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    for stage in range(2):
        for block in range(2):
            outputs, stride = 8 << stage, 2 if stage and not block else 1
            short = y if c == outputs and stride == 1 else e.conv_bn(y, c, outputs, 1, stride)
            if bottleneck:
                z = e.conv_bn(y, c, outputs // 2, 1, act=e.relu)
                z = e.conv_bn(z, outputs // 2, outputs // 2, 3, stride, e.pick(1, 2), act=e.relu)
                z = e.conv_bn(z, outputs // 2, outputs, 1)
            else:
                z = e.conv_bn(e.conv_bn(y, c, outputs, 3, stride, act=e.relu), outputs, outputs)
            y, c = e.relu(e.op("Add", z, short)), outputs
    return [e.classify(y, c)]


def inverted_residuals(e, y, c, act, gate=None, widths=(8, 8, 12, 12)):
    for i, outputs in enumerate(widths):
        stride, inner = 2 if i in (0, 2) else 1, c * e.pick(2, 3)
        z = e.conv_bn(y, c, inner, 1, act=act)
        z = e.conv_bn(z, inner, inner, e.pick(3, 5), stride, inner, act=act)
        if gate:
            z = e.squeeze_excite(z, inner, 4, gate)
        z = e.conv_bn(z, inner, outputs, 1)
        y, c = (e.op("Add", y, z) if c == outputs and stride == 1 else z), outputs
    return y, c


def mobilenet_v2(e):
    y, c = inverted_residuals(e, e.conv_bn(image(e), 3, 8, 3, 2, act=e.relu6), 8, e.relu6)
    return [e.classify(e.conv_bn(y, c, 24, 1, act=e.relu6), 24)]


def mobilenet_v3(e):
    y = e.conv_bn(image(e), 3, 8, 3, 2, act=e.hardswish)
    y, c = inverted_residuals(e, y, 8, e.pick(e.relu, e.hardswish), e.hardsigmoid)
    y = e.op("GlobalAveragePool", e.conv_bn(y, c, 24, 1, act=e.hardswish))
    return [e.gemm(e.hardswish(e.gemm(e.op("Flatten", y, axis=1), 24, 16)), 16, 24)]


def efficientnet(e):
    y = e.conv_bn(image(e), 3, 8, 3, 2, act=e.silu)
    y, c = inverted_residuals(e, y, 8, e.silu, lambda x: e.op("Sigmoid", x))
    return [e.classify(e.conv_bn(y, c, 24, 1, act=e.silu), 24)]


def attention(e, x, tokens, d, heads, mask=None):
    size = d // heads
    if e.chance():  # one projection for all three
        y = e.reshape(e.linear(x, d, 3 * d), -1, tokens, 3, heads, size)
        y = e.op("Transpose", y, perm=[2, 0, 3, 1, 4])
        if e.chance():
            q, k, v = (e.op("Gather", y, e.constant(i, np.int64), axis=0) for i in range(3))
        else:
            q, k, v = (e.axes_op("Squeeze", part, [0]) for part in e.split(y, [1, 1, 1], axis=0))
        k = e.op("Transpose", k, perm=[0, 1, 3, 2])
    else:
        def head(perm):
            y = e.linear(x, d, d)
            y = e.reshape_by_batch(y, tokens, heads, size) if e.chance() else e.reshape(y, 0, tokens, heads, size)
            return e.op("Transpose", y, perm=perm)
        q, k, v = head([0, 2, 1, 3]), head([0, 2, 3, 1]), head([0, 2, 1, 3])
    if e.chance():
        q = e.op("Mul", q, e.constant(size ** -0.5))
        scores = e.op("MatMul", q, k)
    else:
        scores = e.op("Div", e.op("MatMul", q, k), e.constant(size ** 0.5))
    if mask:
        scores = e.op("Add", scores, mask)
    y = e.op("MatMul", e.op("Softmax", scores, axis=-1), v)
    y = e.op("Transpose", y, perm=[0, 2, 1, 3])
    return e.linear(e.reshape_by_batch(y, tokens, d) if e.chance() else e.reshape(y, 0, 0, d), d, d)


def encoder(e, x, tokens, d, heads, mask=None, first=True):
    """One layer; first: LayerNorm before the sublayers, else after the sums."""
    def inner(z):
        return e.linear(e.gelu(e.linear(z, d, 2 * d)), 2 * d, d)
    if first:
        x = e.op("Add", x, attention(e, e.layernorm(x, d), tokens, d, heads, mask))
        return e.op("Add", x, inner(e.layernorm(x, d)))
    x = e.layernorm(e.op("Add", attention(e, x, tokens, d, heads, mask), x), d)
    return e.layernorm(e.op("Add", inner(x), x), d)


def vit(e):
    d, patches = 16, 16
    y = e.conv(image(e), 3, d, 8, 8, pads=[0] * 4)
    y = e.reshape_by_batch(y, d, patches) if e.chance() else e.reshape(y, 0, d, -1)
    y = e.op("Transpose", y, perm=[0, 2, 1])
    tokens = patches
    if e.chance():
        batch = e.cut(e.op("Shape", y), 0, 1, 0)
        token = e.op("Expand", e.normal(1, 1, d), e.op("Concat", batch, e.ints(1), e.ints(d), axis=0))
        y, tokens = e.op("Concat", token, y, axis=1), patches + 1
    y = e.op("Add", y, e.normal(1, tokens, d, size=0.3))
    for _ in range(2):
        y = encoder(e, y, tokens, d, e.pick(2, 4))
    y = e.layernorm(y, d)
    y = e.op("Gather", y, e.constant(0, np.int64), axis=1) if e.chance() else e.mean(y, [1], 0)
    return [e.gemm(y, d, 24)]


def bert(e):
    d, tokens = 16, 12
    ids = e.input([1, tokens], TensorProto.INT64, "input_ids", e.chance(0.4))
    mask = e.input([1, tokens], TensorProto.INT64, "attention_mask", e.inputs[0][3])
    bias = e.axes_op("Unsqueeze", mask, [1, 2])
    bias = e.op("Mul", e.op("Sub", e.constant(1), e.op("Cast", bias, to=TensorProto.FLOAT)), e.constant(-10000))
    y = e.op("Gather", e.normal(50, d), ids)
    y = e.op("Add", y, e.normal(1, tokens, d, size=0.3))
    y = e.layernorm(e.op("Add", y, e.normal(d, size=0.3)), d)
    for _ in range(2):
        y = encoder(e, y, tokens, d, 2, bias, first=False)
    pooled = e.op("Gather", y, e.constant(0, np.int64), axis=1)
    return [y, e.gemm(e.op("Tanh", e.gemm(pooled, d, d)), d, 8)]


def unet(e):
    def twice(y, c, outputs):
        return e.conv_bn(e.conv_bn(y, c, outputs, act=act), outputs, outputs, act=act)
    act = e.pick(e.relu, lambda x: e.op("LeakyRelu", x, alpha=0.2), lambda x: e.op("PRelu", x, slope), e.silu)
    slope = e.normal(1, 1, 1, size=0.05, mean=0.25)
    skips, y, c = [], image(e), 3
    for outputs in (8, 12):
        y, c = twice(y, c, outputs), outputs
        skips.append((y, c))
        y = e.op("MaxPool", y, kernel_shape=[2, 2], strides=[2, 2])
    y, c = twice(y, c, 16), 16
    way = e.pick("transposed", "linear", "nearest", "sizes")
    for skip, outputs in reversed(skips):
        if way == "transposed":
            y, c = e.transposed_conv(y, c, outputs), outputs
        elif way == "sizes":
            sizes = e.op("Concat", e.cut(e.op("Shape", y), 0, 2, 0), e.cut(e.op("Shape", skip), 2, 4, 0), axis=0)
            y = e.resize(y, None, sizes, mode="linear", coordinate_transformation_mode="half_pixel")
        else:
            how = {"coordinate_transformation_mode": e.pick("half_pixel", "align_corners", "pytorch_half_pixel")} \
                if way == "linear" else {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
            y = e.resize(y, [1, 1, 2, 2], mode=way, **how)
        y, c = twice(e.op("Concat", skip, y, axis=1), c + outputs, outputs), outputs
    y = e.conv(y, c, 2, 1)
    return [e.op("Sigmoid", y) if e.chance() else e.op("Softmax", y, axis=1) if e.opset >= 13 else y]


def yolo_backbone(e):
    act = e.pick(e.silu, e.relu, lambda x: e.op("LeakyRelu", x, alpha=0.1))

    def stage(y, c, outputs):
        y = e.conv_bn(y, c, outputs, 3, 2, act=act)
        if e.chance():  # C2f
            parts = e.split(e.conv_bn(y, outputs, outputs, 1, act=act), [outputs // 2] * 2)
            inner = e.conv_bn(e.conv_bn(parts[1], outputs // 2, outputs // 2, act=act), outputs // 2, outputs // 2, act=act)
            parts.append(e.op("Add", parts[1], inner))
        else:  # C3
            first = e.conv_bn(y, outputs, outputs, 1, act=act)
            inner = e.conv_bn(e.conv_bn(first, outputs, outputs // 2, 1, act=act), outputs // 2, outputs, act=act)
            parts = [e.op("Add", first, inner), e.conv_bn(y, outputs, outputs // 2, 1, act=act)]
        return e.conv_bn(e.op("Concat", *parts, axis=1), 3 * outputs // 2, outputs, 1, act=act)
    y, c = image(e, 64), 3
    if e.chance(0.4):  # Focus
        y = e.op("Concat", *(e.cut(e.cut(y, i, 1 << 62, 2, 2), j, 1 << 62, 3, 2) for i in (0, 1) for j in (0, 1)), axis=1)
        c = 12
    y, levels = e.conv_bn(y, c, 8, 3, 2 if c == 3 else 1, act=act), []
    for c, outputs in ((8, 8), (8, 12), (12, 16)):
        y = stage(y, c, outputs)
        levels.append(y)
    pooled = [e.conv_bn(y, 16, 8, 1, act=act)]
    for _ in range(3):
        pooled.append(e.op("MaxPool", pooled[-1], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4))
    y = e.conv_bn(e.op("Concat", *pooled, axis=1), 32, 16, 1, act=act)
    up = e.resize(y, [1, 1, 2, 2], mode="nearest", coordinate_transformation_mode="asymmetric",
              nearest_mode="floor")
    middle = e.conv_bn(e.op("Concat", up, levels[1], axis=1), 28, 12, act=act)
    return [(middle, 12, 8), (y, 16, 4)]


def yolo_v5(e):
    found = []
    for y, c, size in yolo_backbone(e):
        y = e.conv(y, c, 3 * 7, 1)
        y = e.op("Transpose", e.reshape(y, -1, 3, 7, size, size), perm=[0, 1, 3, 4, 2])
        xy, wh, rest = e.split(e.op("Sigmoid", y), [2, 2, 3], axis=4)
        xy = e.op("Mul", e.op("Add", e.op("Mul", xy, e.constant(2)), e.normal(1, 3, size, size, 2, size=2)),
                  e.constant(64 / size))
        wh = e.op("Mul", e.op("Pow", e.op("Mul", wh, e.constant(2)), e.constant(2)), e.normal(1, 3, 1, 1, 2, mean=10))
        found.append(e.reshape(e.op("Concat", xy, wh, rest, axis=4), -1, 3 * size * size, 7))
    return [e.op("Concat", *found, axis=1)]


def yolo_v8(e):
    levels, count = yolo_backbone(e), 8 * 8 + 4 * 4
    rows = []
    for y, c, size in levels:
        boxes = e.conv(e.conv_bn(y, c, 16, act=e.silu), 16, 16, 1)
        classes = e.conv(e.conv_bn(y, c, 8, act=e.silu), 8, 4, 1)
        rows.append(e.reshape(e.op("Concat", boxes, classes, axis=1), -1, 20, size * size))
    boxes, classes = e.split(e.op("Concat", *rows, axis=2), [16, 4])
    y = e.op("Softmax", e.op("Transpose", e.reshape(boxes, -1, 4, 4, count), perm=[0, 2, 1, 3]), axis=1) \
        if e.opset >= 13 else e.op("Transpose", e.reshape(boxes, -1, 4, 4, count), perm=[0, 2, 1, 3])
    y = e.op("Conv", y, e.parameter(np.arange(4, dtype=np.float32).reshape(1, 4, 1, 1)), kernel_shape=[1, 1])
    first, second = e.split(e.reshape(y, -1, 4, count), [2, 2])
    anchors = e.parameter(e.rng.integers(0, 8, [1, 2, count]) + 0.5)
    low, high = e.op("Sub", anchors, first), e.op("Add", second, anchors)
    centre = e.op("Div", e.op("Add", low, high), e.constant(2))
    boxes = e.op("Mul", e.op("Concat", centre, e.op("Sub", high, low), axis=1), e.parameter(np.full([1, count], 8.0)))
    return [e.op("Concat", boxes, e.op("Sigmoid", classes), axis=1)]


def yolox(e):
    rows = []
    for y, c, size in yolo_backbone(e):
        boxes, score, classes = e.conv(y, c, 4, 1), e.op("Sigmoid", e.conv(y, c, 1, 1)), e.op("Sigmoid", e.conv(y, c, 3, 1))
        rows.append(e.reshape(e.op("Concat", boxes, score, classes, axis=1), 0, 8, -1))
    return [e.op("Transpose", e.op("Concat", *rows, axis=2), perm=[0, 2, 1])]


def shufflenet(e):
    y, c = e.conv_bn(image(e), 3, 8, 3, 2, act=e.relu), 8
    for stride in (2, 1, 1):
        if stride == 2:
            left = e.conv_bn(e.conv_bn(y, c, c, 3, 2, c), c, c, 1, act=e.relu)
            right, half, c, size = y, c, 2 * c, 8
        else:
            left, right = e.split(y, [c // 2] * 2)
            half = c // 2
        z = e.conv_bn(right, half, half, 1, act=e.relu)
        z = e.conv_bn(e.conv_bn(z, half, half, 3, stride, half), half, half, 1, act=e.relu)
        y = e.op("Concat", left, z, axis=1)
        y = e.reshape_by_batch(y, 2, c // 2, size, size) if e.chance() else e.reshape(y, -1, 2, c // 2, size, size)
        y = e.reshape(e.op("Transpose", y, perm=[0, 2, 1, 3, 4]), -1, c, size, size)
    return [e.classify(e.conv_bn(y, c, 24, 1, act=e.relu), 24)]


def recurrence(e, x, features, size):
    """x: [time, batch, features]. @returns [time, batch, size of both directions], and that size"""
    kind, gates = e.pick(("LSTM", 4), ("GRU", 3))
    ways = e.pick(1, 2)
    extra = {"linear_before_reset": 1} if kind == "GRU" else {}
    y, *_ = e.op(kind, x, e.normal(ways, gates * size, features, size=features ** -0.5),
                 e.normal(ways, gates * size, size, size=size ** -0.5), e.normal(ways, 2 * gates * size, size=0.1), outputs=2,
                 hidden_size=size, direction="bidirectional" if ways == 2 else "forward", **extra)
    y = e.op("Transpose", y, perm=[0, 2, 1, 3])
    return e.reshape(y, 0, 0, -1), ways * size


def crnn(e):
    """Text recognition: the columns of an image become time steps."""
    y = e.op("MaxPool", e.conv_bn(e.input([1, 3, 16, 32]), 3, 8, act=e.relu), kernel_shape=[2, 2], strides=[2, 2])
    y = e.op("MaxPool", e.conv_bn(y, 8, 12, act=e.relu), kernel_shape=[2, 1], strides=[2, 1])
    y = e.conv_bn(y, 12, 16, act=e.relu)
    y = e.axes_op("Squeeze", e.op("AveragePool", y, kernel_shape=[4, 1], strides=[4, 1]), [2])
    y, c = recurrence(e, e.op("Transpose", y, perm=[2, 0, 1]), 16, 8)
    y = e.linear(y, c, 12)
    return [e.op("Softmax", y, axis=2) if e.chance() else e.op("LogSoftmax", y, axis=2)]


def speech(e):
    """Conv1d over features of time, recurrences, and a mask."""
    x = e.input([1, 24, 16])
    y = e.op("Transpose", x, perm=[0, 2, 1])
    y = e.relu(e.batchnorm(e.conv(y, 16, 16, 3, bias=False, rank=1), 16))
    y = e.op("Add", y, e.relu(e.conv(y, 16, 16, 3, groups=16, rank=1, dilation=2)))
    y, c = recurrence(e, e.op("Transpose", y, perm=[2, 0, 1]), 16, 12)
    y = e.op("Transpose", y, perm=[1, 0, 2])
    y = e.relu(e.linear(y, c, 16))
    return [e.op("Mul", x, e.op("Sigmoid", e.linear(y, 16, 16)))]


def separation(e):
    """Conv-TasNet: dilated depthwise Conv1d, PRelu and normalization of all of a sample."""
    def normalize(y, c):
        centred = e.op("Sub", y, e.mean(y, [1, 2]))
        variance = e.mean(e.op("Pow", centred, e.constant(2)), [1, 2])
        y = e.op("Div", centred, e.op("Sqrt", e.op("Add", variance, e.constant(1e-8))))
        return e.op("Add", e.op("Mul", e.normal(c, 1, size=0.2, mean=1), y), e.normal(c, 1, size=0.1))
    coded = e.relu(e.op("Conv", e.input([1, 1, 128]), e.weight(12, 1, 8), kernel_shape=[8], strides=[4]))
    y, skips = e.conv(coded, 12, 8, 1, rank=1), None
    for dilation in (1, 2, 4):
        z = e.op("PRelu", e.conv(y, 8, 16, 1, rank=1), e.normal(1, 1, size=0.02, mean=0.25))
        z = e.conv(normalize(z, 16), 16, 16, 3, groups=16, dilation=dilation, rank=1)
        z = normalize(e.op("PRelu", z, e.normal(1, 1, size=0.02, mean=0.25)), 16)
        skip = e.conv(z, 16, 8, 1, rank=1)
        skips = e.op("Add", skips, skip) if skips else skip
        y = e.op("Add", y, e.conv(z, 16, 8, 1, rank=1))
    mask = e.op("Sigmoid", e.conv(e.relu(skips), 8, 12, 1, rank=1))
    y = e.op("Mul", coded, mask)
    return [e.op("ConvTranspose", y, e.parameter(e.rng.normal(size=[12, 1, 8]) * 0.3), kernel_shape=[8], strides=[4])]


def wavenet(e):
    y, skips = e.conv(e.input([1, 4, 48]), 4, 8, 1, rank=1), []
    for dilation in (1, 2, 4):
        z = e.conv(y, 8, 16, 3, dilation=dilation, rank=1)
        tanh, gate = e.cut(z, 0, 8, 1), e.cut(z, 8, 16, 1)
        z = e.op("Mul", e.op("Tanh", tanh), e.op("Sigmoid", gate))
        skips.append(e.conv(z, 8, 8, 1, rank=1))
        y = e.op("Add", e.conv(z, 8, 8, 1, rank=1), y)
    return [e.conv(e.relu(e.op("Sum", *skips)), 8, 4, 1, rank=1)]


def densenet(e):
    y, c = e.op("MaxPool", e.conv_bn(image(e), 3, 8, 3, 2, act=e.relu), kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4), 8
    for block in range(2):
        parts = [y]
        for _ in range(3):
            z = e.op("Concat", *parts, axis=1) if len(parts) > 1 else y
            width = c + 6 * (len(parts) - 1)
            z = e.conv_bn(e.relu(e.batchnorm(z, width)), width, 12, 1, act=e.relu)
            parts.append(e.conv(z, 12, 6, bias=False))
        y, c = e.op("Concat", *parts, axis=1), c + 18
        if not block:
            y = e.conv(e.relu(e.batchnorm(y, c)), c, c // 2, 1, bias=False)
            y, c = e.op("AveragePool", y, kernel_shape=[2, 2], strides=[2, 2]), c // 2
    return [e.classify(e.relu(e.batchnorm(y, c)), c)]


def style(e):
    def padded(y, c, outputs, k=3, stride=1):
        pads = e.ints(0, 0, k // 2, k // 2, 0, 0, k // 2, k // 2)
        return e.conv(e.op("Pad", y, pads, mode="reflect"), c, outputs, k, stride, pads=[0] * 4)

    def normalized(y, c):
        return e.op("InstanceNormalization", y, e.normal(c, size=0.2, mean=1), e.normal(c, size=0.2), epsilon=1e-5)
    y = e.relu(normalized(padded(image(e), 3, 8, 5), 8))
    y = e.relu(normalized(padded(y, 8, 12, 3, 2), 12))
    for _ in range(2):
        z = normalized(padded(e.relu(normalized(padded(y, 12, 12), 12)), 12, 12), 12)
        y = e.op("Add", z, y)
    if e.chance():
        y = e.resize(y, [1, 1, 2, 2], mode="nearest", coordinate_transformation_mode="asymmetric",
                 nearest_mode="floor")
        y = padded(y, 12, 8)
    else:
        y = e.transposed_conv(y, 12, 8, 3, 2, 1, 1)
    y = padded(e.relu(normalized(y, 8)), 8, 3, 5)
    if e.chance():
        y = e.op("Mul", e.op("Add", e.op("Tanh", y), e.constant(1)), e.constant(127.5))
    return [y]


def ssd(e):
    y, c = e.conv_bn(image(e), 3, 8, 3, 2, act=e.relu), 8
    boxes, scores = [], []
    for outputs in (12, 16):
        y = e.conv_bn(e.conv_bn(y, c, c, 3, 2, c, act=e.relu), c, outputs, 1, act=e.relu)
        c = outputs
        for rows, width in ((boxes, 4), (scores, 2)):
            z = e.op("Transpose", e.conv(y, c, 3 * width), perm=[0, 2, 3, 1])
            rows.append(e.reshape_by_batch(z, -1, width) if e.chance() else e.reshape(z, 1, -1, width))
    boxes, scores = e.op("Concat", *boxes, axis=1), e.op("Softmax", e.op("Concat", *scores, axis=1), axis=2)
    if e.chance():  # priors
        count = 3 * (8 * 8 + 4 * 4)
        priors = e.parameter(e.rng.uniform(0.1, 0.9, [1, count, 2]))
        centre = e.op("Add", e.op("Mul", e.cut(boxes, 0, 2, 2), e.constant(0.1)), priors)
        size = e.op("Mul", e.op("Exp", e.op("Mul", e.cut(boxes, 2, 4, 2), e.constant(0.2))), e.constant(0.25))
        low = e.op("Sub", centre, e.op("Div", size, e.constant(2)))
        boxes = e.op("Concat", low, e.op("Add", size, low), axis=2)
    return [scores, boxes]


def inception(e):
    def units(y, c):
        parts = [e.conv_bn(y, c, 6, 1, act=e.relu), e.conv_bn(e.conv_bn(y, c, 4, 1, act=e.relu), 4, 6, act=e.relu)]
        z = e.op("AveragePool", y, kernel_shape=[3, 3], strides=[1, 1], pads=[1] * 4, count_include_pad=e.pick(0, 1)) \
            if e.chance() else e.op("MaxPool", y, kernel_shape=[3, 3], strides=[1, 1], pads=[1] * 4)
        parts.append(e.conv_bn(z, c, 4, 1, act=e.relu))
        return e.op("Concat", *parts, axis=1), 16
    y, c = e.conv_bn(image(e), 3, 8, 3, 2, act=e.relu), 8
    if e.chance():
        y = e.op("LRN", y, size=5, alpha=1e-3, beta=0.75)
    y, c = units(y, c)
    y = e.op("MaxPool", y, kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
    y, c = units(y, c)
    y = e.op("Dropout", e.op("Flatten", e.op("GlobalAveragePool", y), axis=1))
    return [e.op("Softmax", e.gemm(y, c, 24), axis=1)]


def vgg(e):
    y, c = image(e), 3
    for outputs in (8, 12):
        y, c = e.conv_bn(e.conv_bn(y, c, outputs, act=e.relu), outputs, outputs, act=e.relu), outputs
        y = e.op("MaxPool", y, kernel_shape=[2, 2], strides=[2, 2])
    y = e.op("Flatten", e.op("AveragePool", y, kernel_shape=[4, 4], strides=[4, 4]), axis=1)
    return [e.gemm(e.relu(e.gemm(y, 12 * 4, 32)), 32, 24)]


def tensorflow(e):
    """NHWC with a Transpose at each end, asymmetric padding, Relu6 as Min and Max, as tf2onnx writes it."""
    def relu6(y):
        return e.op("Min", e.op("Relu", y), e.parameter(6)) if style_of_relu else e.relu6(y)
    style_of_relu = e.chance()
    y = e.op("Transpose", e.input([1, 32, 32, 3], open_batch=e.chance()), perm=[0, 3, 1, 2])
    if e.chance():
        y = e.op("Sub", e.op("Mul", y, e.parameter(2 / 3)), e.parameter(0.25))
    y, c = relu6(e.conv(y, 3, 8, 3, 2, pads=[0, 0, 1, 1])), 8
    for outputs, stride in ((8, 1), (12, 2), (12, 1)):
        z = relu6(e.conv(y, c, 2 * c, 1))
        z = relu6(e.conv(z, 2 * c, 2 * c, 3, stride, 2 * c, pads=[0, 0, 1, 1] if stride == 2 else None))
        z = e.conv(z, 2 * c, outputs, 1)
        y, c = (e.op("Add", z, y) if c == outputs and stride == 1 else z), outputs
    if e.chance():
        y = e.resize(y, [1, 1, 4, 4], mode="linear", coordinate_transformation_mode="half_pixel")
        return [e.op("Transpose", e.conv(y, c, 2, 1), perm=[0, 2, 3, 1])]
    y = e.axes_op("Squeeze", e.mean(y, [2, 3]), [2, 3])
    return [e.op("Softmax", e.linear(y, c, 24), axis=-1 if e.opset >= 13 else 1)]


def superresolution(e):
    first = e.relu(e.conv(image(e), 3, 12, 5))
    y = first
    for _ in range(2):
        y = e.op("Add", y, e.conv(e.relu(e.conv(y, 12, 12)), 12, 12))
    y = e.conv(e.op("Add", y, first), 12, 12)
    if e.chance():
        y = e.op("DepthToSpace", y, blocksize=2, mode="CRD")
    else:
        y = e.op("Transpose", e.reshape(y, -1, 3, 2, 2, 32, 32), perm=[0, 1, 4, 2, 5, 3])
        y = e.reshape(y, -1, 3, 64, 64)
    return [e.op("Clip", y, e.constant(0), e.constant(1)) if e.chance() else y]


def convnext(e):
    y, c = e.conv(image(e), 3, 12, 4, 4, pads=[0] * 4), 12
    for _ in range(2):
        z = e.op("Transpose", e.conv(y, c, c, 7, groups=c), perm=[0, 2, 3, 1])
        z = e.linear(e.gelu(e.linear(e.layernorm(z, c), c, 2 * c)), 2 * c, c)
        z = e.op("Transpose", e.op("Mul", e.normal(c, size=0.2, mean=0.5), z), perm=[0, 3, 1, 2])
        y = e.op("Add", y, z)
    return [e.gemm(e.layernorm(e.mean(y, [2, 3], 0), c), c, 24)]


def swin(e):
    """Attention in windows of 4 x 4, shifted in the second layer."""
    d, size = 12, 8
    y = e.conv(image(e), 3, d, 4, 4, pads=[0] * 4)
    y = e.layernorm(e.op("Transpose", e.reshape(y, 0, d, -1), perm=[0, 2, 1]), d)
    for shift in (0, 2):
        z = e.reshape(e.layernorm(y, d), -1, size, size, d)
        for axis in (1, 2) if shift else ():
            z = e.op("Concat", e.cut(z, shift, size, axis), e.cut(z, 0, shift, axis), axis=axis)
        z = e.op("Transpose", e.reshape(z, -1, 2, 4, 2, 4, d), perm=[0, 1, 3, 2, 4, 5])
        z = attention(e, e.reshape(z, -1, 16, d), 16, d, 2, e.normal(1, 2, 16, 16, size=0.3))
        z = e.op("Transpose", e.reshape(z, -1, 2, 2, 4, 4, d), perm=[0, 1, 3, 2, 4, 5])
        z = e.reshape(z, -1, size, size, d)
        for axis in (1, 2) if shift else ():
            z = e.op("Concat", e.cut(z, size - shift, size, axis), e.cut(z, 0, size - shift, axis), axis=axis)
        y = e.op("Add", y, e.reshape(z, -1, size * size, d))
        y = e.op("Add", y, e.linear(e.gelu(e.linear(e.layernorm(y, d), d, 2 * d)), 2 * d, d))
    return [e.gemm(e.mean(e.layernorm(y, d), [1], 0), d, 24)]


def segmenter(e):
    """Dilated branches and a pooled one, resized to the size of the input."""
    x = image(e)
    y = e.conv_bn(e.conv_bn(x, 3, 8, 3, 2, act=e.relu), 8, 12, 3, 2, act=e.relu)
    parts = [e.conv_bn(y, 12, 8, 1, act=e.relu)]
    parts += [e.relu(e.batchnorm(e.conv(y, 12, 8, dilation=d, bias=False), 8)) for d in (2, 3)]
    pooled = e.relu(e.conv(e.op("GlobalAveragePool", y), 12, 8, 1))
    sizes = e.op("Concat", e.cut(e.op("Shape", pooled), 0, 2, 0), e.cut(e.op("Shape", y), 2, 4, 0), axis=0)
    parts.append(e.resize(pooled, None, sizes, mode="linear",
                      coordinate_transformation_mode=e.pick("pytorch_half_pixel", "align_corners")))
    y = e.conv(e.conv_bn(e.op("Concat", *parts, axis=1), 32, 12, 1, act=e.relu), 12, 4, 1)
    return [e.resize(y, [1, 1, 4, 4], mode="linear", coordinate_transformation_mode="half_pixel")]


def pointnet(e):
    x = e.input([1, 3, 40])
    y = x
    for c, outputs in ((3, 8), (8, 16)):
        y = e.relu(e.batchnorm(e.conv(y, c, outputs, 1, rank=1), outputs))
    most = e.op("ReduceMax", y, axes=[2], keepdims=0)
    square = e.reshape(e.op("Add", e.gemm(e.relu(e.gemm(most, 16, 12)), 12, 9), e.parameter(np.eye(3).reshape(1, 9))), -1, 3, 3)
    y = e.op("Transpose", e.op("MatMul", e.op("Transpose", x, perm=[0, 2, 1]), square), perm=[0, 2, 1])
    y = e.relu(e.batchnorm(e.conv(y, 3, 16, 1, rank=1), 16))
    return [e.op("LogSoftmax", e.gemm(e.op("ReduceMax", y, axes=[2], keepdims=0), 16, 10), axis=1)]


def tabular(e):
    """Embeddings and numbers, batch-normalized, through a perceptron."""
    numbers = e.input([1, 10], name="numbers")
    parts = [e.batchnorm(numbers, 10)]
    kinds = e.input([1, 3], TensorProto.INT64, "input_ids")
    for i in range(3):
        index = e.op("Gather", kinds, e.constant(i, np.int64), axis=1)
        parts.append(e.op("Gather", e.normal(50, 4), index))
    y, c = e.op("Concat", *parts, axis=1), 22
    for outputs in (32, 16):
        y, c = e.batchnorm(e.relu(e.gemm(y, c, outputs)), outputs), outputs
    return [e.op("Sigmoid", e.gemm(y, c, 4))]


def restored(e):
    """Low light: curves applied again and again to the image, as Zero-DCE does."""
    x = e.input([1, 3, 32, 32], name="image_0_1")
    first = e.relu(e.conv(x, 3, 8))
    second = e.relu(e.conv(first, 8, 8))
    y = e.relu(e.conv(e.op("Concat", first, second, axis=1), 16, 8))
    curves = e.op("Tanh", e.conv(y, 8, 12))
    for r in e.split(curves, [3] * 4):
        x = e.op("Add", x, e.op("Mul", r, e.op("Sub", e.op("Pow", x, e.constant(2)), x)))
    return [x, curves]


NETWORKS = [resnet, mobilenet_v2, mobilenet_v3, efficientnet, vit, bert, unet, yolo_v5, yolo_v8, yolox, shufflenet, crnn, speech,
            separation, wavenet, densenet, style, ssd, inception, vgg, tensorflow, superresolution, convnext, swin, segmenter,
            pointnet, tabular, restored]


def network(seed):
    """@returns an onnx model, the shapes of its inputs by name, and the name of its architecture in a list"""
    kind = NETWORKS[seed % len(NETWORKS)]
    e = Export(seed, 11 + seed // len(NETWORKS) % 7)
    e.merged = e.chance()
    model = e.model(kind(e))
    return model, {name: (shape, dtype) for name, shape, dtype, _ in e.inputs}, [kind.__name__, f"opset {e.opset}"]


def samples(seed, shapes, count):
    """Inputs by name: images with shapes and shades, tokens, masks of a few zeros at the end."""
    rng, found = np.random.default_rng(seed), {}
    for name, (shape, dtype) in shapes.items():
        size = [count, *shape[1:]]
        if name.endswith("mask"):
            lengths = rng.integers(shape[1] // 2, shape[1] + 1, count)
            found[name] = (np.arange(shape[1]) < lengths[:, None]).astype(np.int64)
        elif dtype == TensorProto.INT64:
            found[name] = rng.integers(0, 50, size)
        else:
            x = rng.normal(size=size) * 0.15
            for axis in range(2, len(size)):  # shades: slow changes along each axis
                wave = np.arange(size[axis]) * rng.uniform(0.1, 0.6) + rng.uniform(0, 6)
                x += np.sin(wave).reshape([-1] + [1] * (len(size) - 1 - axis)) * rng.normal(size=size[:2] + [1] * (len(size) - 2))
            x += np.where(np.roll(x, 3, -1) > 0.4, 1, 0) * rng.normal(size=size[:2] + [1] * (len(size) - 2))  # edges
            found[name] = (np.clip(x, 0, 1) if name == "image_0_1" else x).astype(np.float32)
    return found

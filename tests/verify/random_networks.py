"""Small random networks of quantizable operators, for test_random_networks.py. The same seed gives the same network.

A network is a chain of blocks that map an image [1, C, H, W] or a sequence [1, T, D] to another; its last block may
pool and classify. Weights are random, of a size that keeps the variance."""
import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

OPSET = 17


class Network:
    """Nodes and weights, with the shapes of tensors as they are made."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.weights, self.shapes = [], [], {}

    def name(self, what):
        return f"{what}_{len(self.nodes) + len(self.weights)}"

    def constant(self, value, dtype=np.float32):
        name = self.name("w")
        self.weights.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def weight(self, *shape, fan=None):
        fan = fan or int(np.prod(shape[1:]))
        return self.constant(self.rng.normal(size=shape) * np.sqrt(1.6 / fan))

    def op(self, kind, inputs, shape, **attributes):
        name = self.name(kind.lower())
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name + "_op", **attributes))
        self.shapes[name] = list(shape)
        return name

    def pick(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def chance(self, share=0.5):
        return bool(self.rng.random() < share)


# Activations ----------------------------------------------------------------------------------------------------------

def plain(kind, **attributes):
    return lambda n, x: n.op(kind, [x], n.shapes[x], **attributes)


def clip(n, x):
    return n.op("Clip", [x, n.constant(0), n.constant(n.pick(1, 6))], n.shapes[x])


def silu(n, x):
    return n.op("Mul", [x, n.op("Sigmoid", [x], n.shapes[x])], n.shapes[x])


def mish(n, x):
    return n.op("Mul", [x, n.op("Tanh", [n.op("Softplus", [x], n.shapes[x])], n.shapes[x])], n.shapes[x])


def gelu(n, x):
    shape = n.shapes[x]
    erf = n.op("Erf", [n.op("Div", [x, n.constant(np.sqrt(2))], shape)], shape)
    return n.op("Mul", [n.op("Mul", [x, n.op("Add", [erf, n.constant(1)], shape)], shape), n.constant(0.5)], shape)


def prelu(n, x):
    slope = n.constant(n.rng.uniform(0.05, 0.4, [n.shapes[x][1]] + [1] * (len(n.shapes[x]) - 2)))
    return n.op("PRelu", [x, slope], n.shapes[x])


def nothing(_, x):
    return x


QUANTIZED = [plain("Relu"), clip, silu, prelu, plain("Sigmoid"), plain("HardSwish"),
             plain("HardSigmoid", alpha=1 / 6, beta=0.5), plain("LeakyRelu", alpha=0.1), nothing]
FLOAT = [mish, gelu, plain("Tanh"), plain("Elu"), plain("Softplus"), plain("Exp")]


def activation(n, x):
    kinds = QUANTIZED if len(n.shapes[x]) == 4 else [a for a in QUANTIZED if a is not prelu]
    return n.pick(*(FLOAT if n.chance(0.1) else kinds))(n, x)


# Images ---------------------------------------------------------------------------------------------------------------

def conv(n, x, outputs=None):
    _, c, h, w = n.shapes[x]
    depthwise = outputs is None and n.chance(0.3)
    groups = c if depthwise else (2 if outputs is None and c % 2 == 0 and n.chance(0.2) else 1)
    outputs = outputs or (c if depthwise else 2 * int(n.rng.integers(2, 9)))
    k = n.pick(1, 3, 3, 5)
    stride = 2 if min(h, w) >= 8 and n.chance(0.2) else 1
    inputs = [x, n.weight(outputs, c // groups, k, k)]
    if n.chance(0.8):
        inputs.append(n.constant(n.rng.normal(size=outputs) * 0.2))
    pad = k // 2
    shape = [1, outputs, (h + 2 * pad - k) // stride + 1, (w + 2 * pad - k) // stride + 1]
    return n.op("Conv", inputs, shape, kernel_shape=[k, k], pads=[pad] * 4, strides=[stride] * 2, group=groups)


def conv_activation(n, x):
    return activation(n, conv(n, x))


def conv_batchnorm(n, x):
    y = conv(n, x)
    return activation(n, batchnorm(n, y))


def batchnorm(n, x):
    c = n.shapes[x][1]
    values = [n.constant(v) for v in (n.rng.uniform(0.7, 1.3, c), n.rng.normal(size=c) * 0.2, n.rng.normal(size=c) * 0.2,
                                      n.rng.uniform(0.6, 1.5, c))]
    return n.op("BatchNormalization", [x, *values], n.shapes[x])


def conv_transpose(n, x):
    _, c, h, w = n.shapes[x]
    if h > 16:
        return conv(n, x)
    outputs, k = 2 * int(n.rng.integers(2, 6)), n.pick(2, 3, 4)
    inputs = [x, n.weight(c, outputs, k, k, fan=c * k * k // 4 + 1)]
    if n.chance():
        inputs.append(n.constant(n.rng.normal(size=outputs) * 0.2))
    y = n.op("ConvTranspose", inputs, [1, outputs, (h - 1) * 2 + k, (w - 1) * 2 + k], kernel_shape=[k, k], strides=[2, 2])
    return activation(n, y)


def pool(n, x):
    _, c, h, w = n.shapes[x]
    if min(h, w) < 6:
        return x
    kind = n.pick("MaxPool", "AveragePool")
    extra = {"count_include_pad": int(n.chance())} if kind == "AveragePool" else {}
    k, pad = n.pick((2, 0), (3, 1), (3, 0))
    stride = n.pick(1, 2)
    return n.op(kind, [x], [1, c, (h + 2 * pad - k) // stride + 1, (w + 2 * pad - k) // stride + 1], kernel_shape=[k, k],
                strides=[stride] * 2, pads=[pad] * 4, **extra)


def residual(n, x):
    c = n.shapes[x][1]
    y = x
    for _ in range(int(n.rng.integers(1, 3))):
        y = activation(n, same_size(n, y, c))
    kind = n.pick("Add", "Add", "Mul", "Sub", "Max", "Min", "Sum")
    return n.op(kind, [x, y] if n.chance() else [y, x], n.shapes[x])


def same_size(n, x, outputs):
    _, c, h, w = n.shapes[x]
    k = n.pick(1, 3)
    return n.op("Conv", [x, n.weight(outputs, c, k, k), n.constant(n.rng.normal(size=outputs) * 0.1)],
                [1, outputs, h, w], kernel_shape=[k, k], pads=[k // 2] * 4)


def branches(n, x):
    """Concat of two to four convolutions or of x itself."""
    parts = [x] if n.chance(0.4) else []
    for _ in range(int(n.rng.integers(2, 4))):
        parts.append(activation(n, same_size(n, x, 2 * int(n.rng.integers(1, 5)))))
    _, _, h, w = n.shapes[x]
    return n.op("Concat", parts, [1, sum(n.shapes[p][1] for p in parts), h, w], axis=1)


def squeeze_excite(n, x):
    _, c, h, w = n.shapes[x]
    pooled = n.op("GlobalAveragePool", [x], [1, c, 1, 1]) if n.chance() else \
        n.op("ReduceMean", [x], [1, c, 1, 1], axes=[2, 3], keepdims=1)
    inner = n.op(n.pick("Relu", "HardSwish"), [same1(n, pooled, max(2, c // 2))], [1, max(2, c // 2), 1, 1])
    gate = n.op(n.pick("Sigmoid", "HardSigmoid"), [same1(n, inner, c)], [1, c, 1, 1])
    return n.op("Mul", [x, gate], [1, c, h, w])


def same1(n, x, outputs):
    c = n.shapes[x][1]
    return n.op("Conv", [x, n.weight(outputs, c, 1, 1), n.constant(n.rng.normal(size=outputs) * 0.1)],
                [1, outputs, 1, 1])


def split_images(n, x):
    _, c, h, w = n.shapes[x]
    if c % 2:
        return x
    names = [n.name("split") + f"_{i}" for i in range(2)]
    n.nodes.append(helper.make_node("Split", [x, n.constant([c // 2] * 2, np.int64)], names, name=n.name("split_op"), axis=1))
    for name in names:
        n.shapes[name] = [1, c // 2, h, w]
    kind = n.pick("concat", "mul", "one")
    if kind == "mul":
        return n.op("Mul", [names[0], n.op("Sigmoid", [names[1]], n.shapes[names[1]])], n.shapes[names[0]])
    second = activation(n, same_size(n, names[1], c // 2))
    if kind == "one":
        return n.op("Add", [names[0], second], n.shapes[second])
    return n.op("Concat", [names[0], second], [1, c, h, w], axis=1)


def slice_image(n, x):
    _, c, h, w = n.shapes[x]
    if min(h, w) < 6:
        return x
    values = [n.constant(v, np.int64) for v in ([0, 1], [h, w - 1], [2, 3], [1, 1])]
    return n.op("Slice", [x, *values], [1, c, h, w - 2])


def focus(n, x):
    """Space to depth by four strided slices."""
    _, c, h, w = n.shapes[x]
    if h % 2 or w % 2 or h < 8:
        return x
    parts = []
    for i, j in ((0, 0), (1, 0), (0, 1), (1, 1)):
        values = [n.constant(v, np.int64) for v in ([i, j], [h, w], [2, 3], [2, 2])]
        parts.append(n.op("Slice", [x, *values], [1, c, h // 2, w // 2]))
    return conv_activation(n, n.op("Concat", parts, [1, 4 * c, h // 2, w // 2], axis=1))


def pad_image(n, x):
    _, c, h, w = n.shapes[x]
    inputs = [x, n.constant([0, 0, 1, 1, 0, 0, 1, 1], np.int64)]
    mode = n.pick("constant", "reflect", "edge")
    if mode == "constant" and n.chance():
        inputs.append(n.constant(n.pick(0.0, 0.0, 0.25)))
    return n.op("Pad", inputs, [1, c, h + 2, w + 2], mode=mode)


def resize(n, x):
    _, c, h, w = n.shapes[x]
    if h > 16:
        return x
    mode = n.pick("nearest", "linear", "cubic")
    way = n.pick("asymmetric", "half_pixel", "align_corners") if mode != "cubic" else "half_pixel"
    extra = {"nearest_mode": "floor"} if mode == "nearest" else {}
    return n.op("Resize", [x, "", n.constant([1, 1, 2, 2])], [1, c, 2 * h, 2 * w], mode=mode,
                coordinate_transformation_mode=way, **extra)


def shuffle(n, x):
    _, c, h, w = n.shapes[x]
    if c % 2:
        return x
    y = n.op("Reshape", [x, n.constant([1, 2, c // 2, h, w], np.int64)], [1, 2, c // 2, h, w])
    y = n.op("Transpose", [y], [1, c // 2, 2, h, w], perm=[0, 2, 1, 3, 4])
    return n.op("Reshape", [y, n.constant([1, c, h, w], np.int64)], [1, c, h, w])


def depth_to_space(n, x):
    _, c, h, w = n.shapes[x]
    if h > 16 or c < 4:
        return x
    y = same_size(n, x, 4 * max(1, c // 4))
    return n.op("DepthToSpace", [y], [1, max(1, c // 4), 2 * h, 2 * w], blocksize=2, mode=n.pick("DCR", "CRD"))


def normalize_image(n, x):
    c = n.shapes[x][1]
    return n.op("InstanceNormalization", [x, n.constant(n.rng.uniform(0.7, 1.3, c)),
                                          n.constant(n.rng.normal(size=c) * 0.2)], n.shapes[x])


def arithmetic(n, x):
    """With a constant: of one element or one per channel."""
    c = n.shapes[x][1]
    shape = [] if n.chance() else [1, c, 1, 1] if len(n.shapes[x]) == 4 else [n.shapes[x][-1]]
    kind = n.pick("Add", "Sub", "Mul", "Div", "Max", "Min", "Pow")
    if kind == "Pow":
        return n.op("Pow", [x, n.constant(2)], n.shapes[x])
    value = n.rng.uniform(0.5, 1.5, shape)
    return n.op(kind, [x, n.constant(value)], n.shapes[x])


def channel_softmax(n, x):
    y = n.op("Softmax", [x], n.shapes[x], axis=n.pick(1, -1))
    return n.op("Mul", [x, y], n.shapes[x]) if n.chance() else y


def spatial_attention(n, x):
    _, c, h, w = n.shapes[x]
    mean = n.op("ReduceMean", [x], [1, 1, h, w], axes=[1], keepdims=1)
    most = n.op("ReduceMax", [x], [1, 1, h, w], axes=[1], keepdims=1)
    both = n.op("Concat", [mean, most], [1, 2, h, w], axis=1)
    return n.op("Mul", [x, n.op("Sigmoid", [same_size(n, both, 1)], [1, 1, h, w])], [1, c, h, w])


def pointwise(n, x):
    shape = n.shapes[x]
    kind = n.pick("Sqrt", "Exp", "Neg", "Log", "Reciprocal", "Floor", "Softplus")
    if kind in ("Sqrt", "Log", "Reciprocal"):
        x = n.op("Add", [n.op("Abs", [x], shape), n.constant(0.5)], shape)
    return n.op(kind, [x], shape)


def pooled_branch(n, x):
    """A pooled tensor, brought back to the size of x."""
    _, c, h, w = n.shapes[x]
    y = n.op(n.pick("GlobalAveragePool", "GlobalMaxPool"), [x], [1, c, 1, 1])
    y = activation(n, same1(n, y, c))
    if n.chance():
        y = n.op("Resize", [y, "", n.constant([1, 1, h, w])], [1, c, h, w], mode="nearest",
                 coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    elif n.chance():
        y = n.op("Expand", [y, n.constant([1, c, h, w], np.int64)], [1, c, h, w])
    return n.op(n.pick("Add", "Mul"), [x, y], [1, c, h, w]) if n.chance() else \
        n.op("Concat", [x, n.op("Add", [x, y], [1, c, h, w])], [1, 2 * c, h, w], axis=1)


def three_parts(n, x):
    """A Split whose later outputs feed layers, and a Concat of what is moved."""
    _, c, h, w = n.shapes[x]
    if c % 3:
        x, c = same_size(n, x, 6), 6
    names = [n.name("split") + f"_{i}" for i in range(3)]
    n.nodes.append(helper.make_node("Split", [x, n.constant([c // 3] * 3, np.int64)], names, name=n.name("split_op"), axis=1))
    for name in names:
        n.shapes[name] = [1, c // 3, h, w]
    second = activation(n, same_size(n, names[1], c // 3))
    third = n.op("Add", [second, names[2]], n.shapes[second])
    return n.op("Concat", [names[0], second, third], [1, c, h, w], axis=1)


def tokens_and_back(n, x):
    """An image as a sequence of pixels, through a MatMul, and back."""
    _, c, h, w = n.shapes[x]
    y = n.op("Reshape", [x, n.constant([1, c, h * w], np.int64)], [1, c, h * w])
    y = linear(n, n.op("Transpose", [y], [1, h * w, c], perm=[0, 2, 1]), c)
    y = n.op("Transpose", [activation(n, y)], [1, c, h * w], perm=[0, 2, 1])
    return n.op("Reshape", [y, n.constant([1, c, h, w], np.int64)], [1, c, h, w])


def prepared_weight(n, x):
    """A Conv whose weight is the result of operations on constants."""
    _, c, h, w = n.shapes[x]
    flat = n.op("Reshape", [n.weight(4, c * 9, fan=9 * c), n.constant([4, c, 3, 3], np.int64)], [4, c, 3, 3])
    scaled = n.op("Mul", [flat, n.constant(n.rng.uniform(0.5, 1.5, [4, 1, 1, 1]))], [4, c, 3, 3])
    y = n.op("Conv", [x, scaled], [1, 4, h, w], kernel_shape=[3, 3], pads=[1] * 4)
    return activation(n, y)


def moved_twice(n, x):
    """One tensor, moved in several ways, each read by a layer."""
    _, c, h, w = n.shapes[x]
    if h < 6:
        return x
    cut = n.op("Slice", [x, *(n.constant(v, np.int64) for v in ([0], [h - 2], [2]))], [1, c, h - 2, w])
    turned = n.op("Transpose", [cut], [1, c, w, h - 2], perm=[0, 1, 3, 2])
    a = activation(n, same_size(n, cut, 4))
    b = n.op("Transpose", [same_size(n, turned, 4)], [1, 4, h - 2, w], perm=[0, 1, 3, 2])
    return n.op("Concat", [a, cut, b], [1, 8 + c, h - 2, w], axis=1) if n.chance() else \
        n.op("Add", [a, b], [1, 4, h - 2, w])


IMAGE_BLOCKS = [pooled_branch, three_parts, tokens_and_back, prepared_weight, moved_twice,
                conv_activation, conv_activation, conv_batchnorm, batchnorm, conv_transpose, pool, residual, residual,
                branches, squeeze_excite, split_images, slice_image, focus, pad_image, resize, shuffle, depth_to_space,
                normalize_image, arithmetic, channel_softmax, spatial_attention, pointwise]


# Sequences ------------------------------------------------------------------------------------------------------------

def linear(n, x, outputs=None):
    shape = n.shapes[x]
    outputs = outputs or 4 * int(n.rng.integers(2, 7))
    y = n.op("MatMul", [x, n.weight(shape[-1], outputs, fan=shape[-1])], [*shape[:-1], outputs])
    if n.chance(0.7):
        bias = n.constant(n.rng.normal(size=outputs) * 0.1)
        y = n.op("Add", [y, bias] if n.chance() else [bias, y], n.shapes[y])
    return y


def linear_activation(n, x):
    return activation(n, linear(n, x))


def gemm(n, x):
    _, t, d = n.shapes[x]
    outputs = 4 * int(n.rng.integers(2, 7))
    flat = n.op("Reshape", [x, n.constant([t, d], np.int64)], [t, d])
    swapped = n.chance()
    shape = (outputs, d) if swapped else (d, outputs)
    y = n.op("Gemm", [flat, n.weight(*shape, fan=d), n.constant(n.rng.normal(size=outputs) * 0.1)], [t, outputs],
             transB=int(swapped))
    y = n.pick(plain("Relu"), plain("Sigmoid"), lambda _, z: z)(n, y)
    return n.op("Reshape", [y, n.constant([1, t, outputs], np.int64)], [1, t, outputs])


def layernorm(n, x):
    d = n.shapes[x][-1]
    return n.op("LayerNormalization", [x, n.constant(n.rng.uniform(0.7, 1.3, d)), n.constant(n.rng.normal(size=d) * 0.1)],
                n.shapes[x], axis=-1)


def layernorm_parts(n, x):
    shape = n.shapes[x]
    one = [*shape[:-1], 1]
    away = n.op("Sub", [x, n.op("ReduceMean", [x], one, axes=[-1], keepdims=1)], shape)
    variance = n.op("ReduceMean", [n.op("Pow", [away, n.constant(2)], shape)], one, axes=[-1], keepdims=1)
    y = n.op("Div", [away, n.op("Sqrt", [n.op("Add", [variance, n.constant(1e-5)], one)], one)], shape)
    y = n.op("Mul", [y, n.constant(n.rng.uniform(0.7, 1.3, shape[-1]))], shape)
    return n.op("Add", [y, n.constant(n.rng.normal(size=shape[-1]) * 0.1)], shape)


def attention(n, x):
    _, t, d = n.shapes[x]
    heads, size = n.pick((1, 8), (2, 4), (2, 8), (4, 4))
    source = layernorm(n, x) if n.chance() else x
    split = []
    for perm, shape in (([0, 2, 1, 3], [1, heads, t, size]), ([0, 2, 3, 1], [1, heads, size, t]),
                        ([0, 2, 1, 3], [1, heads, t, size])):
        y = n.op("Reshape", [linear(n, source, heads * size), n.constant([1, t, heads, size], np.int64)],
                 [1, t, heads, size])
        split.append(n.op("Transpose", [y], shape, perm=perm))
    scores = n.op("MatMul", split[:2], [1, heads, t, t])
    scores = n.op("Mul", [scores, n.constant(1 / np.sqrt(size))], [1, heads, t, t]) if n.chance() else \
        n.op("Div", [scores, n.constant(np.sqrt(size))], [1, heads, t, t])
    mixed = n.op("MatMul", [n.op("Softmax", [scores], [1, heads, t, t], axis=-1), split[2]], [1, heads, t, size])
    back = n.op("Transpose", [mixed], [1, t, heads, size], perm=[0, 2, 1, 3])
    y = linear(n, n.op("Reshape", [back, n.constant([1, t, heads * size], np.int64)], [1, t, heads * size]), d)
    return n.op("Add", [x, y], [1, t, d])


def mlp(n, x):
    d = n.shapes[x][-1]
    y = linear(n, n.pick(gelu, silu, plain("Relu"))(n, linear(n, layernorm(n, x), 2 * d)), d)
    return n.op("Add", [x, y], n.shapes[x])


def split_sequence(n, x):
    _, t, d = n.shapes[x]
    if d % 4:
        return x
    names = [n.name("split") + f"_{i}" for i in range(2)]
    n.nodes.append(helper.make_node("Split", [x], names, name=n.name("split_op"), axis=2))
    for name in names:
        n.shapes[name] = [1, t, d // 2]
    return n.op("Mul", [names[0], n.op("Sigmoid", [names[1]], [1, t, d // 2])], [1, t, d // 2]) if n.chance() else \
        n.op("Concat", [names[1], linear(n, names[0], d // 2)], [1, t, d], axis=2)


def mix_tokens(n, x):
    _, t, d = n.shapes[x]
    y = n.op("Transpose", [x], [1, d, t], perm=[0, 2, 1])
    return n.op("Transpose", [linear(n, y, t)], [1, t, d], perm=[0, 2, 1])


def conv1d(n, x):
    _, t, d = n.shapes[x]
    outputs = 4 * int(n.rng.integers(2, 6))
    y = n.op("Transpose", [x], [1, d, t], perm=[0, 2, 1])
    y = n.op("Conv", [y, n.weight(outputs, d, 3), n.constant(n.rng.normal(size=outputs) * 0.1)], [1, outputs, t],
             kernel_shape=[3], pads=[1, 1])
    return n.op("Transpose", [n.pick(silu, plain("Relu"), plain("Tanh"))(n, y)], [1, t, outputs], perm=[0, 2, 1])


def token_slice(n, x):
    _, t, d = n.shapes[x]
    if t < 5:
        return x
    return n.op("Slice", [x, *(n.constant(v, np.int64) for v in ([1], [t], [1]))], [1, t - 1, d])


def prepared_matrix(n, x):
    """A MatMul whose weight is a transposed constant."""
    shape = n.shapes[x]
    w = n.op("Transpose", [n.weight(12, shape[-1], fan=shape[-1])], [shape[-1], 12], perm=[1, 0])
    return activation(n, n.op("MatMul", [x, w], [*shape[:-1], 12]))


def product_of_two(n, x):
    _, t, d = n.shapes[x]
    y = n.op("MatMul", [linear(n, x, d), n.op("Transpose", [linear(n, x, d)], [1, d, t], perm=[0, 2, 1])], [1, t, t])
    return n.op("MatMul", [n.op(n.pick("Sigmoid", "Relu"), [y], [1, t, t]), x], [1, t, d])


def gated(n, x):
    """One projection, split in two: values and their gate."""
    _, t, d = n.shapes[x]
    names = [n.name("split") + f"_{i}" for i in range(2)]
    y = linear(n, x, 2 * d)
    n.nodes.append(helper.make_node("Split", [y], names, name=n.name("split_op"), axis=-1))
    for name in names:
        n.shapes[name] = [1, t, d]
    return linear(n, n.op("Mul", [names[0], silu(n, names[1])], [1, t, d]), d)


def with_axis(n, x):
    _, t, d = n.shapes[x]
    y = n.op("Unsqueeze", [x, n.constant([1], np.int64)], [1, 1, t, d])
    y = n.op("Conv", [y, n.weight(1, 1, 3, 3), n.constant([0.1])], [1, 1, t, d], kernel_shape=[3, 3], pads=[1] * 4)
    return n.op("Squeeze", [activation(n, y), n.constant([1], np.int64)], [1, t, d])


def recurrent(n, x):
    _, t, d = n.shapes[x]
    kind, size = n.pick(("LSTM", 4), ("GRU", 3)), 8
    kind, gates = kind
    y = n.op("Transpose", [x], [t, 1, d], perm=[1, 0, 2])
    inputs = [y, n.weight(1, gates * size, d, fan=d), n.weight(1, gates * size, size, fan=size),
              n.constant(n.rng.normal(size=[1, 2 * gates * size]) * 0.1)]
    extra = {"linear_before_reset": 1} if kind == "GRU" else {}
    y = n.op(kind, inputs, [t, 1, 1, size], hidden_size=size, **extra)
    y = n.op("Squeeze", [y, n.constant([1], np.int64)], [t, 1, size])
    return n.op("Transpose", [y], [1, t, size], perm=[1, 0, 2])


def chosen(n, x):
    _, t, d = n.shapes[x]
    y = n.op("Gather", [x, n.constant([t - 1, 0, 1, 1], np.int64)], [1, 4, d], axis=1)
    return linear_activation(n, y)


SEQUENCE_BLOCKS = [prepared_matrix, product_of_two, gated, with_axis, recurrent, chosen,
                   linear_activation, linear_activation, gemm, layernorm, layernorm_parts, attention, attention, mlp,
                   split_sequence, mix_tokens, conv1d, token_slice, arithmetic, pointwise]


# Networks -------------------------------------------------------------------------------------------------------------

def head(n, x):
    shape = n.shapes[x]
    if len(shape) == 3:
        y = n.op("ReduceMean", [x], [1, shape[-1]], axes=[1], keepdims=0)
    elif n.chance():
        y = n.op("Flatten", [n.op("GlobalAveragePool", [x], [1, shape[1], 1, 1])], [1, shape[1]])
    else:
        y = n.op("ReduceMean", [x], [1, shape[1]], axes=[2, 3], keepdims=0)
    features = n.shapes[y][-1]
    y = n.op("Gemm", [y, n.weight(32, features), n.constant(n.rng.normal(size=32) * 0.1)], [1, 32], transB=1)
    return n.op("Softmax", [y], [1, 32], axis=-1) if n.chance(0.3) else y


def network(seed, blocks=None):
    """blocks: their names; otherwise random ones. @returns an onnx model with input "x", the shape of x, and the names
    of its blocks"""
    n = Network(seed)
    is_image = n.chance(0.65) if blocks is None else blocks[0] in {b.__name__ for b in IMAGE_BLOCKS}
    shape = [1, 3, 16, 16] if is_image else [1, n.pick(6, 9, 16), n.pick(8, 16)]
    n.shapes["x"] = shape
    x, names = "x", []
    known = IMAGE_BLOCKS if is_image else SEQUENCE_BLOCKS
    if blocks:
        chosen_blocks = [next(b for b in known if b.__name__ == name) for name in blocks if name != "head"]
    else:
        chosen_blocks = [n.pick(*known) for _ in range(int(n.rng.integers(3, 8)))]
        if is_image:
            chosen_blocks[0] = conv_activation
    for block in chosen_blocks:
        x = block(n, x)
        names.append(block.__name__)
    outputs = [x]
    if "head" in blocks if blocks else n.chance(0.5):
        x = head(n, x)
        names.append("head")
        outputs = [x]
    if x == "x":
        return network(seed + 100000)
    graph = helper.make_graph(n.nodes, f"random_{seed}", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info(o, TensorProto.FLOAT, n.shapes[o]) for o in outputs],
                              n.weights)
    # HardSwish is a function of opset 14 with operators that follow; all others are of opset 17
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    checker.check_model(model, full_check=True)
    return model, shape, names


def samples(seed, shape, count):
    """Inputs by name. Smooth random data: neighbours are alike, as in images."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=[count, *shape[1:]])
    x = x + np.roll(x, 1, -1) + np.roll(x, 1, -2) + rng.normal(size=[count] + [1] * (len(shape) - 1))
    return {"x": (x / 2).astype(np.float32)}

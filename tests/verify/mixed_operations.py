"""Operations of mixed_networks.py: each adds one to a graph, with random operands and attributes."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper


# Layers ---------------------------------------------------------------------------------------------------------------

def windows(g, rank, transposed=False):
    k = [g.number(1, 4) for _ in range(rank)]
    a = {"kernel_shape": k, "strides": [g.pick(1, 1, 2, 3) for _ in range(rank)]}
    if g.chance(0.3):
        a["dilations"] = [g.pick(1, 2) for _ in range(rank)]
    if g.chance(0.15):
        a["auto_pad"] = g.pick("SAME_UPPER", "SAME_LOWER", "VALID")
    elif g.chance(0.7):
        a["pads"] = [g.number(0, s - 1) for s in k * 2]
    if transposed and g.chance(0.3):
        a["output_padding"] = [g.number(0, s - 1) for s in a["strides"]]
    return k, a


def conv(g):
    x = g.any(least=3)
    shape = g.shape(x)
    c, rank = shape[1], len(shape) - 2
    groups = g.pick(*[d for d in range(1, c + 1) if c % d == 0]) if g.chance(0.4) else 1
    outputs = groups * g.number(1, 12 // groups + 1)
    k, a = windows(g, rank)
    inputs = [x, g.weight(outputs, c // groups, *k)]
    if g.chance(0.7):
        inputs.append(g.constant(g.rng.normal(size=outputs) * 0.2))
    return g.op("Conv", *inputs, group=groups, **a)


def conv_transpose(g):
    x = g.any(least=3)
    shape = g.shape(x)
    c, rank = shape[1], len(shape) - 2
    groups = g.pick(*[d for d in range(1, c + 1) if c % d == 0]) if g.chance(0.3) else 1
    outputs = g.number(1, 8)
    k, a = windows(g, rank, True)
    inputs = [x, g.weight(c, outputs, *k, fan=c)]
    if g.chance():
        inputs.append(g.constant(g.rng.normal(size=groups * outputs) * 0.2))
    return g.op("ConvTranspose", *inputs, group=groups, **a)


def activated_layer(g):
    y = g.pick(conv, conv, conv_transpose, gemm, matmul)(g)
    if g.chance(0.3) and len(g.shape(y)) > 2:
        y = batch_norm(g, y)
    return unary(g, y, simple=True)


def gemm(g):
    x = g.any(2)
    m, k = g.shape(x)
    a = {}
    if g.chance(0.25):
        a["transA"], (m, k) = 1, (k, m)
    n = g.number(1, 16)
    swapped = g.chance()
    if swapped:
        a["transB"] = 1
    for key in ("alpha", "beta"):
        if g.chance(0.3):
            a[key] = g.pick(0.5, 2.0, 0.7)
    b = g.weight(*((n, k) if swapped else (k, n)), fan=k)
    c = g.pick([n], [1, n], [m, 1], [m, n], [], None)
    inputs = [x, b] + ([] if c is None else [g.constant(g.rng.normal(size=c) * 0.2)])
    return g.op("Gemm", *inputs, **a)


def gemm_of_two(g):
    x = g.any(2)
    fit = [t for t in g.pool if len(g.shape(t)) == 2 and g.shape(t)[0] == g.shape(x)[1]]
    if not fit:
        return g.op("Gemm", x, x, transB=1, alpha=0.2)
    return g.op("Gemm", x, g.pick(*fit), alpha=0.3)


def matmul(g):
    x = g.any(least=1)
    shape = g.shape(x)
    n, k = g.number(1, 16), shape[-1]
    how = g.pick("right", "right", "right", "left", "batch", "vector")
    if how == "right":
        y = g.op("MatMul", x, g.weight(k, n, fan=k))
    elif how == "left" and len(shape) > 1:
        y = g.op("MatMul", g.weight(n, shape[-2], fan=shape[-2]), x)
    elif how == "batch" and len(shape) > 2:
        y = g.op("MatMul", x, g.weight(*shape[:-2], k, n, fan=k))
    else:
        y = g.op("MatMul", x, g.weight(k, fan=k))
    if g.chance(0.5) and g.shape(y):
        bias = g.constant(g.rng.normal(size=g.shape(y)[-1:]) * 0.2)
        y = g.op("Add", *((y, bias) if g.chance() else (bias, y)))
    return y


def matmul_of_two(g):
    x = g.any(least=3)
    shape = g.shape(x)
    fit = [t for t in g.pool if len(g.shape(t)) >= 2 and g.shape(t)[-2] == shape[-1]]
    if fit and g.chance(0.7):
        y = g.op("MatMul", x, g.pick(*fit))
    else:
        perm = list(range(len(shape)))
        perm[-1], perm[-2] = perm[-2], perm[-1]
        turned = g.op("Transpose", x, perm=perm)
        y = g.op("MatMul", *((x, turned) if g.chance() else (turned, x)))
    if g.chance(0.4):
        y = g.op("Mul", y, g.constant(1 / np.sqrt(shape[-1])))
    return y


def einsum(g):
    x = g.any(3)
    b, t, d = g.shape(x)
    return g.op("Einsum", x, g.weight(d, 6, fan=d), equation="btd,df->btf")


# Elements -------------------------------------------------------------------------------------------------------------

SIMPLE = ["Relu", "LeakyRelu", "PRelu", "Clip", "Sigmoid", "HardSigmoid", "HardSwish", "Silu", "Swap"]
OTHERS = ["Tanh", "Elu", "Selu", "Celu", "Softplus", "Softsign", "ThresholdedRelu", "Mish", "Gelu", "Exp", "Log", "Sqrt",
          "Abs", "Neg", "Reciprocal", "Floor", "Ceil", "Round", "Sign", "Erf", "Sin", "Cos", "Identity", "Dropout", "Sinh",
          "Atan", "Asinh", "Half", "Integers", "Not", "IsNaN", "Shrink", "CumSum", "Hardmax"]


def unary(g, x=None, simple=False):
    x = x or g.any()
    shape = g.shape(x)
    kind = g.pick(*(SIMPLE if simple else SIMPLE + OTHERS))
    if kind == "PRelu":
        slope = g.pick([], [1], shape[1:2] + [1] * (len(shape) - 2), shape[-1:])
        return g.op("PRelu", x, g.constant(g.rng.uniform(-0.1, 0.5, slope)))
    if kind == "LeakyRelu":
        return g.op(kind, x, alpha=g.pick(0.01, 0.1, 0.3, -0.2))
    if kind == "HardSigmoid":
        return g.op(kind, x, **({"alpha": 1 / 6, "beta": 0.5} if g.chance() else {}))
    if kind == "Clip":
        low, high = g.pick((0, 6), (0, 1), (-1, 1), (-0.5, None), (None, 0.7), (0.2, 2), (-2, -0.1), (0, None))
        return g.op("Clip", x, "" if low is None else g.constant(low), *([] if high is None else [g.constant(high)]))
    if kind == "Silu":
        return g.op("Mul", *((x, g.op("Sigmoid", x)) if g.chance() else (g.op("Sigmoid", x), x)))
    if kind == "Swap":
        return x
    if kind in ("Log", "Sqrt", "Reciprocal"):
        x = g.op("Add", g.op("Abs", x), g.constant(0.3))
    if kind == "Half":
        return g.op("Cast", g.op("Cast", x, to=TensorProto.FLOAT16), to=TensorProto.FLOAT)
    if kind == "Integers":
        return g.op("Cast", g.op("Cast", x, to=g.pick(TensorProto.INT32, TensorProto.INT64)), to=TensorProto.FLOAT)
    if kind == "Not":
        flag = g.op("Not", g.op("Cast", g.op("Relu", x), to=TensorProto.BOOL))
        return g.op("Cast", flag, to=TensorProto.FLOAT)
    if kind == "IsNaN":
        return g.op("Where", g.op("IsNaN", x), g.constant(0), x)
    if kind == "Gelu" and g.opset < 20:
        erf = g.op("Add", g.op("Erf", g.op("Div", x, g.constant(np.sqrt(2)))), g.constant(1))
        return g.op("Mul", g.op("Mul", x, erf), g.constant(0.5))
    if kind == "Gelu":
        return g.op("Gelu", x, approximate=g.pick("none", "tanh"))
    if kind == "CumSum":
        return g.op("CumSum", x, g.constant(g.number(0, len(shape) - 1), np.int64), reverse=g.number(0, 1))
    if kind == "Hardmax":
        return g.op("Mul", x, g.op("Hardmax", x, axis=-1))
    return g.op(kind, x)


def arithmetic(g):
    x = g.any()
    shape = g.shape(x)
    kind = g.pick("Add", "Add", "Sub", "Mul", "Mul", "Div", "Pow", "Max", "Min", "Sum", "Mean")
    if g.chance(0.5):
        same = [t for t in g.pool if broadcasts(shape, g.shape(t))]
        y = g.pick(*same)
        if kind == "Div":
            y = g.op("Add", g.op("Abs", y), g.constant(0.4))
    else:
        part = g.pick([], shape[-1:], [1] * len(shape), shape[1:2] + [1] * (len(shape) - 2), shape)
        y = g.constant(g.rng.uniform(0.4, 1.6, part) * (g.pick(1, 1, -1) if kind != "Pow" else 1))
    if kind == "Pow":
        y = g.constant(g.pick(2, 3, 2, 0.5, -1))
        if g.value(y) < 1:
            x = g.op("Add", g.op("Abs", x), g.constant(0.3))
        return g.op("Pow", x, y)
    if kind in ("Max", "Min", "Sum", "Mean") and g.chance(0.3):
        return g.op(kind, x, y, g.pick(x, y))
    return g.op(kind, *((x, y) if g.chance() else (y, x)))


def broadcasts(a, b):
    return all(i == j or i == 1 or j == 1 for i, j in zip(reversed(a), reversed(b)))


def where(g):
    x = g.any()
    same = [t for t in g.pool if broadcasts(g.shape(x), g.shape(t))]
    y = g.pick(*same) if g.chance(0.6) else g.constant(g.pick(0, 0.5, -1))
    if g.chance():
        mask = g.constant(g.rng.random(g.shape(x)) < 0.6, bool)
    else:
        mask = g.op(g.pick("Greater", "Less"), x, g.constant(0.05))
        if g.chance(0.3):
            mask = g.op("And", mask, g.op("Less", x, g.constant(1)))
    return g.op("Where", mask, x, y)


# Windows and reductions -----------------------------------------------------------------------------------------------

def pool(g):
    x = g.any(least=3)
    rank = len(g.shape(x)) - 2
    kind = g.pick("MaxPool", "MaxPool", "AveragePool", "AveragePool", "LpPool")
    k, a = windows(g, rank)
    if kind == "AveragePool":
        a["count_include_pad"] = g.number(0, 1)
    if kind != "MaxPool" and (kind == "LpPool" or g.opset < 19):
        a.pop("dilations", None)
    if kind != "LpPool" and "auto_pad" not in a and g.chance(0.4):
        a["ceil_mode"] = 1
    return g.op(kind, x, **a)


def global_pool(g):
    x = g.any(least=3)
    kind = g.pick("GlobalAveragePool", "GlobalMaxPool", "ReduceMean", "GlobalLpPool")
    y = g.axes(kind, x, list(range(2, len(g.shape(x)))), keepdims=1) if kind == "ReduceMean" else g.op(kind, x)
    if g.chance(0.4):
        c = g.shape(x)[1]
        rank = len(g.shape(x)) - 2
        gate = g.op("Conv", y, g.weight(c, c, *[1] * rank), kernel_shape=[1] * rank)
        gate = g.op(g.pick("Sigmoid", "HardSigmoid"), gate)
        return g.op("Mul", *((x, gate) if g.chance() else (gate, x)))
    return y


def reduction(g):
    x = g.any(least=2)
    rank = len(g.shape(x))
    kind = g.pick("ReduceMean", "ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceLogSumExp",
                  "ReduceSumSquare", "ReduceProd")
    axes = sorted(int(a) for a in g.rng.choice(rank, g.number(1, rank - 1), replace=False))
    if g.chance(0.3):
        axes = [a - rank for a in axes]
    return g.axes(kind, x, axes, keepdims=g.pick(0, 1, 1))


def softmax(g):
    x = g.any(least=2)
    rank = len(g.shape(x))
    return g.op(g.pick("Softmax", "Softmax", "LogSoftmax"), x, axis=g.number(-rank, rank - 1))


def topk(g):
    x = g.any(least=2)
    values, _ = g.op("TopK", x, g.ints(min(3, g.shape(x)[-1])), outputs=2, axis=-1)
    return values


# Normalization --------------------------------------------------------------------------------------------------------

def batch_norm(g, x=None):
    x = x or g.any(least=2)
    c = g.shape(x)[1]
    values = [g.constant(v) for v in (g.rng.uniform(0.7, 1.3, c), g.rng.normal(size=c) * 0.2, g.rng.normal(size=c) * 0.2,
                                      g.rng.uniform(0.6, 1.5, c))]
    return g.op("BatchNormalization", x, *values)


def normalization(g):
    x = g.any(least=3)
    c, d = g.shape(x)[1], g.shape(x)[-1]
    kind = g.pick("batch", "instance", "layer", "layer", "lrn", "lp", "group", "mvn", "parts", "layer axis")
    if kind == "batch":
        return batch_norm(g, x)
    if kind == "instance":
        return g.op("InstanceNormalization", x, g.constant(g.rng.uniform(0.7, 1.3, c)), g.constant(g.rng.normal(size=c) * 0.2))
    if kind == "layer" and g.opset >= 17:
        more = [g.constant(g.rng.normal(size=d) * 0.1)] if g.chance(0.8) else []
        return g.op("LayerNormalization", x, g.constant(g.rng.uniform(0.7, 1.3, d)), *more, axis=-1)
    if kind == "layer axis" and g.opset >= 17:
        return g.op("LayerNormalization", x, g.constant(g.rng.uniform(0.7, 1.3, g.shape(x)[-2:])), axis=-2, epsilon=1e-3)
    if kind == "group" and g.opset >= 21:
        groups = g.pick(*[i for i in range(1, c + 1) if c % i == 0])
        return g.op("GroupNormalization", x, g.constant(g.rng.uniform(0.7, 1.3, c)), g.constant(g.rng.normal(size=c) * 0.1),
                    num_groups=groups)
    if kind == "lrn" and len(g.shape(x)) == 4:
        return g.op("LRN", x, size=g.pick(3, 5), alpha=0.1)
    if kind == "lp":
        return g.op("LpNormalization", x, axis=-1, p=g.pick(1, 2))
    if kind == "mvn" and len(g.shape(x)) == 4:
        return g.op("MeanVarianceNormalization", x)
    centred = g.op("Sub", x, g.axes("ReduceMean", x, [-1], keepdims=1))
    variance = g.axes("ReduceMean", g.op("Mul", centred, centred), [-1], keepdims=1)
    return g.op("Div", centred, g.op("Sqrt", g.op("Add", variance, g.constant(1e-3))))


# Moves ----------------------------------------------------------------------------------------------------------------

def concat(g):
    x = g.any(least=2)
    shape = g.shape(x)
    axis = g.number(0 if g.chance(0.1) else 1, len(shape) - 1)
    rest = shape[:axis] + shape[axis + 1:]
    same = [t for t in g.pool if len(g.shape(t)) == len(shape) and g.shape(t)[:axis] + g.shape(t)[axis + 1:] == rest]
    parts = [x] + [g.pick(*same) for _ in range(g.number(1, 3))]
    if g.chance(0.15):
        parts.append(g.constant(g.rng.normal(size=shape)))
    g.rng.shuffle(parts)
    return g.op("Concat", *parts, axis=axis if g.chance() else axis - len(shape))


def split(g):
    x = g.any(least=2)
    shape = g.shape(x)
    axis = g.number(1, len(shape) - 1)
    size = shape[axis]
    if size < 2:
        raise ValueError("small")
    first = g.number(1, size - 1)
    sizes = [first, size - first]
    if first > 1 and g.chance():
        sizes = [1, first - 1, size - first]
    parts = g.op("Split", x, split=sizes, outputs=len(sizes), axis=axis) if g.opset < 13 else \
        g.op("Split", x, g.ints(*sizes), outputs=len(sizes), axis=axis)
    for part in parts:
        g.new.append(part)
    return parts[0]


def cut(g):
    x = g.any(least=2)
    shape = g.shape(x)
    axis = g.number(1, len(shape) - 1)
    size = shape[axis]
    start, end, step = g.pick((1, size, 1), (0, -1, 1), (0, size, 2), (-1, -size - 1, -1), (size // 2, 1 << 60, 1))
    return g.op("Slice", x, g.ints(start), g.ints(end), g.ints(axis), g.ints(step))


def pad(g):
    x = g.any(least=3)
    rank = len(g.shape(x))
    begin, end = [[0, 0] + [g.pick(0, 1, 2) for _ in range(rank - 2)] for _ in range(2)]
    mode = g.pick("constant", "constant", "reflect", "edge") if g.opset < 19 else \
        g.pick("constant", "constant", "reflect", "edge", "wrap")
    if mode == "constant" and g.chance(0.2):
        begin[-1] = -1
    inputs = [x, g.ints(*begin, *end)]
    if mode == "constant" and g.chance():
        inputs.append(g.constant(g.pick(0.0, 0.5, -1.0)))
    return g.op("Pad", *inputs, mode=mode)


def resize(g):
    x = g.any(least=3)
    rank = len(g.shape(x))
    mode = g.pick("nearest", "nearest", "linear", "linear", "cubic")
    ways = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
    a = {"mode": mode, "coordinate_transformation_mode": g.pick(*ways)}
    if mode == "nearest":
        a["nearest_mode"] = g.pick("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")
    if mode == "cubic" and g.chance(0.3):
        a["cubic_coeff_a"] = -0.5
    if mode != "nearest" and g.opset >= 18 and g.chance(0.2):
        a["antialias"] = 1
    scales = [1.0, 1.0] + [g.pick(2.0, 2.0, 0.5, 1.5, 1.0, 0.7, 3.0) for _ in range(rank - 2)]
    if g.chance(0.6):
        return g.op("Resize", x, g.constant([]) if g.opset < 13 else "", g.constant(scales), **a)
    sizes = [max(1, int(s * f)) for s, f in zip(g.shape(x), scales)]
    empty = g.constant([]) if g.opset < 13 else ""
    return g.op("Resize", x, empty, empty, g.ints(*sizes), **a)


def turn(g):
    x = g.any(least=2)
    perm = [int(i) for i in g.rng.permutation(len(g.shape(x)) - 1) + 1]
    return g.op("Transpose", x, perm=[0, *perm])


def reshape(g):
    x = g.any(least=2)
    shape = g.shape(x)
    kind = g.pick("flat", "join", "flatten", "unsqueeze", "squeeze", "dynamic", "cut", "expand", "tile")
    if kind == "flat":
        return g.op("Reshape", x, g.ints(1, -1))
    if kind == "join" and len(shape) > 2:
        return g.op("Reshape", x, g.ints(0, 0, -1))
    if kind == "flatten":
        return g.op("Flatten", x, axis=g.number(1, len(shape) - 1))
    if kind == "squeeze":
        ones = [i for i, s in enumerate(shape) if s == 1 and i]
        return g.axes("Squeeze", x, [g.pick(*ones)]) if ones else x
    if kind == "dynamic":
        first = g.op("Slice", g.op("Shape", x), g.ints(0), g.ints(1), g.ints(0))
        return g.op("Reshape", x, g.op("Concat", first, g.ints(-1), g.ints(shape[-1]), axis=0))
    if kind == "expand":
        return g.op("Expand", x, g.ints(*[2 if s == 1 and i else s for i, s in enumerate(shape)]))
    if kind == "tile":
        return g.op("Tile", x, g.ints(*[1] * (len(shape) - 1), 2))
    if kind == "cut" and shape[1] % 2 == 0:
        return g.op("Reshape", x, g.ints(shape[0], 2, shape[1] // 2, *shape[2:]))
    return g.axes("Unsqueeze", x, [g.number(1, len(shape))])


def gather(g):
    x = g.any(least=2)
    shape = g.shape(x)
    axis = g.number(1, len(shape) - 1)
    size = shape[axis]
    kind = g.pick("Gather", "Gather", "one", "GatherElements", "GatherND", "ScatterND", "ScatterElements", "Compress")
    if kind == "Gather":
        return g.op("Gather", x, g.constant(g.rng.integers(-size, size, g.pick([3], [2, 2])), np.int64), axis=axis)
    if kind == "one":
        return g.op("Gather", x, g.constant(g.number(0, size - 1), np.int64), axis=axis)
    if kind == "GatherElements":
        return g.op("GatherElements", x, g.constant(g.rng.integers(0, size, shape), np.int64), axis=axis)
    if kind == "GatherND":
        return g.op("GatherND", x, g.constant([[0, 0], [0, shape[1] - 1]], np.int64))
    if kind == "ScatterND":
        update = g.op("Gather", x, g.constant([0], np.int64), axis=1)
        return g.op("ScatterND", x, g.constant([[[0, shape[1] - 1]]], np.int64), update)
    if kind == "Compress":
        return g.op("Compress", x, g.constant(g.rng.random(size) < 0.7, bool), axis=axis)
    return g.op("ScatterElements", x, g.constant(g.rng.integers(0, size, [1] * len(shape)), np.int64),
                g.constant(np.full([1] * len(shape), 0.5)), axis=axis)


def space(g):
    x = g.any(4)
    _, c, h, w = g.shape(x)
    if c % 4 == 0 and g.chance():
        return g.op("DepthToSpace", x, blocksize=2, mode=g.pick("DCR", "CRD"))
    if h % 2 == 0 and w % 2 == 0:
        return g.op("SpaceToDepth", x, blocksize=2)
    return x


# Bodies and recurrences -----------------------------------------------------------------------------------------------

def branch(g):
    x = g.any(least=3)
    shape = g.shape(x)
    c, rank = shape[1], len(shape) - 2
    name = f"if{len(g.nodes)}"

    def one(which):
        w = numpy_helper.from_array((g.rng.normal(size=[c, c] + [1] * rank) / np.sqrt(c)).astype(np.float32), f"{name}_{which}_w")
        nodes = [helper.make_node("Conv", [x, w.name], [f"{name}_{which}_c"], name=f"{name}_{which}_conv")]
        nodes.append(helper.make_node(g.pick("Relu", "Sigmoid"), [f"{name}_{which}_c"], [f"{name}_{which}_y"], name=f"{name}_{which}_a"))
        return helper.make_graph(nodes, which, [], [helper.make_tensor_value_info(f"{name}_{which}_y", TensorProto.FLOAT, shape)], [w])
    total = g.axes("ReduceSum", x, list(range(len(shape))), keepdims=0)
    return g.op("If", g.op("Greater", total, g.constant(0)), subgraph_reads=[x], then_branch=one("then"), else_branch=one("else"))


def loop(g):
    x = g.any(least=2)
    shape = g.shape(x)
    name, d = f"loop{len(g.nodes)}", shape[-1]
    w = numpy_helper.from_array((g.rng.normal(size=[d, d]) / np.sqrt(d)).astype(np.float32), name + "_w")
    nodes = [helper.make_node("Identity", [name + "_c"], [name + "_k"]),
             helper.make_node("MatMul", [name + "_s", w.name], [name + "_m"], name=name + "_mm"),
             helper.make_node("Tanh", [name + "_m"], [name + "_t"], name=name + "_tanh")]
    inner = helper.make_graph(
        nodes, name, [helper.make_tensor_value_info(name + "_i", TensorProto.INT64, []),
                      helper.make_tensor_value_info(name + "_c", TensorProto.BOOL, []),
                      helper.make_tensor_value_info(name + "_s", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(name + "_k", TensorProto.BOOL, []),
         helper.make_tensor_value_info(name + "_t", TensorProto.FLOAT, shape)], [w])
    return g.op("Loop", g.constant(g.number(1, 3), np.int64), g.constant(True, bool), x, body=inner)


def scan(g):
    x = g.any(3)
    _, t, d = g.shape(x)
    name = f"scan{len(g.nodes)}"
    w = numpy_helper.from_array((g.rng.normal(size=[d, d]) / np.sqrt(d)).astype(np.float32), name + "_w")
    nodes = [helper.make_node("Add", [name + "_s", name + "_x"], [name + "_a"], name=name + "_add"),
             helper.make_node("MatMul", [name + "_a", w.name], [name + "_m"], name=name + "_mm"),
             helper.make_node("Tanh", [name + "_m"], [name + "_n"], name=name + "_tanh"),
             helper.make_node("Identity", [name + "_n"], [name + "_y"], name=name + "_id")]
    one = lambda n: helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, d])
    inner = helper.make_graph(nodes, name, [one(name + "_s"), one(name + "_x")], [one(name + "_n"), one(name + "_y")], [w])
    steps = g.op("Transpose", x, perm=[1, 0, 2])
    _, y = g.op("Scan", g.constant(np.zeros([1, d])), steps, outputs=2, num_scan_inputs=1, body=inner)
    return y


def recurrent(g):
    x = g.op("Transpose", g.any(3), perm=[1, 0, 2])
    t, _, d = g.shape(x)
    kind, gates = g.pick(("LSTM", 4), ("GRU", 3), ("RNN", 1))
    size, direction = g.number(3, 8), g.pick("forward", "reverse", "bidirectional")
    ways = 2 if direction == "bidirectional" else 1
    inputs = [x, g.weight(ways, gates * size, d, fan=d), g.weight(ways, gates * size, size, fan=size)]
    if g.chance(0.8):
        inputs.append(g.constant(g.rng.normal(size=[ways, 2 * gates * size]) * 0.1))
        if g.chance(0.4):
            inputs += ["", g.constant(g.rng.normal(size=[ways, 1, size]) * 0.3)]
    a = {"linear_before_reset": g.number(0, 1)} if kind == "GRU" else {}
    outputs = g.op(kind, *inputs, outputs=2, hidden_size=size, direction=direction, **a)
    return g.pick(*outputs)


KINDS = [activated_layer] * 8 + [conv] * 4 + [conv_transpose] * 2 + [gemm] * 3 + [matmul] * 4 + \
    [matmul_of_two, gemm_of_two, einsum] + [unary] * 8 + [arithmetic] * 8 + [where] * 2 + [pool] * 4 + [global_pool] * 2 + \
    [reduction] * 3 + [softmax] * 2 + [topk] + [normalization] * 3 + [concat] * 4 + [split] * 2 + [cut] * 2 + [pad] * 2 + \
    [resize] * 3 + [turn] * 2 + [reshape] * 3 + [gather] * 2 + [space] + [branch, loop, scan, recurrent]

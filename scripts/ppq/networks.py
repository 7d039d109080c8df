"""Small seeded networks that together cover the fusion, simplification, alignment and passive-parameter rules.

Opset 11, one float32 input "x", weights from a generator seeded by the network's name. Each line of a network is one
operation, named after its output, so that a difference is easy to locate.
"""
import sys
from pathlib import Path

import numpy as np
import onnx
import onnx.shape_inference
from onnx import helper

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from testmodels.builder import F32, Model, f32, i64, write, write_npz

SAMPLES = 8
NETWORKS = {}


class Network(Model):
    """A test model whose operations make their own parameters. Methods return the name of the output."""

    def __init__(self, name, *shape):
        super().__init__(name, "", opset=11)
        self.shape = shape
        self.inputs.append(helper.make_tensor_value_info("x", F32, shape))

    def op(self, kind, out, *inputs, **attributes):
        self.node(kind, " ".join(inputs), out, **attributes)
        return out

    def weights(self, name, *shape, scale=1.0):
        """Channels of very different ranges along axis 0."""
        spread = np.exp2(self.random.uniform(-2, 2, shape[:1])).astype(np.float32).reshape([-1] + [1] * (len(shape) - 1))
        self.init(name, self.rand(*shape, scale=scale / np.sqrt(np.prod(shape[1:]))) * spread)
        return name

    def conv(self, out, x, cin, cout, kernel=3, group=1, bias=True, stride=1):
        inputs = [x, self.weights(out + "_w", cout, cin // group, kernel, kernel)]
        if bias:
            self.init(out + "_b", self.rand(cout, scale=0.2))
            inputs.append(out + "_b")
        return self.op("Conv", out, *inputs, kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4, group=group, strides=[stride] * 2)

    def batch_norm(self, out, x, channels):
        self.init(out + "_g", self.rand(channels, scale=0.3) + 1)
        self.init(out + "_b", self.rand(channels, scale=0.3))
        self.init(out + "_m", self.rand(channels, scale=0.3))
        self.init(out + "_v", self.random.uniform(0.3, 2, channels).astype(np.float32))
        return self.op("BatchNormalization", out, x, *(out + s for s in ("_g", "_b", "_m", "_v")))

    def clip(self, out, x, low=0, high=6):
        self.init(out + "_lo", f32(low).reshape(()))
        self.init(out + "_hi", f32(high).reshape(()))
        return self.op("Clip", out, x, out + "_lo", out + "_hi")

    def gemm(self, out, x, cin, cout, trans=1):
        self.weights(out + "_w", *((cout, cin) if trans else (cin, cout)))
        self.init(out + "_b", self.rand(cout, scale=0.2))
        return self.op("Gemm", out, x, out + "_w", out + "_b", transB=trans)

    def matmul(self, out, x, cin, cout):
        return self.op("MatMul", out, x, self.weights(out + "_w", cin, cout))

    def constant(self, name, value):
        self.init(name, np.asarray(value))
        return name

    def result(self, *names):
        self.outputs += [helper.make_tensor_value_info(name, F32, None) for name in names]

    def data(self):
        """SAMPLES inputs; the later ones are wider, so that a mean over batches is not the range of all."""
        widths = np.linspace(0.6, 1.6, SAMPLES, dtype=np.float32).reshape([-1] + [1] * (len(self.shape) - 1))
        return {"x": self.rand(SAMPLES, *self.shape[1:]) * widths + np.float32(0.1)}


def network(*shape):
    def register(build):
        NETWORKS[build.__name__] = (build, shape)
        return build
    return register


@network(1, 3, 10, 10)
def mobile(n):
    """BN folding, depthwise, ReLU6 in both forms, a linear bottleneck Add, and an Add into Relu."""
    stem = n.clip("clip1", n.batch_norm("bn1", n.conv("conv1", "x", 3, 8, bias=False), 8))
    deep = n.clip("clip2", n.batch_norm("bn2", n.conv("conv2", stem, 8, 8, group=8, bias=False), 8))
    line = n.batch_norm("bn3", n.conv("conv3", deep, 8, 8, kernel=1), 8)
    again = n.conv("conv4", n.op("Add", "add1", line, stem), 8, 8)
    out = n.op("Relu", "relu1", n.op("Add", "add2", again, "add1"))
    flat = n.op("Flatten", "flat", n.op("GlobalAveragePool", "gap", out))
    n.result(n.gemm("fc", flat, 8, 5))


@network(1, 3, 12, 12)
def branches(n):
    """Concat of a Relu, a pooled and a linear branch, with producers that have other consumers, and a Resize."""
    a = n.op("Relu", "relu_a", n.conv("conv_a", "x", 3, 6))
    b = n.op("MaxPool", "pool_b", a, kernel_shape=[3, 3], pads=[1] * 4, strides=[1, 1])
    c = n.conv("conv_c", a, 6, 4)
    d = n.op("AveragePool", "pool_d", c, kernel_shape=[3, 3], pads=[1] * 4, strides=[1, 1])
    joined = n.op("Concat", "concat1", a, b, c, d, axis=1)
    small = n.op("Relu", "relu_e", n.conv("conv_e", joined, 20, 6, stride=2))
    n.init("roi", f32())
    n.init("scales", f32(1, 1, 2, 2))
    large = n.op("Resize", "resize", small, "roi", "scales", mode="nearest")
    n.result(n.conv("conv_f", n.op("Concat", "concat2", large, joined, axis=1), 26, 4))


@network(1, 4, 9, 9)
def activations(n):
    """Every activation that a fusion list names, fused and not, Swish and Mish."""
    y = n.conv("conv1", "x", 4, 6)
    y = n.conv("conv2", n.op("Mul", "swish", y, n.op("Sigmoid", "sig", y)), 6, 6)
    y = n.conv("conv3", n.op("LeakyRelu", "leaky", y, alpha=0.1), 6, 6)
    y = n.conv("conv4", n.op("Sigmoid", "sig2", y), 6, 6)
    y = n.conv("conv5", n.op("Mul", "mish", y, n.op("Tanh", "tanh", n.op("Softplus", "soft", y))), 6, 6)
    n.init("slope", n.random.uniform(0.05, 0.4, (6, 1, 1)).astype(np.float32))
    y = n.conv("conv6", n.op("PRelu", "prelu", y, "slope"), 6, 6)
    y = n.conv("conv7", n.clip("clip", y, -1, 1), 6, 6)
    n.result(n.op("Softmax", "softmax", n.op("Flatten", "flat", n.op("GlobalAveragePool", "gap", y)), axis=1))


@network(1, 4, 8, 8)
def elementwise(n):
    """Chains of Add, an Add of one tensor with itself, constants, Sub, Div, Max, and Relu after them."""
    a, b = n.conv("conv_a", "x", 4, 4), n.conv("conv_b", "x", 4, 4, kernel=1)
    s = n.op("Add", "add2", n.op("Add", "add1", a, b), n.conv("conv_c", a, 4, 4))
    s = n.op("Relu", "relu1", n.op("Mul", "mul1", s, n.constant("k1", n.rand(1, 4, 1, 1))))
    t = n.conv("conv_d", s, 4, 4)
    t = n.op("Add", "twice", t, t)
    t = n.conv("conv_e", n.op("Mul", "square", t, t), 4, 4)
    t = n.op("Sub", "sub1", t, n.conv("conv_f", s, 4, 4))
    t = n.op("Max", "max1", n.op("Div", "div1", t, n.constant("k2", f32(1.5))), n.conv("conv_g", s, 4, 4))
    t = n.op("Relu", "relu2", n.op("Add", "shift", t, n.constant("k3", f32(0.25).reshape(1))))
    n.result(n.conv("conv_h", t, 4, 3))


@network(1, 4, 10, 10)
def shapes(n):
    """Passive operations, a reshape from a shape computation, Slice, Pad, Split, Squeeze between compute operations."""
    y = n.conv("conv1", "x", 4, 8)
    dims = n.op("Shape", "dims", y)
    batch = n.op("Gather", "batch", dims, n.constant("zero", np.array(0, np.int64)), axis=0)
    target = n.op("Concat", "target", n.op("Unsqueeze", "batch1", batch, axes=[0]), n.constant("rest", i64(8, 100)), axis=0)
    z = n.op("Transpose", "swap", n.op("Reshape", "rows", y, target), perm=[0, 2, 1])
    z = n.op("Reshape", "square", n.op("Transpose", "swap2", z, perm=[0, 2, 1]), n.constant("shape4", i64(1, 8, 10, 10)))
    z = n.conv("conv2", z, 8, 8)
    z = n.op("Slice", "slice", z, n.constant("from", i64(1, 1)), n.constant("to", i64(9, 9)), n.constant("axes", i64(2, 3)))
    z = n.op("Pad", "pad", z, n.constant("pads", i64(0, 0, 1, 1, 0, 0, 1, 1)), n.constant("fill", f32(0.3).reshape(())))
    z = n.conv("conv3", z, 8, 8)
    n.node("Split", z, "left right", name="split", axis=1, split=[4, 4])
    z = n.op("Add", "sum", n.conv("conv4", "left", 4, 4), "right")
    z = n.op("Squeeze", "squeeze", n.op("GlobalMaxPool", "gmp", z), axes=[2, 3])
    n.result(n.gemm("fc", z, 4, 3, trans=0))


@network(1, 6, 16)
def attention(n):
    """MatMul with weights and with activations, Softmax, a hand-made layer normalisation, Gemm after Reshape."""
    q, k, v = (n.op("Add", p + "_bias", n.matmul(p, "x", 16, 16), n.constant(p + "_b", n.rand(16, scale=0.2))) for p in "qkv")
    score = n.op("MatMul", "score", q, n.op("Transpose", "k_t", k, perm=[0, 2, 1]))
    score = n.op("Softmax", "softmax", n.op("Mul", "scaled", score, n.constant("factor", f32(0.25).reshape(()))), axis=2)
    y = n.op("Add", "residual", n.op("MatMul", "mix", score, v), "x")
    centred = n.op("Sub", "centred", y, n.op("ReduceMean", "mean", y, axes=[2], keepdims=1))
    power = n.op("Pow", "power", centred, n.constant("two", f32(2).reshape(())))
    spread = n.op("Add", "eps", n.op("ReduceMean", "var", power, axes=[2], keepdims=1), n.constant("e", f32(1e-5).reshape(())))
    y = n.op("Div", "norm", centred, n.op("Sqrt", "dev", spread))
    y = n.op("Mul", "gain", y, n.constant("g", n.rand(16, scale=0.2) + 1))
    y = n.op("Relu", "relu", n.matmul("up", y, 16, 24))
    y = n.op("Reshape", "flat", n.matmul("down", y, 24, 4), n.constant("to", i64(1, 24)))
    n.result(n.gemm("fc", y, 24, 3))


@network(1, 6, 7, 7)
def upsampling(n):
    """ConvTranspose with and without groups, BN after it, Relu, a skip connection by Concat and by Add."""
    a = n.op("Relu", "relu1", n.conv("conv1", "x", 6, 8))
    down = n.op("Relu", "relu2", n.conv("conv2", a, 8, 8, stride=2))
    n.weights("up1_w", 8, 6, 2, 2)
    n.init("up1_b", n.rand(6, scale=0.2))
    up = n.op("ConvTranspose", "up1", down, "up1_w", "up1_b", kernel_shape=[2, 2], strides=[2, 2], pads=[0] * 4, group=1)
    up = n.op("Relu", "relu3", n.batch_norm("bn1", up, 6))
    n.init("cut_roi", f32())
    n.init("cut_scales", f32(1, 1, 7 / 8, 7 / 8))
    up = n.op("Resize", "cut", up, "cut_roi", "cut_scales", mode="linear", coordinate_transformation_mode="asymmetric")
    both = n.op("Relu", "relu4", n.conv("conv3", n.op("Concat", "skip", up, a, axis=1), 14, 8))
    n.weights("up2_w", 8, 2, 3, 3)
    grouped = n.op("ConvTranspose", "up2", both, "up2_w", kernel_shape=[3, 3], pads=[1] * 4, group=2)
    n.result(n.conv("conv4", n.op("Add", "sum", grouped, n.conv("conv5", both, 8, 4)), 4, 2))


def write_all(folder):
    """Writes NAME.onnx and NAME.npz (calibration data) of every network. @returns the names."""
    folder = Path(folder)
    for name, (build, shape) in NETWORKS.items():
        n = Network(name, *shape)
        build(n)
        proto = n.proto()
        inferred = onnx.shape_inference.infer_shapes(proto, strict_mode=True)
        for output, known in zip(proto.graph.output, inferred.graph.output):
            output.CopyFrom(known)
        onnx.checker.check_model(proto)
        write(folder / f"{name}.onnx", proto.SerializeToString())
        write_npz(folder / f"{name}.npz", n.data())
    return list(NETWORKS)

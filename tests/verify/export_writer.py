"""Writes a network as exporters of frameworks do, for exported_networks.py."""
import numpy as np
import onnxruntime
from onnx import TensorProto, checker, helper, numpy_helper

FLOAT = TensorProto.FLOAT


class Export:
    """Nodes and parameters of one file. Methods return the name of a tensor; `c` is its number of channels."""

    def __init__(self, seed, opset):
        self.rng, self.opset = np.random.default_rng(seed), opset
        self.nodes, self.parameters, self.inputs, self.outputs = [], [], [], []

    def pick(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def chance(self, share=0.5):
        return bool(self.rng.random() < share)

    def op(self, kind, *inputs, outputs=1, **attributes):
        name = f"/{kind}_{len(self.nodes)}"
        results = [f"{name}_output_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, [i if i else "" for i in inputs], results, name=name, **attributes))
        return results[0] if outputs == 1 else results

    def parameter(self, value, dtype=np.float32):
        name = f"p.{len(self.parameters)}"
        self.parameters.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def constant(self, value, dtype=np.float32):
        """A Constant node, as PyTorch's exporter writes scalars and shapes."""
        value = numpy_helper.from_array(np.asarray(value, dtype))
        return self.op("Constant", value=value)

    def ints(self, *values):
        return self.constant(values, np.int64)

    def normal(self, *shape, size=1.0, mean=0.0):
        return self.parameter(self.rng.normal(size=shape) * size + mean)

    def weight(self, *shape, gain=1.6):
        # channels of different magnitude, as trained ones have
        value = self.rng.normal(size=shape) * np.sqrt(gain / np.prod(shape[1:]))
        return self.parameter(value * np.exp(self.rng.normal(size=[shape[0]] + [1] * (len(shape) - 1)) * 0.4))

    # Layers -----------------------------------------------------------------------------------------------------------

    def conv(self, x, c, outputs, k=3, stride=1, groups=1, bias=True, dilation=1, pads=None, rank=2):
        pads = pads or [dilation * (k // 2)] * (2 * rank)
        inputs = [x, self.weight(outputs, c // groups, *[k] * rank)]
        if bias:
            inputs.append(self.normal(outputs, size=0.2))
        return self.op("Conv", *inputs, kernel_shape=[k] * rank, strides=[stride] * rank, pads=pads, group=groups,
                       dilations=[dilation] * rank)

    def batchnorm(self, x, c):
        rng = self.rng
        values = [self.parameter(v) for v in (rng.uniform(0.6, 1.4, c), rng.normal(size=c) * 0.3,
                                              rng.normal(size=c) * 0.3, rng.uniform(0.5, 1.6, c))]
        return self.op("BatchNormalization", x, *values, epsilon=1e-5, momentum=0.9)

    def linear(self, x, features, outputs, bias=True):
        y = self.op("MatMul", x, self.parameter(self.rng.normal(size=[features, outputs]) * np.sqrt(1.3 / features)))
        return self.op("Add", self.normal(outputs, size=0.1), y) if bias else y

    def gemm(self, x, features, outputs):
        return self.op("Gemm", x, self.weight(outputs, features, gain=1.3), self.normal(outputs, size=0.1), transB=1)

    def transposed_conv(self, x, c, outputs, k=2, stride=2, pad=0, extra=0):
        return self.op("ConvTranspose", x, self.parameter(self.rng.normal(size=[c, outputs, k, k]) * np.sqrt(1.6 / c)),
                       self.normal(outputs, size=0.2), kernel_shape=[k, k], strides=[stride] * 2, pads=[pad] * 4,
                       output_padding=[extra] * 2)

    def axes_op(self, kind, x, axes, **attributes):
        """Squeeze, Unsqueeze or ReduceSum, whose axes became an input in opset 13."""
        if self.opset >= 13:
            return self.op(kind, x, self.ints(*axes), **attributes)
        return self.op(kind, x, axes=axes, **attributes)

    def mean(self, x, axes, keepdims=1):
        return self.op("ReduceMean", x, axes=axes, keepdims=keepdims)

    def split(self, x, sizes, axis=1):
        if self.opset >= 13:
            return self.op("Split", x, self.ints(*sizes), outputs=len(sizes), axis=axis)
        return self.op("Split", x, outputs=len(sizes), axis=axis, split=list(sizes))

    def cut(self, x, start, end, axis, step=1):
        return self.op("Slice", x, self.ints(start), self.ints(end), self.ints(axis), self.ints(step))

    def resize(self, x, scales, sizes=None, **attributes):
        unused = "" if self.opset >= 13 else self.constant([])  # opset 13 made inputs 1 and 2 optional
        if sizes:
            return self.op("Resize", x, unused, unused, sizes, **attributes)
        return self.op("Resize", x, unused, self.constant(scales), **attributes)

    def reshape(self, x, *shape):
        return self.op("Reshape", x, self.ints(*shape))

    def reshape_by_batch(self, x, *shape):
        """Reshape to [batch of x, shape...], as PyTorch writes x.view(x.size(0), ...)."""
        batch = self.op("Gather", self.op("Shape", x), self.constant(0, np.int64), axis=0)
        parts = [self.axes_op("Unsqueeze", batch, [0])] + [self.ints(s) for s in shape]
        return self.op("Reshape", x, self.op("Concat", *parts, axis=0))

    # Activations ------------------------------------------------------------------------------------------------------

    def relu6(self, x):
        return self.op("Clip", x, self.constant(0), self.constant(6))

    def silu(self, x):
        return self.op("Mul", x, self.op("Sigmoid", x))

    def hardsigmoid(self, x):
        if self.chance():
            return self.op("HardSigmoid", x, alpha=1 / 6)
        y = self.op("Clip", self.op("Add", x, self.constant(3)), self.constant(0), self.constant(6))
        return self.op("Div", y, self.constant(6))

    def hardswish(self, x):
        if self.opset >= 14 and self.chance():
            return self.op("HardSwish", x)
        return self.op("Mul", x, self.hardsigmoid(x))

    def gelu(self, x):
        if self.chance(0.25):  # the approximation by Tanh
            cube = self.op("Mul", self.op("Pow", x, self.constant(3)), self.constant(0.044715))
            y = self.op("Tanh", self.op("Mul", self.op("Add", x, cube), self.constant(0.7978846)))
            return self.op("Mul", self.op("Mul", x, self.constant(0.5)), self.op("Add", y, self.constant(1)))
        y = self.op("Add", self.op("Erf", self.op("Div", x, self.constant(1.4142135))), self.constant(1))
        return self.op("Mul", self.op("Mul", x, y), self.constant(0.5))

    def layernorm(self, x, d):
        scale, bias = self.normal(d, size=0.2, mean=1), self.normal(d, size=0.1)
        if self.opset >= 17:
            return self.op("LayerNormalization", x, scale, bias, axis=-1, epsilon=1e-5)
        centred = self.op("Sub", x, self.mean(x, [-1]))
        variance = self.mean(self.op("Pow", centred, self.constant(2)), [-1])
        deviation = self.op("Sqrt", self.op("Add", variance, self.constant(1e-5)))
        return self.op("Add", self.op("Mul", self.op("Div", centred, deviation), scale), bias)

    def squeeze_excite(self, x, c, inner, gate):
        y = self.op("GlobalAveragePool", x) if self.chance() else self.mean(x, [2, 3])
        y = self.op("Relu", self.conv(y, c, inner, 1))
        return self.op("Mul", gate(self.conv(y, inner, c, 1)), x)

    def classify(self, x, c, classes=24):
        y = self.op("GlobalAveragePool", x) if self.chance() else self.mean(x, [2, 3])
        y = self.op("Flatten", y, axis=1) if self.chance() else self.reshape(y, -1, c)
        return self.gemm(y, c, classes)

    def conv_bn(self, x, c, outputs, k=3, stride=1, groups=1, act=None):
        """With the BatchNormalization merged into the Conv, as most exporters do, or not."""
        if self.merged:
            y = self.conv(x, c, outputs, k, stride, groups)
        else:
            y = self.batchnorm(self.conv(x, c, outputs, k, stride, groups, bias=False), outputs)
        return act(y) if act else y

    def relu(self, x):
        return self.op("Relu", x)

    # The file ---------------------------------------------------------------------------------------------------------

    def input(self, shape, dtype=FLOAT, name="input", open_batch=False):
        self.inputs.append((name, shape, dtype, open_batch))
        return name

    def model(self, outputs):
        named = []
        for i, result in enumerate(outputs):
            name = f"output{i}"
            for node in self.nodes:
                node.output[:] = [name if o == result else o for o in node.output]
                node.input[:] = [name if o == result else o for o in node.input]
            named.append(name)
        values = [helper.make_tensor_value_info(n, t, (["batch"] if is_open else [s[0]]) + list(s[1:]))
                  for n, s, t, is_open in self.inputs]
        graph = helper.make_graph(self.nodes, "main_graph", values,
                                  [helper.make_tensor_value_info(n, FLOAT, None) for n in named], self.parameters)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)
        # Exporters of frameworks know the shapes, as they run the network
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        zeros = {n: np.zeros(s, helper.tensor_dtype_to_np_dtype(t)) for n, s, t, _ in self.inputs}
        shapes = [list(result.shape) for result in session.run(None, zeros)]
        if any(is_open for *_, is_open in self.inputs):
            shapes = [["batch", *shape[1:]] for shape in shapes]
        del model.graph.output[:]
        model.graph.output.extend(helper.make_tensor_value_info(n, FLOAT, s) for n, s in zip(named, shapes))
        checker.check_model(model, full_check=True)
        return model

"""The builder of one test model, file writers, and shared reference expressions."""

import sys
import zipfile
import zlib

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper

SIZE_LIMIT = 100_000  # bytes of one file, house rule for golden models
F32 = TensorProto.FLOAT
NP_TYPE = {
    np.dtype(k): v
    for k, v in {
        "float32": F32,
        "float64": TensorProto.DOUBLE,
        "float16": TensorProto.FLOAT16,
        "bool": TensorProto.BOOL,
        "int8": TensorProto.INT8,
        "uint8": TensorProto.UINT8,
        "int16": TensorProto.INT16,
        "uint16": TensorProto.UINT16,
        "int32": TensorProto.INT32,
        "uint32": TensorProto.UINT32,
        "int64": TensorProto.INT64,
        "uint64": TensorProto.UINT64,
    }.items()
}
GOOD, BAD = [], []  # (name, text) rows of the two README tables


def i64(*values):
    return np.array(values, dtype=np.int64)


def f32(*values):
    return np.array(values, dtype=np.float32)


def t(array):
    return torch.from_numpy(np.array(array))


class Model:
    """One ONNX file while it is being built. Names are given by the caller and are what tests refer to."""

    def __init__(self, name, note, opset=13, ir=7, domains=()):
        self.name, self.note, self.ir = name, note, ir
        self.opsets = [helper.make_opsetid("", opset)] + [helper.make_opsetid(d, v) for d, v in domains]
        self.random = np.random.RandomState(zlib.crc32(name.encode()))
        self.nodes, self.inits, self.inputs, self.outputs, self.golden = [], [], [], [], {}

    def rand(self, *shape, scale=1.0):
        return (self.random.standard_normal(shape) * scale).astype(np.float32)

    def input(self, name, value, shape=None):
        """Declares a graph input with its golden value; shape may name dynamic dimensions."""
        value = np.asarray(value)
        shape = value.shape if shape is None else shape
        self.inputs.append(helper.make_tensor_value_info(name, NP_TYPE[value.dtype], shape))
        self.golden["in__" + name] = value
        return value

    def init(self, name, value, raw=True):
        value = np.asarray(value)
        data = value.tobytes() if raw else value.flatten().tolist()
        self.inits.append(helper.make_tensor(name, NP_TYPE[value.dtype], value.shape, data, raw=raw))
        return value

    def node(self, kind, inputs, outputs, name=None, **attributes):
        inputs, outputs = inputs.split(), outputs.split()
        inputs = ["" if i == "-" else i for i in inputs]  # "-" is an omitted optional input
        node = helper.make_node(kind, inputs, outputs, name=outputs[0] if name is None else name, **attributes)
        self.nodes.append(node)
        return node

    def output(self, name, value, shape=None):
        value = value.numpy() if isinstance(value, torch.Tensor) else np.asarray(value)
        self.outputs.append(
            helper.make_tensor_value_info(name, NP_TYPE[value.dtype], value.shape if shape is None else shape)
        )
        self.golden["out__" + name] = value

    def proto(self):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.inits)
        return helper.make_model(graph, opset_imports=self.opsets, ir_version=self.ir, producer_name="quantloupe tests")

    def save(self, folder, proto=None, check=True):
        proto = self.proto() if proto is None else proto
        if check:
            onnx.checker.check_model(proto)
        write(folder / (self.name + ".onnx"), proto.SerializeToString())
        write_npz(folder / (self.name + ".npz"), self.golden)
        GOOD.append((self.name + ".onnx", self.note))


def write(path, data):
    if len(data) >= SIZE_LIMIT:
        sys.exit(f"make-test-models: {path} has {len(data)} bytes, the limit is {SIZE_LIMIT}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def write_npz(path, arrays):
    """Like numpy.savez, but with a fixed time in every entry so that equal arrays give equal files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for key, value in arrays.items():
            entry = zipfile.ZipInfo(key + ".npy", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as stream:
                value = np.asarray(value)
                if value.ndim:
                    value = np.ascontiguousarray(value)
                np.lib.format.write_array(stream, value, version=(1, 0))


# ---- reference expressions ------------------------------------------------------------------------------------------
def conv(x, w, b=None, **options):
    return F.conv2d(t(x), t(w), None if b is None else t(b), **options)


def batch_norm(x, gamma, beta, mean, var, epsilon=1e-5):
    """Inference form over axis 1 for any rank."""
    x = t(x)
    shape = [1, -1] + [1] * (x.dim() - 2)
    gamma, beta, mean, var = (t(v).reshape(shape) for v in (gamma, beta, mean, var))
    return (x - mean) / torch.sqrt(var + epsilon) * gamma + beta


def resize_axis(x, axis, size, scale, mode, coordinates, nearest="round_prefer_floor"):
    """Resamples one axis as ONNX Resize does (linear and cubic clamp at the border, cubic a = -0.75)."""
    x = np.moveaxis(x.astype(np.float64), axis, -1)
    n = x.shape[-1]
    out = np.zeros(x.shape[:-1] + (size,))
    for i in range(size):
        if coordinates == "asymmetric":
            pos = i / scale
        elif coordinates == "align_corners":
            pos = i * (n - 1) / (size - 1) if size > 1 else 0.0
        elif coordinates == "pytorch_half_pixel":
            pos = (i + 0.5) / scale - 0.5 if size > 1 else 0.0
        else:
            pos = (i + 0.5) / scale - 0.5
        if mode == "nearest":
            k = {
                "floor": np.floor(pos),
                "ceil": np.ceil(pos),
                "round_prefer_floor": np.ceil(pos - 0.5),
                "round_prefer_ceil": np.floor(pos + 0.5),
            }[nearest]
            out[..., i] = x[..., int(min(max(k, 0), n - 1))]
        else:
            base = int(np.floor(pos))
            r = pos - base
            if mode == "linear":
                taps = {0: 1 - r, 1: r}
            else:
                a = -0.75
                taps = {}
                for k in (-1, 0, 1, 2):
                    d = abs(r - k)
                    taps[k] = (
                        ((a + 2) * d - (a + 3)) * d * d + 1 if d <= 1 else ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
                    )
            for k, weight in taps.items():
                out[..., i] += weight * x[..., min(max(base + k, 0), n - 1)]
    return np.moveaxis(out, -1, axis)


def resize(x, mode, coordinates, scales=None, sizes=None, nearest="round_prefer_floor"):
    out = x
    for axis in range(2, x.ndim):
        size = int(sizes[axis]) if sizes is not None else int(np.floor(x.shape[axis] * scales[axis]))
        scale = size / x.shape[axis] if sizes is not None else scales[axis]
        if size != x.shape[axis] or scale != 1:
            out = resize_axis(out, axis, size, scale, mode, coordinates, nearest)
    return out.astype(np.float32)


def set_external(tensor, location, offset=None, length=None):
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        if value is not None:
            entry = tensor.external_data.add()
            entry.key, entry.value = key, str(value)

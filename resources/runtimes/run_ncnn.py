"""ncnn, for driver.py: converts the ONNX file with pnnx, puts the scales of the table next to it into ncnn's files, as
ncnn2int8 does, and runs the result."""
import importlib.metadata
import importlib.util
import pathlib
import subprocess
import tempfile

import ncnn
import numpy as np
import onnx
from onnx import helper, numpy_helper

CONVOLUTIONS = ("Convolution", "ConvolutionDepthWise", "Deconvolution", "DeconvolutionDepthWise")
TAGGED, PLAIN = True, False  # whether a tag is in front of values in the .bin


def version():
    return importlib.metadata.version("ncnn")


def converter():
    found = importlib.util.find_spec("pnnx")
    if not found:
        raise SystemExit("the package pnnx, which converts ONNX files for ncnn, is missing")
    return pathlib.Path(found.submodule_search_locations[0]) / "pnnx"


def table_of(file):
    """Scales by the names of operations: of their weights, of their input."""
    weights, inputs = {}, {}
    for line in file.read_text(encoding="utf-8").splitlines():
        name, *numbers = line.split()
        into, name = (weights, name[:-len("_param_0")]) if name.endswith("_param_0") else (inputs, name)
        into[name] = np.array([float(n) for n in numbers], dtype=np.float32)
    return weights, inputs


def constants(graph, names):
    values = {i.name: i for i in graph.initializer}
    return [numpy_helper.to_array(values[n]).tolist() if n in values else None for n in names]


def of_constants(graph):
    """Tensors that no input changes, such as the pads that PyTorch computes: pnnx computes them."""
    known = {i.name for i in graph.initializer} | {""}
    for node in graph.node:
        has_body = any(a.type in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS) for a in node.attribute)
        if not has_body and all(name in known for name in node.input):
            known.update(node.output)
    return known


def without_strides(graph):
    """ncnn has no Slice with steps: a pooling of one element with strides does the same to height and width, after a
    Slice without steps if it does not begin at 0."""
    known = of_constants(graph)
    for node in list(graph.node):
        if node.op_type != "Slice" or len(node.input) < 5 or node.input[0] in known:
            continue
        starts, ends, axes, steps = constants(graph, node.input[1:5])
        if steps is None or all(s == 1 for s in steps) or axes is None or ends is None:
            continue
        if min(starts) < 0 or any(a not in (2, 3) for a in axes) or any(e < 1 << 30 for e in ends):
            raise SystemExit(f"ncnn cannot run {node.name}: a Slice with steps {steps} on axes {axes}")
        i, source = list(graph.node).index(node), node.input[0]
        strides = [dict(zip(axes, steps)).get(axis, 1) for axis in (2, 3)]
        graph.node.remove(node)
        if any(starts):
            source = f"{node.output[0]} from its start"
            graph.node.insert(i, helper.make_node("Slice", node.input[:4], [source], f"{node.name} start"))
            i += 1
        graph.node.insert(i, helper.make_node("MaxPool", [source], node.output, node.name, kernel_shape=[1, 1],
                                              strides=strides))


class Layer:
    """A line of ncnn's .param, and its part of the .bin."""

    def __init__(self, line):
        words = line.split()
        self.type, self.name, ins, outs = words[0], words[1], int(words[2]), int(words[3])
        self.start = words[:4 + ins + outs]
        self.params = dict(w.split("=", 1) for w in words[4 + ins + outs:])
        self.weights = b""

    def number(self, key, default=0):
        return int(self.params.get(str(key), default))

    def parts(self):
        """Numbers of values in the .bin, and whether a tag is in front."""
        if self.type.removesuffix("1D").removesuffix("3D") in CONVOLUTIONS:
            if self.number(28 if self.type.startswith("De") else 19):
                return []  # its weights are computed
            return [(self.number(6), TAGGED)] + ([(self.number(0), PLAIN)] if self.number(5) else [])
        if self.type == "InnerProduct":
            return [(self.number(2), TAGGED)] + ([(self.number(0), PLAIN)] if self.number(1) else [])
        if self.type in ("LSTM", "GRU", "RNN"):
            return self.recurrent_parts()
        if self.type == "Gemm":
            m, n, k = (self.number(key) for key in (7, 8, 9))
            kinds = {0: 1, 1: m, 2: m, 3: m * n, 4: n}
            counts = [m * k] * self.number(4) + [n * k] * self.number(5)
            counts += [kinds[self.number(10)]] if self.number(6) and self.number(10) in kinds else []
            return [(count, TAGGED) for count in counts]
        if self.type in ("LayerNorm", "GroupNorm", "InstanceNorm"):
            size, affine = {"LayerNorm": (0, 2), "GroupNorm": (1, 3), "InstanceNorm": (0, 2)}[self.type]
            return [(self.number(size), PLAIN)] * 2 if self.number(affine, 1) else []
        if self.type == "PReLU":
            return [(self.number(0), PLAIN)]
        if self.type == "Normalize":
            return [(self.number(3), PLAIN)]
        if self.type == "BatchNorm":
            return [(self.number(0), PLAIN)] * 4
        if self.type == "Scale":
            return [(self.number(0), PLAIN)] * (1 + self.number(1))
        if self.type == "MemoryData":
            size = 1
            for key in (0, 1, 11, 2):
                size *= max(1, self.number(key))
            return [(size, PLAIN)]
        return []

    def recurrent_parts(self):
        """Weights of the input, biases, weights of the state; of an LSTM whose state has another size, its projection."""
        size, directions = self.number(0), 2 if self.number(2) == 2 else 1
        state = self.number(3, size) if self.type == "LSTM" else size
        gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[self.type]
        biases = 4 if self.type == "GRU" else gates
        counts = [self.number(1), state * biases * directions, size * state * gates * directions]
        counts += [state * size * directions] if state != size else []
        return [(count, TAGGED) for count in counts]

    def read(self, data, at):
        begin = at
        for count, tagged in self.parts():
            if tagged and data[at:at + 4] != bytes(4):
                raise SystemExit(f"{self.name}: weights of an unknown kind")
            at += 4 * tagged + 4 * count
        self.weights = data[begin:at]
        return at

    def values(self):
        return np.frombuffer(self.weights, np.float32, self.parts()[0][0], 4)

    def quantize(self, weight_scales, input_scale):
        self.params["8"] = "1" if self.type == "ConvolutionDepthWise" else "2"
        self.weights += weight_scales.astype(np.float32).tobytes() + input_scale.astype(np.float32).tobytes()

    def line(self):
        return " ".join(self.start + [f"{k}={v}" for k, v in self.params.items()])


def quantize(param, data, weights, scales):
    """The two files with scales. weights: of operations by name, in order."""
    lines = param.splitlines()
    layers, at = [Layer(line) for line in lines[2:] if line.strip()], 0
    # pnnx keeps its own names for operators that ncnn lacks
    missing = [layer for layer in layers if "." in layer.type]
    if missing:
        raise SystemExit(f"ncnn has no layer for {missing[0].type}, which pnnx makes of {missing[0].name}"
                         f" ({len(missing)} such layers): compute that part outside of the network")
    for layer in layers:
        at = layer.read(data, at)
    if at != len(data):
        raise SystemExit("the model has an ncnn layer whose weights are not known here")
    weight_scales, input_scales = scales
    left = {n: w for n, w in weights.items() if n in weight_scales and n in input_scales}
    for layer in layers:
        if layer.type not in ("Convolution", "ConvolutionDepthWise", "InnerProduct") or not layer.parts():
            continue  # without weights: they are computed
        # pnnx renames layers: they are recognized by their weights
        value = layer.values()
        name = next((n for n, w in left.items() if w.size == value.size and np.allclose(w.ravel(), value, 1e-5, 1e-6)),
                    None)
        if name is not None:
            layer.quantize(weight_scales[name], input_scales[name])
            del left[name]
    if left:
        raise SystemExit(f"{len(left)} layers of the table are not in ncnn's model, such as {next(iter(left))}")
    return "\n".join(lines[:2] + [layer.line() for layer in layers]) + "\n", b"".join(x.weights for x in layers)


class Model:
    def __init__(self, file, options, first):
        table = pathlib.Path(file).with_suffix(".table")
        if not table.exists():
            raise SystemExit(f"the scales are missing: {table.name} must be next to the file (export 'ncnn_table')")
        model = onnx.load(file)
        graph = model.graph
        values = {i.name: i for i in graph.initializer}
        self.inputs = [i.name for i in graph.input if i.name not in values]
        self.outputs = [o.name for o in graph.output]
        weights = {n.name: numpy_helper.to_array(values[n.input[1]]) for n in graph.node
                   if n.op_type in ("Conv", "Gemm") and n.input[1] in values}
        without_strides(graph)
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            onnx.save(model, folder / "model.onnx")
            shapes = ",".join("[" + ",".join(map(str, (1, *first[n].shape[1:]))) + "]f32" for n in self.inputs)
            done = subprocess.run([converter(), "model.onnx", "fp16=0", f"inputshape={shapes}"], cwd=folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if done.returncode != 0 or not (folder / "model.ncnn.param").exists():
                raise SystemExit(f"pnnx failed with code {done.returncode}: {done.stdout[-1500:]}")
            param, data = quantize((folder / "model.ncnn.param").read_text(encoding="utf-8"),
                                   (folder / "model.ncnn.bin").read_bytes(), weights, table_of(table))
            (folder / "int8.param").write_text(param, encoding="utf-8")
            (folder / "int8.bin").write_bytes(data)
            self.net = ncnn.Net()
            self.net.opt.num_threads = options["threads"]
            self.net.opt.use_packing_layout = options["packing"]
            self.net.opt.use_bf16_storage = False
            self.net.opt.use_fp16_storage = self.net.opt.use_fp16_packed = options["fp16"]
            if self.net.load_param(str(folder / "int8.param")) or self.net.load_model(str(folder / "int8.bin")):
                raise SystemExit("ncnn does not load the converted model")

    def run(self, names, feed):
        rows = []
        for k in range(len(feed[self.inputs[0]])):
            with self.net.create_extractor() as extractor:
                for i, name in enumerate(self.inputs):
                    extractor.input(f"in{i}", ncnn.Mat(np.ascontiguousarray(feed[name][k], np.float32)).clone())
                row = []
                for name in names:
                    code, value = extractor.extract(f"out{self.outputs.index(name)}")
                    if code != 0:
                        raise SystemExit(f"ncnn failed with code {code} at the output {name}")
                    row.append(np.array(value, dtype=np.float32))
                rows.append(row)
        return [np.stack([row[i] for row in rows]) for i in range(len(names))]

"""MNN, for driver.py: converts the ONNX file with the scales of the JSON file next to it, and runs the result.

MNN 3 reads scales from a file of compression parameters, by its own tensor names: those of the model after MNN's
fusion. So the model is converted twice, the first time to learn the names."""
import json
import os
import pathlib
import re
import tempfile

import _tools  # the converter; MNN.tools would install packages
import MNN
import numpy as np
import onnx
from MNN import expr, nn
from onnx import numpy_helper

KINDS = ("Convolution", "ConvolutionDepthwise")
CODES = 127
SESSIONS = 4
FUNCTIONS = ("Erf", "Exp", "Gelu", "HardSigmoid", "HardSwish", "Log", "Neg", "Sigmoid", "Sqrt", "Tanh")
# By default the converter replaces Gelu by the form with tanh, which differs by up to 5e-4, and gives no scales to
# Conv with equal weights if there are more than four; with 2, more than 100
AS_WRITTEN = ("--useGeluApproximation", 0, "--optimizePrefer", 2, "--bizCode", "quantloupe")


def version():
    return MNN.version() if hasattr(MNN, "version") else MNN.__version__


def convert(framework, source, *more):
    if not _tools.mnnconvert(["mnnconvert", "-f", framework, "--modelFile", str(source), *map(str, more)]):
        raise SystemExit(f"MNN's converter refused {os.path.basename(source)}; its messages are above")


def described(model, folder):
    convert("MNN", model, "--JsonFile", folder / "described.json")
    text = (folder / "described.json").read_text(encoding="utf-8")
    # Numbers of unused fields may be no numbers, which MNN does not write as JSON
    return json.loads(re.sub(r"(?<=[\s:,\[])-?(nan|inf)(?=[\s,\]}])", "NaN", text))


def weights_of(graph):
    """By the name of the output of a Conv."""
    values = {i.name: i for i in graph.initializer}
    return {n.output[0]: numpy_helper.to_array(values[n.input[1]]) for n in graph.node
            if n.op_type == "Conv" and n.input[1] in values}


def parameters(scales, weights, mnn):
    """The file of compression parameters, and the layers that it is about."""
    def activation(index, scale):
        return {"name": mnn["tensorName"][index], "bits": 8, "scales": [scale], "zeroPoint": 0, "clampMin": -CODES,
                "clampMax": CODES}
    layers = []
    for layer in mnn["oplists"]:
        name = layer["name"]
        taken, given = scales.get(f"{name} input_tensor_0"), scales.get(f"{name} output_tensor_0")
        if layer["type"] not in KINDS or taken is None or given is None or name not in weights:
            continue
        weight = weights[name]
        largest = np.abs(weight.reshape(len(weight), -1)).max(axis=1)
        layers.append({"opName": name,
                       "input": [activation(layer["inputIndexes"][0], taken)],
                       "output": [activation(layer["outputIndexes"][0], given)],
                       "weight": [{"name": name, "bits": 8, "asymmetric": False,
                                   "scales": (np.maximum(largest, 1e-12) / CODES).tolist()}],
                       "conv": {"inputChannel": int(weight.shape[1]), "outputChannel": len(weight),
                                "kernelSize": list(weight.shape[2:])}})
    return {"version": version(), "algo": [{"type": "QUANTIZE", "quantParams": {"layer": layers}}]}, layers


def without_inner_outputs(model):
    """Outputs that nodes read would change what MNN fuses: it gives inner tensors without them."""
    read = {name for node in model.graph.node for name in node.input}
    inner = [o for o in model.graph.output if o.name in read]
    if len(inner) < len(model.graph.output):
        for output in inner:
            model.graph.output.remove(output)
    return [o.name for o in inner]


def overwritten(graph, values):
    """Tensors that hold a function of them: MNN computes it in place, although the session is to keep them."""
    readers = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)

    def becomes(name):
        open_ends, seen = [(name, False)], set()
        while open_ends:
            end = open_ends.pop()
            for node in readers.get(end[0], []) if end not in seen else []:
                changed = end[1] or node.op_type in FUNCTIONS
                for result in node.output:
                    if result not in values:
                        open_ends.append((result, changed))
                    elif changed and np.array_equal(values[name].ravel(), values[result].ravel()):
                        return True
            seen.add(end)
        return False
    return {name for name in values if values[name].any() and becomes(name)}


def array_type(is_int):
    return np.int32 if is_int else np.float32


class Session:
    """MNN's interpreter: it can keep inner tensors, but does not run bodies, nor shapes that depend on values."""
    def __init__(self, file, inputs, first, settings):
        self.inputs, self.interpreter = inputs, MNN.Interpreter(str(file))
        self.session = self.interpreter.createSession(settings)
        for name in inputs:
            self.interpreter.resizeTensor(self.input(name), tuple(first[name].shape))
        self.interpreter.resizeSession(self.session)

    def input(self, name):
        return self.interpreter.getSessionInput(self.session, name)

    @staticmethod
    def on_host(tensor, value=None):
        """A tensor in NCHW that can be copied from or to one of the session, and its array."""
        shape = tensor.getShape() if value is None else value.shape
        kind = MNN.Halide_Type_Int if tensor.getDataType() == MNN.Halide_Type_Int else MNN.Halide_Type_Float
        dtype = array_type(kind == MNN.Halide_Type_Int)
        value = np.zeros(shape, dtype) if value is None else np.ascontiguousarray(value, dtype)
        return MNN.Tensor(value.shape, kind, value, MNN.Tensor_DimensionType_Caffe), value

    def run(self, names, feed):
        for name in self.inputs:
            self.input(name).copyFrom(self.on_host(self.input(name), feed[name])[0])
        if self.interpreter.runSession(self.session) != 0:
            raise RuntimeError("MNN's session did not run")
        results = []
        for name in names:
            tensor = self.interpreter.getSessionOutput(self.session, name)
            taken, value = self.on_host(tensor)
            tensor.copyToHostTensor(taken)
            results.append(np.array(taken.getData(), value.dtype).reshape(value.shape))
        return results


class Module:
    """MNN's modules run everything, but have no inner tensors of the model as it is. The loop of a LSTM may write to the
    constants that it starts from, so that a second run of a module begins with the state of the first."""
    def __init__(self, file, graph, inputs, outputs, threads):
        self.types = {i.name: array_type(i.type.tensor_type.elem_type != onnx.TensorProto.FLOAT) for i in graph.input}
        self.inputs, self.outputs, self.threads = inputs, outputs, threads
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, "model.mnn")
        pathlib.Path(self.file).write_bytes(file.read_bytes())

    def run(self, names, feed):
        given = []
        for name in self.inputs:
            value = np.ascontiguousarray(feed[name], self.types[name])
            dtype = expr.int if value.dtype == np.int32 else expr.float
            given.append(expr.placeholder(list(value.shape), expr.NCHW, dtype))
            given[-1].write(value)
        module = nn.load_module_from_file(self.file, self.inputs, self.outputs, thread_num=self.threads,
                                          precision_mode=expr.PrecisionMode.High)
        results = {}
        for name, value in zip(self.outputs, module.forward(given)):
            if value.data_format == expr.NC4HW4:
                value = expr.convert(value, expr.NCHW)
            elements = [] if 0 in value.shape else value.read()
            results[name] = np.array(elements, array_type(value.dtype == expr.int)).reshape(value.shape)
        return [results[name] for name in names]


class Model:
    def __init__(self, file, options, first):
        beside = pathlib.Path(file).with_suffix(".json")
        if not beside.exists():
            raise SystemExit(f"the scales are missing: {beside.name} must be next to the file (export 'mnn_json')")
        scales = json.loads(beside.read_text(encoding="utf-8"))
        model = onnx.load(file)
        graph = model.graph
        values = {i.name for i in graph.initializer}
        self.inputs = [i.name for i in graph.input if i.name not in values]
        self.outputs = [o.name for o in graph.output]
        self.facts = {}
        inner = without_inner_outputs(model)
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            if inner:
                file = folder / "model.onnx"
                onnx.save(model, file)
            convert("ONNX", file, "--MNNModel", folder / "float.mnn", *AS_WRITTEN)
            wanted, layers = parameters(scales, weights_of(graph), described(folder / "float.mnn", folder))
            if not layers:
                raise SystemExit(f"{beside.name} has scales of no layer of the file")
            (folder / "parameters.json").write_text(json.dumps(wanted), encoding="utf-8")
            convert("ONNX", file, "--MNNModel", folder / "quantized.mnn", *AS_WRITTEN,
                    "--compressionParamsFile", folder / "parameters.json")
            # Scales of unknown names are ignored without a word
            quantized = described(folder / "quantized.mnn", folder)
            if not quantized.get("extraTensorDescribe"):
                raise SystemExit("MNN's converter ignored the scales")
            settings = {"numThread": options["threads"], "precision": "high"}
            if inner:
                self.tensors = [n for n in self.outputs if n in quantized["tensorName"]]
                settings["saveTensors"] = tuple(self.tensors)
            # A session of a model with bodies may damage memory
            needs_module = bool(quantized.get("subgraphs"))
            self.sessions = self.runnable(folder / "quantized.mnn", graph, first, settings, inner, needs_module)
        if inner:
            values = dict(zip(self.tensors, self.sessions[0].run(self.tensors, first)))
            lost = overwritten(graph, values)
            self.tensors = [n for n in self.tensors if n not in lost]

    def runnable(self, file, graph, first, settings, inner, needs_module):
        failure = None
        if not needs_module:
            try:
                # MNN chooses the scales of some tensors by addresses in memory: sessions of one model may differ
                sessions = [Session(file, self.inputs, first, settings) for _ in range(SESSIONS)]
                sessions[0].run(self.tensors if inner else self.outputs, first)
                return sessions
            except Exception as error:  # MNN raises nothing more special
                failure = error
        if inner:
            raise SystemExit("MNN runs this model as a module only, which has no inner tensors") from failure
        self.facts["interface"] = "module"
        return [Module(file, graph, self.inputs, self.outputs, settings["numThread"])]

    def run(self, names, feed):
        results = [each.run(names, feed) for each in self.sessions]
        # The first batch decides: the others would take several times as long
        if any(not np.array_equal(a, b) for other in results[1:] for a, b in zip(results[0], other)):
            self.facts["sessions"] = "differ"
        del self.sessions[1:]
        return results[0]

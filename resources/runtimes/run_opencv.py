"""OpenCV's dnn module on the CPU, for driver.py. It computes in float32; what a Caffe net says about rounding is in the
JSON next to it, and layers of ours round between OpenCV's."""
import json
import pathlib
import re

import cv2
import numpy as np
import onnx

REGISTERED = []  # OpenCV does not own the classes of layers
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|#[^\n]*|[{}:]|[^\s{}:"#]+')


def version():
    return cv2.__version__


def layer_names(graph):
    """The layer that computes a tensor, by OpenCV's rule; graph outputs are layers of their own name."""
    names = {}
    for node in graph.node:
        for i, tensor in enumerate(node.output):
            if i == 0:
                names[tensor] = f"onnx_node!{node.name}" if node.name else f"onnx_node_output_0!{tensor}"
    return names | {o.name: o.name for o in graph.output}


def read_onnx(file):
    """The net, its inputs, its outputs, by tensor the layer that computes it and the number of its output, and the
    tensors of unsigned bytes, which OpenCV stores as signed ones."""
    model = onnx.load(file)
    inferred = onnx.shape_inference.infer_shapes(model).graph
    shapes = {v.name: v for v in [*inferred.value_info, *inferred.output]}
    for output in model.graph.output:  # OpenCV needs the shapes of outputs
        if output.name in shapes:
            output.CopyFrom(shapes[output.name])
    graph = model.graph
    values = {i.name for i in graph.initializer}
    net = cv2.dnn.readNetFromONNX(np.frombuffer(model.SerializeToString(), np.uint8))
    return (net, [i.name for i in graph.input if i.name not in values], [o.name for o in graph.output],
            {tensor: (layer, 0) for tensor, layer in layer_names(graph).items()},
            {n for n, v in shapes.items() if v.type.tensor_type.elem_type == onnx.TensorProto.UINT8})


class Rounding:
    """A layer that rounds to the codes of one entry of the JSON."""

    def __init__(self, config, value):
        policy, scale = config["policy"], value["scale"]
        if scale is None or policy["FLOATING"] or policy["DYNAMIC"]:
            raise SystemExit("OpenCV can run fixed integer scales only, the JSON has others")
        self.scale, self.zero = (np.array(v, np.float32) for v in (scale, value["zero_point"]))
        self.low, self.high = config["quant_min"], config["quant_max"]
        self.is_per_channel = policy["PER_CHANNEL"]

    def __call__(self, x):
        shape = (1, -1) + (1,) * (x.ndim - 2) if self.is_per_channel else ()
        scale, zero = self.scale.reshape(shape), self.zero.reshape(shape)
        codes = np.clip(np.rint(x / scale) + zero, self.low, self.high)
        return ((codes - zero) * scale).astype(np.float32)


def layer_type(rounding):
    """OpenCV makes a layer from a class."""

    class Layer:
        def __init__(self, _params, _blobs):
            pass

        def getMemoryShapes(self, inputs):
            return inputs

        def forward(self, inputs):
            return [rounding(inputs[0])]
    return Layer


def read_fields(tokens):
    """The fields of a message in protobuf's text form, in order: (name, value), of a message a list of these."""
    fields = []
    for token in tokens:
        if token == "}":
            break
        following = next(tokens, None)
        value = next(tokens, None) if following == ":" else following
        if value is None:
            raise SystemExit("the text of the net ends in the middle of a field")
        fields.append((token, read_fields(tokens) if value == "{" else value))
    return fields


def text_of(fields):
    return "\n".join(f"{n} {{\n{text_of(v)}\n}}" if isinstance(v, list) else f"{n}: {v}" for n, v in fields)


def words(fields, name):
    return [v[1:-1] for n, v in fields if n == name]


def rounding_layer(blob, to, number, configs, values):
    config = configs[blob]
    kind = f"Rounding{number}"
    REGISTERED.append(layer_type(Rounding(config, values[str(config["dominator"])])))
    cv2.dnn_registerLayer(kind, REGISTERED[-1])
    return "layer", [("name", f'"{to} rounded {number}"'), ("type", f'"{kind}"'), ("bottom", f'"{blob}"'),
                     ("top", f'"{to}"')]


def with_roundings(fields, encodings):
    """The fields of a net with a layer where an operation rounds what it reads or writes."""
    configs, values, result, count = encodings["configs"], encodings["values"], [], 0
    active = {op: {v: c for v, c in entries.items() if c["state"] in ("ACTIVATED", "PASSIVE")}
              for op, entries in configs.items()}
    layers = [f for n, f in fields if n == "layer"]
    bottoms = {}  # by the name of the layer
    for layer in layers:
        bottoms.setdefault(words(layer, "name")[0], set()).update(words(layer, "bottom"))
    writers = {blob: i for i, layer in enumerate(layers) for blob in words(layer, "top")}
    results = {}  # layer: what its operation rounds of its results
    for op, entries in active.items():
        for blob in entries:
            if blob in writers and blob not in bottoms.get(op, ()):
                results.setdefault(writers[blob], []).append((blob, entries))
    index = -1
    for name, value in fields:
        if name != "layer":
            result.append((name, value))
            continue
        index += 1
        reads = active.get(words(value, "name")[0], {})
        renamed = []
        for field, word in value:
            blob = word[1:-1] if field == "bottom" else None
            if blob in reads:
                count += 1
                result.append(rounding_layer(blob, f"{blob} read {count}", count, reads, values))
                word = f'"{blob} read {count}"'
            renamed.append((field, word))
        result.append(("layer", renamed))
        for blob, entries in results.get(index, []):
            count += 1
            result.append(rounding_layer(blob, blob, count, entries, values))
    return result


def read_caffe(file):
    """As read_onnx()."""
    if not hasattr(cv2.dnn, "readNetFromCaffe"):
        raise SystemExit(f"OpenCV {cv2.__version__} reads no Caffe nets, 4.11 is the last one that does")
    encodings = pathlib.Path(file).with_suffix(".json")
    if not encodings.exists():
        raise SystemExit(f"the scales are missing: {encodings.name} must be next to the file (export 'caffe')")
    configs = json.loads(encodings.read_text(encoding="utf-8"))
    if not {"configs", "values"} <= set(configs):
        raise SystemExit(f"{encodings.name} has no scales: it is not the JSON of the export")
    text = pathlib.Path(file).read_text(encoding="utf-8")
    fields = with_roundings(read_fields(t for t in TOKEN.findall(text) if not t.startswith("#")), configs)
    inputs, blobs, read = words(fields, "input"), {}, set()
    for layer in (f for n, f in fields if n == "layer"):
        if words(layer, "type") == ["Input"]:
            inputs += words(layer, "top")
        read.update(set(words(layer, "bottom")) - set(words(layer, "top")))
        blobs |= {blob: (words(layer, "name")[0], i) for i, blob in enumerate(words(layer, "top"))}
    weights = pathlib.Path(file).with_suffix(".caffemodel")
    net = cv2.dnn.readNetFromCaffe(np.frombuffer(text_of(fields).encode(), np.uint8),
                                   np.frombuffer(weights.read_bytes(), np.uint8))
    known = set(net.getLayerNames())  # it calls some layers by the name of what they write
    blobs = {b: place if place[0] in known else (b, 0) for b, place in blobs.items()}
    return net, inputs, [b for b in blobs if b not in read and b not in inputs], blobs, set()


class Model:
    def __init__(self, file, options, _first):
        cv2.setNumThreads(options["threads"])
        is_caffe = file.lower().endswith(".prototxt")
        self.net, self.inputs, self.outputs, self.layers, self.unsigned = (read_caffe if is_caffe else read_onnx)(file)
        self.net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
        self.net.enableWinograd(options["winograd"])
        self.net.enableFusion(options["fusion"])

    def run(self, names, feed):
        for name in self.inputs:
            self.net.setInput(feed[name], name)
        results = self.net.forwardAndRetrieve([self.layers[n][0] for n in names])
        return [self.value(n, result[self.layers[n][1]]) for n, result in zip(names, results)]

    def value(self, name, result):
        """OpenCV subtracts 128 from codes of unsigned bytes."""
        if name not in self.unsigned or result.dtype != np.int8:
            return result
        return (result.astype(np.int16) + 128).astype(np.uint8)

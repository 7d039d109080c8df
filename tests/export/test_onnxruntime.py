"""Runs the exported ONNX QDQ files in the real onnxruntime and compares them with the simulator, operation by operation.

usage: test_onnxruntime.py QUANTLOUPE_CLI REPOSITORY
Exit code 77 (skipped) when onnxruntime, onnx or numpy are missing.

Two comparisons for each model, both in quantization steps:
* by operation: every operation gets the simulator's own tensors as inputs, so that one code that fell on the other side
  of a rounding boundary does not multiply through the layers behind it;
* end to end: the graph outputs from the graph inputs, as onnxruntime is used: its optimizer makes integer operations of
  the nodes, and the simulator computes the same integers. By the float operations between the QuantizeLinear and
  DequantizeLinear nodes (session.disable_quant_qdq) it is printed only: float32 sums in another order flip about one
  code in a million at each layer, and a deep network multiplies that.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"SKIPPED: {missing}; scripts/make-venv installs it")
    sys.exit(77)

ROOT = pathlib.Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "scripts"))
from forked_cli import ForkedCli

CLI = ForkedCli(sys.argv[1])
CORPUS = ROOT.parent / "shared" / "corpus"
SAMPLES = 4
ort.set_default_logger_severity(3)
REQUIRED = 0.9999  # share of elements at most one step apart


def run(*arguments):
    done = CLI.run(*arguments, "--quiet")
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(map(str, arguments))}\n{done.stderr}")


def session(model, as_integers=False):
    options = ort.SessionOptions()
    if not as_integers:
        options.add_session_config_entry("session.disable_quant_qdq", "1")
    options.intra_op_num_threads = 2
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def grids(model):
    """DequantizeLinear output -> (QuantizeLinear node, scale, zero point) for every quantized activation."""
    values = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer}
    producers = {o: n for n in model.graph.node for o in n.output}
    found = {}
    for node in model.graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in producers:
            found[node.output[0]] = (producers[node.input[0]], values[node.input[1]], values[node.input[2]])
    return found


def by_operation(path, simulated, feed, count):
    """Cuts the graph behind each QuantizeLinear; codes of the simulator go in on the other side."""
    model = onnx.load(path)
    quantized = {name: grid for name, grid in grids(model).items() if name in simulated}
    inputs, wanted = {}, {}
    for node in model.graph.node:
        name = node.output[0]
        if node.op_type != "DequantizeLinear" or name not in quantized:
            continue
        quantize, scale, zero = quantized[name]
        info = np.iinfo(zero.dtype)
        codes = np.rint(simulated[name] / np.float64(scale)) + zero
        codes = np.clip(codes, info.min, info.max).astype(zero.dtype)
        wanted[quantize.output[0]] = codes
        node.input[0] = quantize.output[0] + "__forced"
        inputs[node.input[0]] = codes
        kind = helper.np_dtype_to_tensor_dtype(zero.dtype)
        model.graph.input.append(helper.make_tensor_value_info(node.input[0], kind, None))
    del model.graph.output[:]
    for name, codes in wanted.items():
        kind = helper.np_dtype_to_tensor_dtype(codes.dtype)
        model.graph.output.append(helper.make_tensor_value_info(name, kind, None))
    runner = session(model.SerializeToString())
    accepted = {i.name for i in runner.get_inputs()}
    wrong, total, exact, worst = 0, 0, 0, 0
    where = ""
    for k in range(count):
        forced = {n: pick(v, k, count) for n, v in inputs.items() if n in accepted}
        forced |= {n: v[k : k + 1] for n, v in feed.items() if n in accepted}
        for name, got in zip(wanted, runner.run(list(wanted), forced)):
            apart = np.abs(got.astype(np.int32) - pick(wanted[name], k, count).astype(np.int32))
            total += apart.size
            exact += int(np.sum(apart == 0))
            wrong += int(np.sum(apart > 1))
            if apart.max() > worst:
                worst, where = int(apart.max()), name
    return {"tensors": len(wanted), "within one step": 1 - wrong / total, "equal": exact / total, "worst": worst,
            "worst tensor": where}


def pick(array, k, count):
    """Sample k of an array that holds count of them along its leading axis."""
    rows = array.shape[0] // count
    return array[k * rows : (k + 1) * rows]


def step_of(name, model):
    """Step of the grid that a tensor lies on, through operations that move values only; None for a float tensor."""
    quantized, producers = grids(model), {o: n for n in model.graph.node for o in n.output}
    while name not in quantized:
        node = producers.get(name)
        if node is None or node.op_type not in {"Flatten", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"}:
            return None
        name = node.input[0]
    return np.float64(np.max(quantized[name][1]))


def end_to_end(path, simulated, feed, count):
    model = onnx.load(path)
    shares = {}
    for as_integers in (False, True):
        runner = session(str(path), as_integers)
        for name in (o.name for o in runner.get_outputs()):
            step = step_of(name, model)
            if step is None:
                continue
            got = np.concatenate([runner.run([name], {n: v[k : k + 1] for n, v in feed.items()})[0] for k in range(count)])
            apart = np.abs(got.astype(np.float64) - simulated[name].reshape(got.shape)) / step
            way = "integers" if as_integers else "floats"
            shares[f"{name} {way}"] = float(np.mean(apart <= 1.001))
            shares[f"{name} {way}, equal"] = float(np.mean(apart <= 0.001))
    return shares


def check(name, model, calibration, folder):
    exported, recipe, report = folder / "q.onnx", folder / "r.quantloupe", folder / "r.json"
    run("run", model, "--platform", "ONNXRUNTIME", "--calib", calibration, "--analyse", "none", "--export", f"onnx_qdq:{exported}",
        "--save-recipe", recipe, "--json", report, "--no-cache")
    document = json.loads(report.read_text())
    onnx.checker.check_model(onnx.load(exported))
    tensors = {o for op in document["operations"] for o in op["outputs"]} & set(grids(onnx.load(exported)))
    tensors |= {o.name for o in onnx.load(exported).graph.output}
    feed = {n: v[:SAMPLES] for n, v in np.load(calibration).items()}
    np.savez(folder / "in.npz", **feed)
    run("infer", recipe, "--in", folder / "in.npz", "--out", folder / "sim.npz",
        "--tensors", ",".join(sorted(tensors)))
    simulated = dict(np.load(folder / "sim.npz"))
    single = by_operation(exported, simulated, feed, SAMPLES)
    whole = end_to_end(exported, simulated, feed, SAMPLES)
    required = [share for key, share in whole.items() if key.endswith(" integers")]
    good = single["tensors"] > 0 and single["within one step"] >= REQUIRED and bool(required) and min(required) >= REQUIRED
    print(f"{'ok  ' if good else 'FAIL'} {name}: by operation {json.dumps(single)}, end to end {json.dumps(whole)}")
    return good


def pictures(shape, count, seed):
    """Smooth random fields with edges: unlike white noise they reach the ranges of real pictures in every layer."""
    random = np.random.default_rng(seed)
    out = np.empty((count, *shape), np.float32)
    for k in range(count):
        coarse = random.normal(size=(shape[0], 8, 8))
        rows = np.linspace(0, 7, shape[1]).astype(int)
        columns = np.linspace(0, 7, shape[2]).astype(int)
        out[k] = coarse[:, rows][:, :, columns] + 0.2 * random.normal(size=shape)
    return out


def body_reader():
    """A Conv whose quantized output is read by the bodies of an If and of a Loop, and outside."""
    value, node = helper.make_tensor_value_info, helper.make_node
    random = np.random.default_rng(3)
    weight = numpy_helper.from_array(random.normal(size=(4, 3, 3, 3)).astype(np.float32) / 5, "w")
    zero = numpy_helper.from_array(np.float32(0), "zero")
    trips = numpy_helper.from_array(np.int64(3), "trips")
    yes = numpy_helper.from_array(np.bool_(True), "yes")

    def branch(name, kind):
        return helper.make_graph([node(kind, ["r"], [f"{name}_o"])], name, [], [value(f"{name}_o", TensorProto.FLOAT, None)])

    loop = helper.make_graph(
        [node("Identity", ["go"], ["go_on"]), node("Add", ["sum", "r"], ["next"])], "loop",
        [value("i", TensorProto.INT64, []), value("go", TensorProto.BOOL, []), value("sum", TensorProto.FLOAT, None)],
        [value("go_on", TensorProto.BOOL, []), value("next", TensorProto.FLOAT, None)])
    graph = helper.make_graph(
        [node("Conv", ["x", "w"], ["c"], name="conv", pads=[1, 1, 1, 1]), node("Relu", ["c"], ["r"], name="relu"),
         node("ReduceMean", ["x"], ["mean"], name="mean", keepdims=0), node("Greater", ["mean", "zero"], ["test"], name="test"),
         node("If", ["test"], ["z"], name="if", then_branch=branch("then", "Neg"), else_branch=branch("else", "Exp")),
         node("Loop", ["trips", "yes", "z"], ["l"], name="loop", body=loop), node("Add", ["l", "r"], ["y"], name="add")],
        "bodies", [value("x", TensorProto.FLOAT, [1, 3, 8, 8])], [value("y", TensorProto.FLOAT, [1, 4, 8, 8])],
        [weight, zero, trips, yes])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def recurrent():
    """A Conv, an LSTM in both directions, and a branch with a Conv and a GRU of its own."""
    value, node = helper.make_tensor_value_info, helper.make_node
    random = np.random.default_rng(11)

    def weights(**shapes):
        return [numpy_helper.from_array(random.normal(0, 0.3, shape).astype(np.float32), name) for name, shape in shapes.items()]

    def branch(name, scale):
        nodes = [node("Conv", ["t", "bw"], [f"{name}_c"], name=f"{name}_conv"),
                 node("GRU", [f"{name}_c", "bW", "bR", "bB"], [f"{name}_g"], name=f"{name}_gru", hidden_size=8,
                      linear_before_reset=1),
                 node("Mul", [f"{name}_g", scale], [f"{name}_o"], name=f"{name}_mul")]
        return helper.make_graph(nodes, name, [], [value(f"{name}_o", TensorProto.FLOAT, None)],
                                 weights(bw=(1, 1, 1), bW=(1, 24, 32), bR=(1, 24, 8), bB=(1, 48)))

    nodes = [node("Conv", ["x", "cw"], ["c"], name="conv", pads=[1, 1]), node("Relu", ["c"], ["r"], name="relu"),
             node("Transpose", ["r"], ["steps"], name="steps", perm=[2, 0, 1]),
             node("LSTM", ["steps", "W", "R", "B"], ["l"], name="lstm", hidden_size=16, direction="bidirectional"),
             node("Transpose", ["l"], ["by_step"], name="by_step", perm=[0, 2, 1, 3]),
             node("Reshape", ["by_step", "shape"], ["t"], name="t"),
             node("ReduceMean", ["x"], ["mean"], name="mean", keepdims=0), node("Greater", ["mean", "zero"], ["test"], name="test"),
             node("If", ["test"], ["y"], name="if", then_branch=branch("then", "one"), else_branch=branch("else", "two"))]
    constants = weights(cw=(10, 6, 3), W=(2, 64, 10), R=(2, 64, 16), B=(2, 128))
    for name, number in (("zero", np.float32(0)), ("one", np.float32(1)), ("two", np.float32(2)), ("shape", np.array([7, 1, 32]))):
        constants.append(numpy_helper.from_array(number, name))
    graph = helper.make_graph(nodes, "recurrent", [value("x", TensorProto.FLOAT, [1, 6, 7])],
                              [value("y", TensorProto.FLOAT, None)], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


class RandomNetwork:
    """A seeded network of the operations that ONNXRUNTIME quantizes, over tensors of 1 x channels x 8 x 8."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.weights, self.tensors, self.count = [], [], [("x", 3)], 0
        for _ in range(self.random.integers(5, 13)):
            self.grow()
        name, channels = self.tensors[-1]
        self.add("ReduceMean", [name], "mean", axes=[2, 3], keepdims=0)
        self.add("Gemm", ["mean", self.weight((5, channels), 0.5), self.weight((5,), 0.2)], "y", transB=1)

    def model(self):
        outputs = ["y"] + [n for n, _ in self.tensors[-2:] if n != "x"]
        value = helper.make_tensor_value_info
        graph = helper.make_graph(self.nodes, "random", [value("x", TensorProto.FLOAT, [1, 3, 8, 8])],
                                  [value(n, TensorProto.FLOAT, None) for n in outputs], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)

    def weight(self, shape, deviation):
        self.weights.append(numpy_helper.from_array((self.random.normal(size=shape) * deviation).astype(np.float32),
                                                    f"w{len(self.weights)}"))
        return self.weights[-1].name

    def ints(self, values):
        self.weights.append(numpy_helper.from_array(np.array(values, np.int64), f"w{len(self.weights)}"))
        return self.weights[-1].name

    def add(self, kind, inputs, output=None, **attributes):
        self.count += 1
        output = output or f"t{self.count}"
        self.nodes.append(helper.make_node(kind, inputs, [output], name=f"{kind}{self.count}", **attributes))
        return output

    def convolution(self, x, channels):
        depthwise = self.random.random() < 0.3
        out = channels if depthwise else int(self.random.integers(2, 9))
        inner, kernel = 1 if depthwise else channels, int(self.random.choice([1, 3]))
        shape = (out, inner, kernel, kernel)
        inputs = [x, self.weight(shape, 1 / np.sqrt(inner * kernel * kernel))]
        if self.random.random() < 0.7:
            inputs.append(self.weight((out,), 0.3))
        pads = [kernel // 2] * 4
        return self.add("Conv", inputs, pads=pads, kernel_shape=[kernel, kernel], group=channels if depthwise else 1), out

    def activated(self, x, channels):
        kind = self.random.choice(["Relu", "Clip", "Silu", "LeakyRelu", "HardSwish", "HardSigmoid", "Sigmoid", "Tanh", "PRelu", "none"])
        if kind == "none":
            return x
        if kind == "Silu":
            return self.add("Mul", [x, self.add("Sigmoid", [x])])
        if kind == "PRelu":
            return self.add("PRelu", [x, self.weight((channels, 1, 1), 0.2)])
        if kind == "Clip":
            low, high = (numpy_helper.from_array(np.float32(v), f"clip{self.count}_{v}") for v in (0, 6))
            self.weights += [low, high]
            return self.add("Clip", [x, low.name, high.name])
        return self.add(str(kind), [x], **({"alpha": 0.1} if kind == "LeakyRelu" else {}))

    def grow(self):
        x, channels = self.tensors[int(self.random.integers(len(self.tensors)))]
        case = self.random.integers(10)
        if case < 5:
            y, channels = self.convolution(x, channels)
            y = self.activated(y, channels)
        elif case == 5:
            out = int(self.random.integers(2, 6))
            weight = self.weight((channels, out, 3, 3), 1 / np.sqrt(channels * 9))
            y, channels = self.activated(self.add("ConvTranspose", [x, weight], pads=[1, 1, 1, 1]), out), out
        elif case == 6:
            partners = [t for t, c in self.tensors if c == channels]
            y = self.add(str(self.random.choice(["Add", "Mul"])), [x, str(self.random.choice(partners))])
        elif case == 7:
            z, more = self.tensors[int(self.random.integers(len(self.tensors)))]
            y, channels = self.add("Concat", [x, z], axis=1), channels + more
        elif case == 8:  # values that only move, on their own grid at the end of a chain
            turned = self.add("Transpose", [x], perm=[0, 2, 3, 1])
            flat = self.add("Reshape", [turned, self.ints([1, 64, channels])])
            back = self.add("Reshape", [flat, self.ints([1, 8, 8, channels])])
            y = self.add("Transpose", [back], perm=[0, 3, 1, 2])
            if channels > 2:
                y, channels = self.add("Slice", [y, self.ints([1]), self.ints([channels]), self.ints([1])]), channels - 1
        else:
            y = self.add(str(self.random.choice(["MaxPool", "AveragePool"])), [x], kernel_shape=[3, 3], pads=[1, 1, 1, 1])
        self.tensors.append((y, channels))


def check_random(folder, seeds):
    """End to end, the outputs of seeded networks: within one step, and all scales around moving operations equal."""
    good = 0
    for seed in seeds:
        path, exported, recipe = folder / "random.onnx", folder / "q.onnx", folder / "r.quantloupe"
        onnx.save(RandomNetwork(seed).model(), path)
        x = np.random.default_rng(seed).normal(size=(12, 3, 8, 8)).astype(np.float32)
        np.savez(folder / "calib.npz", x=x[:8])
        np.savez(folder / "in.npz", x=x[8:])
        run("run", path, "--platform", "ONNXRUNTIME", "--calib", folder / "calib.npz", "--analyse", "none", "--export",
            f"onnx_qdq:{exported}", "--save-recipe", recipe, "--no-cache")
        run("infer", recipe, "--in", folder / "in.npz", "--out", folder / "sim.npz")
        shares = end_to_end(exported, dict(np.load(folder / "sim.npz")), {"x": x[8:]}, 4)
        required = {key: share for key, share in shares.items() if key.endswith(" integers")}
        if required and min(required.values()) >= REQUIRED:
            good += 1
        else:
            print(f"FAIL random network {seed}: {json.dumps(shares)}")
    print(f"{good} of {len(seeds)} random networks")
    return good == len(seeds)


LOAD = """
import sys, numpy as np, onnxruntime as ort
ort.set_default_logger_severity(3)
feed = dict(np.load(sys.argv[2]))
options = ort.SessionOptions()
s = ort.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
names = [i.name for i in s.get_inputs()]
count = int(sys.argv[4])
rows = [s.run(None, {n: feed[n + "@" + str(k)] for n in names}) for k in range(count)]
np.savez(sys.argv[3], **{o.name: np.stack([r[i] for r in rows]) for i, o in enumerate(s.get_outputs())})
"""


def graphs_of(graph):
    """The graph and all bodies in it."""
    yield graph
    for each in graph.node:
        for attribute in each.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from graphs_of(attribute.g)


def check_bodies(name, model, calibration, feeds, expected, folder):
    """Loads with the runtime's optimizer, in a process of its own: it used to abort. Outputs as the simulator's."""
    exported, recipe = folder / "q.onnx", folder / "r.quantloupe"
    run("run", model, "--platform", "ONNXRUNTIME", "--platform-param", "recurrent=true", "--calib", calibration,
        "--analyse", "none", "--export", f"onnx_qdq:{exported}", "--save-recipe", recipe, "--no-cache")
    run("infer", recipe, "--in", calibration, "--out", folder / "sim.npz")
    np.savez(folder / "feeds.npz", **{f"{n}@{k}": v for k, feed in enumerate(feeds) for n, v in feed.items()})
    done = subprocess.run([sys.executable, "-c", LOAD, exported, folder / "feeds.npz", folder / "out.npz", str(len(feeds))],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"FAIL {name}: onnxruntime ended with {done.returncode}: {done.stderr[-300:]}")
        return False
    wanted, got = np.load(folder / "sim.npz"), np.load(folder / "out.npz")
    noise = {n: float(np.sum((got[n].reshape(wanted[n].shape) - wanted[n]) ** 2) / np.sum(wanted[n] ** 2)) for n in wanted}
    weights = sum(t.data_type in (TensorProto.INT8, TensorProto.UINT8) and len(t.dims) == 3
                  for graph in graphs_of(onnx.load(exported).graph) for t in graph.initializer)
    good = max(noise.values()) < 1e-3 and weights >= expected
    print(f"{'ok  ' if good else 'FAIL'} {name}: loaded with the optimizer, noise against the simulator {json.dumps(noise)}, "
          f"{weights} weights of rank 3 in 8 bits")
    return good


# name, platform, format, overrides, parameters of the export, types of codes in the file
ACTIVATIONS, WEIGHTS = {"role": ["input", "output"]}, {"role": "weight"}
FORMS = [
    ("FP8", "TRT_FP8", "onnx_qdq", [], {}, {TensorProto.FLOAT8E4M3FN}),
    ("FP8 weights as floats", "GRAPHCORE_FP8", "trt_qdq", [], {}, {TensorProto.FLOAT8E4M3FN}),
    ("INT4", "TRT_INT8", "onnx_qdq", [{"match": WEIGHTS, "set": {"bits": 4}}], {"int4": True},
     {TensorProto.INT4, TensorProto.INT8}),
    ("UINT4", "RKNN_INT8", "openvino_qdq", [{"match": WEIGHTS, "set": {"bits": 4}}], {"int4": True},
     {TensorProto.UINT4, TensorProto.UINT8}),
    *((f"{bits} bits in INT8", "TRT_INT8", "onnx_qdq", [{"match": {}, "set": {"bits": bits}}], {}, {TensorProto.INT8})
      for bits in range(2, 8)),
    *((f"{bits} bits in INT16", "TRT_INT8", "onnx_qdq", [{"match": {}, "set": {"bits": bits}}], {}, {TensorProto.INT16})
      for bits in (9, 16)),
    *((f"{bits} bits in UINT8", "RKNN_INT8", "onnx_qdq", [{"match": m, "set": {"bits": bits}} for m in (ACTIVATIONS, WEIGHTS)],
       {}, {TensorProto.UINT8}) for bits in (2, 3, 5)),
    ("weights as floats", "TRT_INT8", "trt_qdq", [], {}, {TensorProto.INT8}),
    ("unsigned, scale at run time", "RKNN_INT8", "onnx_qdq", [{"match": ACTIVATIONS, "set": {"dynamic": True}}], {},
     {TensorProto.UINT8}),
    ("symmetric, scale at run time", "TRT_INT8", "onnx_qdq", [{"match": ACTIVATIONS, "set": {"dynamic": True}}], {},
     {TensorProto.INT8}),
]


def check_form(folder, name, platform, form, overrides, params, types):
    """Types that the ONNX library of the engine does not know: onnx's checker and onnxruntime read them."""
    model, exported, recipe = ROOT / "resources/sample/model.onnx", folder / "form.onnx", folder / "form.quantloupe"
    export = {"format": form, "path": str(exported), "params": params}
    run("run", model, "--platform", platform, "--calib", folder / "form.npz", "--analyse", "none", "--save-recipe", recipe,
        "--no-cache", "--set", f"overrides={json.dumps(overrides)}", "--set", f"exports={json.dumps([export])}",
        "--set", "passes.runtime_kernels.enabled=false")  # the platform's own runtime computes otherwise than this one
    run("infer", recipe, "--in", folder / "form.npz", "--out", folder / "sim.npz")
    proto = onnx.load(exported)
    onnx.checker.check_model(proto, full_check=True)
    written = {i.data_type for i in proto.graph.initializer if i.name.endswith(("_quantized", "_zero_point"))}
    options = ort.SessionOptions()
    if form == "trt_qdq":  # the optimizer fails at a Clip before a QuantizeLinear to FP8
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    low = any(rule["set"].get("bits", 8) != 8 for rule in overrides) and form == "onnx_qdq"
    if not low:  # biases stay float; without it FP8 is refused. Other codes than 8 bits: the file keeps biases float
        options.add_session_config_entry("session.disable_quant_qdq", "1")
    runner = ort.InferenceSession(str(exported), options, providers=["CPUExecutionProvider"])
    x = np.load(folder / "form.npz")
    wanted = np.load(folder / "sim.npz")
    noise = {}
    for output in (o.name for o in runner.get_outputs()):
        rows = [runner.run([output], {n: x[n][k : k + 1] for n in x.files})[0] for k in range(8)]
        got = np.concatenate(rows).reshape(wanted[output].shape)
        noise[output] = float(np.sum((got - wanted[output]) ** 2) / np.sum(wanted[output] ** 2))
    good = max(noise.values()) < 1e-4 and written - {TensorProto.INT32} == types  # int32: biases
    print(f"{'ok  ' if good else 'FAIL'} {name}: types {sorted(written)}, noise against the simulator {json.dumps(noise)}")
    return good


def transformer_block():
    """Matrices stored as [inputs, outputs] and [outputs, inputs], with 80 and 72 input channels: the last group is smaller."""
    random, value, node = np.random.default_rng(11), helper.make_tensor_value_info, helper.make_node
    weights = {"up": random.normal(size=(80, 72)), "down": random.normal(size=(72, 80)), "gain": 1 + 0.1 * random.normal(size=80),
               "head": random.normal(size=(24, 80)), "bias": random.normal(size=24)}
    values = [numpy_helper.from_array((w * (0.15 if w.ndim == 2 else 1)).astype(np.float32), n) for n, w in weights.items()]
    values.append(numpy_helper.from_array(np.array([-1, 80], np.int64), "shape"))
    graph = helper.make_graph(
        [node("LayerNormalization", ["x", "gain"], ["n"], name="norm"), node("MatMul", ["n", "up"], ["u"], name="up_proj"),
         node("Sigmoid", ["u"], ["s"], name="sigmoid"), node("Mul", ["u", "s"], ["a"], name="silu"),
         node("MatMul", ["a", "down"], ["d"], name="down_proj"), node("Add", ["d", "x"], ["r"], name="add"),
         node("Reshape", ["r", "shape"], ["f"], name="flat"),
         node("Gemm", ["f", "head", "bias"], ["y"], name="head_proj", transB=1)],
        "block", [value("x", TensorProto.FLOAT, [1, 5, 80])], [value("y", TensorProto.FLOAT, [5, 24])], values)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


# parameters of WEIGHT_ONLY, format, parameters of the export, types of codes, blocks
GROUPS = [
    ({"weight_format": "int4"}, "onnx_qdq", {"int4": True}, {TensorProto.INT4}, 32),
    ({"weight_format": "int4", "weight_group": 16, "symmetric": False}, "onnx_qdq", {"int4": True}, {TensorProto.UINT4}, 16),
    ({"weight_format": "int8", "weight_group": 64}, "onnx_qdq", {}, {TensorProto.INT8}, 64),
    ({"weight_format": "fp8"}, "onnx_qdq", {}, {TensorProto.FLOAT8E4M3FN}, 32),
    ({"weight_format": "nf4"}, "onnx_qdq", {"quantized_parameters": False}, set(), 0),
    *(({"weight_format": name, "weight_group": group}, "onnx_qdq", {"int4": packed}, {TensorProto.UINT4 if packed else TensorProto.UINT8}, 0)
      for name, group, packed in (("mxfp4", 32, True), ("mxfp4", 32, False), ("mxfp6", 32, False), ("nvfp4", 16, True), ("nf4", 16, True),
                                  ("nf4", 32, False), ("nf4", 0, True))),
    ({"weight_format": "int4"}, "onnx_matmul_nbits", {}, {TensorProto.UINT8}, 32),
    *(({"weight_format": weights, "weight_group": 16, "activation_format": "int8", "activation_group": 16}, "onnx_matmul_nbits", {},
       {TensorProto.UINT8}, 16) for weights in ("int4", "int8")),
    ({"weight_format": "int4", "activation_format": "mxfp8"}, "onnx_matmul_nbits", {}, {TensorProto.UINT8}, 32),
    ({"weight_format": "int8", "activation_format": "nvfp4"}, "onnx_qdq", {}, {TensorProto.INT8}, 32),
    ({"weight_format": "int3", "symmetric": False}, "onnx_matmul_nbits", {}, {TensorProto.UINT8}, 32),
    ({"weight_format": "int8", "weight_group": 16, "symmetric": False}, "onnx_matmul_nbits", {}, {TensorProto.UINT8}, 16),
]


def looked_up_weights_are_equal(exported, plain):
    """Whether onnxruntime computes from the codes the very weights that the plain file stores."""
    proto, rounded = onnx.load(exported), onnx.load(plain)
    stored = {i.name: numpy_helper.to_array(i) for i in rounded.graph.initializer}
    wanted = {n.name: stored[n.input[1]] for n in rounded.graph.node if n.op_type in ("MatMul", "Gemm")}
    read = {n.name: n.input[1] for n in proto.graph.node if n.name in wanted}
    proto.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in read.values())
    got = session(proto.SerializeToString()).run(list(read.values()), {"x": np.zeros((1, 5, 80), np.float32)})
    return len(wanted) == 3 and all(a.tobytes() == wanted[name].tobytes() for name, a in zip(read, got))


def check_groups(folder):
    """Weights with scales by group: blocks of DequantizeLinear, MatMulNBits, and look-ups, as the simulator computes them."""
    model, exported, recipe = folder / "block.onnx", folder / "groups.onnx", folder / "groups.quantloupe"
    plain = folder / "plain.onnx"
    onnx.save(transformer_block(), model)
    x = np.random.default_rng(12).normal(size=(4, 5, 80)).astype(np.float32)
    np.savez(folder / "groups.npz", x=x)
    good = True
    for values, form, params, types, block in GROUPS:
        export = {"format": form, "path": str(exported), "params": params}
        given = [word for name, value in values.items() for word in ("--platform-param", f"{name}={json.dumps(value).strip(chr(34))}")]
        if form == "onnx_matmul_nbits":  # scales and codes that are no longer those of an observer
            given += ["--set", "passes.gptq.enabled=true"]
        exports = [export]
        if "activation_format" not in values:  # which plain ONNX refuses
            exports.append({"format": "onnx", "path": str(plain)})
        run("run", model, "--platform", "WEIGHT_ONLY", *given, "--calib", folder / "groups.npz", "--analyse", "none",
            "--save-recipe", recipe, "--no-cache", "--set", f"exports={json.dumps(exports)}")
        run("infer", recipe, "--in", folder / "groups.npz", "--out", folder / "sim.npz")
        proto = onnx.load(exported)
        if form == "onnx_qdq":  # the library does not know MatMulNBits
            onnx.checker.check_model(proto, full_check=True)
        written = {i.data_type for i in proto.graph.initializer if i.name.endswith("_quantized")}
        blocks = {a.i for n in proto.graph.node for a in n.attribute if a.name == "block_size"}
        replaced = sum(n.op_type == "MatMulNBits" for n in proto.graph.node)
        wanted = np.load(folder / "sim.npz")["y"].reshape(4, 5, 24)
        noise = {}
        for as_integers in (False, True):
            if as_integers and TensorProto.FLOAT8E4M3FN in types:
                continue  # refused
            runner = session(str(exported), as_integers)
            got = np.stack([runner.run(None, {"x": x[k : k + 1]})[0] for k in range(4)])
            noise["optimized" if as_integers else "float"] = float(np.sum((got - wanted) ** 2) / np.sum(wanted**2))
        fits = (max(noise.values()) < 1e-9 and written == types and blocks == ({block} if block else set())
                and replaced == (3 if form == "onnx_matmul_nbits" else 0))
        if any(n.op_type == "Gather" for n in proto.graph.node):
            fits = fits and looked_up_weights_are_equal(exported, plain)
        good = good and fits
        print(f"{'ok  ' if fits else 'FAIL'} {form} {json.dumps(values)}: types {sorted(written)}, blocks {sorted(blocks)}, "
              f"noise against the simulator {json.dumps(noise)}")
    return good


def bodies_cases(folder):
    model = folder / "bodies.onnx"
    onnx.save(body_reader(), model)
    x = pictures((3, 8, 8), 8, 5)
    np.savez(folder / "bodies.npz", x=x)
    yield "bodies", model, folder / "bodies.npz", [{"x": x[k : k + 1]} for k in range(8)], 0
    onnx.save(recurrent(), model)
    x = pictures((6, 7, 1), 8, 9)[..., 0]
    np.savez(folder / "bodies.npz", x=x)
    yield "recurrent", model, folder / "bodies.npz", [{"x": x[k : k + 1]} for k in range(8)], 9
    silero = CORPUS / "silero_vad_16k_op15"
    if not silero.is_dir():
        print("skipped silero_vad_16k_op15: the corpus is not here")
        return
    golden = np.load(silero / "golden.npz")
    sound, state, rate = golden["in__input"][20:28, 0], golden["in__state"][20:28], golden["in__sr"]
    np.savez(folder / "silero.npz", input=sound, state=state, sr=rate)
    feeds = [{"input": sound[k : k + 1], "state": state[k], "sr": rate} for k in range(8)]
    yield "silero_vad_16k_op15", next(silero.glob("*.onnx")), folder / "silero.npz", feeds, 6


def main():
    print(f"onnxruntime {ort.__version__}")
    cases = [("sample", ROOT / "resources/sample/model.onnx")]
    for name in ["squeezenet1.1", "resnet20_cifar10", "mobilenetv2_backbone", "ultraface_rfb320", "super_resolution",
                 "ppocr_mobile2_cls", "deeplabv3_dm05", "yolox_nano"]:
        if (CORPUS / name).is_dir():
            cases.append((name, next((CORPUS / name).glob("*.onnx"))))
        else:
            print(f"skipped {name}: the corpus is not here")
    passed = 0
    for name, model in cases:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / "case"
            folder.mkdir()
            os.environ["XDG_CACHE_HOME"] = temporary
            shapes = {i.name: i.shape for i in
                      ort.InferenceSession(str(model), providers=["CPUExecutionProvider"]).get_inputs()}
            fixed = {n: [d if isinstance(d, int) else 1 for d in s][1:] for n, s in shapes.items()}
            golden = pathlib.Path(model).parent / "golden.npz"
            real = {n: np.load(golden)[f"in__{n}"] for n in fixed} if golden.exists() else {}
            data = {n: pictures(real[n].shape[1:] if n in real else s, 8, 7) for n, s in fixed.items()}
            data = {n: np.concatenate([real[n], v]) if n in real else v for n, v in data.items()}  # real ones first
            np.savez(folder / "calib.npz", **data)
            passed += check(name, model, folder / "calib.npz", folder)
    count = len(cases)
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["XDG_CACHE_HOME"] = temporary
        for case in bodies_cases(pathlib.Path(temporary)):
            passed += check_bodies(*case, pathlib.Path(temporary))
            count += 1
        passed += check_random(pathlib.Path(temporary), range(16))
        count += 1
        sample = ort.InferenceSession(str(ROOT / "resources/sample/model.onnx"), providers=["CPUExecutionProvider"])
        np.savez(pathlib.Path(temporary) / "form.npz",
                 **{i.name: pictures([d if isinstance(d, int) else 1 for d in i.shape][1:], 8, 3) for i in sample.get_inputs()})
        for form in FORMS:
            passed += check_form(pathlib.Path(temporary), *form)
            count += 1
        passed += check_groups(pathlib.Path(temporary))
        count += 1
    print(f"{passed} passed, {count - passed} failed")
    return passed != count


sys.exit(main())

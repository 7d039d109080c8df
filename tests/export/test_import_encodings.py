#!/usr/bin/env python3
"""Models quantized by ONNX Runtime's own tools: imported as recipes, they give the numbers that ONNX Runtime gives for the
file; and operators on codes compute what ONNX Runtime computes, ties included.

usage: test_import_encodings.py CLI REPOSITORY
Exit code 77 (skipped) when onnxruntime, onnx or numpy are missing.
"""
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper, numpy_helper
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
except ImportError as missing:
    print(f"SKIPPED: {missing}; scripts/make-venv installs it")
    sys.exit(77)

sys.path.insert(0, str(Path(sys.argv[2]) / "scripts"))
from forked_cli import ForkedCli

CLI = ForkedCli(sys.argv[1])
CORPUS = Path(sys.argv[2]).parent / "shared" / "corpus"
REQUIRED = 0.9999  # share of elements at most one step apart
FAILED = []
ort.set_default_logger_severity(4)


def cli(*arguments):
    done = CLI.run(*arguments)
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stderr


def runtime(file, feed):
    options = ort.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")  # no saturation without VNNI
    options.intra_op_num_threads = 1
    return ort.InferenceSession(str(file), options, providers=["CPUExecutionProvider"]).run(None, feed)


def infer(source, feed, folder, *more):
    np.savez(folder / "in.npz", **feed)
    cli("infer", source, "--in", folder / "in.npz", "--out", folder / "out.npz", "--quiet", *more)
    return np.load(folder / "out.npz")


def expect(name, condition, text):
    print(f"{'ok    ' if condition else 'FAILED'} {name}: {text}")
    if not condition:
        FAILED.append(name)


# Operators


def operator_cases():
    """name, node type, domain, inputs in order, attributes: every pair of codes, scales that give ties."""
    random = np.random.default_rng(3)
    f = np.float32
    for kind in (np.uint8, np.int8):
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        codes = np.arange(low, high + 1).astype(kind)
        a, b = np.repeat(codes, 256)[None], np.tile(codes, 256)[None]
        grids = [[f(0.02), f(0.02), f(0.04)], [f(0.5), f(0.25), f(1)], *random.uniform(0.01, 0.04, (2, 3)).astype(f)]
        for scales in grids:
            zeros = random.integers(low // 2, high // 2, 3).astype(kind)
            pair = {"a": a, "as": scales[0], "az": zeros[0], "b": b, "bs": scales[1], "bz": zeros[1]}
            target = {"ys": scales[2], "yz": zeros[2]}
            yield "QLinearAdd", "com.microsoft", {**pair, **target}, {}
            yield "QLinearMul", "com.microsoft", {**pair, "ys": f(scales[0] * scales[1] * 200), "yz": zeros[2]}, {}
            image = random.integers(low, high + 1, (1, 8, 14, 14)).astype(kind)
            pooled = {"x": image, "xs": scales[0], "xz": zeros[0], **target}
            yield "QLinearAveragePool", "com.microsoft", pooled, {"kernel_shape": [2, 2]}
            yield "QLinearGlobalAveragePool", "com.microsoft", pooled, {}
            for unary, attributes in (("QLinearSigmoid", {}), ("QLinearLeakyRelu", {"alpha": 0.1})):
                yield unary, "com.microsoft", {"x": codes[None], "xs": scales[0], "xz": zeros[0], **target}, attributes
            yield "QLinearSoftmax", "com.microsoft", {"x": image, "xs": f(0.05), "xz": zeros[0], "ys": f(1 / 256),
                                                      "yz": kind(low)}, {"axis": -1, "opset": 13}
            yield "QLinearConcat", "com.microsoft", {**target, **pair}, {"axis": 1}
            weight = random.integers(-40, 41, (16, 8, 1, 1)).astype(np.int8)
            bias = random.integers(-3000, 3000, 16).astype(np.int32)
            steps = random.uniform(0.001, 0.01, 16).astype(f)
            yield "QLinearConv", "", {"x": image, "xs": scales[0], "xz": zeros[0], "w": weight, "ws": steps,
                                      "wz": np.zeros(16, np.int8), "ys": f(0.1), "yz": zeros[2], "b": bias}, {}
            matrix = random.integers(-40, 41, (14, 30)).astype(np.int8)
            yield "QLinearMatMul", "", {"a": image, "as": scales[0], "az": zeros[0], "b": matrix, "bs": f(0.02),
                                        "bz": np.int8(0), **target}, {}
    values = np.concatenate([random.normal(0, 2, 20000), (np.arange(-300, 300) + 0.5) * 0.0371]).astype(f)[None]
    for kind in (np.uint8, np.int8, np.int16, np.uint16):
        yield "QuantizeLinear", "", {"x": values, "s": f(0.0371), "z": kind(7)}, {}
    yield "DynamicQuantizeLinear", "", {"x": values}, {}
    matrix, steps = random.integers(-40, 41, (50, 30)).astype(np.int8), random.uniform(0.001, 0.01, 30).astype(f)
    yield "DynamicQuantizeMatMul", "com.microsoft", {"a": values[:, :2000].reshape(1, 40, 50), "b": matrix, "bs": steps,
                                                     "bz": np.zeros(30, np.int8), "bias": steps * 9}, {}


def check_operators(folder):
    wrong, total = {}, {}
    for type_, domain, inputs, attributes in operator_cases():
        names = ["y", "s", "z"] if type_ == "DynamicQuantizeLinear" else ["y"]
        first = next(k for k, v in inputs.items() if np.ndim(v) > 1 and v.shape[0] == 1)
        node = helper.make_node(type_, list(inputs), names, domain=domain, **attributes)
        constants = [numpy_helper.from_array(np.array(v), k) for k, v in inputs.items() if k != first]
        feed = {first: np.array(inputs[first])}
        value = helper.make_tensor_value_info(first, helper.np_dtype_to_tensor_dtype(feed[first].dtype), feed[first].shape)
        outputs = [helper.make_empty_tensor_value_info(name) for name in names[:1]]
        model = helper.make_model(helper.make_graph([node], "g", [value], outputs, constants), ir_version=10,
                                  opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)])
        onnx.save(model, folder / "op.onnx")
        got = infer(folder / "op.onnx", feed, folder, "--fp32")["y"]
        want = runtime(folder / "op.onnx", feed)[0]
        wrong[type_] = wrong.get(type_, 0) + int(np.sum(got.reshape(want.shape) != want))
        total[type_] = total.get(type_, 0) + want.size
    for type_, count in total.items():
        expect(type_, wrong[type_] == 0, f"{wrong[type_]} of {count} values differ")


# Models


class Samples(CalibrationDataReader):
    def __init__(self, name, values):
        self.samples = [{name: v[None]} for v in values]

    def get_next(self):
        return self.samples.pop() if self.samples else None


def network(file):
    """Conv, Relu, MaxPool, a residual Add, a Resize of codes, a float operation, an average, Gemm."""
    random = np.random.default_rng(5)
    weights = {"w1": (8, 3, 3, 3), "b1": (8,), "w2": (8, 8, 3, 3), "b2": (8,), "w3": (10, 8), "b3": (10,)}
    constants = [numpy_helper.from_array(random.normal(0, 0.2, s).astype(np.float32), n) for n, s in weights.items()]
    constants.append(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "scales"))
    constants.append(numpy_helper.from_array(np.full((8, 1, 1), 0.2, np.float32), "slope"))
    nodes = [helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], "conv1", pads=[1] * 4),
             helper.make_node("Relu", ["c1"], ["r1"], "relu1"),
             helper.make_node("MaxPool", ["r1"], ["p1"], "pool1", kernel_shape=[2, 2], strides=[2, 2]),
             helper.make_node("Conv", ["p1", "w2", "b2"], ["c2"], "conv2", pads=[1] * 4),
             helper.make_node("Add", ["c2", "p1"], ["a1"], "add1"),
             helper.make_node("Resize", ["a1", "", "scales"], ["z1"], "resize1", mode="nearest"),
             helper.make_node("PRelu", ["z1", "slope"], ["q1"], "prelu1"),
             helper.make_node("GlobalAveragePool", ["q1"], ["g1"], "gap1"),
             helper.make_node("Flatten", ["g1"], ["f1"], "flat1"),
             helper.make_node("Gemm", ["f1", "w3", "b3"], ["y"], "fc1", transB=1)]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 16, 16])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 10])
    model = helper.make_model(helper.make_graph(nodes, "net", [x], [y], constants), ir_version=8,
                              opset_imports=[helper.make_opsetid("", 13)])
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, file)
    return "x", random.normal(0, 1, (12, 3, 16, 16)).astype(np.float32)


def last_step(file, recipe):
    """The scale of the output: of the last DequantizeLinear, or nothing."""
    model = onnx.load(file)
    values = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    for node in reversed(model.graph.node):
        if node.op_type == "DequantizeLinear" and model.graph.output[0].name in node.output:
            return float(values[node.input[1]])
    return 0


def check_file(name, file, parent, input_name, samples, folder, within=REQUIRED):
    want = np.concatenate([runtime(file, {input_name: v[None]})[0] for v in samples])
    for model in (parent, None):
        recipe = folder / "r.quantloupe"
        more = ["--model", model] if model else []
        notes = cli("import-encodings", file, "--save-recipe", recipe, *more)
        got = infer(recipe, {input_name: samples}, folder)
        got = got[got.files[0]].reshape(want.shape)
        step = last_step(file, recipe) or float(np.abs(want).max()) / 127
        share = float(np.mean(np.abs(got - want) <= 1.001 * step))
        noise = float(np.sum((got - want).astype(np.float64) ** 2)) or 1e-30
        decibel = 10 * np.log10(float(np.sum(want.astype(np.float64) ** 2)) / noise)
        way = "against the float model" if model else "alone"
        expect(f"{name}, {way}", share >= within, f"{share:.6f} within one step, {decibel:.1f} dB")
        if "warning" in notes:
            print(notes)


def quantized_by_runtime(source, folder, input_name, samples):
    """name, file: by quantize_static in its forms."""
    forms = {"QDQ": dict(quant_format=QuantFormat.QDQ, activation_type=QuantType.QInt8, weight_type=QuantType.QInt8),
             "QDQ per channel, uint8": dict(quant_format=QuantFormat.QDQ, per_channel=True, reduce_range=True,
                                            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8),
             "QDQ, 16 bits": dict(quant_format=QuantFormat.QDQ, activation_type=QuantType.QUInt16,
                                  weight_type=QuantType.QUInt8),
             "QOperator": dict(quant_format=QuantFormat.QOperator, per_channel=True, reduce_range=True,
                               activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)}
    for name, options in forms.items():
        file = folder / "by-runtime.onnx"
        quantize_static(str(source), str(file), Samples(input_name, samples[:8]), **options)
        yield name, file
    file = folder / "by-runtime.onnx"
    quantize_dynamic(str(source), str(file), weight_type=QuantType.QInt8, extra_options={"WeightSymmetric": True})
    yield "dynamic", file


def main():
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        check_operators(folder)
        sources = [("small net", folder / "net.onnx", *network(folder / "net.onnx"))]
        for name in sys.argv[3:]:  # by hand: models of the corpus
            file = next((CORPUS / name).glob("*.onnx"))
            data = np.load(next((CORPUS / name).glob("*calib*.npz")))
            sources.append((name, file, data.files[0], data[data.files[0]][:8]))
        for title, source, input_name, samples in sources:
            for name, file in quantized_by_runtime(source, folder, input_name, samples):
                check_file(f"{title}, {name}", file, source, input_name, samples, folder)
            cli("run", source, "--platform", "ONNXRUNTIME", "--calib", save(folder, input_name, samples), "--analyse", "none",
                "--no-cache", "--quiet", "--export", f"onnx_qdq:{folder / 'own.onnx'}")
            check_file(f"{title}, own export", folder / "own.onnx", source, input_name, samples, folder)
    if FAILED:
        sys.exit(f"FAILED: {len(FAILED)}")


def save(folder, name, samples):
    np.savez(folder / "calib.npz", **{name: samples})
    return folder / "calib.npz"


if __name__ == "__main__":
    main()

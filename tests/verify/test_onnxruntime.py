"""`verify` with the real onnxruntime: a file as exported, one whose scale was changed, stored matrices that multiply float
tensors, and float kernels that the simulator computes bit for bit.

usage: test_onnxruntime.py QUANTLOUPE_CLI REPOSITORY
Exit code 77 (skipped) when onnxruntime, onnx or numpy are missing.
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
    import onnxruntime  # noqa: F401, verify starts this interpreter
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"SKIPPED: {missing}; scripts/make-venv installs it")
    sys.exit(77)

CLI, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*arguments, expected=0):
    done = subprocess.run([CLI, *map(str, arguments), "--quiet"], capture_output=True, text=True, check=False)
    if done.returncode != expected:
        sys.exit(f"FAILED: exit code {done.returncode}, not {expected}: {' '.join(map(str, arguments))}\n{done.stderr}")
    return done


def verify(folder, file, *options, expected=0):
    run("verify", file, "--against", folder / "r.quantloupe", "--json", folder / "v.json", *options, expected=expected)
    return json.loads((folder / "v.json").read_text())


def change_scale(file, tensor, changed):
    """@returns the name of the tensor whose scale is now 1.5 times as large"""
    model = onnx.load(file)
    node = next(n for n in model.graph.node if n.op_type == "QuantizeLinear" and n.output[0].startswith(tensor))
    scale = next(i for i in model.graph.initializer if i.name == node.input[1])
    scale.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(scale) * np.float32(1.5), scale.name))
    onnx.save(model, changed)


def check_low_bits(folder):
    """A platform that computes in floats between rounded tensors, with the parameters of low-bit TensorRT."""
    for bits, params in ((2, ["per_channel=false"]), (4, []), (5, ["symmetric=false"])):
        run("run", ROOT / "resources/sample/model.onnx", "--platform", "TRT_INT8", "--calib", folder / "x.npz", "--analyse",
            "none", *(w for p in [f"bits={bits}", *params] for w in ("--platform-param", p)), "--export",
            f"trt_qdq:{folder}/low.onnx", "--save-recipe", folder / "r.quantloupe")
        result = verify(folder, folder / "low.onnx")
        require(result["runtime"]["options"]["optimizations"] == "off", "integer kernels must be off", result)
        require(all(o["equal"] == 1 for o in result["outputs"]), f"files of {bits} bits must have equal outputs", result)


def check_stored_matrices(folder):
    """ONNX Runtime would round the float tensors that a stored matrix multiplies."""
    rng = np.random.default_rng(2)
    parameters = [numpy_helper.from_array(rng.normal(size=shape).astype(np.float32) / 8, name)
                  for name, shape in (("first", [64, 48]), ("second", [48, 32]))]
    nodes = [helper.make_node("MatMul", ["x", "first"], ["m"], name="matmul"), helper.make_node("Relu", ["m"], ["r"]),
             helper.make_node("Gemm", ["r", "second"], ["y"], name="gemm")]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", size]) for name, size in (("x", 64), ("y", 32))]
    graph = helper.make_graph(nodes, "matrices", values[:1], values[1:], parameters)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "matrices.onnx")
    np.savez(folder / "matrices.npz", x=rng.normal(size=[32, 64]).astype(np.float32))
    for granularity in ("group 32", "output_channel"):
        weights = {"match": {"role": "weight"}, "set": {"granularity": granularity, "bits": 4, "quant_min": -8, "quant_max": 7}}
        run("run", folder / "matrices.onnx", "--platform", "WEIGHT_ONLY", "--calib", folder / "matrices.npz", "--analyse",
            "none", "--set", f"overrides={json.dumps([weights])}", "--export", f"onnx_qdq:{folder}/q.onnx", "--save-recipe",
            folder / "r.quantloupe")
        result = verify(folder, folder / "q.onnx")
        require(result["good"], f"matrices with scales per {granularity} must agree", result)


def check_float_kernels(folder):
    """Softmax, and operations outside of the platform, which ONNX Runtime executes, too: rows of all lengths up to some
    vectors of any processor, an inner axis, and products of matrices of all shapes."""
    rng = np.random.default_rng(3)
    spread = np.repeat(np.float32([.1, 1, 10, 60]), 3)  # to exponentials that are no normal numbers
    nodes, feed = [], {}
    for length in [*range(1, 70), 197, 1000, 2048]:
        feed[f"x{length}"] = rng.normal(size=[12, length]).astype(np.float32) * spread[:, None]
        nodes += [helper.make_node(kind, [f"x{length}"], [f"{kind}{length}"], name=f"{kind}{length}")
                  for kind in ("Softmax", "LogSoftmax")]
    feed["image"] = rng.normal(size=[12, 19, 3, 5]).astype(np.float32)
    nodes.append(helper.make_node("Softmax", ["image"], ["channels"], name="channels", axis=1))
    nodes.append(helper.make_node("Erf", ["x1000"], ["erf"], name="erf"))
    equations = ["sij,sjk->sik", "sij,skj->sik", "sji,sjk->ski", "shij,shjk->sihk"]
    for shape, (rows, terms, columns) in enumerate([(49, 49, 32), (7, 300, 16), (2, 5, 7), (33, 129, 300), (64, 700, 3)]):
        sizes = {"s": 12, "h": 2, "i": rows, "j": terms, "k": columns}
        for kind, equation in enumerate(equations):
            names = [f"{side}{shape}{kind}" for side in ("left", "right", "product")]
            for name, part in zip(names, equation.split("->")[0].split(",")):
                feed[name] = rng.normal(size=[sizes[letter] for letter in part]).astype(np.float32)
            nodes.append(helper.make_node("Einsum", names[:2], names[2:], name=names[2], equation=equation))
    values = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names]
              for names in (feed, (o for node in nodes for o in node.output))]
    model = helper.make_model(helper.make_graph(nodes, "rows", *values), opset_imports=[helper.make_opsetid("", 13)],
                              ir_version=8)
    onnx.save(model, folder / "rows.onnx")
    np.savez(folder / "rows.npz", **feed)
    onto_platform = [{"types": ["Softmax"], "platform": "ONNXRUNTIME"}]
    run("run", folder / "rows.onnx", "--platform", "ONNXRUNTIME", "--calib", folder / "rows.npz", "--samples", 12,
        "--analyse", "none", "--set", f"dispatch={json.dumps(onto_platform)}", "--set",
        f"overrides={json.dumps([{'match': {}, 'set': {'state': 'fp32'}}])}", "--save-recipe", folder / "rows.quantloupe")
    run("infer", folder / "rows.quantloupe", "--in", folder / "rows.npz", "--out", folder / "simulated.npz")
    simulated = np.load(folder / "simulated.npz")
    runner = onnxruntime.InferenceSession(str(folder / "rows.onnx"), providers=["CPUExecutionProvider"])
    for output, wanted in zip(runner.get_outputs(), runner.run(None, feed)):
        different = int(np.sum(simulated[output.name].view(np.int32) != wanted.view(np.int32)))
        require(different == 0, f"{output.name}: {different} of {wanted.size} elements are not those of onnxruntime", {})


def check_moved_rounding(folder):
    """ONNX Runtime moves the rounding after a Transpose ahead of it: no divergence, and the one downstream is found."""
    folder.mkdir()
    rng = np.random.default_rng(4)
    parameters = [numpy_helper.from_array(rng.normal(size=shape).astype(np.float32), name)
                  for name, shape in (("first", [32, 32]), ("gain", [32]), ("shift", [32]), ("weight", [64, 64]))]
    nodes = [helper.make_node("MatMul", ["x", "first"], ["m"], name="first matmul"),
             helper.make_node("LayerNormalization", ["m", "gain", "shift"], ["n"], name="norm"),
             helper.make_node("Transpose", ["n"], ["t"], name="turn", perm=[0, 2, 1]),
             helper.make_node("MatMul", ["t", "weight"], ["p"], name="matmul"),
             helper.make_node("Transpose", ["p"], ["b"], name="back", perm=[0, 2, 1]),
             helper.make_node("Add", ["b", "m"], ["y"], name="sum")]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 64, 32]) for name in "xy"]
    graph = helper.make_graph(nodes, "moved", values[:1], values[1:], parameters)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "m.onnx")
    np.savez(folder / "x.npz", x=rng.normal(size=[8, 64, 32]).astype(np.float32))
    run("run", folder / "m.onnx", "--platform", "ONNXRUNTIME", "--calib", folder / "x.npz", "--analyse", "none", "--export", f"onnx_qdq:{folder}/q.onnx", "--save-recipe", folder / "r.quantloupe")
    good = verify(folder, folder / "q.onnx")
    require(good["first_divergence"] is None, "a moved rounding changes no numbers", good)
    require(any(row["name"] == "n" and row["equal"] < 1 for row in good["tensors"]), "the rounding is moved", good)
    change_scale(folder / "q.onnx", "y", folder / "changed.onnx")
    bad = verify(folder, folder / "changed.onnx", expected=1)
    require(bad["first_divergence"]["tensor"] == "y", "the changed scale must be found after a moved rounding", bad)


def require(condition, what, result):
    if not condition:
        sys.exit(f"FAILED: {what}\n{json.dumps(result, indent=1)}")


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        os.environ |= {"XDG_CACHE_HOME": temporary, "QUANTLOUPE_PYTHON": sys.executable}
        shape = [d if isinstance(d, int) else 1 for d in onnxruntime.InferenceSession(
            ROOT / "resources/sample/model.onnx", providers=["CPUExecutionProvider"]).get_inputs()[0].shape]
        name = onnx.load(ROOT / "resources/sample/model.onnx").graph.input[0].name
        np.savez(folder / "x.npz", **{name: np.random.default_rng(1).normal(size=[8, *shape[1:]]).astype(np.float32)})
        run("run", ROOT / "resources/sample/model.onnx", "--platform", "ONNXRUNTIME", "--calib", folder / "x.npz",
            "--analyse", "none", "--export", f"onnx_qdq:{folder}/q.onnx", "--save-recipe", folder / "r.quantloupe")
        good = verify(folder, folder / "q.onnx")
        require(good["good"] and good["tensors"], "the exported file must agree", good)
        require(good["runtime"]["version"] == onnxruntime.__version__, "the version must be that of the package", good)
        tensor = good["tensors"][len(good["tensors"]) // 2]["name"]
        change_scale(folder / "q.onnx", tensor, folder / "changed.onnx")
        bad = verify(folder, folder / "changed.onnx", expected=1)
        found = bad["first_divergence"]
        require(found["cause"] == "encoding missing or ignored" and found["tensor"] == tensor,
                f"the scale of {tensor} must be found", bad)
        for options in (["optimizations=off"], ["fuse_qdq=false"]):
            verify(folder, folder / "q.onnx", *(w for o in options for w in ("--runtime-option", o)), "--within", "0.9")
        check_low_bits(folder)
        check_stored_matrices(folder)
        check_float_kernels(folder)
        check_moved_rounding(folder / "moved")
        print(f"ok: agreed with onnxruntime {onnxruntime.__version__}; found the changed scale of {tensor}")


main()

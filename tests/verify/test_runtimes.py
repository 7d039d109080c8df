"""Exports the sample for the platform of each runtime that this machine has, and runs `verify`.

usage: test_runtimes.py QUANTLOUPE_CLI REPOSITORY --runtimes | --install
The runtimes are those in this interpreter and those that `runtimes install` made in the user's cache folder. A missing one
is skipped with the reason; exit code 77 when all are. --install: installs ONNX Runtime into a new cache folder and
runs it from there; skipped without a package registry.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper, numpy_helper

CLI, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
MODEL = ROOT / "resources/sample/model.onnx"
STEPS = "rgb; scale 1/255; mean .5,.5,.5; std .5,.5,.5; layout nchw"

# runtime, platform, format, lowest SQNR in dB of the runtime against the simulator, as measured less a margin
RUNTIMES = [("onnxruntime", "ONNXRUNTIME", "onnx_qdq", 60), ("opencv", "ONNXRUNTIME", "onnx_qdq", 25),
            ("opencv", "PPL_DSP_INT8", "caffe", 60),
            ("openvino", "OPENVINO_INT8", "openvino_qdq", 60), ("ncnn", "NCNN_INT8", "ncnn_table", 60),
            ("mnn", "MNN_INT8", "mnn_json", 60), ("rknn", "RKNN_INT8", "onnx_qdq", 60),
            ("aimet", "TRT_INT8", "aimet_encodings", 17), ("aimet", "QNN_DSP_INT8", "qnn_encodings", 25)]
SATURATING = 15  # likewise, of OpenVINO without VNNI


def run(*arguments, good=(0,)):
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in good:
        sys.exit(f"FAILED: exit code {done.returncode}: {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def found(runtime):
    """Where it is: in this interpreter, otherwise where `runtimes` finds it."""
    for place in (["--python", sys.executable], []):
        item = json.loads(run("runtimes", runtime, *place, "--json", "-"))
        if item["found"]:
            return item
    print(f"SKIPPED: {runtime}: {item['missing']}; `quantloupe-cli runtimes install {runtime}` installs it")
    return None


def ending(form):
    return ".prototxt" if form == "caffe" else ".onnx"


def saturates(runtime, item):
    return runtime == "openvino" and item["facts"] and "vnni" not in item["facts"]["instructions"]


def kernels(runtime, item):
    """What the simulator has to compute as the runtime does, beyond the platform's defaults."""
    if saturates(runtime, item):
        return ["--set", "passes.runtime_kernels.sums=saturating_pairs"]
    return ["--set", "passes.runtime_kernels.enabled=true"] if runtime == "rknn" else []


def verify(folder, runtime, platform, form, item):
    file, recipe = folder / f"{platform}{ending(form)}", folder / f"{platform}.quantloupe"
    run("run", MODEL, "--platform", platform, "--calib", ROOT / "resources/sample/calib", "--preprocess", STEPS,
        "--samples", 8, "--analyse", "none", "--export", f"{form}:{file}", "--save-recipe", recipe, "--quiet",
        *kernels(runtime, item))
    precision = ["--runtime-option", "precision=f32"] if runtime == "openvino" else []
    run("verify", file, "--against", recipe, "--runtime", runtime, "--python", item["place"], "--outputs-only",
        "--json", folder / "v.json", "--quiet", *precision, good=(0, 1))
    return json.loads((folder / "v.json").read_text())


def require(condition, what, result):
    if not condition:
        sys.exit(f"FAILED: {what}\n{json.dumps(result, indent=1)}")


def decibels(report):
    return min((400 if o["sqnr_db_runtime_simulator"] is None else o["sqnr_db_runtime_simulator"])
               for o in report["outputs"])


def inside(folder, platform, runtime, item):
    """Inner tensors are compared as codes, also those that the runtime stores with another zero point."""
    run("verify", folder / f"{platform}.onnx", "--against", folder / f"{platform}.quantloupe", "--runtime", runtime,
        "--python", item["place"], "--json", folder / "inside.json", "--quiet", good=(0, 1))
    report = json.loads((folder / "inside.json").read_text())
    codes = [t for t in report["tensors"] if "step" in t]
    require(codes and all(t["within_one_step"] > 0.9 for t in codes), f"{runtime}: inner tensors agree", report)


def recurrent_in_mnn(folder, item):
    """A LSTM without its last states, whose loop only MNN's modules run, and results that are integers; two samples."""
    rng = np.random.default_rng(1)
    values = {"w": rng.normal(size=(4, 3, 3, 3)), "W": rng.normal(size=(1, 20, 4)), "R": rng.normal(size=(1, 20, 5)),
              "B": rng.normal(size=(1, 40)), "zero": np.zeros((1, 1, 5))}
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]), helper.make_node("Relu", ["c"], ["r"]),
             helper.make_node("Transpose", ["r"], ["t"], perm=[0, 2, 3, 1]),
             helper.make_node("Reshape", ["t", "steps"], ["s"]),
             helper.make_node("LSTM", ["s", "W", "R", "B", "", "zero", "zero"], ["y"], hidden_size=5),
             helper.make_node("ArgMax", ["r"], ["best"], axis=1, keepdims=0)]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", 1, [1, 3, 4, 4])],
        [helper.make_tensor_value_info("y", 1, [16, 1, 1, 5]), helper.make_tensor_value_info("best", 7, [1, 4, 4])],
        [numpy_helper.from_array(v.astype(np.float32), n) for n, v in values.items()]
        + [numpy_helper.from_array(np.array([16, 1, 4]), "steps")])
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 14)]), folder / "lstm.onnx")
    run("run", folder / "lstm.onnx", "--platform", "MNN_INT8", "--calib", "random:2,seed=1", "--analyse", "none", "--export",
        f"mnn_json:{folder / 'out.onnx'}", "--save-recipe", folder / "lstm.quantloupe", "--quiet")
    run("verify", folder / "out.onnx", "--against", folder / "lstm.quantloupe", "--runtime", "mnn", "--python",
        item["place"], "--outputs-only", "--json", folder / "lstm.json", "--quiet", good=(0, 1))
    report = json.loads((folder / "lstm.json").read_text())
    require(report["good"] and report["runtime"]["facts"]["interface"] == "module", "mnn: a LSTM agrees", report)


def all_runtimes(folder):
    ran = 0
    for runtime, platform, form, least in RUNTIMES:
        item = found(runtime)
        if not item:
            continue
        if saturates(runtime, item):
            least = SATURATING
        report = verify(folder, runtime, platform, form, item)
        require(decibels(report) >= least, f"{runtime}: SQNR below {least} dB", report)
        require(report["runtime"]["version"] == item["version"], f"{runtime}: the version that ran", report)
        if (runtime, form) == ("opencv", "onnx_qdq"):
            inside(folder, platform, runtime, item)
        if runtime == "mnn":
            recurrent_in_mnn(folder, item)
        print(f"ok: {runtime} {item['version']}, {form}: {decibels(report):.1f} dB")
        ran += 1
        # Scales next to the file: without them there is one clear message
        beside = {"ncnn_table": ".table", "mnn_json": ".json", "caffe": ".json", "aimet_encodings": ".encodings",
                  "qnn_encodings": ".encodings"}.get(form)
        if beside:
            (folder / f"{platform}{beside}").unlink()
            done = subprocess.run([CLI, "verify", folder / f"{platform}{ending(form)}", "--against",
                                   folder / f"{platform}.quantloupe", "--runtime", runtime, "--python", item["place"],
                                   "--quiet"], capture_output=True, text=True, check=False)
            if done.returncode != 2 or "must be next to the file" not in done.stderr:
                sys.exit(f"FAILED: {runtime} without its scales: exit code {done.returncode}\n{done.stderr}")
    if ran == 0:
        sys.exit(77)


def install(folder):
    probe = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--quiet", "--retries", "0", "--timeout",
             "5", "--ignore-installed", "onnxruntime==1.31.*"]
    done = subprocess.run(probe, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print("SKIPPED: no package registry that has onnxruntime 1.31:", *done.stderr.strip().splitlines()[-1:])
        sys.exit(77)
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    os.environ.pop("QUANTLOUPE_PYTHON", None)
    run("runtimes", "install", "onnxruntime")
    item = json.loads(run("runtimes", "onnxruntime", "--json", "-"))
    require(item["found"] and item["place"].startswith(str(folder)), "it must be in the cache folder", item)
    report = verify(folder, "onnxruntime", "ONNXRUNTIME", "onnx_qdq", item)
    require(report["good"], "the installed runtime must agree", report)
    leftovers = [p.name for p in (folder / "cache").rglob("*.part")]
    require(not leftovers, "nothing half-installed may stay", leftovers)
    print(f"ok: installed onnxruntime {item['version']} into {item['place']}")


def main():
    with tempfile.TemporaryDirectory() as temporary:
        (install if "--install" in sys.argv else all_runtimes)(pathlib.Path(temporary))


main()

"""Asks OpenCV's reader of Caffe nets for a second opinion.

usage: test_opencv_caffe.py QUANTLOUPE_CLI REPOSITORY
Exit code 77 (skipped) when cv2 or numpy are missing.

* The expected outputs of tests/data/caffe, which tst_caffe holds our importer to, must be what OpenCV computes, but for
  the cases of which cases.json says why it cannot.
* The Caffe nets of the corpus, where it is, on random input: `infer` of our command line against OpenCV.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import cv2
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}; scripts/make-venv installs opencv-python-headless")
    sys.exit(77)
if not hasattr(cv2.dnn, "readNetFromCaffe"):
    print(f"SKIPPED: OpenCV {cv2.__version__} reads no Caffe nets")
    sys.exit(77)

CLI, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
TOLERANCE = 2e-4  # of the largest value
failures = []


def opencv(prototxt, weights, inputs, outputs):
    net = cv2.dnn.readNetFromCaffe(str(prototxt), *([str(weights)] if weights.exists() else []))
    net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    for name, value in inputs.items():
        net.setInput(value, name)
    known = net.getLayerNames()
    if len(outputs) == 1 and outputs[0] not in known:  # some layers are called as their blobs there
        return {outputs[0]: net.forward()}
    return dict(zip(outputs, net.forward(outputs)))


def compare(what, got, want):
    if got.ndim == 4 and got.shape[3] == 7:  # objects: OpenCV orders them by score, and has empty rows behind them
        rows = lambda a: a.reshape(-1, 7)[a.reshape(-1, 7)[:, 2] > 0]
        got, want = (r[np.argsort(-r[:, 2], kind="stable")] for r in (rows(got), rows(want)))
    if got.size != want.size:
        return f"{what}: OpenCV has {got.shape}, expected {want.shape}"
    worst = float(np.abs(got.reshape(-1).astype(np.float64) - want.reshape(-1)).max()) if got.size else 0
    limit = TOLERANCE * max(float(np.abs(want).max()), 1e-6)
    return None if worst <= limit else f"{what}: differs by {worst:.3g}, allowed {limit:.3g}"


def last_writers(prototxt, outputs):
    """OpenCV calls outputs by their layers: the layer that wrote the blob last."""
    names, layer = {}, None
    for line in prototxt.read_text().replace("}", "}\n").replace(' top:', '\ntop:').replace(' type:', '\ntype:').split("\n"):
        if 'name: "' in line and "param" not in line:
            layer = line.split('name: "')[1].split('"')[0]
        if line.strip().startswith("top:"):
            names[line.split('"')[1]] = layer
    return [names.get(o, o) for o in outputs]


cases = json.loads((ROOT / "tests/data/caffe/cases.json").read_text())
asked = 0
for case in cases:
    if case["opencv"]:
        print(f"not asked: {case['name']}: {case['opencv']}")
        continue
    base = ROOT / "tests/data/caffe" / case["name"]
    arrays = np.load(f"{base}.npz")
    inputs = {k[4:]: arrays[k] for k in arrays if k.startswith("in__")}
    outputs = [k[5:] for k in arrays if k.startswith("out__")]
    asked += 1
    try:
        layers = last_writers(pathlib.Path(f"{base}.prototxt"), outputs)
        got = opencv(f"{base}.prototxt", pathlib.Path(f"{base}.caffemodel"), inputs, layers)
    except cv2.error as error:
        failures.append(f"{case['name']}: OpenCV refuses it: {str(error).strip().splitlines()[-1]}")
        continue
    for name, layer in zip(outputs, layers):
        problem = compare(f"{case['name']} {name}", got[layer], arrays["out__" + name])
        if problem:
            failures.append(problem)

corpus = ROOT.parent / "shared" / "corpus"
for folder in sorted(corpus.glob("*_caffe")) if corpus.exists() else []:
    prototxt, weights = folder / f"{folder.name}.prototxt", folder / f"{folder.name}.caffemodel"
    golden = np.load(folder / "golden.npz")
    # Random pictures, and for a detector the one in which there is something to find
    rng = np.random.RandomState(1)
    isDetector = any("detection" in k for k in golden)
    inputs = {k[4:]: golden[k] if isDetector else rng.standard_normal(golden[k].shape).astype(np.float32)
              for k in golden if k.startswith("in__")}
    with tempfile.TemporaryDirectory() as scratch:
        np.savez(f"{scratch}/in.npz", **inputs)
        subprocess.run([CLI, "infer", str(prototxt), "--in", f"{scratch}/in.npz", "--out", f"{scratch}/out.npz", "--fp32",
                        "--quiet"], check=True)
        ours = np.load(f"{scratch}/out.npz")
        layers = last_writers(prototxt, list(ours))
        theirs = opencv(prototxt, weights, inputs, layers)
        for name, layer in zip(ours, layers):
            asked += 1
            problem = compare(f"{folder.name} {name}", theirs[layer], ours[name])
            if problem:
                failures.append(problem)

# A net that we write: OpenCV reads it, and computes what our importer makes of it.
with tempfile.TemporaryDirectory() as scratch:
    sample = ROOT / "resources/sample"
    subprocess.run([CLI, "run", str(sample / "sample.quantloupe"), "--platform", "SNPE_INT8", "--analyse", "none", "--export", f"caffe:{scratch}/net.prototxt", "--no-cache",
                    "--quiet"], check=True)
    net, weights = pathlib.Path(f"{scratch}/net.prototxt"), pathlib.Path(f"{scratch}/net.caffemodel")
    inputs = {"image": np.random.RandomState(2).standard_normal((1, 3, 32, 32)).astype(np.float32)}
    np.savez(f"{scratch}/in.npz", **inputs)
    subprocess.run([CLI, "infer", str(net), "--in", f"{scratch}/in.npz", "--out", f"{scratch}/out.npz", "--fp32", "--quiet"],
                   check=True)
    ours = np.load(f"{scratch}/out.npz")
    layers = last_writers(net, list(ours))
    theirs = opencv(net, weights, inputs, layers)
    for name, layer in zip(ours, layers):
        asked += 1
        if problem := compare(f"exported sample {name}", theirs[layer], ours[name]):
            failures.append(problem)

print("\n".join(failures))
print(f"OpenCV {cv2.__version__}: {asked} cases and corpus outputs compared, {len(failures)} differ")
sys.exit(1 if failures else 0)

"""The whole job for Caffe nets, up to onnxruntime: import, calibrate, quantize, export as ONNX QDQ, run there.

usage: test_caffe_onnxruntime.py QUANTLOUPE_CLI REPOSITORY
Exit code 77 (skipped) when onnxruntime or numpy are missing.

What onnxruntime computes from the exported file must be what our simulation of the recipe computes, up to a few values
that lie on the border between two codes; so the operators that layers become mean the same to both.
"""
import pathlib
import sys
import tempfile

try:
    import numpy as np
    import onnxruntime as ort
except ImportError as missing:
    print(f"SKIPPED: {missing}; scripts/make-venv installs it")
    sys.exit(77)

ROOT = pathlib.Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "scripts"))
from forked_cli import ForkedCli

CLI = ForkedCli(sys.argv[1])
CASES = ROOT / "tests" / "data" / "caffe"
ort.set_default_logger_severity(3)
# Nets whose parts are single operators are compared closely; a deep one multiplies each flipped code
NAMES = ["v0", "v1", "phases", "conv_group", "deconv", "ip_axis2", "batchnorm_scale", "scale_axes", "lrn_within",
         "normalize", "prelu", "eltwise_coeff", "reshape_axis", "slice_points", "crop", "shuffle", "reduction_mean",
         "argmax_axis", "pool_ave_beyond", "pool_ave_clipped", "pool_max_clipped", "interp_cut", "upsample", "unpool"]
failures = []


def job(model, folder, inputs, least):
    np.savez(folder / "in.npz", **inputs)
    done = CLI.run("run", model, "--platform", "TRT_INT8", "--calib", folder / "in.npz", "--analyse", "graphwise",
                   "--export", f"onnx_qdq:{folder / 'q.onnx'}", "--save-recipe", folder / "q.quantloupe", "--no-cache",
                   "--quiet")
    if done.returncode:
        return f"run: {done.stderr.strip()}"
    done = CLI.run("infer", folder / "q.quantloupe", "--in", folder / "in.npz", "--out", folder / "out.npz", "--quiet")
    if done.returncode:
        return f"infer: {done.stderr.strip()}"
    options = ort.SessionOptions()
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    session = ort.InferenceSession(str(folder / "q.onnx"), options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    ours = np.load(folder / "out.npz")
    if sorted(names) != sorted(ours):
        return f"outputs are {names} and {list(ours)}"
    for name, theirs in zip(names, session.run(None, inputs)):
        signal, noise = (theirs.astype(np.float64) ** 2).sum(), ((theirs - ours[name]).astype(np.float64) ** 2).sum()
        if theirs.shape != ours[name].shape or noise > signal * 10 ** (-least / 10):
            return f"{name}: {10 * np.log10(signal / noise):.1f} dB between onnxruntime and us, wanted {least}"
    return None


with tempfile.TemporaryDirectory() as scratch:
    for name in NAMES:
        arrays = np.load(CASES / f"{name}.npz")
        folder = pathlib.Path(scratch, name)
        folder.mkdir()
        problem = job(CASES / f"{name}.prototxt", folder, {k[4:]: arrays[k] for k in arrays if k.startswith("in__")}, 60)
        if problem:
            failures.append(f"{name}: {problem}")
    corpus = ROOT.parent / "shared" / "corpus"
    for name in ("squeezenet1.1_caffe", "ultraface_rfb320_caffe"):
        if not (corpus / name).exists():
            continue
        arrays = np.load(corpus / name / "golden.npz")
        folder = pathlib.Path(scratch, name)
        folder.mkdir()
        problem = job(corpus / name / f"{name}.caffemodel", folder,
                      {k[4:]: arrays[k] for k in arrays if k.startswith("in__")}, 30)
        if problem:
            failures.append(f"{name}: {problem}")
        NAMES.append(name)

print("\n".join(failures))
print(f"onnxruntime {ort.__version__}: {len(NAMES)} nets, {len(failures)} differ")
sys.exit(1 if failures else 0)

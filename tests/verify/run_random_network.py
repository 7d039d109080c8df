"""Runs q.onnx on the samples of x.npz in onnxruntime at its defaults, and writes got.npz.

usage: run_random_network.py FOLDER"""
import pathlib
import sys

import numpy as np
import onnxruntime as ort

ort.set_default_logger_severity(4)


def run(folder):
    session = ort.InferenceSession(str(folder / "q.onnx"), providers=["CPUExecutionProvider"])
    inputs = dict(np.load(folder / "x.npz"))
    names = [o.name for o in session.get_outputs()]
    count = len(next(iter(inputs.values())))
    parts = zip(*(session.run(names, {name: x[i : i + 1] for name, x in inputs.items()}) for i in range(count)))
    np.savez(folder / "got.npz", **{name: np.concatenate(part) for name, part in zip(names, parts)})


if __name__ == "__main__":
    run(pathlib.Path(sys.argv[1]))

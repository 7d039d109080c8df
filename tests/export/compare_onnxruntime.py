"""Runs a quantized ONNX file in onnxruntime and compares its outputs with the simulator's.

usage: compare_onnxruntime.py MODEL.onnx DATA.npz SIMULATED.npz STEPS.json
DATA holds one array per graph input, SIMULATED one per output, samples along the leading axis; STEPS.json maps each
output to the size of its quantization step. Prints one JSON line: for each output the share of elements at most one
step apart and the largest difference in steps.
"""
import json
import sys

import numpy as np
import onnxruntime as ort

model, data_file, simulated_file, steps_file = sys.argv[1:5]
level = sys.argv[5] if len(sys.argv) > 5 else "all"
options = ort.SessionOptions()
options.graph_optimization_level = {"all": ort.GraphOptimizationLevel.ORT_ENABLE_ALL, "none": ort.GraphOptimizationLevel.ORT_DISABLE_ALL}[level]
options.intra_op_num_threads = 1
session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
data = np.load(data_file)
simulated = np.load(simulated_file)
steps = json.load(open(steps_file, encoding="utf-8"))
names = [output.name for output in session.get_outputs()]
inputs = {i.name: i.shape for i in session.get_inputs()}
count = min(data[name].shape[0] for name in inputs)
results = {name: [] for name in names}
for k in range(count):
    feed = {}
    for name, shape in inputs.items():
        sample = data[name][k : k + 1]
        feed[name] = sample if sample.ndim == len(shape) else sample[0]
    for name, value in zip(names, session.run(names, feed)):
        results[name].append(value)
report = {}
for name in names:
    got = np.concatenate(results[name], 0)
    want = simulated[name]
    difference = np.abs(got.astype(np.float64) - want.astype(np.float64)) / steps[name]
    report[name] = {
        "elements": int(difference.size),
        "within_one_step": float(np.mean(difference <= 1.001)),
        "exact": float(np.mean(difference <= 0.001)),
        "largest": float(difference.max()),
    }
print(json.dumps(report))

"""Writes the cases of conformance_cases.py: Debian's onnx writes the models, ONNX Runtime (in another interpreter, without
onnx) computes the outputs."""
import subprocess

import numpy as np
import onnx
from onnx import helper, numpy_helper

RUNNER = """
import os, sys, numpy as np, onnxruntime as ort
options = ort.SessionOptions()
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
options.log_severity_level = 4
for case in sys.stdin.read().split():
    child = os.fork()  # one that crashes costs one case
    if child:
        if os.waitpid(child, 0)[1]:
            print(case, "CRASHED", flush=True)
        continue
    try:
        session = ort.InferenceSession(case + ".onnx", options, providers=["CPUExecutionProvider"])
        feed = dict(np.load(case + ".npz"))
        names = [o.name for o in session.get_outputs()]
        results = session.run(names, {key[4:]: value for key, value in feed.items()})
        feed.update({"out__" + name: value for name, value in zip(names, results)})
        np.savez(case + ".npz", **feed)
    except Exception as error:
        print(case, "REFUSED", str(error).replace(chr(10), " ")[:300], flush=True)
    os._exit(0)
"""


def write(cases, target):
    """cases: {name: (nodes, inputs, names of outputs, opset, numbers of inputs that are constant)}"""
    target.mkdir(parents=True)
    for name, (nodes, inputs, outs, opset, constant) in cases.items():
        infos, initialisers, feed = [], [], {}
        for i, x in enumerate(inputs):
            if x is None:
                continue
            tensor = numpy_helper.from_array(x, f"x{i}")
            if i in constant:
                initialisers.append(tensor)
            else:
                infos.append(helper.make_tensor_value_info(f"x{i}", tensor.data_type, x.shape))
                feed[f"in__x{i}"] = x
        results = [onnx.ValueInfoProto(name=o) for o in outs]
        graph = helper.make_graph(nodes, name, infos, results, initialisers)
        imports = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=imports)
        model.ir_version = 8 if opset < 20 else 10
        (target / f"{name}.onnx").write_bytes(model.SerializeToString())
        np.savez(target / f"{name}.npz", **feed)


def answer(cases, target, python):
    """Adds the outputs to the files; a case that ONNX Runtime refuses is removed."""
    run = subprocess.run([python, "-c", RUNNER], input=" ".join(str(target / name) for name in cases), text=True,
                         check=True, stdout=subprocess.PIPE)
    print(run.stdout, end="")
    for name in cases:
        arrays = np.load(target / f"{name}.npz")
        if not any(key.startswith("out__") for key in arrays.files):
            (target / f"{name}.npz").unlink()
            (target / f"{name}.onnx").unlink()
            continue
        # What the runtime answered with is what the model declares
        model = onnx.load(str(target / f"{name}.onnx"))
        for output in model.graph.output:
            value = arrays["out__" + output.name]
            output.CopyFrom(helper.make_tensor_value_info(output.name, numpy_helper.from_array(value).data_type,
                                                          value.shape))
        (target / f"{name}.onnx").write_bytes(model.SerializeToString())

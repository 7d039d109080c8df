"""How resources/runtimes/run_ncnn.py prepares files for ncnn; without ncnn itself.

usage: test_ncnn_files.py QUANTLOUPE_CLI REPOSITORY
"""
import pathlib
import sys
import types

import numpy as np
from onnx import helper, numpy_helper

sys.modules.setdefault("ncnn", types.ModuleType("ncnn"))
sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "resources/runtimes"))
import run_ncnn  # noqa: E402


def require(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def pads_of_constants():
    """PyTorch computes the pads of a Pad from constants, with a Slice of step -1, which pnnx folds."""
    def constants(**values):
        return [numpy_helper.from_array(np.array(v, np.int64), n) for n, v in values.items()]
    nodes = [helper.make_node("Identity", ["pads"], ["same"], "same"),
             helper.make_node("Slice", ["same", "last", "first", "axis", "back"], ["turned"], "turn"),
             helper.make_node("Pad", ["x", "turned"], ["p"], "pad"),
             helper.make_node("Slice", ["p", "zero", "end", "rows", "two"], ["y"], "halve")]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", 1, [1, 1, 4, 4])],
                              [helper.make_tensor_value_info("y", 1, None)],
                              constants(pads=[0] * 8, last=[-1], first=[-9], axis=[0], back=[-1], zero=[0],
                                        end=[1 << 40], rows=[2], two=[2]))
    run_ncnn.without_strides(graph)
    require([n.op_type for n in graph.node] == ["Identity", "Slice", "Pad", "MaxPool"], "only the Slice of x changes")


def stored(line, counts):
    """A layer's values, each with its tag, are read to their end."""
    data = b"".join(bytes(4 * tagged) + np.zeros(count, np.float32).tobytes() for count, tagged in counts)
    require(run_ncnn.Layer(line).read(data + b"next", 0) == len(data), line)


def refusal():
    param = "7767517\n1 2\nInput in0 0 1 in0\nTensor.reshape r_0 1 1 in0 out0\n"
    try:
        run_ncnn.quantize(param, b"", {}, ({}, {}))
    except SystemExit as error:
        require("Tensor.reshape" in str(error) and "r_0" in str(error), str(error))
    else:
        sys.exit("FAILED: a layer that ncnn lacks was accepted")


def computed_weights():
    """A layer whose weights are computed is not one of the table's."""
    weights = np.ones((2, 1, 1, 1), np.float32)
    param = ("7767517\n3 3\nInput in0 0 1 in0\nConvolution c_0 1 1 in0 a 0=2 1=1 5=0 6=2\n"
             "Convolution c_1 2 1 a in0 out0 0=2 1=1 5=0 6=2 19=1\n")
    lines = run_ncnn.quantize(param, bytes(4) + weights.tobytes(), {"conv": weights},
                              ({"conv": weights.ravel()}, {"conv": weights.ravel()[:1]}))[0].splitlines()
    require(lines[3].endswith(" 8=2") and "8=" not in lines[4], "only the layer of the table gets scales")


pads_of_constants()
computed_weights()
stored("Convolution3D c 1 1 a b 0=4 1=3 5=1 6=108", [(108, True), (4, False)])
stored("Convolution c 2 1 a w b 0=4 1=1 5=0 6=32 19=1", [])
stored("Deconvolution c 2 1 a w b 0=4 1=1 5=0 6=32 28=1", [])
stored("LSTM l 1 1 a b 0=3 1=24 2=0", [(24, True), (12, True), (36, True)])
stored("LSTM l 1 1 a b 0=3 1=96 2=2 3=6", [(96, True), (48, True), (144, True), (36, True)])
stored("GRU l 1 1 a b 0=3 1=18 2=0", [(18, True), (12, True), (27, True)])
stored("LayerNorm l 1 1 a b 0=5 1=1e-5 2=1", [(5, False), (5, False)])
stored("InstanceNorm l 1 1 a b 0=5 1=1e-5 2=0", [])
stored("Normalize l 1 1 a b 1=1 2=1e-12 3=1 4=1 9=1", [(1, False)])
stored("GroupNorm l 1 1 a b 0=2 1=6 2=1e-5", [(6, False), (6, False)])
stored("Gemm l 1 1 a b 5=1 6=1 8=7 9=3 10=4", [(21, True), (7, True)])
refusal()

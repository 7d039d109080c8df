"""How resources/runtimes/run_mnn.py reads inner tensors; without MNN itself.

usage: test_mnn_files.py QUANTLOUPE_CLI REPOSITORY
"""
import pathlib
import sys
import types

import numpy as np
from onnx import helper

for module in ("MNN", "_tools"):
    sys.modules.setdefault(module, types.ModuleType(module))
sys.modules["MNN"].expr = sys.modules["MNN"].nn = types.SimpleNamespace()
sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "resources/runtimes"))
import run_mnn  # noqa: E402


def require(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def overwritten_tensors():
    """Gelu is computed in place; a Reshape has the values of its input, and a Sigmoid of zeros is no proof."""
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["moved"]),
             helper.make_node("Div", ["moved", "root"], ["d"]),
             helper.make_node("Erf", ["d"], ["e"]),
             helper.make_node("Mul", ["moved", "e"], ["gelu"]),
             helper.make_node("Neg", ["zeros"], ["negative"])]
    graph = helper.make_graph(nodes, "g", [], [])
    one, other = np.ones((2, 3), np.float32), np.full((2, 3), 0.5, np.float32)
    values = {"x": one, "moved": one.reshape(3, 2), "gelu": other}
    require(run_mnn.overwritten(graph, values) == set(), "all tensors are kept")
    values |= {"moved": other.reshape(3, 2), "zeros": 0 * one, "negative": 0 * one}
    require(run_mnn.overwritten(graph, values) == {"moved"}, "the input of Gelu is lost")


overwritten_tensors()

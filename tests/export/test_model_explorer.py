#!/usr/bin/env python3
"""The format model_explorer in Model Explorer's own classes: they must take every field, and every key must be a tensor of
the model that an operation writes.

usage: test_model_explorer.py CLI REPOSITORY
Exit code 77 (skipped) when ai-edge-model-explorer or onnx are missing.
"""
import importlib.util
import json
import subprocess
import sys
import tempfile
import types
from pathlib import Path

try:
    import onnx
    # Its __init__ starts the server's modules, which need other packages: only the classes are loaded.
    spec = importlib.util.find_spec("model_explorer")
    if spec is None:
        raise ImportError("No module named 'model_explorer'")
    package = types.ModuleType("model_explorer")
    package.__path__ = spec.submodule_search_locations
    sys.modules["model_explorer"] = package
    from model_explorer.node_data_builder import GraphNodeData, ModelNodeData, NodeDataResult, ThresholdItem
except ImportError as missing:
    print(f"SKIPPED: {missing}; scripts/make-venv installs it")
    sys.exit(77)


def main():
    cli, root = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nodes.json"
        subprocess.run([cli, "run", root / "resources/sample/sample.quantloupe", "--samples", "8", "--eval-samples", "8",
                        "--export", f"model_explorer:{file}", "--quiet"], check=True)
        written = json.loads(file.read_text())
    data = GraphNodeData(**{**written,
                            "results": {key: NodeDataResult(**value) for key, value in written["results"].items()},
                            "thresholds": [ThresholdItem(**item) for item in written["thresholds"]]})
    again = json.loads(data.to_json_string())
    lost = [key for key in written if again.get(key) != written[key]]
    if lost:
        sys.exit(f"FAILED: Model Explorer writes other values of {lost}")
    ModelNodeData({"main": data}).to_json_string()
    graph = onnx.load(root / "resources/sample/model.onnx").graph
    tensors = {name for node in graph.node for name in node.output}
    unknown = sorted(set(data.results) - tensors)
    if unknown or not data.results:
        sys.exit(f"FAILED: {len(data.results)} results, of which no operation writes {unknown}")
    print(f"{len(data.results)} of {len(tensors)} tensors have a value")


main()

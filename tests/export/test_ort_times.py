#!/usr/bin/env python3
"""scripts/ort-times: every layer of the sample has times, by the names that recipes use, and `tune` takes the table.

usage: test_ort_times.py CLI REPOSITORY
Exit code 77 (skipped) when onnxruntime, onnx or numpy are missing.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy  # noqa: F401
    import onnx  # noqa: F401
    import onnxruntime  # noqa: F401
except ImportError as missing:
    print(f"SKIPPED: {missing}; scripts/make-venv installs it")
    sys.exit(77)


def main():
    cli, repository = Path(sys.argv[1]), Path(sys.argv[2])
    sample = repository / "resources/sample/sample.quantloupe"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report, table, found = folder / "report.json", folder / "times.json", folder / "tune.json"
        subprocess.run([cli, "run", sample, "--platform", "ONNXRUNTIME", "--analyse", "none", "--no-cache", "--quiet",
                        "--json", report, "--export", f"onnx_qdq:{folder / 'sample.onnx'}"], check=True)
        subprocess.run([sys.executable, "-B", repository / "scripts/ort-times", repository / "resources/sample/model.onnx",
                        folder / "sample.onnx", "--runs", "3", "--out", table], check=True)
        times = json.loads(table.read_text())["operations"]
        operations = {row["name"]: row["type"] for row in json.loads(report.read_text())["operations"]}
        for layer, kind in operations.items():
            if kind in ("Conv", "Gemm"):
                assert times[layer]["int8"] > 0 and times[layer]["float"] > 0, f"{layer} has no time"
        assert set(times) <= set(operations), f"not operations of the recipe: {set(times) - set(operations)}"
        subprocess.run([cli, "tune", sample, "--platform", "ONNXRUNTIME", "--eval-samples", "8", "--trials", "1", "--quiet",
                        "--times", table, "--goal", "cost.time<1e6", "--json", found], check=True)
        cost = json.loads(found.read_text())["trials"][0]["cost"]["time"]
        expected = sum(time["int8"] for name, time in times.items() if name in operations)
        assert 0 < cost <= 1.001 * expected, f"{cost} ms, the table has {expected}"
        print(f"{len(times)} operations, {cost:.3f} ms in INT8")


if __name__ == "__main__":
    main()

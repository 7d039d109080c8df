#!/usr/bin/env python3
"""The format ort_overrides in ONNX Runtime's own quantizer: quantize_static() must use every scale that the export gives.

usage: test_ort_overrides.py CLI REPOSITORY
Exit code 77 (skipped) when onnxruntime, onnx or numpy are missing.
"""
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import onnx
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
except ImportError as missing:
    print(f"SKIPPED: {missing}; scripts/make-venv installs it")
    sys.exit(77)

PLATFORMS = {"ONNXRUNTIME": QuantType.QInt8, "RKNN_INT8": QuantType.QUInt8}


class OneSample(CalibrationDataReader):
    """quantize_static() wants data, even if all scales are given."""

    def __init__(self, model):
        value = model.graph.input[0]
        sizes = [dim.dim_value or 1 for dim in value.type.tensor_type.shape.dim]
        self.samples = [{value.name: np.zeros(sizes, np.float32)}]

    def get_next(self):
        return self.samples.pop() if self.samples else None


def load_overrides(script):
    spec = importlib.util.spec_from_file_location(script.stem, script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load()


def check(cli, repository, platform, activation_type, folder):
    file = folder / f"{platform}.onnx"
    subprocess.run([cli, "run", repository / "resources/sample/sample.quantloupe", "--platform", platform, "--analyse", "none",
                    "--no-cache", "--quiet", "--export", f"ort_overrides:{file}"], check=True, stdout=subprocess.DEVNULL)
    overrides = load_overrides(folder / f"{platform}_overrides.py")
    quantized = folder / f"{platform}-quantized.onnx"
    quantize_static(str(file), str(quantized), OneSample(onnx.load(file)), quant_format=QuantFormat.QDQ, per_channel=True,
                    activation_type=activation_type, weight_type=activation_type,
                    extra_options={"TensorQuantOverrides": overrides})
    values = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in onnx.load(quantized).graph.initializer}
    used = 0
    for name, entries in overrides.items():
        if f"{name}_scale" not in values:
            continue  # a tensor that ONNX Runtime does not quantize
        used += 1
        expected = np.array([float(entry["scale"]) for entry in entries], np.float32)
        assert np.array_equal(values[f"{name}_scale"].reshape(-1), expected), f"{platform}: {name} has another scale"
    assert used >= 20, f"{platform}: ONNX Runtime used {used} of {len(overrides)} overrides"
    print(f"{platform}: ONNX Runtime used {used} of {len(overrides)} overrides, all equal")


def main():
    cli, repository = Path(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        for platform, activation_type in PLATFORMS.items():
            check(cli, repository, platform, activation_type, Path(folder))


if __name__ == "__main__":
    main()

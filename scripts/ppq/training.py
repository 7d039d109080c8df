"""Trains a network by PPQ's passes and measures it on samples that it has not seen. One JSON object.

usage: training.py MODEL NAME CALIBRATION.json UNSEEN.json BITS PASS STEPS THREADS
NAME: of the corpus model, which selects the preprocessing. CALIBRATION, UNSEEN: manifests of photos, with labels or not. BITS: of the weights of Conv and Gemm. PASS: none, learned_step_size or adaround (PPQ's settings besides the steps).
SQNR: of each output, -10 log10 of the mean over samples of |quantized - float|^2 / |float|^2, as Quantloupe has it. Only PPQ's public interface is used, and its passes are timed from outside.
"""
import contextlib
import io
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import numpy as np  # noqa: E402
import torch  # noqa: E402
from PIL import Image  # noqa: E402

import corpus_data  # noqa: E402
import oracle  # noqa: E402

FIELDS = {"learned_step_size": ("lsq_optimization", "lsq_optimization_setting"),
          "adaround": ("blockwise_reconstruction", "blockwise_reconstruction_setting")}


def setting_of(api, name, steps):
    setting = api.QuantizationSettingFactory.trt_setting()
    if name != "none":
        switch, own = FIELDS[name]
        setattr(setting, switch, True)
        getattr(setting, own).steps = steps
        getattr(setting, own).collecting_device = "cpu"
    return setting


def samples_of(network, manifest):
    """@returns what PPQ's executor takes, and the labels."""
    variable, _, _, convert = corpus_data.SPECS[network]
    rows = json.loads(Path(manifest).read_text())["samples"]
    arrays = [np.ascontiguousarray(convert(Image.open(row["file"]).convert("RGB")), np.float32)[None] for row in rows]
    return [{variable: torch.from_numpy(array)} for array in arrays], [row.get("label") for row in rows]


def with_weight_bits(quantizer, bits):
    whole = quantizer.init_quantize_config

    def configured(operation):
        config = whole(operation)
        if operation.type in ("Conv", "Gemm"):
            weight = config.input_quantization_config[1]
            weight.num_of_bits, weight.quant_min, weight.quant_max = bits, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        return config

    quantizer.init_quantize_config = configured
    return quantizer


def timed(name, seconds):
    """Wraps PPQ's pass: the time of all of it, and of the steps alone."""
    import ppq.quantization.optim as optim

    kind = {"learned_step_size": optim.LearnedStepSizePass, "adaround": optim.AdaroundPass}[name]
    for method, key in (("optimize", "seconds"), ("finetune", "steps")):
        whole = getattr(kind, method)

        def wrapped(self, *args, whole=whole, key=key, **kwargs):
            start = time.perf_counter()
            result = whole(self, *args, **kwargs)
            seconds[key] = seconds.get(key, 0) + time.perf_counter() - start
            seconds[key + " calls"] = seconds.get(key + " calls", 0) + 1
            return result

        setattr(kind, method, wrapped)


def main():
    model, network, calibration, unseen, bits, name, steps, threads = sys.argv[1:]
    torch.set_num_threads(int(threads))
    import ppq.api as api
    from ppq.executor import TorchExecutor
    from ppq.lib import Quantizer

    loader, _ = samples_of(network, calibration)
    tests, wanted = samples_of(network, unseen)
    seconds = {}
    if name != "none":
        timed(name, seconds)
    sink = io.StringIO()
    with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
        setting = setting_of(api, name, int(steps))
        graph = api.load_onnx_graph(model)
        exact = TorchExecutor(api.load_onnx_graph(model), device="cpu")
        place = oracle.target("TRT_INT8")
        api.dispatch_graph(graph, place, dispatcher=setting.dispatcher, dispatching_table=setting.dispatching_table)
        executor = TorchExecutor(graph, device="cpu")
        with_weight_bits(Quantizer(place, graph), int(bits)).quantize(
            inputs=loader[0], calib_dataloader=loader, executor=executor, setting=setting, calib_steps=len(loader),
            collate_fn=lambda batch: batch)
        noise, right = 0, 0
        with torch.no_grad():
            for i, sample in enumerate(tests):
                a, b = exact.forward(sample), executor.forward(sample)
                noise = noise + np.array([float(((y - x) ** 2).sum() / (x ** 2).sum()) for x, y in zip(a, b)])
                right += int(b[0].argmax()) == wanted[i]
    row = {"tool": f"PPQ {oracle.version()}", "weight_bits": int(bits), "pass": name,
           "sqnr_db": [float(v) for v in -10 * np.log10(noise / len(tests))]}
    if wanted[0] is not None:
        row["top1"] = right / len(tests)
    if seconds:
        row |= {"seconds": seconds["seconds"], "blocks": seconds["steps calls"],
                "steps_per_second": seconds["steps calls"] * int(steps) / seconds["steps"]}
    print(json.dumps(row))


main()

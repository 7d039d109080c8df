"""Runs PPQ on a model and calibration data and writes its decisions for every slot, in the terms of the run report.

Only PPQ's public interface is used: load, dispatch, quantize, and the attributes of the resulting configurations.
"""
import contextlib
import hashlib
import importlib
import importlib.metadata
import io
import sys
import time
from pathlib import Path

import numpy as np
import torch

import golden

STATES = {
    "INITIAL": "initial", "ACTIVATED": "active", "PASSIVE": "passive", "PASSIVE_INIT": "passive", "BAKED": "baked",
    "PASSIVE_BAKED": "baked", "OVERLAPPED": "overlapped", "FP32": "fp32",
}
ROUNDINGS = {
    "ROUND_HALF_EVEN": "half_even", "ROUND_HALF_UP": "half_up", "ROUND_HALF_DOWN": "half_down",
    "ROUND_HALF_TOWARDS_ZERO": "half_towards_zero", "ROUND_HALF_FAR_FORM_ZERO": "half_away_from_zero",
    "ROUND_TO_NEAR_INT": "to_near_int", "ROUND_UP": "up", "ROUND_DOWN": "down",
}
# The setting that PPQ's documentation gives with each platform; every other platform takes the default setting.
FACTORIES = {
    "TRT_INT8": "trt_setting", "PPL_CUDA_INT8": "pplcuda_setting", "NCNN_INT8": "ncnn_setting", "NXP_INT8": "nxp_setting",
    "ACADEMIC_INT8": "academic_setting", "ACADEMIC_INT4": "academic_setting", "ASC_INT8": "ascend_setting",
    "MNN_INT8": "mnn_setting", "PPL_DSP_INT8": "dsp_setting", "SNPE_INT8": "dsp_setting", "QNN_DSP_INT8": "dsp_setting",
    "PPL_DSP_TI_INT8": "dsp_setting", "FPGA_INT8": "fpga_setting", "METAX_INT8_T": "metax_pertensor_setting",
}
# Classes that PPQ has but does not register: module, class.
UNREGISTERED = {
    "RKNN_INT8_PER_CHANNEL": ("RKNNQuantizer", "RKNN_PerChannelQuantizer"),
    "TRT_INT8_INPUT_ONLY": ("TensorRTQuantizer", "TensorRTQuantizer_InputOnly"),
}
ACADEMIC_BITS = {"ACADEMIC_INT8": 8, "ACADEMIC_INT4": 4}
OBSERVER_NAMES = ("minmax", "percentile", "kl", "mse", "isotone")


def version():
    """The package's version, or the name of the folder given with `--ppq-path`: name it after the commit."""
    import ppq

    folder = Path(ppq.__file__).resolve().parent
    if "site-packages" in folder.parts:
        return importlib.metadata.version("ppq")
    return f"repository {folder.parent.name}"


def academic_quantizer(bits):
    """The paper-reproduction platforms: PPQ 0.6.6 no longer has them, so their scheme is built here on its base class.

    Conv, ConvTranspose and Gemm: input 0 asymmetric [0, 2^b - 1] with the percentile observer; weight symmetric
    [-2^(b-1), 2^(b-1) - 1] minmax, per tensor; a third input is a passive 30-bit symmetric bias; the output stays float.
    """
    from ppq.core import QuantizationPolicy, QuantizationProperty as P, QuantizationStates, RoundingPolicy, TargetPlatform
    from ppq.quantization.quantizer import BaseQuantizer

    asymmetric = QuantizationPolicy(P.ASYMMETRICAL + P.LINEAR + P.PER_TENSOR)
    symmetric = QuantizationPolicy(P.SYMMETRICAL + P.LINEAR + P.PER_TENSOR)

    class Academic(BaseQuantizer):
        def __init__(self, graph):
            super().__init__(graph=graph)

        quant_operation_types = property(lambda self: {"Conv", "ConvTranspose", "Gemm"})
        activation_fusion_types = property(lambda self: set())
        target_platform = property(lambda self: TargetPlatform.EXTENSION)
        quantize_policy = property(lambda self: asymmetric)
        rounding_policy = property(lambda self: RoundingPolicy.ROUND_HALF_EVEN)

        def init_quantize_config(self, operation):
            config = self.create_default_quant_config(
                op=operation, num_of_bits=bits, quant_min=0, quant_max=2**bits - 1, observer_algorithm="percentile",
                policy=self.quantize_policy, rounding=self.rounding_policy)
            weight = config.input_quantization_config[1]
            weight.policy, weight.observer_algorithm = symmetric, "minmax"
            weight.quant_min, weight.quant_max = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
            if operation.num_of_input == 3:
                bias = config.input_quantization_config[2]
                bias.policy, bias.observer_algorithm, bias.num_of_bits = symmetric, "minmax", 30
                bias.quant_min, bias.quant_max = -(2**29), 2**29 - 1
                bias.state = QuantizationStates.PASSIVE_INIT
            for output in config.output_quantization_config:
                output.state = QuantizationStates.FP32
            return config

    return Academic


def target(platform):
    """@returns PPQ's platform; what PPQ does not register is registered on HOST_INT8, an entry that PPQ leaves free."""
    from ppq.core import TargetPlatform
    from ppq.lib import register_network_quantizer

    if platform in ACADEMIC_BITS:
        quantizer = academic_quantizer(ACADEMIC_BITS[platform])
    elif platform in UNREGISTERED:
        module, name = UNREGISTERED[platform]
        quantizer = getattr(importlib.import_module(f"ppq.quantization.quantizer.{module}"), name)
    else:
        return TargetPlatform[platform]
    register_network_quantizer(quantizer, TargetPlatform.HOST_INT8)
    return TargetPlatform.HOST_INT8


def batches(data, samples):
    """The samples one by one, as the dictionaries that PPQ's executor takes. One array only: PPQ gets the tensor itself."""
    arrays = np.load(data)
    available = min(arrays[name].shape[0] for name in arrays.files)
    if available < samples:
        raise SystemExit(f"{data} has {available} samples, {samples} were asked for")
    return [{name: torch.from_numpy(np.ascontiguousarray(arrays[name][i : i + 1])) for name in arrays.files}
            for i in range(samples)]


class Run:
    """One quantization by PPQ. After `quantize`, `graph` and `executor` are set and `seconds` has the time of each part."""

    def __init__(self, model, platform, observer, data, samples, threads, quiet=True):
        torch.set_num_threads(threads)
        self.model, self.platform, self.observer, self.samples = Path(model), platform, observer, samples
        self.loader, self.seconds, self.quiet = batches(data, samples), {}, quiet
        self.log = io.StringIO()

    @contextlib.contextmanager
    def _timed(self, name):
        sink = self.log if self.quiet else sys.stderr
        start = time.perf_counter()
        with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
            yield
        self.seconds[name] = time.perf_counter() - start

    def quantize(self):
        with self._timed("import"):
            import ppq.api as api
            from ppq.executor import TorchExecutor
            from ppq.lib import Quantizer
        factory = api.QuantizationSettingFactory
        setting = getattr(factory, FACTORIES.get(self.platform, "default_setting"))()
        if self.observer != "default":
            setting.quantize_activation_setting.calib_algorithm = self.observer
        with self._timed("load"):
            self.graph = api.load_onnx_graph(str(self.model))
        with self._timed("quantize"):
            place = target(self.platform)
            api.dispatch_graph(self.graph, place, dispatcher=setting.dispatcher, dispatching_table=setting.dispatching_table)
            self.executor = TorchExecutor(self.graph, device="cpu")
            Quantizer(place, self.graph).quantize(
                inputs=self.loader[0], calib_dataloader=self.loader, executor=self.executor, setting=setting,
                calib_steps=self.samples, collate_fn=lambda batch: batch)
        return self

    def layerwise(self, steps):
        from ppq.quantization.analyse import layerwise_error_analyse

        with self._timed("layerwise"):
            return layerwise_error_analyse(self.graph, self.loader, running_device="cpu", steps=steps, verbose=False,
                                           collate_fn=lambda batch: batch)

    def golden(self):
        """@returns the golden document (see golden.py) of the quantized graph."""
        from ppq.IR import QuantableOperation

        places, configs = {}, []
        quantized = [op for op in self.graph.topological_sort() if isinstance(op, QuantableOperation)]
        for op in quantized:
            for role, index, variable, config in slots(op):
                places[id(config)] = {"op": op.name, "role": role, "index": index}
        for op in quantized:
            for role, index, variable, config in slots(op):
                root = config.dominated_by
                configs.append(describe(op, role, index, variable, config, None if root is config else places[id(root)]))
        from ppq.core import TargetPlatform

        place = {TargetPlatform.FP32: "fp32", TargetPlatform.SOI: "soi"}
        return {
            "schema": golden.SCHEMA, "model": self.model.name,
            "sha256": hashlib.sha256(self.model.read_bytes()).hexdigest(), "platform": self.platform,
            "observer": self.observer, "samples": self.samples, "ppq": version(), "torch": torch.__version__,
            "operations": [{"name": op.name, "type": op.type, "place": place.get(op.platform, "quantized")}
                           for op in self.graph.topological_sort()],
            "configs": configs,
        }


def slots(op):
    for index, (variable, config) in enumerate(zip(op.inputs, op.config.input_quantization_config)):
        yield ("parameter" if variable.is_parameter else "input"), index, variable, config
    for index, (variable, config) in enumerate(zip(op.outputs, op.config.output_quantization_config)):
        yield "output", index, variable, config


def floats(value):
    return [] if value is None else [golden.float32(v) for v in value.detach().reshape(-1).numpy()]


def describe(op, role, index, variable, config, root):
    from ppq.core import QuantizationProperty as P

    return {
        "op": op.name, "type": op.type, "variable": variable.name, "role": role, "index": index,
        "state": STATES[config.state.name], "bits": config.num_of_bits, "exponent_bits": config.exponent_bits,
        "quant_min": config.quant_min, "quant_max": config.quant_max,
        "symmetric": config.policy.has_property(P.SYMMETRICAL), "power_of_two": config.policy.has_property(P.POWER_OF_2),
        "channel_axis": config.channel_axis if config.policy.has_property(P.PER_CHANNEL) else None,
        "rounding": ROUNDINGS[config.rounding.name], "observer": str(config.observer_algorithm).lower(),
        "scale": floats(config.scale), "zero_point": floats(config.offset), "root": root,
    }

"""Observer test vectors: formula-made data, PPQ's observers on it, a small table of results.

Data X, 8 batches of [1, 4, 128, 128]: v_i = ((40503 i mod 65536) + 0.5) / 65536, x_i = ln(v_i / (1 - v_i))^3 / 64 + 0.25 in
float64; batch b is float32(x (1 + 0.05 b)). The other data is derived from X by operations that are exact in float32.
"""
import json
from pathlib import Path

import numpy as np
import torch

DATA = {
    "x": lambda x: x,
    "relu": lambda x: np.maximum(x, np.float32(0)),
    "negative": lambda x: np.minimum(x, np.float32(0)),
    "clamped": lambda x: np.clip(x, np.float32(-1), np.float32(6)),
    "constant": lambda x: np.full_like(x, 0.5),
    "zero": np.zeros_like,
}


def batches():
    i = np.arange(65536, dtype=np.int64)
    v = ((40503 * i % 65536) + 0.5) / 65536
    x = np.log(v / (1 - v)) ** 3 / 64 + 0.25
    return [(x * (1 + 0.05 * b)).astype(np.float32).reshape(1, 4, 128, 128) for b in range(8)]


def cases():
    """Yields (data, observer, bits, symmetric, power of two, channel axis) that PPQ supports."""
    for data in DATA:
        for symmetric in (True, False):
            for bits in (4, 8, 16):
                for observer in ("minmax", "percentile"):
                    yield data, observer, bits, symmetric, False, None
                yield data, "minmax", bits, symmetric, False, 1
        # PPQ's kl rounds the smallest scale down to a power of two, below that smallest scale: not for data without range.
        for observer in ("minmax", "percentile", "mse") + (("kl",) if data != "zero" else ()):
            yield data, observer, 8, True, True, None
        yield data, "mse", 8, True, False, None
        if data in ("x", "relu"):
            yield data, "mse", 8, False, False, None
        if data not in ("constant", "zero"):
            yield data, "mse", 4, True, False, None
            yield data, "kl", 8, True, False, None


def answer(all_batches, observer, bits, symmetric, power, axis):
    from ppq.core import QuantizationPolicy, QuantizationProperty as P, RoundingPolicy, TensorQuantizationConfig
    from ppq.IR import Variable
    from ppq.lib import Observer

    flags = P.LINEAR + (P.SYMMETRICAL if symmetric else P.ASYMMETRICAL) + (P.PER_TENSOR if axis is None else P.PER_CHANNEL)
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if symmetric else (0, 2**bits - 1)
    config = TensorQuantizationConfig(
        policy=QuantizationPolicy(flags + (P.POWER_OF_2 if power else 0)), rounding=RoundingPolicy.ROUND_HALF_EVEN,
        num_of_bits=bits, quant_min=low, quant_max=high, observer_algorithm=observer, channel_axis=axis)
    watcher = Observer(config, Variable("x"))
    for _ in range(2 if observer in ("kl", "mse") else 1):
        for batch in all_batches:
            watcher.observe(torch.from_numpy(batch))
        watcher.render_quantization_config()
    return config.scale, config.offset


def run(path):
    import oracle

    source, rows = batches(), []
    for data, observer, bits, symmetric, power, axis in cases():
        scale, offset = answer([DATA[data](b) for b in source], observer, bits, symmetric, power, axis)
        rows.append([data, observer, bits, symmetric, power, axis, oracle.floats(scale), oracle.floats(offset)])
    fields = ["data", "observer", "bits", "symmetric", "power_of_two", "channel_axis", "scale", "zero_point"]
    lines = ",\n".join("  " + json.dumps(row, separators=(",", ":")) for row in rows)
    Path(path).write_text('{\n "schema": "quantloupe-observer-vectors/1",\n "ppq": "%s",\n "fields": %s,\n "rows": [\n%s\n ]\n}\n'
                          % (oracle.version(), json.dumps(fields), lines))
    return len(rows)

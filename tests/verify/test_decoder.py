"""A decoder that generates text, as exporters write it for ONNX Runtime: caches, GroupQueryAttention, normalizations with
skip connections; alone, and with the prompt and the single step as branches of an If. Its exports must agree in ONNX
Runtime.

usage: test_decoder.py QUANTLOUPE_CLI REPOSITORY
Exit code 77 (skipped) when onnxruntime, onnx or numpy are missing.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import onnx
    import onnxruntime  # noqa: F401
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"SKIPPED: {missing}; scripts/make-venv installs it")
    sys.exit(77)

WORDS, HIDDEN, HEADS, KEY_HEADS, SIZE, WIDE, LAYERS = 50, 32, 2, 1, 16, 64, 2
rng = np.random.default_rng(11)


class Decoder:
    def __init__(self):
        self.constants = {}
        self.caches = [f"{part}.{layer}" for layer in range(LAYERS) for part in ("key", "value")]
        angle = np.outer(np.arange(32), 10000.0 ** -(np.arange(SIZE // 2) / (SIZE // 2))).astype(np.float32)
        self.constants.update(cos=np.cos(angle), sin=np.sin(angle), one=np.array(1), axis=np.array([1]))
        self.matrix("words", WORDS, HIDDEN)
        for layer in range(LAYERS):
            for name, rows, columns in (("q", HIDDEN, HEADS * SIZE), ("k", HIDDEN, KEY_HEADS * SIZE),
                                        ("v", HIDDEN, KEY_HEADS * SIZE), ("o", HEADS * SIZE, HIDDEN),
                                        ("gate", HIDDEN, WIDE), ("up", HIDDEN, WIDE), ("down", WIDE, HIDDEN)):
                self.matrix(f"{name}.{layer}", rows, columns)
            for name in ("first", "second"):
                self.constants[f"{name}.{layer}"] = (1 + rng.standard_normal(HIDDEN) / 4).astype(np.float32)
        self.constants["last"] = np.ones(HIDDEN, np.float32)
        self.matrix("head", HIDDEN, WORDS)

    def matrix(self, name, rows, columns):
        self.constants[name] = (rng.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)

    def nodes(self, prefix="", has_past=True):
        """Those of the decoder; prefix: of the tensors that they compute."""
        nodes = []

        def add(kind, inputs, *outputs, domain="", **attributes):
            outputs = [prefix + name if name else "" for name in outputs]
            nodes.append(helper.make_node(kind, inputs, outputs, outputs[0], domain=domain, **attributes))
            return outputs[-1]

        def normalized(x, skip, gamma, total):
            own = "com.microsoft"
            if skip is None:
                return add("SimplifiedLayerNormalization", [x, gamma], "norm_" + gamma, epsilon=1e-5, axis=-1), x
            total = add("SkipSimplifiedLayerNormalization", [skip, x, gamma], "norm_" + gamma, "", "", total, domain=own,
                        epsilon=1e-5)
            return prefix + "norm_" + gamma, total

        counts = add("Sub", [add("ReduceSum", ["mask", "axis"], "counts", keepdims=0), "one"], "last_key")
        ends = add("Cast", [counts], "ends", to=TensorProto.INT32)
        longest = add("Gather", [add("Shape", ["mask"], "mask_shape"), "one"], "longest64")
        longest = add("Cast", [longest], "longest", to=TensorProto.INT32)
        x, skip = add("Gather", ["words", "ids"], "embedded"), None
        for layer in range(LAYERS):
            def product(x, name, result=None):
                return add("MatMul", [x, f"{name}.{layer}"], result or f"{name}_out.{layer}")

            normal, skip = normalized(x, skip, f"first.{layer}", f"sum_first.{layer}")
            past = [f"past_{part}.{layer}" if has_past else "" for part in ("key", "value")]
            attended = f"attended.{layer}"
            add("GroupQueryAttention", [product(normal, "q"), product(normal, "k"), product(normal, "v"), *past, ends, longest,
                                        "cos", "sin"], attended, f"present_key.{layer}", f"present_value.{layer}",
                domain="com.microsoft", num_heads=HEADS, kv_num_heads=KEY_HEADS, do_rotary=1)
            normal, skip = normalized(product(prefix + attended, "o"), skip, f"second.{layer}", f"sum_second.{layer}")
            gate = product(normal, "gate")
            gate = add("Mul", [gate, add("Sigmoid", [gate], f"sigmoid.{layer}")], f"silu.{layer}")
            x = product(add("Mul", [gate, product(normal, "up")], f"gated.{layer}"), "down")
        normal, skip = normalized(x, skip, "last", "sum_last")
        add("MatMul", [normal, "head"], "logits")
        return nodes

    def outputs(self, prefix=""):
        typed = helper.make_tensor_value_info
        caches = [typed(f"{prefix}present_{name}", TensorProto.FLOAT, ["N", KEY_HEADS, "T", SIZE]) for name in self.caches]
        return [typed(prefix + "logits", TensorProto.FLOAT, ["N", "S", WORDS]), *caches]

    def save(self, file, has_branches):
        typed = helper.make_tensor_value_info
        inputs = [typed("ids", TensorProto.INT64, ["N", "S"]), typed("mask", TensorProto.INT64, ["N", "T"])]
        inputs += [typed(f"past_{name}", TensorProto.FLOAT, ["N", KEY_HEADS, "P", SIZE]) for name in self.caches]
        nodes = self.nodes()
        if has_branches:
            inputs.append(typed("is_step", TensorProto.BOOL, [1]))
            step = helper.make_graph(self.nodes("step/"), "step", [], self.outputs("step/"))
            prompt = helper.make_graph(self.nodes("prompt/", False), "prompt", [], self.outputs("prompt/"))
            nodes = [helper.make_node("If", ["is_step"], [output.name for output in self.outputs()], "decoder",
                                      then_branch=step, else_branch=prompt)]
        constants = [numpy_helper.from_array(value, name) for name, value in self.constants.items()]
        graph = helper.make_graph(nodes, "decoder", inputs, self.outputs(), constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), file)

    def samples(self, file, count, length, past, has_branches):
        arrays = {"ids": rng.integers(0, WORDS, (count, length)), "mask": np.ones((count, length + past), np.int64)}
        for name in self.caches:
            arrays["past_" + name] = rng.standard_normal((count, KEY_HEADS, past, SIZE)).astype(np.float32)
        if has_branches:
            arrays["is_step"] = np.full((count, 1), past > 0)
        np.savez(file, **arrays)


def main():
    cli = sys.argv[1]
    decoder, failures = Decoder(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for has_branches in (False, True):
            decoder.save(folder / "decoder.onnx", has_branches)
            for length, past in ((6, 0), (1, 5)):
                decoder.samples(folder / "samples.npz", 16, length, past, has_branches)
                for platform, form in (("ONNXRUNTIME", "onnx_qdq"), ("WEIGHT_ONLY", "onnx_matmul_nbits")):
                    exported, recipe = folder / "exported.onnx", folder / "exported.quantloupe"
                    title = f"{form}, {'branches' if has_branches else 'no branches'}, {length} words after {past}"
                    for command in (["run", folder / "decoder.onnx", "--platform", platform, "--calib", folder / "samples.npz",
                                     "--analyse", "none", "--save-recipe", recipe, "--export", f"{form}:{exported}"],
                                    ["verify", exported, "--against", recipe, "--python", sys.executable, "--outputs-only"]):
                        done = subprocess.run([cli, *command, "--quiet"], text=True, capture_output=True)
                        if done.returncode:
                            print(f"FAILED: {title}: {command[0]}\n{done.stdout}{done.stderr}")
                            failures += 1
                            break
                    else:
                        print("agrees:", title)
    sys.exit(1 if failures else 0)


main()

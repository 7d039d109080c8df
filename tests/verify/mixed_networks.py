"""Random graphs of many operators in unusual forms, for test_random_networks.py --mixed. The same seed gives the same graph.

Each operation reads any tensors that exist, so tensors have several readers, weights are shared, and there are several
inputs and outputs. Every new operation runs once in onnxruntime: one that fails, or whose values are not of use, is left out."""
import numpy as np
import onnxruntime as ort
from onnx import TensorProto, checker, helper, numpy_helper

from mixed_operations import KINDS

ort.set_default_logger_severity(4)
INPUTS = ([1, 3, 12, 12], [1, 4, 11, 13], [1, 6, 8], [1, 12], [1, 9, 12], [1, 2, 5, 6, 7])


class Graph:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.opset = self.pick(11, 13, 15, 17, 18, 20, 21)
        self.nodes, self.weights, self.names, self.values = [], {}, [], {}
        self.inputs, self.read, self.shared = [], set(), {}
        self.pool = []
        self.new = []

    # values
    def pick(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def chance(self, share=0.5):
        return bool(self.rng.random() < share)

    def number(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def constant(self, value, dtype=np.float32):
        name = f"w{len(self.weights)}"
        self.weights[name] = np.asarray(value, dtype)
        return name

    def ints(self, *values):
        return self.constant(list(values), np.int64)

    def weight(self, *shape, fan=None):
        fan = fan or max(1, int(np.prod(shape[1:])))
        key = (shape, fan)
        if key in self.shared and self.chance(0.25):
            return self.shared[key]
        self.shared[key] = self.constant(self.rng.normal(size=shape) * np.sqrt(1.5 / fan))
        return self.shared[key]

    def shape(self, name):
        return list(self.value(name).shape)

    def value(self, name):
        return self.weights[name] if name in self.weights else self.values[name]

    # operations
    def op(self, kind, *inputs, outputs=1, domain="", subgraph_reads=(), **attributes):
        """Throws if onnxruntime refuses it. @returns name(s)"""
        base = f"{kind.lower()}_{len(self.nodes)}"
        names = [base] if outputs == 1 else [f"{base}_{i}" for i in range(outputs)]
        node = helper.make_node(kind, list(inputs), names, name=base + "_op", domain=domain, **attributes)
        reads = sorted({i for i in inputs if i} | set(subgraph_reads))
        values = evaluate(node, {i: self.value(i) for i in reads}, self.opset)
        for name, value in zip(names, values):
            if value.dtype == np.float32:
                if not np.all(np.isfinite(value)) or value.size == 0 or value.size > 20000:
                    raise ValueError("values")
                if np.max(np.abs(value)) > 300:
                    raise ValueError("size")
            self.values[name] = value
        self.nodes.append(node)
        self.read |= set(reads)
        return names[0] if outputs == 1 else names

    def axes(self, kind, x, axes, **attributes):
        """Axes as an attribute, or as an input in the opset that has it."""
        first = 13 if kind in ("Squeeze", "Unsqueeze", "ReduceSum") else 18
        if self.opset < first:
            return self.op(kind, x, axes=axes, **attributes)
        return self.op(kind, x, self.ints(*axes), **attributes)

    def any(self, rank=None, least=0):
        fit = [t for t in self.pool if (rank is None and len(self.shape(t)) >= least) or len(self.shape(t)) == rank]
        if not fit:
            raise ValueError("no tensor")
        late = fit[-4:]
        return self.pick(*late) if self.chance(0.7) else self.pick(*fit)


def evaluate(node, inputs, opset):
    infos = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for n, v in inputs.items()]
    outs = [helper.make_empty_tensor_value_info(n) for n in node.output if n]
    model = helper.make_model(helper.make_graph([node], "one", infos, outs),
                              opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def build(seed):
    g = Graph(seed)
    for i in range(g.number(1, 2)):
        shape = g.pick(*INPUTS)
        name = f"in{i}"
        g.inputs.append((name, shape))
        g.values[name] = samples_of(seed, name, shape, 1)
        g.pool.append(name)
    wanted = g.number(4, 14)
    for _ in range(60):
        if len(g.names) >= wanted:
            break
        kind = g.pick(*KINDS)
        before = (len(g.nodes), dict(g.weights), set(g.read), dict(g.shared))
        g.new = []
        try:
            result = kind(g)
        except Exception:  # what onnxruntime raises has no common class
            g.nodes, (g.weights, g.read, g.shared) = g.nodes[: before[0]], before[1:]
            continue
        if result not in g.pool and result not in g.weights:
            g.new = g.new or [result]
        for name in g.new:
            if name not in g.pool and g.values[name].dtype == np.float32:
                g.pool.append(name)
        g.names.append(kind.__name__)
    return g


def network(seed):
    g = build(seed)
    made = [o for node in g.nodes for o in node.output]
    outputs = [o for o in made if o not in g.read and g.values[o].dtype == np.float32]
    extra = [o for o in g.pool if o in made and o not in outputs]
    if extra and g.chance(0.3):
        outputs.append(g.pick(*extra))
    inputs = [(name, shape) for name, shape in g.inputs if name in g.read]
    if not outputs or not inputs:
        return network(seed + 100000)
    used = g.read
    graph = helper.make_graph(
        g.nodes, f"mixed_{seed}", [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs],
        [helper.make_tensor_value_info(o, TensorProto.FLOAT, g.shape(o)) for o in outputs],
        [numpy_helper.from_array(v, n) for n, v in g.weights.items() if n in used])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", g.opset)], ir_version=8)
    try:
        checker.check_model(model, full_check=True)
    except Exception:  # shapes that ONNX and onnxruntime infer differently
        return network(seed + 100000)
    return model, inputs, g.names


def samples_of(seed, name, shape, count):
    """Smooth random data: neighbours are alike, as in images."""
    rng = np.random.default_rng([seed, len(name), int(name[2:])])
    x = rng.normal(size=[count, *shape[1:]])
    if len(shape) > 2:
        x = x + np.roll(x, 1, -1) + np.roll(x, 1, -2) + rng.normal(size=[count] + [1] * (len(shape) - 1))
        x /= 2
    return x.astype(np.float32)


def samples(seed, inputs, count):
    return {name: samples_of(seed, name, shape, count) for name, shape in inputs}

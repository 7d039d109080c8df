"""How a file may store its values: storage forms, external data, domains, subgraphs, dynamic dimensions."""

import numpy as np
import onnx
import torch.nn.functional as F
from onnx import TensorProto, helper

from .builder import F32, Model, conv, f32, i64, set_external, t, write


def conv_relu_fc(m, x, w, b, fc):
    """conv(3x3, pad 1) - relu - gap - flatten - fc without bias, the body shared by several storage tests."""
    m.node("Conv", f"{x} w b", "c", name="conv", pads=[1, 1, 1, 1])
    m.node("Relu", "c", "r", name="relu")
    m.node("GlobalAveragePool", "r", "p", name="gap")
    m.node("Flatten", "p", "f", name="flat")
    m.node("Gemm", "f fc", "y", name="fc", transB=1)
    x = m.golden["in__" + x]
    m.output("y", F.relu(conv(x, w, b, padding=1)).mean((2, 3)) @ t(fc).T)


def weights(m):
    return m.rand(4, 3, 3, 3, scale=0.4), m.rand(4, scale=0.2), m.rand(2, 4)


def constant_models(out):
    m = Model(
        "constant_weights", "weights in Constant nodes (tensor attribute)"
    )
    m.input("x", m.rand(1, 3, 6, 6))
    w, b, fc = weights(m)
    for name, value in (("w", w), ("b", b), ("fc", fc)):
        m.node(
            "Constant",
            "",
            name,
            name="constant_" + name,
            value=helper.make_tensor(name + "_value", F32, value.shape, value.tobytes(), raw=True),
        )
    conv_relu_fc(m, "x", w, b, fc)
    m.save(out)

    m = Model(
        "constant_forms",
        "Constant with value_float, value_floats, value_int, value_ints; ConstantOfShape; all feed arithmetic",
    )
    x = m.input("x", m.rand(2, 3))
    m.node("Constant", "", "k1", value_float=2.5)
    m.node("Constant", "", "k2", value_floats=[1.0, -2.0, 0.5])
    m.node("Constant", "", "k3", value_int=3)
    m.node("Constant", "", "k4", value_ints=[2, 3])
    m.node("Mul", "x k1", "m1")
    m.node("Add", "m1 k2", "a1")
    m.node("Cast", "k3", "k3f", to=F32)
    m.node("Div", "a1 k3f", "d1")
    m.node("ConstantOfShape", "k4", "k5", value=helper.make_tensor("v", F32, [1], [0.75]))
    m.node("Sub", "d1 k5", "y")
    m.output("y", (t(x) * 2.5 + t(f32(1, -2, 0.5))) / 3 - 0.75)
    m.save(out)


def initializer_models(out):
    m = Model("shared_initializers", "one weight and one bias used by two Conv, one scalar used by two Clip and a Mul")
    x, w, b = m.input("x", m.rand(1, 3, 6, 6)), m.init("w", m.rand(3, 3, 3, 3, scale=0.4)), m.init("b", m.rand(3))
    m.init("one", f32(1).reshape(()))
    m.init("zero", f32(0).reshape(()))
    for k, source in ((1, "x"), (2, "r1")):
        m.node("Conv", source + " w b", f"c{k}", name=f"conv{k}", pads=[1, 1, 1, 1])
        m.node("Clip", f"c{k} zero one", f"r{k}", name=f"clip{k}")
    m.node("Mul", "r2 one", "y", name="mul")
    h = conv(x, w, b, padding=1).clamp(0, 1)
    m.output("y", conv(h, w, b, padding=1).clamp(0, 1))
    m.save(out)

    m = Model(
        "initializers_as_inputs",
        "IR 3: every initialiser is listed as a graph input, too; only x has no value",
        opset=7,
        ir=3,
    )
    m.input("x", m.rand(1, 3, 6, 6))
    w, b, fc = weights(m)
    for name, value in (("w", w), ("b", b), ("fc", fc), ("zero_bias", np.zeros(2, np.float32))):
        m.init(name, value)
    m.inputs += [helper.make_tensor_value_info(i.name, i.data_type, i.dims) for i in m.inits]
    conv_relu_fc(m, "x", w, b, fc)
    m.nodes[-1].input.append("zero_bias")  # Gemm of opset 7 needs its bias
    m.save(out)

    m = Model("unnamed_nodes", "no node has a name; also a doc string, metadata and a value_info entry")
    m.input("x", m.rand(1, 3, 6, 6))
    w, b, fc = weights(m)
    for name, value in (("w", w), ("b", b), ("fc", fc)):
        m.init(name, value)
    conv_relu_fc(m, "x", w, b, fc)
    for node in m.nodes:
        node.name = ""
    proto = m.proto()
    proto.graph.doc_string = "a doc string"
    proto.graph.value_info.append(helper.make_tensor_value_info("c", F32, [1, 4, 6, 6]))
    entry = proto.metadata_props.add()
    entry.key, entry.value = "origin", "make-test-models"
    m.save(out, proto)

    m = Model("external_data", "weights in external_data.bin (offset 0 and 512) and external/weights.bin (whole file)")
    m.input("x", m.rand(1, 3, 6, 6))
    w, b, fc = weights(m)
    for name, value in (("w", w), ("b", b), ("fc", fc)):
        m.init(name, value)
    conv_relu_fc(m, "x", w, b, fc)
    proto = m.proto()
    onnx.checker.check_model(proto)
    blob = w.tobytes().ljust(512, b"\0") + b.tobytes()
    write(out / "external_data.bin", blob)
    write(out / "external" / "weights.bin", fc.tobytes())
    set_external(proto.graph.initializer[0], "external_data.bin", 0, w.nbytes)
    set_external(proto.graph.initializer[1], "external_data.bin", 512, b.nbytes)
    set_external(proto.graph.initializer[2], "external/weights.bin")
    m.save(out, proto, check=False)


def fp16_models(out):
    m = Model("fp16_weights", "fp16 initialisers (raw and in int32_data), each through a Cast to float")
    m.input("x", m.rand(1, 3, 6, 6))
    w, b, fc = weights(m)
    for name, value, raw in (("w", w, True), ("b", b, False), ("fc", fc, True)):
        half = value.astype(np.float16)
        m.init(name + "_half", half, raw=raw)
        m.node("Cast", name + "_half", name, name="cast_" + name, to=F32)
    conv_relu_fc(m, "x", *(v.astype(np.float16).astype(np.float32) for v in (w, b, fc)))
    m.save(out)

    m = Model(
        "fp16_model",
        "the whole model in fp16, input and output, too; expected values computed in float32 and rounded once",
    )
    x, w, b = (v.astype(np.float16) for v in (m.rand(1, 3, 6, 6), m.rand(4, 3, 3, 3, scale=0.4), m.rand(4, scale=0.2)))
    m.input("x", x)
    m.init("w", w)
    m.init("b", b)
    m.node("Conv", "x w b", "c", name="conv")
    m.node("Relu", "c", "y", name="relu")
    m.output("y", F.relu(conv(x.astype(np.float32), w.astype(np.float32), b.astype(np.float32))).half())
    m.save(out)


def typed_models(out):
    for raw in (False, True):
        m = Model(
            "raw_storage" if raw else "typed_storage",
            "an initialiser of every type, "
            + ("raw_data" if raw else "typed storage (int32_data holds int8 to int32, bool, fp16 and bf16)")
            + "; y_T = x + float(w_T)",
        )
        x = m.input("x", f32(0.5, -1, 2, 4, -8, 0.25))
        values = {
            "float32": [1.5, -2, 0, 1e-3, 7, -0.5],
            "float64": [1e-3, -2.25, 0, 3, 4, 5.5],
            "float16": [1.5, -2, 0, 0.25, 7, -0.5],
            "bool": [True, False, True, True, False, False],
            "int8": [-128, 127, 0, 1, -1, 5],
            "uint8": [255, 128, 0, 1, 2, 5],
            "int16": [-32768, 32767, 0, 1, -1, 5],
            "uint16": [65535, 32768, 0, 1, 2, 5],
            "int32": [-(2**31), 2**24, 0, 1, -1, 5],
            "uint32": [2**31, 2**24, 0, 1, 2, 5],
            "int64": [-(2**40), 2**40, 0, 1, -1, 5],
            "uint64": [2**63, 2**40, 0, 1, 2, 5],
        }
        for kind, items in values.items():
            w = m.init("w_" + kind, np.array(items, dtype=kind), raw=raw)
            if kind == "float32":
                m.node("Add", "x w_float32", "y_float32", name="add_float32")
            else:
                m.node("Cast", "w_" + kind, "f_" + kind, name="cast_" + kind, to=F32)
                m.node("Add", f"x f_{kind}", "y_" + kind, name="add_" + kind)
            m.output("y_" + kind, x + w.astype(np.float32))
        bits = np.array([1.5, -2, 0, 0.25, 7, -0.5], np.float32).view(np.uint32) >> 16  # exact in bfloat16
        tensor = TensorProto(name="w_bfloat16", data_type=TensorProto.BFLOAT16, dims=[6])
        if raw:
            tensor.raw_data = bits.astype("<u2").tobytes()
        else:
            tensor.int32_data.extend(int(v) for v in bits)
        m.inits.append(tensor)
        m.node("Cast", "w_bfloat16", "f_bfloat16", name="cast_bfloat16", to=F32)
        m.node("Add", "x f_bfloat16", "y_bfloat16", name="add_bfloat16")
        m.output("y_bfloat16", x + (bits.astype(np.uint32) << 16).view(np.float32))
        m.save(out)


def graph_models(out):
    m = Model(
        "two_domains",
        "imports ai.onnx.ml 2 and com.example 1 in addition to ai.onnx, written as \"ai.onnx\"; one node names its domain",
        domains=(("ai.onnx.ml", 2), ("com.example", 1)),
    )
    m.input("x", m.rand(1, 3, 6, 6))
    w, b, fc = weights(m)
    for name, value in (("w", w), ("b", b), ("fc", fc)):
        m.init(name, value)
    conv_relu_fc(m, "x", w, b, fc)
    proto = m.proto()
    onnx.checker.check_model(proto)
    proto.opset_import[0].domain = "ai.onnx"  # the other spelling of the default domain
    proto.graph.node[1].domain = "ai.onnx"
    m.save(out, proto, check=False)

    for branch in (True, False):
        m = Model(
            "if_bodies" if branch else "if_bodies_else",
            "an If whose bodies have their own initialisers and read the outer tensor h; "
            "if_bodies.npz takes the then branch, if_bodies_else.npz (same network) the else branch",
            opset=13,
        )
        m.random = np.random.RandomState(77)
        x, w, k = m.input("x", m.rand(2, 3)), m.init("w", m.rand(2, 3)), m.rand(3, 4)
        m.input("cond", np.array(branch))
        m.node("Add", "x w", "h", name="add")
        body = helper.make_graph(
            [
                helper.make_node("MatMul", ["h", "k"], ["then_m"], "then_matmul"),
                helper.make_node("Relu", ["then_m"], ["then_y"], "then_relu"),
            ],
            "then_body",
            [],
            [helper.make_tensor_value_info("then_y", F32, [2, 4])],
            [helper.make_tensor("k", F32, k.shape, k.tobytes(), raw=True)],
        )
        other = helper.make_graph(
            [helper.make_node("Concat", ["h", "column"], ["else_y"], "else_concat", axis=1)],
            "else_body",
            [],
            [helper.make_tensor_value_info("else_y", F32, [2, 4])],
            [helper.make_tensor("column", F32, [2, 1], [1.0, 2.0])],
        )
        m.node("If", "cond", "z", name="if", then_branch=body, else_branch=other)
        m.node("Neg", "z", "y", name="neg")
        h = x + w
        m.output("y", -np.maximum(h @ k, 0) if branch else -np.concatenate([h, f32(1, 2).reshape(2, 1)], 1))
        m.save(out)

    m = Model(
        "dynamic_dims",
        "batch, height and width are symbols; a Shape - Gather - Concat - Reshape branch parallel to the pooled one",
    )
    x = m.input("x", m.rand(2, 3, 9, 7), shape=["N", 3, "H", "W"])
    w, fc = m.init("w", m.rand(4, 3, 3, 3, scale=0.4)), m.init("fc", m.rand(5, 4))
    m.init("zero", i64(0).reshape(()))
    m.init("minus", i64(-1))
    m.init("axis0", i64(0))
    m.node("Conv", "x w", "c", name="conv", strides=[2, 2], pads=[1, 1, 1, 1])
    m.node("Relu", "c", "r", name="relu")
    m.node("GlobalAveragePool", "r", "p", name="gap")
    m.node("Flatten", "p", "f", name="flat")
    m.node("Gemm", "f fc", "y", name="fc", transB=1)
    m.node("Shape", "r", "s", name="shape")
    m.node("Gather", "s zero", "n", name="gather", axis=0)
    m.node("Unsqueeze", "n axis0", "n1", name="unsqueeze")
    m.node("Concat", "n1 minus", "target", name="concat", axis=0)
    m.node("Reshape", "r target", "z", name="reshape")
    r = F.relu(conv(x, w, stride=2, padding=1))
    m.output("y", r.mean((2, 3)) @ t(fc).T, shape=["N", 5])
    m.output("z", r.reshape(2, -1), shape=["N", "K"])
    m.save(out)

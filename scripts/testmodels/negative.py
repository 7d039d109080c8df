"""Files that must be refused, each a good model broken in one place."""

import struct

import numpy as np
from onnx import helper

from .builder import F32, BAD, Model, i64, set_external, write


def base():
    """A good model x [1,3,4,4] - conv(w, b) - relu - y that each case below breaks in one place."""
    m = Model("base", "")
    m.input("x", m.rand(1, 3, 4, 4))
    m.init("w", m.rand(2, 3, 1, 1))
    m.init("b", m.rand(2))
    m.node("Conv", "x w b", "c", name="conv")
    m.node("Relu", "c", "y", name="relu")
    m.outputs.append(helper.make_tensor_value_info("y", F32, [1, 2, 4, 4]))
    return m.proto()


def save(folder, name, reason, data):
    data = data if isinstance(data, bytes) else data.SerializeToString()
    write(folder / name, data)
    BAD.append((name, reason))


def not_models(folder):
    good = base().SerializeToString()
    save(folder, "empty.onnx", "empty file", b"")
    save(folder, "wrong_magic.onnx", "not a model: a PNG header", b"\x89PNG\r\n\x1a\n" + bytes(range(64)))
    save(folder, "text.onnx", "not a model: plain text", b"This is a text file and not a network.\n")
    save(folder, "truncated.onnx", "the good model truncated in the middle of a weight", good[: len(good) // 2])
    save(folder, "only_ir_version.onnx", "parses, but has no graph", struct.pack("BB", 8, 7))


def broken_graphs(folder):
    p = base()
    p.graph.node[0].input[0] = "loop"
    p.graph.node.append(helper.make_node("Add", ["y", "x"], ["loop"], name="add"))
    save(folder, "cyclic.onnx", "cycle conv - relu - add - conv", p)
    p = base()
    p.graph.node[1].input[0] = "y"
    save(folder, "self_loop.onnx", "relu reads its own output y", p)
    p = base()
    p.graph.node.append(helper.make_node("Neg", ["c"], ["y"], name="neg"))
    save(folder, "duplicate_outputs.onnx", "relu and neg both write y", p)
    p = base()
    p.graph.initializer.append(p.graph.initializer[0])
    save(folder, "duplicate_initializers.onnx", "two initialisers are named w", p)
    p = base()
    del p.graph.initializer[0]
    save(folder, "missing_initializer.onnx", "conv reads w, which nothing provides", p)
    p = base()
    p.graph.output[0].name = "nowhere"
    save(folder, "missing_output.onnx", "no node writes the graph output nowhere", p)
    p = base()
    del p.graph.node[0].input[1:]
    save(folder, "missing_required_input.onnx", "conv has no weight", p)


def broken_values(folder):
    for name, bad in (("nan", np.nan), ("inf", np.inf)):
        p = base()
        value = np.frombuffer(p.graph.initializer[0].raw_data, np.float32).copy()
        value[4] = bad
        p.graph.initializer[0].raw_data = value.tobytes()
        save(folder, f"{name}_weight.onnx", f"element 4 of w is {name}", p)


def external_files(folder):
    for name, location, reason in (
        ("external_escape", "../external_data.bin", "external data outside the model's folder (the file exists)"),
        ("external_escape_nested", "sub/../../external_data.bin", "the same, through a subfolder"),
        ("external_absolute", "/etc/hostname", "external data with an absolute path"),
        ("external_missing", "not_there.bin", "external data file does not exist"),
        ("external_no_location", "", "external data without a location"),
    ):
        p = base()
        set_external(p.graph.initializer[0], location, 0, 24)
        save(folder, name + ".onnx", reason, p)
    write(folder / "short.bin", bytes(16))
    for name, offset, length in (
        ("external_too_short", 0, 24),
        ("external_offset_behind_end", 4096, 24),
        ("external_length_huge", 0, 2**60),
        ("external_negative_offset", -8, 24),
        ("external_length_wrong", 0, 12),
    ):
        p = base()
        set_external(p.graph.initializer[0], "short.bin", offset, length)
        save(
            folder,
            name + ".onnx",
            f"external data offset {offset}, length {length}; short.bin has 16 bytes, w needs 24",
            p,
        )


def broken_tensors(folder):
    for name, dims, reason in (
        ("huge_dims", [2**20, 2**20, 2**20], "w has dims with product 2^60 and 24 bytes of data"),
        ("overflow_dims", [2**32, 2**32, 1, 1], "the product of w's dims overflows 64 bits to 0"),
        ("negative_dims", [2, -3, 1, 1], "w has a negative dimension"),
        ("data_size_mismatch", [2, 4, 1, 1], "w has 24 bytes of raw data for 32"),
    ):
        p = base()
        p.graph.initializer[0].ClearField("dims")
        p.graph.initializer[0].dims.extend(dims)
        save(folder, name + ".onnx", reason, p)
    p = base()
    p.graph.initializer[0].ClearField("raw_data")
    p.graph.initializer[0].float_data.extend([1.0] * 5)
    save(folder, "typed_count_mismatch.onnx", "w has 5 values in float_data for 6", p)
    p = base()
    p.graph.initializer[0].data_type = 99
    save(folder, "unknown_data_type.onnx", "w has data type 99", p)


def huge_models(folder):
    p = base()
    del p.graph.input[0].type.tensor_type.shape.dim[:]
    for size in (1, 3, 2**30, 2**30):
        p.graph.input[0].type.tensor_type.shape.dim.add().dim_value = size
    save(folder, "huge_input.onnx", "graph input of 3 x 2^60 elements", p)
    m = Model("huge_constant", "")
    m.input("x", m.rand(1))
    m.init("shape", i64(2**40))
    m.node("ConstantOfShape", "shape", "k", name="fill")
    m.node("Add", "x k", "y", name="add")
    m.outputs.append(helper.make_tensor_value_info("y", F32, ["K"]))
    save(folder, "huge_constant.onnx", "ConstantOfShape with 2^40 elements", m.proto())


def broken_operators(folder):
    p = base()
    p.graph.node[1].op_type = "Frobnicate"
    p.graph.node.append(helper.make_node("FancyPool", ["y"], ["z"], name="pool", domain="com.example"))
    p.opset_import.append(helper.make_opsetid("com.example", 1))
    p.graph.output[0].name = "z"
    save(
        folder,
        "unsupported_ops.onnx",
        "two unsupported operators: Frobnicate (node relu) and com.example FancyPool (node pool); both must be listed",
        p,
    )
    p = base()
    p.opset_import[0].version = 99
    save(folder, "opset_99.onnx", "opset 99 is newer than the newest supported one", p)
    p = base()
    p.opset_import[0].version = 3
    save(folder, "opset_3.onnx", "opset 3 is older than the oldest supported one (6)", p)
    p = base()
    del p.opset_import[:]
    save(folder, "no_opset.onnx", "no opset import at all", p)
    p = base()
    p.graph.initializer[0].ClearField("dims")
    p.graph.initializer[0].dims.extend([3, 2, 1, 1])
    save(folder, "weight_shape_mismatch.onnx", "conv weight [3,2,1,1] for an input of 3 channels, bias of 2", p)
    p = base()
    p.graph.node[0].attribute.append(helper.make_attribute("strides", "two"))
    save(folder, "attribute_type.onnx", "conv has strides = \"two\", a string instead of integers", p)
    p = base()
    p.graph.node[0].attribute.append(helper.make_attribute("strides", [0, 0]))
    save(folder, "zero_strides.onnx", "conv has strides 0,0", p)
    p = base()
    p.graph.node[0].attribute.append(helper.make_attribute("group", 0))
    save(folder, "zero_group.onnx", "conv has group 0", p)


def deep_nesting(folder):
    # bytes by hand: building 400 levels through the classes would copy each level many times
    def field(number, payload):
        size, head = len(payload), bytes([number << 3 | 2])
        while size > 127:
            head, size = head + bytes([size & 127 | 128]), size >> 7
        return head + bytes([size]) + payload

    graph = field(2, b"leaf")
    for _ in range(400):  # GraphProto.node(1) > NodeProto.attribute(5) > AttributeProto.g(6)
        graph = field(1, field(4, b"If") + field(5, field(1, b"then_branch") + field(6, graph)))
    save(
        folder,
        "deep_nesting.onnx",
        "400 nested If bodies",
        struct.pack("BB", 8, 7) + field(7, graph) + field(8, struct.pack("BB", 16, 13)),
    )

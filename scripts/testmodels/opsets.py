"""One operator per model, in the forms required by opsets 7 to 17."""

import numpy as np
import torch.nn.functional as F

from .builder import Model, f32, i64, resize, t


def ir_of(opset):
    return {7: 3, 9: 4, 10: 5, 11: 6, 13: 7, 14: 7, 17: 8}[opset]


def opset_model(kind, opset, note):
    # IR 4 for the oldest, so that initialisers need not be listed as inputs (other files do that)
    return Model(f"{kind}_opset{opset}", note, opset=opset, ir=max(4, ir_of(opset)))


def slice_models(out):
    for opset in (7, 10, 11, 13, 17):
        m = opset_model(
            "slice",
            opset,
            (
                "Slice with attributes, with and without axes"
                if opset == 7
                else "Slice with inputs: steps, negative starts, INT64_MAX end"
                + ("" if opset == 10 else ", negative axes, negative step, axes omitted")
            ),
        )
        x = m.input("x", m.rand(2, 6, 7, 8))
        if opset == 7:
            m.node("Slice", "x", "y1", name="slice_axes", axes=[1, 3], starts=[1, -5], ends=[5, 2**31 - 1])
            m.node("Slice", "x", "y2", name="slice_no_axes", starts=[0, 2], ends=[1, -1])
            m.output("y1", x[:, 1:5, :, -5:])
            m.output("y2", x[0:1, 2:-1])
        else:
            for name, value in (
                ("s1", (1, -7)),
                ("e1", (2**63 - 1, -1)),
                ("a1", (1, 3)),
                ("st1", (2, 3)),
                ("s2", (5, 1)),
                ("e2", (-7, 6)),
                ("a2", (-3, -2)),
                ("st2", (-2, 2)),
                ("s3", (1, 0)),
                ("e3", (2, 3)),
            ):
                m.init(name, i64(*value))
            m.node("Slice", "x s1 e1 a1 st1", "y1", name="slice_steps")
            m.output("y1", x[:, 1::2, :, -7:-1:3])
            if opset >= 11:
                m.node("Slice", "x s2 e2 a2 st2", "y2", name="slice_negative_step")
                m.output("y2", x[:, 5::-2, 1:6:2])
                m.node("Slice", "x s3 e3", "y3", name="slice_no_axes")
                m.output("y3", x[1:2, 0:3])
            else:
                m.inits = [i for i in m.inits if i.name.endswith("1")]
        m.save(out)


def pad_models(out):
    for opset in (7, 11, 13):
        m = opset_model(
            "pad", opset, "Pad constant, reflect and edge with " + ("attributes" if opset == 7 else "inputs")
        )
        x = m.input("x", m.rand(1, 2, 4, 5))
        pads, widths = [0, 1, 2, 0, 0, 0, 1, 3], ((0, 0), (1, 0), (2, 1), (0, 3))
        pads_r, widths_r = [0, 0, 2, 1, 0, 0, 3, 2], ((0, 0), (0, 0), (2, 3), (1, 2))
        if opset == 7:
            m.node("Pad", "x", "y1", name="pad_constant", pads=pads, value=1.5)
            m.node("Pad", "x", "y2", name="pad_reflect", pads=pads_r, mode="reflect")
            m.node("Pad", "x", "y3", name="pad_edge", pads=pads_r, mode="edge")
            m.node("Pad", "x", "y4", name="pad_default", pads=pads)
        else:
            m.init("p", i64(*pads))
            m.init("pr", i64(*pads_r))
            m.init("v", f32(1.5).reshape(()))
            m.node("Pad", "x p v", "y1", name="pad_constant", mode="constant")
            m.node("Pad", "x pr", "y2", name="pad_reflect", mode="reflect")
            m.node("Pad", "x pr", "y3", name="pad_edge", mode="edge")
            m.node("Pad", "x p", "y4", name="pad_default")
        m.output("y1", np.pad(x, widths, constant_values=1.5))
        m.output("y2", np.pad(x, widths_r, mode="reflect"))
        m.output("y3", np.pad(x, widths_r, mode="edge"))
        m.output("y4", np.pad(x, widths))
        m.save(out)


def clip_models(out):
    for opset in (7, 11, 13):
        m = opset_model(
            "clip",
            opset,
            "Clip with both limits, only min, only max, none"
            + (" (attributes)" if opset == 7 else " (inputs, omitted ones empty)"),
        )
        x = m.input("x", m.rand(2, 3, 4, scale=3))
        if opset == 7:
            m.node("Clip", "x", "y1", name="clip_both", min=0.0, max=6.0)
            m.node("Clip", "x", "y2", name="clip_min", min=-1.0)
            m.node("Clip", "x", "y3", name="clip_max", max=2.0)
            m.node("Clip", "x", "y4", name="clip_none")
        else:
            for name, value in (("zero", 0), ("six", 6), ("m1", -1), ("two", 2)):
                m.init(name, f32(value).reshape(()))
            m.node("Clip", "x zero six", "y1", name="clip_both")
            m.node("Clip", "x m1", "y2", name="clip_min")
            m.node("Clip", "x - two", "y3", name="clip_max")
            m.node("Clip", "x", "y4", name="clip_none")
        m.output("y1", x.clip(0, 6))
        m.output("y2", np.maximum(x, np.float32(-1)))
        m.output("y3", np.minimum(x, np.float32(2)))
        m.output("y4", x)
        m.save(out)


def squeeze_models(out):
    for opset in (7, 11, 13):
        m = opset_model(
            "squeeze_unsqueeze",
            opset,
            "Squeeze with axes and without, Unsqueeze"
            + ("" if opset == 7 else ", negative axes")
            + (", axes as input" if opset == 13 else ", axes as attribute"),
        )
        x = m.input("x", m.rand(1, 3, 1, 4))
        squeeze, unsqueeze = ([2], [0, 3]) if opset == 7 else ([-2], [0, -1])
        if opset == 13:
            m.init("sa", i64(*squeeze))
            m.init("ua", i64(*unsqueeze))
            m.node("Squeeze", "x sa", "s", name="squeeze")
            m.node("Unsqueeze", "s ua", "y2", name="unsqueeze")
        else:
            m.node("Squeeze", "x", "s", name="squeeze", axes=squeeze)
            m.node("Unsqueeze", "s", "y2", name="unsqueeze", axes=unsqueeze)
        m.node("Squeeze", "x", "y1", name="squeeze_all")
        s = x[:, :, 0]
        m.output("y1", x[0, :, 0])
        m.output("y2", s[None][..., None, :] if opset == 7 else s[None][..., None])
        m.save(out)


def resize_models(out):
    for opset in (7, 9):
        m = opset_model(
            "upsample", opset, "Upsample nearest and linear, scales as " + ("attribute" if opset == 7 else "input")
        )
        x, scales = m.input("x", m.rand(1, 2, 3, 4)), [1.0, 1.0, 2.0, 3.0]
        if opset == 9:
            m.init("scales", f32(*scales))
        for index, mode in enumerate(("nearest", "linear"), 1):
            if opset == 7:
                m.node("Upsample", "x", f"y{index}", name="upsample_" + mode, mode=mode, scales=scales)
            else:
                m.node("Upsample", "x scales", f"y{index}", name="upsample_" + mode, mode=mode)
            m.output(f"y{index}", resize(x, mode, "asymmetric", scales=scales, nearest="floor"))
        m.save(out)

    m = opset_model("resize", 10, "Resize with two inputs: nearest up, nearest down, linear")
    x = m.input("x", m.rand(1, 2, 6, 8))
    up, down = [1, 1, 2, 1.5], [1, 1, 0.5, 0.5]  # halving: every reading of opset 10 agrees
    m.init("up", f32(*up))
    m.init("down", f32(*down))
    m.node("Resize", "x up", "y1", name="resize_up", mode="nearest")
    m.node("Resize", "x down", "y2", name="resize_down", mode="nearest")
    m.node("Resize", "x up", "y3", name="resize_linear", mode="linear")
    m.output("y1", resize(x, "nearest", "asymmetric", scales=up, nearest="floor"))
    m.output("y2", resize(x, "nearest", "asymmetric", scales=down, nearest="floor"))
    m.output("y3", resize(x, "linear", "asymmetric", scales=up))
    m.save(out)

    for opset in (11, 13):
        m = opset_model(
            "resize",
            opset,
            "Resize by scales and by sizes: nearest, linear and cubic with five coordinate modes"
            + ("; roi empty tensor" if opset == 11 else "; roi omitted"),
        )
        x = m.input("x", m.rand(1, 2, 5, 6))
        scales, sizes = [1, 1, 2, 1.5], [1, 2, 7, 4]
        m.init("scales", f32(*scales))
        m.init("sizes", i64(*sizes))
        roi, empty = "-", "-"
        if opset == 11:  # roi became optional in opset 13; "scales" may be empty when sizes are given
            m.init("roi", np.zeros(0, np.float32))
            m.init("no_scales", np.zeros(0, np.float32))
            roi, empty = "roi", "no_scales"
        cases = [
            ("nearest", "asymmetric", "floor", False),
            ("nearest", "half_pixel", "round_prefer_floor", False),
            ("nearest", "asymmetric", "ceil", True),
            ("linear", "half_pixel", None, False),
            ("linear", "align_corners", None, True),
            ("linear", "asymmetric", None, False),
            ("linear", "pytorch_half_pixel", None, True),
            ("cubic", "half_pixel", None, False),
            ("cubic", "align_corners", None, True),
        ]
        for index, (mode, coordinates, nearest, by_size) in enumerate(cases, 1):
            attributes = {"mode": mode, "coordinate_transformation_mode": coordinates}
            if nearest:
                attributes["nearest_mode"] = nearest
            m.node(
                "Resize",
                f"x {roi} {empty} sizes" if by_size else f"x {roi} scales",
                f"y{index}",
                name=f"resize{index}_{mode}_{coordinates}",
                **attributes,
            )
            m.output(
                f"y{index}",
                resize(
                    x,
                    mode,
                    coordinates,
                    None if by_size else scales,
                    sizes if by_size else None,
                    nearest or "round_prefer_floor",
                ),
            )
        m.save(out)


def dropout_models(out):
    for opset in (7, 10, 13):
        m = opset_model(
            "dropout",
            opset,
            "Dropout between two Relu, inference form"
            + (", ratio and training_mode=false as inputs, mask not used" if opset == 13 else ", ratio as attribute"),
        )
        x = m.input("x", m.rand(2, 5))
        m.node("Relu", "x", "r", name="relu1")
        if opset == 13:
            m.init("ratio", f32(0.3).reshape(()))
            m.init("training", np.array(False))
            m.node("Dropout", "r ratio training", "d mask", name="dropout")
        else:
            m.node("Dropout", "r", "d mask", name="dropout", ratio=0.3)
        m.node("Add", "d x", "y", name="add")
        m.output("y", np.maximum(x, 0) + x)
        m.save(out)


def reduce_models(out):
    for opset in (7, 11, 13):
        m = opset_model(
            "reduce_sum",
            opset,
            "ReduceSum over axes, over all, keepdims 0 and 1"
            + (", axes as input, noop_with_empty_axes" if opset == 13 else ", axes as attribute")
            + (", negative axis" if opset == 11 else ""),
        )
        x = m.input("x", m.rand(2, 3, 4, 5))
        axes = [1, -1] if opset >= 11 else [1, 3]
        if opset == 13:
            m.init("axes", i64(*axes))
            m.node("ReduceSum", "x axes", "y1", name="sum_axes", keepdims=0)
            m.node("ReduceSum", "x", "y3", name="sum_noop", noop_with_empty_axes=1)
            m.output("y3", x)
        else:
            m.node("ReduceSum", "x", "y1", name="sum_axes", axes=axes, keepdims=0)
        m.node("ReduceSum", "x", "y2", name="sum_all", keepdims=1)
        m.output("y1", t(x).double().sum((1, 3)).float())
        m.output("y2", t(x).double().sum((0, 1, 2, 3), keepdim=True).float())
        m.save(out)


def split_models(out):
    for opset in (7, 11, 13):
        m = opset_model(
            "split",
            opset,
            "Split in given and in equal parts"
            + (", sizes as input" if opset == 13 else ", sizes as attribute")
            + (", negative axis" if opset >= 11 else ""),
        )
        x = m.input("x", m.rand(2, 6, 4))
        axis = -2 if opset >= 11 else 1
        if opset == 13:
            m.init("sizes", i64(1, 3, 2))
            m.node("Split", "x sizes", "y1 y2 y3", name="split_sizes", axis=axis)
        else:
            m.node("Split", "x", "y1 y2 y3", name="split_sizes", axis=axis, split=[1, 3, 2])
        m.node("Split", "x", "y4 y5", name="split_equal", axis=2)
        for name, value in (
            ("y1", x[:, :1]),
            ("y2", x[:, 1:4]),
            ("y3", x[:, 4:]),
            ("y4", x[..., :2]),
            ("y5", x[..., 2:]),
        ):
            m.output(name, value)
        m.save(out)


def newer_opset_models(out):
    m = opset_model("hardswish_reshape", 14, "HardSwish, Reshape with 0 and -1, Add, Relu as of opset 14")
    x = m.input("x", m.rand(2, 3, 4, scale=3))
    m.init("shape", i64(0, -1))
    m.node("HardSwish", "x", "h", name="hardswish")
    m.node("Reshape", "h shape", "r", name="reshape")
    m.node("Add", "r r", "a", name="add")
    m.node("Relu", "a", "y", name="relu")
    m.output("y", F.relu(2 * F.hardswish(t(x)).reshape(2, 12)))
    m.save(out)

    m = opset_model(
        "layernorm_softmax", 17, "LayerNormalization over the last two axes, Softmax over the last, as of opset 17"
    )
    x, g, b = m.input("x", m.rand(2, 3, 4)), m.init("g", m.rand(3, 4)), m.init("b", m.rand(3, 4))
    m.node("LayerNormalization", "x g b", "n", name="layernorm", axis=1, epsilon=1e-5)
    m.node("Softmax", "n", "y", name="softmax", axis=-1)
    m.output("y", F.softmax(F.layer_norm(t(x), (3, 4), t(g), t(b), 1e-5), -1))
    m.save(out)

    m = opset_model("softmax", 11, "Softmax of opset 11: axis 1 flattens all later axes")
    x = m.input("x", m.rand(2, 3, 4))
    m.node("Softmax", "x", "y", name="softmax", axis=1)
    m.output("y", F.softmax(t(x).reshape(2, 12), -1).reshape(2, 3, 4))
    m.save(out)

"""Tests of check.py and golden.py: a report that equals the golden document passes, every kind of damage is found."""
import copy
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import check
import golden


def config(op, kind, role, index, variable, state, scale, root=None, **more):
    out = {"op": op, "type": kind, "variable": variable, "role": role, "index": index, "state": state, "bits": 8,
           "exponent_bits": 0, "quant_min": -128, "quant_max": 127, "symmetric": True, "power_of_two": False,
           "channel_axis": None, "rounding": "half_even", "observer": "percentile", "scale": scale,
           "zero_point": [0] * len(scale), "root": root}
    out.update(more)
    return out


def document():
    """Conv -> Relu -> Softmax in float: one group of three slots, a per-channel weight of ten channels, a float bias."""
    relu = {"op": "relu", "role": "output", "index": 0}
    weight = [0.001 * (i + 1) for i in range(10)]
    return {
        "schema": golden.SCHEMA, "model": "m.onnx", "sha256": "0", "platform": "TRT_INT8", "observer": "percentile",
        "samples": 8, "ppq": "0", "torch": "0",
        "operations": [{"name": "conv", "type": "Conv", "place": "quantized"},
                       {"name": "relu", "type": "Relu", "place": "quantized"},
                       {"name": "softmax", "type": "Softmax", "place": "fp32"}],
        "configs": [
            config("conv", "Conv", "input", 0, "x", "active", [0.5]),
            config("conv", "Conv", "parameter", 1, "w", "baked", weight, channel_axis=0, observer="minmax"),
            config("conv", "Conv", "parameter", 2, "b", "fp32", []),
            config("conv", "Conv", "output", 0, "y", "overlapped", [0.25], relu),
            config("relu", "Relu", "input", 0, "y", "overlapped", [0.25], relu),
            config("relu", "Relu", "output", 0, "z", "active", [0.25]),
        ],
    }


def report(doc):
    return {"model": {"sha256": doc["sha256"]}, "configs": copy.deepcopy(doc["configs"]),
            "operations": [{"name": op["name"], "type": op["type"], "quantized": op["place"] == "quantized", "reason": "r"}
                           for op in doc["operations"]]}


class CheckTest(unittest.TestCase):
    def differences(self, change, doc=None):
        doc = doc or document()
        mine = report(document())
        change(mine)
        return [(d.op, d.role, d.index, d.field) for d in check.Comparison(doc, mine).run().differences]

    def test_equal(self):
        self.assertEqual(self.differences(lambda r: None), [])

    def test_equal_after_compact_form(self):
        doc = golden.expand(json.loads(json.dumps(golden.compact(document()))))
        self.assertEqual(self.differences(lambda r: None, doc), [])

    def test_rounding_of_float32_is_accepted(self):
        self.assertEqual(self.differences(lambda r: r["configs"][0].update(scale=[0.5 * (1 + 9e-6)])), [])

    def test_scale(self):
        self.assertEqual(self.differences(lambda r: r["configs"][0].update(scale=[0.5 * (1 + 2e-5)])),
                         [("conv", "input", 0, "scale")])

    def test_zero_point(self):
        self.assertEqual(self.differences(lambda r: r["configs"][0].update(zero_point=[1])),
                         [("conv", "input", 0, "zero_point")])

    def test_channel_in_compact_form(self):
        doc = golden.expand(golden.compact(document()))
        for channel in range(10):
            with self.subTest(channel=channel):
                def change(r):
                    r["configs"][1]["scale"][channel] *= 1.01
                self.assertEqual(self.differences(change, doc), [("conv", "parameter", 1, "scale")])

    def test_count_of_channels(self):
        self.assertEqual(self.differences(lambda r: r["configs"][1]["scale"].pop()), [("conv", "parameter", 1, "scale")])

    def test_settings(self):
        for field, value in (("bits", 4), ("quant_min", -127), ("symmetric", False), ("power_of_two", True),
                             ("channel_axis", 1), ("rounding", "half_up"), ("observer", "kl")):
            with self.subTest(field=field):
                self.assertEqual(self.differences(lambda r: r["configs"][1].update({field: value})),
                                 [("conv", "parameter", 1, field)])

    def test_state(self):
        self.assertEqual(self.differences(lambda r: r["configs"][2].update(state="passive")),
                         [("conv", "parameter", 2, "state")])

    def test_group_split(self):
        found = self.differences(lambda r: r["configs"][3].update(root=None, state="active"))
        self.assertIn(("conv", "output", 0, "group"), found)
        self.assertIn(("conv", "output", 0, "state"), found)

    def test_group_with_another_root_is_the_same_group(self):
        """Which slot of a group keeps the scale does not matter."""
        def change(r):
            first = {"op": "conv", "role": "output", "index": 0}
            r["configs"][3].update(root=None)
            r["configs"][4].update(root=first)
            r["configs"][5].update(root=first)
        self.assertEqual(self.differences(change), [])

    def test_groups_merged(self):
        found = self.differences(lambda r: r["configs"][0].update(root={"op": "relu", "role": "output", "index": 0},
                                                                  scale=[0.25]))
        self.assertTrue(any(field == "group" for *_, field in found), found)

    def test_operation(self):
        def change(r):
            r["operations"][1]["quantized"] = False
            del r["configs"][4:]
            r["configs"][3].update(root=None)
        self.assertIn(("relu", "", -1, "operation"), self.differences(change))

    def test_renamed_operation(self):
        def change(r):
            r["operations"][0]["name"] = "conv_bn"
            for c in r["configs"]:
                if c["op"] == "conv":
                    c["op"] = "conv_bn"
        self.assertEqual(self.differences(change), [])

    def test_histogram_tolerance(self):
        doc = document()
        doc["observer"] = "kl"
        self.assertEqual(self.differences(lambda r: r["configs"][0].update(scale=[0.5 * (1 + 2e-4)]), doc), [])
        self.assertEqual(self.differences(lambda r: r["configs"][0].update(scale=[0.5 * (1 + 3e-4)]), doc),
                         [("conv", "input", 0, "scale")])

    def test_known(self):
        doc, mine = document(), report(document())
        mine["configs"][2].update(state="passive")
        found = check.Comparison(doc, mine).run().differences
        known = [{"quirk": "Q", "reason": "r", "type": "Conv", "field": "state", "platform": "OPENVINO*"},
                 {"quirk": "P", "reason": "r", "type": "Conv", "role": "parameter", "index": 2, "field": "state"}]
        check.explain(found, known, doc)
        self.assertEqual([d.quirk for d in found], ["P"])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            reference, mine = Path(folder) / "g.json", Path(folder) / "r.json"
            golden.write(golden.compact(document()), reference)
            mine.write_text(json.dumps(report(document())))
            unexplained, _, comparison = check.compare(golden.read(reference), mine, out=lambda text: None)
            self.assertEqual(unexplained, [])
            self.assertEqual(comparison.compared["slot"], 6)

    def test_bundle(self):
        with tempfile.TemporaryDirectory() as folder:
            path, other = Path(folder) / "b.json", document()
            other["platform"] = "NXP_INT8"
            golden.write_bundle([document(), other], path)
            bundle = golden.read_bundle(path)
            self.assertEqual(sorted(bundle), [("NXP_INT8", "percentile"), ("TRT_INT8", "percentile")])
            self.assertEqual(self.differences(lambda r: None, bundle["TRT_INT8", "percentile"]), [])


if __name__ == "__main__":
    unittest.main()

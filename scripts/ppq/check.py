"""Compares a run report's configs[] with a golden document, slot by slot.

Slots are matched by op name (or, for an op that one side renamed, by the name of an output variable), input or output, and
index. It compares: which ops are quantized; state and settings of every slot; scale and zero point of every slot that owns
them; and the groups of slots that share one scale, as a partition. A known difference names the quirk that explains it.
"""
import fnmatch
import json
import math
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

import golden

# A histogram observer places its cut on a bin edge, so that one bin is this much of the scale: the smallest answers of the
# kl and mse searches are never below these counts of bins, the largest are all of them.
BINS = {"kl": 4096, "mse": 2048}
SETTINGS = ("bits", "exponent_bits", "quant_min", "quant_max", "symmetric", "power_of_two", "channel_axis", "rounding")


@dataclass
class Difference:
    op: str
    type: str
    role: str
    index: int
    variable: str
    field: str
    ppq: str
    ours: str
    quirk: str = ""
    relative: float = 0.0  # how far a scale is apart, where one number says it

    def line(self):
        where = f"{self.op} ({self.type})"
        if self.index >= 0:
            where += f" {self.role}[{self.index}] {self.variable}"
        known = f"  [{self.quirk}]" if self.quirk else ""
        return f"{where}: {self.field}: PPQ {self.ppq}, ours {self.ours}{known}"


def side(config):
    return "output" if config["role"] == "output" else "input"


def slot(config):
    return config["op"], side(config), config["index"]


class Comparison:
    def __init__(self, reference, report, rtol=1e-5):
        self.reference, self.report, self.rtol = reference, report, rtol
        self.differences, self.compared, self.worst = [], Counter(), 0.0
        self.theirs = {slot(c): c for c in reference["configs"]}
        renamed = self._renamed()
        self.ours = {}
        for config in report["configs"]:
            config = dict(config, op=renamed.get(config["op"], config["op"]))
            if config.get("root"):
                root = config["root"]
                config["root"] = dict(root, op=renamed.get(root["op"], root["op"]))
            self.ours[slot(config)] = config
        self.renamed = renamed

    def _renamed(self):
        """@returns {our op name: PPQ's op name} for ops that only share an output variable."""
        by_output = {c["variable"]: c["op"] for c in self.reference["configs"] if c["role"] == "output"}
        known = {c["op"] for c in self.reference["configs"]} | {op["name"] for op in self.reference["operations"]}
        return {c["op"]: by_output[c["variable"]] for c in self.report["configs"]
                if c["role"] == "output" and c["op"] not in known and c["variable"] in by_output}

    def _note(self, config, field, ppq, ours, relative=0.0):
        self.differences.append(Difference(config["op"], config.get("type", ""), config["role"], config["index"],
                                           config["variable"], field, str(ppq), str(ours), relative=relative))

    def run(self):
        self._operations()
        for key, theirs in self.theirs.items():
            ours = self.ours.get(key)
            if ours is not None:
                self._slot(theirs, ours)
            elif theirs["op"] in self.both and theirs["state"] != "fp32":
                self._note(theirs, "slot", theirs["state"], "absent")
        for key, ours in self.ours.items():
            if key not in self.theirs and ours["op"] in self.both and ours["state"] != "fp32":
                self._note(ours, "slot", "absent", ours["state"])
        self._groups()
        return self

    def _operations(self):
        ours = {self.renamed.get(op["name"], op["name"]): op for op in self.report["operations"]}
        theirs = {op["name"]: op for op in self.reference["operations"]}
        quantized = {c["op"] for c in self.reference["configs"]}
        self.both = {name for name in ours if name in quantized and ours[name]["quantized"]}
        for name, op in theirs.items():
            mine = ours.get(name)
            place = "absent" if mine is None else "quantized" if mine["quantized"] else "float"
            expected = "quantized" if op["place"] == "quantized" else "float"
            self.compared["operation"] += 1
            if place != expected and (mine is not None or expected == "quantized"):
                reason = f" ({mine['reason']})" if mine is not None and mine.get("reason") else ""
                self.differences.append(
                    Difference(name, op["type"], "", -1, "", "operation", op["place"], place + reason))
        for name, op in ours.items():
            if name not in theirs and op["quantized"]:
                self.differences.append(Difference(name, op["type"], "", -1, "", "operation", "absent", "quantized"))

    def _slot(self, theirs, ours):
        self.compared["slot"] += 1
        if theirs["state"] != ours["state"]:
            self._note(theirs, "state", theirs["state"], ours["state"])
        if "fp32" in (theirs["state"], ours["state"]):
            return
        for field in SETTINGS:
            if field in ours and theirs[field] != ours[field]:
                self._note(theirs, field, theirs[field], ours[field])
        # The scale of a group is compared at the slot where PPQ stores it; a slot that changed its group shows both.
        if theirs["root"] is not None and ours.get("root") is not None:
            return
        if theirs["root"] is None and theirs["state"] != "passive" and theirs["observer"] != ours["observer"]:
            self._note(theirs, "observer", theirs["observer"], ours["observer"])
        self._vector(theirs, "scale", ours["scale"])
        self._vector(theirs, "zero_point", ours["zero_point"])

    def _tolerance(self, theirs):
        """A kl or mse answer may sit one histogram bin apart: of all bins for the widest range, of fewer for a cut one."""
        bins = BINS.get(self.reference["observer"])
        if bins is None or theirs["role"] == "parameter":
            return self.rtol
        return max(self.rtol, 1 / bins)

    def _vector(self, theirs, field, ours):
        expected = theirs[field]
        count = expected["count"] if isinstance(expected, dict) else len(expected)
        if count != len(ours):
            self._note(theirs, field, f"{count} entries", f"{len(ours)} entries")
            return
        if count == 0:
            return
        self.compared[field] += count
        tolerance = self._tolerance(theirs) if field == "scale" else 0.0
        if isinstance(expected, dict) and "all" in expected:
            pairs = [(expected["all"], v) for v in ours]
        elif isinstance(expected, dict):
            pairs = list(zip(expected["values"], ours[:: expected["every"]]))
            # Both sums are rounded to nine digits; tolerances of the entries carry over to them, doubled for the squares.
            total, squares = sum(ours), sum(v * v for v in ours)
            if (abs(total - expected["sum"]) > max(tolerance, 1e-8) * abs(expected["sum"])
                    or abs(squares - expected["sum_squares"]) > 2 * max(tolerance, 1e-8) * expected["sum_squares"]):
                self._note(theirs, field, f"sum {expected['sum']:.9g}", f"sum {total:.9g} of {count} entries")
                return
        else:
            pairs = list(zip(expected, ours))
        errors = [abs(a - b) / max(abs(a), 1e-30) if a != b else 0.0 for a, b in pairs]
        worst = max(range(len(errors)), key=errors.__getitem__)
        if field == "scale":
            self.worst = max([self.worst] + [e for e in errors if e <= tolerance])
        if errors[worst] > tolerance:
            a, b = pairs[worst]
            wrong = sum(e > tolerance for e in errors)
            of = f", {wrong} of {len(pairs)} compared differ" if len(pairs) > 1 else ""
            self._note(theirs, field, f"{a:.9g}", f"{b:.9g} (relative {errors[worst]:.2e}{of})", errors[worst])

    def _groups(self):
        def partition(configs):
            groups = {}
            for key, config in configs.items():
                root = config.get("root")
                groups[key] = key if root is None else (root["op"], side(root), root["index"])
            return groups

        keys = [k for k in self.theirs if k in self.ours
                and "fp32" not in (self.theirs[k]["state"], self.ours[k]["state"])]
        theirs, ours = (partition({k: configs[k] for k in keys}) for configs in (self.theirs, self.ours))
        members, mine = defaultdict(set), defaultdict(set)
        for key in keys:
            members[theirs[key]].add(key)
            mine[ours[key]].add(key)
        self.compared["group"] += sum(len(group) > 1 for group in members.values())
        seen = set()
        for root, group in members.items():
            for part in {ours[key] for key in group}:
                if mine[part] != group and part not in seen:
                    seen.add(part)
                    where = self.theirs[min(group & mine[part])]
                    lacking, extra = group - mine[part], mine[part] - group
                    self._note(where, "group", f"{len(group)} slots with one scale",
                               f"{len(mine[part])}; lacking: {named(lacking)}; more: {named(extra)}")


def named(keys, limit=6):
    text = ", ".join(f"{op} {role}[{index}]" for op, role, index in sorted(keys)[:limit])
    return (text or "none") + (f" and {len(keys) - limit} more" if len(keys) > limit else "")


def explain(differences, known, reference):
    """Gives each difference the quirk of the first entry of `known` whose given fields all match it (globs); `up_to` is the
    largest relative difference that it explains."""
    facts = {"model": Path(reference["model"]).stem, "platform": reference["platform"], "observer": reference["observer"]}
    for difference in differences:
        row = {**facts, **{k: str(v) for k, v in asdict(difference).items()}}
        for entry in known:
            if difference.relative <= entry.get("up_to", math.inf) and all(
                    fnmatch.fnmatchcase(row[key], str(entry[key])) for key in row if key in entry and key != "quirk"):
                difference.quirk = entry["quirk"]
                break


def known_differences(path):
    entries = json.loads(Path(path).read_text())["known"] if path else []
    fields = {"model", "platform", "observer", "quirk", "reason", "up_to"} | set(Difference.__dataclass_fields__)
    for entry in entries:
        if "quirk" not in entry or "reason" not in entry or set(entry) - fields:
            raise SystemExit(f"{path}: an entry needs quirk and reason and may have {sorted(fields)}: {entry}")
    return entries


def compare(reference, report_path, rtol=1e-5, known=None, out=print, limit=40):
    """Prints how a report differs from a golden document. @returns (unexplained, explained, comparison)."""
    report = json.loads(Path(report_path).read_text())
    if report["model"].get("sha256") not in (None, reference["sha256"]):
        raise SystemExit(f"{report_path} is about another model than the golden document of {reference['model']}: sha256 differs")
    comparison = Comparison(reference, report, rtol).run()
    explain(comparison.differences, known_differences(known), reference)
    unexplained = [d for d in comparison.differences if not d.quirk]
    explained = Counter(d.quirk for d in comparison.differences if d.quirk)
    counted = ", ".join(f"{n} {what}s" for what, n in comparison.compared.items())
    out(f"{reference['model']} {reference['platform']} {reference['observer']} (PPQ {reference['ppq']}): compared {counted}; "
        f"largest accepted relative difference of a scale {comparison.worst:.1e}")
    for quirk, count in sorted(explained.items()):
        out(f"  explained by {quirk}: {count}")
    fields = Counter(d.field for d in unexplained)
    out("  unexplained: " + (", ".join(f"{field} {n}" for field, n in fields.items()) or "none"))
    for difference in unexplained[:limit]:
        out("  " + difference.line())
    if len(unexplained) > limit:
        out(f"  ... and {len(unexplained) - limit} more")
    return unexplained, explained, comparison

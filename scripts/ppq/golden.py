"""The golden document: PPQ's decisions for every slot of a model, and its compact form for the repository.

Full form: "configs" is a list of objects with the fields of the run report's configs[] plus the op's type.
Compact form: "kinds" is the table of distinct settings, "configs" a list of rows [op, type, role, index, variable, kind,
state, scale, zero_point, root] (a slot below a root has no vectors of its own), and a vector longer than VECTOR entries becomes
{"count", "sum", "sum_squares", "every", "values"}: enough to find any wrong entry of a per-channel scale up to the tolerance
of a sum, at a twentieth of the size.
"""
import json
from pathlib import Path

SCHEMA = "quantloupe-ppq-golden/1"
BUNDLE = "quantloupe-ppq-goldens/1"
KIND_FIELDS = ("bits", "exponent_bits", "quant_min", "quant_max", "symmetric", "power_of_two", "channel_axis", "rounding",
               "observer")
ROW_FIELDS = ("op", "type", "role", "index", "variable", "kind", "state", "scale", "zero_point", "root")
VECTOR = 8
KEPT = 5


def float32(value):
    """@returns the shortest number that reads back to the same float32."""
    text = str(value)
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 2**24 else number


def summary(vector):
    """@returns the vector itself when it is short, otherwise its count, two sums and some of its entries."""
    if isinstance(vector, dict) or len(vector) <= VECTOR:
        return vector
    if len(set(vector)) == 1:
        return {"count": len(vector), "all": vector[0]}
    every = -(-len(vector) // KEPT)
    return {"count": len(vector), "sum": float(f"{sum(vector):.9g}"), "sum_squares": float(f"{sum(v * v for v in vector):.9g}"),
            "every": every, "values": vector[::every]}


def compact(document):
    kinds, rows = [], []
    for config in document["configs"]:
        kind = [config[field] for field in KIND_FIELDS]
        if kind not in kinds:
            kinds.append(kind)
        root = config["root"]
        rows.append([config["op"], config["type"], config["role"], config["index"], config["variable"], kinds.index(kind),
                     config["state"], [] if root else summary(config["scale"]),
                     [] if root else summary(config["zero_point"]),
                     [root["op"], root["role"], root["index"]] if root else None])
    out = {k: v for k, v in document.items() if k not in ("configs", "operations")}
    out["operations"] = [[op["name"], op["type"], op["place"]] for op in document["operations"]]
    out["kind_fields"], out["kinds"], out["row_fields"], out["configs"] = list(KIND_FIELDS), kinds, list(ROW_FIELDS), rows
    return out


def expand(document):
    """@returns the full form of either form; a config below a root reads the root's vectors, as in the report."""
    if "kinds" not in document:
        return document
    out = {k: v for k, v in document.items() if k not in ("kinds", "kind_fields", "row_fields")}
    out["operations"] = [dict(zip(("name", "type", "place"), op)) for op in document["operations"]]
    configs = []
    for row in document["configs"]:
        config = dict(zip(document["row_fields"], row))
        config.update(zip(document["kind_fields"], document["kinds"][config.pop("kind")]))
        if config["root"]:
            config["root"] = dict(zip(("op", "role", "index"), config["root"]))
        configs.append(config)
    index = {(c["op"], c["role"], c["index"]): c for c in configs}
    for config in configs:
        if config["root"]:
            root = index[tuple(config["root"].values())]
            config["scale"], config["zero_point"] = root["scale"], root["zero_point"]
    out["configs"] = configs
    return out


def write(document, path):
    """One operation and one config per line, for readable diffs."""
    lines = ["{"]
    keys = list(document)
    for key in keys:
        comma = "," if key != keys[-1] else ""
        if isinstance(document[key], list) and document[key] and isinstance(document[key][0], (list, dict)):
            rows = ",\n".join("  " + json.dumps(row, separators=(",", ":")) for row in document[key])
            lines.append(f' "{key}": [\n{rows}\n ]{comma}')
        else:
            lines.append(f' "{key}": {json.dumps(document[key])}{comma}')
    lines.append("}")
    text = "\n".join(lines) + "\n"
    if str(path) == "-":
        print(text, end="")
        return
    part = Path(str(path) + ".part")
    part.write_text(text)
    part.replace(path)


def write_bundle(documents, path):
    """One file for all runs of one model, one config per line."""
    runs = []
    for document in documents:
        run = compact(document)
        head = ", ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in run.items() if k not in ("configs", "kinds", "operations"))
        rows = [f'  "{k}": [\n' + ",\n".join("   " + json.dumps(row, separators=(",", ":")) for row in run[k]) + "\n  ]"
                for k in ("operations", "kinds", "configs")]
        runs.append(" {" + head + ",\n" + ",\n".join(rows) + "\n }")
    Path(path).write_text(f'{{"schema": "{BUNDLE}", "runs": [\n' + ",\n".join(runs) + "\n]}\n")


def read_bundle(path):
    """@returns {(platform, observer): document in full form} of a file with several runs."""
    bundle = json.loads(Path(path).read_text())
    if bundle.get("schema") != BUNDLE:
        raise SystemExit(f"{path}: expected schema {BUNDLE}, found {bundle.get('schema')}")
    return {(run["platform"], run["observer"]): expand(run) for run in bundle["runs"]}


def read(path):
    document = json.loads(Path(path).read_text())
    if document.get("schema") != SCHEMA:
        raise SystemExit(f"{path}: expected schema {SCHEMA}, found {document.get('schema')}")
    return expand(document)

"""Random networks, quantized for ONNXRUNTIME and run in the real onnxruntime at its defaults: it computes the
simulator's codes.

usage: test_random_networks.py QUANTLOUPE_CLI REPOSITORY [--exports | --mixed] [--count N] [--first SEED] [--keep FOLDER]
                               [--inside] [--python INTERPRETER]
Exit code 77 (skipped) when onnxruntime, onnx or numpy are missing. --exports: known architectures, written as exporters do
(exported_networks.py), instead of random blocks. --mixed: graphs of many operators in unusual forms
(mixed_networks.py). --count: of networks; by default, those of the test. --keep: where files of networks that fail stay. --inside: find the first tensor that
differs. --python: runs onnxruntime, for example on an emulated processor (qemu-x86_64 -cpu Haswell-noTSX has no VNNI).
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
except ImportError as missing:
    print(f"SKIPPED: {missing}; scripts/make-venv installs it")
    sys.exit(77)

import exported_networks
import mixed_networks
import random_networks
from run_random_network import run

ROOT = pathlib.Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "scripts"))
from forked_cli import ForkedCli

SAMPLES = 8
DIVISIONS = (192, 606, 748)  # seeds of networks that divide 0 by 0 once their Sqrt is quantized
MOVING = ("Reshape", "Transpose", "Slice", "Squeeze", "Unsqueeze", "Flatten", "Gather", "DepthToSpace")
REQUIRED = 0.9999  # share of elements at most one step apart


def runtime(python, folder):
    if python:
        script = pathlib.Path(__file__).with_name("run_random_network.py")
        done = subprocess.run([python, script, folder], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
    else:
        run(folder)
    return np.load(folder / "got.npz")


def steps(report, model):
    """Name of an output -> its scale, through operations that move values; None if it is not quantized."""
    scales = {}
    for config in report["configs"]:
        if config["role"] == "output" and config["scale"] and config["state"] in ("active", "passive"):
            scales[config["variable"]] = config["scale"][0]
    producers = {o: node for node in model.graph.node for o in node.output}
    found = {}
    for output in model.graph.output:
        name = output.name
        while name not in scales and name in producers and producers[name].op_type in MOVING:
            name = producers[name].input[0]
        found[output.name] = scales.get(name)
    return found


def source_of(arguments):
    return exported_networks if arguments.exports else mixed_networks if arguments.mixed else random_networks


def check(cli, folder, seed, arguments):
    """@returns (share within one step, share of equal elements, remark)"""
    source = source_of(arguments)
    model, shape, _ = source.network(seed)
    onnx.save(model, folder / "m.onnx")
    np.savez(folder / "x.npz", **source.samples(seed, shape, SAMPLES))
    done = cli.run("run", folder / "m.onnx", "--platform", "ONNXRUNTIME", "--calib", folder / "x.npz", "--quiet",
                   "--analyse", "none", "--export", f"onnx_qdq:{folder}/q.onnx", "--json", folder / "r.json",
                   "--save-recipe", folder / "r.quantloupe", "--no-cache", "--threads", 1)
    if done.returncode:
        return 0, 0, done.stderr
    done = cli.run("infer", folder / "r.quantloupe", "--in", folder / "x.npz", "--out", folder / "y.npz", "--quiet")
    if done.returncode:
        return 0, 0, done.stderr
    simulated = np.load(folder / "y.npz")
    try:
        got = runtime(arguments.python, folder)
    except Exception as error:  # what onnxruntime raises has no common class
        return 0, 0, str(error)
    scales = steps(json.loads((folder / "r.json").read_text()), model)
    within, equal, remark = 1.0, 1.0, ""
    for name in scales:
        value, want = got[name], simulated[name]
        if want.size != value.size:
            return 0, 0, f"{name} has the shape {want.shape} instead of {value.shape}"
        want = want.reshape(value.shape)
        size = np.abs(want[np.isfinite(want)])
        step = scales[name] or 1e-4 * np.max(size, initial=0) or 1
        same = (value == want) | (np.isnan(value) & np.isnan(want))
        with np.errstate(invalid="ignore"):
            apart = np.where(same, 0, np.abs(value.astype(np.float64) - want) / step)
        within = min(within, float(np.mean(apart <= 1.001)))
        equal = min(equal, float(np.mean(apart <= 0.001)))
    if within < REQUIRED and arguments.inside:
        done = cli.run("verify", folder / "q.onnx", "--against", folder / "r.quantloupe", "--json", folder / "v.json", "--quiet")
        found = json.loads((folder / "v.json").read_text())["first_divergence"] if done.returncode < 2 else done.stderr
        remark = json.dumps(found)
    return within, equal, remark


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("root")
    parser.add_argument("--exports", action="store_true")
    parser.add_argument("--mixed", action="store_true")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--inside", action="store_true")
    parser.add_argument("--python")
    arguments = parser.parse_args()
    os.environ |= {"QUANTLOUPE_PYTHON": sys.executable}
    cli, failed, unequal = ForkedCli(arguments.cli), 0, 0
    source = source_of(arguments)
    of_test = range(len(source.NETWORKS)) if arguments.exports else [*range(20), *DIVISIONS]
    seeds = list(range(arguments.first, arguments.first + arguments.count)) or of_test
    for seed in seeds:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            within, equal, remark = check(cli, folder, seed, arguments)
            unequal += equal < 1
            if within >= REQUIRED:
                continue
            failed += 1
            print(f"{seed}: {' '.join(source.network(seed)[2])}: within {within:.5f}, equal {equal:.5f} {remark}", flush=True)
            if arguments.keep:
                shutil.copytree(folder, arguments.keep / str(seed), dirs_exist_ok=True)
    print(f"{len(seeds) - failed} of {len(seeds)} networks agree with onnxruntime {ort.__version__}, "
          f"{len(seeds) - unequal} exactly")
    sys.exit(failed > 0)


main()

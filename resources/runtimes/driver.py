"""Runs a model file in a runtime, for `quantloupe-cli verify`.

usage: driver.py JOB.json

The job names the module of the runtime (run_ID.py), the model, the inputs (.npz, arrays "BATCH:NAME"), the wanted
outputs (none: those of the model) and two files to write: the results (.npz, likewise) and a reply about the runtime.
Without a model only the reply is written. "times", if given, is a file for the seconds of each batch.

A module run_ID.py has version() and a class Model(file, options, first). options are complete; first is the first batch, by
name. Its members inputs and outputs are names; tensors, if it exists, the names that can be asked for; facts, if it exists, what
running showed (words by words); run(names, feed) returns the arrays of these names."""
import importlib
import json
import sys
import time
import zipfile

import numpy as np


def instructions():
    """Those extensions of the processor that change the results of integer kernels."""
    known = {"avx2", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8", "asimddp", "i8mm"}
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith(("flags", "Features")):
                    return " ".join(sorted(known & set(line.split())))
    except OSError:
        pass
    return ""


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    runtime = importlib.import_module(job["runtime"])
    reply = {"version": runtime.version(), "facts": {"instructions": instructions()}, "outputs": []}
    if job["model"]:
        feeds = np.load(job["feeds"])
        first = {n.split(":", 1)[1]: feeds[n] for n in feeds.files if n.startswith("0:")}
        model = runtime.Model(job["model"], job["options"], first)
        names = job["outputs"] or model.outputs
        if hasattr(model, "tensors"):  # a runtime that fuses operations lacks some inner tensors
            names = [n for n in names if n in model.tensors]
        reply["outputs"] = names
        times = []
        with zipfile.ZipFile(job["results"], "w") as archive:
            for batch in range(job["batches"]):
                missing = [n for n in model.inputs if f"{batch}:{n}" not in feeds]
                if missing:
                    sys.exit(f"the file has the inputs {', '.join(model.inputs)}, the recipe's model {', '.join(first)}")
                feed = {n: feeds[f"{batch}:{n}"] for n in model.inputs}
                begin = time.perf_counter()
                values = model.run(names, feed)
                times.append(time.perf_counter() - begin)
                for name, value in zip(names, values):
                    with archive.open(f"{batch}:{name}.npy", "w", force_zip64=True) as member:
                        np.lib.format.write_array(member, np.ascontiguousarray(value), allow_pickle=False)
        reply["facts"] |= getattr(model, "facts", {})
        if "times" in job:
            with open(job["times"], "w", encoding="utf-8") as file:
                json.dump(times, file)
    with open(job["reply"], "w", encoding="utf-8") as file:
        json.dump(reply, file)


main()

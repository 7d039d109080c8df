"""Runs a model file in a runtime, for `quantloupe-cli verify`.

usage: driver.py JOB.json

The job names the module of the runtime (run_ID.py), the model, the inputs (.npz, arrays "BATCH:NAME"), the wanted
outputs (none: those of the model) and two files to write: the results (.npz, likewise) and a reply about the runtime.
Without a model only the reply is written."""
import importlib
import json
import sys
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
        model = runtime.Model(job["model"], job["options"])
        names = job["outputs"] or model.outputs
        reply["outputs"] = names
        with zipfile.ZipFile(job["results"], "w") as archive:
            for batch in range(job["batches"]):
                missing = [n for n in model.inputs if f"{batch}:{n}" not in feeds]
                if missing:
                    given = [n.split(":", 1)[1] for n in feeds.files if n.startswith(f"{batch}:")]
                    sys.exit(f"the file has the inputs {', '.join(model.inputs)}, the recipe's model {', '.join(given)}")
                feed = {n: feeds[f"{batch}:{n}"] for n in model.inputs}
                for name, value in zip(names, model.run(names, feed)):
                    with archive.open(f"{batch}:{name}.npy", "w", force_zip64=True) as member:
                        np.lib.format.write_array(member, np.ascontiguousarray(value), allow_pickle=False)
    with open(job["reply"], "w", encoding="utf-8") as file:
        json.dump(reply, file)


main()

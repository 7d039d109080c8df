"""Runs a model file in a runtime, for `quantloupe-cli verify`.

usage: driver.py JOB.json

The job names the module of the runtime (run_ID.py), the model, the inputs (.npz, arrays "BATCH:NAME"), the wanted
outputs (none: those of the model) and two files to write: the results (.npz, likewise) and a reply about the runtime.
Without a model only the reply is written. "times", if given, is a file for the seconds of each batch. Exit code 64: a
module that this file or run_ID.py imports is not installed; one that is installed but does not load ends as errors do.

A module run_ID.py has version() and a class Model(file, options, first). options are complete; first is the first batch, by
name. Its members inputs and outputs are names; tensors, if it exists, the names that can be asked for; facts, if it exists, what
running showed (words by words); run(names, feed) returns the arrays of these names."""
import importlib
import json
import pathlib
import sys
import time
import traceback
import zipfile


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


def load(names):
    """The modules. Ends with 64 if one is not installed."""
    try:
        return [importlib.import_module(name) for name in names]
    except ModuleNotFoundError as error:
        files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
        importer = [name for name in files if "importlib" not in name][-1]
        if pathlib.Path(importer).resolve().parent != pathlib.Path(__file__).resolve().parent:
            raise  # a part of an installed package is missing
        print(error)
        sys.exit(64)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    np, runtime = load(["numpy", job["runtime"]])
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


try:
    main()
except Exception as failure:  # pylint: disable=broad-exception-caught
    sys.exit(f"{type(failure).__name__}: {failure}")  # a user has no use for the lines of this file

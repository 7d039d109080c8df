"""Times PPQ, and optionally Quantloupe, on the same model, data and threads. One JSON object per model and tool.

What is timed: "calibration", the activation calibration pass alone; "quantize", everything from the loaded graph to the last
pass; "layerwise", the layerwise error analysis. Each is wall time of one run in a separate process.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

import corpus_data


def ppq_seconds(model, data, samples, threads, steps):
    import oracle
    from ppq.quantization.optim import RuntimeCalibrationPass

    run = oracle.Run(model, "TRT_INT8", "percentile", data, samples, threads)
    whole = RuntimeCalibrationPass.optimize

    def timed(self, *args, **kwargs):
        with run._timed("calibration"):
            return whole(self, *args, **kwargs)

    RuntimeCalibrationPass.optimize = timed
    run.quantize()
    if steps:
        run.layerwise(steps)
    return {"tool": f"PPQ {oracle.version()}", "seconds": {k: round(v, 4) for k, v in run.seconds.items()}}


def our_seconds(cli, model, data, samples, threads, steps, work):
    """@returns passes and stages of the report; the whole command is measured from outside."""
    import time

    report = Path(work) / f"{Path(model).stem}.bench.json"
    command = [cli, "run", str(model), "--platform", "TRT_INT8", "--observer", "percentile", "--calib", str(data),
               "--samples", str(samples), "--eval-samples", str(max(steps, 1)), "--analyse", "layerwise" if steps else "",
               "--threads", str(threads), "--no-cache", "--quiet", "--json", str(report)]
    start = time.perf_counter()
    subprocess.run(command, check=True)
    whole = time.perf_counter() - start
    document = json.loads(report.read_text())
    seconds = {"command": round(whole, 4)}
    seconds.update({f"pass {p['id']}": round(p["seconds"], 4) for p in document["passes"]})
    seconds.update({f"stage {s['id']}": round(s["seconds"], 4) for s in document["stages"]})
    return {"tool": f"Quantloupe {document['tool']['version']}", "seconds": seconds, "peak_rss_mib": document["peak_rss_mib"]}


def run(args):
    work, results = Path(args.work), []
    work.mkdir(parents=True, exist_ok=True)
    steps = 0 if args.no_layerwise else args.analyse_samples
    for name in args.models:
        model, data = Path(args.corpus) / name / f"{name}.onnx", work / f"{name}.npz"
        if not data.exists():
            corpus_data.write(args.corpus, work, args.samples, [name])
        facts = {"model": name, "samples": args.samples, "layerwise_samples": steps, "threads": args.threads}
        if args.cli:
            results.append({**facts, **our_seconds(args.cli, model, data, args.samples, args.threads, steps, work)})
        # A separate process: PPQ's memory and LibTorch's thread pool start fresh for every model.
        program = ("import json, sys; sys.path.insert(0, sys.argv[1]); import bench; "
                   "print('\\n' + json.dumps(bench.ppq_seconds(*json.loads(sys.argv[2]))))")
        arguments = json.dumps([str(model), str(data), args.samples, args.threads, steps])
        done = subprocess.run([sys.executable, "-c", program, str(Path(__file__).parent), arguments], check=True, text=True,
                              stdout=subprocess.PIPE, env=dict(os.environ, OMP_NUM_THREADS=str(args.threads)))
        results.append({**facts, **json.loads(done.stdout.strip().splitlines()[-1])})
        print(f"{name}: " + "; ".join(f"{r['tool']} {r['seconds']}" for r in results if r["model"] == name), file=sys.stderr)
    text = json.dumps({"schema": "quantloupe-ppq-bench/1", "results": results}, indent=1) + "\n"
    print(text, end="") if args.json == "-" else Path(args.json).write_text(text)
    return 0

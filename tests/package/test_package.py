#!/usr/bin/env python3
"""test_package.py BUILD SOURCE CMAKE: installs the engine into a new prefix, builds examples/ against it outside of the tree, and
runs all of it."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

BUILD, SOURCE, CMAKE = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
MODEL = SOURCE / "tests/data/models/residual.onnx"


def run(*command, code=0, env=None, cwd=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=env, cwd=cwd)
    if code is not None and done.returncode != code:
        sys.exit(f"{command}: {done.returncode} instead of {code}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done


def has(words, text):
    if words not in text:
        sys.exit(f"expected {words!r} in:\n{text}")


def registers(cli, plugin):
    """The list of what the plug-in registers."""
    listed = json.loads(cli("plugins", "--plugin", plugin, "--json", "-").stdout)["plugins"]
    kinds = {(row["kind"], row["id"]) for row in listed[0]["registers"]}
    expected = {("pass", "example_zero_small_weights"), ("observer", "example_mean_range"), ("dispatcher", "example_keep_ends"),
                ("analysis", "example_zeros"), ("export format", "example_scales"), ("importer", "example_chain"),
                ("kernel", "com.example:Cube"), ("platform", "EXAMPLE_INT8")}
    if kinds != expected:
        sys.exit(f"registered: {kinds}")
    has("no plug-ins", cli("plugins").stderr)


def runs_everything(cli, plugin, here):
    """All of it in a run. Returns its report."""
    passes = '["example_zero_small_weights", "parameter_quantize", {"id": "calibrate", "params": {"observer": "example_mean_range"}}]'
    cli("run", MODEL, "--plugin", plugin, "--platform", "EXAMPLE_INT8", "--calib", "random:4", "--analyse",
        "graphwise,example_zeros", "--set", f"passes={passes}", "--set", "passes.0.below=1000", "--export",
        "example_scales:scales.txt", "--json", "one.json", "--save-recipe", "r.quantloupe")
    report = json.loads((here / "one.json").read_text())
    platforms = [row["platform"] for row in report["operations"]]
    assert platforms[0] == platforms[-1] == "FP32" and "EXAMPLE_INT8" in platforms, platforms
    assert any(row["observer"] == "example_mean_range" for row in report["configs"])
    assert {row["id"]: row["changed"] for row in report["passes"]}["example_zero_small_weights"] > 0, report["passes"]
    assert any("100 % of the values are 0" in row["message"] for row in report["problems"]), report["problems"]
    assert len((here / "scales.txt").read_text().splitlines()) > 3
    (here / "m.chain").write_text("1x4\nSigmoid\ncom.example:Cube\nRelu\nSigmoid\n")
    cli("run", "m.chain", "--plugin", plugin, "--calib", "random:4", "--platform", "EXAMPLE_INT8", "--json", "chain.json")
    assert [row["type"] for row in json.loads((here / "chain.json").read_text())["operations"]][1] == "Cube"
    return report


def asks_before_it_starts(cli, plugin, here, report):
    """A recipe starts nothing by being run, and says what it lacks."""
    error = cli("run", "r.quantloupe", "--analyse", "none", code=2).stderr
    has("the file starts a program: it is a plug-in", error)
    has("--allow-commands", error)
    cli("run", "r.quantloupe", "--allow-commands", "--json", "two.json")
    two = json.loads((here / "two.json").read_text())
    assert two["configs"] == report["configs"] and two["graphwise"] == report["graphwise"]
    away = plugin.with_suffix(".away")
    plugin.rename(away)
    error = cli("run", "r.quantloupe", "--allow-commands", code=2).stderr
    for words in ("pass 'example_zero_small_weights'", "observer 'example_mean_range'", "export format 'example_scales'",
                  "analysis 'example_zeros'"):
        has(words, error)
    assert "does not exist.;" not in error
    # The recipe and its plug-in have moved: --plugin says where it is now
    cli("run", "r.quantloupe", "--plugin", away.rename(here / plugin.name), "--json", "two.json", "--save-recipe", "moved.quantloupe")
    assert json.loads((here / "two.json").read_text())["configs"] == report["configs"]
    assert json.loads((here / "moved.quantloupe").read_text())["plugins"] == [plugin.name]
    (here / plugin.name).rename(plugin)
    extended = {**json.loads((here / "r.quantloupe").read_text()), "platform": "MINE", "plugins": ["none.so"],
                "platforms": [{"id": "MINE", "title": "Mine", "extends": "EXAMPLE_INT8"}]}
    (here / "carries.quantloupe").write_text(json.dumps(extended))
    error = cli("run", "carries.quantloupe", "--allow-commands", code=2).stderr
    has("platform 'EXAMPLE_INT8'", error)
    assert "platform 'MINE'" not in error, error


def refuses_bad_ones(cli, work):
    """Plug-ins that are refused."""
    for name, words in (("no_plugin", "this is not a plug-in"), ("other_engine", "was built for quantloupe 0.0.1, gcc 4, this is"),
                        ("other_headers", "headers 000000000000, "), ("other_headers", "Build it again"),
                        ("missing_symbol", "quantloupeNoSuchFunction"), ("constructor_throws", "this constructor is out of order"),
                        ("constructor_throws_number", "the plug-in cannot be loaded: an exception of an unknown type"),
                        ("registered_twice", "registers ids that already exist: dispatcher 'allin', platform 'TRT_INT8'"),
                        ("nameless", "the plug-in has no name"), ("empty_id", "the plug-in registers an empty id: dispatcher"),
                        ("no_function", "registers entries without a function: dispatcher 'no_run', pass 'no_make', kernel 'com.example:NoRun'")):
        has(words, cli("plugins", "--plugin", work / f"{name}.so", code=2).stderr)
    error = cli("plugins", "--plugin", work / "throws.so", "--plugin", work / "same_name.so", code=2).stderr
    has(f"a plug-in called 'throws' is already loaded: {work / 'throws.so'}", error)
    has("does not exist", cli("plugins", "--plugin", "none.so", code=2).stderr)


def names_what_throws(cli, work, here):
    """Code of a plug-in that throws ends the job with one message that says whose it was."""
    (here / "m.throws").write_text("a model")
    for words, *arguments in (
            ("dispatcher throws: this dispatcher is out of order", "--dispatcher", "throws"),
            ("dispatcher nowhere: there is no platform 'NOWHERE'", "--dispatcher", "nowhere"),
            ("pass throws: an exception without a message", "--set", "passes.throws.enabled=true"),
            ("pass throws: an exception of an unknown type", "--set", "passes.throws.enabled=true", "--set", "passes.throws.at_once=true"),
            ("pass no_pass: it was not created", "--set", "passes.no_pass.enabled=true"),
            ("pass other_id: its id() is 'throws'", "--set", "passes.other_id.enabled=true"),
            ("observer 'no_observer': it was not created", "--observer", "no_observer"),
            ("analysis 'cost_throws': an exception of an unknown type", "--analyse", "cost_throws"),
            ("observer 'throws': this observer is out of order", "--observer", "throws"),
            ("observer 'several' returned 3 scales", "--observer", "several"),
            ("analysis 'throws': an exception of an unknown type", "--analyse", "throws"),
            ("export 'throws': this exporter is out of order", "--export", "throws:t.bin")):
        error = cli("run", MODEL, "--plugin", work / "throws.so", "--calib", "random:4", *arguments, code=3).stderr
        has(words, error)
        has(f"It is part of the plug-in 'throws' ({work / 'throws.so'}).", error)
    (here / "m.others").write_text("a model")
    for file, words in (("m.throws", "importer 'throws': this importer is out of order"),
                        ("m.others", "importer 'other_files': an exception of an unknown type")):
        has(words, cli("run", file, "--plugin", work / "throws.so", "--calib", "random:4", code=3).stderr)
    (here / "w.chain").write_text("1x4\nSigmoid\ncom.example:Writes\n")
    has("Writes wrote into its input '", cli("run", "w.chain", "--plugin", work / "throws.so", "--plugin", work / "examples/examples.so",
                                             "--calib", "random:4", code=3).stderr)
    for kernel, words in (("Doubles", "Doubles returned float64, its type rule says float32"),
                          ("Flattens", "Flattens returned a result of rank 1, its rank rule says 2"),
                          ("Shortens", "Shortens returned a result of 1x1, its size rule says 1x4")):
        (here / "r.chain").write_text(f"1x4\nSigmoid\ncom.example:{kernel}\n")
        has(words, cli("run", "r.chain", "--plugin", work / "throws.so", "--plugin", work / "examples/examples.so",
                       "--calib", "random:4", code=3).stderr)
    owner = f"It is part of the plug-in 'throws' ({work / 'throws.so'})."
    for kernel, words in (("Throws", "Throws cannot be computed from its inputs 'x' 1x4: this kernel is out of order"),
                          ("Hungry", "not enough memory for the result of Hungry with inputs 'x' ")):
        (here / "t.chain").write_text(f"1x4\ncom.example:{kernel}\n")
        error = cli("run", "t.chain", "--plugin", work / "throws.so", "--plugin", work / "examples/examples.so", "--calib", "random:4",
                    code=2).stderr
        has(words, error)
        has(owner, error)
    for kernel in ("RefusalThrows", "PrepareThrows", "RuleThrows"):
        (here / "t.chain").write_text(f"1x4\nSigmoid\ncom.example:{kernel}\nRelu\n")
        error = cli("run", "t.chain", "--plugin", work / "throws.so", "--plugin", work / "examples/examples.so", "--calib", "random:4",
                    code=3).stderr
        has(f"operator 'com.example:{kernel}': an exception of an unknown type", error)
        has(owner, error)
    error = cli("run", MODEL, "--plugin", work / "throws.so", "--calib", "random:4", "--dispatcher", "hungry", code=2).stderr
    has("dispatcher hungry: not enough memory", error)
    has(owner, error)


def names_what_leaves_nothing(cli, work, here):
    """A pass that removes the network and an exporter that writes no file end the job, and so does a file that is only claimed."""
    plugin = work / "empties.so"
    owner = f"It is part of the plug-in 'empties' ({plugin})."
    for words, *arguments in (
            ("pass removes_all: no operation computes the output '", "--set", "passes.removes_all.enabled=true"),
            ("pass removes_all: the graph has no outputs", "--set", "passes.removes_all.enabled=true", "--set", "passes.removes_all.keeps_outputs=false"),
            ("export 'writes_nothing': no file was written", "--export", "writes_nothing:e.bin"),
            ("pass negative_scale: a scale of -1", "--set", "passes.negative_scale.enabled=true"),
            ("op 'conv1', tensor 'w1': pass sets_nan: it set values of 'w1' to NaN", "--set", "passes.sets_nan.enabled=true"),
            ("op 'conv1', tensor 'w1': pass sets_infinity: it set values of 'w1' to infinity", "--set", "passes.sets_infinity.enabled=true"),
            ("pass writes_in_place: it wrote into the values of '", "--set", "passes.writes_in_place.enabled=true"),
            ("export 'writes_half': half is enough", "--export", "writes_half:e.bin"),
            ("export 'claims_a_file': the file was not written", "--export", "claims_a_file:e.bin")):
        error = cli("run", MODEL, "--plugin", plugin, "--calib", "random:4", *arguments, code=3).stderr
        has(words, error)
        has(owner, error)
        assert not (here / "e.bin").exists(), words


def names_what_ends_it(cli, work, here):
    """Code of a plug-in that ends the process: one message names the plug-in, and the exit code is not 0."""
    ended = f"internal error: the plug-in 'ends' ({work / 'ends.so'}) ended the program: "
    for how, words in (("write", "SIGSEGV"), ("call", "SIGSEGV"), ("recurse", "SIGSEGV"), ("abort", "SIGABRT"),
                       ("terminate", "SIGABRT"), ("exit", "it called exit()"), ("quick_exit", "it called quick_exit()"),
                       ("_exit", "it called _exit()"), ("_Exit", "it called _exit()")):
        done = cli("run", MODEL, "--plugin", work / "ends.so", "--calib", "random:4", "--set", "passes.ends.enabled=true", "--set",
                   f"passes.ends.how={how}", "--json", "ended.json", code=None)
        has(ended + words, done.stderr)
        assert done.returncode == 3 if "xit" in how else done.returncode < 0, (how, done.returncode)
        assert not list(here.glob("ended.json*")), how
    for how, code in (("kill", -9), ("system call", 5)):
        done = cli("run", MODEL, "--plugin", work / "examples/examples.so", "--plugin", work / "ends.so", "--calib", "random:4", "--set",
                   "passes.ends.enabled=true", "--set", f"passes.ends.how={how}", code=None)
        assert done.returncode == code, (how, done.returncode)
        has("internal error: the program was killed, or a system call ended it. Loaded plug-ins: "
            f"'examples' ({work / 'examples/examples.so'}), 'ends' ({work / 'ends.so'})\n", done.stderr)
    for arguments in (["plugins"], ["run", "none.onnx"]):
        assert "was killed" not in cli(*arguments, "--plugin", work / "ends.so", code=None).stderr, arguments
    (here / "e.chain").write_text("1x4\ncom.example:Ends\n")
    done = cli("run", "e.chain", "--plugin", work / "ends.so", "--plugin", work / "examples/examples.so", "--calib", "random:4", code=None)
    has(ended + "SIGSEGV", done.stderr)
    done = cli("plugins", "--plugin", work / "crashes.so", code=None)
    has(f"the plug-in {work / 'crashes.so'} ended the program while it was loaded: SIGABRT", done.stderr)


def ends_with_its_reader(prefix, work, env, here):
    """Whoever reads the results may end first: nobody is blamed."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([prefix / "bin/quantloupe-cli", "plugins", "--plugin", work / "examples/examples.so", "--json", "-"],
                          stdout=writer, stderr=subprocess.PIPE, text=True, env=env, cwd=here)
    os.close(writer)
    assert done.returncode == -signal.SIGPIPE and "internal error" not in done.stderr, (done.returncode, done.stderr)


def keeps_output_apart(prefix, cli, work, user, env, here):
    """What a plug-in prints goes to standard error: results and the messages to the window stay whole."""
    for arguments in (["run", MODEL, "--plugin", work / "prints.so", "--dispatcher", "prints", "--calib", "random:4", "-q"],
                      ["plugins", "--plugin", work / "prints.so"]):
        for output in "-", "/dev/stdout":
            done = cli(*arguments, "--json", output)
            assert json.loads(done.stdout), output
            assert done.stderr.count("a greeting of a plug-in") in (3, 6), done.stderr
    user.mkdir(parents=True)
    shutil.copy(work / "prints.so", user)
    engine = subprocess.run([prefix / "bin/quantloupe-cli", "serve"], input=b"", capture_output=True, env=env, cwd=here)
    assert b"a greeting" not in engine.stdout and b"a greeting" in engine.stderr, engine
    shutil.rmtree(user)


def reads_the_users_folder(cli, plugin, work, user):
    """Plug-ins in the user's folder."""
    user.mkdir(parents=True)
    shutil.copy(plugin, user)
    shutil.copy(work / "registered_twice.so", user)
    done = cli("dispatchers", "--json", "-")
    has("allin", done.stderr)
    ids = {row["id"] for row in json.loads(done.stdout)["dispatchers"]}
    assert "example_keep_ends" in ids and "twice_new" not in ids, ids
    (user / "registered_twice.so").unlink()
    shutil.copy(work / "crashes.so", user)
    assert cli("passes", code=None).returncode < 0
    done = cli("passes")
    has("crashed while it was loaded", done.stderr)
    has("example_zero_small_weights", done.stdout)


def runs_the_api(work, env, here):
    """The example of the C++ API."""
    out = run(work / "examples/api", MODEL, "random:4", "out.onnx", env=env, cwd=here).stdout
    for words in ("load: Conv", "quantize: ", "settings: learned_step_size on", "run: random[3] differs by", " dB", "export: out.onnx", "fake_quantize: 9 -> 3.73333",
                  "fake_quantize: 19 -> 20", "to_integer: -127"):
        has(words, out)
    assert (here / "out.onnx").stat().st_size > 1000


def main(folder: pathlib.Path) -> None:
    prefix, work = folder / "prefix", folder / "build"
    run(CMAKE, "--install", BUILD, "--prefix", prefix, "--component", "engine")
    # Without optimization, and each target as one source: this is about declarations
    run(CMAKE, "-S", SOURCE / "tests/package", "-B", work, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DEXAMPLES={SOURCE / 'examples'}", "-DCMAKE_BUILD_TYPE=", "-DCMAKE_CXX_FLAGS=-O0", "-DCMAKE_UNITY_BUILD=ON",
        *(f"-D{name}={os.environ[name]}" for name in ("CMAKE_CXX_COMPILER", "CMAKE_C_COMPILER") if name in os.environ))
    run(CMAKE, "--build", work, "-j", os.environ.get("QL_J", "2"))
    env = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
    here = folder / "here"
    here.mkdir()

    def cli(*arguments, code=0):
        return run(prefix / "bin/quantloupe-cli", *arguments, code=code, env=env, cwd=here)

    plugin = work / "examples/examples.so"
    registers(cli, plugin)
    report = runs_everything(cli, plugin, here)
    asks_before_it_starts(cli, plugin, here, report)
    refuses_bad_ones(cli, work)
    names_what_throws(cli, work, here)
    names_what_leaves_nothing(cli, work, here)
    names_what_ends_it(cli, work, here)
    ends_with_its_reader(prefix, work, env, here)
    user = folder / "data/quantloupe/plugins"
    keeps_output_apart(prefix, cli, work, user, env, here)
    reads_the_users_folder(cli, plugin, work, user)
    runs_the_api(work, env, here)


with tempfile.TemporaryDirectory() as temporary:
    main(pathlib.Path(temporary))

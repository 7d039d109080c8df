#include "core/base/error.h"
#include "core/base/resources.h"
#include "core/report/report_format.h"
#include "tests/support/cli_program.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <QtTest>

using namespace ql;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

json withoutTimes(json report)
{
    for (const char *key : {"seconds", "peak_rss_mib", "stages"}) report.erase(key);
    for (json &pass : report["passes"]) pass.erase("seconds");
    return report;
}

/// "T/" as the start of a path: the folder of the test, whose own name may end with a T.
const QRegularExpression place("(?<![A-Za-z0-9])T/");

} // namespace

/// The program as users and scripts meet it: arguments in, exit code, two streams and files out.
class TestCli : public QObject, private test::CliProgram
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY2(fs::exists(program.toStdString()), qPrintable(program)); }

    void init()
    {
        makeFolder();
        arrays("calib.npz", {{"x", test::spread({8, 3, 8, 8})}});
    }

    void help()
    {
        const Outcome top = run({"--help"});
        QCOMPARE(top.code, 0);
        QVERIFY(top.err.isEmpty());
        for (const char *word : {"run", "infer", "inspect", "compare", "platforms", "passes", "observers", "exporters",
                                 "importers", "ops", "Start with"})
            QVERIFY2(top.out.contains(word), word);
        const Outcome sub = run({"run", "--help"});
        QCOMPARE(sub.code, 0);
        for (const char *word : {"--platform",     "--dispatcher", "--observer",    "--calib",   "--samples", "--eval",
                                 "--eval-samples", "--preprocess", "--input-shape", "--set",     "--analyse", "--json",
                                 "--report",       "--export",     "--save-recipe", "--device",  "--threads", "--cache",
                                 "--no-cache",     "--fail-if",    "--quiet",       "Examples:", "Exit codes"})
            QVERIFY2(sub.out.contains(word), word);
        for (const QByteArray &line : sub.out.split('\n'))
            if (!line.startsWith("  quantloupe-cli") && !line.startsWith("      --"))
                QVERIFY2(line.size() <= 110, line.constData());
        QVERIFY(run({"--version"}).out.startsWith("quantloupe "));
    }

    void helpOfCommands_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *command, const char *says) {
            QTest::newRow(command) << QString(command) << QByteArray(says);
        };
        row("run", "--export");
        row("import-encodings", "--model");
        row("quantize", "--export"); // what newcomers try
        row("infer", "--tensors");
        row("inspect", "--all");
        row("compare", "--most");
        row("serve", "--cache");
        for (const char *catalogue : {"platforms", "passes", "observers", "exporters", "importers", "ops",
                                      "dispatchers", "analyses", "preprocess", "presets"})
            row(catalogue, "ID");
    }
    void helpOfCommands()
    {
        QFETCH(QString, command);
        QFETCH(QByteArray, says);
        const Outcome outcome = run({command, "--help"});
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.err.isEmpty());
        QVERIFY2(outcome.out.contains(says), outcome.out.constData());
        const qsizetype examples = outcome.out.indexOf("Example");
        QVERIFY2(examples > 0, outcome.out.constData());
        const QByteArray own = "quantloupe-cli " + (command == "quantize" ? "run" : command).toUtf8();
        QVERIFY2(outcome.out.indexOf(own, examples) > 0, outcome.out.constData());
        QVERIFY(!outcome.out.contains("Start with")); // the page of all commands
    }

    void helpAsACommand()
    {
        QCOMPARE(run({"help"}).out, run({"--help"}).out);
        QCOMPARE(run({"help", "run"}).out, run({"run", "--help"}).out);
        QCOMPARE(run({"help", "rum"}).code, 2);
    }

    void passesDescribeThemselves()
    {
        for (const QByteArray &line : run({"passes"}).out.trimmed().split('\n'))
            QVERIFY2(line.contains("Before: ") && line.contains(" After: "), line.constData());
    }

    void inspectKnowsShapes()
    {
        const QString sample = QL_SOURCE_DIR "/resources/sample/model.onnx";
        const Outcome open = run({"inspect", sample, "-q"});
        QVERIFY2(open.code == 0 && open.out.contains("Nx16x16x16"), open.out.constData());
        QVERIFY2(!open.out.contains("unknown"), open.out.constData());
        QVERIFY2(open.out.contains("39 operations") && open.out.contains("27 operations after formatting"),
                 open.out.constData());
        const Outcome fixed = run({"inspect", sample, "-q", "--input-shape", "image=2x3x32x32"});
        QVERIFY2(fixed.out.contains("2x16x16x16"), fixed.out.constData());
        const Outcome sizes = run({"inspect", QString::fromStdString(models + "dynamic_dims.onnx"), "-q"});
        QVERIFY2(sizes.out.contains("unknown") && sizes.out.contains("--input-shape x=1x3xHxW"), sizes.out.constData());
    }

    void quantizedModelIsReported()
    {
        QCOMPARE(run(residualRun({"--analyse", "none", "--export", "onnx_qdq:" + file("q.onnx"), "-q"})).code, 0);
        const char *says = "warning: the model is already quantized: it has ";
        const Outcome inspected = run({"inspect", file("q.onnx")});
        QVERIFY2(inspected.code == 0 && inspected.err.contains(says), inspected.err.constData());
        const Outcome again = run({"run", file("q.onnx"), "--calib", file("calib.npz"), "--analyse", "none"});
        QVERIFY2(again.code == 0 && again.err.contains(says), again.err.constData());
        QVERIFY(again.err.contains("QuantizeLinear"));
        const Outcome inferred = run({"infer", file("q.onnx"), "--in", file("calib.npz"), "--out", file("o.npz")});
        QVERIFY2(inferred.code == 0 && !inferred.err.contains(says), inferred.err.constData());
        QVERIFY(!run(residualRun({"--analyse", "none"})).err.contains(says));
    }

    void helpOfNoCommand()
    {
        const Outcome outcome = run({"platfroms", "--help"});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains("unknown command 'platfroms'. Did you mean 'platforms'?"),
                 outcome.err.constData());
        QVERIFY(outcome.out.isEmpty());
    }

    void catalogues_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("member");
        QTest::newRow("platforms") << "platforms"
                                   << "TRT_INT8"
                                   << "platforms";
        QTest::newRow("passes") << "passes"
                                << "calibrate"
                                << "passes";
        QTest::newRow("observers") << "observers"
                                   << "percentile"
                                   << "observers";
        QTest::newRow("exporters") << "exporters"
                                   << "native"
                                   << "exporters";
        QTest::newRow("importers") << "importers"
                                   << "onnx"
                                   << "importers";
        QTest::newRow("ops") << "ops"
                             << "Conv"
                             << "ops";
        QTest::newRow("dispatchers") << "dispatchers"
                                     << "conservative"
                                     << "dispatchers";
        QTest::newRow("analyses") << "analyses"
                                  << "layerwise"
                                  << "analyses";
        QTest::newRow("presets") << "presets"
                                 << "dsp"
                                 << "presets";
        QTest::newRow("preprocess-presets") << "preprocess-presets"
                                            << "imagenet"
                                            << "presets";
        QTest::newRow("preprocess") << "preprocess"
                                    << "letterbox"
                                    << "steps";
    }
    void catalogues()
    {
        QFETCH(QString, command);
        QFETCH(QString, id);
        QFETCH(QString, member);
        const Outcome list = run({command});
        QCOMPARE(list.code, 0);
        QVERIFY(list.out.contains(id.toUtf8()));
        const Outcome one = run({command, id});
        QCOMPARE(one.code, 0);
        QVERIFY(one.out.startsWith(id.toUtf8()));
        const Outcome all = run({command, "--json", "-"});
        QCOMPARE(all.code, 0);
        const json document = json::parse(all.out.toStdString());
        const json single = json::parse(run({command, id, "--json", "-"}).out.toStdString());
        bool found = false;
        for (const json &item : document.at(member.toStdString())) {
            QVERIFY(item.contains("id") && item.contains("meaning") && item.contains("params"));
            found = found || item == single;
            if (command != "ops") continue;
            QVERIFY(item.at("min_version") <= item.at("max_version"));
            QCOMPARE(item.at("status"), json(item.at("limits") == "" ? "complete" : "partial"));
        }
        QVERIFY(found);
        const Outcome unknown = run({command, id.chopped(1) + "_"});
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.err.contains("unknown id '"), unknown.err.constData());
        QVERIFY(unknown.out.isEmpty());
    }

    void usage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const QStringList &arguments, const char *says) {
            QTest::newRow(name) << arguments << QByteArray(says);
        };
        row("nothing", {}, "no command given.");
        row("command", {"rum", "m.onnx"}, "unknown command 'rum'. Did you mean 'run'?");
        row("command like none", {"operators"}, "unknown command 'operators'. Known: ");
        row("option", {"run", "m.onnx", "--platfrom", "X"}, "unknown option '--platfrom'. Did you mean '--platform'?");
        row("option unlike any other", {"run", "m.onnx", "--xyzxyz"}, "unknown option '--xyzxyz'.\nUsage: ");
        row("longer option", {"run", "m.onnx", "--calibration", "X"}, "Did you mean '--calib'?");
        row("British command", {"quantise", "m.onnx"}, "Did you mean 'run'?");
        row("option with a value", {"run", "m.onnx", "--jsn=a"}, "Did you mean '--json'?");
        row("no source", {"run"},
            "SOURCE is missing: A model (.onnx ...) or a recipe (.quantloupe).\nUsage: quantloupe-cli run SOURCE "
            "[options]\n"
            "Try `quantloupe-cli run --help`.\n");
        row("no number", {"run", "m.onnx", "--samples", "many"}, "expected an integer from 1 on, got 'many'");
        row("no sample", {"run", "m.onnx", "--samples", "0"}, "from 1 on");
        row("no thread", {"run", "m.onnx", "--threads", "-1"}, "expected an integer from 0 to 4096, got '-1'");
        row("too many threads", {"run", "m.onnx", "--threads", "5000"}, "from 0 to 4096, got '5000'");
        row("no share", {"verify", "a", "--against", "b", "--within", "2"},
            "--within: expected a number from 0 to 1, got '2'.");
        row("no trials", {"tune", "m.onnx", "--goal", "a>1", "--trials", "0"},
            "--trials: expected an integer from 1 on");
        row("two caches", {"run", "m.onnx", "--cache", "a", "--no-cache"},
            "--cache and --no-cache exclude each other.");
        row("no value", {"run", "m.onnx", "--samples"},
            "--samples needs a value: Calibrate on N samples (default 32).");
        row("no such word", {"run", "m.onnx", "--sampling", "odd"}, "--sampling: expected even or first, got 'odd'.");
        row("one too many", {"run", "m.onnx", "n.onnx"}, "unexpected argument 'n.onnx'.");
        row("option of another command", {"run", "m.onnx", "--goal", "a>1"}, "It is an option of `tune`.");
        row("batch", {"run", "m.onnx", "--batch", "8"}, "The batch size is that of the model");
        row("an option twice", {"run", "m.onnx", "--calib", "a", "--calib", "b"},
            "error: --calib takes one value, got 2.\nUsage: ");
        row("no goal", {"tune", "m.onnx"}, "Usage: quantloupe-cli tune SOURCE --goal EXPR [options]\n");
        row("no id", {"runtimes", "install"}, "Usage: quantloupe-cli runtimes [ID] [options]\n");
        row("no output", {"infer", "m.onnx", "--in", "a.npz"}, "--out is missing: File for the outputs");
    }
    void usage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains(says), outcome.err.constData());
        QVERIFY(outcome.out.isEmpty());
    }

    /// exports=[] removes the recipe's exports, not those of the command line.
    void exportReplacesNoExports()
    {
        const Outcome outcome = run(residualRun({"--platform", "RKNN_INT8", "--analyse", "none", "--quiet", "--export",
                                                 "native:" + file("asked.qln"), "--set", "exports=[]"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY(fs::exists(m_folder / "asked.qln"));
    }

    void reportFitsItsSchema()
    {
        const Outcome outcome = run(
            residualRun({"--platform", "RKNN_INT8", "--analyse", "graphwise,layerwise,statistics,parameters,variables",
                         "--json", "-", "--export", "native:" + file("m.qln")}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const json report = json::parse(outcome.out.toStdString()); // nothing but the report
        const test::JsonSchema schema(json::parse(resources::resource("schema/report.schema.json")));
        const auto mistakes = schema.mistakes(report);
        QVERIFY2(mistakes.empty(), mistakes.empty() ? "" : mistakes[0].c_str());
        QCOMPARE(report["operations"].size(), std::size_t(7));
        for (const char *section : {"configs", "graphwise", "layerwise", "outputs", "statistics", "parameters",
                                    "variables", "passes", "stages"})
            QVERIFY2(!report[section].empty(), section);
        QCOMPARE(report["exports"][0]["format"], "native");
        QVERIFY(fs::exists(m_folder / "m.qln"));
        const test::JsonSchema recipe(json::parse(resources::resource("schema/recipe.schema.json")));
        QVERIFY(recipe.mistakes(report["recipe"]).empty());
        // Progress on standard error: plain lines, one for each step, no control characters.
        QVERIFY(outcome.err.contains("\ncalibration\n"));
        QCOMPARE(outcome.err.count("layerwise error\n"), qsizetype(1));
        QVERIFY(!outcome.err.contains('\r') && !outcome.err.contains('\x1b'));
    }

    void quietIsSilent()
    {
        const Outcome outcome = run(residualRun({"--quiet", "--json", file("r.json"), "--report", file("r.html")}));
        QCOMPARE(outcome.code, 0);
        QCOMPARE(outcome.err, QByteArray());
        QCOMPARE(outcome.out, QByteArray());
        QVERIFY(readFile(m_folder / "r.html").starts_with("<!doctype html>"));
        QCOMPARE(names(), (std::vector<std::string>{"calib.npz", "r.html", "r.json"}));
    }

    void tablesGoToStandardOutput_data()
    {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<bool>("isTaken"); ///< by a document
        QTest::newRow("alone") << QStringList{} << false;
        QTest::newRow("with files") << QStringList{"--json", "r.json", "--report", "r.html", "--export", "native:r.qln"}
                                    << false;
        QTest::newRow("with a condition") << QStringList{"--fail-if", "output.sqnr_db<-300"} << false;
        QTest::newRow("beside a report") << QStringList{"--json", "-"} << true;
        QTest::newRow("beside a page") << QStringList{"--report", "-"} << true;
        QTest::newRow("beside a recipe") << QStringList{"--save-recipe", "-"} << true;
    }
    void tablesGoToStandardOutput()
    {
        QFETCH(QStringList, more);
        QFETCH(bool, isTaken);
        const Outcome outcome = run(residualRun(more));
        QCOMPARE(outcome.code, 0);
        const QByteArray &tables = isTaken ? outcome.err : outcome.out, &other = isTaken ? outcome.out : outcome.err;
        QVERIFY2(tables.contains("Output error") && tables.contains("conv1"), tables.constData());
        QVERIFY2(!other.contains("Output error"), other.constData());
    }

    void filesAreReported()
    {
        const Outcome outcome = run(residualRun({"--json", file("r.json"), "--report", file("r.html"), "--save-recipe",
                                                 file("r.quantloupe"), "--export", "onnx_qdq:" + file("m.onnx")}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        for (const char *name : {"r.json", "r.html", "r.quantloupe"})
            QVERIFY2(outcome.err.contains("\nwrote " + file(name).toUtf8() + " ("), outcome.err.constData());
        const std::string size = report::decimalText(double(fs::file_size(m_folder / "m.onnx")) / 1024, 1) + " KiB";
        QVERIFY2(outcome.err.contains("wrote " + file("m.onnx").toUtf8() + " (onnx_qdq, " + size.c_str() + ")\n"),
                 outcome.err.constData());
        const json report = jsonFile("r.json");
        QVERIFY(!report["exports"][0]["notes"].empty());
        for (const json &note : report["exports"][0]["notes"])
            QVERIFY2(outcome.err.contains("note: " + QByteArray::fromStdString(note)), outcome.err.constData());
        for (const json &problem : report["problems"])
            QVERIFY2(outcome.err.contains(QByteArray::fromStdString(problem["message"])), outcome.err.constData());
    }

    void formatThatDoesNotSuitThePlatform()
    {
        const QStringList format{"--analyse", "none", "--export", "onnx_qdq:" + file("m.onnx"), "--json"};
        const Outcome odd = run(residualRun(format + QStringList{file("odd.json"), "--platform", "NCNN_INT8"}));
        QVERIFY2(odd.code == 0, odd.err.constData());
        QVERIFY2(odd.err.contains("warning: export 'onnx_qdq' is not a format for NCNN_INT8"), odd.err.constData());
        QVERIFY(jsonFile("odd.json")["problems"].dump().find("not a format for") != std::string::npos);
        const Outcome even = run(residualRun(format + QStringList{file("even.json"), "--platform", "TRT_INT8"}));
        QVERIFY2(even.code == 0 && !even.err.contains("not a format for"), even.err.constData());
    }

    void cacheChangesNothing()
    {
        const QStringList results{"--json", "-", "--quiet", "--platform", "OPENVINO_INT8", "--observer", "mse"};
        const auto report = [&](const QStringList &more) {
            return json::parse(run(residualRun(results + more)).out.toStdString());
        };
        const json first = report({"--cache", file("c")}), second = report({"--cache", file("c")}),
                   without = report({"--no-cache"});
        QCOMPARE(withoutTimes(second), withoutTimes(first));
        QCOMPARE(withoutTimes(without), withoutTimes(first));
        const auto cached = [](const json &r) {
            return std::count_if(r["stages"].begin(), r["stages"].end(),
                                 [](const json &s) { return s["cached"] == true; });
        };
        QCOMPARE(cached(first), std::ptrdiff_t(0));
        QCOMPARE(cached(without), std::ptrdiff_t(0));
        QVERIFY(cached(second) > 3);
        for (std::size_t i = 0; i < first["stages"].size(); ++i)
            QCOMPARE(second["stages"][i]["key"], first["stages"][i]["key"]);
        // Every entry damaged: a note, and the same numbers again.
        for (const auto &entry : fs::recursive_directory_iterator(m_folder / "c"))
            if (entry.is_regular_file() && entry.path().filename() != "CACHEDIR.TAG") {
                std::string content = readFile(entry.path());
                if (content.empty()) continue;
                content[content.size() / 2] = char(content[content.size() / 2] ^ 0x40);
                writeFileAtomically(entry.path(), content);
            }
        const Outcome damaged = run(residualRun(
            {"--json", file("d.json"), "--platform", "OPENVINO_INT8", "--observer", "mse", "--cache", file("c")}));
        QCOMPARE(damaged.code, 0);
        QVERIFY(damaged.err.contains("damaged cache entry"));
        QCOMPARE(withoutTimes(jsonFile("d.json")), withoutTimes(first));
    }

    void recipes()
    {
        const Outcome saved =
            run(residualRun({"--platform", "NCNN_INT8", "--samples", "4", "--set", "passes.calibrate.observer=minmax",
                             "--set", "passes.layerwise_equalization.enabled=true", "--save-recipe",
                             file("r.quantloupe"), "--json", file("a.json"), "-q"}));
        QVERIFY2(saved.code == 0, saved.err.constData());
        const json recipe = jsonFile("r.quantloupe");
        QCOMPARE(recipe["calibration"]["path"], "calib.npz"); // it is next to the recipe
        QCOMPARE(recipe["calibration"]["samples"], 4);
        QVERIFY(!recipe["model"]["sha256"].get<std::string>().empty());
        for (const json &pass : recipe["passes"]) {
            if (pass["id"] == "calibrate") QCOMPARE(pass["params"]["observer"], "minmax");
            if (pass["id"] == "layerwise_equalization") QCOMPARE(pass["enabled"], true);
        }
        // From another folder the recipe gives the same numbers.
        const Outcome again = run({"run", file("r.quantloupe"), "--threads", "1", "--json", file("b.json"), "-q"});
        QVERIFY2(again.code == 0, again.err.constData());
        json a = jsonFile("a.json"), b = jsonFile("b.json");
        QCOMPARE(a["outputs"], b["outputs"]);
        QCOMPARE(a["configs"], b["configs"]);
        const Outcome compared = run({"compare", file("a.json"), file("b.json"), "--json", "-"});
        QCOMPARE(compared.code, 0);
        QVERIFY(json::parse(compared.out.toStdString())["layerwise"].is_array());
        QVERIFY(run({"compare", file("a.json"), file("b.json")}).out.contains("Recipe"));
    }

    void failIf()
    {
        const Outcome held = run(residualRun({"--fail-if", "output.sqnr_db<300", "--json", file("r.json")}));
        QCOMPARE(held.code, 1);
        QVERIFY(held.err.contains("output.sqnr_db<300"));
        QVERIFY(fs::exists(m_folder / "r.json")); // then the report is on the terminal
        QCOMPARE(
            run(residualRun({"--fail-if", "output.sqnr_db<-300", "--fail-if", "any.layerwise.noise_ratio>9"})).code, 0);
        const Outcome needed = run(residualRun({"--analyse", "none", "--fail-if", "all.graphwise.cosine>=0", "-q"}));
        QCOMPARE(needed.code, 1);
        QCOMPARE(run(residualRun({"--fail-if", "output.sqnr<1"})).code, 2);
        // What cannot be checked is an error in the files, too: those of an earlier run must not remain
        const Outcome unknown = run(residualRun({"--fail-if", "metric.drop>1%", "--fail-if", "output.sqnr_db<-300",
                                                 "--junit", file("j.xml"), "--markdown", file("m.md"), "-q"}));
        QCOMPARE(unknown.code, 2);
        QVERIFY(unknown.err.contains("metric.drop>1%"));
        const std::string checks = readFile(m_folder / "j.xml");
        QVERIFY(checks.find("errors=\"1\"") != std::string::npos &&
                checks.find("<error message=") != std::string::npos);
        QVERIFY(checks.find("tests=\"2\" failures=\"0\"") != std::string::npos);
        QVERIFY(readFile(m_folder / "m.md").find("**not checked**") != std::string::npos);
    }

    void badInput_data()
    {
        QTest::addColumn<QStringList>("arguments"); ///< M: residual.onnx, T: the folder of this test
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const QString &arguments, const char *says) {
            QTest::newRow(name) << arguments.split(' ') << QByteArray(says);
        };
        row("no such model", "run T/nowhere.onnx --calib T/calib.npz", "nowhere.onnx");
        row("the nearest model", "run T/othre.quantloupe", "the file does not exist. Did you mean 'other.quantloupe'?");
        row("the nearest data", "run M --calib T/shap.npz", "the data does not exist. Did you mean 'shape.npz'?");
        row("no such data", "run M --calib T/nowhere.npz", "the data does not exist");
        row("empty data folder", "run M --calib T/empty", "holds no samples");
        row("wrong shape", "run M --calib T/shape.npz", "expects samples of 3x8x8");
        row("wrong name", "run M --calib T/name.npz", "no array of that name");
        row("unknown platform", "run M --calib T/calib.npz --platform TRT_INT9", "Did you mean 'TRT_INT8'?");
        row("a part of a platform's name", "run M --calib T/calib.npz --platform TRT",
            "Did you mean 'TRT_FP8', 'TRT_INT8' or ");
        row("another name of a platform", "run M --calib T/calib.npz --platform TensorRT", "Did you mean 'TRT_INT8'?");
        row("another name of an observer", "run M --calib T/calib.npz --observer entropy", "Did you mean 'kl'?");
        row("no JSON", "run M --calib T/calib.npz --set dispatch=[{op:stem}]", "dispatch: expected JSON, got '[{op");
        row("unknown observer", "run M --calib T/calib.npz --observer minmx", "Did you mean 'minmax'?");
        row("unknown dispatcher", "run M --calib T/calib.npz --dispatcher alin", "Did you mean 'allin'?");
        row("unknown analysis", "run M --calib T/calib.npz --analyse layrwise", "Did you mean 'layerwise'?");
        row("unknown format", "run M --calib T/calib.npz --export nativ:T/x.qln", "Did you mean 'native'?");
        row("export without path", "run M --calib T/calib.npz --export native", "FORMAT:PATH");
        row("unknown step", "run M --calib T/calib.npz --preprocess rbg", "Did you mean 'rgb'?");
        row("bad shape option", "run M --calib T/calib.npz --input-shape x=1xa", "NAME=SHAPE");
        row("unknown field", "run M --calib T/calib.npz --set calibration.sampels=3", "Did you mean 'samples'?");
        row("unknown pass", "run M --calib T/calib.npz --set passes.calibrat.observer=kl", "Did you mean 'calibrate'?");
        row("bad condition", "run M --calib T/calib.npz --fail-if sqnr", "fail-if");
        row("typo in a recipe", "run T/typo.quantloupe",
            "line 3: platfrom: unknown key 'platfrom'. Did you mean 'platform'?");
        row("cut off recipe", "run T/half.quantloupe", "half.quantloupe: line");
        row("another model than the recipe's", "run T/other.quantloupe", "sha256");
        row("output in a missing folder", "run M --calib T/calib.npz --json T/no/r.json",
            "the folder T/no does not exist");
        row("output is a folder", "run M --calib T/calib.npz --report T/empty", "it is a folder");
        row("output below a file", "run M --calib T/calib.npz --save-recipe T/calib.npz/r.json", "does not exist");
        row("output where nothing can be written", "run M --calib T/calib.npz --json /proc/r.json",
            "cannot write the file");
        row("output over the data", "run M --calib T/calib.npz --json T/calib.npz", "overwrite a file that is read");
        row("two outputs, one file", "run M --calib T/calib.npz --json T/x --export native:T/x",
            "overwrite another output");
        row("report over a file of an export", "run M --calib T/calib.npz --json T/x.json --export trt_json:T/x.onnx",
            "overwrite another output");
        row("two documents for one stream", "run M --calib T/calib.npz --json - --report -", "only one of");
        row("missing device", "run M --calib T/calib.npz --device cuda:7", "cuda");
        row("unknown device", "run M --calib T/calib.npz --device gpu", "expected cpu, cuda or cuda:N, got 'gpu'");
        row("unknown tensor", "infer M --in T/calib.npz --out T/o.npz --tensors nosuch",
            "residual.onnx: the model has no tensor 'nosuch'. Its tensors: ");
        row("comparing what is no report", "compare T/calib.npz T/calib.npz", "expected a report");
        row("infer to a text file", "infer M --in T/calib.npz --out T/o.txt", ".npz or .npy");
        row("unsupported operators", "run U --calib T/calib4.npz", "Frobnicate");
        row("every unsupported operator", "run U --calib T/calib4.npz", "FancyPool");
    }
    /// Usually an unset variable of a script: the report would be lost.
    void emptyPaths()
    {
        for (const char *option : {"--json", "--report", "--cache", "--save-recipe"}) {
            const Outcome refused = run(residualRun({option, ""}));
            QCOMPARE(refused.code, 2);
            QVERIFY2(refused.err.contains(option) && refused.err.contains("its value is empty"),
                     refused.err.constData());
        }
    }

    void badInput()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const auto save = [&](const char *name, const std::string &array, at::IntArrayRef shape) {
            writeFileAtomically(m_folder / name, [&](std::ostream &out) {
                writeNpz(out, {{array, test::spread(shape)}});
            });
        };
        fs::create_directory(m_folder / "empty");
        save("shape.npz", "x", {4, 3, 9, 9});
        save("name.npz", "y", {4, 3, 8, 8});
        save("calib4.npz", "x", {2, 3, 4, 4});
        const std::string head =
            "{\"format\": \"quantloupe-recipe/1\",\n\"model\": {\"path\": \"" + models + "residual.onnx\"";
        writeFileAtomically(m_folder / "typo.quantloupe", head + "},\n\"platfrom\": \"X\"}");
        writeFileAtomically(m_folder / "half.quantloupe", head);
        writeFileAtomically(m_folder / "other.quantloupe", head + ", \"sha256\": \"" + std::string(64, '0') +
                                                               "\"}, \"calibration\": {\"path\": \"calib.npz\"}}");
        const auto before = names();
        for (QString &argument : arguments) {
            if (argument == "M") argument = QString::fromStdString(models + "residual.onnx");
            if (argument == "U") argument = QString::fromStdString(models + "negative/unsupported_ops.onnx");
            argument.replace(place, QString::fromStdString(m_folder.string()) + "/");
        }
        const QString wanted = QString(says).replace(place, QString::fromStdString(m_folder.string()) + "/");
        const Outcome outcome = run(arguments);
        QVERIFY2(outcome.code == 2 && !outcome.crashed, outcome.err.constData());
        QVERIFY2(QString::fromUtf8(outcome.err).contains(wanted), outcome.err.constData());
        QCOMPARE(outcome.err.count("error: "), qsizetype(1));
        QVERIFY(outcome.out.isEmpty());
        auto after = names();
        after.erase(std::remove(after.begin(), after.end(), "xdg"), after.end());
        QCOMPARE(after, before); // no output, whole or half
    }

    void damagedModels_data()
    {
        QTest::addColumn<QString>("path");
        for (const std::string &folder : {models + "negative", std::string(QL_CORPUS "/negative")})
            if (fs::exists(folder))
                for (const auto &entry : fs::directory_iterator(folder))
                    if (entry.path().extension() == ".onnx" && entry.path().stem() != "opset_99")
                        QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }
    void damagedModels()
    {
        QFETCH(QString, path);
        const Outcome outcome = run({"run", path, "--calib", file("calib.npz"), "--json", file("r.json"), "-q"});
        QVERIFY2(outcome.code == 2 && !outcome.crashed, outcome.err.constData());
        QVERIFY2(outcome.err.contains(fs::path(path.toStdString()).filename().c_str()) ||
                     outcome.err.contains("calib.npz"),
                 outcome.err.constData());
        QVERIFY(!fs::exists(m_folder / "r.json"));
    }
};

QL_TEST(TestCli)
#include "tst_cli.moc"

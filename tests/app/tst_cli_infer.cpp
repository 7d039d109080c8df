// quantloupe-cli infer: outputs of a model as arrays.
#include "tests/support/cli_program.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <QtTest>

using namespace ql;
using nlohmann::json;
namespace fs = std::filesystem;

/// The program as users and scripts meet it: arguments in, exit code, two streams and files out.
class TestCliInfer : public QObject, private test::CliProgram
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY2(fs::exists(program.toStdString()), qPrintable(program)); }

    void init()
    {
        makeFolder();
        arrays("calib.npz", {{"x", test::spread({8, 3, 8, 8})}});
    }

    void infer_data()
    {
        QTest::addColumn<QString>("model");
        for (const char *model : {"residual", "concat_branches", "gemm_variants", "conv_bn_clip"})
            QTest::newRow(model) << model;
    }
    void infer()
    {
        QFETCH(QString, model);
        const NpzFile golden(models + model.toStdString() + ".npz");
        std::vector<std::pair<std::string, at::Tensor>> inputs;
        const bool twice = model != "gemm_variants"; // whose inputs are vectors and matrices: one sample
        for (const std::string &name : golden.names())
            if (name.starts_with("in__")) {
                const at::Tensor value = golden.array(name)->all();
                inputs.emplace_back(name.substr(4), twice ? at::cat({value, value.mul(2)}) : value.unsqueeze(0));
            }
        writeFileAtomically(m_folder / "in.npz", [&](std::ostream &out) { writeNpz(out, inputs); });
        const Outcome outcome = run({"infer", QString::fromStdString(models) + model + ".onnx", "--in", file("in.npz"),
                                     "--out", file("out.npz"), "--quiet"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const NpzFile got(m_folder / "out.npz");
        for (const std::string &name : golden.names()) {
            if (!name.starts_with("out__")) continue;
            const at::Tensor want = golden.array(name)->all(), all = got.array(name.substr(5))->all();
            if (twice) QCOMPARE(all.size(0), 2 * want.size(0));
            const double worst = all.slice(0, 0, want.size(0)).sub(want).abs().max().item<double>();
            QVERIFY2(worst <= 1e-5 * want.abs().max().item<double>(), qPrintable(QString::number(worst)));
        }
    }

    void inferTensorsAndQuantized()
    {
        const QString model = QString::fromStdString(models + "residual.onnx");
        QCOMPARE(run({"infer", model, "--in", file("calib.npz"), "--out", file("o.npz"), "--tensors", "r1, c2"}).code,
                 0);
        QCOMPARE(NpzFile(m_folder / "o.npz").names(), (std::vector<std::string>{"r1", "c2"}));
        QCOMPARE(run({"infer", model, "--in", file("calib.npz"), "--out", file("f.npy")}).code, 0);
        const at::Tensor floats = readNpy(m_folder / "f.npy");
        QCOMPARE(floats.sizes(), at::IntArrayRef({8, 2}));
        QCOMPARE(run(residualRun({"--save-recipe", file("r.quantloupe"), "-q"})).code, 0);
        QCOMPARE(run({"infer", file("r.quantloupe"), "--in", file("calib.npz"), "--out", file("q.npy")}).code, 0);
        // Arrays are the graph inputs: the recipe's steps for images are not applied to them.
        json pictures = jsonFile("r.quantloupe");
        pictures["calibration"]["preprocess"] = "bgr; scale 1/255";
        writeFileAtomically(m_folder / "p.quantloupe", pictures.dump());
        QCOMPARE(run({"infer", file("p.quantloupe"), "--in", file("calib.npz"), "--out", file("g.npy"), "--fp32"}).code,
                 0);
        QVERIFY(at::equal(readNpy(m_folder / "g.npy"), floats));
        const double largest = floats.abs().max().item<double>();
        const double change = readNpy(m_folder / "q.npy").sub(floats).abs().max().item<double>();
        QVERIFY2(change > 0 && change < 0.5 * largest, qPrintable(QString::number(change / largest)));
        // The native export contains the plan: the same numbers without calibration data.
        QCOMPARE(
            run({"run", file("r.quantloupe"), "--analyse", "none", "--export", "native:" + file("m.qln"), "-q"}).code,
            0);
        QCOMPARE(run({"infer", file("m.qln"), "--in", file("calib.npz"), "--out", file("n.npy")}).code, 0);
        QVERIFY(at::equal(readNpy(m_folder / "n.npy"), readNpy(m_folder / "q.npy")));
        QCOMPARE(run({"infer", file("m.qln"), "--in", file("calib.npz"), "--out", file("nf.npy"), "--fp32"}).code, 0);
        QVERIFY(at::equal(readNpy(m_folder / "nf.npy"), floats));
        const Outcome unknown =
            run({"infer", model, "--in", file("calib.npz"), "--out", file("u.npz"), "--tensors", "r2"});
        QCOMPARE(unknown.code, 2);
        QVERIFY(unknown.err.contains("'r2'"));
        QVERIFY(!fs::exists(m_folder / "u.npz"));
    }
};

QL_TEST(TestCliInfer)
#include "tst_cli_infer.moc"

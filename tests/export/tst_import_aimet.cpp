// AIMET's encodings in their versions, next to a float model.
#include "core/base/file.h"
#include "core/session/import_encodings.h"
#include "core/session/run.h"
#include "tests/support/error_of.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ql;
namespace fs = std::filesystem;

class TestImportAimet : public QObject
{
    Q_OBJECT

private:
    /// x [1, 4] times w [4, 2], quantized as the encodings say.
    static QuantModel quantized(const QString &encodings)
    {
        const QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        writeFileAtomically(folder / "model.encodings", encodings.toStdString());
        test::OnnxModel m;
        m.input("x", {1, 4});
        m.output("y");
        m.weight("w", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
        m.node("MatMul", "mm", {"x", "w"}, {"y"});
        m.save(folder / "model.onnx");
        api::Recipe recipe =
            importEncodings({(folder / "model.encodings").string(), (folder / "model.onnx").string(), {}}, {}).recipe;
        recipe.analyses.clear();
        recipe.threads = 1;
        return runRecipe(recipe, {}, {}).model;
    }

private Q_SLOTS:
    /// Version 0.6.1: an object of lists, texts for booleans. PPQ writes the zero point as offset.
    void older_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::newRow("AIMET") << R"("dtype": "int", "is_symmetric": "False", "offset": -85)";
        QTest::newRow("PPQ") << R"("offset": 85)";
    }

    void older()
    {
        QFETCH(QString, fields);
        const QString text = R"({"activation_encodings": {"x": [{"bitwidth": 8, "max": 1.0, "min": -0.4998,
                                 "scale": 0.00588, %1}]}, "param_encodings": {}})";
        const QuantModel model = quantized(text.arg(fields));
        const Slot x = inputSlot(model.graph.findOperation("mm"), 0);
        QCOMPARE(model.plan.scale(x), std::vector<float>{0.00588f});
        QCOMPARE(model.plan.zeroPoint(x)[0] - std::int32_t(model.plan.find(x)->quantMin), 85);
        QVERIFY(!model.plan.simulated(inputSlot(x.op, 1)));
    }

    /// Versions 1.0 with blocks and 2.x: scales of a weight of 4 input and 2 output channels, as in the shape of its
    /// scales.
    void newer_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("version");
        QTest::addColumn<QList<double>>("scales");
        QTest::addColumn<QString>("error");
        const auto row = [](const char *name, const char *fields, const QList<double> &scales, const char *error = "") {
            QTest::newRow(name) << fields << "2.0.0" << scales << error;
        };
        const auto older = [](const char *name, const char *fields, const QList<double> &scales) {
            QTest::newRow(name) << fields << "1.0.0" << scales << "";
        };
        row("per tensor", R"("output_dtype": "int8", "y_scale": 0.5)", {0.5});
        row("per channel", R"("output_dtype": "int8", "y_scale": [0.5, 0.25], "axis": -1)", {0.5, 0.25});
        row("blocks", R"("output_dtype": "int4", "y_scale": [[1, 2], [3, 4]], "axis": 0, "block_size": 2)",
            {1, 2, 3, 4});
        row("LPBQ, 2.0",
            R"("output_dtype": "int4", "per_channel_float_scale": [[0.5, 0.25]], "per_block_int_scale": [[1, 2], [3, 4]],
               "axis": 0, "block_size": 2)",
            {0.5, 0.5, 1.5, 1});
        row("LPBQ, 2.1",
            R"("output_dtype": "int4", "y_scale": {"x": [[1, 2], [3, 4]], "x_scale": [0.5, 0.25], "axis": 1}, "axis": 0,
               "block_size": 2)",
            {0.5, 0.5, 1.5, 1});
        older("blocks, 1.0",
              R"("dtype": "INT", "enc_type": "PER_BLOCK", "bw": 4, "is_sym": true, "scale": [1, 3, 2, 4],
                 "offset": [-8, -8, -8, -8], "block_size": 2)",
              {1, 2, 3, 4});
        older("LPBQ, 1.0",
              R"("dtype": "INT", "enc_type": "LPBQ", "compressed_bw": 4, "bw": 8, "is_sym": true, "scale": [0.5, 0.25],
                 "offset": [-128, -128], "per_block_int_scale": [1, 3, 2, 4], "block_size": 2)",
              {0.5, 0.5, 1.5, 1});
        row("float", R"("output_dtype": "float8e4m3fn", "y_scale": 0.5)", {}, "only integers of 2 to 32 bits");
        row("zero point", R"("output_dtype": "uint8", "y_scale": 0.5, "y_zero_point": 256)", {},
            "the zero point 256 is outside the codes 0 to 255");
        row("zero points", R"("output_dtype": "uint8", "y_scale": 0.5, "y_zero_point": [1, 2])", {},
            "must have as many scales as zero points, got 1 and 2");
        row("another weight", R"("output_dtype": "int8", "y_scale": [0.5, 0.25, 0.125], "axis": 1)", {},
            "the file has 3 scales for a tensor with another number of output channels");
        row("other blocks", R"("output_dtype": "int4", "y_scale": [[1, 2]], "axis": 0, "block_size": 2)", {},
            "the file has 2 scales");
        row("ragged", R"("output_dtype": "int4", "y_scale": [[1, 2], [3]], "axis": 0, "block_size": 2)", {},
            "must have as many entries as the lists around it");
        row("LPBQ of other channels",
            R"("output_dtype": "int4", "per_channel_float_scale": [[1, 2, 3]], "per_block_int_scale": [[1, 2], [3, 4]],
               "axis": 0, "block_size": 2)",
            {}, "must have a scale per channel");
    }

    void newer()
    {
        QFETCH(QString, fields);
        QFETCH(QString, version);
        QFETCH(QList<double>, scales);
        QFETCH(QString, error);
        const bool isOlder = version == "1.0.0";
        const QString x = isOlder ? R"("dtype": "INT", "bw": 8, "is_sym": false, "scale": [0.02], "offset": [-85])"
                                  : R"("output_dtype": "uint8", "y_scale": 0.02, "y_zero_point": 85)";
        const QString text = isOlder ? R"({"version": "1.0.0", "activation_encodings": [{"name": "x", %1}],
                          "param_encodings": [{"name": "w", %2}]})"
                                     : R"({"version": "2.0.0", "encodings": [{"name": "x", %1}, {"name": "w", %2}]})";
        if (!error.isEmpty()) {
            const QString message = test::messageOf([&] { quantized(text.arg(x, fields)); });
            QVERIFY2(message.contains(error), qPrintable(message));
            return;
        }
        const QuantModel model = quantized(text.arg(x, fields));
        const OpId mm = model.graph.findOperation("mm");
        QCOMPARE(model.plan.scale(inputSlot(mm, 0)), std::vector<float>{0.02f});
        QCOMPARE(model.plan.zeroPoint(inputSlot(mm, 0))[0] - std::int32_t(model.plan.find(inputSlot(mm, 0))->quantMin),
                 85);
        QCOMPARE(model.plan.scale(inputSlot(mm, 1)), std::vector<float>(scales.begin(), scales.end()));
        QVERIFY(model.plan.simulated(inputSlot(mm, 1)));
    }
};

QL_TEST(TestImportAimet)
#include "tst_import_aimet.moc"

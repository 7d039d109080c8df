// Files that are not ONNX models, or damaged ones: one error that names the file and its problem, never a crash.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/onnx/import.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
namespace fs = std::filesystem;

namespace {

Error refusal(const fs::path &file)
{
    return ql::test::errorOf([&] { importOnnx(file); });
}

} // namespace

class TestOnnxDamaged : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path path(const char *name) const { return fs::path(m_folder.path().toStdString()) / name; }

private Q_SLOTS:
    void filesThatAreNoModels_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("found");
        QTest::newRow("empty") << QByteArray() << "an empty file";
        QTest::newRow("git lfs") << QByteArray("version https://git-lfs.github.com/spec/v1\noid") << "Git LFS pointer";
        QTest::newRow("html") << QByteArray("\n\n <!DOCTYPE html><html>") << "web page";
        QTest::newRow("zip") << QByteArray("PK\x03\x04rest") << "zip archive";
        QTest::newRow("pickle") << QByteArray("\x80\x02}q") << "pickle";
        QTest::newRow("tflite") << QByteArray("\x1c\0\0\0TFL3rest", 12) << "TensorFlow Lite";
        QTest::newRow("ort") << QByteArray("\x1c\0\0\0ORTMrest", 12) << "ONNX Runtime";
        QTest::newRow("hdf5") << QByteArray("\x89HDF\r\n") << "HDF5";
        QTest::newRow("gzip") << QByteArray("\x1f\x8b\x08") << "compressed";
        QTest::newRow("safetensors") << QByteArray("\x40\0\0\0\0\0\0\0{\"a\":", 14) << "safetensors";
        QTest::newRow("text") << QByteArray("hello, world\n") << "text file";
        QTest::newRow("xml") << QByteArray("<?xml version=\"1.0\"?><net") << "XML";
        QTest::newRow("caffemodel bytes") << QByteArray("\x0a\x06SqNet\x01", 9) << "bytes) is not one";
        QTest::newRow("zeros") << QByteArray(64, '\0') << "bytes) is not one";
        QTest::newRow("only an ir version") << QByteArray("\x08\x07") << "holds no graph";
    }
    void filesThatAreNoModels()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, found);
        writeFileAtomically(path("other.onnx"), std::string_view(content.data(), std::size_t(content.size())));
        const Error error = refusal(path("other.onnx"));
        QVERIFY2(QString::fromStdString(error.text()).contains(found), error.text().c_str());
        QCOMPARE(error.file, path("other.onnx").string());
        QVERIFY(!error.remedy.isEmpty());
    }

    void negativeModels_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name, const char *message) { QTest::newRow(name) << name << message; };
        row("truncated", "truncated or damaged");
        row("cyclic", "cycle");
        row("self_loop", "cycle");
        row("duplicate_outputs", "written by two nodes, also by 'relu'");
        row("duplicate_initializers", "two initialisers have the same name");
        row("missing_initializer", "op 'conv', tensor 'w': nothing provides the tensor");
        row("missing_output", "no node writes this graph output");
        row("nan_weight", "1 of 6 values are NaN");
        row("inf_weight", "1 infinite");
        row("external_escape", "inside the model's folder");
        row("external_escape_nested", "inside the model's folder");
        row("external_absolute", "inside the model's folder");
        row("external_missing", "cannot be found");
        row("external_no_location", "no file is specified");
        row("external_too_short", "which has 16 bytes");
        row("external_offset_behind_end", "which has 16 bytes");
        row("external_length_huge", "has a length of 1152921504606846976");
        row("external_negative_offset", "found '-8'");
        row("external_length_wrong", "has a length of 12");
        row("huge_dims", "are invalid");
        row("overflow_dims", "are invalid");
        row("negative_dims", "are invalid");
        row("data_size_mismatch", "need 32 bytes, the file has 24");
        row("typed_count_mismatch", "needs 6 entries in float_data, the file has 5");
        row("unknown_data_type", "data type number 99");
        row("huge_input", "elements");
        row("opset_3", "opset 3 is older");
        row("no_opset", "which opset");
        row("deep_nesting", "nested more than");
    }
    void negativeModels()
    {
        QFETCH(QString, file);
        QFETCH(QString, message);
        const fs::path target = fs::path(QL_TEST_DATA) / "models/negative" / (file.toStdString() + ".onnx");
        const Error error = refusal(target);
        QVERIFY2(QString::fromStdString(error.text()).contains(message), error.text().c_str());
        QCOMPARE(error.file, target.string());
    }

    void everyTruncationIsAnError()
    {
        const fs::path corpus = fs::path(QL_CORPUS) / "yolox_nano/yolox_nano.onnx";
        const fs::path source = fs::exists(corpus) ? corpus : fs::path(QL_TEST_DATA) / "models/conv_bn_clip.onnx";
        const std::string whole = readFile(source);
        importOnnx(source);
        for (int part = 0; part < 50; ++part) {
            const std::string cut = whole.substr(0, whole.size() * std::size_t(part) / 50);
            writeFileAtomically(path("cut.onnx"), cut);
            const Error error = refusal(path("cut.onnx"));
            QVERIFY2(error.kind == ErrorKind::InvalidModel, error.text().c_str());
        }
    }

    void flippedBytesNeverCrash()
    {
        for (const char *name : {"if_bodies", "typed_storage", "external_data", "unnamed_nodes", "conv_bn_clip"}) {
            const fs::path source = fs::path(QL_TEST_DATA) / "models" / (std::string(name) + ".onnx");
            const std::string whole = readFile(source);
            std::uint32_t state = 12345;
            const auto random = [&] { return state = state * 1664525u + 1013904223u, state >> 8; };
            for (int round = 0; round < 300; ++round) {
                std::string bytes = whole;
                for (int i = 0; i < 1 + round % 3; ++i) bytes[random() % bytes.size()] = char(random());
                writeFileAtomically(path("flipped.onnx"), bytes);
                try {
                    importOnnx(path("flipped.onnx")).verify();
                } catch (const Error &error) {
                    QVERIFY2(error.kind == ErrorKind::InvalidModel || error.kind == ErrorKind::Io,
                             error.text().c_str());
                }
            }
        }
    }

    void truncatedCorpusModel()
    {
        const fs::path file = fs::path(QL_CORPUS) / "negative/truncated_yolox_nano.onnx";
        if (!fs::exists(file)) QSKIP("the corpus folder is absent");
        const Error error = refusal(file);
        QVERIFY2(error.text().find("truncated") != std::string::npos, error.text().c_str());
    }
};

QL_TEST(TestOnnxDamaged)
#include "tst_onnx_damaged.moc"

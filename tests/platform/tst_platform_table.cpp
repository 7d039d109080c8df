#include "tests/platform/platform_sample.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;

/// The expected values are typed from the published tables of these schemes, not read from the files under test.
class TestPlatformTable : public QObject
{
    Q_OBJECT

    static void row(const QString &id, const QString &op, int slot, const QString &expected)
    {
        QTest::addRow("%s %s %d", qPrintable(id), qPrintable(op), slot) << id << op << slot << expected;
    }
    static void rows(const QString &id, const QStringList &ops, int slot, const QString &expected)
    {
        for (const QString &op : ops) row(id, op, slot, expected);
    }
    const QStringList computing = {"conv",   "conv3", "conv3_stride", "conv3_group", "conv_t",
                                   "gemm_t", "gemm",  "matmul",       "biased"};
    const QStringList withBias = {"conv", "conv3", "conv3_stride", "conv3_group", "conv_t", "gemm_t", "gemm"};
    const QStringList others = {"add", "clip", "relu", "reshape", "gather"};

    /// Platforms whose codes are signed and rounded half to even.
    void addRowsOfSignedPlatforms()
    {
        for (const QString id : {"TRT_INT8", "OPENVINO_INT8"}) {
            const QString act = "S t 8 [-128,127] half_even percentile initial";
            QStringList perTensor = computing + others;
            if (id == "OPENVINO_INT8") { // a depthwise Conv
                perTensor.removeAll("conv3_group");
                row(id, "conv3_group", 0, "S c@1 8 [-128,127] half_even minmax initial");
            }
            rows(id, perTensor, 0, act);
            rows(id, computing + others, -1, act);
            const QString weight = "S c@%1 8 [-128,127] half_even minmax initial";
            rows(id, {"conv", "conv_nobias", "conv3", "conv3_stride", "conv3_group", "conv3_dilated", "gemm_t"}, 1,
                 weight.arg(0));
            rows(id, {"conv_t", "gemm", "matmul", "biased"}, 1, weight.arg(1));
            row(id, "matmul3", 1, weight.arg(2));
            row(id, "matmul_act", 1, act);
            row(id, "add", 1, act);
            rows(id, withBias + QStringList{"biased"}, 2, "S t 8 [-128,127] half_even percentile fp32");
            rows(id, {"norm", "attention"}, 0, act);
            row(id, "attention", 1, act);
            row(id, "norm", 1, "S t 8 [-128,127] half_even percentile fp32");
            row(id, "norm", 2, "S t 8 [-128,127] half_even percentile fp32");
            row(id, "attention", 2, "S t 8 [-128,127] half_even percentile fp32");
            rows(id, {"clip"}, 1, "S t 8 [-128,127] half_even percentile fp32");
            rows(id, {"clip"}, 2, "S t 8 [-128,127] half_even percentile fp32");
            rows(id, {"reshape", "gather"}, 1, "S t 8 [-128,127] half_even percentile fp32");
            row(id, "conv3_dilated", 2, "no config"); // omitted
        }
        {
            const QString id = "ONNXRUNTIME", act = "S t 8 [-128,127] half_even percentile initial";
            rows(id, computing + others, 0, act);
            rows(id, computing + others, -1, act);
            rows(id, {"conv", "conv3", "conv3_group", "gemm_t"}, 1, "S c@0 8 [-128,127] half_even minmax initial");
            rows(id, {"conv_t", "gemm"}, 1, "S c@1 8 [-128,127] half_even minmax initial");
            rows(id, {"matmul", "matmul_act", "add"}, 1, act);
            rows(id, withBias, 2, "S t 8 [-128,127] half_even percentile fp32");
        }
        {
            const QString id = "PPL_CUDA_INT8", act = "S t 8 [-128,127] half_even percentile initial";
            rows(id, computing + others, 0, act);
            rows(id, computing + others, -1, act);
            rows(id, {"conv", "conv3", "conv3_group", "gemm_t"}, 1, "S c@0 8 [-128,127] half_even minmax initial");
            rows(id, {"conv_t", "gemm"}, 1, "S c@1 8 [-128,127] half_even minmax initial");
            rows(id, withBias, 2, "S c@0 32 [-2147483647,2147483647] half_even minmax passive");
        }
    }
    void addRowsOfOtherPlatforms()
    {
        {
            const QString id = "NCNN_INT8";
            rows(id, computing, 0, "S t 8 [-127,127] half_away_from_zero percentile initial");
            rows(id, computing, -1, "S t 8 [-127,127] half_away_from_zero percentile fp32");
            rows(id, {"conv", "conv_nobias", "conv3_stride", "conv3_group", "conv3_dilated", "gemm_t"}, 1,
                 "S c@0 8 [-127,127] half_away_from_zero minmax initial");
            row(id, "gemm", 1, "S c@1 8 [-127,127] half_away_from_zero minmax initial");
            row(id, "conv3", 1, "S c@0 6 [-31,31] half_away_from_zero minmax initial");
            rows(id, {"conv", "conv3", "gemm"}, 2, "S t 8 [-127,127] half_away_from_zero percentile fp32");
        }
        {
            const QString id = "TENGINE_INT8", act = "A t 8 [0,255] half_even percentile initial";
            rows(id, computing + others, 0, act);
            rows(id, computing + others, -1, act);
            rows(id, withBias, 1, "A t 8 [0,255] half_even minmax initial");
            rows(id, {"matmul", "add"}, 1, act);
            rows(id, withBias, 2, "S t 30 [-536870912,536870911] half_even minmax passive");
        }
        {
            const QString id = "RKNN_INT8", act = "A t 8 [0,255] half_even percentile initial";
            rows(id, computing + others, 0, act);
            rows(id, computing + others, -1, act);
            rows(id, {"conv", "conv3", "gemm", "gemm_t"}, 1, "A t 8 [0,255] half_even minmax initial");
            rows(id, {"matmul", "add"}, 1, act);
            rows(id, {"conv", "conv3", "gemm", "gemm_t"}, 2, "S t 32 [-536870912,536870912] half_even minmax passive");
        }
        {
            const QString id = "NXP_INT8", act = "S t P 8 [-128,127] half_up percentile initial";
            rows(id, computing + others, 0, act);
            rows(id, computing + others, -1, act);
            rows(id, {"conv", "conv3", "conv3_group", "gemm_t"}, 1,
                 "S c@0 P 8 [-128,127] half_away_from_zero minmax initial");
            row(id, "gemm", 1, "S c@1 P 8 [-128,127] half_away_from_zero minmax initial");
            rows(id, {"conv", "conv3", "gemm_t", "gemm"}, 2,
                 "S c@0 P 30 [-1073741824,1073741824] half_up minmax passive");
            row(id, "add", 1, act);
        }
        for (const int bits : {8, 4}) {
            const QString id = bits == 8 ? "ACADEMIC_INT8" : "ACADEMIC_INT4";
            rows(id, withBias, 0,
                 bits == 8 ? "A t 8 [0,255] half_even percentile initial"
                           : "A t 4 [0,15] half_even percentile initial");
            rows(id, withBias, 1,
                 bits == 8 ? "S t 8 [-128,127] half_even minmax initial" : "S t 4 [-8,7] half_even minmax initial");
            rows(id, withBias, 2, "S t 30 [-536870912,536870911] half_even minmax passive");
            rows(id, withBias, -1, "A t 8 [0,255] half_even percentile fp32");
        }
    }

private Q_SLOTS:
    void quantizableTypes_data()
    {
        QTest::addColumn<QString>("types");
        QTest::addColumn<QString>("fused");
        const QString t37 =
            "Add Attention AveragePool BiasedMatMul Clip Concat Conv ConvTranspose Div Flatten Gelu Gemm "
            "GlobalAveragePool GlobalMaxPool HardSigmoid HardSwish If Interp LayerNormalization LeakyRelu Loop MatMul "
            "Max MaxPool Mul PRelu Pad ReduceMean Relu Reshape Resize Scan Sigmoid Slice Softmax Sub Transpose";
        QTest::newRow("TRT_INT8") << t37 << "Relu Clip Swish Softplus Sigmoid Gelu";
        QTest::newRow("OPENVINO_INT8") << QString(t37).replace("MaxPool Mul", "MaxPool Mish Mul")
                                       << "Relu Clip Swish Softplus Sigmoid Gelu HardSwish Mish";
        QTest::newRow("ONNXRUNTIME")
            << "Add AveragePool Clip Concat Conv ConvTranspose Div Flatten GRU Gemm GlobalAveragePool GlobalMaxPool "
               "HardSigmoid HardSwish Identity If Interp LSTM LeakyRelu Loop MatMul Max MaxPool Mul PRelu Pad RNN "
               "ReduceMean Relu Reshape Resize Scan Sigmoid Slice Softmax Split Squeeze Sub Transpose Unsqueeze"
            << "Relu Clip Sigmoid Swish Mish LeakyRelu";
        QTest::newRow("PPL_CUDA_INT8")
            << "Add AveragePool Clip Concat Conv Flatten Gemm GlobalAveragePool GlobalMaxPool LeakyRelu MaxPool Mul "
               "PRelu ReduceMean Relu Reshape Resize Sigmoid Slice Split Transpose"
            << "Relu Clip Sigmoid LeakyRelu";
        QTest::newRow("NCNN_INT8") << "Conv Gemm"
                                   << "";
        QTest::newRow("TENGINE_INT8") << "Add AveragePool Clip Concat Conv Gemm GlobalAveragePool LeakyRelu MatMul Mul "
                                         "Relu Sigmoid Softmax"
                                      << "Relu Clip";
        QTest::newRow("RKNN_INT8")
            << "Add AveragePool Clip Concat Conv Flatten Gemm GlobalAveragePool GlobalMaxPool Identity Interp "
               "LeakyRelu MatMul MaxPool Mul Pad Relu Reshape Sigmoid Split Squeeze Transpose Unsqueeze"
            << "Relu Clip";
        QTest::newRow("NXP_INT8") << "Add AveragePool Clip Concat Conv Div Gemm GlobalAveragePool GlobalMaxPool "
                                     "LeakyRelu Max MaxPool Mul PRelu Pad Relu Resize Sigmoid Slice Sub"
                                  << "Relu Clip";
        QTest::newRow("ACADEMIC_INT8") << "Conv ConvTranspose Gemm"
                                       << "";
        QTest::newRow("ACADEMIC_INT4") << "Conv ConvTranspose Gemm"
                                       << "";
    }
    void quantizableTypes()
    {
        const PlatformDefinition &definition = platform(QTest::currentDataTag());
        QStringList types, fused;
        for (const std::string &type : definition.quantizable) types << QString::fromStdString(type);
        for (const std::string &type : definition.fuseActivations) fused << QString::fromStdString(type);
        types.sort();
        QTEST(types.join(' '), "types");
        QTEST(fused.join(' '), "fused");
        QCOMPARE(definition.dispatcher, std::string("conservative"));
        QVERIFY(definition.passiveTypes.empty());
    }

    void pipeline_data()
    {
        QTest::addColumn<QString>("passes"); // those that are on
        const char *whole =
            "quantize_fusion quantize_simplify parameter_quantize calibrate align passive_parameters bake";
        const QString masked = QString(whole).replace("align", "masked_scores align");
        const char *plain = "parameter_quantize calibrate passive_parameters bake";
        for (const char *id : {"PPL_CUDA_INT8", "TENGINE_INT8", "RKNN_INT8"}) QTest::newRow(id) << QString(whole);
        QTest::newRow("TRT_INT8") << QString(masked).replace("bake", "quantize_bodies bake");
        QTest::newRow("OPENVINO_INT8") << QString(masked)
                                              .replace(" align", " align moved_scales")
                                              .replace("bake", "runtime_kernels quantize_bodies bake");
        QTest::newRow("ONNXRUNTIME") << QString(masked)
                                            .replace(" align", " align moved_scales")
                                            .replace("bake", "round_biases quantize_bodies bake");
        QTest::newRow("NXP_INT8") << QString("nxp_input_rounding nxp_resize_mode ") + whole;
        QTest::newRow("NCNN_INT8") << QString("ncnn_format_gemm ") +
                                          QString(plain).replace("bake", "runtime_kernels bake");
        QTest::newRow("ACADEMIC_INT8") << QString(plain);
        QTest::newRow("ACADEMIC_INT4") << QString(plain);
    }
    void pipeline()
    {
        QStringList on, all;
        for (const api::StepRequest &pass : platform(QTest::currentDataTag()).passes) {
            all << QString::fromStdString(pass.id);
            if (pass.enabled) on << all.back();
        }
        QTEST(on.join(' '), "passes");
        // offered, but off
        QVERIFY(all.contains("bias_correction") && all.contains("layerwise_equalization"));
        QVERIFY(all.indexOf("bias_correction") < all.indexOf("bake"));
        QVERIFY(all.indexOf("layerwise_equalization") < all.indexOf("quantize_fusion"));
    }

    void everySlot_data()
    {
        QTest::addColumn<QString>("platformId");
        QTest::addColumn<QString>("op");
        QTest::addColumn<int>("slot"); // input number, -1: output
        QTest::addColumn<QString>("expected");
        addRowsOfSignedPlatforms();
        addRowsOfOtherPlatforms();
    }
    void everySlot()
    {
        QFETCH(QString, platformId);
        QFETCH(QString, op);
        QFETCH(int, slot);
        const test::PlatformSample sample(platformId.toStdString());
        QTEST(sample.text(op.toStdString(), slot), "expected");
        for (const auto &[where, config] : sample.model.plan.configs()) {
            QVERIFY(config.visibility == Visibility::WhenActive);
            QVERIFY(!config.dynamic && config.exponentBits == 0 && config.scale.empty() && !config.parent);
        }
    }
};

QL_TEST(TestPlatformTable)
#include "tst_platform_table.moc"

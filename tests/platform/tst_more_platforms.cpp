#include "tests/platform/platform_sample.h"
#include "tests/support/test_main.h"

#include <QRegularExpression>
#include <QtTest>
#include <vector>

using namespace ql;

namespace {

/// One expectation for several operations of platformGraph().
struct SlotExpectation
{
    const char *platforms, *operations;
    int slot; ///< number of an input, -1: the output
    const char *config;
};

constexpr const char *all = "conv conv3 conv_t gemm_t gemm matmul add clip relu reshape";

// Typed from the published tables of these schemes, not read from the files under test.
const std::vector<SlotExpectation> slotExpectations{
    {"PPL_DSP_INT8 SNPE_INT8 QNN_DSP_INT8", all, 0, "A t 8 [0,255] half_even percentile initial"},
    {"PPL_DSP_INT8 SNPE_INT8 QNN_DSP_INT8", all, -1, "A t 8 [0,255] half_even percentile initial"},
    {"PPL_DSP_INT8 SNPE_INT8 QNN_DSP_INT8", "conv conv_t gemm gemm_t", 1, "A t 8 [0,255] half_even minmax initial"},
    {"PPL_DSP_INT8 SNPE_INT8 QNN_DSP_INT8", "conv conv_t gemm gemm_t", 2,
     "S t 30 [-536870912,536870911] half_even minmax passive"},
    {"PPL_DSP_INT8 SNPE_INT8 QNN_DSP_INT8", "clip", 1, "A t 8 [0,255] half_even percentile passive"},
    {"PPL_DSP_INT8 SNPE_INT8 QNN_DSP_INT8", "clip", 2, "A t 8 [0,255] half_even percentile passive"},
    {"PPL_DSP_TI_INT8", all, 0, "S t 8 [-128,127] half_even percentile initial"},
    {"PPL_DSP_TI_INT8", all, -1, "S t 8 [-128,127] half_even percentile initial"},
    {"PPL_DSP_TI_INT8", "conv conv3_group gemm_t", 1, "S c@0 8 [-128,127] half_even minmax initial"},
    {"PPL_DSP_TI_INT8", "conv_t gemm", 1, "S c@1 8 [-128,127] half_even minmax initial"},
    {"PPL_DSP_TI_INT8", "conv conv_t gemm", 2, "S t 8 [-128,127] half_even percentile fp32"},
    {"MNN_INT8", "conv conv3 relu", 0, "S t 8 [-127,127] half_away_from_zero percentile initial"},
    {"MNN_INT8", "conv conv3 relu", -1, "S t 8 [-127,127] half_away_from_zero percentile initial"},
    {"MNN_INT8", "conv conv3 conv3_group", 1, "S c@0 8 [-127,127] half_away_from_zero minmax initial"},
    {"MNN_INT8", "conv conv3", 2, "S t 8 [-127,127] half_away_from_zero percentile fp32"},
    {"ASC_INT8", "conv conv_t gemm", 0, "A t 8 [0,255] half_away_from_zero percentile initial"},
    {"ASC_INT8", "conv conv_t gemm", -1, "A t 8 [0,255] half_away_from_zero percentile initial"},
    {"ASC_INT8", "conv conv3_group", 1, "S c@0 8 [-128,127] half_away_from_zero minmax initial"},
    {"ASC_INT8", "conv_t", 1, "S c@1 8 [-128,127] half_away_from_zero minmax initial"},
    {"ASC_INT8", "gemm gemm_t", 1, "S t 8 [-128,127] half_away_from_zero minmax initial"},
    {"ASC_INT8", "conv conv_t gemm", 2, "A t 8 [0,255] half_away_from_zero percentile fp32"},
    {"FPGA_INT8", all, 0, "S t P 8 [-128,127] half_even percentile initial"},
    {"FPGA_INT8", all, -1, "S t P 8 [-128,127] half_even percentile initial"},
    {"FPGA_INT8", "conv conv_t gemm add", 1, "S t P 8 [-128,127] half_even percentile initial"},
    {"FPGA_INT8", "conv conv_t gemm", 2, "S t P 30 [-536870912,536870912] half_even minmax passive"},
    {"METAX_INT8_C", all, 0, "S t 8 [-127,127] half_even percentile initial"},
    {"METAX_INT8_C", all, -1, "S t 8 [-127,127] half_even percentile initial"},
    {"METAX_INT8_C", "conv conv3_group", 1, "S c@0 8 [-127,127] half_even minmax initial"},
    {"METAX_INT8_C", "matmul", 1, "S c@1 8 [-127,127] half_even minmax initial"},
    {"METAX_INT8_C", "matmul_act add", 1, "S t 8 [-127,127] half_even percentile initial"},
    {"METAX_INT8_C", "conv conv3", 2, "S c@0 30 [-536870912,536870912] half_even minmax passive"},
    {"METAX_INT8_T", all, 0, "A t 8 [0,255] half_even percentile initial"},
    {"METAX_INT8_T", all, -1, "A t 8 [0,255] half_even percentile initial"},
    {"METAX_INT8_T", "conv conv3_group", 1, "A t 8 [0,255] half_even minmax initial"},
    {"METAX_INT8_T", "matmul add", 1, "A t 8 [0,255] half_even percentile initial"},
    {"METAX_INT8_T", "conv", 2, "A t 8 [0,255] half_even percentile fp32"},
    {"RKNN_INT8_PER_CHANNEL", all, 0, "A t 8 [0,255] half_even percentile initial"},
    {"RKNN_INT8_PER_CHANNEL", all, -1, "A t 8 [0,255] half_even percentile initial"},
    {"RKNN_INT8_PER_CHANNEL", "conv conv3_group", 1, "S c@0 8 [-127,127] half_even minmax initial"},
    {"RKNN_INT8_PER_CHANNEL", "matmul", 1, "S c@1 8 [-127,127] half_even minmax initial"},
    {"RKNN_INT8_PER_CHANNEL", "gemm gemm_t matmul_act add", 1, "A t 8 [0,255] half_even percentile initial"},
    {"RKNN_INT8_PER_CHANNEL", "conv", 2, "S c@0 30 [-536870912,536870912] half_even minmax passive"},
    {"RKNN_INT8_PER_CHANNEL", "gemm gemm_t", 2, "A t 8 [0,255] half_even percentile initial"},
    {"TRT_INT8_INPUT_ONLY", "conv conv_t gemm matmul biased", 0, "S t 8 [-128,127] half_even percentile initial"},
    {"TRT_INT8_INPUT_ONLY", "conv conv_t gemm matmul biased", -1, "S t 8 [-128,127] half_even percentile fp32"},
    {"TRT_INT8_INPUT_ONLY", "conv gemm_t", 1, "S c@0 8 [-128,127] half_even minmax initial"},
    {"TRT_INT8_INPUT_ONLY", "conv_t gemm matmul biased", 1, "S c@1 8 [-128,127] half_even minmax initial"},
    {"TRT_INT8_INPUT_ONLY", "relu", -1, "S t 8 [-128,127] half_even percentile initial"},
    {"TRT_INT8_INPUT_ONLY", "conv conv_t gemm biased", 2, "S t 8 [-128,127] half_even percentile fp32"},
    {"GRAPHCORE_FP8 TRT_FP8", "conv conv_t gemm matmul relu", 0, "S t P e4 8 [-448,448] half_even floating initial"},
    {"GRAPHCORE_FP8", "conv conv_t gemm matmul relu", -1, "S t P e4 8 [-448,448] half_even floating initial"},
    {"TRT_FP8", "conv conv_t gemm matmul", -1, "S t P e4 8 [-448,448] half_even floating fp32"},
    {"TRT_FP8", "relu", -1, "S t P e4 8 [-448,448] half_even floating initial"},
    {"GRAPHCORE_FP8 TRT_FP8", "conv gemm_t", 1, "S c@0 P e4 8 [-448,448] half_even floating initial"},
    {"GRAPHCORE_FP8 TRT_FP8", "conv_t gemm matmul", 1, "S c@1 P e4 8 [-448,448] half_even floating initial"},
    {"GRAPHCORE_FP8 TRT_FP8", "matmul_act", 1, "S t P e4 8 [-448,448] half_even floating initial"},
    {"GRAPHCORE_FP8 TRT_FP8", "conv conv_t gemm", 2, "S t P e4 8 [-448,448] half_even floating fp32"},
    {"EXTENSION", all, 0, "S t 8 [-128,127] half_even percentile initial"},
    {"EXTENSION", all, -1, "S t 8 [-128,127] half_even percentile initial"},
    {"EXTENSION", "conv conv3_group", 1, "S t 8 [-128,127] half_even minmax initial"},
    {"EXTENSION", "conv_t gemm add", 1, "S t 8 [-128,127] half_even percentile initial"},
    {"EXTENSION", "conv", 2, "S t 30 [-536870912,536870911] half_even minmax passive"},
    {"EXTENSION", "conv_t gemm", 2, "S t 8 [-128,127] half_even percentile initial"},
    {"PPL_CUDA_INT4", all, 0, "S t 4 [-8,7] half_even percentile initial"},
    {"PPL_CUDA_INT4", all, -1, "S t 4 [-8,7] half_even percentile initial"},
    {"PPL_CUDA_INT4", "conv conv3_group gemm_t", 1, "S c@0 4 [-8,7] half_even minmax initial"},
    {"PPL_CUDA_INT4", "conv_t gemm", 1, "S c@1 4 [-8,7] half_even minmax initial"},
    {"PPL_CUDA_INT4", "conv conv_t gemm", 2, "S c@0 32 [-2147483647,2147483647] half_even minmax passive"},
    {"PPL_CUDA_MIX", all, 0, "S t 8 [-128,127] half_even percentile initial"},
    {"PPL_CUDA_MIX", all, -1, "S t 8 [-128,127] half_even percentile initial"},
    {"PPL_CUDA_MIX", "conv conv3_group gemm_t", 1, "S c@0 8 [-128,127] half_even minmax initial"},
    {"PPL_CUDA_MIX", "conv_t gemm", 1, "S c@1 8 [-128,127] half_even minmax initial"},
    {"PPL_CUDA_MIX", "conv conv_t gemm", 2, "S c@0 32 [-2147483647,2147483647] half_even minmax passive"},
    {"ACADEMIC_MIX", "conv conv_t gemm gemm_t", 0, "A t 8 [0,255] half_even percentile initial"},
    {"ACADEMIC_MIX", "conv conv_t gemm gemm_t", 1, "S t 8 [-128,127] half_even minmax initial"},
    {"ACADEMIC_MIX", "conv conv_t gemm gemm_t", 2, "S t 30 [-536870912,536870911] half_even minmax passive"},
    {"ACADEMIC_MIX", "conv conv_t gemm gemm_t", -1, "A t 8 [0,255] half_even percentile fp32"},
};

constexpr const char *dspTypes =
    "Add AveragePool Clip Concat Conv ConvTranspose Div Flatten Gemm GlobalAveragePool GlobalMaxPool Interp LeakyRelu "
    "Max MaxPool Mul PRelu Pad ReduceMean Relu Reshape Resize Scale Sigmoid Slice Softmax Sub";
constexpr const char *n21Types =
    "Add AveragePool Clip Concat Conv ConvTranspose Div Gemm GlobalAveragePool GlobalMaxPool LeakyRelu Max MaxPool Mul "
    "PRelu Pad Relu Resize Sigmoid Slice Sub";
constexpr const char *metaxTypes =
    "Add AveragePool Clip Concat Conv Flatten Gemm GlobalAveragePool GlobalMaxPool LeakyRelu MatMul MaxPool Mul PRelu "
    "Relu Reshape Resize Slice Split Transpose";
constexpr const char *wholePipeline =
    "quantize_fusion quantize_simplify parameter_quantize calibrate align passive_parameters bake";

struct PlatformExpectation
{
    const char *id, *quantizable, *fused,
        *passes; ///< passes: those before wholePipeline; "masked": masked_scores in it;
                 ///< "plain": no fusion; "runtime": and its kernels;
                 ///< ", ranges": and record_ranges; ", moved": and moved_scales; "bodies": and
                 ///< quantize_bodies
};

const std::vector<PlatformExpectation> platformExpectations{
    {"PPL_DSP_INT8", dspTypes, "Relu Clip", "layerwise_equalization"},
    {"SNPE_INT8", dspTypes, "Relu Clip", "layerwise_equalization"},
    {"QNN_DSP_INT8", dspTypes, "Relu Clip", "layerwise_equalization, moved"},
    {"PPL_DSP_TI_INT8", dspTypes, "Relu Clip", "layerwise_equalization, ranges"},
    {"MNN_INT8", "Clip Conv Relu", "Relu Clip", "fold_constants mnn_format_mean mnn_format_float, runtime, no align"},
    {"ASC_INT8", "AveragePool Conv ConvTranspose Gemm", "Relu Clip", "plain"},
    {"FPGA_INT8", n21Types, "Relu Clip", "layerwise_equalization"},
    {"METAX_INT8_C", metaxTypes, "Relu Clip", "metax_gemm_split"},
    {"METAX_INT8_T", metaxTypes, "Relu Clip", "metax_gemm_split layerwise_equalization"},
    {"RKNN_INT8_PER_CHANNEL",
     "Add AveragePool Clip Concat Conv Flatten Gemm GlobalAveragePool GlobalMaxPool Identity Interp LeakyRelu MatMul "
     "MaxPool Mul Pad Relu Reshape Sigmoid Split Squeeze Transpose Unsqueeze",
     "Relu Clip", ""},
    {"TRT_INT8_INPUT_ONLY", "AveragePool BiasedMatMul Conv ConvTranspose Gemm GlobalAveragePool If Loop MatMul Scan",
     "Relu Clip", "masked, bodies"},
    {"GRAPHCORE_FP8",
     "Add AveragePool Clip Concat Conv ConvTranspose Flatten Gemm GlobalAveragePool GlobalMaxPool LeakyRelu MatMul "
     "MaxPool Mul PRelu ReduceMean Relu Reshape Resize Sigmoid Slice Split Transpose",
     "Relu Clip Sigmoid LeakyRelu Swish Mish PRelu", ""},
    {"TRT_FP8", "AveragePool Conv ConvTranspose Gemm GlobalAveragePool If Loop MatMul Scan",
     "Relu Clip Sigmoid LeakyRelu Swish Mish PRelu", "bodies"},
    {"EXTENSION", n21Types, "Relu Clip", ""},
    {"PPL_CUDA_INT4",
     "Add AveragePool Clip Concat Conv Flatten Gemm GlobalAveragePool GlobalMaxPool LeakyRelu MaxPool Mul PRelu "
     "ReduceMean Relu Reshape Resize Sigmoid Slice Split Transpose",
     "Relu Clip Sigmoid LeakyRelu", ""},
    {"PPL_CUDA_MIX",
     "Add AveragePool Clip Concat Conv Flatten Gemm GlobalAveragePool GlobalMaxPool LeakyRelu MaxPool Mul PRelu "
     "ReduceMean Relu Reshape Resize Sigmoid Slice Split Transpose",
     "Relu Clip Sigmoid LeakyRelu", ""},
    {"ACADEMIC_MIX", "Conv ConvTranspose Gemm", "", "plain"},
};

} // namespace

class TestMorePlatforms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySlot()
    {
        for (const SlotExpectation &row : slotExpectations)
            for (const QString &id : QString(row.platforms).split(' ')) {
                const test::PlatformSample sample(id.toStdString());
                for (const QString &op : QString(row.operations).split(' '))
                    QVERIFY2(sample.text(op.toStdString(), row.slot) == row.config,
                             qPrintable(QString("%1 %2 %3: %4, expected %5")
                                            .arg(id, op)
                                            .arg(row.slot)
                                            .arg(sample.text(op.toStdString(), row.slot), row.config)));
            }
    }

    void typesAndPasses_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < platformExpectations.size(); ++i)
            QTest::newRow(platformExpectations[i].id) << int(i);
    }
    void typesAndPasses()
    {
        QFETCH(int, row);
        const PlatformExpectation &expected = platformExpectations[std::size_t(row)];
        const PlatformDefinition &definition = platform(expected.id);
        QStringList types, fused, passes;
        for (const std::string &type : definition.quantizable) types << QString::fromStdString(type);
        for (const std::string &type : definition.fuseActivations) fused << QString::fromStdString(type);
        for (const api::StepRequest &pass : definition.passes)
            if (pass.enabled) passes << QString::fromStdString(pass.id);
        types.sort();
        QCOMPARE(types.join(' '), QString(expected.quantizable));
        QCOMPARE(fused.join(' '), QString(expected.fused));
        const QString formats = "fold_constants mnn_format_mean mnn_format_float";
        const QString kind = QString(expected.passes).remove(formats + ", ").remove(QRegularExpression("(, )?bodies"));
        QString wanted = kind + (kind.isEmpty() ? "" : " ") + wholePipeline;
        if (kind == "plain") wanted = "parameter_quantize calibrate passive_parameters bake";
        if (kind == "masked") wanted = QString(wholePipeline).replace("align", "masked_scores align");
        if (kind.startsWith("runtime")) wanted = QString(wholePipeline).replace("bake", "runtime_kernels bake");
        if (kind.endsWith(", ranges")) wanted = QString(wanted).remove(", ranges") + " record_ranges";
        if (kind.endsWith("no align")) wanted.remove("align ");
        if (kind.endsWith(", moved")) wanted = QString(wanted).remove(", moved").replace("align", "align moved_scales");
        if (QString(expected.passes).contains("bodies")) wanted.replace("bake", "quantize_bodies bake");
        if (QString(expected.passes).startsWith(formats)) wanted.prepend(formats + " ");
        QCOMPARE(passes.join(' '), wanted);
        QCOMPARE(definition.dispatcher, std::string("conservative"));
    }

    void weightsByGroup()
    {
        const test::PlatformSample sample("WEIGHT_ONLY");
        const QString weight = "S c@%1 4 [-8,7] half_even minmax initial";
        QCOMPARE(sample.text("gemm_t", 1), weight.arg(1)); // along the input channels
        QCOMPARE(sample.text("gemm", 1), weight.arg(0));
        QCOMPARE(sample.text("matmul", 1), weight.arg(0));
        QCOMPARE(sample.text("matmul3", 1), weight.arg(1));
        QCOMPARE(sample.text("matmul_act", 1), QString("S t 8 [-128,127] half_even minmax fp32"));
        QCOMPARE(sample.text("gemm", 0), QString("S t 8 [-128,127] half_even minmax fp32"));
        QCOMPARE(sample.text("gemm", -1), QString("S t 8 [-128,127] half_even minmax fp32"));
        for (const auto &[slot, config] : sample.model.plan.configs())
            QCOMPARE(config.groupSize, config.state == QuantState::Initial ? 32 : 0);
    }

    /// What exporters write: the DSP's biases and limits stay inside.
    void visibility()
    {
        const test::PlatformSample sample("PPL_DSP_INT8");
        int internal = 0;
        for (const auto &[slot, config] : sample.model.plan.configs()) {
            const bool isInternal = config.visibility == Visibility::Internal;
            internal += isInternal;
            QCOMPARE(isInternal, config.state == QuantState::Passive);
        }
        QVERIFY(internal > 8);
    }
};

QL_TEST(TestMorePlatforms)
#include "tst_more_platforms.moc"

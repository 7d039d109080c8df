// Normalizations of rows as ONNX Runtime's kernels compute them. Results: of ONNX Runtime 1.31 with AVX2.
#include "core/exec/kernel.h"
#include "gpu/isa.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/equal.h>
#include <QtTest>

using namespace ql;
using test::SmallGraph;

namespace {

using Floats = std::vector<float>;

/// (i * factor % modulus - shift) / divisor
Floats series(std::int64_t count, std::int64_t factor, std::int64_t modulus, std::int64_t shift, float divisor)
{
    Floats values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(float(i * factor % modulus - shift) / divisor);
    return values;
}

} // namespace

class TestRuntimeNormalization : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void normalizesAsTheRuntime_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("length");
        QTest::addColumn<bool>("hasBias");
        QTest::addColumn<Floats>("result");
        const auto row = [](const char *type, int length, bool hasBias, const Floats &result) {
            QTest::addRow("%s %d", type, length) << type << length << hasBias << result;
        };
        row("LayerNormalization", 5, true,
            {-0x1.24adc6p+0f, 0x1.0df5d4p+0f, 0x1.39143ep-1f, 0x1.99a0c8p-2f, -0x1.676da8p-1f, -0x1.96468cp-1f,
             -0x1.8b4348p+0f, 0x1.0aa104p+0f, 0x1.78935p-1f, 0x1.a26fcp-6f});
        row("LayerNormalization", 8, false,
            {-0x1.48feeap-1f, 0x1.2afd06p+0f, 0x1.170e48p-1f, 0x1.09c478p-3f, -0x1.09c478p-2f, -0x1.3eebcp-1f,
             -0x1.8ea6bp-1f, 0x1.48feeap-1f, 0x1.c18ff2p-2f, 0x1.d122e4p-2f, -0x1.f9827ap-5f, -0x1.5cadbcp-2f,
             -0x1.461c7ap+0f, -0x1.7e4e78p+0f, 0x1.bd7ec8p-1f, 0x1.5f2898p-2f});
        row("LayerNormalization", 13, true,
            {-0x1.1e7678p+0f, 0x1.256bc8p+0f,  0x1.5af076p-1f, 0x1.c63c8ap-2f, -0x1.3e954ep-1f, -0x1.986242p-1f,
             -0x1.7a1a4cp-1f, 0x1.1a15f2p+0f,  0x1.b5f89ep-1f, 0x1.bccc2p-2f,  0x1.fba1b6p-3f,  -0x1.df9e86p-1f,
             -0x1.108b76p+0f, -0x1.1e7678p+0f, 0x1.256bc8p+0f, 0x1.5af076p-1f, 0x1.c63c8ap-2f,  -0x1.3e954ep-1f,
             -0x1.986242p-1f, -0x1.7a1a4cp-1f, 0x1.1a15f2p+0f, 0x1.b5f89ep-1f, 0x1.bccc2p-2f,   0x1.fba1b4p-3f,
             -0x1.df9e86p-1f, -0x1.108b76p+0f});
        row("LayerNormalization", 21, false,
            {-0x1.6c14dp-1f,  0x1.34df4ap+0f,  0x1.18b54ap-1f,  0x1.ce8ff2p-4f,  -0x1.537606p-2f,  -0x1.6c14dp-1f,
             -0x1.bc489cp-1f, 0x1.5671fep-1f,  0x1.00d58p+0f,   0x1.8f85p-2f,    -0x1.140b94p-29f, -0x1.1d5efep-1f,
             -0x1.c898p-1f,   -0x1.00d58p+0f,  0x1.283068p-1f,  0x1.99976ap-1f,  0x1.db3ed6p-3f,   -0x1.ce8ff2p-4f,
             -0x1.9102fep-1f, -0x1.128d98p+0f, 0x1.110f9cp+0f,  0x1.b96a62p-2f,  0x1.c3f3fap-2f,   -0x1.15c1a2p-4f,
             -0x1.5e48a2p-2f, -0x1.457becp+0f, -0x1.7ca938p+0f, 0x1.b65d5cp-1f,  0x1.57f052p-2f,   0x1.d142b8p-3f,
             -0x1.e00cp-3f,   -0x1.d82134p-2f, -0x1.826836p+0f, 0x1.6bc74ap+0f,  0x1.6d41dp-1f,    0x1.ecec8ap-3f,
             0x1.a9d7e2p-7f,  -0x1.9a9b96p-2f, -0x1.28fce2p-1f, -0x1.bf547cp+0f, 0x1.3b0a48p+0f,   0x1.242648p-1f});
        row("RMSNormalization", 13, false,
            {-0x1.8a1c22p-1f, 0x1.35a864p+0f,  0x1.1051aap-1f, 0x1.67b418p-4f, -0x1.a259dp-2f, -0x1.969f0ep-1f,
             -0x1.e46d3ep-1f, 0x1.5a68fap-1f,  0x1.fe3b46p-1f, 0x1.76f3a8p-2f, -0x1.f475p-6f,  -0x1.4a613cp-1f,
             -0x1.f795bap-1f, -0x1.74c412p-1f, 0x1.505f46p+0f, 0x1.391f94p-1f, 0x1.2649f4p-3f, -0x1.320f76p-2f,
             -0x1.6a905ap-1f, -0x1.c40716p-1f, 0x1.72695cp-1f, 0x1.19a26ap+0f, 0x1.c7f398p-2f, 0x1.9814ap-6f,
             -0x1.12ab6ap-1f, -0x1.cbe01ap-1f});
        row("RMSNormalization", 21, false,
            {-0x1.77808ap-1f, 0x1.27099p+0f,   0x1.037624p-1f,  0x1.56b85cp-4f,  -0x1.8e9934p-2f, -0x1.836c3ap-1f,
             -0x1.cd8dfcp-1f, 0x1.4a0decp-1f,  0x1.e6241cp-1f,  0x1.653f9ep-2f,  -0x1.dcd3fcp-6f, -0x1.3ac7fp-1f,
             -0x1.dfcee4p-1f, -0x1.096cp+0f,   0x1.1bdc98p-1f,  0x1.7e351cp-1f,  0x1.8725e4p-3f,  -0x1.22912cp-3f,
             -0x1.ae4348p-1f, -0x1.1e18c8p+0f, 0x1.07bedap+0f,  0x1.f136e8p-2f,  0x1.2314b4p-1f,  0x1.1bad5ep-5f,
             -0x1.10c43cp-2f, -0x1.1d6e44p+0f, -0x1.5b952p+0f,  0x1.df4a3p-1f,   0x1.9093cp-2f,   0x1.6cba54p-2f,
             -0x1.0b4facp-3f, -0x1.89902ap-2f, -0x1.59d43cp+0f, 0x1.867222p+0f,  0x1.96cfd4p-1f,  0x1.2ff09ap-2f,
             0x1.26968p-3f,   -0x1.2ec558p-2f, -0x1.012e0ep-1f, -0x1.963a32p+0f, 0x1.56209p+0f,   0x1.4e5578p-1f});
        row("SimplifiedLayerNormalization", 19, false,
            {-0x1.8c9d44p-1f, 0x1.37a022p+0f,  0x1.120caap-1f,  0x1.69fd4p-4f,  -0x1.a5026p-2f,  -0x1.99348ap-1f,
             -0x1.e7814ep-1f, 0x1.5c9c84p-1f,  0x1.00bca8p+0f,  0x1.79559ep-2f, -0x1.f7a322p-6f, -0x1.4c7ab2p-1f,
             -0x1.fac8f2p-1f, -0x1.18584ep+0f, 0x1.2bd25p-1f,   0x1.93b25cp-1f, 0x1.9d23dp-3f,   -0x1.32e768p-3f,
             -0x1.c67434p-1f, -0x1.293186p-1f, 0x1.9af67cp+0f,  0x1.b00d82p-1f, 0x1.412f86p-2f,  0x1.92731p-5f,
             -0x1.b16838p-2f, -0x1.5425bp-1f,  -0x1.592d86p-1f, 0x1.64fafcp+0f, 0x1.5c148p-1f,   0x1.92731p-3f,
             -0x1.7b3b32p-3f, -0x1.38ac1ap-1f, -0x1.9c1faep-1f, 0x1.83be9cp-1f, 0x1.2eff7cp+0f,  0x1.081b84p-1f,
             0x1.450e2cp-4f,  -0x1.ad8996p-2f});
        row("SkipLayerNormalization", 13, true,
            {-0x1.2f636ep+0f, 0x1.0570fap+0f,  0x1.332e28p-1f, 0x1.9bb494p-2f, -0x1.5ad8c8p-1f, -0x1.a394acp-1f,
             -0x1.79f0ap-1f,  0x1.1cda36p+0f,  0x1.cf430ap-1f, 0x1.f81ceep-2f, 0x1.36739cp-2f,  -0x1.98b748p-1f,
             -0x1.dcf3f8p-1f, -0x1.2f636cp+0f, 0x1.0570fap+0f, 0x1.332e28p-1f, 0x1.9bb496p-2f,  -0x1.5ad8c8p-1f,
             -0x1.a394aap-1f, -0x1.79f09cp-1f, 0x1.1cda36p+0f, 0x1.cf430ep-1f, 0x1.f81ceap-2f,  0x1.36739cp-2f,
             -0x1.98b74cp-1f, -0x1.dcf3f6p-1f});
        row("SkipSimplifiedLayerNormalization", 19, false,
            {-0x1.e481eep-1f, 0x1.1ca7b4p-1f,  0x1.4689d8p-4f,  -0x1.8f533ap-3f, -0x1.c9a2b2p-1f, -0x1.1e3e4ep+0f,
             -0x1.24130ep+0f, 0x1.bb2d32p-2f,  0x1.0a65e2p-1f,  0x1.a9e0b8p-5f,  -0x1.b7e578p-3f, -0x1.ddebdp-1f,
             -0x1.265b8ep+0f, -0x1.2a28fep+0f, 0x1.aaf2b6p-2f,  0x1.f04826p-2f,  0x1.8d5b6ap-6f,  -0x1.e077b8p-3f,
             -0x1.f234f2p-1f, -0x1.41423ap-1f, 0x1.70ad68p+0f,  0x1.7db374p-1f,  0x1.0f4a9p-2f,   -0x1.5a324cp-8f,
             -0x1.bab88cp-2f, -0x1.4a6afcp-1f, -0x1.49e08p-1f,  0x1.66fb5ap+0f,  0x1.6e9e7cp-1f,  0x1.f37dc6p-3f,
             -0x1.840118p-5f, -0x1.dd31ap-2f,  -0x1.575864p-1f, 0x1.a4133ap-1f,  0x1.5d494cp+0f,  0x1.5f8984p-1f,
             0x1.c8666cp-3f,  -0x1.6e5df4p-4f});
    }
    /// Two rows. Short ones and sums are computed number by number, the others with vectors.
    void normalizesAsTheRuntime()
    {
        QFETCH(QString, type);
        QFETCH(int, length);
        QFETCH(bool, hasBias);
        QFETCH(Floats, result);
        const bool isSum = type.startsWith("Skip"), isCentred = !type.contains("Simplified") && type[0] != 'R';
        if (gpu::currentIsa() == gpu::Isa::Baseline && !isSum && length >= (isCentred ? 8 : 16))
            QSKIP("computed with AVX2");
        const std::vector<std::int64_t> shape{1, 2, length};
        SmallGraph small(23);
        small.input("x", shape);
        std::vector<std::string> names{"x"};
        std::vector<at::Tensor> inputs{test::floats(shape, series(2 * length, 7919, 1009, 504, 37))};
        if (isSum) {
            small.input("skip", shape);
            names.push_back("skip");
            inputs.push_back(test::floats(shape, series(2 * length, 3571, 509, 200, 41)));
        }
        names.push_back("scale");
        inputs.push_back(test::floats({length}, series(length, 5, 7, -4, 9)));
        if (hasBias) {
            names.push_back("bias");
            inputs.push_back(test::floats({length}, series(length, 3, 11, 5, 13)));
        }
        const OpId id = small.op(type.toStdString(), "norm", names, {"y"}, {{"epsilon", 1e-3f}});
        if (isSum) small.graph.edit(id).domain = "com.microsoft";
        const KernelContext context{small.graph.operation(id), small.graph};
        const at::Tensor y = findKernel(context.op)->asRuntime(context, inputs).at(0);
        QVERIFY(at::equal(y, test::floats(shape, result)));
    }

    void normalizesChannels_data()
    {
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("length");
        QTest::addColumn<Floats>("result");
        const auto row = [](int channels, int length, const Floats &result) {
            QTest::addRow("%d x %d", channels, length) << channels << length << result;
        };
        row(3, 6,
            {-0x1.19a842p+0f, 0x1.e3e2c4p-3f,  -0x1.563p-9f,    -0x1.ee9444p-3f, -0x1.ebe7e4p-2f, -0x1.7042d2p-1f,
             -0x1.c3933p+0f,  0x1.3e3f28p+0f,  0x1.694cd4p-1f,  0x1.586d78p-3f,  -0x1.7a2c38p-2f, -0x1.d04794p-1f,
             -0x1.5ca3p-1f,   -0x1.149dfp+0f,  0x1.27b85ap+0f,  0x1.82d7dap-1f,  0x1.6c7df6p-2f,  -0x1.659e28p-5f,
             -0x1.a2a64cp-1f, -0x1.0bc7f8p+0f, 0x1.da2638p-3f,  0x1.9febp-9f,    -0x1.cd26e8p-3f, -0x1.d066bap-2f,
             -0x1.1d924cp-1f, -0x1.1076p+0f,   -0x1.9222d8p+0f, 0x1.435decp+0f,  0x1.836226p-1f,  0x1.0010eap-2f,
             -0x1.e5d8acp-3f, -0x1.432db6p-1f, -0x1.0672ap+0f,  0x1.2dd516p+0f,  0x1.91f2ap-1f,   0x1.90762ep-2f});
        row(2, 13,
            {-0x1.1e7678p+0f, 0x1.8b9ddcp-3f,  -0x1.52d74p-5f,  -0x1.1a84bep-2f, -0x1.05574ap-1f, -0x1.7d6c34p-1f,
             -0x1.f5812p-1f,  0x1.54a68ep-2f,  0x1.91f2ep-4f,   -0x1.175a3ap-3f, -0x1.7bd6f4p-2f, -0x1.360064p-1f,
             -0x1.ae155p-1f,  -0x1.ce632cp+0f, 0x1.256bcap+0f,  0x1.3ca88p-1f,   0x1.73cb7cp-4f,  -0x1.bf6b44p-2f,
             -0x1.ede4b2p-1f, -0x1.7e09ep+0f,  0x1.75c514p+0f,  0x1.dd5b16p-1f,  0x1.9e5808p-2f,  -0x1.f81868p-4f,
             -0x1.4d321cp-1f, -0x1.2db096p+0f, -0x1.1e7678p+0f, 0x1.8b9dep-3f,   -0x1.52d74p-5f,  -0x1.1a84bcp-2f,
             -0x1.05574ap-1f, -0x1.7d6c34p-1f, -0x1.f5812p-1f,  0x1.54a69p-2f,   0x1.91f2ep-4f,   -0x1.175a38p-3f,
             -0x1.7bd6f2p-2f, -0x1.360064p-1f, -0x1.ae155p-1f,  -0x1.8a96c6p+0f, 0x1.6ac7fp+0f,   0x1.c6d1e8p-1f,
             0x1.7027ep-2f,   -0x1.5aa82p-3f,  -0x1.656802p-1f, -0x1.3a12fcp+0f, -0x1.c171f8p+0f, 0x1.33ecbep+0f,
             0x1.591b84p-1f,  0x1.29763p-3f,   -0x1.88c0d8p-2f, -0x1.d31e64p-1f});
        row(1, 29,
            {-0x1.20571ep+0f, 0x1.1a12d8p-3f,  -0x1.694978p-4f, -0x1.41ae24p-2f, -0x1.1484f6p-1f, -0x1.8832dap-1f,
             -0x1.fbe0bcp-1f, 0x1.16a464p-2f,  0x1.7a44fp-5f,   -0x1.702654p-3f, -0x1.9f6ef2p-2f, -0x1.43655cp-1f,
             -0x1.b7134p-1f,  -0x1.156092p+0f, 0x1.71c73p-3f,   -0x1.73c17p-5f,  -0x1.15d3f6p-2f, -0x1.fd2fbep-2f,
             -0x1.7245c4p-1f, -0x1.e5f3a6p-1f, 0x1.427e94p-2f,  0x1.6c8b38p-4f,  -0x1.1871f8p-3f, -0x1.7394c4p-2f,
             -0x1.2d7844p-1f, -0x1.a12628p-1f, -0x1.0a6a06p+0f, 0x1.c97b9p-3f,   -0x1.4f01p-9f,   -0x1.f1c8d6p-3f,
             -0x1.f18134p-2f, -0x1.750fp-1f,   -0x1.f15d66p-1f, 0x1.8c334p-2f,   0x1.272ce8p-3f,  -0x1.94195p-4f,
             -0x1.5da31ep-2f, -0x1.2b1ff4p-1f, -0x1.a76e58p-1f, -0x1.11de6p+0f,  0x1.27749p-2f,   0x1.76be2p-5f,
             -0x1.938a0ep-3f, -0x1.c261dp-2f,  -0x1.5d7f4ep-1f, -0x1.d9cdb2p-1f, -0x1.2b0e0cp+0f, 0x1.856bbp-3f,
             -0x1.af377p-5f,  -0x1.2e83b8p-2f, -0x1.139042p-1f, -0x1.8fdea8p-1f, -0x1.061686p+0f, 0x1.5693fp-2f,
             0x1.77dcap-4f,   -0x1.354b44p-3f, -0x1.93426cp-2f, -0x1.45ef9cp-1f});
    }
    /// Two samples of InstanceNormalization, with and without numbers before the first aligned one.
    void normalizesChannels()
    {
        QFETCH(int, channels);
        QFETCH(int, length);
        QFETCH(Floats, result);
        const std::vector<std::int64_t> shape{2, channels, length};
        SmallGraph small;
        small.input("x", shape);
        const OpId id = small.op("InstanceNormalization", "norm", {"x", "scale", "shift"}, {"y"}, {{"epsilon", 1e-3f}});
        const std::vector<at::Tensor> inputs{
            test::floats(shape, series(2 * std::int64_t(channels) * length, 7919, 1009, 504, 37)),
            test::floats({channels}, series(channels, 5, 7, -4, 9)),
            test::floats({channels}, series(channels, 3, 11, 5, 13))};
        const KernelContext context{small.graph.operation(id), small.graph};
        const at::Tensor y = findKernel(context.op)->asRuntime(context, inputs).at(0);
        QVERIFY(at::equal(y, test::floats(shape, result)));
    }
};

QL_TEST(TestRuntimeNormalization)
#include "tst_runtime_normalization.moc"

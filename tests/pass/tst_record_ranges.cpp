#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestRecordRanges : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranges()
    {
        QuantModel model = configured(residualGraph());
        const Batches data = noiseBatches({1, 3, 8, 8}, 3);
        run("parameter_quantize", model);
        run("calibrate", model, {}, &data);
        const std::string before = planText(model);
        QCOMPARE(run("record_ranges", model, {}, &data), 4);
        QCOMPARE(planText(model), before);

        // The input of the network, conv1 as its Relu writes it, conv2, and the Gemm
        const auto &ranges = model.plan.recordedRanges;
        QCOMPARE(ranges.size(), std::size_t(4));
        const RecordedRange &input = ranges.at(in(model, "conv1"));
        float min = 0, max = 0;
        for (std::size_t i = 0; i < data.size(); ++i) {
            const at::Tensor x = data.batch(i).at("x");
            min = std::min(min, x.min().item<float>());
            max = std::max(max, x.max().item<float>());
        }
        QCOMPARE(input, (RecordedRange{{min}, {max}}));
        const std::size_t channels =
            std::size_t(model.graph.variable(op(model.graph, "conv1").inputs[1]).value.size(0));
        QCOMPARE(ranges.at(out(model, "conv1")).min, std::vector<float>(channels, 0.f));
        QVERIFY(ranges.at(out(model, "conv2")).min != std::vector<float>(channels, 0.f));

        // As probed tensors have them
        RecordedRange wanted;
        ProgramSpec spec;
        spec.plan = &model.plan;
        spec.probes.push_back({out(model, "conv2"), ProbePoint::Raw, [&](const at::Tensor &t, std::size_t) {
                                   const at::Tensor rows = t.transpose(0, 1).flatten(1);
                                   for (std::size_t c = 0; c < channels; ++c) {
                                       const at::Tensor row = rows[std::int64_t(c)];
                                       if (wanted.min.size() < channels) {
                                           wanted.min.push_back(row.min().item<float>());
                                           wanted.max.push_back(row.max().item<float>());
                                       }
                                       wanted.min[c] = std::min(wanted.min[c], row.min().item<float>());
                                       wanted.max[c] = std::max(wanted.max[c], row.max().item<float>());
                                   }
                               }});
        const Program program = Executor(model.graph, {"cpu", 1}).compile(spec);
        for (std::size_t i = 0; i < data.size(); ++i) program.run(data.batch(i), {});
        QCOMPARE(ranges.at(out(model, "conv2")), wanted);
    }

    void needsData()
    {
        QuantModel model = configured(residualGraph());
        QVERIFY(errorOf([&] { run("record_ranges", model); }).message.english().find("data") != std::string::npos);
        model.plan = {}; // no quantized layer
        QCOMPARE(run("record_ranges", model), 0);
    }
};

QL_TEST(TestRecordRanges)
#include "tst_record_ranges.moc"

#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestNcnnGroups : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// ncnn has one weight scale per group, and no integer kernel for one spatial axis.
    void groupsOfNcnn()
    {
        SmallGraph g;
        g.input("x", {1, 4, 2, 3});
        g.parameter("shape", ints({1, 4, 6}));
        g.parameter("w", floats({4, 2, 1, 1}, {1, 2, 3, 8, 0.5f, 0.25f, 4, 1}));
        g.parameter("v", noise({2, 4, 1}, 1));
        g.op("Conv", "groups", {"x", "w"}, {"y"}, {{"group", std::int64_t{2}}});
        g.op("Reshape", "flat", {"y", "shape"}, {"f"});
        g.op("Conv", "row", {"f", "v"}, {"z"});
        g.output("z");
        QuantModel model = configured(std::move(g.graph));
        const auto set = [&](const char *name, std::vector<float> scale) {
            const Slot weight = in(model, name, 1);
            model.plan.find(weight)->channelAxis = 0;
            const std::vector<std::int32_t> zero(scale.size());
            model.plan.setScale(weight, std::move(scale), zero, QuantState::Active, {});
        };
        set("groups", {2, 8, 0.5f, 4});
        set("row", {1, 1});
        run("runtime_kernels", model, {{"sums", "ncnn"}});
        QCOMPARE(model.plan.scale(in(model, "groups", 1)), (std::vector<float>{8, 8, 4, 4}));
        const OpId row = model.graph.findOperation("row");
        QVERIFY(!model.isQuantized(row));
        QCOMPARE(model.platformOf(row), std::string("FP32"));
    }
};

QL_TEST(TestNcnnGroups)
#include "tst_ncnn_groups.moc"

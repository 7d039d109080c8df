#include "observer_support.h"
#include "tests/support/test_main.h"

using namespace ql;

class TestConstant : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theScaleIsOne()
    {
        QCOMPARE(observe(e4m3("constant"), {{17, -3}}).scale, std::vector<float>{1});
        auto config = e4m3("constant");
        config.channelAxis = 0;
        const auto result = observe(config, {{1, 2, 3, 4, 5, 6}}, 3, 2);
        QCOMPARE(result.scale, (std::vector<float>{1, 1, 1}));
        QCOMPARE(result.zeroPoint, (std::vector<std::int32_t>{0, 0, 0}));
    }

    void nothingObservedAndIntegersAreRefused()
    {
        QVERIFY(errorOf([] { observe(e4m3("constant"), {{}}); }).kind == ErrorKind::Numeric);
        QVERIFY(errorOf([] { makeObserver(symmetric8("constant")); }).kind == ErrorKind::BadConfig);
    }
};

QL_TEST(TestConstant)
#include "tst_constant.moc"

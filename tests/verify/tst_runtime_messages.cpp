#include "core/verify/runtime.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;

class TestRuntimeMessages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lastLinesOfItsOutput()
    {
        const std::string output = "first\n\x1b[1;33mW\x1b[0m second\n\x1b[0m\n" + std::string(5000, 'x') + "\n";
        const std::string text = lastLines(output, 2).english();
        QVERIFY2(text.starts_with("W second | xxx") && text.ends_with("xxx ..."), text.c_str());
        QVERIFY(text.size() < 500);
        QCOMPARE(lastLines("\n \n", 2).english(), std::string("it printed nothing"));
    }
};

QL_TEST(TestRuntimeMessages)
#include "tst_runtime_messages.moc"

#include "core/base/error.h"
#include "core/verify/runtime.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <csignal>

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

    /// A wrapper in the shell hides the signal in its exit code.
    void signalOfAShell()
    {
        QCOMPARE(signalOf(ended(-1, SIGSEGV)), SIGSEGV);
        QCOMPARE(signalOf(ended(128 + SIGSEGV)), SIGSEGV);
        QCOMPARE(signalOf(ended(128 + SIGTERM)), 0);
        QCOMPARE(signalOf(ended(255)), 0);
        QCOMPARE(signalOf(ended(11)), 0);
        QCOMPARE(messageOf(ended(128 + SIGABRT)), std::string("MNN crashed (Aborted): it printed nothing"));
    }

private:
    static ChildResult ended(int exitCode, int signal = 0)
    {
        ChildResult result;
        result.exitCode = exitCode;
        result.signal = signal;
        return result;
    }

    static std::string messageOf(const ChildResult &result)
    {
        try {
            requireSuccess(Text("MNN"), result, {});
        } catch (const Error &error) {
            return error.message.english();
        }
        return {};
    }
};

QL_TEST(TestRuntimeMessages)
#include "tst_runtime_messages.moc"

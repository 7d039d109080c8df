#include "core/base/strings.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;

class TestStrings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Any name, as its own pattern, matches only itself.
    void escapedNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("other"); ///< that the bare name would match as a pattern
        QTest::newRow("set") << "conv[01]"
                             << "conv0";
        QTest::newRow("run") << "a*b"
                             << "a/b";
        QTest::newRow("character") << "a?"
                                   << "ab";
        QTest::newRow("backslash") << "a\\b"
                                   << "ab";
        QTest::newRow("brackets") << "[!a]*[b]"
                                  << "cb";
        QTest::newRow("plain") << "/block/conv.1"
                               << "";
    }
    void escapedNames()
    {
        QFETCH(QString, name);
        QFETCH(QString, other);
        const std::string pattern = globEscaped(name.toStdString());
        QVERIFY(globMatch(pattern, name.toStdString()));
        if (other.isEmpty()) return;
        QVERIFY(globMatch(name.toStdString(), other.toStdString()));
        QVERIFY(!globMatch(pattern, other.toStdString()));
    }
};

QL_TEST(TestStrings)
#include "tst_strings.moc"

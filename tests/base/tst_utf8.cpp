#include "core/base/error.h"
#include "core/base/utf8.h"
#include "tests/support/test_main.h"

#include <QtTest>
#include <string>

using namespace ql;

class TestUtf8 : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void printableText_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char *name, const QByteArray &text, const QByteArray &shown) {
            QTest::newRow(name) << text << shown;
        };
        row("empty", "", "");
        row("ASCII", "conv_1/Relu:0", "conv_1/Relu:0");
        row("two to four bytes", "\xc3\xa4\xe5\x8d\xb7\xf0\x9f\x98\x80", "\xc3\xa4\xe5\x8d\xb7\xf0\x9f\x98\x80");
        row("terminal control", "a\x1b[31m\x7f", "a\\x1b[31m\\x7f");
        row("zero", QByteArray("a\0b", 3), "a\\x00b");
        row("line break", "a\nb", "a\\x0ab");
        row("lone continuation", "\x80x", "\\x80x");
        row("truncated", "x\xe5\x8d", "x\\xe5\\x8d");
        row("overlong", "\xc0\xaf\xe0\x80\xaf", "\\xc0\\xaf\\xe0\\x80\\xaf");
        row("surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80");
        row("above U+10FFFF", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
    }
    void printableText()
    {
        QFETCH(QByteArray, text);
        QTEST(QByteArray::fromStdString(printable(text.toStdString())), "shown");
    }

    void keptControls()
    {
        QCOMPARE(printable("a\n\tb", "\n"), std::string("a\n\\x09b"));
        // An error of several lines keeps them
        QCOMPARE(Error(ErrorKind::Io, "one\ntwo\x1b").text(), std::string("one\ntwo\\x1b"));
    }

    void codePoints()
    {
        const std::string text = "a\xf0\x9f\x98\x80\xff";
        std::size_t at = 0;
        QCOMPARE(nextCodePoint(text, at), std::optional(U'a'));
        QCOMPARE(nextCodePoint(text, at), std::optional(U'\U0001f600'));
        QCOMPARE(at, std::size_t(5));
        QVERIFY(!nextCodePoint(text, at) && at == text.size());
    }
};

QL_TEST(TestUtf8)
#include "tst_utf8.moc"

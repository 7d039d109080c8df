#include "core/base/text.h"

#include "core/base/error.h"
#include "core/base/language.h"
#include "tests/support/test_main.h"

#include <QtTest>
#include <limits>

using namespace ql;

class TestText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void english_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const Text &text, const char *expected) {
            QTest::newRow(name) << QString::fromStdString(text.english()) << QString::fromUtf8(expected);
        };
        row("empty", {}, "");
        row("verbatim keeps its percent signs", Text("100 %1"), "100 %1");
        row("template", QL_TEXT("no samples"), "no samples");
        row("arguments in any order", QL_TEXT("%2 of %1").with(8, 3), "3 of 8");
        row("an argument twice", QL_TEXT("%1, %1").with("x"), "x, x");
        row("a place without an argument stays", QL_TEXT("%1 and %2").with("x"), "x and %2");
        row("a percent sign", QL_TEXT("%1 % of %2").with(Text::number(12.345, 3), "'a'"), "12.3 % of 'a'");
        row("an argument is no template", QL_TEXT("%1 %2").with("%2", "b"), "%2 b");
        row("nested", QL_TEXT("pass '%1': %2").with("fuse", QL_TEXT("op '%1'").with("c")), "pass 'fuse': op 'c'");
        row("large integer", Text(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
        row("small number", Text::number(1.23456e-7, 3), "1.23e-07");
        row("not a number", Text::number(std::numeric_limits<double>::quiet_NaN()), "NaN");
        row("option", QL_TEXT("Use %1.").with(Text::option("--calib PATH")), "Use --calib PATH.");
        row("list", Text::list(std::vector<std::string>{"a", "b", "c"}), "a, b, c");
        row("or", Text::list(std::vector<std::string>{"a", "b", "c"}, Text::Join::Or), "a, b or c");
        row("sentences leave out what is empty", Text::sentences({QL_TEXT("One."), {}, QL_TEXT("Two.")}), "One. Two.");
        row("lines", Text::list({QL_TEXT("One"), "two"}, Text::Join::Line), "One\ntwo");
        row("list of one", Text::list({QL_TEXT("One")}, Text::Join::Or), "One");
    }
    void english()
    {
        QFETCH(QString, english);
        QTEST(english, "expected");
    }

    void otherLanguage()
    {
        const Language language("<source>&apos;%1&apos; of %2</source><translation>%2 的“%1”</translation>"
                                "<source>open</source><translation type=\"unfinished\"></translation>"
                                "<source>%1, %2</source><translation>%1、%2</translation>"
                                "<source>a &lt; b &amp;&quot;</source><translation>&amp;lt;</translation>");
        const auto translated = [&](const Text &text) { return QString::fromStdString(text.in(&language)); };
        QCOMPARE(translated(QL_TEXT("'%1' of %2").with("x", QL_TEXT("open"))), QStringLiteral("open 的“x”"));
        QCOMPARE(translated(Text::list(std::vector<std::string>{"a", "b", "c"})), QStringLiteral("a、b、c"));
        QCOMPARE(translated(Text("open")), QStringLiteral("open"));
        QCOMPARE(translated(QL_TEXT("a < b &\"")), QStringLiteral("&lt;"));
        QVERIFY(Language::of("zh_CN.UTF-8") && Language::of("zh") && !Language::of("en_US") && !Language::of("C"));
        QCOMPARE(QString::fromStdString(Language::of("zh")->translated("Alignment")), QStringLiteral("对齐"));
    }

    void errorsAreEnglishOutside()
    {
        const Error error = Error(ErrorKind::BadData, QL_TEXT("%1 labels for %2 samples").with(3, 4), "conv")
                                .withRemedy(QL_TEXT("Give %1.").with(4));
        QCOMPARE(QString(error.what()), QStringLiteral("3 labels for 4 samples"));
        QCOMPARE(QString::fromStdString(error.text()), QStringLiteral("op 'conv': 3 labels for 4 samples. Give 4."));
        QCOMPARE(error.message.args().size(), std::size_t(2));
    }
};

QL_TEST(TestText)
#include "tst_text.moc"

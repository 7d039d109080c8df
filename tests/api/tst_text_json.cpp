#include "core/api/text_json.h"

#include "core/base/error.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using nlohmann::json;

class TestTextJson : public QObject
{
    Q_OBJECT

private:
    static Text everything()
    {
        return Text::sentences(
            {QL_TEXT("%1 of '%2' are %3.").with(3, "conv 1", Text::number(0.25, 3)),
             QL_TEXT("Use %1, or one of %2.")
                 .with(Text::option("--calib PATH"), Text::list(std::vector<std::string>{"a", "b"}, Text::Join::Or))});
    }

private Q_SLOTS:
    void readsBackWhatItWrites()
    {
        const json written = json::parse(api::toJson(everything()).dump());
        QVERIFY(api::textFromJson(written) == everything());
        json row;
        api::putText(row, "message", everything());
        QCOMPARE(QString::fromStdString(row.at("message")),
                 QStringLiteral("3 of 'conv 1' are 0.25. Use --calib PATH, or one of a or b."));
        QVERIFY(api::textAt(row, "message") == everything());
        QVERIFY(api::textAt(row, "remedy").isEmpty());
    }

    /// Scripts see a sentence; a window translates it as a whole.
    void aSentenceWithoutArgumentsIsAString()
    {
        json row;
        api::putText(row, "message", QL_TEXT("no samples"));
        QCOMPARE(QString::fromStdString(row.dump()), QStringLiteral(R"({"message":"no samples"})"));
        QVERIFY(api::textAt(row, "message") == QL_TEXT("no samples"));
    }

    void refusesOtherValues_data()
    {
        QTest::addColumn<QString>("value");
        for (const char *value : {"true", "null", "{}", "[]", "1.5", R"({"text": 3, "args": []})", R"({"text": "%1"})",
                                  R"({"list": ["a", "b"], "join": "and"})", R"({"number": 1})"})
            QTest::newRow(value) << QString::fromUtf8(value);
    }
    void refusesOtherValues()
    {
        QFETCH(QString, value);
        const json parsed = json::parse(value.toStdString());
        QVERIFY_EXCEPTION_THROWN((void)api::textFromJson(parsed), Error);
        QVERIFY_EXCEPTION_THROWN((void)api::textAt({{"message_text", parsed}, {"message", ""}}, "message"), Error);
    }
};

QL_TEST(TestTextJson)
#include "tst_text_json.moc"

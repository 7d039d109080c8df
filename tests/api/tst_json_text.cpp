#include "core/api/json_pointer.h"
#include "core/api/json_text.h"
#include "core/base/error.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <functional>

using namespace ql;
using api::JsonNode;
using api::JsonText;

static QString parserMessageOf(const std::function<void()> &call)
{
    try {
        call();
    } catch (const Error &e) {
        return QString::fromStdString(e.text());
    }
    return "nothing was thrown";
}

class TestJsonText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pointers_data()
    {
        QTest::addColumn<QStringList>("parts");
        QTest::addColumn<QString>("pointer");
        QTest::newRow("document") << QStringList{} << "";
        QTest::newRow("member and index") << QStringList{"rules", "2"} << "/rules/2";
        QTest::newRow("slash and tilde") << QStringList{"a/b", "~1", "c~d"} << "/a~1b/~01/c~0d";
        QTest::newRow("empty key") << QStringList{"", "a"} << "//a";
    }
    void pointers()
    {
        QFETCH(QStringList, parts);
        QFETCH(QString, pointer);
        std::string made;
        for (const QString &part : parts) made = api::pointerTo(made, part.toStdString());
        QCOMPARE(QString::fromStdString(made), pointer);
        QStringList read;
        for (const std::string &part : api::pointerParts(made)) read.append(QString::fromStdString(part));
        QCOMPARE(read, parts);
    }

    void lines_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<int>("line");
        QTest::newRow("document") << "" << 1;
        QTest::newRow("key") << "/a" << 2;
        QTest::newRow("key on its own line, value below") << "/b" << 3;
        QTest::newRow("number before a line feed") << "/b/0" << 4;
        QTest::newRow("object in a list") << "/b/1" << 6;
        QTest::newRow("escaped key") << "/b/1/c~1d" << 6;
        QTest::newRow("after a nested object") << "/b/2" << 8;
        QTest::newRow("unknown: nearest ancestor") << "/b/1/zzz/0" << 6;
    }
    void lines()
    {
        QFETCH(QString, pointer);
        const JsonText text = JsonText::parse("{\n"
                                              "  \"a\": 1,\n"
                                              "  \"b\":\n"
                                              "    [10\n"
                                              "    ,\n"
                                              "    {\"c/d\":\n"
                                              "     true},\n"
                                              "    null]\n"
                                              "}\n",
                                              "f.json");
        QTEST(text.line(pointer.toStdString()), "line");
    }

    void mistakes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("missing comma") << QByteArray("{\"a\": 1\n\"b\": 2}") << "f.json: line 2, column ";
        QTest::newRow("cut off") << QByteArray("{\"a\": [1,\n2") << "f.json: line 2, column ";
        QTest::newRow("empty") << QByteArray() << "f.json: line 1, column 1";
        QTest::newRow("raw line feed in a text") << QByteArray("[\"x\n\"]") << "f.json: line ";
        QTest::newRow("key twice") << QByteArray("{\"a\": 1,\n\n\"a\": 2}")
                                   << "f.json: line 3: duplicate key 'a', first used in line 1";
        QTest::newRow("too deep") << QByteArray(100000, '[') << "f.json: line 1: more than 200 nested levels";
    }
    void mistakes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const QString got = parserMessageOf([&] { JsonText::parse(text.toStdString(), "f.json"); });
        QVERIFY2(got.startsWith(message), qPrintable(got));
    }

    void checkedReading_data()
    {
        using Read = std::function<void(const JsonNode &)>;
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<Read>("read");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name, const char *text, const Read &read, const char *message) {
            QTest::newRow(name) << QByteArray(text) << read << message;
        };
        row(
            "unknown key", "{\n\"bitz\": 8}",
            [](const JsonNode &n) {
                n.expectKeys({"bits", "state"});
            },
            "f.json: line 2: bitz: unknown key 'bitz'. Did you mean 'bits'? Known: bits, state.");
        row(
            "missing key", "{\n}", [](const JsonNode &n) { n.at("id"); }, "f.json: line 1: the key 'id' is missing");
        row(
            "not an object", "[\n1]", [](const JsonNode &n) { n.elements()[0].expectKeys({}); },
            "f.json: line 2: [0]: must be an object, got number");
        row(
            "not a list", "{\"a\": {\"b\": 1}}", [](const JsonNode &n) { n.at("a").at("b").elements(); },
            "f.json: line 1: a.b: must be a list, got number");
        row(
            "not a text", "[1]", [](const JsonNode &n) { n.strings(); },
            "f.json: line 1: [0]: must be a string in quotes, got 1");
        row(
            "not a bool", "[1]", [](const JsonNode &n) { n.elements()[0].boolean(); },
            "f.json: line 1: [0]: must be true or false, got 1");
        row(
            "fraction", "[1.5]", [](const JsonNode &n) { n.elements()[0].integer(0, 9); },
            "f.json: line 1: [0]: must be an integer, got 1.5");
        row(
            "beyond 64 bits", "[18446744073709551615]", [](const JsonNode &n) { n.elements()[0].integer(0, 9); },
            "f.json: line 1: [0]: must be an integer, got 18446744073709551615");
        row(
            "out of range", "[10]", [](const JsonNode &n) { n.elements()[0].integer(0, 9); },
            "f.json: line 1: [0]: must be from 0 to 9, got 10");
        row(
            "number out of range", "[1.5]", [](const JsonNode &n) { n.elements()[0].number(0.5, 1); },
            "f.json: line 1: [0]: must be from 0.5 to 1.0, got 1.5");
        row(
            "unknown value", "[\"per_tenser\"]", [](const JsonNode &n) { n.elements()[0].choice({"per_tensor"}); },
            "f.json: line 1: [0]: unknown value 'per_tenser'. Did you mean 'per_tensor'? Known: per_tensor.");
    }
    void checkedReading()
    {
        QFETCH(QByteArray, text);
        QFETCH(std::function<void(const JsonNode &)>, read);
        const JsonText document = JsonText::parse(text.toStdString(), "f.json");
        QTEST(parserMessageOf([&] { read(JsonNode(document)); }), "message");
    }

    void wrappedValuesHaveNoLines()
    {
        const JsonText document = JsonText::wrap({{"set", {{"bits", "x"}}}});
        QCOMPARE(parserMessageOf([&] { JsonNode(document).at("set").at("bits").integer(2, 32); }),
                 QString("set.bits: must be an integer, got \"x\""));
    }
};

QL_TEST(TestJsonText)
#include "tst_json_text.moc"

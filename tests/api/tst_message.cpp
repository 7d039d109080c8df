#include "core/api/message.h"
#include "core/base/error.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using nlohmann::json;

class TestMessage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void travels_data()
    {
        QTest::addColumn<int>("chunk");
        QTest::newRow("at once") << (1 << 20);
        QTest::newRow("byte by byte") << 1;
        QTest::newRow("across frames") << 7;
    }
    void travels()
    {
        QFETCH(int, chunk);
        const std::vector<json> messages{{{"type", "hello"}, {"protocol", 1}},
                                         {{"id", 3}, {"data", {1.5, nullptr, "Größe"}}},
                                         {{"text", std::string(100000, 'x')}}};
        std::string bytes;
        for (const json &message : messages) bytes += api::encodeFrame(message);
        api::FrameReader reader;
        std::vector<json> read;
        for (std::size_t i = 0; i < bytes.size(); i += std::size_t(chunk)) {
            reader.append(std::string_view(bytes).substr(i, std::size_t(chunk)));
            while (const auto message = reader.next()) read.push_back(*message);
        }
        QCOMPARE(read, messages);
        QVERIFY(reader.noise().empty());
    }

    /// The same value as the library's own reader gives, from nested objects and arrays of every kind of value.
    void decodesCbor()
    {
        const json value = {
            {"empty", json::object()},
            {"none", json::array()},
            {"numbers", {-3, 4u, 2.5, -1e300}},
            {"deep", {{{"a", {{"b", {1, {{"c", nullptr}}, "d"}}}}, {"e", true}}, json::array({{}, {{}}})}},
            {"bytes", json::binary({1, 2, 255})}};
        for (const json &any : {value, json(7), json("text"), json()}) {
            const std::vector<std::uint8_t> cbor = json::to_cbor(any);
            const std::string bytes(cbor.begin(), cbor.end());
            QCOMPARE(api::decodeCbor(bytes), any);
            QVERIFY(api::decodeCbor(bytes + "x").is_discarded());
            QVERIFY(api::decodeCbor(std::string_view(bytes).substr(0, bytes.size() - 1)).is_discarded());
        }
        QVERIFY(api::decodeCbor({}).is_discarded());
        // Each level is a call of the parser: a file of brackets must not use up the stack
        QVERIFY(!api::decodeCbor(std::string(400, '\x81') + '\x01').is_discarded());
        QVERIFY(api::decodeCbor(std::string(401, '\x81') + '\x01').is_discarded());
        QVERIFY(api::decodeCbor(std::string(10000000, '\x81')).is_discarded());
    }

    void leavesOutNoise()
    {
        // The output of a login shell first, with a piece that looks like the start of a frame
        api::FrameReader reader;
        reader.append("Welcome! QL");
        QVERIFY(!reader.next());
        reader.append("QLF");
        QVERIFY(!reader.next());
        const std::string frame = api::encodeFrame({{"a", 1}});
        reader.append(std::string_view(frame).substr(3));
        const auto message = reader.next();
        QVERIFY(message);
        QCOMPARE((*message)["a"], json(1));
        QCOMPARE(reader.noise(), std::string("Welcome! QL"));
    }

    void refusesDamage_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("no CBOR") << QByteArray("QLF1\x02\0\0\0\xff\xff", 10);
        QTest::newRow("no object") << QByteArray("QLF1\x01\0\0\0\x01", 9);
        QTest::newRow("too long") << QByteArray("QLF1\xff\xff\xff\xff", 8);
        QTest::newRow("empty") << QByteArray("QLF1\0\0\0\0", 8);
    }
    void refusesDamage()
    {
        QFETCH(QByteArray, bytes);
        api::FrameReader reader;
        reader.append({bytes.constData(), std::size_t(bytes.size())});
        QVERIFY_EXCEPTION_THROWN(reader.next(), Error);
    }
};

QL_TEST(TestMessage)
#include "tst_message.moc"

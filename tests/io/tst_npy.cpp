#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "tests/support/test_main.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>
#include <QTemporaryDir>
#include <QtTest>
#include <cstring>
#include <sstream>

using namespace ql;

namespace {

/// Serves a string, and counts the requests.
class StringReader final : public ByteReader
{
public:
    explicit StringReader(std::string bytes) : m_bytes(std::move(bytes)) {}
    std::uint64_t size() const override { return m_bytes.size(); }
    void read(std::uint64_t offset, std::size_t count, char *out) override
    {
        if (offset + count > m_bytes.size()) throw Error(ErrorKind::BadData, "too short");
        std::memcpy(out, m_bytes.data() + offset, count);
    }

private:
    std::string m_bytes;
};

/// A .npy file with the given dictionary and data.
std::string npy(const std::string &dictionary, const std::string &data, int version = 1)
{
    std::string out = "\x93NUMPY";
    out += char(version);
    out += '\0';
    out += char(dictionary.size() & 0xff);
    out += char(dictionary.size() >> 8);
    if (version > 1) out += std::string(2, '\0');
    return out + dictionary + data;
}

NpyArray open(const std::string &bytes)
{
    return NpyArray(std::make_unique<StringReader>(bytes), "test");
}

template <class T>
std::string raw(std::initializer_list<T> values)
{
    std::string out;
    for (const T value : values) out.append(reinterpret_cast<const char *>(&value), sizeof value);
    return out;
}

std::string npyMessageOf(const std::function<void()> &call)
{
    try {
        call();
    } catch (const Error &error) {
        return error.text();
    }
    return {};
}

} // namespace

class TestNpy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void header_data()
    {
        QTest::addColumn<QByteArray>("dictionary");
        QTest::addColumn<int>("version");
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QList<int>>("shape");
        QTest::newRow("float32") << QByteArray("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }") << 1
                                 << QByteArray("float32") << QList<int>{2, 3};
        QTest::newRow("version 2") << QByteArray("{'descr': '<f8', 'fortran_order': False, 'shape': (4,)}") << 2
                                   << QByteArray("float64") << QList<int>{4};
        QTest::newRow("version 3") << QByteArray("{'descr': '|u1', 'fortran_order': True, 'shape': ()}") << 3
                                   << QByteArray("uint8") << QList<int>{};
        QTest::newRow("double quotes, other order, long")
            << QByteArray("{\"shape\": (1L, 2L), \"fortran_order\":False, \"descr\":\">i2\"}\n") << 1
            << QByteArray("int16") << QList<int>{1, 2};
        QTest::newRow("bool") << QByteArray("{'descr': '|b1', 'fortran_order': False, 'shape': (7,), }") << 1
                              << QByteArray("bool") << QList<int>{7};
    }
    void header()
    {
        QFETCH(QByteArray, dictionary);
        QFETCH(int, version);
        QFETCH(QByteArray, type);
        QFETCH(QList<int>, shape);
        const NpyHeader header = parseNpyHeader(npy(dictionary.toStdString(), "", version), "test");
        QCOMPARE(QByteArray::fromStdString(header.typeName()), type);
        QCOMPARE(QList<int>(header.shape.begin(), header.shape.end()), shape);
        QCOMPARE(header.dataOffset, std::size_t(dictionary.size() + (version == 1 ? 10 : 12)));
    }

    void hostileHeader_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const std::string &bytes, const char *says) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QByteArray(says);
        };
        const auto shaped = [](const std::string &shape) {
            return npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }", "1234");
        };
        row("empty", "", "does not start like one");
        row("text", "hello, this is not an array", "does not start like one");
        row("version 9", npy("{}", "", 9), "version");
        row("header longer than the file", std::string("\x93NUMPY\x01\x00\xff\xff{'descr'", 18), "cut off");
        row("no keys", npy("{}", ""), "expected the keys");
        row("unknown key", npy("{'evil': 1}", ""), "unknown key 'evil'");
        row("open quote", npy("{'descr: ", ""), "quote");
        row("objects", npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "12345678"), "element type");
        row("text elements", npy("{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }", ""), "element type");
        row("complex", npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", ""), "element type");
        row("records", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", ""), "records");
        row("negative size", shaped("(-1,)"), "not a number");
        row("huge size", shaped("(99999999999999999999,)"), "too large");
        row("product overflows", shaped("(4294967296, 4294967296, 4294967296)"), "does not fit");
        row("overflow behind a zero", shaped("(0, 4294967296, 4294967296, 4294967296)"), "does not fit");
        row("more than the file holds", shaped("(1000000000, 100)"), "1000000000x100");
        row("many dimensions",
            shaped("(" +
                   [] {
                       std::string s;
                       for (int i = 0; i < 40; ++i) s += "1,";
                       return s;
                   }() +
                   ")"),
            "32 dimensions");
    }
    void hostileHeader()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, says);
        const std::string message = npyMessageOf([&] { open(bytes.toStdString()); });
        QVERIFY2(message.find(says.toStdString()) != std::string::npos, message.c_str());
    }

    void elements()
    {
        const auto array = [](const std::string &type, const std::string &data, const std::string &shape,
                              const std::string &fortran = "False") {
            return open(
                npy("{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }", data));
        };
        const at::Tensor six = at::arange(6, at::kFloat).reshape({2, 3});
        QVERIFY(at::equal(array("<f4", raw<float>({0, 1, 2, 3, 4, 5}), "(2, 3)").all(), six));
        QVERIFY(at::equal(array("<f4", raw<float>({0, 3, 1, 4, 2, 5}), "(2, 3)", "True").all(), six));
        QVERIFY(at::equal(array("<f4", raw<float>({0, 3, 1, 4, 2, 5}), "(2, 3)", "True").entry(1), six.select(0, 1)));
        QVERIFY(at::equal(array("<f4", raw<float>({0, 1, 2, 3, 4, 5}), "(2, 3)").entry(1), six.select(0, 1)));
        QCOMPARE(array(">i4", std::string("\0\0\1\2", 4), "()").all().item<int>(), 258);
        QCOMPARE(array("<u2", raw<std::uint16_t>({65535}), "(1,)").entry(0).item<int>(), 65535);
        QCOMPARE(array("<u4", raw<std::uint32_t>({4294967295U}), "(1,)").entry(0).item<std::int64_t>(), 4294967295LL);
        QCOMPARE(array("|b1", std::string("\2"), "(1,)").entry(0).item<bool>(), true);
        QVERIFY(!npyMessageOf([&] { array("<u8", raw<std::uint64_t>({~std::uint64_t(0)}), "(1,)").all(); }).empty());
        QCOMPARE(array("<f4", "", "(0, 5)").all().numel(), std::int64_t(0));
    }

    void roundTrip()
    {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("a.npz").toStdString();
        const at::Tensor a = at::arange(24, at::kFloat).reshape({2, 3, 4}), b = at::arange(5, at::kLong);
        const at::Tensor scalar = at::zeros({}, at::kHalf), turned = a.permute({2, 0, 1});
        writeFileAtomically(file, [&](std::ostream &out) {
            writeNpz(out, {{"a", a}, {"deep/b:0", b}, {"scalar", scalar}, {"turned", turned}});
        });
        const NpzFile npz(file);
        QCOMPARE(npz.names(), (std::vector<std::string>{"a", "deep/b:0", "scalar", "turned"}));
        QVERIFY(at::equal(npz.array("a")->all(), a));
        QVERIFY(at::equal(npz.array("deep/b:0")->all(), b));
        QCOMPARE(npz.array("scalar")->all().dim(), std::int64_t(0));
        QVERIFY(at::equal(npz.array("turned")->all(), turned.contiguous()));
        QVERIFY(at::equal(npz.array("turned")->entry(2), turned.select(0, 2)));

        std::ostringstream again, npyBytes;
        writeNpz(again, {{"a", a}, {"deep/b:0", b}, {"scalar", scalar}, {"turned", turned}});
        QCOMPARE(again.str(), readFile(file));
        writeNpy(npyBytes, a);
        QCOMPARE(npyBytes.str().find('\n') % 64, std::size_t(63));
        QVERIFY(at::equal(open(npyBytes.str()).all(), a));
    }

    void deflatedInAnyOrder()
    {
        // Written by numpy.savez_compressed.
        const NpzFile npz(std::filesystem::path(QL_TEST_DATA "/pictures/expected.npz"));
        const auto array = npz.array("wide.png|");
        const at::Tensor all = npz.array("wide.png|")->all();
        for (const int k : {2, 0, 1}) QVERIFY(at::equal(array->entry(k), all.select(0, k)));
        QVERIFY(all.sum().item<double>() > 0);
    }

    void damagedArchive()
    {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("a.npz").toStdString();
        std::ostringstream out;
        writeNpz(out, {{"a", at::arange(1000, at::kFloat)}});
        const std::string good = out.str();
        writeFileAtomically(file, good.substr(0, good.size() / 2));
        QVERIFY(npyMessageOf([&] { NpzFile npz(file); }).find("a.npz") != std::string::npos);
        // A directory and a header that promise more than there is.
        std::string lying = good;
        const std::size_t directory = good.find("PK\1\2"), shape = good.find("(1000,)");
        for (const std::size_t at : {directory + 20, directory + 24})
            lying.replace(at, 4, raw<std::uint32_t>({0x7fffffff}));
        lying.replace(shape, 7, "(9000,)");
        writeFileAtomically(file, lying);
        QVERIFY(!npyMessageOf([&] { NpzFile(file).array("a")->all(); }).empty());
        // Damaged data: detected by the checksum.
        std::string flipped = good;
        flipped[good.size() / 2] = char(flipped[good.size() / 2] ^ 0x55);
        writeFileAtomically(file, flipped);
        QVERIFY(!npyMessageOf([&] { NpzFile(file).array("a")->all(); }).empty());
        writeFileAtomically(file, good);
        const std::string unknown = npyMessageOf([&] { NpzFile(file).array("b"); });
        QVERIFY2(unknown.find("It has: a") != std::string::npos, unknown.c_str());
        QVERIFY(npyMessageOf([&] { NpzFile("/nowhere/x.npz"); }).find("does not exist") != std::string::npos);
    }
};

QL_TEST(TestNpy)
#include "tst_npy.moc"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/npz.h"
#include "core/io/preprocess.h"
#include "tests/support/png_file.h"
#include "tests/support/test_main.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/from_blob.h>
#include <QtTest>
#include <cmath>
#include <filesystem>

using namespace ql;

static const std::filesystem::path images = QL_TEST_DATA "/pictures";

static Image load(const std::string &name)
{
    return decodeImage(readFile(images / name), name);
}

static Image twoByThree()
{
    Image image; // 3 wide, 2 high, grey: 0 10 20 / 30 40 50
    image.width = 3;
    image.height = 2;
    image.channels = 1;
    image.bytes = {0, 10, 20, 30, 40, 50};
    return image;
}

static QList<float> valuesOf(const at::Tensor &tensor)
{
    const at::Tensor flat = tensor.to(at::kFloat).contiguous();
    return QList<float>(flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
}

class TestPreprocess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Every case of expected.npz, made by Pillow. Bytes are equal, but where two JPEG decoders meet: 1 level.
    void likePillow_data()
    {
        QTest::addColumn<QByteArray>("image");
        QTest::addColumn<QByteArray>("steps");
        const NpzFile expected(images / "expected.npz");
        for (const std::string &name : expected.names()) {
            const std::size_t bar = name.find('|');
            QTest::newRow(name.c_str()) << QByteArray::fromStdString(name.substr(0, bar))
                                        << QByteArray::fromStdString(name.substr(bar + 1));
        }
    }
    void likePillow()
    {
        QFETCH(QByteArray, image);
        QFETCH(QByteArray, steps);
        const Preprocess preprocess(steps.toStdString());
        const at::Tensor got = preprocess.apply(load(image.toStdString()), image.toStdString());
        const at::Tensor want = NpzFile(images / "expected.npz").array((image + "|" + steps).toStdString())->all();
        QCOMPARE(got.sizes(), want.sizes());
        const bool jpeg = image.endsWith(".jpg");
        const double unit = steps.contains("std")      ? 1 / 255.0 / 0.224
                            : steps.contains("127.5;") ? 1 / 127.5
                            : steps.contains("1/255")  ? 1 / 255.0
                                                       : 1;
        const double worst = got.to(at::kDouble).sub(want.to(at::kDouble)).abs().max().item<double>();
        QVERIFY2(worst <= (jpeg ? 1.01 * unit : 1e-6), qPrintable(QString::number(worst)));
    }

    void cmyk()
    {
        // The same drawing in four inks: JPEG and ink conversion cost a few levels.
        const at::Tensor inks = Preprocess().apply(load("cmyk.jpg"), ""),
                         direct = Preprocess().apply(load("high.jpg"), "");
        QVERIFY(inks.to(at::kFloat).sub(direct.to(at::kFloat)).abs().mean().item<double>() < 12);
    }

    void byHand_data()
    {
        QTest::addColumn<QByteArray>("steps");
        QTest::addColumn<QList<float>>("values");
        const auto row = [](const char *steps, QList<float> values) {
            QTest::newRow(steps) << QByteArray(steps) << values;
        };
        row("gray", {0, 10, 20, 30, 40, 50});
        row("y", {0, 10, 20, 30, 40, 50});
        row("gray; scale 1/10", {0, 1, 2, 3, 4, 5});
        row("gray; scale 2; shift -10", {-10, 10, 30, 50, 70, 90});
        row("gray; mean 10; std 10", {-1, 0, 1, 2, 3, 4});
        row("gray; clip 5,45", {5, 10, 20, 30, 40, 45});
        row("gray; scale .1; gamma 2", {0, 1, 4, 9, 16, 25});
        row("gray; flip", {20, 10, 0, 50, 40, 30});
        row("gray; flip vertical", {30, 40, 50, 0, 10, 20});
        row("gray; rot 90", {30, 0, 40, 10, 50, 20});
        row("gray; rot 180", {50, 40, 30, 20, 10, 0});
        row("gray; rot 270", {20, 50, 10, 40, 0, 30});
        row("gray; crop 1x2", {10, 40});
        row("gray; crop 2", {0, 10, 30, 40});
        row("gray; pad 4x3 value 7", {0, 10, 20, 7, 30, 40, 50, 7, 7, 7, 7, 7});
        row("gray; pad multiple 2 value 1", {0, 10, 20, 1, 30, 40, 50, 1});
        row("gray; pad 5x2 center", {0, 0, 10, 20, 0, 0, 30, 40, 50, 0});
        row("gray; letterbox 3 pad 9", {0, 10, 20, 30, 40, 50, 9, 9, 9});
        row("gray; letterbox 3x4 pad 9 center", {9, 9, 9, 0, 10, 20, 30, 40, 50, 9, 9, 9});
        // Half as wide: the triangle spans 1.5 pixels to each side; weights (1, 2/3+1/3..) normalised.
        row("gray; pad 4x2; stretch 2x1 nearest", {40, 0});
        row(" GRAY ;; scale 1 / 1", {}); // blanks inside a factor are refused, see badSteps
    }
    void byHand()
    {
        QFETCH(QByteArray, steps);
        QFETCH(QList<float>, values);
        if (values.isEmpty()) {
            QVERIFY_EXCEPTION_THROWN(Preprocess(steps.toStdString()), Error);
            return;
        }
        const QList<float> got = valuesOf(Preprocess(steps.toStdString()).apply(twoByThree(), ""));
        QCOMPARE(got.size(), values.size());
        for (qsizetype i = 0; i < got.size(); ++i)
            QVERIFY2(std::abs(got[i] - values[i]) < 1e-5F, qPrintable(QString::number(i)));
    }

    void badSteps_data()
    {
        QTest::addColumn<QByteArray>("steps");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *steps, const char *says) {
            QTest::newRow(steps) << QByteArray(steps) << QByteArray(says);
        };
        row("rgb; reszie 256 short",
            "step 2 'reszie 256 short' at column 6: unknown step 'reszie'. Did you mean 'resize'?");
        row("crop", "expected a size");
        row("crop 0", "from 1 to 65536");
        row("crop 9999999999", "from 1 to 65536");
        row("crop 10x20x30", "expected a size");
        row("crop 10 20", "unexpected '20'");
        row("layout nhcw", "Did you mean");
        row("scale 1/0", "division by zero");
        row("scale a", "expected a number, got 'a'");
        row("mean .5,.5", "1 or 3 numbers");
        row("std 1,0,1", "division by zero");
        row("clip 1,0", "lower limit");
        row("rot 45", "one of 90, 180, 270");
        row("mean nan", "expected a number");
        row("resize 10x20 short", "unexpected 'short'");
    }
    void badSteps()
    {
        QFETCH(QByteArray, steps);
        QFETCH(QByteArray, says);
        try {
            Preprocess{steps.toStdString()};
            QFAIL("accepted");
        } catch (const Error &error) {
            QVERIFY2(std::string(error.what()).find(says.toStdString()) != std::string::npos, error.what());
            QCOMPARE(error.kind, ErrorKind::BadConfig);
        }
    }

    void imagesThatDoNotFit()
    {
        QVERIFY_EXCEPTION_THROWN(Preprocess("crop 10").apply(twoByThree(), "x.png"), Error);
        QVERIFY_EXCEPTION_THROWN(Preprocess("pad 2").apply(twoByThree(), "x.png"), Error);
        QVERIFY_EXCEPTION_THROWN(Preprocess("gray; mean 1,2,3").apply(twoByThree(), "x.png"), Error);
    }

    void arrays()
    {
        std::vector<std::uint8_t> bytes(2 * 4 * 3);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::uint8_t(i);
        const at::Tensor hwc = at::from_blob(bytes.data(), {2, 4, 3}, at::TensorOptions(at::kByte)).clone();
        const at::Tensor got = Preprocess("scale 1/255; mean 0,0,1").apply(hwc, "");
        QCOMPARE(got.sizes(), at::IntArrayRef({3, 2, 4}));
        QVERIFY(std::abs(got.select(0, 2).select(0, 1).select(0, 3).item<float>() - (23.0F / 255 - 1)) < 1e-6F);
        const at::Tensor chw = hwc.permute({2, 0, 1}).contiguous();
        QVERIFY(at::equal(Preprocess("scale 1/255; mean 0,0,1").apply(chw, ""), got));
        QVERIFY(at::equal(Preprocess().apply(hwc, ""), hwc));
        // Value steps with one number apply to any shape, such as a list of audio samples.
        const at::Tensor line = hwc.reshape({24});
        QCOMPARE(Preprocess("scale 1/2").apply(line, "").select(0, 5).item<float>(), 2.5F);
        QVERIFY_EXCEPTION_THROWN(Preprocess("crop 2").apply(line, "x.npy"), Error);
    }

    void exifOrientation_data()
    {
        QTest::addColumn<int>("orientation");
        QTest::addColumn<bool>("littleEndian");
        for (int orientation = 1; orientation <= 8; ++orientation)
            QTest::addRow("%d", orientation) << orientation << (orientation % 2 == 0);
    }
    void exifOrientation()
    {
        QFETCH(int, orientation);
        QFETCH(bool, littleEndian);
        const std::string jpeg = readFile(images / "high.jpg");
        const auto number = [&](std::uint32_t value, int bytes) {
            std::string out;
            for (int i = 0; i < bytes; ++i) out += char(value >> 8 * (littleEndian ? i : bytes - 1 - i));
            return out;
        };
        std::string exif("Exif\0\0", 6);
        exif += littleEndian ? "II" : "MM";
        exif += number(42, 2) + number(8, 4) + number(2, 2);                                   // two entries
        exif += number(0x0100, 2) + number(3, 2) + number(1, 4) + number(7, 2) + number(0, 2); // ImageWidth
        exif += number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2);
        exif += number(0, 4);
        const std::string length = {char((exif.size() + 2) >> 8), char(exif.size() + 2)};
        const Image stored = decodeImage(jpeg, "stored.jpg");
        const Image seen = decodeImage(jpeg.substr(0, 2) + "\xff\xe1" + length + exif + jpeg.substr(2), "seen.jpg");
        const auto tensor = [](const Image &image) {
            at::Tensor out = at::empty({image.height, image.width, 3}, at::kByte);
            std::copy(image.bytes.begin(), image.bytes.end(), out.data_ptr<std::uint8_t>());
            return out;
        };
        const at::Tensor x = tensor(stored); // by rotations and mirrors, as the standard describes the eight
        const at::Tensor expected[] = {
            x,         x.flip({1}), x.rot90(2), x.flip({0}), x.transpose(0, 1), x.rot90(-1), x.rot90(2).transpose(0, 1),
            x.rot90(1)};
        QVERIFY(at::equal(tensor(seen), expected[orientation - 1]));
    }

    void formsOfPng_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("expected"); // of 2 x 3 pixels, one channel or three
        const auto row = [](const char *name, int depth, int colour, const std::string &stored,
                            const std::string &seen) {
            QTest::newRow(name) << QByteArray::fromStdString(smallPng(depth, colour, stored))
                                << QByteArray::fromStdString(seen);
        };
        row("grey", 8, 0, "abcdef", "abcdef");
        row("grey of 1 bit", 1, 0, std::string("\x40\x80\xc0"), std::string("\0\xff\xff\0\xff\xff", 6));
        row("grey of 2 bits", 2, 0, std::string("\x10\x60\xb0"), std::string("\0\x55\x55\xaa\xaa\xff", 6));
        row("grey of 16 bits", 16, 0,
            "a\xff"
            "b\xff"
            "c\xff"
            "d\xff"
            "e\xff"
            "f\xff",
            "abcdef");
        row("grey with alpha", 8, 4, std::string("a\0b\1c\2d\3e\4f\5", 12), "abcdef");
        row("colours", 8, 2, "abcdefghijklmnopqr", "abcdefghijklmnopqr");
        row("colours with alpha", 8, 6, std::string("abc\0def\1ghi\2jkl\3mno\4pqr\5", 24), "abcdefghijklmnopqr");
        row("palette of 4 bits", 4, 3, std::string("\x01\x12\x20", 3),
            std::string("\0\1\2\xa\xb\xc\xa\xb\xc\x14\x15\x16\x14\x15\x16\0\1\2", 18));
    }
    void formsOfPng()
    {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, expected);
        const Image image = decodeImage(content.toStdString(), "a.png");
        QCOMPARE(image.width, 2);
        QCOMPARE(image.height, 3);
        QCOMPARE(QByteArray(reinterpret_cast<const char *>(image.bytes.data()), qsizetype(image.bytes.size())),
                 expected);
        for (const qsizetype size : {content.size() - 1, content.size() - 14, qsizetype(40)})
            QVERIFY_EXCEPTION_THROWN(decodeImage(content.left(size).toStdString(), "cut.png"), Error);
        content[content.size() - 20] = char(content[content.size() - 20] ^ 1); // in the data or their checksum
        QVERIFY_EXCEPTION_THROWN(decodeImage(content.toStdString(), "damaged.png"), Error);
    }

    void damagedImages()
    {
        for (const char *name : {"high.jpg", "wide.png", "wide.bmp", "wide.ppm"}) {
            const std::string good = readFile(images / name);
            QVERIFY_EXCEPTION_THROWN(decodeImage(good.substr(0, good.size() / 2), name), Error);
            QVERIFY_EXCEPTION_THROWN(decodeImage(good.substr(0, 10), name), Error);
        }
        QVERIFY_EXCEPTION_THROWN(decodeImage("", "empty.png"), Error);
        QVERIFY_EXCEPTION_THROWN(decodeImage("hello", "text.jpg"), Error);
        // 65535 x 65535 pixels are refused before memory is taken.
        try {
            decodeImage(pngHeader(65535, 65535, 8, 2) + pngChunk("IDAT", ""), "huge.png");
            QFAIL("accepted");
        } catch (const Error &error) {
            QVERIFY2(std::string(error.what()).find("65535x65535") != std::string::npos, error.what());
        }
        std::string wide = readFile(images / "high.jpg");
        const std::size_t frame = wide.find("\xff\xc0");
        wide.replace(frame + 5, 4, "\xff\xf0\xff\xf0");
        QVERIFY_EXCEPTION_THROWN(decodeImage(wide, "huge.jpg"), Error);
    }
};

QL_TEST(TestPreprocess)
#include "tst_preprocess.moc"

// Metrics from labels against values computed by hand, and where the noise comes from, on the sample.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/image.h"
#include "core/io/placement.h"
#include "core/metric/detection.h"
#include "core/metric/metric.h"
#include "core/report/html_report.h"
#include "core/report/table_text.h"
#include "core/session/run.h"
#include "core/tune/cost_table.h"
#include "tests/support/error_of.h"
#include "tests/support/png_file.h"
#include "tests/support/sample_recipe.h"
#include "tests/support/test_main.h"

#include <ATen/ops/one_hot.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

using namespace ql;
using nlohmann::json;
using ql::test::messageOf;
namespace fs = std::filesystem;

class TestMetrics : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_temporary;

    fs::path file(const char *name, const std::string &content) const
    {
        const fs::path path = fs::path(m_temporary.path().toStdString()) / name;
        writeFileAtomically(path, content);
        return path;
    }
    api::Recipe sample() const { return test::sampleRecipe(8, 24); }
    RunResult run(const api::Recipe &recipe) const
    {
        RunOptions options;
        options.base = test::sampleFolder;
        return runRecipe(recipe, options, {});
    }
    static std::unique_ptr<OutputMetric> open(const std::string &id, const fs::path &labels,
                                              const json &params = json::object())
    {
        api::Recipe recipe;
        recipe.metric = {id, labels.string(), params};
        return openMetric(recipe, ".")->make();
    }

private Q_SLOTS:
    void averagePrecision()
    {
        const std::vector<LabelledObject> wanted{{0, {0, 0, 10, 10}}, {0, {20, 20, 30, 30}}, {1, {0, 0, 4, 4}}};
        AveragePrecision half({0.5}), strict({0.9});
        // Class 0: right, wrong, right: precision 1 up to recall 0.5 (51 levels), then 2/3. Class 1: not found.
        const std::vector<Detection> found{
            {0, 0.9, {0, 0, 10, 9}}, {0, 0.8, {50, 50, 60, 60}}, {0, 0.7, {20, 20, 30, 28}}};
        half.add(found, wanted);
        strict.add(found, wanted);
        const double first = (51 + 50 * 2.0 / 3) / 101;
        QVERIFY(std::abs(half.value() - first / 2) < 1e-9);
        QVERIFY(std::abs(strict.value() - 51.0 / 101 / 2) < 1e-9); // only the first box overlaps by 0.9
    }

    /// As COCO's reference implementation: boxes in a crowd do not count, but objects take precedence.
    void crowds()
    {
        const std::vector<LabelledObject> wanted{
            {0, {0, 0, 40, 40}, true}, {0, {20, 20, 30, 30}}, {0, {60, 0, 70, 10}}, {2, {0, 0, 9, 9}, true}};
        const std::vector<Detection> found{{0, 0.9, {1, 1, 9, 9}},     // in the crowd
                                           {0, 0.8, {20, 20, 30, 29}}, // the object in it
                                           {0, 0.7, {20, 20, 30, 30}}, // again: in the crowd
                                           {0, 0.6, {35, 35, 50, 50}}, // less than half of it is in the crowd
                                           {1, 0.9, {1, 1, 9, 9}},     // a class without objects
                                           {0, 0.5, {60, 0, 70, 10}}};
        AveragePrecision precision({0.5});
        precision.add(found, wanted);
        // right, wrong, right; class 2 has no objects
        QVERIFY(std::abs(precision.value() - (51 + 50 * 2.0 / 3) / 101) < 1e-9);
    }

    /// COCO's levels are multiples of 0.01, of which 35 are more than 35 / 100.
    void levelsOfRecall()
    {
        AveragePrecision precision({0.5});
        for (int i = 0; i < 100; ++i) {
            std::vector<Detection> found;
            if (i < 35) found.push_back({0, 1.0, {0, 0, 1, 1}});
            precision.add(found, {{0, {0, 0, 1, 1}}});
        }
        QVERIFY(std::abs(precision.value() - 35.0 / 101) < 1e-9); // levels 0 to 0.34
    }

    /// The remedy is not to name a head if one is named.
    void otherHead()
    {
        HeadOptions options;
        const auto remedy = [&] {
            try {
                detectionsIn({at::zeros({1, 10})}, 16, 8, 1, options);
            } catch (const Error &error) {
                return error.remedy.english();
            }
            return std::string();
        };
        options.head = DetectionHead::Auto;
        QVERIFY(remedy().find("Name it") != std::string::npos);
        options.head = DetectionHead::Yolox;
        QVERIFY(remedy().find("Without it") != std::string::npos);
    }

    void heads()
    {
        HeadOptions options;
        options.strides = {8};
        // Two cells of 8 pixels; the second one holds a box of 8 x 16 around (12, 4)
        at::Tensor yolox = at::zeros({1, 2, 7});
        yolox[0][1] = at::tensor({0.5f, 0.5f, 0.0f, std::log(2.0f), 1.0f, 0.0f, 0.75f});
        options.head = DetectionHead::Yolox;
        std::vector<Detection> found = detectionsIn({yolox}, 16, 8, 1, options).at(0);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].label, std::int64_t(1));
        QCOMPARE(found[0].score, 0.75);
        for (std::size_t c = 0; c < 4; ++c) QVERIFY(std::abs(found[0].box[c] - Box{8, -4, 16, 12}[c]) < 1e-5);
        // Corners as parts of the input; the background comes first; the weaker box is the same object
        const at::Tensor boxes = at::tensor({0.f, 0.f, .5f, 1.f, 0.f, 0.f, .5f, .9f}).reshape({1, 2, 4});
        const at::Tensor scores = at::tensor({.1f, .9f, .4f, .6f}).reshape({1, 2, 2});
        options.head = DetectionHead::Auto;
        found = detectionsIn({scores, boxes}, 16, 8, 1, options).at(0);
        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY((found[0].box == Box{0, 0, 8, 8}));
        // Finished rows: image, class, score, corners
        const at::Tensor rows = at::tensor({0.f, 2.f, .5f, .5f, 0.f, 1.f, 1.f}).reshape({1, 1, 1, 7});
        found = detectionsIn({rows}, 16, 8, 1, options).at(0);
        QCOMPARE(found.at(0).label, std::int64_t(1));
        QVERIFY((found[0].box == Box{8, 0, 16, 8}));
        // In several outputs, in any order, filled up to a fixed number
        const at::Tensor corners = at::tensor({8.f, 0.f, 16.f, 8.f, 0.f, 0.f, 4.f, 4.f}).reshape({1, 2, 4}),
                         sure = at::tensor({.5f, .25f}).reshape({1, 2}),
                         kinds = at::tensor({3, 1}, at::kInt).reshape({1, 2}),
                         used = at::tensor({1}, at::kInt).reshape({1, 1});
        for (const at::Tensor &classes : {kinds, kinds.to(at::kFloat)}) {
            found = detectionsIn({used, corners, classes, sure}, 16, 8, 1, options).at(0);
            QCOMPARE(found.size(), std::size_t(1));
            QVERIFY(found[0].label == 3 && found[0].score == 0.5);
            QVERIFY((found[0].box == Box{8, 0, 16, 8}));
        }
        QCOMPARE(detectionsIn({corners[0], kinds[0], sure[0]}, 16, 8, 1, options).at(0).size(), std::size_t(2));
        QVERIFY(detectionsIn({at::zeros({0, 4}), at::zeros({0}, at::kLong), at::zeros({0})}, 16, 8, 1, options)
                    .at(0)
                    .empty());
        QVERIFY(messageOf([&] { detectionsIn({at::zeros({3})}, 16, 8, 1, options); }).contains("known detector"));
    }

    /// One class, or two: as many columns as objects after suppression have.
    void headsOfFewClasses()
    {
        HeadOptions options;
        options.strides = {8};
        at::Tensor yolox = at::zeros({1, 2, 6});
        yolox[0][1] = at::tensor({0.5f, 0.5f, 0.0f, std::log(2.0f), 1.0f, 0.75f});
        std::vector<Detection> found = detectionsIn({yolox}, 16, 8, 1, options).at(0);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].score, 0.75);
        for (std::size_t c = 0; c < 4; ++c) QVERIFY(std::abs(found[0].box[c] - Box{8, -4, 16, 12}[c]) < 1e-5);
        at::Tensor yolo = at::zeros({1, 6, 7}); // three anchors for each cell
        yolo[0][4] = at::tensor({12.f, 4.f, 8.f, 16.f, 1.f, 0.f, .5f});
        found = detectionsIn({yolo}, 16, 8, 1, options).at(0);
        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY(found[0].label == 1 && found[0].score == 0.5);
        QVERIFY((found[0].box == Box{8, -4, 16, 12}));
        const at::Tensor finished = at::tensor({8.f, 0.f, 16.f, 8.f, .5f, 1.f}).reshape({1, 1, 6});
        QVERIFY((detectionsIn({finished}, 16, 8, 1, options).at(0).at(0).box == Box{8, 0, 16, 8}));
    }

    /// Class 0 of the model is the background, which labels do not have.
    void backgroundIsNoLabel()
    {
        const fs::path labels =
            file("boxes.json", R"({"images": [{"id": 1, "file_name": "a.png", "width": 16, "height": 8}],
            "categories": [{"id": 7}], "annotations": [{"image_id": 1, "category_id": 7, "bbox": [8, 0, 8, 8]}]})");
        const at::Tensor boxes = at::tensor({8.f, 0.f, 16.f, 8.f}).reshape({1, 4}), kind = at::tensor({1}, at::kLong),
                         sure = at::tensor({0.5f});
        for (const auto &[first, value] : {std::pair(0, 0.0), std::pair(-1, 1.0)}) {
            const auto ap = open("ap50", labels, {{"first_class", first}});
            ap->add({boxes, kind, sure}, {{"x", at::zeros({1, 3, 8, 16})}}, {"a.png"});
            QCOMPARE(*ap->value(), value);
        }
    }

    /// A box, also with a score; an outline, as for segmentation; the names that labelImg writes next to them.
    void yoloFiles()
    {
        fs::create_directories(fs::path(m_temporary.path().toStdString()) / "yolo");
        api::Recipe recipe = sample(); // images of 32 x 32 pixels
        recipe.metric = {"ap50", file("yolo/classes.txt", "cat\ndog\n").parent_path().string(), json::object()};
        const auto open = [&](const std::string &line) {
            file("yolo/000_circle.txt", line);
            return openMetric(recipe, test::sampleFolder)->make();
        };
        const at::Tensor boxes = at::tensor({16.f, 0.f, 32.f, 32.f}).reshape({1, 4}), kind = at::tensor({1}, at::kLong),
                         sure = at::tensor({0.5f});
        for (const char *line :
             {"1 0.75 0.5 0.5 1\n", " 1 0.75 0.5 0.5 1 0.9 \r\n", "1 0.5 0.5 0.75 0 1 0.25 0.75 1\n"}) {
            const auto ap = open(line);
            ap->add({boxes, kind, sure}, {{"x", at::zeros({1, 3, 32, 32})}}, {"000_circle.png"});
            QCOMPARE(*ap->value(), 1.0);
        }
        for (const char *line : {"1 0.75 0.5 0.5", "1 0.5 0.5 0.75 0 1 0.25 0.75", "1 0.75 0.5 0.5 wide"})
            QVERIFY(messageOf([&] { open(line); }).contains("class and corners"));
    }

    void placement()
    {
        const Placement box = placementOf("bgr; letterbox 416 pad 114; scale 1/255", 640, 480);
        QCOMPARE(box.scaleX, 0.65);
        QCOMPARE(box.top, 0.0);
        const Placement centred = placementOf("letterbox 416 center", 640, 480);
        QCOMPARE(centred.top, 52.0);
        QCOMPARE(centred.shownHeight, 312);
        const Placement cropped = placementOf("resize 256 short; crop 224", 512, 256);
        QCOMPARE(cropped.left, -144.0);
        QCOMPARE(cropped.top, -16.0);
        QVERIFY(messageOf([] { placementOf("rot 90", 10, 10); }).contains("rot 90"));
    }

    void textAndTokens()
    {
        file("alphabet.txt", "a\nb\n \n");
        const fs::path labels = file("texts.txt", "one.png ab b\n");
        const json params = {{"characters", "alphabet.txt"}};
        const auto cer = open("cer", labels, params), wer = open("wer", labels, params);
        // a, a again, blank, b, space, a: "ab a"
        const at::Tensor output = at::tensor({1, 1, 0, 2, 3, 1}, at::kLong).reshape({1, 6});
        cer->add({output}, {}, {"one.png"});
        wer->add({output}, {}, {"one.png"});
        QCOMPARE(*cer->value(), 0.25);
        QCOMPARE(*wer->value(), 0.5);
        // Names with spaces, before a tab; scores with the steps first
        const auto named = open("cer", file("tabs.txt", "photo one.png\tab b\n"), params);
        const at::Tensor indices = at::tensor({1, 1, 0, 2, 3, 2}, at::kLong);
        named->add({at::one_hot(indices, 4).to(at::kFloat).reshape({6, 1, 4})}, {}, {"photo one.png"});
        QCOMPARE(named->samples(), std::int64_t(1));
        QCOMPARE(*named->value(), 0.0);
        const auto loss = open("loss", {}), perplexity = open("perplexity", {});
        const Feed feed{{"tokens", at::tensor({0, 1, 2}, at::kLong).reshape({1, 3})}};
        loss->add({at::zeros({1, 3, 4})}, feed, {"t[0]"});
        perplexity->add({at::zeros({1, 3, 4})}, feed, {"t[0]"});
        QVERIFY(std::abs(*loss->value() - std::log(4.0)) < 1e-12 && std::abs(*perplexity->value() - 4) < 1e-12);
    }

    /// As exported by libraries of transformers: the tokens are not the first input by name, and the end is padding.
    void tokensNextToTheirMask()
    {
        const auto row = [](std::initializer_list<std::int64_t> values) {
            return at::tensor(values, at::kLong).reshape({1, -1});
        };
        const Feed feed{{"attention_mask", row({1, 1, 1, 0})},
                        {"input_ids", row({3, 2, 0, 3})},
                        {"position_ids", row({0, 1, 2, 3})}};
        at::Tensor scores = at::zeros({1, 4, 4});
        scores[0][0][2] = scores[0][1][0] = 100; // both tokens that follow are certain
        const auto loss = open("loss", {});
        loss->add({scores}, feed, {"t[0]"});
        QVERIFY2(std::abs(*loss->value()) < 1e-9, qPrintable(QString::number(*loss->value())));
    }

    void masks()
    {
        // 2 x 2 pixels of classes 0, 1, 1 and ignored
        file("masks.pgm", ""); // another name: no label
        const fs::path folder = fs::path(m_temporary.path().toStdString()) / "masks";
        fs::create_directory(folder);
        writeFileAtomically(folder / "a.pgm", std::string("P5 2 2 255\n") + std::string("\x00\x01\x01\xff", 4));
        const auto miou = open("miou", folder);
        at::Tensor scores = at::zeros({1, 2, 2, 2});
        scores[0][1][0][1] = 1; // said: 0 1 / 0 0
        miou->add({scores.contiguous()}, {}, {"a.png"});
        QCOMPARE(miou->samples(), std::int64_t(1));
        QVERIFY(std::abs(*miou->value() - 0.5) < 1e-9); // class 0: 1 of 2, class 1: 1 of 2
        QVERIFY(messageOf([&] { miou->add({scores}, {}, {"a.png", "b.png"}); }).contains("1 images for 2 samples"));
        // More classes than pixels in a row
        at::Tensor many = at::zeros({1, 5, 2, 2});
        many[0][1] = 1;
        const auto square = open("miou", folder);
        square->add({many}, {}, {"a.png"});
        QVERIFY(std::abs(*square->value() - 1.0 / 3) < 1e-9); // class 0: 0 of 1, class 1: 2 of 3
        miou->add({scores}, {}, {"other.png"});
        QCOMPARE(miou->samples(), std::int64_t(1));
    }

    /// Mask of 3 rows and 2 columns: 0 1 / 1 2 / 2 2.
    void masksOfOtherFormats_data()
    {
        QTest::addColumn<QByteArray>("content");
        const QByteArray pixels("\x00\x01\x01\x02\x02\x02", 6);
        QTest::newRow("PGM up to 255") << "P5 2 3 255\n" + pixels;
        QTest::newRow("PGM up to 2") << "P5 2 3 2\n" + pixels;
        const std::string tight("\0\x01\x01\x02\x02\x02", 6);
        const auto row = [](const char *name, const std::string &png) {
            QTest::newRow(name) << QByteArray::fromStdString(png);
        };
        row("grey PNG", smallPng(8, 0, tight));
        row("PNG with a palette", smallPng(8, 3, tight));
        row("grey PNG of 2 bits", smallPng(2, 0, std::string("\x10\x60\xa0", 3)));
        row("PNG with a palette of 4 bits", smallPng(4, 3, std::string("\x01\x12\x22", 3)));
        row("grey PNG of 16 bits", smallPng(16, 0, std::string("\0\0\0\x01\0\x01\0\x02\0\x02\0\x02", 12)));
        row("grey PNG with alpha", smallPng(8, 4, std::string("\0\x09\x01\0\x01\xff\x02\x09\x02\x09\x02\x09", 12)));
    }
    void masksOfOtherFormats()
    {
        QFETCH(QByteArray, content);
        QTemporaryDir folder;
        const fs::path path(folder.path().toStdString());
        writeFileAtomically(path / "a.png", content.toStdString());
        const auto miou = open("miou", path);
        const at::Tensor classes = at::tensor({0, 1, 1, 2, 2, 2}, at::kLong).reshape({1, 3, 2});
        miou->add({classes}, {}, {"a.png"});
        QCOMPARE(*miou->value(), 1.0);
    }

    /// The numbers of classes, not the shades.
    void numbersOfImages()
    {
        const auto wide = [](int value) { // 16 bits
            return std::string("P5 1 1 65535\n") + char(value >> 8) + char(value & 255);
        };
        QCOMPARE(int(decodeNumbers(wide(200), "a").bytes.at(0)), 200);
        QVERIFY(messageOf([&] { decodeNumbers(wide(300), "a"); }).contains("a pixel is 300"));
        const std::string large("\0\0\0\x01\x01\x2c\0\x02\0\x02\xff\xff", 12);
        QVERIFY(messageOf([&] { decodeNumbers(smallPng(16, 0, large), "a"); }).contains("a pixel is 300"));
        QVERIFY(messageOf([&] { decodeNumbers(smallPng(8, 2, std::string(18, 1)), "a"); }).contains("grey image"));
        QVERIFY(messageOf([&] { decodeNumbers(std::string("P6 1 1 255\n") + "abc", "a"); }).contains("grey image"));
    }

    /// The proportions of the input decide, not which axis is shorter.
    void moreClassesThanColumns()
    {
        QTemporaryDir folder;
        const fs::path path(folder.path().toStdString());
        writeFileAtomically(path / "a.pgm", std::string("P5 2 3 255\n") + std::string("\x00\x01\x01\x02\x02\x02", 6));
        const Feed feed{{"image", at::zeros({1, 3, 30, 20})}}, last{{"image", at::zeros({1, 30, 20, 3})}};
        at::Tensor scores = at::zeros({1, 4, 3, 2});
        const std::vector<int> classes{0, 1, 1, 2, 2, 2};
        for (int i = 0; i < 6; ++i) scores[0][classes[std::size_t(i)]][i / 2][i % 2] = 1;
        for (const auto &[output, given] : {std::pair(scores, feed), std::pair(scores.permute({0, 2, 3, 1}), last)}) {
            const auto miou = open("miou", path);
            miou->add({output}, given, {"a.png"});
            QCOMPARE(*miou->value(), 1.0);
        }
    }

    /// Of a single channel: the probability of the only class, or numbers of classes.
    void masksOfOneChannel()
    {
        QTemporaryDir folder;
        const fs::path path(folder.path().toStdString());
        writeFileAtomically(path / "a.pgm", std::string("P5 2 2 255\n") + std::string("\x00\x01\x01\x00", 4));
        const at::Tensor sure = at::tensor({.25f, .75f, .9f, .1f}), logits = at::tensor({-2.5f, .25f, .5f, -1.f});
        const auto valueOf = [&](const at::Tensor &values, const json &params) {
            const auto miou = open("miou", path, params);
            miou->add({values}, {{"image", at::zeros({1, 3, 8, 8})}}, {"a.png"});
            return *miou->value();
        };
        QCOMPARE(valueOf(sure.reshape({1, 1, 2, 2}), json::object()), 1.0);
        QCOMPARE(valueOf(sure.reshape({1, 2, 2, 1}), json::object()), 1.0);
        QCOMPARE(valueOf(sure.reshape({1, 2, 2}), json::object()), 1.0);
        QCOMPARE(valueOf(sure.round().reshape({1, 1, 2, 2}), {{"threshold", 2}}), 1.0); // classes as floats
        QCOMPARE(valueOf(logits.reshape({1, 1, 2, 2}), {{"threshold", 0}}), 1.0);
        QVERIFY(valueOf(logits.reshape({1, 1, 2, 2}), json::object()) < 1);
    }

    void classesAreNumbers_data()
    {
        QTest::addColumn<QString>("line");
        QTest::newRow("a word") << "b.png tabby_cat";
        QTest::newRow("a fraction") << "b.png 1.5";
        QTest::newRow("no class") << "b.png";
    }
    void classesAreNumbers()
    {
        QFETCH(QString, line);
        QTemporaryDir folder;
        const fs::path labels = fs::path(folder.path().toStdString()) / "labels.txt";
        std::ofstream(labels) << "a.png 3\n\n" << line.toStdString() << "\n";
        api::Recipe recipe;
        recipe.metric = {"topk", labels.string(), json::object()};
        try {
            openMetric(recipe, ".");
            QFAIL("words are no classes");
        } catch (const Error &error) {
            QCOMPARE(error.file, labels.string());
            QVERIFY(error.message.english().find("line 3: expected a file name and the number of its class") == 0);
            QVERIFY(error.remedy.english().find("indices") != std::string::npos);
        }
    }

    void labelsBeyondTheOutputNameTheirFile()
    {
        QTemporaryDir folder;
        const fs::path labels = fs::path(folder.path().toStdString()) / "labels.txt";
        std::ofstream(labels) << "a.png 7\n";
        api::Recipe recipe;
        recipe.metric = {"topk", labels.string(), {{"k", 1}}};
        const auto metric = openMetric(recipe, ".")->make();
        try {
            metric->add({at::zeros({1, 5})}, {}, {"a.png"});
            QFAIL("there are only 5 classes");
        } catch (const Error &error) {
            QCOMPARE(error.file, labels.string());
        }
    }

    /// Samples are known by their file names without folder and extension.
    void samplesOfOneName()
    {
        QVERIFY(open("topk", file("same.txt", "a/1.png 3\nb/1.png 3\n"), {{"k", 1}}));
        const QString found = messageOf([&] { open("topk", file("two.txt", "a/1.png 3\nb/1.png 4\n"), {{"k", 1}}); });
        QVERIFY2(found.contains("line 2: '1' has class 4 and, in a line before it, 3"), qPrintable(found));
    }

    void oneOfTheRun()
    {
        api::Recipe recipe = sample();
        recipe.analyses = {{"outputs", true, "", json::object()}};
        const api::Metric top1 = run(recipe).report.measures.outputs->at(0).metric.value();
        recipe.metric = {"topk", "eval/labels.txt", {{"k", 1}}};
        const api::Metric topk = run(recipe).report.measures.outputs->at(0).metric.value();
        QCOMPARE(topk.fp32, top1.fp32);
        QCOMPARE(topk.quantized, top1.quantized);
        QCOMPARE(topk.samples, top1.samples);
        std::string some; // labels for a third of the samples
        std::istringstream lines(readFile(test::sampleFolder / "eval/labels.txt"));
        int number = 0;
        for (std::string line; std::getline(lines, line);)
            if (number++ % 3 == 0) some += line + "\n";
        recipe.metric.labels = file("some.txt", some).string();
        const api::Report partly = run(recipe).report;
        const std::int64_t counted = partly.measures.outputs->at(0).metric->samples;
        QVERIFY(counted > 0 && counted < 24);
        const std::string message =
            "the metric topk counts " + std::to_string(counted) + " of 24 samples: the others have no label";
        QVERIFY(std::any_of(partly.problems.begin(), partly.problems.end(),
                            [&](const api::Problem &problem) { return problem.message.english() == message; }));
        recipe.metric.labels = "eval/labels.txt";
        recipe.metric.params = {{"k", 1000}};
        QVERIFY(messageOf([&] { run(recipe); }).contains("k is 1000, but the output has only"));
        recipe.metric.labels.clear();
        QVERIFY(messageOf([&] { run(recipe); }).contains("needs labels"));
        recipe.metric = {"", "eval/labels.txt", json::object()};
        const QString unused = messageOf([&] { openMetric(recipe, "."); });
        QVERIFY2(unused.contains("no metric uses them") && unused.contains("topk"), qPrintable(unused));
        recipe.metric = {"ap5", "eval/labels.txt", json::object()};
        QVERIFY(messageOf([&] { run(recipe); }).contains("ap5"));
        const api::Recipe read = json(recipe).get<api::Recipe>();
        QVERIFY(read == recipe);
    }

    void noiseOfEachTensor()
    {
        api::Recipe recipe = sample();
        recipe.evaluation.samples = 8;
        recipe.analyses = {{"layerwise", true, "", {{"operations", "all"}}}, {"explanation", true, "", json::object()}};
        const RunResult exact = run(recipe);
        const std::vector<api::NoiseRow> noise = exact.report.measures.noise.value();
        QVERIFY(noise.size() > 5 && !noise.front().isEstimated && noise.back().isEstimated);
        QVERIFY(std::is_sorted(noise.begin(), noise.end(), [](const auto &a, const auto &b) {
            return a.noiseRatio.value_or(0) > b.noiseRatio.value_or(0);
        }));
        // Nothing can be measured in no time: estimates, which rank operations as measurements do
        recipe.analyses = {{"layerwise", true, "", {{"seconds", 1e-9}}}};
        const RunResult estimated = run(recipe);
        const auto rowsOf = [](const RunResult &result) {
            std::map<std::string, double> rows;
            for (const api::ErrorRow &row : *result.report.measures.layerwise)
                rows[row.op] = row.noiseRatio.value_or(0);
            return rows;
        };
        const auto a = rowsOf(exact), b = rowsOf(estimated);
        QCOMPARE(a.size(), b.size());
        QVERIFY(estimated.report.measures.layerwise->front().isEstimated);
        int agree = 0, pairs = 0;
        for (const auto &[x, noiseX] : a)
            for (const auto &[y, noiseY] : a) {
                if (!(noiseX > 2 * noiseY)) continue;
                ++pairs;
                agree += b.at(x) > b.at(y);
            }
        QVERIFY2(pairs > 10 && agree >= 0.85 * pairs, qPrintable(QString("%1 of %2").arg(agree).arg(pairs)));
        const api::Explanation explained = exact.report.measures.explanation.value();
        QCOMPARE(explained.samples.size(), std::size_t(8));
        const api::NoiseOrigin &last = explained.operations.back();
        QCOMPARE(last.samples.size(), std::size_t(8));
        QVERIFY(last.noiseRatio && last.inputs.at(0).noiseRatio);
        const api::NoiseOrigin &first = explained.operations.front(); // nothing comes in from the float input
        QVERIFY(first.inputs.at(0).noiseRatio == 0.0 && std::abs(*first.added - *first.noiseRatio) < 1e-6);
        const api::Confidence &output = explained.outputs.at(0);
        QVERIFY(*output.sqnrLow <= *output.sqnrHigh && *output.worstDb <= *output.sqnrHigh);
        recipe.analyses = {{"explanation", true, "", json::object()}};
        json noActivations = recipe;
        noActivations["overrides"] = json::parse(R"([{"match": {"role": "input"}, "set": {"state": "fp32"}},
                                                     {"match": {"role": "output"}, "set": {"state": "fp32"}}])");
        const RunResult ofWeights = run(noActivations.get<api::Recipe>());
        const api::Explanation same = ofWeights.report.measures.explanation.value();
        QVERIFY(!same.outputs.at(0).activationsDb && output.activationsDb && *output.activationsDb > *output.weightsDb);
        QVERIFY(std::abs(*output.weightsDb - *same.outputs.at(0).weightsDb) < 1e-6);
        QVERIFY(std::abs(*output.weightsDb - *ofWeights.report.measures.outputs->at(0).sqnrDb) < 0.1); // with biases
        QCOMPARE(explained.worst.size(), std::size_t(8));
        const api::NoisySample &worst = explained.worst.front();
        QVERIFY(explained.samples.at(worst.index) == worst.name && worst.name == output.worstSample);
        QVERIFY(std::abs(-10 * std::log10(*worst.noiseRatio) - *output.worstDb) < 1e-9);
        const std::string html = htmlReport(exact.report);
        QVERIFY(html.find("src=\"data:image/png;base64," + worst.image) != std::string::npos);
        const Image image =
            decodeImage(QByteArray::fromBase64(QByteArray::fromStdString(worst.image)).toStdString(), "worst");
        const Image original = decodeImage(readFile(test::sampleFolder / "eval" / worst.name), worst.name);
        QVERIFY(image.width == original.width && image.channels == original.channels && image.bytes == original.bytes);
        QVERIFY(html.find("id=noise") != std::string::npos && html.find("id=explanation") != std::string::npos);
    }

    void unmeasuredOperationsAreEstimated()
    {
        api::Recipe recipe = sample();
        recipe.evaluation.samples = 8;
        recipe.analyses = {{"layerwise", true, "", {{"operations", "all"}}}};
        const std::vector<api::ErrorRow> all = run(recipe).report.measures.layerwise.value();
        recipe.analyses = {{"layerwise", true, "", json::object()}};
        const std::vector<api::ErrorRow> rows = run(recipe).report.measures.layerwise.value();
        std::size_t at = 0, estimated = 0;
        for (const api::ErrorRow &exact : all) { // in the same order
            if (at == rows.size() || rows[at].op != exact.op) {
                QCOMPARE(exact.noiseRatio.value(), 0.0); // nothing of it is rounded
                continue;
            }
            const api::ErrorRow &row = rows[at++];
            QCOMPARE(row.isEstimated, !row.cosine.has_value());
            if (!row.isEstimated) {
                QVERIFY(row.noiseRatio == exact.noiseRatio && row.cosine == exact.cosine);
                continue;
            }
            ++estimated;
            QCOMPARE(row.output, exact.output);
            const double error = *row.noiseRatio / *exact.noiseRatio;
            QVERIFY2(error > 0.2 && error < 5, qPrintable(QString("%1: %2").arg(row.op.c_str()).arg(error)));
        }
        QVERIFY(at == rows.size() && estimated > 2);
        const std::string table = errorTable("Layerwise error", report::errorRows(rows), 0);
        QVERIFY(table.find(", 8 samples") != std::string::npos && table.find("| ~") != std::string::npos);
        recipe.analyses = {{"layerwise", true, "", {{"outputs", {"concat"}}}}}; // not at the graph outputs
        const RunResult inside = run(recipe);
        for (const api::ErrorRow &row : *inside.report.measures.layerwise) QVERIFY(!row.isEstimated);
    }

    void costTable()
    {
        const RunResult result = run([&] {
            api::Recipe recipe = sample();
            recipe.analyses.clear();
            return recipe;
        }());
        const CostTable table(file("t.json", R"({"types": {"Conv": {"int8": 1, "float": 3}}})"));
        const double time = table.timeOf(result.model);
        QVERIFY(time >= 1 && time == std::floor(time));
        QVERIFY(messageOf([&] {
                    CostTable(file("u.json", R"({"types": {"Conv": {"int8": 1}}})"));
                }).contains("table of times"));
        QVERIFY(messageOf([&] {
                    CostTable(file("v.json", R"({"types": {"None": 1}})")).timeOf(result.model);
                }).contains("names no operation"));
    }
};

QL_TEST(TestMetrics)
#include "tst_metrics.moc"

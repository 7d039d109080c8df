#include "core/train/augmented_data.h"
#include "tests/pass/pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/zeros.h>

using namespace ql;
using namespace ql::test;

class TestAugmentedData : public QObject
{
    Q_OBJECT

private:
    /// x as it is seen when the camera moves, computed pixel by pixel.
    static at::Tensor moved(const at::Tensor &x, int rows, int down, int right)
    {
        at::Tensor y = at::zeros(x.sizes());
        const std::int64_t height = x.size(rows), width = x.size(rows + 1);
        for (std::int64_t r = 0; r < height; ++r)
            for (std::int64_t c = 0; c < width; ++c)
                y.select(rows, r).select(rows, c).copy_(
                    x.select(rows, std::clamp<std::int64_t>(r + down, 0, height - 1))
                        .select(rows, std::clamp<std::int64_t>(c + right, 0, width - 1)));
        return y;
    }

private Q_SLOTS:
    void variantsAreMirroredAndMoved_data()
    {
        QTest::addColumn<std::vector<std::int64_t>>("sizes");
        QTest::addColumn<int>("rows");
        using Sizes = std::vector<std::int64_t>;
        QTest::newRow("channels first") << Sizes{1, 3, 16, 10} << 2;
        QTest::newRow("channels last") << Sizes{2, 16, 10, 3} << 1;
        QTest::newRow("features") << Sizes{1, 32, 8, 8} << 2;
    }
    void variantsAreMirroredAndMoved()
    {
        QFETCH(std::vector<std::int64_t>, sizes);
        QFETCH(int, rows);
        std::vector<Feed> feeds;
        for (std::uint64_t i = 0; i < 3; ++i) feeds.push_back({{"x", noise(sizes, i)}, {"n", noise({1, 5}, i)}});
        const Batches batches(feeds);
        const AugmentedData data(batches, 3, {0, 2}, 8, 1);
        QCOMPARE(data.size(), std::size_t(3 + 2 * 8));
        for (std::size_t i = 0; i < 3; ++i) QVERIFY(at::equal(data.batch(i).at("x"), feeds[i].at("x")));
        const int down = int(sizes[std::size_t(rows)]) / 8, right = int(sizes[std::size_t(rows) + 1]) / 8;
        std::set<std::tuple<bool, int, int>> kinds;
        for (std::size_t i = 3; i < data.size(); ++i) {
            const Feed &from = feeds[(i - 3) % 2 == 0 ? 0 : 2];
            const Feed variant = data.batch(i);
            QVERIFY(at::equal(variant.at("n"), from.at("n")));
            QVERIFY(at::equal(variant.at("x"), data.batch(i).at("x")));
            int found = 0;
            for (const bool isMirrored : {false, true})
                for (int d = -down; d <= down; ++d)
                    for (int r = -right; r <= right; ++r) {
                        const at::Tensor x = isMirrored ? at::flip(from.at("x"), {rows + 1}) : from.at("x");
                        if (!at::equal(variant.at("x"), moved(x, rows, d, r))) continue;
                        ++found;
                        kinds.insert({isMirrored, d, r});
                    }
            QCOMPARE(found, 1);
        }
        QVERIFY(kinds.size() > 4);
    }

    void seedsDiffer()
    {
        const Batches batches = noiseBatches({1, 3, 16, 16}, 1);
        const AugmentedData one(batches, 1, {0}, 4, 1), other(batches, 1, {0}, 4, 2);
        bool differs = false;
        for (std::size_t i = 1; i < 5; ++i) differs |= !at::equal(one.batch(i).at("x"), other.batch(i).at("x"));
        QVERIFY(differs);
    }

    void otherInputsHaveNoVariants()
    {
        const Batches batches = noiseBatches({1, 12}, 1);
        const AugmentedData data(batches, 1, {0}, 1, 1);
        const Error error = errorOf([&] { data.batch(1); });
        QCOMPARE(int(error.kind), int(ErrorKind::BadConfig));
        QVERIFY(error.text().find("augment") != std::string::npos);
    }

    void trainingUsesThem()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 24);
        const auto trained = [&](int variants) {
            QuantModel model = configured(residualGraph());
            for (const char *pass : {"quantize_fusion", "quantize_simplify", "parameter_quantize"}) run(pass, model);
            run("calibrate", model, {}, &batches);
            run("align", model);
            const int changed = run("learned_step_size", model,
                                    {{"steps", 100}, {"augment", variants}, {"weight_rate", 1e-4}}, &batches);
            return changed > 0 ? planText(model) : std::string();
        };
        const std::string plain = trained(0), augmented = trained(2);
        QVERIFY(!plain.empty() && !augmented.empty());
        QVERIFY(plain != augmented);
        QCOMPARE(trained(2), augmented);
    }
};

QL_TEST(TestAugmentedData)
#include "tst_augmented_data.moc"

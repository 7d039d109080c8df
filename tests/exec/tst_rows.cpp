// Rows that are moved or added as a whole against LibTorch's own functions, in every layout.
#include "core/exec/rows.h"
#include "tests/support/test_main.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <QtTest>
#include <limits>

using namespace ql;

class TestRows : public QObject
{
    Q_OBJECT

private:
    static std::vector<at::Tensor> layouts()
    {
        const at::Tensor x = at::randn({2, 3, 300, 70}); // more than one thread's share
        const at::Tensor volume = at::randn({2, 3, 4, 5, 6});
        return {x,
                x.contiguous(at::MemoryFormat::ChannelsLast),
                x.transpose(1, 3),  // neither
                x.narrow(3, 3, 40), // gaps
                volume.contiguous(at::MemoryFormat::ChannelsLast3d),
                x.to(at::kDouble),
                x.mul(100).to(at::kByte).contiguous(at::MemoryFormat::ChannelsLast)};
    }
    static at::Tensor selected(const at::Tensor &x, std::int64_t axis, const std::vector<std::int64_t> &positions)
    {
        return at::index_select(x, axis, at::tensor(positions, at::kLong));
    }

private Q_SLOTS:
    void initTestCase() { at::manual_seed(3); }

    void acceptsIndexSelectArguments()
    {
        for (const at::Tensor &x : layouts())
            for (std::int64_t axis = 0; axis < x.dim(); ++axis) {
                const std::int64_t last = x.size(axis) - 1;
                const std::vector<std::int64_t> positions{last, 0, 0, last / 2, last};
                const at::Tensor y = takeAlong(x, axis, positions);
                QVERIFY(at::equal(y, selected(x, axis, positions)));
                QCOMPARE(y.is_contiguous(at::MemoryFormat::ChannelsLast) && !y.is_contiguous(),
                         x.is_contiguous(at::MemoryFormat::ChannelsLast) && !x.is_contiguous());
            }
        QCOMPARE(takeAlong(at::zeros({0, 4}), 1, {3, 3}).sizes().vec(), (std::vector<std::int64_t>{0, 2}));
        QCOMPARE(takeAlong(at::zeros({2, 4}), 1, {}).sizes().vec(), (std::vector<std::int64_t>{2, 0}));
    }

    void weighs()
    {
        int done = 0;
        for (const at::Tensor &x : layouts())
            for (std::int64_t axis = 0; axis < x.dim(); ++axis) {
                const std::int64_t last = x.size(axis) - 1;
                const std::vector<std::vector<std::int64_t>> index{{0, last, 0}, {last, 0, last / 2}, {0, 0, last}};
                const std::vector<std::vector<float>> weight{{0.5f, 1, -2}, {0.25f, 0, 1}, {3, 0, 0.5f}};
                for (std::size_t taps = 1; taps <= 3; ++taps) { // two have a special path
                    const auto y = weightedSumAlong(x, axis, {index.begin(), index.begin() + std::ptrdiff_t(taps)},
                                                    {weight.begin(), weight.begin() + std::ptrdiff_t(taps)});
                    if (!y) continue;
                    at::Tensor expected;
                    for (std::size_t k = 0; k < taps; ++k) {
                        std::vector<std::int64_t> shape(std::size_t(x.dim()), 1);
                        shape[std::size_t(axis)] = 3;
                        const at::Tensor part = selected(x, axis, index[k]) * at::tensor(weight[k]).reshape(shape);
                        expected = expected.defined() ? expected + part : part;
                    }
                    QVERIFY(at::allclose(*y, expected, 1e-6, 1e-6));
                    ++done;
                }
            }
        QCOMPARE(done, (4 + 4 + 5) * 3); // the dense float32 ones
    }

    /// Infinity and NaN do not spread if their weight is 0.
    void weightOfZeroIsNotRead()
    {
        const float bad = std::numeric_limits<float>::infinity();
        const at::Tensor y =
            *weightedSumAlong(at::tensor({bad, 2.0f, 4.0f}), 0, {{1, 2}, {0, 1}}, {{1, 0.5f}, {0, 0.5f}});
        QVERIFY(at::equal(y, at::tensor({2.0f, 3.0f})));
        QVERIFY(at::equal(*weightedSumAlong(at::tensor({bad}), 0, {{0}}, {{0}}), at::tensor({0.0f})));
    }
};

QL_TEST(TestRows)
#include "tst_rows.moc"

// Tensors in memory up to a budget, and in a file.
#include "core/train/tensor_store.h"
#include "tests/pass/pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>

using namespace ql;
using namespace ql::test;

class TestTensorStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void spillsToAFile()
    {
        TensorStore store(10000);
        std::vector<TensorStore::Handle> handles;
        for (std::uint64_t i = 0; i < 6; ++i) handles.push_back(store.put(noise({2, 10, 10, 10}, i)));
        QVERIFY(store.inMemory() <= 10000 && store.inFile() > 0);
        const std::size_t size = store.inFile();
        for (std::uint64_t i = 0; i < 6; ++i) QVERIFY(at::equal(handles[i]->get(), noise({2, 10, 10, 10}, i)));
        handles[5].reset();
        QVERIFY(store.inFile() < size);
        const auto reused = store.put(noise({2, 10, 10, 10}, 9).contiguous(at::MemoryFormat::ChannelsLast));
        QCOMPARE(store.inFile(), size);
        QVERIFY(at::equal(reused->get(), noise({2, 10, 10, 10}, 9)));
        QVERIFY(reused->get().is_contiguous(at::MemoryFormat::ChannelsLast));
    }

    /// A network of small tensors must not fill the memory either.
    void smallTensorsSpill()
    {
        TensorStore store(10000);
        std::vector<TensorStore::Handle> handles;
        std::vector<at::Tensor> wanted;
        for (std::int64_t i = 0; i < 300; ++i) {
            wanted.push_back(noise({1 + i % 5, 1 + i * 13 % 210}, std::uint64_t(i)));
            handles.push_back(store.put(i % 3 == 0 ? wanted.back().transpose(0, 1) : wanted.back()));
        }
        QVERIFY(store.inMemory() <= 10000);
        QVERIFY(store.inFile() > 100000);
        for (std::size_t i = 0; i < handles.size(); ++i) {
            const at::Tensor got = handles[i]->get();
            QVERIFY(at::equal(i % 3 == 0 ? got.transpose(0, 1) : got, wanted[i]));
        }
        QCOMPARE(store.put(at::zeros({0, 4}))->get().numel(), std::int64_t(0));
        handles.clear();
        QCOMPARE(store.inMemory(), std::size_t(0));
    }
};

QL_TEST(TestTensorStore)
#include "tst_tensor_store.moc"

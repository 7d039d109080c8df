// Memory for activations: released memory is reused, at the lowest offset; tensors may outlive the scope.
#include "core/exec/arena.h"
#include "tests/support/test_main.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <QtTest>
#include <sys/mman.h>
#include <thread>

using namespace ql;

namespace {

at::Tensor block(std::int64_t bytes)
{
    return at::empty({bytes}, at::TensorOptions(at::kByte));
}

const char *placeOf(const at::Tensor &tensor)
{
    return static_cast<const char *>(tensor.data_ptr());
}

constexpr std::int64_t large = 1 << 20; // bytes

} // namespace

class TestArena : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
#if defined(__SANITIZE_ADDRESS__)
        QSKIP("with sanitizers each block is the usual allocator's");
#endif
    }

    void releasedMemoryIsReused()
    {
        const ArenaScope scope;
        at::Tensor first = block(large), second = block(large);
        const char *const place = placeOf(first);
        QVERIFY(placeOf(second) > place);
        first = at::Tensor();
        const at::Tensor third = block(large / 2), fourth = block(large / 4);
        QCOMPARE(placeOf(third), place);
        QVERIFY(placeOf(fourth) > placeOf(third) && placeOf(fourth) < placeOf(second));
    }

    void neighboursBecomeOne()
    {
        const ArenaScope scope;
        std::vector<at::Tensor> row;
        for (int i = 0; i < 4; ++i) row.push_back(block(large));
        const char *const place = placeOf(row[0]);
        for (const std::size_t i : {0u, 2u, 1u}) row[i] = at::Tensor(); // the last one closes the gap
        const at::Tensor wide = block(3 * large);
        QCOMPARE(placeOf(wide), place);
        QVERIFY(placeOf(block(large)) > placeOf(row[3]));
    }

    void blocksDoNotOverlap()
    {
        const ArenaScope scope;
        std::vector<at::Tensor> held;
        for (int i = 0; i < 200; ++i) {
            held.push_back(at::full({40'000 + 977 * (i % 13)}, float(i)));
            if (i % 3 == 2) held.erase(held.begin() + i / 3 % 7);
        }
        for (const at::Tensor &tensor : held) {
            const float wanted = tensor.data_ptr<float>()[0];
            for (std::int64_t i = 0; i < tensor.numel(); ++i) QCOMPARE(tensor.data_ptr<float>()[i], wanted);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) % 64, std::uintptr_t(0));
        }
    }

    void tensorsOutliveTheScope()
    {
        at::Tensor kept;
        const char *place = nullptr;
        std::thread([&] {
            const ArenaScope scope;
            const at::Tensor before = block(large);
            kept = at::full({large}, 3.f);
            place = placeOf(kept);
        }).join();
        QCOMPARE(placeOf(kept), place);
        QCOMPARE(kept.data_ptr<float>()[large - 1], 3.f);
        {
            const ArenaScope scope; // gets the same memory: around allocated blocks
            const at::Tensor other = at::full({2 * large}, 5.f);
            QCOMPARE(kept.data_ptr<float>()[large - 1], 3.f);
            kept = at::Tensor(); // by another thread than the one that made it
            QCOMPARE(other.data_ptr<float>()[0], 5.f);
        }
    }

    /// More than 512 MiB that no scope uses go back to the system, also below a tensor that stays.
    void memoryIsReturned()
    {
        constexpr std::int64_t huge = std::int64_t{250} << 20;
        at::Tensor stays;
        const char *place = nullptr;
        {
            const ArenaScope scope;
            const at::Tensor first = block(huge), second = block(huge), third = block(huge);
            place = placeOf(first);
            stays = block(large);
        }
        const auto isResident = [](const char *p) {
            unsigned char answer = 0;
            void *const page = reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(p) & ~std::uintptr_t{4095});
            return ::mincore(page, 4096, &answer) == 0 && (answer & 1) != 0;
        };
        QVERIFY(!isResident(place + 2 * huge));
        QVERIFY(isResident(placeOf(stays)));
        const ArenaScope scope;
        const at::Tensor again = at::full({large}, 7.f);
        QCOMPARE(placeOf(again), place);
        QCOMPARE(again.data_ptr<float>()[large - 1], 7.f);
    }

    void largestBlocksAreTheUsualAllocators()
    {
        const ArenaScope scope;
        const at::Tensor first = block(large), huge = block(std::int64_t{257} << 20), second = block(large);
        QVERIFY(placeOf(second) - placeOf(first) < 2 * large);
        QVERIFY(placeOf(huge) < placeOf(first) || placeOf(huge) > placeOf(second));
    }

    void scopesOfThreadsAreApart()
    {
        const ArenaScope scope;
        const at::Tensor mine = block(large);
        const char *theirs = nullptr;
        std::thread([&] {
            const ArenaScope inner;
            const at::Tensor tensor = block(large);
            theirs = placeOf(tensor);
        }).join();
        QVERIFY(theirs != placeOf(mine));
        // Nested ones of one thread are not
        const ArenaScope nested;
        QVERIFY(placeOf(block(large)) > placeOf(mine));
    }

    void outsideIsTheUsualAllocator()
    {
        const char *place = nullptr;
        {
            const ArenaScope scope;
            place = placeOf(block(large));
        }
        const at::Tensor outside = block(large);
        QVERIFY(placeOf(outside) != place);
        const ArenaScope scope;
        QCOMPARE(placeOf(block(large)), place);
    }
};

QL_TEST(TestArena)
#include "tst_arena.moc"

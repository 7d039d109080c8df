#include "core/exec/arena.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <torch/version.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unordered_map>
#include <vector>

namespace ql {

namespace {

constexpr std::size_t capacity = std::size_t{16} << 30; ///< addresses of an arena; memory comes when it is touched
constexpr std::size_t smallest = std::size_t{32} << 10; ///< smaller blocks are the usual allocator's
constexpr std::size_t growth = std::size_t{1} << 20;    ///< memory is taken from the system so much at a time
constexpr std::size_t kept = std::size_t{1} << 30;      ///< what all arenas hold on to while no scope uses them
constexpr std::size_t mostArenas = 256;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool findsErrors = true; ///< who looks for accesses to released memory wants each block to be released
#else
constexpr bool findsErrors = false;
#endif

/// A stretch of addresses, cut into blocks. Of a program and of the tensors that outlive it.
class Arena
{
public:
    /// @returns nullptr where the system has no addresses
    static Arena *make()
    {
        void *base =
            mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return base == MAP_FAILED ? nullptr : new Arena(static_cast<char *>(base));
    }

    bool holds(const void *p) const { return p >= m_base && p < m_base + capacity; }

    /// @returns nullptr when there is no room
    void *take(std::size_t bytes)
    {
        // Blocks whose sizes are powers of two would all begin at the same place of a page, where a load waits for a
        // store to another block
        const std::size_t size = (bytes + 63) / 64 * 64 + 320;
        const std::lock_guard lock(m_mutex);
        auto room = m_free.begin();
        while (room != m_free.end() && room->second < size) ++room;
        if (room == m_free.end()) return nullptr;
        const auto [begin, length] = *room;
        m_free.erase(room);
        if (length > size) m_free.emplace(begin + size, length - size);
        m_used.emplace(begin, size);
        if (begin + size > m_touched) grow(begin + size);
        return m_base + begin;
    }

    void give(const void *p)
    {
        const std::lock_guard lock(m_mutex);
        const auto used = m_used.find(std::size_t(static_cast<const char *>(p) - m_base));
        std::size_t begin = used->first, size = used->second;
        m_used.erase(used);
        const auto next = m_free.find(begin + size);
        if (next != m_free.end()) {
            size += next->second;
            m_free.erase(next);
        }
        const auto behind = m_free.lower_bound(begin);
        if (behind != m_free.begin()) {
            const auto before = std::prev(behind);
            if (before->first + before->second == begin) {
                before->second += size;
                return;
            }
        }
        m_free.emplace(begin, size);
    }

    /// Gives memory that nobody uses back to the system, but for the first bytes.
    void trim(std::size_t bytes)
    {
        const std::lock_guard lock(m_mutex);
        const auto last = m_free.rbegin();
        const bool endIsFree = last != m_free.rend() && last->first + last->second == capacity;
        const std::size_t end = std::max(endIsFree ? last->first : capacity, bytes);
        const std::size_t from = (end + growth - 1) / growth * growth;
        if (from >= m_touched) return;
        madvise(m_base + from, m_touched - from, MADV_DONTNEED);
        m_touched = from;
    }

private:
    explicit Arena(char *base) : m_base(base) { m_free.emplace(0, capacity); }

    /// Many pages at once: one at a time, they cost as much as a layer's arithmetic.
    void grow(std::size_t end)
    {
        const std::size_t to = std::min((end + growth - 1) / growth * growth, capacity);
        madvise(m_base + m_touched, to - m_touched, MADV_POPULATE_WRITE); // where it fails, pages come one by one
        m_touched = to;
    }

    char *const m_base;
    std::mutex m_mutex; ///< of what follows
    std::size_t m_touched = 0;
    std::map<std::size_t, std::size_t> m_free; ///< begin -> size
    std::unordered_map<std::size_t, std::size_t> m_used;
};

/// All arenas, and those that no scope uses. They are never destroyed: a tensor may be the last thing that a process
/// releases.
class Arenas
{
public:
    static Arenas &instance()
    {
        static Arenas *const arenas = new Arenas;
        return *arenas;
    }
    Arena *borrow()
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            Arena *const arena = m_idle.back();
            m_idle.pop_back();
            return arena;
        }
        if (m_count == mostArenas) return nullptr;
        Arena *const arena = Arena::make();
        if (!arena) return nullptr;
        m_all[m_count] = arena;
        ++m_count;
        return arena;
    }
    void giveBack(Arena *arena)
    {
        arena->trim(kept / m_count);
        const std::lock_guard lock(m_mutex);
        m_idle.push_back(arena);
    }
    Arena *holderOf(const void *p) const
    {
        const std::size_t count = m_count;
        for (std::size_t i = 0; i < count; ++i)
            if (m_all[i]->holds(p)) return m_all[i];
        return nullptr;
    }

private:
    std::mutex m_mutex;
    std::array<Arena *, mostArenas> m_all{};
    std::atomic<std::size_t> m_count = 0;
    std::vector<Arena *> m_idle;
};

thread_local Arena *current = nullptr;

/// LibTorch's usual allocator, but for large blocks within a scope.
class ArenaAllocator final : public c10::Allocator
{
public:
    static void install()
    {
        usual = c10::GetCPUAllocator();
        c10::SetCPUAllocator(new ArenaAllocator); // for as long as there are tensors
    }

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
    c10::DataPtr allocate(std::size_t bytes) override
    {
        return make(bytes);
    }
    void copy_data(void *to, const void *from, std::size_t count) const override
    {
        default_copy_data(to, from, count);
    }
#else
    c10::DataPtr allocate(std::size_t bytes) const override
    {
        return make(bytes);
    }
#endif
    c10::DeleterFnPtr raw_deleter() const override
    {
        return &release;
    }

private:
    static c10::DataPtr make(std::size_t bytes)
    {
        void *const block = current && bytes >= smallest ? current->take(bytes) : nullptr;
        if (!block) return usual->allocate(bytes);
        return {block, block, &release, c10::Device(c10::kCPU)};
    }
    static void release(void *p)
    {
        if (Arena *const arena = Arenas::instance().holderOf(p))
            arena->give(p);
        else
            usual->raw_deleter()(p);
    }

    inline static c10::Allocator *usual = nullptr;
};

} // namespace

ArenaScope::ArenaScope() : m_isOutermost(!findsErrors && !current)
{
    if (!m_isOutermost) return;
    static std::once_flag once;
    std::call_once(once, &ArenaAllocator::install);
    current = Arenas::instance().borrow();
}

ArenaScope::~ArenaScope()
{
    if (!m_isOutermost || !current) return;
    Arena *const arena = current;
    current = nullptr;
    Arenas::instance().giveBack(arena);
}

} // namespace ql

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
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>

namespace ql {

namespace {

constexpr std::size_t capacity = std::size_t{2}
                                 << 30;              ///< addresses reserved for an arena; memory is committed as needed
constexpr std::size_t growth = std::size_t{2} << 20; ///< commit granularity
constexpr std::size_t smallest = std::size_t{32} << 10; ///< smaller blocks go to the usual allocator
/// So do larger ones: their cost is small compared with computing them, and the usual allocator reports missing
/// memory.
constexpr std::size_t largest = std::size_t{256} << 20;
constexpr std::size_t kept = std::size_t{512} << 20; ///< limit of what idle arenas keep
constexpr std::size_t maxArenas = 256;

/// A range of addresses, cut into blocks.
class Arena
{
public:
    /// @returns nullptr if the system has no addresses left, or limits them (others may need them)
    static Arena *make() noexcept
    {
        rlimit limit{};
        if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return nullptr;
        // PROT_NONE: does not count as committed memory
        void *const base = mmap(nullptr, capacity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED) return nullptr;
        try {
            return new Arena(static_cast<char *>(base));
        } catch (const std::bad_alloc &) {
            munmap(base, capacity);
            return nullptr;
        }
    }

    bool holds(const void *p) const { return p >= m_base && p < m_base + capacity; }

    /// @returns nullptr when there is no room, or no memory
    void *take(std::size_t bytes) noexcept
    {
        // Blocks whose sizes are powers of two would all start at the same page offset, where a load has to wait for a
        // store to another block
        const std::size_t size = (bytes + 63) / 64 * 64 + 320;
        const std::lock_guard lock(m_mutex);
        const auto room =
            std::find_if(m_free.begin(), m_free.end(), [&](const auto &range) { return range.second >= size; });
        if (room == m_free.end()) return nullptr;
        const auto [begin, length] = *room;
        if (begin + size > m_touched && !grow(begin + size)) return nullptr;
        try {
            if (length > size) m_free.emplace_hint(std::next(room), begin + size, length - size);
        } catch (const std::bad_alloc &) {
            return nullptr;
        }
        auto block = m_free.extract(room);
        block.mapped() = size;
        m_used.insert(std::move(block));
        return m_base + begin;
    }

    /// Releases a block from take(). Allocates nothing: it may be called to make room for an error.
    void give(const void *p) noexcept
    {
        const std::lock_guard lock(m_mutex);
        auto block = m_used.extract(std::size_t(static_cast<const char *>(p) - m_base));
        auto next = m_free.lower_bound(block.key());
        if (next != m_free.end() && next->first == block.key() + block.mapped()) {
            block.mapped() += next->second;
            next = m_free.erase(next);
        }
        if (next != m_free.begin()) {
            const auto before = std::prev(next);
            if (before->first + before->second == block.key()) {
                before->second += block.mapped();
                return;
            }
        }
        m_free.insert(next, std::move(block));
    }

    /// Upper bound of the bytes committed.
    std::size_t touched() noexcept
    {
        const std::lock_guard lock(m_mutex);
        return m_touched;
    }

    /// Returns unused memory to the system.
    void trim() noexcept
    {
        const std::lock_guard lock(m_mutex);
        for (const auto &[begin, size] : m_free) {
            const bool isLast = begin + size == capacity;
            const std::size_t end = isLast ? m_touched : begin + size;
            const std::size_t from = (begin + growth - 1) / growth * growth, to = end / growth * growth;
            if (from < to) madvise(m_base + from, to - from, MADV_DONTNEED);
            if (isLast) m_touched = std::min(m_touched, from);
        }
    }

private:
    explicit Arena(char *base) : m_base(base) { m_free.emplace(0, capacity); }

    /// Makes the bytes before end usable and allocates their pages together: one by one, they cost half as much again.
    /// @returns false if there is no memory
    bool grow(std::size_t end) noexcept
    {
        const std::size_t to = (end + growth - 1) / growth * growth;
        if (to > m_usable) {
            if (mprotect(m_base + m_usable, to - m_usable, PROT_READ | PROT_WRITE) != 0) return false;
            m_usable = to;
        }
#ifdef MADV_POPULATE_WRITE
        madvise(m_base + m_touched, to - m_touched, MADV_POPULATE_WRITE); // on failure, pages are allocated one by one
#endif
        m_touched = to;
        return true;
    }

    char *const m_base;
    std::mutex m_mutex; ///< of what follows
    std::size_t m_usable = 0, m_touched = 0;
    std::map<std::size_t, std::size_t> m_free, m_used; ///< begin -> size
};

/// All arenas, and the idle ones. Never destroyed: a tensor may be the last thing that a process releases.
class Arenas
{
public:
    static Arenas &instance() noexcept
    {
        static Arenas *const arenas = new Arenas;
        return *arenas;
    }
    Arena *borrow() noexcept
    {
        const std::lock_guard lock(m_mutex);
        if (m_idleCount > 0) return m_idle[--m_idleCount];
        if (m_count == maxArenas) return nullptr;
        Arena *const arena = Arena::make();
        if (arena) m_all[m_count++] = arena;
        return arena;
    }
    void releaseUnused(Arena *arena) noexcept
    {
        const std::lock_guard lock(m_mutex);
        m_idle[m_idleCount++] = arena;
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < m_idleCount; ++i) bytes += m_idle[i]->touched();
        for (std::size_t i = 0; i < m_idleCount && bytes > kept; ++i) { // the most recently returned last
            bytes -= m_idle[i]->touched();
            m_idle[i]->trim();
            bytes += m_idle[i]->touched();
        }
    }
    Arena *holderOf(const void *p) const noexcept
    {
        const std::size_t count = m_count;
        for (std::size_t i = 0; i < count; ++i)
            if (m_all[i]->holds(p)) return m_all[i];
        return nullptr;
    }

private:
    std::mutex m_mutex;
    std::array<Arena *, maxArenas> m_all{};
    std::atomic<std::size_t> m_count = 0;
    std::array<Arena *, maxArenas> m_idle{}; ///< the last one is lent first
    std::size_t m_idleCount = 0;
};

thread_local Arena *current = nullptr;

/// LibTorch's usual allocator, except for large blocks within a scope.
class ArenaAllocator final : public c10::Allocator
{
public:
    /// @returns whether arenas are used: not under sanitizers, which detect accesses to released memory
    static bool install()
    {
#if defined(__SANITIZE_ADDRESS__)
        return false;
#else
        usual = c10::GetCPUAllocator();
        c10::SetCPUAllocator(new ArenaAllocator); // as long as tensors exist
        return true;
#endif
    }

#if TORCH_VERSION_MAJOR >= 2
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
        const bool fits = current && bytes >= smallest && bytes <= largest;
        void *const block = fits ? current->take(bytes) : nullptr;
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

/// While the library is loaded: later, other threads may already be creating tensors.
const bool isInstalled = ArenaAllocator::install();

} // namespace

ArenaScope::ArenaScope() : m_isOutermost(isInstalled && !current)
{
    if (m_isOutermost) current = Arenas::instance().borrow();
}

ArenaScope::~ArenaScope()
{
    if (!m_isOutermost || !current) return;
    Arena *const arena = current;
    current = nullptr;
    Arenas::instance().releaseUnused(arena);
}

} // namespace ql

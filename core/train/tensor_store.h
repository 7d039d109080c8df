#pragma once

#include <ATen/core/Tensor.h>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <set>
#include <vector>

namespace ql {

/// Keeps tensors in memory up to a budget. Further ones go to a temporary file without a name, of which only tensors
/// in use are mapped, or read if they are small. Usable from several threads; outlives its tensors.
class TensorStore
{
public:
    /// budget: bytes in memory; 0: a quarter of what is free.
    explicit TensorStore(std::size_t budget);
    ~TensorStore();
    TensorStore(const TensorStore &) = delete;
    TensorStore &operator=(const TensorStore &) = delete;

    /// The type and strides of tensors in the file: one for all that are alike, because there may be a million of them.
    struct Layout
    {
        std::vector<std::int64_t> sizes, strides;
        at::ScalarType type = at::ScalarType::Undefined;

        friend auto operator<=>(const Layout &, const Layout &) = default;
    };

    /// A tensor in the store; its place is free again when it is destroyed.
    class Item
    {
        struct Key
        {};

    public:
        Item(Key, TensorStore &store) : m_store(store) {} ///< by put()
        ~Item();
        Item(const Item &) = delete;
        Item &operator=(const Item &) = delete;
        /// The tensor in its layout; must not be changed. @throws Error (Io)
        at::Tensor get() const;

    private:
        friend class TensorStore;
        at::Tensor mapped() const;
        at::Tensor read() const;

        TensorStore &m_store;
        at::Tensor m_tensor;              ///< in memory
        const Layout *m_layout = nullptr; ///< otherwise: of the bytes in the file
        std::size_t m_place = 0, m_bytes = 0;
    };
    using Handle = std::shared_ptr<const Item>;

    /// A copy of the tensor (on the CPU) that autograd can use. @throws Error (Io) if the file cannot be written
    Handle put(const at::Tensor &tensor);
    /// Bytes in memory, and in the file.
    std::size_t inMemory() const;
    std::size_t inFile() const;

private:
    std::size_t reserve(std::size_t bytes);
    void openFile();
    void write(const at::Tensor &dense, std::size_t place) const;

    const std::size_t m_budget;
    std::pmr::synchronized_pool_resource m_items; ///< small objects between large tensors would leave holes in the heap
    mutable std::mutex m_mutex;                   ///< of what follows
    std::size_t m_inMemory = 0;
    std::set<Layout> m_layouts;
    int m_file = -1;
    std::size_t m_end = 0;                                    ///< of the file
    std::map<std::size_t, std::vector<std::size_t>> m_unused; ///< places by size
};

} // namespace ql

#include "core/train/tensor_store.h"

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/quant/device.h"

#include <ATen/ops/empty_strided.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ql {

static constexpr std::size_t storePage = 4096;
/// Of a small tensor in memory: its size in the file is a multiple of smallStep; many of them share a smallRun.
static constexpr std::size_t smallOverhead = 512, smallStep = 64, smallRun = 1 << 16;

static Error storeError(const char *what)
{
    return Error(ErrorKind::Io, QL_TEXT("temporary file for training data: %1: %2")
                                    .with(std::string(what), std::string(std::strerror(errno))))
        .withRemedy(QL_TEXT("Free space in the folder for temporary files, or use fewer samples."));
}

static std::size_t roundedUp(std::size_t bytes, std::size_t step)
{
    return (bytes + step - 1) / step * step;
}

static bool isSmall(std::size_t bytes)
{
    return bytes < storePage;
}

static at::Tensor tensorOn(void *pages, std::size_t bytes, const TensorStore::Layout &layout)
{
    if (pages == MAP_FAILED) throw storeError("mmap");
    return at::from_blob(
        pages, layout.sizes, layout.strides, [bytes](void *p) { munmap(p, bytes); }, at::TensorOptions(layout.type));
}

static TensorStore::Layout layoutOf(const at::Tensor &tensor)
{
    return {tensor.sizes().vec(), tensor.strides().vec(), tensor.scalar_type()};
}

/// On separate pages: tensors that come and go between those that stay would leave holes in the heap.
static at::Tensor copyOnPages(const at::Tensor &dense)
{
    const std::size_t bytes = roundedUp(dense.nbytes(), storePage);
    void *const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const at::Tensor copy = tensorOn(pages, bytes, layoutOf(dense));
    std::memcpy(pages, dense.data_ptr(), dense.nbytes());
    return copy;
}

TensorStore::TensorStore(std::size_t budget) : m_budget(budget > 0 ? budget : std::size_t(availableMemory() / 4)) {}

TensorStore::~TensorStore()
{
    if (m_file >= 0) close(m_file);
}

TensorStore::Item::~Item()
{
    const std::lock_guard lock(m_store.m_mutex);
    if (m_layout)
        m_store.m_unused[m_bytes].push_back(m_place);
    else
        m_store.m_inMemory -= m_bytes;
}

at::Tensor TensorStore::Item::get() const
{
    if (!m_layout) return m_tensor;
    const c10::InferenceMode withGradients(false); // a tensor made in inference mode has none
    return isSmall(m_bytes) ? read() : mapped();
}

at::Tensor TensorStore::Item::mapped() const
{
    return tensorOn(mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, m_store.m_file, off_t(m_place)),
                    m_bytes, *m_layout);
}

at::Tensor TensorStore::Item::read() const
{
    const at::Tensor tensor = at::empty_strided(m_layout->sizes, m_layout->strides, at::TensorOptions(m_layout->type));
    char *const to = static_cast<char *>(tensor.data_ptr());
    for (std::size_t done = 0; done < tensor.nbytes();) {
        const ssize_t count = pread(m_store.m_file, to + done, tensor.nbytes() - done, off_t(m_place + done));
        if (count == 0 || (count < 0 && errno != EINTR)) throw storeError("read");
        if (count > 0) done += std::size_t(count);
    }
    return tensor;
}

void TensorStore::openFile()
{
    std::string name = (std::filesystem::temp_directory_path() / "quantloupe-XXXXXX").string();
    m_file = mkstemp(name.data());
    if (m_file < 0) throw storeError(name.c_str());
    unlink(name.c_str());
}

/// A place in the file. @pre m_mutex is held
std::size_t TensorStore::reserve(std::size_t bytes)
{
    if (m_file < 0) openFile();
    std::vector<std::size_t> &unused = m_unused[bytes];
    if (unused.empty()) {
        const std::size_t run = isSmall(bytes) ? smallRun : bytes, first = m_end;
        if (ftruncate(m_file, off_t(m_end + run)) != 0) throw storeError("write"); // mappings read whole pages
        m_end += run;
        for (std::size_t at = 0; at + bytes <= run; at += bytes) unused.push_back(first + at);
    }
    const std::size_t place = unused.back();
    unused.pop_back();
    return place;
}

void TensorStore::write(const at::Tensor &dense, std::size_t place) const
{
    const char *from = static_cast<const char *>(dense.data_ptr());
    for (std::size_t done = 0; done < dense.nbytes();) {
        const ssize_t count = pwrite(m_file, from + done, dense.nbytes() - done, off_t(place + done));
        if (count < 0 && errno != EINTR) throw storeError("write");
        if (count > 0) done += std::size_t(count);
    }
}

TensorStore::Handle TensorStore::put(const at::Tensor &tensor)
{
    const auto item = std::allocate_shared<Item>(std::pmr::polymorphic_allocator<Item>(&m_items), Item::Key{}, *this);
    const c10::InferenceMode withGradients(false); // a clone made in inference mode has none
    const bool isNumeric = tensor.defined() && tensor.scalar_type() != at::ScalarType::Undefined;
    if (!isNumeric) { // a string or a sequence
        item->m_tensor = tensor;
        return item;
    }
    const at::Tensor host = toHost(tensor);
    const at::Tensor dense = host.is_non_overlapping_and_dense() ? host : host.contiguous();
    const std::size_t bytes = dense.nbytes();
    const std::size_t inMemory = isSmall(bytes) ? bytes + smallOverhead : roundedUp(bytes, storePage);
    {
        const std::lock_guard lock(m_mutex);
        if (m_inMemory + inMemory > m_budget && bytes > 0) {
            const std::size_t inFile = roundedUp(bytes, isSmall(bytes) ? smallStep : storePage);
            item->m_place = reserve(inFile);
            item->m_bytes = inFile;
            item->m_layout = &*m_layouts.insert(layoutOf(dense)).first;
        } else {
            m_inMemory += inMemory;
            item->m_bytes = inMemory;
        }
    }
    if (item->m_layout)
        write(dense, item->m_place);
    else
        item->m_tensor = isSmall(bytes) ? dense.clone() : copyOnPages(dense);
    return item;
}

std::size_t TensorStore::inMemory() const
{
    const std::lock_guard lock(m_mutex);
    return m_inMemory;
}

std::size_t TensorStore::inFile() const
{
    const std::lock_guard lock(m_mutex);
    std::size_t unused = 0;
    for (const auto &[bytes, places] : m_unused) unused += bytes * places.size();
    return m_end - unused;
}

} // namespace ql

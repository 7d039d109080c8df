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

static Error storeError(const char *what)
{
    return Error(ErrorKind::Io, QL_TEXT("temporary file for training data: %1: %2")
                                    .with(std::string(what), std::string(std::strerror(errno))))
        .withRemedy(QL_TEXT("Free space in the folder for temporary files, or use fewer samples."));
}

static std::size_t wholePages(std::size_t bytes)
{
    return (bytes + storePage - 1) / storePage * storePage;
}

/// A tensor of the type and layout of `like` on mapped pages.
static at::Tensor tensorOn(void *pages, std::size_t bytes, const at::Tensor &like)
{
    if (pages == MAP_FAILED) throw storeError("mmap");
    return at::from_blob(
        pages, like.sizes(), like.strides(), [bytes](void *p) { munmap(p, bytes); }, like.options().device(c10::kCPU));
}

/// On pages of its own: tensors that come and go between those that stay would leave holes in the heap.
static at::Tensor copyOnPages(const at::Tensor &dense)
{
    const std::size_t bytes = wholePages(dense.nbytes());
    void *const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const at::Tensor copy = tensorOn(pages, bytes, dense);
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
    if (m_isInFile)
        m_store.m_unused[m_bytes].push_back(m_place);
    else
        m_store.m_inMemory -= m_bytes;
}

at::Tensor TensorStore::Item::get() const
{
    if (!m_isInFile) return m_tensor;
    return tensorOn(mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, m_store.m_file, off_t(m_place)),
                    m_bytes, m_tensor);
}

void TensorStore::openFile()
{
    std::string name = (std::filesystem::temp_directory_path() / "quantloupe-XXXXXX").string();
    m_file = mkstemp(name.data());
    if (m_file < 0) throw storeError(name.c_str());
    unlink(name.c_str());
}

std::size_t TensorStore::reserve(std::size_t bytes)
{
    if (m_file < 0) openFile();
    std::vector<std::size_t> &unused = m_unused[bytes];
    if (!unused.empty()) {
        const std::size_t place = unused.back();
        unused.pop_back();
        return place;
    }
    const std::size_t place = m_end;
    if (ftruncate(m_file, off_t(m_end + bytes)) != 0) throw storeError("write"); // mappings read whole pages
    m_end += bytes;
    return place;
}

TensorStore::Handle TensorStore::put(const at::Tensor &tensor)
{
    std::shared_ptr<Item> item(new Item(*this));
    const c10::InferenceMode withGradients(false); // a clone made in inference mode has none
    const bool isNumeric = tensor.defined() && tensor.scalar_type() != at::ScalarType::Undefined;
    if (!isNumeric) { // a string or a sequence
        item->m_tensor = tensor;
        return item;
    }
    const at::Tensor host = toHost(tensor);
    const at::Tensor dense = host.is_non_overlapping_and_dense() ? host : host.contiguous();
    const std::size_t bytes = dense.nbytes();
    const bool isSmall = bytes < storePage;
    const std::size_t taken = isSmall ? bytes : wholePages(bytes);
    {
        const std::lock_guard lock(m_mutex);
        if (m_inMemory + taken > m_budget && !isSmall) {
            item->m_place = reserve(taken);
            item->m_isInFile = true;
        } else {
            m_inMemory += taken;
        }
        item->m_bytes = taken;
    }
    if (!item->m_isInFile) {
        item->m_tensor = isSmall ? dense.clone() : copyOnPages(dense);
        return item;
    }
    item->m_tensor = at::empty_strided(dense.sizes(), dense.strides(), dense.options().device(c10::kMeta));
    const char *from = static_cast<const char *>(dense.data_ptr());
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t count = pwrite(m_file, from + done, bytes - done, off_t(item->m_place + done));
        if (count < 0 && errno != EINTR) throw storeError("write");
        if (count > 0) done += std::size_t(count);
    }
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

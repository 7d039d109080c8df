#include "core/exec/opaque.h"

#include "core/base/error.h"

#include <ATen/OpaqueTensorImpl.h>

#include <memory>
#include <variant>

namespace ql {

namespace {

struct None
{};
using Sequence = std::vector<at::Tensor>;
using Strings = std::vector<std::string>;
using Handle = std::shared_ptr<const std::variant<None, Sequence, Strings>>;
using Impl = at::OpaqueTensorImpl<Handle>;

template <class T>
at::Tensor make(T content, const std::vector<std::int64_t> &shape)
{
    auto handle = std::make_shared<const std::variant<None, Sequence, Strings>>(std::move(content));
    return at::detail::make_tensor<Impl>(c10::DispatchKeySet(c10::DispatchKey::CPU), caffe2::TypeMeta(),
                                         c10::Device(c10::kCPU), std::move(handle), shape);
}

/// nullptr if value holds something different.
template <class T>
const T *get(const at::Tensor &value)
{
    if (!value.defined()) return nullptr;
    auto *impl = dynamic_cast<Impl *>(value.unsafeGetTensorImpl());
    return impl ? std::get_if<T>(impl->opaque_handle().get()) : nullptr;
}

} // namespace

at::Tensor makeSequence(std::vector<at::Tensor> tensors)
{
    const auto count = std::int64_t(tensors.size());
    return make(std::move(tensors), {count});
}

bool isSequence(const at::Tensor &value)
{
    return get<Sequence>(value) != nullptr;
}

const std::vector<at::Tensor> &sequenceOf(const at::Tensor &value)
{
    const Sequence *sequence = get<Sequence>(value);
    if (!sequence) throw Error(ErrorKind::Kernel, QL_TEXT("expected a sequence of tensors, found another value"));
    return *sequence;
}

at::Tensor makeNone()
{
    return make(None(), {0});
}

bool isNone(const at::Tensor &value)
{
    return get<None>(value) != nullptr;
}

at::Tensor makeStrings(std::vector<std::string> texts, const std::vector<std::int64_t> &shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    if (count != std::int64_t(texts.size()))
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1 strings do not fill a shape of %2 elements").with(texts.size(), count));
    return make(std::move(texts), shape);
}

bool isStrings(const at::Tensor &value)
{
    return get<Strings>(value) != nullptr;
}

const std::vector<std::string> &stringsOf(const at::Tensor &value)
{
    const Strings *strings = get<Strings>(value);
    if (!strings) throw Error(ErrorKind::Kernel, QL_TEXT("expected strings, found another value"));
    return *strings;
}

} // namespace ql

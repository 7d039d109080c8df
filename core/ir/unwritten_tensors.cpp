#include "core/ir/unwritten_tensors.h"

#include "core/base/fingerprint.h"

#include <string_view>

namespace ql {

static std::string fingerprint(const at::Tensor &tensor)
{
    const at::Tensor bytes = tensor.contiguous();
    return fingerprintOf({{static_cast<const char *>(bytes.data_ptr()), bytes.nbytes()}});
}

void UnwrittenTensors::add(const std::string &name, const at::Tensor &tensor)
{
    if (tensor.defined() && tensor.is_cpu()) m_known.push_back({name, tensor, fingerprint(tensor)});
}

std::string UnwrittenTensors::firstWritten() const
{
    for (const Known &known : m_known)
        if (fingerprint(known.tensor) != known.fingerprint) return known.name;
    return {};
}

} // namespace ql

#pragma once

#include <ATen/core/Tensor.h>
#include <string>
#include <vector>

namespace ql {

/// Detects that code of others writes into tensors, which are shared: with the float network, with earlier stages and
/// caches, with other operations that read them. Such code has to make new ones.
class UnwrittenTensors
{
public:
    /// Undefined tensors and those on a device are left out. name: for the message
    void add(const std::string &name, const at::Tensor &tensor);
    /// @returns the name of the first that has changed; empty: none
    std::string firstWritten() const;

private:
    struct Known
    {
        std::string name;
        at::Tensor tensor;
        std::string fingerprint;
    };
    std::vector<Known> m_known;
};

} // namespace ql

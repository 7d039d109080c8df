#pragma once

#include "core/base/registry.h"
#include "core/io/caffe/net.pb.h"
#include "core/io/caffe/reader.h"
#include "core/ir/graph.h"

#include <ATen/core/Tensor.h>
#include <functional>
#include <string>
#include <vector>

namespace ql::caffe_io {

/// One operation while it becomes layers.
class LayerWriter
{
public:
    LayerWriter(const Graph &graph, const Operation &operation, format::NetParameter &net);

    const Operation &op;

    bool isConstant(std::size_t input) const;
    /// @pre isConstant(input). float32 on the CPU, contiguous
    at::Tensor constant(std::size_t input) const;
    std::vector<std::int64_t> ints(std::size_t input) const; ///< of a constant; @throws Error (UnsupportedOp) otherwise
    const std::string &inputName(std::size_t input) const;
    const std::string &outputName(std::size_t output = 0) const;
    Shape inputShape(std::size_t input) const; ///< open sizes are 1; @throws Error (UnsupportedOp) if unknown
    Shape outputShape(std::size_t output = 0) const;

    /// A layer with the operation's name that reads its variable inputs and writes its outputs.
    format::LayerParameter &layer(const char *type);
    /// Another one; what: appended to the name, empty for the operation's own.
    format::LayerParameter &layer(const char *type, const std::string &what, const std::vector<std::string> &bottoms,
                                  const std::vector<std::string> &tops);
    /// A name for a tensor between two layers.
    std::string between(const std::string &what) const;
    static void addBlob(format::LayerParameter &layer, const at::Tensor &value);
    /// Copies the input to the output in this shape.
    void reshape(const std::string &what, const std::string &bottom, const std::string &top, const Shape &shape);

    [[noreturn]] void unsupported(const Text &why) const;
    void require(bool condition, const Text &why) const
    {
        if (!condition) unsupported(why);
    }

private:
    Shape shapeOf(VarId id) const;

    const Graph &m_graph;
    format::NetParameter &m_net;
};

struct LayerWriterEntry
{
    static constexpr const char *kindName = "Caffe layer writer";
    std::function<void(LayerWriter &)> write;
};
struct LayerWriterRegistrar
{
    LayerWriterRegistrar(std::initializer_list<const char *> operators, const std::function<void(LayerWriter &)> &write)
    {
        for (const char *type : operators) Registry<LayerWriterEntry>::instance().add(type, {write});
    }
};

} // namespace ql::caffe_io

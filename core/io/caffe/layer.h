#pragma once

#include "core/base/registry.h"
#include "core/io/caffe/reader.h"
#include "core/ir/graph.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ql::caffe_io {

class NetBuilder;

/// A tensor of the graph under construction with its sizes, which are always known in Caffe nets.
struct Value
{
    VarId id = noVar;
    Shape shape;

    std::int64_t rank() const { return std::int64_t(shape.size()); }
    std::int64_t size(std::int64_t axis) const { return shape[std::size_t(axis)]; }
    /// Product of the sizes of axes [from, to).
    std::int64_t count(std::int64_t from, std::int64_t to) const;
    std::int64_t count() const { return count(0, rank()); }
};

using Attributes = std::map<std::string, Attribute, std::less<>>;

/// One layer during conversion: its parameters, bottoms and blobs, and the operations it adds to the graph. The last
/// operation, which writes the first top, gets the layer's name; those before it `LAYER/TYPE`.
class Layer
{
public:
    Layer(NetBuilder &builder, const format::LayerParameter &proto, std::vector<Value> bottoms);

    const format::LayerParameter &proto;

    std::size_t bottomCount() const { return m_bottoms.size(); }
    /// @throws Error (InvalidModel) if the layer has fewer bottoms.
    const Value &bottom(std::size_t i) const;
    std::size_t topCount() const { return std::size_t(proto.top_size()); }
    /// Whether another layer reads top i.
    bool isRead(std::size_t i) const;
    /// axis in [-rank, rank) as [0, rank); rank itself is allowed if `end`. @throws Error (InvalidModel)
    std::int64_t axis(std::int64_t axis, std::int64_t rank, bool end = false) const;

    // Learned values
    std::size_t blobCount() const;
    /// Blob i with this shape. Axes of size 1 may be elsewhere, as in old files.
    /// @throws Error (InvalidModel) naming file, layer and both shapes; MissingBlob if the layer has no such blob
    at::Tensor blob(std::size_t i, const Shape &shape) const;
    /// Blob i unchanged.
    at::Tensor blob(std::size_t i) const;
    /// A blob as parameter of the graph, named LAYER_param_I.
    Value parameter(std::size_t i, at::Tensor value);

    // Constants and operations
    Value constant(const std::string &what, at::Tensor value);
    Value ints(const std::string &what, const std::vector<std::int64_t> &values);
    Value scalar(const std::string &what, double value);
    Value emit(const std::string &type, const std::vector<Value> &inputs, Attributes attributes, Shape shape);
    std::vector<Value> emitMany(const std::string &type, const std::vector<Value> &inputs, Attributes attributes,
                                const std::vector<Shape> &shapes, const std::string &domain = {});
    /// Marks the numbers of value as of another type than float32.
    void setType(const Value &value, at::ScalarType type);
    /// Marks a size as only known at run time (-1). value.shape, which later layers use, does not change.
    void setSize(const Value &value, std::size_t axis, std::int64_t size);
    /// Element by element with ONNX's broadcast. @throws Error (InvalidModel) if the shapes do not match.
    Value binary(const std::string &type, const Value &a, const Value &b);
    Value unary(const std::string &type, const Value &x, Attributes attributes = {});
    Value reshape(const Value &x, const std::vector<std::int64_t> &target, Shape shape);
    Value transpose(const Value &x, const std::vector<std::int64_t> &order);
    Value reduce(const std::string &type, const Value &x, const std::vector<std::int64_t> &axes, bool keep);
    /// x * factor + shift, without no-ops.
    Value affine(const Value &x, double factor, double shift);
    /// Elements of axis from begin on.
    Value slice(const Value &x, const std::vector<std::int64_t> &axes, const std::vector<std::int64_t> &begins,
                const std::vector<std::int64_t> &sizes);

    /// Binds top i. value may be a bottom itself: then an Identity is added.
    void top(std::size_t i, const Value &value);
    /// For Scale: the BatchNormalization that wrote bottom 0 if it has no other consumers; otherwise noOp.
    OpId precedingBatchNorm() const;
    /// Multiplies the scale and bias of a BatchNormalization by factor, and adds shift (undefined: none).
    void foldInto(VarId scale, VarId bias, const at::Tensor &factor, const at::Tensor &shift);
    /// Binds top i to value, which an earlier layer produced and which has no other consumers.
    void rebindTop(std::size_t i, const Value &value);
    const Operation &operation(OpId id) const;
    OpId producer(const Value &value) const;
    Shape shapeOf(VarId id) const; ///< as declared

    [[noreturn]] void fail(const Text &message, const Text &remedy = {}) const;
    [[noreturn]] void unsupported(const Text &message, const Text &remedy = {}) const;
    void report(api::Severity severity, const Text &message, const Text &remedy) const;

private:
    friend class NetBuilder;
    std::string fresh(const std::string &what); ///< LAYER/what, with a number if there are several
    void recordAdded(VarId id) { m_added.push_back(id); }

    NetBuilder &m_builder;
    std::vector<Value> m_bottoms;
    std::vector<VarId> m_added;         ///< variables that this layer added
    std::map<std::string, int> m_names; ///< added so far
};

/// from, from + 1 ... to - 1; empty for to <= from.
std::vector<std::int64_t> axesFrom(std::int64_t from, std::int64_t to);

/// Thrown by Layer::blob: all layers without weights are reported together.
struct MissingBlob
{
    std::size_t index = 0;
};

/// How layers of one type become operations. `static const LayerRegistrar x{{"ReLU"}, {"Relu", "...", function}};`
struct LayerEntry
{
    static constexpr const char *kindName = "Caffe layer";
    std::string becomes; ///< operators, for the table
    std::string notes;   ///< for the table: supported parameters, limits
    std::function<void(Layer &)> convert;
    /// Whether a layer with this many bottoms has learned values.
    std::function<bool(const format::LayerParameter &)> learns = {};
};
/// For layers that always have learned values.
inline bool always(const format::LayerParameter &)
{
    return true;
}
struct LayerRegistrar
{
    LayerRegistrar(std::initializer_list<const char *> types, const LayerEntry &entry)
    {
        for (const char *type : types) Registry<LayerEntry>::instance().add(type, entry);
    }
};

} // namespace ql::caffe_io

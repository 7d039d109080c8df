#include "core/ir/op_traits.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace ql {

bool isComputing(std::string_view type)
{
    static const std::set<std::string, std::less<>> types = {"Conv",   "ConvTranspose", "Gemm",
                                                             "MatMul", "Attention",     "BiasedMatMul"};
    return types.find(type) != types.end();
}

bool isPassive(std::string_view type)
{
    // Slice and Dropout belong here by meaning. Slice stays active because published scales and the runtimes' own
    // tables give its output a scale of its own; Dropout never reaches quantization.
    static const std::set<std::string, std::less<>> types = {"MaxPool",  "GlobalMaxPool", "Reshape",  "Flatten",
                                                             "Identity", "Pad",           "Split",    "Transpose",
                                                             "Interp",   "Squeeze",       "Unsqueeze"};
    return types.find(type) != types.end();
}

bool isLinearActivation(std::string_view type)
{
    return type == "Relu" || type == "Clip";
}

std::optional<std::int64_t> weightChannelAxis(const Operation &op, std::int32_t index, std::int64_t rank)
{
    if (index != 1 || rank < 2 || !isComputing(op.type)) return std::nullopt;
    if (op.type == "Conv") return 0;
    if (op.type == "ConvTranspose") return 1;
    if (op.type == "Gemm") return op.intAttribute("transB", 0) != 0 ? 0 : 1;
    return rank - 1;
}

namespace {

constexpr SlotKind Q = SlotKind::Quantable;
constexpr SlotKind F = SlotKind::Float;
constexpr SlotKind S = SlotKind::ShapeOrIndex;

struct SocketRow
{
    std::vector<SlotKind> inputs;
    std::vector<SlotKind> outputs;
    std::vector<std::pair<int, int>> links;
};

const std::unordered_map<std::string, SocketRow> &rows()
{
    static const std::unordered_map<std::string, SocketRow> table = [] {
        std::unordered_map<std::string, SocketRow> t;
        const auto add = [&](std::initializer_list<const char *> types, const SocketRow &row) {
            for (const char *type : types) t.emplace(type, row);
        };
        add({"Reshape", "Expand", "Squeeze", "Unsqueeze", "Split"}, {{Q, S}, {Q}, {{0, 0}}});
        add({"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
             "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"},
            {{Q, S}, {Q}, {{0, 0}}});
        add({"Gather"}, {{Q, F}, {Q}, {{0, 0}}});
        add({"Pad"}, {{Q, S, S, S}, {Q}, {{0, 0}}});
        add({"Tile"}, {{Q, S, S}, {Q}, {{0, 0}}});
        add({"Resize", "Upsample"}, {{Q, S, S, S}, {Q}, {{0, 0}}});
        add({"Slice"}, {{Q, S, S, S, S}, {Q}, {{0, 0}}});
        add({"GatherElements", "GatherND", "GridSample", "grid_sampler"}, {{Q, F}, {Q}, {{0, 0}}});
        add({"RoiAlign", "MMCVRoiAlign"}, {{Q, F, S}, {Q}, {{0, 0}}});
        add({"Clip"}, {{Q, F, F}, {Q}, {{0, 0}}});
        // The condition is a bool; the two values are what a scale could describe. No platform quantizes Where.
        add({"Where"}, {{F, Q, Q}, {Q}, {{1, 0}, {2, 0}}});
        add({"TopK"}, {{Q, S}, {Q, F}, {{0, 0}}});
        add({"ScatterElements", "ScatterND"}, {{Q, F, Q}, {Q}, {{0, 0}, {2, 0}}});
        add({"NonMaxSuppression"}, {{Q, F, S, S, S}, {Q}, {}});
        add({"NonZero"}, {{Q}, {F}, {}});
        add({"Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual", "And", "Or", "Xor"}, {{Q, Q}, {F}, {}});
        add({"Shape", "Size"}, {{Q}, {S}, {}});
        add({"ConstantOfShape"}, {{S}, {Q}, {}});
        add({"Range"}, {{S, S, S}, {Q}, {}});
        add({"CumSum", "Trilu", "CenterCropPad", "AffineGrid", "ReverseSequence", "SplitToSequence"},
            {{Q, S}, {Q}, {{0, 0}}});
        add({"Col2Im"}, {{Q, S, S}, {Q}, {{0, 0}}});
        add({"Compress"}, {{Q, F}, {Q}, {{0, 0}}});
        add({"QuantizeLinear", "DequantizeLinear"}, {{Q, F, F}, {Q}, {{0, 0}}});
        add({"OneHot"}, {{S, S, S}, {S}, {}});
        return t;
    }();
    return table;
}

/// Of slots without a row. Control flow carries values of any kind to and from its bodies, where nothing is quantized.
SlotKind usualKind(const Operation &op)
{
    return op.type == "If" || op.type == "Loop" || op.type == "Scan" || op.type == "SequenceMap" ? F : Q;
}

} // namespace

SlotKind slotKind(const Operation &op, Slot slot)
{
    const auto it = rows().find(op.type);
    if (it == rows().end()) return usualKind(op);
    const std::vector<SlotKind> &kinds = slot.output ? it->second.outputs : it->second.inputs;
    return std::size_t(slot.index) < kinds.size() ? kinds[std::size_t(slot.index)] : usualKind(op);
}

Socket socketOf(const Operation &op)
{
    Socket socket;
    socket.inputs.assign(op.inputs.size(), usualKind(op));
    socket.outputs.assign(op.outputs.size(), usualKind(op));
    const auto it = rows().find(op.type);
    if (it == rows().end()) {
        for (int i = 0; i < int(op.inputs.size()); ++i)
            for (int o = 0; o < int(op.outputs.size()); ++o) socket.links.emplace_back(i, o);
        return socket;
    }
    const SocketRow &row = it->second;
    std::copy_n(row.inputs.begin(), std::min(row.inputs.size(), socket.inputs.size()), socket.inputs.begin());
    std::copy_n(row.outputs.begin(), std::min(row.outputs.size(), socket.outputs.size()), socket.outputs.begin());
    for (const auto &[in, out] : row.links)
        if (in < int(op.inputs.size()) && out < int(op.outputs.size())) socket.links.emplace_back(in, out);
    return socket;
}

} // namespace ql

// ONNX with QuantizeLinear / DequantizeLinear around every tensor that the simulator quantizes, for ONNX Runtime,
// OpenVINO and TensorRT. The graph computes the same as the simulator. The nodes themselves: qdq_nodes.h.
// Before: x -> Conv(w) -> Relu -> y
// After:  x -> Q -> DQ -> Conv(DQ(int8 w)) -> Relu -> Q -> DQ -> y
// Integer parameters are stored as integers followed by a DequantizeLinear, those in FP4, FP6 or NF4 as codes that look
// up their values in a table; limits of Clip, pad values and floats of more than 8 bits as rounded floats.
#include "core/exec/kernel.h"
#include "core/exec/openvino_kernels.h"
#include "core/export/exporter.h"
#include "core/export/onnx/float_biases.h"
#include "core/export/onnx/normalize_codes.h"
#include "core/export/onnx/open_shapes.h"
#include "core/export/onnx/operators.h"
#include "core/export/onnx/opset.h"
#include "core/export/onnx/qdq_nodes.h"
#include "core/export/onnx/quantized_file.h"
#include "core/export/onnx/runtime_fusions.h"
#include "core/export/onnx/written_bodies.h"
#include "core/export/onnx/written_operations.h"
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"
#include "core/pass/pass.h"
#include "core/pass/stored_codes.h"
#include "core/quant/integer_arithmetic.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace ql {

namespace {

class QdqWriter : QdqNodes
{
public:
    QdqWriter(const QuantModel &model, const QdqStyle &style) : QdqNodes(model, style) {}

    Graph write()
    {
        for (const OpId id : m_model.graph.topological()) {
            const Operation &op = m_model.graph.operation(id); // the original, which defines the slots
            for (std::size_t i = 0; i < op.inputs.size(); ++i)
                if (op.inputs[i] != noVar) input(op, i);
            for (std::size_t o = 0; o < op.outputs.size(); ++o)
                if (op.outputs[o] != noVar) output(op, o);
            sums(op);
            onCodes(op);
        }
        writeBodies(m_graph, m_model.plan, [&](const QuantModel &body) {
            QdqWriter writer(body, m_style);
            Graph written = writer.write();
            for (const Text &each : writer.m_notes) note(each);
            m_minOpset = std::max(m_minOpset, writer.m_minOpset);
            return written;
        });
        storeRoundedConstants(m_graph, m_style.unsignedCodes);
        separateReaders();
        m_graph.removeUnreachable();
        keepFloatBiases();
        raiseOpset(m_graph, m_minOpset);
        keepInFloat();
        if (isForOnnxRuntime()) preventFusions(m_graph);
        if (m_style.unsignedCodes) separateForOpenVino(m_graph, hasOpenShapes(m_model.graph));
        separateMatrices();
        separateOwnCodes();
        m_graph.irVersion = irVersion();
        m_graph.verify();
        return std::move(m_graph);
    }
    const std::vector<Text> &notes() const { return m_notes; }

private:
    /// ONNX Runtime rounds some biases (float_biases.h), which a network amplifies: at 4 bits by several dB, and at 16
    /// the codes exceed int32. It computes layers on codes of 8 bits in integers; it has no such kernel for others,
    /// which lose nothing by a Sum of one tensor (the identity) that separates them from the next QuantizeLinear.
    void keepFloatBiases()
    {
        if (m_style.parameters == QdqStyle::Floats || m_style.explicitAxis) return; // for other runtimes
        const auto isByte = [&](Slot slot) { return m_model.plan.find(slot)->bits == 8; };
        bool isNoted = false;
        for (const OpId id : layersWithRoundedBias(m_model)) {
            if (isByte(inputSlot(id, 0)) && isByte(inputSlot(id, 1))) {
                isNoted = true;
                continue;
            }
            const VarId result = m_graph.operation(id).outputs[0];
            const std::string base = m_graph.variable(result).name;
            const VarId sums = m_graph.addVariable(m_graph.freshName(base + "_sums"), m_graph.variable(result).type);
            m_graph.setOutput(id, 0, sums);
            addNode(base + "_Sum", "Sum", {sums}, result, -1);
        }
        if (isNoted)
            note(QL_TEXT(
                     "Some biases are float, as simulated, but ONNX Runtime's optimizer rounds them to int32. To match "
                     "the simulation, add the pass %1, or set the session option session.disable_quant_qdq to 1.")
                     .with(passThatWrites(PassAspect::RoundedBiases)));
    }

    /// ONNX Runtime's optimizer merges two consecutive pairs into one, although the rounding of the first affects the
    /// numbers, also with operations between them that move values, if their grids differ; and it gives each consumer
    /// of a DequantizeLinear a copy, and aborts at a consumer inside a body (If, Loop, Scan). A Sum of one tensor is
    /// the identity, and prevents this: unlike an Identity it is not optimized away.
    void separateReaders()
    {
        std::map<VarId, VarId> copies;
        for (const OpId id : m_graph.operations()) {
            const Operation &op = m_graph.operation(id);
            const bool requantizes = op.type == "QuantizeLinear";
            if (!requantizes && captureNames(op).empty()) continue;
            const std::size_t first = requantizes ? 0 : formalInputCount(op);
            const std::size_t last = requantizes ? 1 : op.inputs.size();
            for (std::size_t i = first; i < last; ++i) {
                const VarId read = m_graph.operation(id).inputs[i];
                if (!(requantizes ? isMergedWith(id) : restoredUpstream(read).has_value())) continue;
                const auto [copy, isNew] = copies.emplace(read, noVar);
                if (isNew) copy->second = sumOf(m_graph, read, "_separate");
                m_graph.setInput(id, i, copy->second);
            }
        }
    }

    OpId producerOf(VarId id) const { return id == noVar ? noOp : m_graph.variable(id).producer; }
    bool isRestored(VarId id) const
    {
        const OpId producer = producerOf(id);
        return producer != noOp && m_graph.operation(producer).type == "DequantizeLinear";
    }

    /// The result of a DequantizeLinear that id is, or that operations have moved there: an optimizer moves such an
    /// operation downstream of them.
    std::optional<VarId> restoredUpstream(VarId id) const
    {
        while (!isRestored(id)) {
            const OpId producer = producerOf(id);
            if (producer == noOp) return std::nullopt;
            const Operation &moving = m_graph.operation(producer);
            if (!movesValues(moving) || !moving.hasInput(0)) return std::nullopt;
            id = moving.inputs[0];
        }
        return id;
    }

    /// Whether an optimizer merges the pair of this QuantizeLinear with the one upstream, and that changes numbers.
    bool isMergedWith(OpId quantize) const
    {
        const Operation &op = m_graph.operation(quantize);
        if (isRestored(op.inputs[0])) return true;
        const std::optional<VarId> restored = restoredUpstream(op.inputs[0]);
        if (!restored) return isMovedOutput(op.inputs[0]);
        const Operation &restore = m_graph.operation(producerOf(*restored));
        const auto isSame = [&](std::size_t i) {
            const at::Tensor &a = m_graph.variable(op.inputs[i]).value, &b = m_graph.variable(restore.inputs[i]).value;
            return a.defined() && b.defined() && a.scalar_type() == b.scalar_type() && at::equal(a, b);
        };
        return !isSame(1) || !isSame(2);
    }

    /// Integer arithmetic (core/quant/integer_arithmetic.h): a layer's sums are rounded before the following Relu or
    /// Clip, which changes no code. ONNX Runtime executes a layer between pairs in integers, but not a layer with an
    /// activation that the codes do not imply.
    void sums(const Operation &op)
    {
        if (!m_model.plan.integerOps.contains(op.id)) return;
        const auto target = roundedAt(m_model.graph, op.id, [&](Slot slot) { return m_model.plan.simulated(slot); });
        if (!target || target->op == op.id) return;
        const TensorQuantConfig &config = *m_model.plan.find(*target);
        const VarId raw = m_graph.operation(op.id).outputs[0];
        const std::string name = m_graph.variable(raw).name;
        const VarId rounded = m_graph.addVariable(m_graph.freshName(name + "_rounded"), m_graph.variable(raw).type);
        m_graph.setInput(target->op, 0, rounded);
        const Grid grid = gridOf(*target, config);
        addPair(op, name, raw, rounded, grid, config);
        m_gridOfValue[rounded] = grid;
    }

    /// Integer arithmetic without rounding: op reads codes as float32 (scale 1), in which its sums are exact in any
    /// order, and a Mul after it applies the scales. A runtime computes the rest in float32, as the simulator does.
    void onCodes(const Operation &op)
    {
        const AppliedConfig applied = [&](Slot slot) { return m_model.plan.simulated(slot); };
        const auto source = op.hasInput(0) ? gridSource(m_model.graph, inputSlot(op.id, 0), applied) : std::nullopt;
        if (!source) return;
        const CodeGrid grid = codeGrid(m_model.plan, *source);
        if (isNormalizedFromCodes(m_model.graph, m_model.plan, op.id, applied)) {
            const VarId codes = codesAsFloats(op, *source);
            normalizeCodes(m_graph, op.id, codes, grid.scale,
                           std::int64_t(m_model.graph.variable(op.inputs[0]).type.shape->size()));
        }
        if (!m_model.plan.integerOps.contains(op.id)) return;
        if (roundedAt(m_model.graph, op.id, applied))
            for (std::size_t i = 0; i < 2; ++i)
                if (const auto its =
                        losesCodes(op, i) ? gridSource(m_model.graph, inputSlot(op.id, i), applied) : std::nullopt)
                    restoreInput(op, i, *its);
        if (isScaledAfterwards(m_model.graph, m_model.plan, op.id, applied)) {
            m_graph.setInput(op.id, 0, codesAsFloats(op, *source));
            const at::Tensor scale = at::full({}, grid.scale, at::TensorOptions(at::kFloat));
            const std::string base = m_model.graph.variable(op.outputs[0]).name;
            scaleOutput(op, {}, m_graph.addParameter(m_graph.freshName(base + "_step"), scale));
            return;
        }
        const auto sums = exactSums(m_model.graph, m_model.plan, op.id, grid, applied);
        if (!sums) return;
        m_graph.setInput(op.id, 0, codesAsFloats(op, *source));
        std::vector<OpId> parts{op.id};
        if (sums->parts.size() > 1) parts.push_back(copyOf(op.id));
        for (std::size_t i = 0; i < parts.size(); ++i) {
            m_graph.setInput(parts[i], 1, integersAsFloats(op, 1, sums->parts[i].weight));
            if (!sums->parts[i].bias.defined()) continue;
            const std::string base = m_model.graph.variable(op.inputs[2]).name;
            m_graph.setInput(parts[i], 2,
                             m_graph.addParameter(m_graph.freshName(base + "_codes"), sums->parts[i].bias));
        }
        std::vector<std::int64_t> shape;
        if (sums->steps.size() > 1) shape = {std::int64_t(sums->steps.size())};
        if (!shape.empty() && isLayer(op) && op.type != "Gemm") // [C, 1, 1]: channels of [N, C, spatial...]
            shape.resize(std::size_t(m_model.graph.variable(op.inputs[1]).value.dim()) - 1, 1);
        const std::string base = m_model.graph.variable(op.outputs[0]).name;
        const std::vector<float> &weight = m_model.plan.scale(inputSlot(op.id, 1));
        scaleOutput(op, parts, productOfScales(base, grid.scale, weight, at::tensor(sums->steps).reshape(shape)));
    }

    /// Whether operations are between op and the DequantizeLinear of its input i across which a runtime moves no pair:
    /// then it has no codes for op.
    bool losesCodes(const Operation &op, std::size_t i) const
    {
        static const std::set<std::string, std::less<>> crossed{"Reshape",   "Transpose", "Squeeze",
                                                                "Unsqueeze", "Slice",     "MaxPool"};
        if (!op.hasInput(i)) return false;
        bool found = false;
        for (VarId read = m_graph.operation(op.id).inputs[i]; !isRestored(read) && producerOf(read) != noOp;) {
            const Operation &before = m_graph.operation(producerOf(read));
            found = found || !crossed.contains(before.type);
            if (!before.hasInput(0)) break;
            read = before.inputs[0];
        }
        return found;
    }

    /// Inserts a pair before input i of op, whose values lie on the grid of source.
    VarId restoreInput(const Operation &op, std::size_t i, Slot source)
    {
        const VarId read = m_graph.operation(op.id).inputs[i];
        const std::string base = m_graph.variable(read).name;
        const TensorQuantConfig &config = *m_model.plan.find(source);
        const VarId restored =
            m_graph.addVariable(m_graph.freshName(base + "_dequantized"), m_graph.variable(read).type);
        addPair(op, base, read, restored, gridOf(source, config), config);
        m_graph.setInput(op.id, i, restored);
        return restored;
    }

    /// The codes, less the zero point, of the tensor that op reads as input 0, as float32.
    VarId codesAsFloats(const Operation &op, Slot source)
    {
        VarId read = m_graph.operation(op.id).inputs[0];
        if (!isRestored(read) || m_graph.isParameter(m_graph.operation(producerOf(read)).inputs[0]))
            read = restoreInput(op, 0, source);
        const Operation &before = m_graph.operation(producerOf(read));
        const auto [known, isNew] = m_floatCodes.emplace(before.inputs[0], noVar);
        if (!isNew) return known->second;
        const std::string base = m_graph.variable(read).name;
        const std::vector<VarId> inputs{before.inputs[0], unitScale(1), before.inputs[2]};
        known->second = m_graph.addVariable(m_graph.freshName(base + "_codes"), m_graph.variable(read).type);
        addNode(base + "_DequantizeLinear_codes", "DequantizeLinear", inputs, known->second, -1);
        return known->second;
    }

    VarId unitScale(float scale)
    {
        const auto [known, isNew] = m_unitScales.emplace(scale, noVar);
        if (isNew)
            known->second = m_graph.addParameter(m_graph.freshName("scale_" + std::to_string(int(scale))),
                                                 at::full({}, scale, at::TensorOptions(at::kFloat)));
        return known->second;
    }

    /// The parameter that op reads at input i as integers with a scale of 1 or 16, or as float32 if they have more than
    /// 8 bits or the file shall have none.
    VarId integersAsFloats(const Operation &op, std::size_t i, const at::Tensor &values)
    {
        const Variable &original = m_model.graph.variable(op.inputs[i]);
        const float scale = at::equal(at::remainder(values, 16), at::zeros_like(values)) ? 16.f : 1.f;
        const at::Tensor codes = values / scale;
        const double low = codes.min().item().toDouble(), high = codes.max().item().toDouble();
        if (m_style.parameters != QdqStyle::Integers || low < -128 || high > 127)
            return m_graph.addParameter(m_graph.freshName(original.name + "_codes"), values);
        const bool isUnsigned = hasUnsignedWeights(op);
        const at::ScalarType type = isUnsigned ? at::kByte : at::kChar;
        const double zeroPoint = isUnsigned ? 128 : 0;
        const VarId integers =
            m_graph.addParameter(m_graph.freshName(original.name + "_quantized"), (codes + zeroPoint).to(type));
        const VarId zero = m_graph.addParameter(m_graph.freshName(original.name + "_zero_point"),
                                                at::full({}, zeroPoint, at::TensorOptions(type)));
        const VarId floats = m_graph.addVariable(m_graph.freshName(original.name + "_codes"), original.type);
        addNode(original.name + "_DequantizeLinear", "DequantizeLinear", {integers, unitScale(scale), zero}, floats,
                -1);
        return floats;
    }

    /// A second operation like id, with an output of its own.
    OpId copyOf(OpId id)
    {
        Operation copy = m_graph.operation(id);
        const Variable &output = m_graph.variable(copy.outputs[0]);
        copy.name = m_graph.freshName(copy.name + "_high");
        copy.outputs[0] = m_graph.addVariable(m_graph.freshName(output.name + "_high"), output.type);
        return m_graph.addOperation(std::move(copy));
    }

    /// op's output becomes the sum of the outputs of parts (op itself if there are none), times scale.
    void scaleOutput(const Operation &op, const std::vector<OpId> &parts, VarId scale)
    {
        const VarId result = m_graph.operation(op.id).outputs[0];
        const std::string base = m_graph.variable(result).name;
        const auto fresh = [&](const char *name) {
            return m_graph.addVariable(m_graph.freshName(base + name), m_graph.variable(result).type);
        };
        VarId sum = fresh("_sums");
        m_graph.setOutput(op.id, 0, sum);
        if (parts.size() > 1) {
            const VarId whole = fresh("_sum");
            addNode(base + "_Add", "Add", {sum, m_graph.operation(parts[1]).outputs[0]}, whole, -1);
            sum = whole;
        }
        addNode(base + "_Mul", "Mul", {sum, scale}, result, -1);
        m_onCodes.insert(op.id);
    }

    /// ONNX Runtime computes some operations between pairs differently from the float operation: Add and Mul with
    /// rounded ratios of the scales, Softmax with the integer part of 1 / scale, an interpolating Resize without
    /// rounding. With integer arithmetic, the file must give the simulator's numbers: an Add becomes a Sum, and a Sum
    /// of one tensor is inserted before the others; neither is replaced.
    void keepInFloat()
    {
        for (const OpId id : m_model.plan.integerOps) {
            if (!m_graph.contains(id) || m_onCodes.contains(id)) continue;
            const Operation op = m_graph.operation(id);
            const auto reads = [&](std::size_t i) { // an optimizer moves the pair downstream of a Reshape
                return i < op.inputs.size() && restoredUpstream(op.inputs[i]).has_value();
            };
            if (!op.domain.empty() || !reads(0)) continue;
            if (op.type == "Add" && reads(1)) {
                m_graph.edit(id).type = "Sum";
            } else if ((op.type == "Mul" && reads(1)) || op.type == "Softmax" ||
                       (op.type == "Resize" && op.stringAttribute("mode", "nearest") != "nearest")) {
                m_graph.setInput(id, 0, sumOf(m_graph, op.inputs[0], "_float"));
            } else if (op.type == "AveragePool" && op.intAttribute("ceil_mode", 0) != 0 &&
                       op.intAttribute("count_include_pad", 0) != 0) { // QLinearAveragePool divides by other counts
                m_graph.setInput(id, 0, sumOf(m_graph, op.inputs[0], "_float"));
            } else if (op.type == "AveragePool" && op.hasAttribute("dilations")) { // QLinearAveragePool has none
                const auto dilations = op.intsAttribute("dilations");
                if (std::all_of(dilations.begin(), dilations.end(), [](std::int64_t each) { return each == 1; }))
                    m_graph.edit(id).attributes.erase("dilations");
                else
                    m_graph.setInput(id, 0, sumOf(m_graph, op.inputs[0], "_float"));
            }
        }
    }

    /// ONNX Runtime's optimizer turns a MatMul or Gemm of a float tensor and a stored matrix, or one of blocks,
    /// into MatMulNBits, which rounds the float tensor to 8 bits unless session.qdq_matmulnbits_accuracy_level is 1.
    void separateMatrices()
    {
        if (!isForOnnxRuntime()) return;
        for (const OpId id : m_graph.operations()) {
            const Operation &op = m_graph.operation(id);
            if (!op.domain.empty() || (op.type != "MatMul" && op.type != "Gemm") || !isRestored(op.inputs[1])) continue;
            const Operation &restore = m_graph.operation(producerOf(op.inputs[1]));
            if (!m_graph.isParameter(restore.inputs[0])) continue;
            if (restore.intAttribute("block_size", 0) == 0 && restoredUpstream(op.inputs[0])) continue;
            m_graph.setInput(id, 1, sumOf(m_graph, op.inputs[1], "_separate"));
            note(QL_TEXT("Matrices that multiply float tensors are restored to float in every run, as simulated. ONNX "
                         "Runtime would round the float tensors to 8 bits otherwise; the format %1 avoids both.")
                     .with("onnx_matmul_nbits"));
        }
    }

    /// Codes that the model itself has: ONNX Runtime's optimizer would execute what reads them in integers, although
    /// the simulator computes in float, and take a stored bias for codes on the grid of its layer. Stored ones become
    /// floats, the others are read through a Sum.
    void separateOwnCodes()
    {
        if (m_style.parameters == QdqStyle::Floats || m_style.explicitAxis) return; // for other runtimes
        for (const OpId id : m_model.graph.topological()) {
            if (!isDequantizeLinear(m_model.graph.operation(id)) || !m_graph.contains(id)) continue;
            const Operation op = m_graph.operation(id);
            const std::vector<Use> uses = m_graph.variable(op.outputs[0]).uses;
            const VarId stored = m_graph.isGraphOutput(op.outputs[0]) ? noVar : restoredParameter(op);
            VarId read = stored;
            for (const Use &use : uses) {
                if (use.op == noOp || (stored == noVar && m_graph.operation(use.op).type == "Sum")) continue;
                if (read == noVar) read = sumOf(m_graph, op.outputs[0], "_separate");
                m_graph.setInput(use.op, std::size_t(use.index), read);
            }
        }
        m_graph.removeUnreachable();
    }

    /// The values of a DequantizeLinear of constants as a parameter; noVar for another one.
    VarId restoredParameter(const Operation &op)
    {
        std::vector<at::Tensor> inputs;
        for (const VarId input : op.inputs) {
            if (input != noVar && !m_graph.isParameter(input)) return noVar;
            inputs.push_back(input == noVar ? at::Tensor() : m_graph.variable(input).value);
        }
        constexpr std::int64_t mostElements = std::int64_t{1} << 26;
        const auto values = constantOutputs({op, m_graph}, inputs, mostElements);
        if (!values) return noVar;
        const std::string &name = m_graph.variable(op.outputs[0]).name;
        return m_graph.addParameter(m_graph.freshName(name + "_values"), values->front());
    }

    void parameter(const Operation &op, std::size_t i, const TensorQuantConfig &config)
    {
        const Slot slot = inputSlot(op.id, i);
        const Variable &original = m_model.graph.variable(op.inputs[i]);
        const auto rounded = [&](const char *name) {
            return m_graph.addParameter(m_graph.freshName(original.name + name),
                                        simulatedParameter(m_model.graph, m_model.plan, slot));
        };
        const bool isForeign = isForeignFormat(config);
        const bool hasNoPair = m_style.parameters == QdqStyle::Floats && (isForeign || isWideCode(config));
        if (m_style.parameters == QdqStyle::Rounded || config.visibility == Visibility::Internal || config.dynamic ||
            hasNoPair || (isForeign && config.bits > 8)) {
            m_graph.setInput(op.id, i, rounded("_rounded"));
            return;
        }
        Grid grid = gridOf(slot, config);
        const VarId restored = m_graph.addVariable(m_graph.freshName(original.name + "_dequantized"), original.type);
        m_graph.setInput(op.id, i, restored);
        if (m_style.parameters == QdqStyle::Floats) { // on the grid already: neither clipped nor rounded again
            addQuantized(op, original.name, rounded("_rounded"), restored, grid, config);
            return;
        }
        if (i == 1) grid.scale = targetWeightScale(m_model.graph, m_model.plan, op.id);
        const at::Tensor &value = m_model.plan.parameterValue(m_model.graph, original.id);
        if (isForeign) return addLookUp(original.name, value, restored, grid, config);
        addIntegers(op, original.name, value, restored, grid, config);
    }

    void input(const Operation &op, std::size_t i)
    {
        const VarId id = op.inputs[i];
        const TensorQuantConfig *config = m_model.plan.simulated(inputSlot(op.id, i));
        if (m_model.graph.isParameter(id)) {
            if (config)
                parameter(op, i, *config);
            else if (m_model.plan.parameterValues.contains(id))
                m_graph.setInput(op.id, i,
                                 m_graph.addParameter(m_graph.freshName(m_model.graph.variable(id).name + "_value"),
                                                      m_model.plan.parameterValues.at(id)));
            return;
        }
        if (!config) return;
        const Grid grid = gridOf(inputSlot(op.id, i), *config);
        const VarId current = m_graph.operation(op.id).inputs[i];
        const auto produced = m_gridOfValue.find(current);
        if (produced != m_gridOfValue.end() && produced->second == grid) return; // already on this grid
        const auto known = m_pairs.find({current, grid});
        VarId restored = known == m_pairs.end() ? noVar : known->second;
        if (restored == noVar) {
            restored = m_graph.addVariable(m_graph.freshName(m_model.graph.variable(id).name + "_dequantized"),
                                           m_graph.variable(current).type);
            addPair(op, m_model.graph.variable(id).name, current, restored, grid, *config);
            m_pairs[{current, grid}] = restored;
            if (!grid.dynamic) m_gridOfValue[restored] = grid; // otherwise another rounding has a range of its own
        }
        m_graph.setInput(op.id, i, restored);
    }

    void output(const Operation &op, std::size_t o)
    {
        const TensorQuantConfig *config = m_model.plan.simulated(outputSlot(op.id, o));
        if (!config) return;
        const Grid grid = gridOf(outputSlot(op.id, o), *config);
        const VarId id = op.outputs[o]; // keeps its name on the other side, so that graph outputs do
        if (m_style.unsignedCodes && keepsAll(m_model.graph, op)) {
            const auto read = m_gridOfValue.find(m_graph.operation(op.id).inputs[0]);
            if (read != m_gridOfValue.end() && read->second == grid) {
                m_gridOfValue[id] = grid;
                return;
            }
        }
        const VarId raw =
            m_graph.addVariable(m_graph.freshName(m_model.graph.variable(id).name + "_raw"), m_graph.variable(id).type);
        m_graph.setOutput(op.id, o, raw);
        addPair(op, m_model.graph.variable(id).name, raw, id, grid, *config);
        if (!grid.dynamic) m_gridOfValue[id] = grid;
    }

    std::map<VarId, Grid> m_gridOfValue;             ///< outputs of a DequantizeLinear
    std::map<std::pair<VarId, Grid>, VarId> m_pairs; ///< result of rounding a value to a grid
    std::map<VarId, VarId> m_floatCodes;             ///< codes -> the same as float32
    std::map<float, VarId> m_unitScales;
    std::set<OpId> m_onCodes; ///< operations that read codes as float32
};

ExportResult writeQdq(const ExportRequest &request, const QdqStyle &style)
{
    ExportResult result;
    checkForeignOperators(request.model.graph, request.params, result.notes);
    QdqWriter writer(request.model, style);
    Graph graph = writer.write();
    result.notes.insert(result.notes.end(), writer.notes().begin(), writer.notes().end());
    splitBiasedMatMul(graph);
    openShapes(graph, request.params);
    result.operations = writtenOperations(graph);
    result.files = writeQuantizedOnnx(graph, request);
    return result;
}

std::vector<api::ParamSpec> qdqParams(std::vector<api::ParamSpec> own)
{
    for (const auto &param : {uncalibratedParam(), fixedShapesParam(), foreignOperatorsParam()}) own.push_back(param);
    return own;
}

const api::ParamSpec &int4Param()
{
    static const api::ParamSpec param{
        .name = "int4",
        .type = "bool",
        .fallback = false,
        .meaning = QL_TEXT("Store parameters of 4 bits or fewer as INT4 and UINT4 (opset 21), two in a byte; off: as "
                           "8-bit integers, which every runtime reads.")};
    return param;
}

const ExporterRegistrar qdq{
    "onnx_qdq",
    {.info =
         {.id = "onnx_qdq",
          .title = QL_TEXT("ONNX with QuantizeLinear / DequantizeLinear"),
          .meaning = QL_TEXT(
              "One .onnx file that ONNX Runtime, OpenVINO and TensorRT read; it computes what the simulator computes."),
          .params = qdqParams(
              {{.name = "quantized_parameters",
                .type = "bool",
                .fallback = true,
                .meaning = QL_TEXT(
                    "Store quantized parameters as integers or FP8 followed by a DequantizeLinear, and in other "
                    "formats (FP4, FP6, NF4) as codes that look up their values in a table; off: as rounded floats.")},
               int4Param(),
               {.name = "unsigned_weights",
                .type = "bool",
                .fallback = true,
                .meaning = QL_TEXT(
                    "Store 8-bit weights of layers in integer arithmetic as unsigned codes around 128. With signed "
                    "ones, ONNX Runtime's sums saturate on x86 processors without VNNI unless "
                    "session.x64quantprecision is 1.")}})},
     .extensions = {".onnx"},
     .keepsDynamicGroups = true,
     .run = [](const ExportRequest &request) {
         const bool isInteger = request.params.at("quantized_parameters").get<bool>();
         return writeQdq(request, {.parameters = isInteger ? QdqStyle::Integers : QdqStyle::Rounded,
                                   .int4 = request.params.at(int4Param().name).get<bool>(),
                                   .unsignedWeights = request.params.at("unsigned_weights").get<bool>()});
     }}};

const ExporterRegistrar openvinoQdq{
    "openvino_qdq",
    {.info = {.id = "openvino_qdq",
              .title = QL_TEXT("OpenVINO Q/DQ"),
              .meaning =
                  QL_TEXT("ONNX with QuantizeLinear / DequantizeLinear for OpenVINO: each with an axis, as older "
                          "versions require, and unsigned codes, because version 2026.4 loses scales of signed "
                          "ones."),
              .params = qdqParams({int4Param()})},
     .extensions = {".onnx"},
     .run = [](const ExportRequest &request) {
         return writeQdq(
             request,
             {.explicitAxis = true, .int4 = request.params.at(int4Param().name).get<bool>(), .unsignedCodes = true});
     }}};

const ExporterRegistrar tensorRtQdq{
    "trt_qdq",
    {.info = {.id = "trt_qdq",
              .title = QL_TEXT("TensorRT Q/DQ"),
              .meaning = QL_TEXT("ONNX with QuantizeLinear / DequantizeLinear, also after weights, which are stored as "
                                 "floats rounded to their grid: explicit quantization of TensorRT 8 and later."),
              .params = qdqParams({})},
     .extensions = {".onnx"},
     .run = [](const ExportRequest &request) { return writeQdq(request, {.parameters = QdqStyle::Floats}); }}};

} // namespace

} // namespace ql

// Before: x -> Q -> DQ -> Conv(DQ(int8 w)) -> y -> Q -> DQ -> z, or QLinearConv between Q and DQ
// After:  x -> Conv(float32 w) -> y
//
// Every pair of QuantizeLinear and DequantizeLinear is removed, constant codes become float32 parameters, and operators
// on codes become the float operators that they approximate. What the model rounds, and how, is returned as one grid
// per slot: a consumer's input has the grid of the pair before it; a producer's output, too, if all of its consumers
// read it through that pair. Kept as operations of the float model: codes whose scale is computed at run time, unless
// it is that of DynamicQuantizeLinear. Names: a tensor has the shorter one of its two names around a pair, a weight
// what the names of its codes and of its values have in common; inputs and outputs keep theirs. Codes that something
// else reads are quantized for it alone. Own files (qdq.cpp): a Clip that narrows the range of codes becomes part of
// the grid, a look-up of weights becomes a parameter (look_up.h), a Sum of one tensor and a Max with the lowest
// number are dropped. Source: ONNX QuantizeLinear-21, DequantizeLinear-21, QLinearConv-10, QLinearMatMul-21;
// com.microsoft QGemm-1 ...
#include "core/pass/dequantize_model.h"

#include "core/base/error.h"
#include "core/pass/format_tools.h"
#include "core/pass/look_up.h"
#include "core/pass/pass.h"
#include "core/pass/stored_codes.h"

#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace ql {

namespace {

using Chain = std::vector<StoredGrid>; ///< roundings, one after the other

/// A tensor as its consumers read it: the values of another one, rounded.
struct RoundedTensor
{
    VarId real = noVar;
    Chain chain;
};

const char *const dequantizeModelId = "dequantize_model";

/// The codes of the file that a float model can do without.
class ConvertibleCodes
{
public:
    explicit ConvertibleCodes(const Graph &graph) : m_graph(graph)
    {
        for (const OpId id : graph.topological()) {
            const Operation &op = graph.operation(id);
            if (op.outputs.empty() || op.outputs[0] == noVar) continue;
            const LinearForm *form = linearFormOf(op);
            if (form) m_forms.insert(id);
            if ((isQuantizeLinear(op) && hasGrid(graph, op)) || (form && op.hasInput(form->outputScale)) ||
                (movesCodes(op) && op.hasInput(0) && m_codes.contains(op.inputs[0])))
                m_codes.insert(op.outputs[0]);
        }
        while (removeOthers()) {
        }
    }
    bool contains(VarId codes) const { return m_codes.contains(codes); }
    bool contains(OpId form) const { return m_forms.contains(form); }

private:
    bool isReadable(const Use &use) const
    {
        if (use.op == noOp) return false;
        const Operation &op = m_graph.operation(use.op);
        if (isDequantizeLinear(op)) return use.index == 0 && hasGrid(m_graph, op);
        if (movesCodes(op)) return use.index == 0 && m_codes.contains(op.outputs[0]);
        return m_forms.contains(use.op);
    }
    /// Codes that nothing reads as a tensor of values, and those of graph outputs, stay codes.
    bool removeOthers()
    {
        const std::size_t before = m_codes.size() + m_forms.size();
        std::erase_if(m_codes, [&](VarId id) {
            const Variable &codes = m_graph.variable(id);
            const Operation &producer = m_graph.operation(codes.producer);
            const bool isWritten = isQuantizeLinear(producer) || m_forms.contains(codes.producer) ||
                                   (movesCodes(producer) && m_codes.contains(producer.inputs[0]));
            return !isWritten || m_graph.isGraphOutput(id) ||
                   std::none_of(codes.uses.begin(), codes.uses.end(), [&](const Use &use) { return isReadable(use); });
        });
        std::erase_if(m_forms, [&](OpId id) {
            const Operation &op = m_graph.operation(id);
            const LinearForm &form = *linearFormOf(op);
            const std::vector<CodeInput> inputs = codeInputs(form, op);
            const bool reads = std::all_of(inputs.begin(), inputs.end(),
                                           [&](const CodeInput &input) { return op.hasInput(input.codes); });
            return !reads || (op.hasInput(form.outputScale) && !m_codes.contains(op.outputs[0]));
        });
        return m_codes.size() + m_forms.size() < before;
    }

    const Graph &m_graph;
    std::set<VarId> m_codes;
    std::set<OpId> m_forms; ///< operators on codes that become float operators
};

class Dequantizer
{
public:
    explicit Dequantizer(Graph &graph) : m_graph(graph), m_isOwn(graph.producerName == "quantloupe"), m_codes(graph) {}

    std::map<Slot, StoredGrid> run()
    {
        for (const OpId id : m_graph.operations())
            if (m_graph.contains(id)) convertDynamic(id);
        for (const OpId id : m_graph.topological()) visit(id);
        std::map<VarId, Chain> outputs;
        for (const VarId id : m_graph.outputs())
            if (const auto known = m_rounded.find(id); known != m_rounded.end())
                outputs.emplace(id, known->second.chain);
        for (auto id = m_removed.rbegin(); id != m_removed.rend(); ++id) m_graph.removeOperation(*id);
        for (const auto &[id, chain] : outputs) restoreOutput(id, m_rounded.at(id).real, chain);
        for (const OpId id : m_graph.operations()) roundSlots(id);
        roundInputs();
        m_graph.removeUnreachable();
        std::erase_if(m_grids, [&](const auto &entry) { return !m_graph.contains(entry.first.op); });
        for (const auto &[id, names] : m_names) rename(id, names);
        return std::move(m_grids);
    }

    std::vector<std::pair<std::string, std::string>> approximated; ///< operation, tensor: rounded more than twice
    int kept = 0;                                                  ///< pairs that no grid expresses

private:
    void visit(OpId id)
    {
        const Operation op = m_graph.operation(id);
        const VarId out = op.outputs.empty() ? noVar : op.outputs[0];
        if (const std::optional<StoredGrid> ownRange = dynamicGrid(m_graph, op)) {
            RoundedTensor rounded = read(op.inputs[0]);
            rounded.chain.push_back(*ownRange);
            for (const Use &use : m_graph.variable(out).uses) m_rounded[m_graph.operation(use.op).outputs[0]] = rounded;
            for (const Use &use : m_graph.variable(out).uses) m_removed.push_back(use.op);
            m_removed.push_back(id);
        } else if (isDequantizeLinear(op) && m_rounded.contains(out)) {
            return; // of a dynamic pair
        } else if (isQuantizeLinear(op) && m_codes.contains(out)) {
            RoundedTensor rounded = read(op.inputs[0]);
            StoredGrid grid = storedGrid(m_graph, op, 1, 2, out, op.intAttribute("axis", 1));
            takeClip(rounded, grid);
            if (rounded.chain.empty() || rounded.chain.back() != grid) rounded.chain.push_back(std::move(grid));
            m_rounded[out] = std::move(rounded);
            m_removed.push_back(id);
        } else if (isDequantizeLinear(op) && hasGrid(m_graph, op) &&
                   (m_graph.isParameter(op.inputs[0]) || m_rounded.contains(op.inputs[0]))) {
            dequantize(op, out);
            m_removed.push_back(id);
        } else if (m_codes.contains(id)) {
            convert(op, *linearFormOf(op));
        } else if (isCopy(m_graph, op) && (m_rounded.contains(op.inputs[0]) || isOfWriter(op))) {
            m_rounded[out] = read(op.inputs[0]);
            m_removed.push_back(id);
        } else if (const std::optional<LookedUp> stored = lookedUp(m_graph, op)) {
            m_rounded[out] = {realParameter(stored->codes, stored->values, m_graph.variable(out).name), {stored->grid}};
            m_removed.push_back(id);
        } else {
            if (isQuantizeLinear(op) || isDequantizeLinear(op)) ++kept;
            const bool moves = m_codes.contains(out) && movesCodes(op);
            if (m_isOwn && op.type == "Sum" && op.domain.empty() && op.inputs.size() == 2 && op.outputs.size() == 1)
                m_graph.edit(id).type = "Add"; // as qdq.cpp found it
            for (std::size_t i = 0; i < op.inputs.size(); ++i)
                if (const auto known = m_rounded.find(op.inputs[i]); known != m_rounded.end()) {
                    if (m_codes.contains(op.inputs[i]) && !(moves && i == 0))
                        m_graph.setInput(id, i, codesAgain(op.inputs[i]));
                    else
                        link(inputSlot(id, i), known->second);
                }
            if (!moves) return;
            const StoredGrid grid = m_rounded.at(op.inputs[0]).chain.back();
            writeReal(out, grid);
        }
    }

    RoundedTensor read(VarId id) const
    {
        const auto known = m_rounded.find(id);
        return known == m_rounded.end() ? RoundedTensor{id, {}} : known->second;
    }

    void link(Slot slot, const RoundedTensor &rounded)
    {
        m_graph.setInput(slot.op, std::size_t(slot.index), rounded.real);
        m_chains[slot] = rounded.chain;
    }

    OpId addNode(VarId near, const char *type, std::vector<VarId> inputs, VarId output, const StoredGrid &grid)
    {
        Operation node;
        node.name = m_graph.freshName(m_graph.variable(near).name + "_" + type);
        node.type = type;
        node.opset = std::max<std::int64_t>(m_graph.opsets[""], grid.isFloating() ? 19 : grid.bits == 8 ? 13 : 21);
        node.inputs = std::move(inputs);
        node.outputs = {output};
        if (grid.axis) node.attributes["axis"] = std::int64_t(*grid.axis);
        ++kept;
        return m_graph.addOperation(std::move(node));
    }

    /// For a reader that uses codes as numbers: the values are quantized for it alone.
    VarId codesAgain(VarId codes)
    {
        const auto [known, isNew] = m_again.emplace(codes, noVar);
        if (!isNew) return known->second;
        const RoundedTensor &rounded = m_rounded.at(codes);
        const StoredGrid &grid = rounded.chain.back();
        const at::Tensor scale = at::tensor(grid.scale, at::TensorOptions(at::kFloat));
        const at::Tensor zero = at::tensor(grid.zeroPoint, at::TensorOptions(at::kInt));
        const auto constant = [&](const char *suffix, const at::Tensor &value) {
            return m_graph.addParameter(m_graph.freshName(m_graph.variable(codes).name + suffix),
                                        grid.axis ? value : value.reshape({}));
        };
        const VarId step = constant("_scale", scale), zeroPoint = constant("_zero_point", zero);
        setCodeType(m_graph, zeroPoint, grid);
        known->second = m_graph.addVariable(m_graph.freshName(m_graph.variable(codes).name + "_again"),
                                            m_graph.variable(codes).type);
        setCodeType(m_graph, known->second, grid);
        addNode(codes, "QuantizeLinear", {rounded.real, step, zeroPoint}, known->second, grid);
        return known->second;
    }

    /// Codes that something else wrote, as values.
    RoundedTensor valuesOf(VarId codes, VarId scale, VarId zeroPoint, const StoredGrid &grid)
    {
        const std::string name = m_graph.variable(codes).name + "_values";
        const VarId values =
            m_graph.addVariable(m_graph.freshName(name), {at::kFloat, m_graph.variable(codes).type.shape});
        addNode(codes, "DequantizeLinear", {codes, scale, zeroPoint}, values, grid);
        return {values, {grid}};
    }

    /// A tensor of codes becomes the float tensor.
    void writeReal(VarId codes, const StoredGrid &grid)
    {
        Variable &real = m_graph.edit(codes);
        real.type.dtype = at::kFloat;
        real.fileType = 0;
        m_rounded[codes] = {codes, {grid}};
        m_names[codes].push_back(real.name);
    }

    /// Own files: the Max in front of an AveragePool or a QuantizeLinear, the Sum in front of a QuantizeLinear.
    bool isOfWriter(const Operation &copy) const
    {
        const VarId out = copy.outputs[0];
        const auto &uses = m_graph.variable(out).uses;
        return m_isOwn && !m_graph.isGraphOutput(out) && std::all_of(uses.begin(), uses.end(), [&](const Use &use) {
                   const Operation &reader = m_graph.operation(use.op);
                   if (copy.type == "Max" && reader.type == "AveragePool") return true;
                   return isQuantizeLinear(reader) && !reader.outputs.empty() && m_codes.contains(reader.outputs[0]);
               });
    }

    /// Own files: Clip -> QuantizeLinear is a grid with fewer codes than its type.
    void takeClip(RoundedTensor &rounded, StoredGrid &grid)
    {
        const OpId producer = m_graph.variable(rounded.real).producer;
        if (!m_isOwn || !rounded.chain.empty() || producer == noOp || grid.axis || grid.isFloating()) return;
        const Operation &clip = m_graph.operation(producer);
        if (clip.type != "Clip" || clip.inputs.size() != 3 || m_graph.variable(rounded.real).uses.size() != 1 ||
            m_graph.variable(rounded.real).name.find("_clipped") == std::string::npos)
            return;
        const at::Tensor low = parameterOf(m_graph, clip, 1), high = parameterOf(m_graph, clip, 2);
        if (!low.defined() || !high.defined()) return;
        const auto code = [&](const at::Tensor &bound) {
            return std::llround(bound.item().toDouble() / double(grid.scale[0])) + grid.zeroPoint[0];
        };
        grid.quantMin = std::max<std::int64_t>(grid.quantMin, code(low));
        grid.quantMax = std::min<std::int64_t>(grid.quantMax, code(high));
        const auto known = m_chains.find(inputSlot(producer, 0));
        rounded = {clip.inputs[0], known == m_chains.end() ? Chain{} : known->second};
        m_chains.erase(inputSlot(producer, 0));
        m_removed.push_back(producer);
    }

    void dequantize(const Operation &op, VarId out)
    {
        const VarId codes = op.inputs[0];
        const StoredGrid grid = storedGrid(m_graph, op, 1, 2, codes, op.intAttribute("axis", 1));
        if (m_graph.isParameter(codes)) {
            m_rounded[out] = {realParameter(codes, grid, m_graph.variable(out).name), {grid}};
            return;
        }
        const RoundedTensor &rounded = m_rounded.at(codes);
        checkSame(op, codes, grid, rounded.chain.back());
        m_rounded[out] = rounded;
        if (rounded.chain.size() == 1 && !m_graph.isParameter(rounded.real))
            m_names[rounded.real].push_back(m_graph.variable(out).name);
    }

    void checkSame(const Operation &op, VarId codes, const StoredGrid &read, const StoredGrid &written) const
    {
        if (read.scale == written.scale && read.zeroPoint == written.zeroPoint) return;
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("%1 reads codes with scale %2 and zero point %3 that were written with %4 and %5")
                        .with(op.type, numberText(read.scale[0], 9), read.zeroPoint[0], numberText(written.scale[0], 9),
                              written.zeroPoint[0]),
                    op.name, m_graph.variable(codes).name)
            .withRemedy(QL_TEXT("The codes are used as numbers, or the file is damaged: use the float model."));
    }

    VarId realParameter(VarId codes, const StoredGrid &grid, const std::string &valuesName)
    {
        return realParameter(codes, storedValues(m_graph.variable(codes).value, grid), valuesName);
    }
    VarId realParameter(VarId codes, const at::Tensor &values, const std::string &valuesName)
    {
        const std::string codesName = m_graph.variable(codes).name;
        const auto end = std::mismatch(codesName.begin(), codesName.end(), valuesName.begin(), valuesName.end()).first;
        std::string name(codesName.begin(), end);
        while (!name.empty() && (name.back() == '_' || name.back() == '.' || name.back() == '/')) name.pop_back();
        return m_graph.addParameter(m_graph.freshName(name.empty() ? valuesName + "_values" : name), values);
    }

    /// An operator on codes becomes its float operator.
    void convert(const Operation &op, const LinearForm &form)
    {
        const VarId out = op.outputs[0];
        std::vector<RoundedTensor> operands;
        for (const CodeInput &input : codeInputs(form, op)) {
            const VarId codes = op.inputs[input.codes];
            const bool isSecond = !operands.empty();
            const StoredGrid grid =
                storedGrid(m_graph, op, input.scale, input.zeroPoint, codes, isSecond ? weightAxis(op) : 1);
            if (m_graph.isParameter(codes)) {
                operands.push_back({realParameter(codes, grid, plainName(codes)), {grid}});
            } else if (!m_codes.contains(codes)) {
                operands.push_back(valuesOf(codes, op.inputs[input.scale],
                                            op.hasInput(input.zeroPoint) ? op.inputs[input.zeroPoint] : noVar, grid));
            } else {
                checkSame(op, codes, grid, m_rounded.at(codes).chain.back());
                operands.push_back(m_rounded.at(codes));
            }
        }
        if (form.bias > 0 && op.hasInput(form.bias)) operands.push_back(bias(op, form.bias, operands));
        std::optional<StoredGrid> written;
        if (op.hasInput(form.outputScale))
            written = storedGrid(m_graph, op, form.outputScale, form.outputScale + 1, out, 1);
        m_graph.resizeInputs(op.id, operands.size());
        for (std::size_t i = 0; i < operands.size(); ++i) link(inputSlot(op.id, i), operands[i]);
        becomeFloat(op, form.floatType);
        if (written) writeReal(out, *written);
    }

    /// MatMulInteger or ConvInteger of a DynamicQuantizeLinear -> Cast -> Mul (x scale * weight scale), as ONNX
    /// Runtime's dynamic quantization writes it, becomes MatMul or Conv with a dynamic input.
    void convertDynamic(OpId id)
    {
        const Operation op = m_graph.operation(id);
        const bool isConv = op.type == "ConvInteger";
        if ((!isConv && op.type != "MatMulInteger") || !op.domain.empty() || !m_graph.isParameter(op.inputs[1])) return;
        const OpId source = m_graph.variable(op.inputs[0]).producer;
        const OpId cast = m_graph.soleConsumer(id), mul = cast == noOp ? noOp : m_graph.soleConsumer(cast);
        if (source == noOp || mul == noOp || m_graph.operation(source).type != "DynamicQuantizeLinear" ||
            m_graph.operation(cast).type != "Cast" || m_graph.operation(mul).type != "Mul")
            return;
        const Operation dynamic = m_graph.operation(source), last = m_graph.operation(mul);
        const OpId scales =
            m_graph.variable(last.inputs[last.inputs[0] == m_graph.operation(cast).outputs[0] ? 1 : 0]).producer;
        if (scales == noOp || m_graph.operation(scales).type != "Mul") return;
        const Operation factors = m_graph.operation(scales); // x scale, weight scale
        const std::size_t weightScale = factors.inputs[0] == dynamic.outputs[1] ? 1 : 0;
        if (factors.inputs[1 - weightScale] != dynamic.outputs[1] || !m_graph.isParameter(factors.inputs[weightScale]))
            return;
        m_graph.setInput(id, 4, factors.inputs[weightScale]); // for storedGrid()
        const at::Tensor &scale = m_graph.variable(factors.inputs[weightScale]).value;
        if (scale.numel() != 1 && scale.dim() != 1) return m_graph.resizeInputs(id, op.inputs.size());
        StoredGrid weight = storedGrid(m_graph, m_graph.operation(id), 4, 3, op.inputs[1], isConv ? 0 : -1);
        const VarId real = realParameter(op.inputs[1], weight, plainName(op.inputs[1]));
        m_graph.removeOperation(mul);
        m_graph.removeOperation(cast);
        m_graph.setOutput(id, 0, last.outputs[0]);
        m_graph.resizeInputs(id, 2);
        StoredGrid input;
        input.quantMin = 0;
        input.quantMax = 255;
        input.dynamic = true;
        link(inputSlot(id, 0), {dynamic.inputs[0], {input}});
        link(inputSlot(id, 1), {real, {std::move(weight)}});
        becomeFloat(op, isConv ? "Conv" : "MatMul");
    }

    /// op, which may be named "conv_quant" after the float operation, gets a float operator's type.
    void becomeFloat(const Operation &op, std::string_view type)
    {
        Operation &edited = m_graph.edit(op.id);
        edited.type = type;
        edited.domain.clear();
        edited.opset = op.intAttribute("opset", op.type == "QLinearReduceMean" ? 13 : m_graph.opsets[""]);
        edited.attributes.erase("channels_last");
        edited.attributes.erase("opset");
        constexpr std::string_view ending = "_quant";
        if (!op.name.ends_with(ending)) return;
        const std::string plain = op.name.substr(0, op.name.size() - ending.size());
        if (!plain.empty() && m_graph.findOperation(plain) == noOp) m_graph.rename(op.id, plain);
    }

    static std::int64_t weightAxis(const Operation &op)
    {
        if (op.type == "QGemm") return op.intAttribute("transB", 0) != 0 ? 0 : 1;
        return op.type == "QLinearConv" ? 0 : -1;
    }

    /// int32 in steps of input scale x weight scale.
    RoundedTensor bias(const Operation &op, std::size_t i, const std::vector<RoundedTensor> &operands)
    {
        const VarId codes = op.inputs[i];
        if (!m_graph.isParameter(codes))
            throw Error(ErrorKind::InvalidModel, QL_TEXT("the bias of %1 is computed at run time").with(op.type),
                        op.name, m_graph.variable(codes).name);
        StoredGrid grid;
        grid.bits = 32;
        grid.quantMin = INT32_MIN;
        grid.quantMax = INT32_MAX;
        for (const float scale : operands[1].chain.back().scale)
            grid.scale.push_back(operands[0].chain.back().scale[0] * scale);
        grid.zeroPoint.assign(grid.scale.size(), 0);
        if (grid.scale.size() > 1) grid.axis = int(m_graph.variable(codes).value.dim()) - 1;
        return {realParameter(codes, grid, plainName(codes)), {grid}};
    }

    /// A graph output was written by a DequantizeLinear that is gone.
    void restoreOutput(VarId output, VarId real, const Chain &chain)
    {
        if (const auto other = m_replaced.find(real); other != m_replaced.end()) real = other->second;
        const Variable &source = m_graph.variable(real);
        const bool canRename = source.producer != noOp && !m_graph.isGraphOutput(real) && isOutputGrid(real, chain);
        if (canRename) {
            m_graph.setOutput(source.producer, std::size_t(source.producerIndex), output);
            m_graph.replaceUses(real, output, false);
            m_outputChains[output] = chain;
            m_replaced[real] = output;
            return;
        }
        Operation identity;
        identity.name = m_graph.freshName(m_graph.variable(output).name + "_identity");
        identity.type = "Identity";
        identity.opset = m_graph.opsets[""];
        identity.inputs = {real};
        identity.outputs = {output};
        m_chains[inputSlot(m_graph.addOperation(std::move(identity)), 0)] = chain;
    }

    /// Whether every consumer of real rounds it first like this.
    bool isOutputGrid(VarId real, const Chain &chain) const
    {
        const auto &uses = m_graph.variable(real).uses;
        return chain.size() == 1 && std::all_of(uses.begin(), uses.end(), [&](const Use &use) {
                   const auto known = m_chains.find({use.op, false, use.index});
                   return known != m_chains.end() && !known->second.empty() && known->second[0] == chain[0];
               });
    }

    /// Distributes the roundings of the outputs of an operation over its output and the inputs of consumers.
    void roundSlots(OpId id)
    {
        const Operation &op = m_graph.operation(id);
        for (std::size_t o = 0; o < op.outputs.size(); ++o) {
            if (op.outputs[o] == noVar) continue;
            const Variable &variable = m_graph.variable(op.outputs[o]);
            std::optional<StoredGrid> common;
            const auto first = m_outputChains.find(variable.id);
            bool isCommon = !m_graph.isGraphOutput(variable.id) || first != m_outputChains.end();
            if (first != m_outputChains.end()) common = first->second[0];
            for (const Use &use : variable.uses) {
                const auto known = m_chains.find({use.op, false, use.index});
                if (use.op == noOp) continue;
                isCommon = isCommon && known != m_chains.end() && !known->second.empty() &&
                           (!common || *common == known->second[0]);
                if (!isCommon) break;
                common = known->second[0];
            }
            if (!isCommon || !common || common->dynamic) continue;
            m_grids[outputSlot(id, o)] = *common;
            for (const Use &use : variable.uses)
                if (const auto known = m_chains.find({use.op, false, use.index}); known != m_chains.end())
                    if (known->second.size() > 1) known->second.erase(known->second.begin());
        }
    }

    void roundInputs()
    {
        for (const auto &[slot, chain] : m_chains) {
            if (!m_graph.contains(slot.op) || chain.empty()) continue;
            m_grids[slot] = chain.back();
            if (chain.size() < 2) continue;
            const Operation &op = m_graph.operation(slot.op);
            approximated.emplace_back(op.name, m_graph.variable(op.inputs[std::size_t(slot.index)]).name);
        }
    }

    /// The tensor that these codes are made from, as ONNX Runtime names them.
    static std::string withoutEnding(std::string name)
    {
        constexpr std::string_view ending = "_quantized";
        if (name.ends_with(ending) && name.size() > ending.size()) name.resize(name.size() - ending.size());
        return name;
    }
    std::string plainName(VarId codes) const { return withoutEnding(m_graph.variable(codes).name); }

    void rename(VarId id, const std::vector<std::string> &names)
    {
        if (!m_graph.contains(id) || m_graph.isGraphInput(id) || m_graph.isGraphOutput(id)) return;
        std::string best = m_graph.variable(id).name;
        for (const std::string &name : names)
            if (const std::string plain = withoutEnding(name); plain.size() < best.size()) best = plain;
        if (m_graph.findVariable(best) == noVar) m_graph.rename(id, best);
    }

    Graph &m_graph;
    bool m_isOwn;
    ConvertibleCodes m_codes;
    std::map<VarId, RoundedTensor> m_rounded; ///< by tensor of codes, and by result of a DequantizeLinear
    std::map<Slot, Chain> m_chains;           ///< roundings between a tensor and a consumer
    std::map<VarId, VarId> m_replaced;        ///< tensors that became a graph output
    std::map<VarId, Chain> m_outputChains;    ///< those of graph outputs
    std::map<Slot, StoredGrid> m_grids;
    std::map<VarId, std::vector<std::string>> m_names; ///< other names of a tensor in the file
    std::vector<OpId> m_removed;
    std::map<VarId, VarId> m_again; ///< codes -> the same, for readers that use them as numbers
};

class DequantizeModel final : public Pass
{
public:
    std::string_view id() const override { return dequantizeModelId; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        const std::size_t before = model.graph.operationCount();
        const auto grids = dequantizeGraph(model.graph, context.report);
        return int(before - model.graph.operationCount()) + (grids.empty() ? 0 : 1);
    }
};

const PassRegistrar dequantizeModelRegistrar{
    {.info = {.id = "dequantize_model",
              .title = QL_TEXT("Dequantize the model"),
              .meaning = QL_TEXT("Before: a quantized model, with QuantizeLinear, DequantizeLinear and operators on "
                                 "codes. After: the float model in it, with its rounded weights.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<DequantizeModel>}};

} // namespace

std::string dequantizePassId()
{
    return dequantizeModelId;
}

std::map<Slot, StoredGrid> dequantizeGraph(Graph &graph, const std::function<void(api::Problem)> &report,
                                           std::map<BodySlot, StoredGrid> *inBodies)
{
    std::map<BodySlot, StoredGrid> ofBodies = dequantizeBodies(graph, report);
    if (inBodies) *inBodies = std::move(ofBodies);
    const std::map<Slot, StoredGrid> ofProducts = restoreMatrices(graph);
    restoreStoredForms(graph);
    Dequantizer dequantizer(graph);
    std::map<Slot, StoredGrid> grids = dequantizer.run();
    for (const auto &[slot, grid] : ofProducts)
        if (graph.contains(slot.op)) grids[slot] = grid;
    foldRoundedWeights(graph, grids);
    // As after import: one parameter per slot, no weights in bodies
    QuantModel model;
    model.graph = std::move(graph);
    for (const char *pass : {"split_shared_parameters", "hoist_body_weights"})
        makePass(pass, {})->run(model, PassContext());
    graph = std::move(model.graph);
    if (dequantizer.kept > 0)
        report({.severity = api::Severity::Warning,
                .message = QL_TEXT("QuantizeLinear and DequantizeLinear operations that stay in the float model: %1. "
                                   "Their codes are used as numbers, in blocks, or with scales that are "
                                   "negative or computed at run time")
                               .with(dequantizer.kept)});
    for (const auto &[op, tensor] : dequantizer.approximated)
        report({api::Severity::Warning,
                op,
                tensor,
                QL_TEXT("the file rounds this tensor several times; only the last one is kept"),
                {}});
    return grids;
}

} // namespace ql

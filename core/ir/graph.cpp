#include "core/ir/graph.h"

#include "core/base/error.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace ql {

const char *kindName(const Attribute &attribute)
{
    static const char *const names[] = {"int",  "float",  "string",  "tensor",  "graph",
                                        "ints", "floats", "strings", "tensors", "graphs"};
    return names[attribute.index()];
}

namespace {

template <class T>
const T *attributeOf(const Operation &op, std::string_view key)
{
    const auto it = op.attributes.find(key);
    if (it == op.attributes.end()) return nullptr;
    if (const T *value = std::get_if<T>(&it->second)) return value;
    throw Error(ErrorKind::InvalidModel,
                QL_TEXT("attribute '%1' of %2 has an unexpected kind: %3")
                    .with(std::string(key), op.type, kindName(it->second)),
                op.name);
}

} // namespace

std::int64_t Operation::intAttribute(std::string_view key, std::int64_t fallback) const
{
    const auto *value = attributeOf<std::int64_t>(*this, key);
    return value ? *value : fallback;
}

double Operation::floatAttribute(std::string_view key, double fallback) const
{
    const auto *value = attributeOf<float>(*this, key);
    return value ? *value : fallback;
}

std::string Operation::stringAttribute(std::string_view key, std::string_view fallback) const
{
    const auto *value = attributeOf<std::string>(*this, key);
    return value ? *value : std::string(fallback);
}

std::vector<std::int64_t> Operation::intsAttribute(std::string_view key, std::vector<std::int64_t> fallback) const
{
    const auto *value = attributeOf<std::vector<std::int64_t>>(*this, key);
    if (value) return *value;
    return fallback;
}

std::vector<double> Operation::floatsAttribute(std::string_view key, std::vector<double> fallback) const
{
    const auto *value = attributeOf<std::vector<float>>(*this, key);
    if (value) return {value->begin(), value->end()};
    return fallback;
}

std::vector<std::string> Operation::stringsAttribute(std::string_view key) const
{
    const auto *value = attributeOf<std::vector<std::string>>(*this, key);
    return value ? *value : std::vector<std::string>();
}

std::size_t Operation::inputCount() const
{
    std::size_t count = inputs.size();
    while (count > 0 && inputs[count - 1] == noVar) --count;
    return count;
}

// ---- reading

std::vector<OpId> Graph::operations() const
{
    std::vector<OpId> ids;
    ids.reserve(m_operationCount);
    for (const OpRecord &record : m_operations)
        if (record.alive) ids.push_back(record.op.id);
    return ids;
}

std::vector<VarId> Graph::variables() const
{
    std::vector<VarId> ids;
    for (const VarRecord &record : m_variables)
        if (record.alive) ids.push_back(record.variable.id);
    return ids;
}

bool Graph::contains(OpId id) const
{
    return index(id) >= 0 && index(id) < operationIdBound() && m_operations[std::size_t(index(id))].alive;
}

bool Graph::contains(VarId id) const
{
    return index(id) >= 0 && index(id) < variableIdBound() && m_variables[std::size_t(index(id))].alive;
}

const Operation &Graph::operation(OpId id) const
{
    if (!contains(id)) throw Error(ErrorKind::Internal, QL_TEXT("no operation with id %1").with(index(id)));
    return m_operations[std::size_t(index(id))].op;
}

const Variable &Graph::variable(VarId id) const
{
    if (!contains(id)) throw Error(ErrorKind::Internal, QL_TEXT("no variable with id %1").with(index(id)));
    return m_variables[std::size_t(index(id))].variable;
}

OpId Graph::findOperation(std::string_view opName) const
{
    const auto it = m_operationByName.find(opName);
    return it == m_operationByName.end() ? noOp : it->second;
}

VarId Graph::findVariable(std::string_view variableName) const
{
    const auto it = m_variableByName.find(variableName);
    return it == m_variableByName.end() ? noVar : it->second;
}

bool Graph::isGraphInput(VarId id) const
{
    return std::find(m_inputs.begin(), m_inputs.end(), id) != m_inputs.end();
}

bool Graph::isGraphOutput(VarId id) const
{
    return std::find(m_outputs.begin(), m_outputs.end(), id) != m_outputs.end();
}

std::vector<OpId> Graph::topological() const
{
    std::vector<std::int32_t> waiting(m_operations.size(), 0);
    std::deque<OpId> ready;
    for (const OpRecord &record : m_operations) {
        if (!record.alive) continue;
        std::int32_t count = 0;
        for (const VarId input : record.op.inputs)
            if (input != noVar && variable(input).producer != noOp) ++count;
        waiting[std::size_t(index(record.op.id))] = count;
        if (count == 0) ready.push_back(record.op.id);
    }
    std::vector<OpId> order;
    order.reserve(m_operationCount);
    while (!ready.empty()) {
        const OpId id = ready.front();
        ready.pop_front();
        order.push_back(id);
        for (const VarId output : operation(id).outputs) {
            if (output == noVar) continue;
            for (const Use &use : variable(output).uses)
                if (--waiting[std::size_t(index(use.op))] == 0) ready.push_back(use.op);
        }
    }
    if (order.size() == m_operationCount) return order;
    std::vector<std::string> stuck;
    for (const OpRecord &record : m_operations)
        if (record.alive && waiting[std::size_t(index(record.op.id))] > 0 && stuck.size() < 5)
            stuck.push_back(record.op.name);
    throw Error(ErrorKind::InvalidModel,
                QL_TEXT("the graph has a cycle through or before: %1 (%2 operations cannot be ordered)")
                    .with(Text::list(stuck), m_operationCount - order.size()),
                stuck.empty() ? std::string() : stuck.front())
        .withRemedy(QL_TEXT("Export the model again; an ONNX graph must be acyclic."));
}

std::vector<OpId> Graph::producers(OpId op) const
{
    std::vector<OpId> out;
    for (const VarId input : operation(op).inputs) {
        if (input == noVar) continue;
        const OpId producer = variable(input).producer;
        if (producer != noOp && std::find(out.begin(), out.end(), producer) == out.end()) out.push_back(producer);
    }
    return out;
}

std::vector<OpId> Graph::consumers(OpId op) const
{
    std::vector<OpId> out;
    for (const VarId output : operation(op).outputs) {
        if (output == noVar) continue;
        for (const Use &use : variable(output).uses)
            if (std::find(out.begin(), out.end(), use.op) == out.end()) out.push_back(use.op);
    }
    return out;
}

OpId Graph::soleConsumer(OpId op) const
{
    OpId sole = noOp;
    for (const VarId output : operation(op).outputs) {
        if (output == noVar) continue;
        if (isGraphOutput(output)) return noOp;
        for (const Use &use : variable(output).uses) {
            if (sole != noOp && sole != use.op) return noOp;
            sole = use.op;
        }
    }
    return sole;
}

// ---- editing

VarId Graph::addVariable(std::string variableName, TensorType type)
{
    if (variableName.empty()) throw Error(ErrorKind::InvalidModel, QL_TEXT("a variable needs a name"));
    const VarId id{variableIdBound()};
    if (!m_variableByName.emplace(variableName, id).second)
        throw Error(ErrorKind::InvalidModel, QL_TEXT("two tensors have the same name"), {}, variableName);
    VarRecord record;
    record.alive = true;
    record.variable.id = id;
    record.variable.name = std::move(variableName);
    record.variable.type = std::move(type);
    m_variables.push_back(std::move(record));
    return id;
}

VarId Graph::addParameter(std::string variableName, at::Tensor value)
{
    const VarId id = addVariable(std::move(variableName));
    setValue(id, std::move(value));
    return id;
}

void Graph::setValue(VarId id, at::Tensor value)
{
    Variable &target = edit(id);
    target.value = std::move(value);
    if (!target.value.defined()) return;
    target.type.dtype = target.value.scalar_type();
    target.type.shape.emplace();
    for (const std::int64_t size : target.value.sizes()) target.type.shape->push_back({size, {}});
}

void Graph::addUse(VarId id, Use use)
{
    if (id != noVar) edit(id).uses.push_back(use);
}

void Graph::removeUse(VarId id, Use use)
{
    if (id == noVar) return;
    std::vector<Use> &uses = edit(id).uses;
    const auto it = std::find(uses.begin(), uses.end(), use);
    if (it != uses.end()) uses.erase(it);
}

OpId Graph::addOperation(Operation op)
{
    if (op.name.empty()) throw Error(ErrorKind::InvalidModel, QL_TEXT("an operation needs a name"));
    for (const VarId output : op.outputs) {
        if (output == noVar) continue;
        const Variable &target = variable(output);
        if (target.producer != noOp)
            throw Error(
                ErrorKind::InvalidModel,
                QL_TEXT("the tensor is written by two operations, also by '%1'").with(operation(target.producer).name),
                op.name, target.name);
        if (target.isParameter())
            throw Error(ErrorKind::InvalidModel, QL_TEXT("an operation writes a tensor that has a constant value"),
                        op.name, target.name);
    }
    const OpId id{operationIdBound()};
    if (!m_operationByName.emplace(op.name, id).second)
        throw Error(ErrorKind::InvalidModel, QL_TEXT("two operations have the same name"), op.name);
    op.id = id;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) addUse(op.inputs[i], {id, std::int32_t(i)});
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        if (op.outputs[i] == noVar) continue;
        Variable &target = edit(op.outputs[i]);
        target.producer = id;
        target.producerIndex = std::int32_t(i);
    }
    m_operations.push_back({std::move(op), true});
    ++m_operationCount;
    return id;
}

Operation &Graph::edit(OpId id)
{
    return const_cast<Operation &>(std::as_const(*this).operation(id));
}

Variable &Graph::edit(VarId id)
{
    return const_cast<Variable &>(std::as_const(*this).variable(id));
}

void Graph::rename(OpId id, std::string newName)
{
    Operation &op = edit(id);
    if (op.name == newName) return;
    if (!m_operationByName.emplace(newName, id).second)
        throw Error(ErrorKind::InvalidModel, QL_TEXT("two operations have the same name"), newName);
    m_operationByName.erase(op.name);
    op.name = std::move(newName);
}

void Graph::rename(VarId id, std::string newName)
{
    Variable &target = edit(id);
    if (target.name == newName) return;
    if (!m_variableByName.emplace(newName, id).second)
        throw Error(ErrorKind::InvalidModel, QL_TEXT("two tensors have the same name"), {}, newName);
    m_variableByName.erase(target.name);
    target.name = std::move(newName);
}

void Graph::setInput(OpId op, std::size_t i, VarId id)
{
    Operation &target = edit(op);
    if (i >= target.inputs.size()) target.inputs.resize(i + 1, noVar);
    const Use use{op, std::int32_t(i)};
    removeUse(target.inputs[i], use);
    target.inputs[i] = id;
    addUse(id, use);
}

void Graph::resizeInputs(OpId op, std::size_t count)
{
    Operation &target = edit(op);
    for (std::size_t i = count; i < target.inputs.size(); ++i) removeUse(target.inputs[i], {op, std::int32_t(i)});
    target.inputs.resize(count, noVar);
}

void Graph::setOutput(OpId op, std::size_t i, VarId id)
{
    Operation &target = edit(op);
    if (i >= target.outputs.size()) target.outputs.resize(i + 1, noVar);
    if (target.outputs[i] == id) return;
    if (id != noVar && variable(id).producer != noOp)
        throw Error(ErrorKind::Internal, QL_TEXT("the tensor already has a producer"), target.name, variable(id).name);
    if (target.outputs[i] != noVar) edit(target.outputs[i]).producer = noOp;
    target.outputs[i] = id;
    if (id == noVar) return;
    Variable &written = edit(id);
    written.producer = op;
    written.producerIndex = std::int32_t(i);
}

void Graph::replaceUses(VarId from, VarId to, bool moveOutputs)
{
    if (from == to) return;
    // All together: removing the uses one by one is quadratic in their number.
    const std::vector<Use> uses = std::exchange(edit(from).uses, {});
    for (const Use &use : uses) {
        edit(use.op).inputs[std::size_t(use.index)] = to;
        addUse(to, use);
    }
    if (moveOutputs) std::replace(m_outputs.begin(), m_outputs.end(), from, to);
}

void Graph::removeOperation(OpId id)
{
    Operation &op = edit(id);
    for (std::size_t i = 0; i < op.inputs.size(); ++i) removeUse(op.inputs[i], {id, std::int32_t(i)});
    for (const VarId output : op.outputs)
        if (output != noVar) edit(output).producer = noOp;
    m_operationByName.erase(op.name);
    OpRecord &record = m_operations[std::size_t(index(id))];
    record.op = {};
    record.alive = false;
    --m_operationCount;
}

bool Graph::bypassOperation(OpId id)
{
    const Operation &op = operation(id);
    const VarId in = op.inputs.at(0);
    const VarId out = op.outputs.at(0);
    if (!isGraphOutput(out)) {
        removeOperation(id);
        replaceUses(out, in, false);
        removeVariable(out);
        return true;
    }
    const Variable &source = variable(in);
    if (source.producer == noOp || isGraphOutput(in)) return false;
    const OpId producer = source.producer;
    const std::size_t at = std::size_t(source.producerIndex);
    removeOperation(id);
    replaceUses(in, out, false);
    setOutput(producer, at, out);
    removeVariable(in);
    return true;
}

void Graph::removeVariable(VarId id)
{
    const Variable &target = variable(id);
    if (target.producer != noOp || !target.uses.empty() || isGraphInput(id) || isGraphOutput(id))
        throw Error(ErrorKind::Internal, QL_TEXT("the tensor is still linked"), {}, target.name);
    m_variableByName.erase(target.name);
    VarRecord &record = m_variables[std::size_t(index(id))];
    record.variable = {};
    record.alive = false;
}

int Graph::removeUnreachable()
{
    int removed = 0;
    std::vector<bool> isOutput(m_variables.size(), false);
    for (const VarId output : m_outputs) isOutput[std::size_t(index(output))] = true;
    const auto isDead = [&](const Operation &op) {
        return std::all_of(op.outputs.begin(), op.outputs.end(), [&](VarId output) {
            return output == noVar || (variable(output).uses.empty() && !isOutput[std::size_t(index(output))]);
        });
    };
    std::deque<OpId> dead;
    for (const OpRecord &record : m_operations)
        if (record.alive && isDead(record.op)) dead.push_back(record.op.id);
    while (!dead.empty()) {
        const OpId id = dead.front();
        dead.pop_front();
        if (!contains(id)) continue;
        const std::vector<OpId> before = producers(id);
        removeOperation(id);
        ++removed;
        for (const OpId producer : before)
            if (isDead(operation(producer))) dead.push_back(producer);
    }
    for (const VarId id : variables()) {
        const Variable &target = variable(id);
        if (target.producer == noOp && target.uses.empty() && !isGraphInput(id) && !isGraphOutput(id))
            removeVariable(id);
    }
    return removed;
}

void Graph::setInputs(std::vector<VarId> ids)
{
    m_inputs = std::move(ids);
}

void Graph::setOutputs(std::vector<VarId> ids)
{
    m_outputs = std::move(ids);
}

void Graph::reserveIds(OpId nextOperation, VarId nextVariable)
{
    // A gap in a damaged file must not cause a large allocation: importers accept at most a million nodes.
    constexpr std::int32_t limit = 1 << 22;
    if (index(nextOperation) > limit || index(nextVariable) > limit)
        throw Error(ErrorKind::InvalidModel, QL_TEXT("an id is out of range"));
    if (index(nextOperation) > operationIdBound()) m_operations.resize(std::size_t(index(nextOperation)));
    if (index(nextVariable) > variableIdBound()) m_variables.resize(std::size_t(index(nextVariable)));
}

std::string Graph::freshName(std::string_view base) const
{
    std::string candidate(base);
    for (int i = 1; m_operationByName.contains(candidate) || m_variableByName.contains(candidate); ++i)
        candidate = std::string(base) + "_" + std::to_string(i);
    return candidate;
}

void Graph::verify() const
{
    const auto fail = [](const Text &what, const std::string &op = {}, const std::string &tensor = {}) {
        throw Error(ErrorKind::Internal, QL_TEXT("graph is inconsistent: %1").with(what), op, tensor);
    };
    std::size_t links = 0;               // inputs before this operation, including omitted ones
    std::size_t linked = 0;              // inputs that are not omitted
    std::vector<std::size_t> firstInput; // of each operation, in a list of all inputs
    for (const OpRecord &record : m_operations) {
        firstInput.push_back(links);
        if (!record.alive) continue;
        const Operation &op = record.op;
        if (findOperation(op.name) != op.id) fail(QL_TEXT("operation was not found by name"), op.name);
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            const VarId id = op.inputs[i];
            if (id == noVar) continue;
            ++linked;
            if (!contains(id)) fail(QL_TEXT("input %1 does not exist").with(i), op.name);
        }
        for (std::size_t i = 0; i < op.outputs.size(); ++i) {
            const VarId id = op.outputs[i];
            if (id == noVar) continue;
            if (!contains(id)) fail(QL_TEXT("output %1 does not exist").with(i), op.name);
            if (variable(id).producer != op.id || variable(id).producerIndex != std::int32_t(i))
                fail(QL_TEXT("output does not know its producer"), op.name, variable(id).name);
        }
        links += op.inputs.size();
    }
    // Uses and inputs are the same set: every use refers to an input that reads the variable, none is listed twice,
    // and their numbers are equal.
    std::vector<bool> isUsed(links, false);
    std::size_t uses = 0;
    for (const VarRecord &record : m_variables) {
        if (!record.alive) continue;
        const Variable &target = record.variable;
        uses += target.uses.size();
        for (const Use &use : target.uses) {
            const bool good = contains(use.op) && use.index >= 0 &&
                              std::size_t(use.index) < operation(use.op).inputs.size() &&
                              operation(use.op).inputs[std::size_t(use.index)] == target.id;
            if (!good)
                fail(QL_TEXT("a use is not an input"), contains(use.op) ? operation(use.op).name : "", target.name);
            const std::size_t at = firstInput[std::size_t(index(use.op))] + std::size_t(use.index);
            if (isUsed[at]) fail(QL_TEXT("a use is listed twice"), operation(use.op).name, target.name);
            isUsed[at] = true;
        }
        if (findVariable(target.name) != target.id) fail(QL_TEXT("tensor was not found by name"), {}, target.name);
        if (target.producer == noOp) continue;
        if (!contains(target.producer)) fail(QL_TEXT("producer does not exist"), {}, target.name);
        const std::vector<VarId> &written = operation(target.producer).outputs;
        if (std::size_t(target.producerIndex) >= written.size() ||
            written[std::size_t(target.producerIndex)] != target.id)
            fail(QL_TEXT("the producer does not write the tensor"), operation(target.producer).name, target.name);
        if (target.isParameter())
            fail(QL_TEXT("tensor has a value and a producer"), operation(target.producer).name, target.name);
    }
    if (uses != linked) fail(QL_TEXT("an input does not know its consumer"));
    for (const std::vector<VarId> *ids : {&m_inputs, &m_outputs})
        for (const VarId id : *ids)
            if (!contains(id)) fail(QL_TEXT("graph input or output does not exist"));
    topological();
}

// ---- slots

} // namespace ql

#include "core/io/caffe/net_builder.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/caffe/limits.h"

#include <algorithm>
#include <c10/util/Exception.h>
#include <set>

namespace ql::caffe_io {

namespace {

bool isOneOf(const std::string &type, std::initializer_list<const char *> types)
{
    return std::find(types.begin(), types.end(), type) != types.end();
}

bool isData(const std::string &type)
{
    return isOneOf(
        type, {"Data", "ImageData", "MemoryData", "HDF5Data", "DummyData", "WindowData", "AnnotatedData", "VideoData"});
}

/// NetStateRule for phase TEST, level 0 (or the net's own) and the net's stages.
bool holds(const format::NetStateRule &rule, const format::NetState &state)
{
    const auto has = [&](const std::string &stage) {
        return std::find(state.stage().begin(), state.stage().end(), stage) != state.stage().end();
    };
    if (rule.has_phase() && rule.phase() != format::TEST) return false;
    if (rule.has_min_level() && state.level() < rule.min_level()) return false;
    if (rule.has_max_level() && state.level() > rule.max_level()) return false;
    for (const std::string &stage : rule.stage())
        if (!has(stage)) return false;
    for (const std::string &stage : rule.not_stage())
        if (has(stage)) return false;
    return true;
}

Shape shapeOf(const format::BlobShape &shape)
{
    return {shape.dim().begin(), shape.dim().end()};
}

bool isComplete(const Shape &shape)
{
    return !shape.empty() && std::all_of(shape.begin(), shape.end(), [](std::int64_t size) { return size > 0; });
}

/// The output of a layer that reads a database, if its parameters define it; otherwise empty.
Shape dataShape(const format::LayerParameter &layer, std::size_t top)
{
    if (layer.type() == "DummyData") {
        const auto &p = layer.dummy_data_param();
        const auto pick = [&](const auto &list) {
            return list.empty() ? 0 : std::int64_t(list.Get(std::min(int(top), list.size() - 1)));
        };
        if (!p.shape().empty()) return shapeOf(p.shape(std::min(int(top), p.shape_size() - 1)));
        return {pick(p.num()), pick(p.channels()), pick(p.height()), pick(p.width())};
    }
    if (top > 0) return {};
    if (layer.type() == "MemoryData") {
        const auto &p = layer.memory_data_param();
        return {p.batch_size(), p.channels(), p.height(), p.width()};
    }
    const auto &images = layer.image_data_param();
    const bool isImages = layer.has_image_data_param();
    std::int64_t height = layer.transform_param().crop_size(), width = height;
    if (height == 0) height = width = isImages ? images.crop_size() : layer.data_param().crop_size();
    if (height == 0 && isImages) height = images.new_height(), width = images.new_width();
    const std::int64_t batch = isImages ? images.batch_size() : std::max(layer.data_param().batch_size(), 1u);
    const bool isGray = layer.transform_param().force_gray() || (isImages && !images.is_color());
    return {batch, isGray ? 1 : 3, height, width};
}

} // namespace

NetBuilder::NetBuilder(const format::NetParameter &net, Weights &weights, const ImportRequest &request)
    : m_net(net), m_weights(weights), m_request(request)
{}

Graph NetBuilder::build()
{
    m_graph.name = m_net.name();
    m_graph.opsets = {{"", 13}};
    m_graph.irVersion = 8;
    m_graph.producerName = "caffe";
    chooseLayers();
    refuseUnknownTypes();
    findInputs();
    countReaders();
    declareInputs();
    for (std::size_t i = 0; i < m_layers.size(); ++i) convert(i);
    if (!m_unsupported.empty())
        throw Error(ErrorKind::UnsupportedOp,
                    QL_TEXT("layers that cannot be imported: %1\n%2")
                        .with(m_unsupported.size(), Text::list(m_unsupported, Text::Join::Line)),
                    m_unsupportedOp)
            .withRemedy(QL_TEXT("Replace these layers, or remove them from the net."));
    if (!m_missing.empty()) {
        const std::string file = m_weights.file().string();
        throw Error(
            ErrorKind::InvalidModel,
            QL_TEXT("layers without weights%2: %1 (%3)")
                .with(m_missing.size(), file.empty() ? Text() : QL_TEXT(" in %1").with(file), Text::list(m_missing)))
            .withFix(Fix::ChooseWeights)
            .withRemedy(
                file.empty()
                    ? QL_TEXT("Specify the .caffemodel with %1, or put it next to the prototxt under the same name.")
                          .with(Text::option("--weights"))
                    : QL_TEXT("Give the weights that were trained with this prototxt; layers are matched to weights by "
                              "name."));
    }
    addOutputs();
    m_graph.removeUnreachable();
    m_graph.verify();
    return std::move(m_graph);
}

bool NetBuilder::isKept(const format::LayerParameter &layer) const
{
    if (layer.has_phase() && layer.phase() != format::TEST && layer.include().empty()) return false;
    const auto meets = [&](const format::NetStateRule &rule) { return holds(rule, m_net.state()); };
    if (!layer.include().empty() && !layer.exclude().empty())
        throw Error(ErrorKind::InvalidModel, QL_TEXT("the layer has rules to include it and rules to exclude it"),
                    layer.name())
            .withRemedy(QL_TEXT("Keep only one of them."));
    if (!layer.include().empty()) return std::any_of(layer.include().begin(), layer.include().end(), meets);
    return std::none_of(layer.exclude().begin(), layer.exclude().end(), meets);
}

/// Layers that compare with labels or write files: not used at inference.
bool NetBuilder::isDropped(const format::LayerParameter &layer) const
{
    const std::string &type = layer.type();
    return isOneOf(type, {"Accuracy", "HDF5Output", "DetectionEvaluate", "InfogainLoss"}) || type.ends_with("Loss");
}

void NetBuilder::chooseLayers()
{
    std::set<std::string> names;
    std::map<std::string, int> again;
    std::size_t number = 0;
    for (const format::LayerParameter &original : m_net.layer()) {
        const std::size_t index = number++;
        if (!isKept(original)) continue;
        format::LayerParameter layer = original;
        layer.clear_blobs();
        const std::string &type = layer.type();
        const bool isProbability = type == "SoftmaxWithLoss" || type == "SoftmaxLoss";
        if ((isProbability || type == "SigmoidCrossEntropyLoss") && layer.bottom_size() > 0) {
            m_request.report({.severity = api::Severity::Info,
                              .op = layer.name(),
                              .message = QL_TEXT("%1 compares with labels; the network has %2 instead")
                                             .with(type, isProbability ? QL_TEXT("Softmax") : QL_TEXT("Sigmoid"))});
            layer.set_type(isProbability ? "Softmax" : "Sigmoid");
            while (layer.bottom_size() > 1) layer.mutable_bottom()->RemoveLast();
            while (layer.top_size() > 1) layer.mutable_top()->RemoveLast();
            if (layer.top_size() == 0) layer.add_top(layer.name());
        } else if (isDropped(layer)) {
            m_request.report({.severity = api::Severity::Info,
                              .op = layer.name(),
                              .message = QL_TEXT("%1 is for training only and was left out").with(type)});
            continue;
        }
        m_fileNames.push_back(layer.name());
        std::string name = layer.name().empty() ? type + "_" + std::to_string(index) : layer.name();
        while (!names.insert(name).second) name = layer.name() + "_" + std::to_string(++again[layer.name()]);
        layer.set_name(name);
        m_layers.push_back(std::move(layer));
    }
    if (m_layers.empty() && m_net.input().empty())
        throw Error(ErrorKind::InvalidModel, QL_TEXT("the net has no layers for phase TEST"))
            .withRemedy(QL_TEXT("Give the prototxt of the network (not the solver's)."));
}

void NetBuilder::refuseUnknownTypes() const
{
    const auto &registry = Registry<LayerEntry>::instance();
    const std::vector<std::string> known = registry.ids();
    std::vector<Text> lines;
    std::string first;
    for (const format::LayerParameter &layer : m_layers) {
        if (layer.type() == "Input" || isData(layer.type()) || registry.find(layer.type())) continue;
        if (lines.empty()) first = layer.name();
        if (lines.size() < 1000)
            lines.push_back(
                Text::sentences({"  '" + layer.name() + "' (" + layer.type() + ")", suggestion(layer.type(), known)}));
    }
    if (!lines.empty())
        throw Error(ErrorKind::UnsupportedOp,
                    QL_TEXT("layers of unknown types: %1\n%2").with(lines.size(), Text::list(lines, Text::Join::Line)),
                    first)
            .withRemedy(QL_TEXT(
                "`quantloupe-cli importers caffe` lists the supported types; cut the net before these layers."));
}

void NetBuilder::findInputs()
{
    const auto &net = m_net;
    for (int i = 0; i < net.input_size(); ++i) {
        Input input{net.input(i),
                    {},
                    false,
                    {},
                    QL_TEXT("Write an input_shape, or give one with %1.").with(Text::option("--input-shape"))};
        if (i < net.input_shape_size())
            input.shape = shapeOf(net.input_shape(i));
        else if (net.input_dim_size() >= 4 * (i + 1))
            input.shape.assign(net.input_dim().begin() + 4 * i, net.input_dim().begin() + 4 * (i + 1));
        m_inputs.push_back(std::move(input));
    }
    for (std::size_t l = 0; l < m_layers.size(); ++l) {
        const format::LayerParameter &layer = m_layers[l];
        if (layer.type() != "Input" && !isData(layer.type())) continue;
        for (int i = 0; i < layer.top_size(); ++i) {
            Input input{layer.top(i), {}, false, layer.name(), {}};
            if (layer.type() == "Input") {
                const auto &shapes = layer.input_param().shape();
                if (!shapes.empty()) input.shape = shapeOf(shapes.Get(std::min(i, shapes.size() - 1)));
                input.remedy = QL_TEXT("Write input_param { shape { ... } }, or give the sizes with %1.")
                                   .with(Text::option("--input-shape"));
            } else {
                input.shape = dataShape(layer, std::size_t(i));
                input.isData = true;
                input.remedy = QL_TEXT("A layer of type %1 reads a database: replace it with an Input layer, or give "
                                       "the sizes it delivers with %2.")
                                   .with(layer.type(), Text::option("--input-shape " + input.name + "=1x3x224x224"));
            }
            m_inputs.push_back(std::move(input));
        }
    }
    std::set<std::string> seen;
    for (Input &input : m_inputs) {
        input.isKnown = isComplete(input.shape);
        if (!seen.insert(input.name).second || input.name.empty())
            throw Error(ErrorKind::InvalidModel,
                        input.name.empty() ? QL_TEXT("an input has no name")
                                           : QL_TEXT("the net has two inputs of the same name"),
                        input.layer, input.name)
                .withRemedy(QL_TEXT("Give every input a unique name."));
    }
    m_inputNames = seen;
    std::vector<format::LayerParameter> layers;
    std::vector<std::string> fileNames;
    for (std::size_t l = 0; l < m_layers.size(); ++l) {
        if (m_layers[l].type() == "Input" || isData(m_layers[l].type())) continue;
        layers.push_back(std::move(m_layers[l]));
        fileNames.push_back(m_fileNames[l]);
    }
    m_layers = std::move(layers);
    m_fileNames = std::move(fileNames);
}

void NetBuilder::countReaders()
{
    struct Place
    {
        std::ptrdiff_t layer = -1; ///< -1: an input
        std::size_t index = 0;
    };
    std::map<std::string, Place> current;
    std::vector<int> inputReaders(m_inputs.size(), 0);
    for (std::size_t i = 0; i < m_inputs.size(); ++i) current[m_inputs[i].name] = {-1, i};
    for (std::size_t l = 0; l < m_layers.size(); ++l) {
        const format::LayerParameter &layer = m_layers[l];
        for (const std::string &bottom : layer.bottom()) {
            const auto it = current.find(bottom);
            if (it == current.end()) {
                std::vector<std::string> names;
                for (const auto &[name, place] : current)
                    if (names.size() < 2000) names.push_back(name);
                throw Error(ErrorKind::InvalidModel,
                            Text::sentences({QL_TEXT("the layer reads a blob that no input or layer before it writes."),
                                             bottom.size() < 200 ? suggestion(bottom, names) : Text()}),
                            layer.name(), bottom)
                    .withRemedy(
                        QL_TEXT("Correct the bottom; layers must be listed in the order in which they are computed."));
            }
            if (it->second.layer < 0)
                ++inputReaders[it->second.index];
            else
                ++m_tops[std::size_t(it->second.layer)][it->second.index].readers;
        }
        m_tops.emplace_back(std::size_t(layer.top_size()));
        for (int i = 0; i < layer.top_size(); ++i) {
            const std::string &top = layer.top(i);
            const auto before = current.find(top);
            const bool isInPlace = std::find(layer.bottom().begin(), layer.bottom().end(), top) != layer.bottom().end();
            if (before != current.end() && !isInPlace) {
                const std::ptrdiff_t writer = before->second.layer;
                throw Error(
                    ErrorKind::InvalidModel,
                    QL_TEXT("two layers write this blob%1")
                        .with(writer < 0
                                  ? QL_TEXT(", which is an input of the net")
                                  : QL_TEXT("; the other one is '%1'").with(m_layers[std::size_t(writer)].name())),
                    layer.name(), top)
                    .withRemedy(QL_TEXT("Rename one of the tops; an in-place layer uses the same blob as its bottom."));
            }
            Version &version = m_tops.back()[std::size_t(i)];
            version.number = ++m_lastVersion[top];
            current[top] = {std::ptrdiff_t(l), std::size_t(i)};
        }
    }
    std::vector<Input> used;
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        if (inputReaders[i] > 0)
            used.push_back(m_inputs[i]);
        else if (m_request.inputShapes.contains(m_inputs[i].name) || m_inputs[i].layer.empty())
            m_request.report({.severity = api::Severity::Info,
                              .variable = m_inputs[i].name,
                              .message = QL_TEXT("no layer reads this input; it was left out")});
    }
    m_inputs = std::move(used);
}

void NetBuilder::declareInputs()
{
    std::vector<VarId> ids;
    for (const Input &input : m_inputs) {
        TensorType type{at::kFloat, std::nullopt};
        if (!input.shape.empty()) {
            type.shape.emplace();
            for (const std::int64_t size : input.shape) type.shape->push_back({size > 0 ? size : -1, {}});
        }
        ids.push_back(m_graph.addVariable(input.name, type));
    }
    m_graph.setInputs(ids);
    applyInputShapes(m_graph, m_request.inputShapes, m_request.report);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const Input &input = m_inputs[i];
        const TensorType &type = m_graph.variable(ids[i]).type;
        if (!type.isStatic() || type.shape->empty())
            throw Error(ErrorKind::InvalidModel, QL_TEXT("the net does not specify the size of this input"),
                        input.layer, input.name)
                .withRemedy(input.remedy);
        const Shape shape = type.sizes();
        std::int64_t count = 1;
        for (const std::int64_t size : shape) {
            if (std::int64_t(shape.size()) > maxRank || count > maxElements / size)
                throw Error(
                    ErrorKind::InvalidModel,
                    QL_TEXT("the input has the shape %1, more than %2 elements").with(toString(type), maxElements),
                    input.layer, input.name)
                    .withRemedy(
                        QL_TEXT("Give a smaller shape with %1.").with(Text::option("--input-shape NAME=SIZES")));
            count *= size;
        }
        if (input.isData)
            m_request.report(
                {api::Severity::Warning, input.layer, input.name,
                 QL_TEXT("the layer reads a database; the blob became an input of %1").with(sizesText(shape)),
                 QL_TEXT("If these sizes are wrong, give others with %1. Move the layer's preprocessing (mean, scale) "
                         "to %2.")
                     .with(Text::option("--input-shape"), Text::option("--preprocess"))});
        m_values[input.name] = {{ids[i], shape}, {0, 2, true}};
    }
}

VarId NetBuilder::addVariable(const std::string &name, const Shape &shape, at::ScalarType type)
{
    TensorType declared{type, std::vector<Dim>()};
    for (const std::int64_t size : shape) declared.shape->push_back({size, {}});
    return m_graph.addVariable(name, std::move(declared));
}

std::string NetBuilder::versionName(const std::string &blob, const Version &version) const
{
    const bool isLast = version.number == m_lastVersion.at(blob) && !m_inputNames.contains(blob);
    return isLast ? blob : blob + "_ver" + std::to_string(version.number);
}

void NetBuilder::bindTop(Layer &layer, std::size_t i, const Value &value, bool mayRename)
{
    const std::string &blob = layer.proto.top(int(i));
    const Version &version = m_tops[m_current][i];
    std::string name = versionName(blob, version);
    const VarId holder = m_graph.findVariable(name);
    if (holder != noVar && holder != value.id) name = m_graph.freshName(name);
    if (m_graph.variable(value.id).name != name) m_graph.rename(value.id, name);
    const OpId producer = m_graph.variable(value.id).producer;
    if (i == 0 && mayRename && producer != noOp && m_graph.findOperation(layer.proto.name()) == noOp)
        m_graph.rename(producer, layer.proto.name());
    m_values[blob] = {value, version};
    m_readers[value.id] = version.readers;
    m_poisoned.erase(blob);
    if (version.readers == 0) m_unread.emplace_back(value.id, name);
}

void NetBuilder::shareBlobs(const format::LayerParameter &layer)
{
    for (int i = 0; i < layer.param_size(); ++i) {
        const std::string &name = layer.param(i).name();
        if (name.empty()) continue;
        if (std::size_t(i) >= m_blobs.size()) m_blobs.resize(std::size_t(i) + 1);
        at::Tensor &own = m_blobs[std::size_t(i)];
        auto &shared = m_shared[name];
        if (!own.defined() && !shared.empty()) own = shared[0];
        if (own.defined() && shared.empty()) shared.push_back(own);
    }
    while (!m_blobs.empty() && !m_blobs.back().defined()) m_blobs.pop_back();
}

void NetBuilder::convert(std::size_t index)
{
    m_current = index;
    const format::LayerParameter &proto = m_layers[index];
    std::vector<Value> bottoms;
    bool isPoisoned = false;
    for (const std::string &bottom : proto.bottom()) {
        isPoisoned = isPoisoned || m_poisoned.contains(bottom);
        const auto it = m_values.find(bottom);
        if (it != m_values.end()) bottoms.push_back(it->second.first);
    }
    m_blobs.clear();
    if (const auto *blobs = m_weights.take(m_fileNames[index])) m_blobs = *blobs;
    shareBlobs(proto);
    const auto poison = [&] {
        for (const std::string &top : proto.top()) m_poisoned.insert(top);
    };
    const LayerEntry &entry = *Registry<LayerEntry>::instance().find(proto.type());
    const auto missing = [&] { m_missing.push_back("'" + proto.name() + "' (" + proto.type() + ")"); };
    if (isPoisoned || bottoms.size() != std::size_t(proto.bottom_size())) {
        if (m_blobs.empty() && entry.learns && entry.learns(proto)) missing(); // all of them are reported together
        return poison();
    }
    Layer layer(*this, proto, std::move(bottoms));
    try {
        entry.convert(layer);
        for (int i = 0; i < proto.top_size(); ++i)
            if (layer.isRead(std::size_t(i)) &&
                (!m_values.contains(proto.top(i)) ||
                 m_values[proto.top(i)].second.number != m_tops[index][std::size_t(i)].number))
                layer.unsupported(QL_TEXT("it does not write '%1', which other layers read").with(proto.top(i)));
    } catch (const MissingBlob &) {
        missing();
        poison();
    } catch (const Error &error) {
        if (error.kind != ErrorKind::UnsupportedOp) throw;
        if (m_unsupported.empty()) m_unsupportedOp = proto.name();
        m_unsupported.push_back(QL_TEXT("  '%1' %2").with(proto.name(), error.message));
        poison();
    } catch (const c10::Error &error) {
        throw Error(ErrorKind::InvalidModel, QL_TEXT("%1: %2").with(proto.type(), error.what_without_backtrace()),
                    proto.name())
            .withRemedy(QL_TEXT("Correct the layer in the prototxt."));
    }
}

void NetBuilder::addOutputs()
{
    std::vector<VarId> outputs;
    for (const auto &[id, name] : m_unread) {
        if (!m_graph.isParameter(id)) {
            outputs.push_back(id);
            continue;
        }
        // A constant as output: it must be written by an operation
        const Shape shape = m_graph.variable(id).value.sizes().vec();
        m_graph.rename(id, m_graph.freshName(name + "_value"));
        const VarId output = addVariable(name, shape, at::kFloat);
        Operation op;
        op.name = m_graph.freshName(name + "_identity");
        op.type = "Identity";
        op.opset = m_graph.opsets.at("");
        op.inputs = {id};
        op.outputs = {output};
        m_graph.addOperation(std::move(op));
        outputs.push_back(output);
    }
    if (outputs.empty())
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("the net computes nothing: every blob is read by another layer or dropped"))
            .withRemedy(QL_TEXT("Give the prototxt of the deployed network."));
    m_graph.setOutputs(std::move(outputs));
}

} // namespace ql::caffe_io

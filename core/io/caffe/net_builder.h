#pragma once

#include "core/io/caffe/layer.h"
#include "core/io/importer.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ql::caffe_io {

/// Creates the Graph of a net: selects the layers of phase TEST, finds the inputs, follows names through in-place
/// layers, and converts every layer to operations of ai.onnx 13 (domain `caffe` if that has none).
///
/// Tensors have the names of their blobs. If a blob is written several times, the last version has the name, earlier
/// ones are NAME_ver1, NAME_ver2 ...; an input always keeps its name.
class NetBuilder
{
public:
    /// net in its current form. file: for messages.
    NetBuilder(const format::NetParameter &net, Weights &weights, const ImportRequest &request);
    Graph build();

private:
    friend class Layer;
    /// A version of a blob: its readers are known before any layer is converted.
    struct Version
    {
        int number = 0;
        int readers = 0;
        bool isInput = false;
    };
    struct Input
    {
        std::string name;
        Shape shape; ///< empty: unknown
        bool isKnown = false;
        std::string layer;
        Text remedy;
        bool isData = false; ///< of a layer that reads a database
    };

    bool isKept(const format::LayerParameter &layer) const;
    bool isDropped(const format::LayerParameter &layer) const;
    void chooseLayers();
    void refuseUnknownTypes() const;
    void findInputs();
    void declareInputs();
    void countReaders();
    void convert(std::size_t index);
    void shareBlobs(const format::LayerParameter &layer);
    void bindTop(Layer &layer, std::size_t i, const Value &value, bool mayRename);
    void addOutputs();
    std::string versionName(const std::string &blob, const Version &version) const;
    VarId addVariable(const std::string &name, const Shape &shape, at::ScalarType type);

    const format::NetParameter &m_net;
    Weights &m_weights;
    const ImportRequest &m_request;
    Graph m_graph;
    std::vector<format::LayerParameter> m_layers; ///< the kept ones, in order; their names are unique
    std::vector<std::string> m_fileNames;         ///< of the same layers, as in the file
    std::vector<Input> m_inputs;
    std::map<std::string, int> m_lastVersion; ///< by blob
    std::set<std::string> m_inputNames;
    std::vector<std::vector<Version>> m_tops;                  ///< by layer and top
    std::map<std::string, std::pair<Value, Version>> m_values; ///< current version of each blob
    std::set<std::string> m_poisoned;                          ///< blobs of layers that could not be converted
    std::vector<std::pair<VarId, std::string>> m_unread;       ///< outputs of the net in file order
    std::map<std::string, std::vector<at::Tensor>> m_shared;   ///< blobs by the name of their param
    std::vector<at::Tensor> m_blobs;                           ///< of the layer being converted
    std::size_t m_current = 0;
    std::map<VarId, int> m_readers;
    std::vector<Text> m_unsupported;
    std::vector<std::string> m_missing;
    std::string m_unsupportedOp;
};

} // namespace ql::caffe_io

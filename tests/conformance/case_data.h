#pragma once

#include "core/exec/opaque.h"
#include "core/io/npz.h"
#include "core/io/onnx/tensor_reader.h"

#include <onnx/onnx-data_pb.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ql::test {

inline std::string bytesOf(const std::filesystem::path &file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// One run of a case: inputs by name, outputs in the order of the graph's.
struct DataSet
{
    std::map<std::string, at::Tensor> inputs;
    std::vector<at::Tensor> outputs;
};

/// Reads the files of a test_data_set folder as the engine represents their values.
class CaseReader
{
public:
    explicit CaseReader(const std::filesystem::path &model) : m_reader(model, [](const api::Problem &) {}) {}

    /// input_0.pb, input_1.pb ... of folder (prefix "input" or "output"), read with the declared types of infos.
    std::vector<at::Tensor> read(const std::filesystem::path &folder, const std::string &prefix,
                                 const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> &infos)
    {
        std::vector<at::Tensor> values;
        for (int i = 0; i < infos.size(); ++i) {
            const auto file = folder / (prefix + "_" + std::to_string(i) + ".pb");
            if (!std::filesystem::exists(file)) break;
            values.push_back(value(bytesOf(file), infos[i].type()));
        }
        return values;
    }

private:
    template <class Proto>
    static Proto parse(const std::string &bytes)
    {
        Proto proto;
        if (!proto.ParseFromString(bytes)) throw std::runtime_error("a data file of the case cannot be parsed");
        return proto;
    }
    at::Tensor value(const std::string &bytes, const onnx::TypeProto &type)
    {
        if (type.has_sequence_type()) return sequence(parse<onnx::SequenceProto>(bytes));
        if (type.has_optional_type()) {
            onnx::OptionalProto proto = parse<onnx::OptionalProto>(bytes);
            if (proto.has_tensor_value()) return tensor(*proto.mutable_tensor_value());
            if (proto.has_sequence_value()) return sequence(proto.sequence_value());
            return makeNone();
        }
        onnx::TensorProto proto = parse<onnx::TensorProto>(bytes);
        // NumPy has no bfloat16: the suite stores the bits as uint16
        if (type.tensor_type().elem_type() == onnx::TensorProto::BFLOAT16 &&
            proto.data_type() == onnx::TensorProto::UINT16)
            proto.set_data_type(onnx::TensorProto::BFLOAT16);
        return tensor(proto);
    }
    at::Tensor tensor(onnx::TensorProto &proto)
    {
        if (proto.data_type() != onnx::TensorProto::STRING) return m_reader.read(proto, {}, false);
        return makeStrings(m_reader.readStrings(proto, {}), {proto.dims().begin(), proto.dims().end()});
    }
    at::Tensor sequence(onnx::SequenceProto proto)
    {
        std::vector<at::Tensor> items;
        for (onnx::TensorProto &item : *proto.mutable_tensor_values()) items.push_back(tensor(item));
        for (const onnx::SequenceProto &item : proto.sequence_values()) items.push_back(sequence(item));
        return makeSequence(std::move(items));
    }

    onnx_io::TensorReader m_reader;
};

/// Every test_data_set folder of a case of the suite.
inline std::vector<DataSet> readFolders(const std::filesystem::path &folder)
{
    onnx::ModelProto proto;
    if (!proto.ParseFromString(bytesOf(folder / "model.onnx")))
        throw std::runtime_error("the model file cannot be parsed");
    std::vector<DataSet> sets;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.is_directory() || !entry.path().filename().string().starts_with("test_data_set")) continue;
        CaseReader reader(folder / "model.onnx");
        DataSet set;
        const auto inputs = reader.read(entry.path(), "input", proto.graph().input());
        for (std::size_t i = 0; i < inputs.size(); ++i) set.inputs[proto.graph().input(int(i)).name()] = inputs[i];
        set.outputs = reader.read(entry.path(), "output", proto.graph().output());
        sets.push_back(std::move(set));
    }
    return sets;
}

/// The arrays of one of our own models: in__NAME, out__NAME.
inline std::vector<DataSet> readArrays(const std::filesystem::path &model)
{
    onnx::ModelProto proto;
    if (!proto.ParseFromString(bytesOf(model))) throw std::runtime_error("the model file cannot be parsed");
    const NpzFile arrays(std::filesystem::path(model).replace_extension(".npz"));
    DataSet set;
    for (const auto &input : proto.graph().input())
        set.inputs[input.name()] = arrays.array("in__" + input.name())->all();
    for (const auto &output : proto.graph().output())
        set.outputs.push_back(arrays.array("out__" + output.name())->all());
    return {set};
}

} // namespace ql::test

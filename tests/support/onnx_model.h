#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

namespace ql::test {

/// A ModelProto under construction: graph input x [1,2] and whatever a test adds.
struct OnnxModel
{
    onnx::ModelProto proto;

    explicit OnnxModel(std::int64_t opset = 13, std::int64_t ir = 8)
    {
        proto.set_ir_version(ir);
        auto *import = proto.add_opset_import();
        import->set_domain("");
        import->set_version(opset);
        graph()->set_name("test");
    }
    onnx::GraphProto *graph() { return proto.mutable_graph(); }

    static void describe(onnx::ValueInfoProto *info, const std::string &name, const std::vector<std::int64_t> &dims,
                         int type = 1)
    {
        info->set_name(name);
        auto *tensor = info->mutable_type()->mutable_tensor_type();
        tensor->set_elem_type(type);
        auto *shape = tensor->mutable_shape();
        for (const std::int64_t d : dims) {
            auto *dim = shape->add_dim();
            if (d >= 0)
                dim->set_dim_value(d);
            else
                dim->set_dim_param("n" + std::to_string(-d));
        }
    }
    void input(const std::string &name, const std::vector<std::int64_t> &dims = {1, 2}, int type = 1)
    {
        describe(graph()->add_input(), name, dims, type);
    }
    void output(const std::string &name) { graph()->add_output()->set_name(name); }

    static onnx::NodeProto *node(google::protobuf::RepeatedPtrField<onnx::NodeProto> *nodes, const std::string &type,
                                 const std::string &name, const std::vector<std::string> &inputs,
                                 const std::vector<std::string> &outputs)
    {
        auto *out = nodes->Add();
        out->set_op_type(type);
        if (!name.empty()) out->set_name(name);
        for (const std::string &i : inputs) out->add_input(i);
        for (const std::string &o : outputs) out->add_output(o);
        return out;
    }
    onnx::NodeProto *node(const std::string &type, const std::string &name, const std::vector<std::string> &inputs,
                          const std::vector<std::string> &outputs)
    {
        return node(graph()->mutable_node(), type, name, inputs, outputs);
    }
    static onnx::AttributeProto *attribute(onnx::NodeProto *node, const std::string &name,
                                           onnx::AttributeProto::AttributeType type)
    {
        auto *out = node->add_attribute();
        out->set_name(name);
        out->set_type(type);
        return out;
    }
    static void floats(onnx::TensorProto *tensor, const std::string &name, const std::vector<std::int64_t> &dims,
                       const std::vector<float> &values)
    {
        tensor->set_name(name);
        tensor->set_data_type(1);
        for (const std::int64_t d : dims) tensor->add_dims(d);
        tensor->set_raw_data(std::string(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float)));
    }
    void weight(const std::string &name, const std::vector<std::int64_t> &dims, const std::vector<float> &values)
    {
        floats(graph()->add_initializer(), name, dims, values);
    }

    std::filesystem::path save(const std::filesystem::path &file) const
    {
        std::ofstream out(file, std::ios::binary);
        proto.SerializeToOstream(&out);
        return file;
    }
};

} // namespace ql::test

// What exporters write next to a float model: names, scales and formats, byte for byte where the file is text.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/export/exporter.h"
#include "core/export/lint.h"
#include "core/platform/definition.h"
#include "core/platform/quantizer.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_graph.h"

#include <ATen/ops/full.h>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <onnx/onnx_pb.h>
#include <set>
#include <tuple>

using namespace ql;
using nlohmann::json;

namespace {

/// x -> conv (two channels, 3x3) -> relu -> gap -> flatten -> fc, configured for a platform; every slot that waits for
/// calibration gets a scale: activations 0.5, weights of channel c 0.25 / (c + 1).
QuantModel sideFileModel(const std::string &platformId, std::int64_t groups = 1)
{
    test::TinyGraph g;
    g.graph.opsets[""] = 13;
    g.graph.addParameter("w", at::full({2, 4 / groups, 5, 5}, 0.25));
    g.graph.addParameter("b", at::full({2}, -0.5));
    g.graph.addParameter("fw", at::full({3, 2}, 0.25));
    g.op("conv", "Conv", {"x", "w", "b"},
         {{"pads", Attribute(std::vector<std::int64_t>{2, 2, 2, 2})}, {"group", Attribute(groups)}});
    g.op("relu", "Relu", {"conv_out"});
    g.op("gap", "GlobalAveragePool", {"relu_out"});
    g.op("flat", "Flatten", {"gap_out"});
    g.op("fc", "Gemm", {"flat_out", "fw"}, {{"transB", Attribute(std::int64_t(1))}});
    g.graph.edit(g.graph.findVariable("flat_out")).type = test::TinyGraph::type({1, 2});
    g.graph.setOutputs({g.graph.findVariable("fc_out")});
    QuantModel model;
    for (const OpId id : g.graph.operations()) g.graph.edit(id).opset = 13;
    model.graph = g.graph;
    const PlatformDefinition &definition = platform(platformId);
    for (const OpId id : model.graph.operations())
        model.dispatch[id] = {definition.isQuantizable(model.graph.operation(id).type) ? definition.id : "FP32",
                              "test"};
    configure(model, definition);
    for (const auto &[slot, config] : QuantPlan::Map(model.plan.configs())) {
        if (config.state != QuantState::Initial) continue;
        const bool isWeight = model.graph.isParameter(variableOf(model.graph, slot));
        std::vector<float> scale{isWeight ? 0.25f : 0.5f};
        if (config.channelAxis)
            scale = slot.op == model.graph.findOperation("fc") ? std::vector{.25f, .125f, .0625f}
                                                               : std::vector{.25f, .125f};
        const std::int32_t zeroPoint = config.symmetric ? 0 : 128;
        model.plan.setScale(slot, scale, std::vector<std::int32_t>(scale.size(), zeroPoint),
                            isWeight ? QuantState::Baked : QuantState::Active, Origin::pass("calibrate"));
    }
    return model;
}

} // namespace

class TestSideFiles : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::filesystem::path file(const std::string &name) const { return m_folder.path().toStdString() + "/" + name; }
    /// Exports to m.onnx and returns the text of the neighbour with that ending.
    std::string exported(const std::string &format, const QuantModel &model, const std::string &ending,
                         std::vector<api::Problem> *problems = nullptr)
    {
        const ExportResult result =
            exportModel(format, model, file("m.onnx"), json::object(), [&](const api::Problem &problem) {
                if (problems) problems->push_back(problem);
            });
        for (const std::filesystem::path &written : result.files)
            if (!std::filesystem::exists(written)) throw std::runtime_error("missing " + written.string());
        const std::string text = readFile(file("m" + ending));
        exportModel(format, model, file("again.onnx"), json::object(), [](const api::Problem &) {});
        if (readFile(file("again.onnx")) != readFile(file("m.onnx"))) throw std::runtime_error("not byte-stable");
        return text;
    }

    /// Operations that a tool does not compute, or not as defined, quantized or not.
    static std::vector<std::function<void(QuantModel &)>> changedOperations()
    {
        using Change = std::function<void(QuantModel &)>;
        using Attributes = std::map<std::string, Attribute, std::less<>>;
        const auto operation = [](const char *type, Attributes attributes = {}, std::size_t rank = 0) -> Change {
            return [=](QuantModel &model) {
                Operation &op = model.graph.edit(model.graph.findOperation("conv"));
                op.type = type;
                op.attributes = attributes;
                if (rank > 0)
                    for (const VarId id : model.graph.variables())
                        model.graph.edit(id).type.shape = std::vector<Dim>(rank, Dim{2, {}});
            };
        };
        return {operation("Resize", {}, 5),
                operation("GridSample", {{"mode", std::string("bicubic")}}),
                operation("GridSample", {{"mode", std::string("cubic")}}),
                operation("GridSample", {{"padding_mode", std::string("reflection")}}),
                operation("GRU", {{"direction", std::string("reverse")}}),
                operation("Mod", {{"fmod", std::int64_t(1)}}),
                operation("GroupNormalization"),
                operation("ScatterND"),
                operation("Equal"),
                operation("Unique"),
                operation("Transpose", {}, 6),
                operation("Gather"),
                operation("ReduceSum"),
                operation("Resize", {{"mode", std::string("nearest")}, {"nearest_mode", std::string("ceil")}}),
                operation("Resize", {{"coordinate_transformation_mode", std::string("asymmetric")}}),
                operation("AveragePool", {{"ceil_mode", std::int64_t(1)}, {"count_include_pad", std::int64_t(1)}})};
    }

private Q_SLOTS:
    /// Not by the folder that it is written in before it gets its name.
    void errorsNameTheTarget()
    {
        QuantModel model = sideFileModel("TRT_INT8");
        model.graph.edit(model.graph.outputs()[0]).type = test::TinyGraph::type({7, 7}); // the ONNX library refuses it
        const Error error = test::errorOf(
            [&] { exportModel("trt_json", model, file("refused.onnx"), json::object(), [](const api::Problem &) {}); });
        QCOMPARE(QString::fromStdString(error.file), QString::fromStdString(file("refused.onnx").string()));
    }

    /// The target names the model; with the ending of a file next to it, one would replace the other.
    void twoFilesOfOneName()
    {
        for (const auto &[format, platformId, name] :
             {std::tuple("ncnn_table", "NCNN_INT8", "own.table"), std::tuple("mnn_json", "MNN_INT8", "own.json")}) {
            const std::filesystem::path target = file(name);
            try {
                exportModel(format, sideFileModel(platformId), target, json::object(), [](const api::Problem &) {});
                QFAIL("exported");
            } catch (const Error &error) {
                QVERIFY2(error.text().find("two files of the export would be called") != std::string::npos &&
                             error.text().find(".onnx") != std::string::npos,
                         error.text().c_str());
            }
            QVERIFY(!std::filesystem::exists(target));
        }
    }

    /// In files whose words are separated by spaces, a name with a space would be two words.
    void namesWithSpaces()
    {
        for (const auto &[format, platformId] :
             {std::tuple("ncnn_table", "NCNN_INT8"), std::tuple("tengine", "TENGINE_INT8"),
              std::tuple("trt_json", "TRT_INT8")}) {
            QuantModel model = sideFileModel(platformId);
            const OpId conv = model.graph.findOperation("conv");
            model.graph.rename(model.graph.operation(conv).inputs[1], "the weight");
            model.graph.rename(model.graph.operation(conv).outputs[0], "the result");
            model.graph.rename(conv, "first conv");
            try {
                exportModel(format, model, file("spaces.onnx"), json::object(), [](const api::Problem &) {});
                QFAIL(format);
            } catch (const Error &error) {
                QVERIFY2(error.text().find("cannot be written") != std::string::npos &&
                             error.text().find("first conv") != std::string::npos,
                         error.text().c_str());
            }
            QVERIFY(!std::filesystem::exists(file("spaces.onnx")));
        }
    }

    /// A file without scales would make MNN compute everything in float.
    void nothingForMnn()
    {
        QuantModel model = sideFileModel("MNN_INT8");
        for (const OpId id : model.graph.operations()) model.plan.erase(id);
        try {
            exportModel("mnn_json", model, file("none.onnx"), json::object(), [](const api::Problem &) {});
            QFAIL("exported");
        } catch (const Error &error) {
            QVERIFY2(error.text().find("no layer of the model has scales") != std::string::npos, error.text().c_str());
        }
    }

    void tensorRtRanges()
    {
        const QuantModel model = sideFileModel("TRT_INT8");
        const json ranges = json::parse(exported("trt_json", model, ".json")).at("act_quant_info");
        QCOMPARE(ranges, json({{"x", 63.5},
                               {"conv_out", 63.5},
                               {"relu_out", 63.5},
                               {"gap_out", 63.5},
                               {"flat_out", 63.5},
                               {"fc_out", 63.5}}));
        const std::string weights = readFile(file("m.wts"));
        QVERIFY(weights.starts_with("3\nw 200 3e800000 3e800000 "));
        QVERIFY(weights.find("\nb 2 bf000000 bf000000\n") != std::string::npos);
        QVERIFY(weights.find("\nfw 6 3e800000 ") != std::string::npos);
        const std::string script = readFile(file("m_build_engine.py"));
        QVERIFY(script.find("STEM = \"m\"") != std::string::npos && script.find('@') == std::string::npos);
    }

    void tensorRtSkipsOtherGrids()
    {
        std::vector<api::Problem> problems;
        const json ranges = json::parse(exported("trt_json", sideFileModel("RKNN_INT8"), ".json", &problems));
        QVERIFY(ranges.at("act_quant_info").empty());
        QVERIFY(!problems.empty());
        QCOMPARE(std::string(toString(problems.front().severity)), std::string("warning"));
    }

    void openPpl()
    {
        const json text = json::parse(exported("ppl_json", sideFileModel("PPL_CUDA_INT8"), ".json"));
        const json &x = text.at("quant_info").at("x");
        QCOMPARE(x.at("scale"), json(0.5));
        QCOMPARE(x.at("tensor_min"), json(-64.0));
        QCOMPARE(x.at("tensor_max"), json(63.5));
        QCOMPARE(x.at("per_channel"), json(false));
        const json &w = text.at("quant_info").at("w");
        QCOMPARE(w.at("scale"), json({0.25, 0.125}));
        QCOMPARE(w.at("zero_point"), json({0, 0}));
        QVERIFY(!text.at("quant_info").contains("b")); // 32 bits
        QCOMPARE(text.at("op_info").at("conv"), json({{"data_type", "INT8"}}));
        const json four = json::parse(exported("ppl_json", sideFileModel("PPL_CUDA_INT4"), ".json"));
        QCOMPARE(four.at("op_info").at("conv"), json({{"data_type", "INT4"}}));
    }

    void ncnn()
    {
        QCOMPARE(exported("ncnn_table", sideFileModel("NCNN_INT8"), ".table"), std::string("conv_param_0 4 8 \n"
                                                                                           "fc_param_0 4 8 16 \n"
                                                                                           "conv 2 \n"
                                                                                           "fc 2 \n"));
        QVERIFY(exported("ncnn_table", sideFileModel("NCNN_INT8", 2), ".table").starts_with("conv_param_0 4 8 \n"));
        QuantModel perTensor = sideFileModel("TENGINE_INT8");
        QVERIFY_EXCEPTION_THROWN(
            exportModel("ncnn_table", perTensor, file("none.onnx"), json::object(), [](const api::Problem &) {}),
            Error);
        QVERIFY(!std::filesystem::exists(file("none.onnx")) && !std::filesystem::exists(file("none.table")));
    }

    void mnn()
    {
        const json scales = json::parse(exported("mnn_json", sideFileModel("MNN_INT8"), ".json"));
        QCOMPARE(scales, json({{"shape", {{"channels", 4}, {"height", 8}, {"width", 8}}},
                               {"conv_out input_tensor_0", 0.5},
                               {"conv_out output_tensor_0", 0.5},
                               {"relu_out output_tensor_0", 0.5}}));
    }

    void tengine()
    {
        QVERIFY(
            exported("tengine", sideFileModel("TENGINE_INT8"), ".scale").starts_with("x 0.5 128\nconv_out 0.5 128\n"));
        QVERIFY(json::parse(readFile(file("m.json"))).contains("configs"));
        QVERIFY_EXCEPTION_THROWN(exportModel("tengine", sideFileModel("PPL_CUDA_INT8"), file("none.onnx"),
                                             json::object(), [](const api::Problem &) {}),
                                 Error);
    }

    void qualcomm()
    {
        const json text = json::parse(exported("qnn_encodings", sideFileModel("QNN_DSP_INT8"), ".encodings"));
        json entry = {{"bitwidth", 8},  {"dtype", "int"}, {"is_symmetric", "False"}, {"max", 63.5}, {"min", -64.0},
                      {"offset", -128}, {"scale", 0.5}};
        QCOMPARE(text.at("activation_encodings").at("x"), json::array({entry}));
        exportModel("qnn_encodings", sideFileModel("QNN_DSP_INT8"), file("ppq.onnx"), {{"as_ppq", true}},
                    [](const api::Problem &) {});
        entry["offset"] = 128; // the zero point
        entry.erase("dtype");
        entry.erase("is_symmetric");
        QCOMPARE(json::parse(readFile(file("ppq.encodings"))).at("activation_encodings").at("x"), json::array({entry}));
        QVERIFY(text.at("param_encodings").contains("w"));
        QVERIFY(!text.at("param_encodings").contains("b")); // stays inside
        QCOMPARE(json::parse(exported("snpe_ranges", sideFileModel("SNPE_INT8"), ".json")).at("x"),
                 json({{"tensor_min", -64.0}, {"tensor_max", 63.5}}));
    }

    void aimet()
    {
        const json symmetric = json::parse(exported("aimet_encodings", sideFileModel("TRT_INT8"), ".encodings"));
        QCOMPARE(symmetric.at("version"), json("1.0.0"));
        const auto named = [](const json &rows, const std::string &name) {
            for (const json &row : rows)
                if (row.at("name") == name) return row;
            return json();
        };
        QCOMPARE(named(symmetric.at("param_encodings"), "w"), json({{"name", "w"},
                                                                    {"enc_type", "PER_CHANNEL"},
                                                                    {"dtype", "INT"},
                                                                    {"bw", 8},
                                                                    {"is_sym", true},
                                                                    {"scale", {0.25, 0.125}},
                                                                    {"offset", {-128, -128}}}));
        const json asymmetric = json::parse(exported("aimet_encodings", sideFileModel("RKNN_INT8"), ".encodings"));
        QCOMPARE(named(asymmetric.at("activation_encodings"), "x").at("offset"), json({-128}));
    }

    void onnxRuntimeOverrides()
    {
        const json overrides = json::parse(exported("ort_overrides", sideFileModel("ONNXRUNTIME"), ".json"));
        QCOMPARE(overrides.at("x"), json::array({{{"quant_type", "QInt8"}, {"scale", 0.5}, {"zero_point", 0}}}));
        QCOMPARE(overrides.at("w").size(), std::size_t(2));
        QCOMPARE(overrides.at("w").at(1).at("axis"), json(0));
        QVERIFY(std::filesystem::exists(file("m_overrides.py")));
    }

    void ascend()
    {
        const std::string record = exported("ascend_record", sideFileModel("ASC_INT8"), ".txt");
        QVERIFY2(record.starts_with("record {\n  key: \"conv\"\n  value {\n    scale_d: 0.5\n    offset_d: 0\n"
                                    "    scale_w: 0.25\n    scale_w: 0.125\n    offset_w: 0\n    offset_w: 0\n"
                                    "    channels: 4\n    height: 8\n    width: 8\n  }\n}\n"),
                 record.c_str());
    }

    void ppq()
    {
        const json text = json::parse(exported("ppq_json", sideFileModel("TRT_INT8"), ".json"));
        const json &x = text.at("configs").at("conv").at("x");
        QCOMPARE(x.at("state"), json("ACTIVATED"));
        QCOMPARE(x.at("policy").at("SYMMETRICAL"), json(true));
        QCOMPARE(text.at("values").at(std::to_string(x.at("hash").get<int>())),
                 json({{"scale", 0.5}, {"zero_point", 0.0}}));
        QCOMPARE(text.at("configs").at("conv").at("w").at("state"), json("BAKED"));
        QCOMPARE(text.at("dispatchings").at("conv"), json("TRT_INT8"));
    }

    /// Ranges are parameters and inputs, as NXP's reader wants.
    void nxp()
    {
        exportModel("nxp_onnx", sideFileModel("NXP_INT8"), file("nxp.onnx"), json::object(),
                    [](const api::Problem &) {});
        onnx::ModelProto model;
        QVERIFY(model.ParseFromString(readFile(file("nxp.onnx"))));
        std::map<std::string, float> ranges;
        for (const auto &tensor : model.graph().initializer())
            if (tensor.dims_size() == 0 && tensor.raw_data().size() == sizeof(float))
                std::memcpy(&ranges[tensor.name()], tensor.raw_data().data(), sizeof(float));
        QCOMPARE(ranges.at("x_min"), -64.f); // 0.5 * 128
        QCOMPARE(ranges.at("x_max"), 63.5f);
        QVERIFY(!ranges.contains("w_min"));
        std::set<std::string> inputs;
        for (const auto &input : model.graph().input()) inputs.insert(input.name());
        QVERIFY(inputs.contains("x_min") && inputs.contains("fc_out_max") && !inputs.contains("w"));
        std::vector<api::Problem> problems;
        exportModel("nxp_onnx", sideFileModel("RKNN_INT8"), file("nxp.onnx"), json::object(),
                    [&](const api::Problem &problem) { problems.push_back(problem); });
        QVERIFY(!problems.empty());
    }

    void modelExplorer()
    {
        const QuantModel model = sideFileModel("TRT_INT8");
        const auto write = [&](const json &params, const api::Measures &errors) {
            exportModel(
                "model_explorer", model, file("nodes.json"), params, [](const api::Problem &) {}, errors);
            return json::parse(readFile(file("nodes.json")));
        };
        api::Measures errors;
        api::ErrorRow row;
        row.op = "conv";
        row.variable = "conv_out";
        row.sqnrDb = 31.5;
        api::ErrorRow exact = row;
        exact.variable = "fc_out";
        exact.sqnrDb.reset();
        errors.graphwise = {row, exact};
        const json data = write(json::object(), errors);
        QCOMPARE(data.at("results"), json({{"conv_out", {{"value", 31.5}}}}));
        QCOMPARE(data.at("thresholds").size(), std::size_t(8));
        double last = 0;
        for (const json &step : data.at("thresholds")) {
            QVERIFY(step.at("value").get<double>() > last);
            QVERIFY(step.at("bgColor").get<std::string>().starts_with("#"));
            last = step.at("value").get<double>();
        }
        QVERIFY_EXCEPTION_THROWN(write({{"errors", "layerwise"}}, errors), Error); // not measured
    }

    /// Nothing in the usual file of a platform's own configs is what its tool refuses.
    void lintAcceptsPlatforms()
    {
        for (const PlatformDefinition *definition : platforms()) {
            if (definition->exporters.empty()) continue;
            for (const std::string &format : definition->exporters) {
                const auto problems = lintExport(format, definition->id, sideFileModel(definition->id));
                for (const api::Problem &problem : problems)
                    if (problem.severity != api::Severity::Info)
                        QFAIL((definition->id + " " + format + ": " + problem.message.english()).c_str());
            }
        }
    }

    void lintReports_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("platform"); // whose configs are written
        QTest::addColumn<QString>("rule");     // part of the message
        QTest::addColumn<QString>("severity");
        QTest::newRow("unsigned") << "trt_qdq"
                                  << "RKNN_INT8"
                                  << "codes are symmetric"
                                  << "error";
        QTest::newRow("FP8 in OpenVINO") << "openvino_qdq"
                                         << "TRT_FP8"
                                         << "activations are int8"
                                         << "warning";
        QTest::newRow("weights with zero points") << "ascend_record"
                                                  << "TENGINE_INT8"
                                                  << "weights are symmetric"
                                                  << "error";
        QTest::newRow("operation in float") << "ncnn_table"
                                            << "TRT_INT8"
                                            << "inner products only"
                                            << "warning";
        QTest::newRow("code -128") << "mnn_json"
                                   << "TRT_INT8"
                                   << "from -127 to 127"
                                   << "warning";
        QTest::newRow("scales of a Gemm") << "ascend_record"
                                          << "TRT_INT8"
                                          << "one scale for its weight"
                                          << "error";
        QTest::newRow("weights in INT4") << "trt_qdq"
                                         << "ACADEMIC_INT4"
                                         << "one scale per 64 or 128"
                                         << "error";
    }
    void lintReports()
    {
        QFETCH(QString, format);
        QFETCH(QString, platform);
        QFETCH(QString, rule);
        QFETCH(QString, severity);
        QuantModel model = sideFileModel(platform.toStdString());
        const auto problems = lintExport(format.toStdString(), platform.toStdString(), model);
        const auto found = std::find_if(problems.begin(), problems.end(), [&](const api::Problem &problem) {
            return QString::fromStdString(problem.message.english()).contains(rule);
        });
        QVERIFY(found != problems.end());
        QCOMPARE(QString(toString(found->severity)), severity);
        QVERIFY(!found->op.empty() && !found->remedy.isEmpty());
        const auto &tables = lintTables();
        QVERIFY(std::any_of(tables.begin(), tables.end(), [&](const api::LintTable &table) {
            return found->message.english().find(table.document) != std::string::npos;
        }));
        QVERIFY(lintExport("csv", platform.toStdString(), model).empty()); // nothing reads it but people
    }

    /// Each rule reports a model that differs from an accepted one in one respect.
    void everyLintRuleCanBeBroken()
    {
        using Change = std::function<void(QuantModel &)>;
        const auto everySlot = [](std::function<void(TensorQuantConfig &)> change) -> Change {
            return [change](QuantModel &model) {
                for (const auto &entry : QuantPlan::Map(model.plan.configs())) change(*model.plan.find(entry.first));
            };
        };
        const auto attribute = [](const char *type, const char *key, Attribute value) -> Change {
            return [=](QuantModel &model) {
                for (const OpId id : model.graph.operations())
                    if (model.graph.operation(id).type == (type == std::string("Gemm") ? "Gemm" : "Conv")) {
                        model.graph.edit(id).type = type;
                        model.graph.edit(id).attributes[key] = value;
                    }
            };
        };
        const auto ranks = [](const char *type, std::size_t rank) -> Change {
            return [=](QuantModel &model) {
                model.graph.edit(model.graph.findOperation("conv")).type = type;
                for (const VarId id : model.graph.variables())
                    model.graph.edit(id).type.shape = std::vector<Dim>(rank, Dim{2, {}});
            };
        };
        std::vector<Change> changes = {everySlot([](TensorQuantConfig &c) { c.symmetric = false; }),
                                       everySlot([](TensorQuantConfig &c) { c.bits = 16; }),
                                       everySlot([](TensorQuantConfig &c) {
                                           c.bits = 4;
                                           c.quantMin = -8;
                                           c.quantMax = 7;
                                       }),
                                       everySlot([](TensorQuantConfig &c) { c.quantMin = -128; }),
                                       everySlot([](TensorQuantConfig &c) { c.channelAxis = 0; }),
                                       everySlot([](TensorQuantConfig &c) { c.channelAxis = 1; }),
                                       everySlot([](TensorQuantConfig &c) { c.dynamic = true; }),
                                       attribute("Gemm", "transA", std::int64_t(1)),
                                       attribute("ConvTranspose", "dilations", std::vector<std::int64_t>{2, 2}),
                                       ranks("Conv", 3),
                                       ranks("Conv", 5),
                                       ranks("ConvTranspose", 3),
                                       [](QuantModel &) {}};
        const std::vector<Change> ofOperations = changedOperations();
        changes.insert(changes.end(), ofOperations.begin(), ofOperations.end());
        std::set<std::string> silent;
        for (const api::LintTable &table : lintTables())
            for (const api::LintRule &rule : table.rules) silent.insert(table.id + ": " + rule.meaning.english());
        for (const api::LintTable &table : lintTables())
            for (const auto &[format, ids] : table.formats) {
                const std::string id = ids.empty() ? "TRT_INT8" : ids.front();
                for (const Change &change : changes) {
                    QuantModel model = sideFileModel(id);
                    change(model);
                    for (const api::Problem &problem : lintExport(format, id, model))
                        std::erase_if(silent, [&](const std::string &rule) {
                            return problem.message.english().find(table.title.english() + ": ") == 0 &&
                                   problem.message.english().find(rule.substr(table.id.size() + 2)) !=
                                       std::string::npos;
                        });
                }
            }
        for (const std::string &rule : silent) QFAIL(("never reported: " + rule).c_str());
    }

    /// Rules name exporters that exist, and differ in what they mean.
    void lintTablesAreComplete()
    {
        QVERIFY(lintTables().size() >= 6);
        for (const api::LintTable &table : lintTables()) {
            QVERIFY(!table.formats.empty() && !table.rules.empty() && !table.document.empty());
            for (const auto &[format, ids] : table.formats) {
                QVERIFY2(Registry<ExporterEntry>::instance().find(format), format.c_str());
                for (const std::string &id : ids) QVERIFY2(findPlatform(id), id.c_str());
            }
            for (const api::LintRule &rule : table.rules) QVERIFY(!rule.section.empty() && !rule.remedy.isEmpty());
        }
    }

    void csv()
    {
        exportModel("csv", sideFileModel("TRT_INT8"), file("t.csv"), json::object(), [](const api::Problem &) {});
        const std::string text = readFile(file("t.csv"));
        QVERIFY(text.starts_with("operation,type,platform,variable,role,index,state,bits,"));
        QVERIFY(text.find("conv,Conv,TRT_INT8,w,parameter,1,baked,8,0,-128,127,true,false,false,0,half_even,minmax,"
                          "0.25 0.125,0 0,,0,float32,none\r\n") != std::string::npos);
    }

    /// What an export would overwrite is known before it runs.
    void filesBesideAreDeclared()
    {
        const std::map<std::string, std::string> platforms{
            {"ascend_record", "TRT_INT8"}, {"mnn_json", "MNN_INT8"}, {"ncnn_table", "NCNN_INT8"}};
        int written = 0;
        const auto &registry = Registry<ExporterEntry>::instance();
        for (const std::string &id : registry.ids()) {
            const ExporterEntry *entry = registry.find(id);
            if (entry->beside.empty() || entry->extensions.front() != ".onnx") continue;
            const auto of = platforms.find(id);
            const std::filesystem::path target = file(id + ".onnx");
            ExportResult result = exportModel(id, sideFileModel(of == platforms.end() ? "QNN_DSP_INT8" : of->second),
                                              target, json::object(), [](const api::Problem &) {});
            std::vector<std::filesystem::path> expected = exportedFiles(id, target);
            std::sort(expected.begin(), expected.end());
            std::sort(result.files.begin(), result.files.end());
            QVERIFY2(result.files == expected, id.c_str());
            ++written;
        }
        QVERIFY(written >= 9);
    }

    /// A set of files is written as a whole, or not at all.
    void noFileIsReplacedAlone()
    {
        writeFileAtomically(file("whole.onnx"), "old");
        std::filesystem::create_directory(file("whole.json"));
        QCOMPARE(test::errorOf([&] {
                     exportModel("trt_json", sideFileModel("TRT_INT8"), file("whole.onnx"), json::object(),
                                 [](const api::Problem &) {});
                 }).file,
                 file("whole.json").string());
        QCOMPARE(readFile(file("whole.onnx")), std::string("old"));
    }

    /// Nothing stays behind, neither a scratch folder nor half of a set.
    void failedWriteLeavesNothing()
    {
        const QStringList before =
            QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        QVERIFY(before.filter(".part").isEmpty());
        QVERIFY_EXCEPTION_THROWN(exportModel("ascend_record", sideFileModel("TRT_INT8"), file("folder/none.onnx"),
                                             json::object(), [](const api::Problem &) {}),
                                 Error);
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), before);
    }
};

QL_TEST(TestSideFiles)
#include "tst_side_files.moc"

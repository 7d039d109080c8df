// PPQ's settings as recipes, and presets.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/pass/pass.h"
#include "core/session/ppq_setting.h"
#include "core/session/preset.h"
#include "core/session/recipe_fields.h"
#include "core/session/run.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using nlohmann::json;
using ql::test::messageOf;

namespace {

ConvertedSetting converted(const std::string &text, const std::string &platform = "TRT_INT8")
{
    return convertPpqSetting(api::JsonText::parse(text, "s.json"), platform);
}

/// The enabled passes, in order.
std::string passesOf(const api::Recipe &recipe)
{
    const api::Recipe complete = completeRecipe(recipe);
    std::string out;
    for (const api::StepRequest &step : *complete.passes)
        if (step.enabled) out += (out.empty() ? "" : " ") + step.id;
    return out;
}

json paramsOf(const api::Recipe &recipe, const std::string &pass)
{
    const api::Recipe complete = completeRecipe(recipe);
    for (const api::StepRequest &step : *complete.passes)
        if (step.id == pass) return step.params;
    return {};
}

/// The problems with these words, as "severity: message".
std::vector<std::string> problemsWith(const std::vector<api::Problem> &problems, const std::string &words)
{
    std::vector<std::string> found;
    for (const api::Problem &problem : problems)
        if (problem.message.english().find(words) != std::string::npos)
            found.push_back(std::string(toString(problem.severity)) + ": " + problem.message.english());
    return found;
}

const std::string usual =
    "quantize_fusion quantize_simplify parameter_quantize calibrate align passive_parameters bake";
/// TRT_INT8 adds passes of ours, for masks and for bodies of control flow
const std::string ofTensorRt = "quantize_fusion quantize_simplify parameter_quantize calibrate masked_scores align "
                               "passive_parameters quantize_bodies bake";
const std::string unfused = "parameter_quantize calibrate passive_parameters bake";

} // namespace

class TestPpqSetting : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The pipelines of PPQ's setting factories.
    void pipelines_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QString>("platform");
        QTest::addColumn<QString>("passes");
        const auto row = [](const char *preset, const char *platform, const std::string &passes) {
            QTest::newRow(preset) << preset << platform << QString::fromStdString(passes);
        };
        row("default", "TRT_INT8", ofTensorRt);
        row("trt", "TRT_INT8", ofTensorRt);
        row("pplcuda", "PPL_CUDA_INT8", usual);
        // and passes of ours, because the runtime's kernels differ
        row("mnn", "MNN_INT8",
            "fold_constants mnn_format_mean mnn_format_float quantize_fusion quantize_simplify parameter_quantize "
            "calibrate align passive_parameters runtime_kernels bake");
        row("academic", "ACADEMIC_INT8", unfused);
        row("ascend", "ASC_INT8", unfused);
        row("dsp", "PPL_DSP_INT8", "layerwise_equalization " + usual);
        row("fpga", "FPGA_INT8", "layerwise_equalization " + usual);
        row("metax_pertensor", "RKNN_INT8", "layerwise_equalization " + usual);
    }
    void pipelines()
    {
        QFETCH(QString, preset);
        QFETCH(QString, platform);
        QFETCH(QString, passes);
        api::Recipe recipe;
        recipe.platform = platform.toStdString();
        std::vector<api::Problem> problems;
        applyPresetText(recipe, preset.toStdString(), [&](const api::Problem &p) { problems.push_back(p); });
        QCOMPARE(QString::fromStdString(passesOf(recipe)), passes);
        QVERIFY(problems.empty());
    }

    void parametersOfPresets()
    {
        api::Recipe recipe;
        applyPreset(recipe, "dsp", {}, [](const api::Problem &) {});
        QCOMPARE(paramsOf(recipe, "layerwise_equalization").at("iterations"), json(3));
        recipe = {};
        applyPresetText(recipe, "beginner:calibration=kl,equalization=false,finetune=false,float_operations=a+b[0]",
                        [](const api::Problem &) {});
        QCOMPARE(QString::fromStdString(passesOf(recipe)), QString::fromStdString(ofTensorRt));
        QCOMPARE(paramsOf(recipe, "calibrate").at("observer"), json("kl"));
        QCOMPARE(recipe.dispatch.size(), std::size_t{2});
        QCOMPARE(recipe.dispatch[1].match.op, std::string("b[[]0]"));
        for (const char *platform : {"TRT_FP8", "GRAPHCORE_FP8"}) { // percentile has no floating format
            recipe = {};
            recipe.platform = platform;
            applyPresetText(recipe, "beginner", [](const api::Problem &) {});
            QCOMPARE(paramsOf(recipe, "calibrate").at("observer"), json(""));
        }
        QVERIFY(messageOf([&] {
                    applyPresetText(recipe, "dps", [](const api::Problem &) {});
                }).startsWith("there is no preset 'dps'. Did you mean 'dsp'?"));
        QVERIFY(messageOf([&] {
                    applyPresetText(recipe, "beginner:calib=kl", [](const api::Problem &) {});
                }).startsWith("preset 'beginner' has no parameter 'calib'."));
        QVERIFY(messageOf([&] {
                    applyPresetText(recipe, "beginner:finetune_steps=0", [](const api::Problem &) {});
                }).contains("parameter 'finetune_steps' must be at least 1, got 0"));
        QVERIFY(messageOf([&] {
                    applyPresetText(recipe, "beginner:calibration=kl,calibration=minmax", [](const api::Problem &) {});
                }).startsWith("preset 'beginner': parameter 'calibration' is given twice"));
    }

    /// Every preset gives a recipe that can be run on every platform.
    void presetsFitPlatforms()
    {
        for (const api::CatalogueItem &preset : presetCatalogue())
            for (const char *platform : {"TRT_INT8", "NXP_INT8", "ACADEMIC_INT8", "METAX_INT8_T", "PPL_DSP_TI_INT8"}) {
                api::Recipe recipe;
                recipe.platform = platform;
                applyPreset(recipe, preset.id, {}, [](const api::Problem &) {});
                completeRecipe(recipe);
            }
    }

    void aQuantizationPassGetsAUsefulPlace()
    {
        api::Recipe recipe;
        recipe.platform = "ACADEMIC_INT8";
        setRecipeField(recipe, "passes.quantize_fusion.enabled", "true");
        QCOMPARE(QString::fromStdString(passesOf(recipe)).section(' ', 0, 1),
                 QString("quantize_fusion parameter_quantize"));
    }

    void defaultsOfTheSetting()
    {
        QCOMPARE(QString::fromStdString(passesOf(converted("{}").recipe)), QString::fromStdString(ofTensorRt));
        QVERIFY(converted("{}").problems.empty());
    }

    void fieldsBecomePassesAndParameters()
    {
        const ConvertedSetting setting = converted(R"({
            "dispatcher": "aggresive", "equalization": true,
            "equalization_setting": {"iterations": 3, "opt_level": 2, "value_threshold": 0.25},
            "quantize_activation_setting": {"calib_algorithm": "KL"},
            "fusion_setting": {"align_elementwise_to": "Align to Output", "align_quantization": true,
                               "fuse_activation": false, "force_alignment_overlap": false},
            "bias_correct": true, "bias_correct_setting": {"steps": 8},
            "quantize_parameter_setting": {"baking_parameter": false}})");
        const api::Recipe &recipe = setting.recipe;
        QCOMPARE(recipe.dispatcher, std::string("aggressive"));
        QCOMPARE(QString::fromStdString(passesOf(recipe)),
                 QString("layerwise_equalization quantize_fusion quantize_simplify parameter_quantize calibrate "
                         "masked_scores align passive_parameters bias_correction quantize_bodies"));
        const json equalization = paramsOf(recipe, "layerwise_equalization");
        QCOMPARE(equalization.at("iterations"), json(3));
        QCOMPARE(equalization.at("optimize_level"), json(2));
        QCOMPARE(equalization.at("value_threshold"), json(0.25));
        QCOMPARE(paramsOf(recipe, "calibrate").at("observer"), json("kl"));
        QCOMPARE(paramsOf(recipe, "align").at("elementwise"), json("to_output"));
        QCOMPARE(paramsOf(recipe, "align").at("force_overlap"), json(false));
        QCOMPARE(paramsOf(recipe, "quantize_fusion").at("activations"), json::array());
        QCOMPARE(paramsOf(recipe, "bias_correction").at("steps"), json(8));
        QVERIFY(setting.problems.empty());
    }

    void withoutFusion()
    {
        QCOMPARE(QString::fromStdString(passesOf(converted(R"({"fusion": false})").recipe)),
                 QString("parameter_quantize calibrate masked_scores passive_parameters quantize_bodies bake"));
    }

    void dispatchTable()
    {
        const api::Recipe recipe = converted(R"({"dispatching_table": {"intro_0": "words", "dispatchings": {
            "FP32 OPERATION NAME": 0, "conv*": 0, "b": 601, "c": -1}}})")
                                       .recipe;
        QCOMPARE(recipe.dispatch.size(), std::size_t{3});
        std::map<std::string, std::string> table;
        for (const api::Rule &rule : recipe.dispatch) table[rule.match.op] = rule.set.platform;
        QCOMPARE(table.at("conv[*]"), std::string("FP32"));
        QCOMPARE(table.at("b"), std::string("RKNN_INT8"));
        QCOMPARE(table.at("c"), std::string("SOI"));
    }

    void dispatchTableOfNames()
    {
        const json entries{{"YOUR OEPRATION NAME", "TARGET PLATFORM(INT)"},
                           {"a", "FP32"},
                           {"b", "SHAPE_OR_INDEX"},
                           {"c", "TRT_INT8"},
                           {"d", "ORT_OOS_INT8"},
                           {"e", "FP16"},
                           {"f", 203},
                           {"g", "UNSPECIFIED"},
                           {"h", 77},
                           {"MY OPERATION NAME", "SOI"}};
        const json member{{"attention", "words"}, {"dispatchings", entries}};
        const ConvertedSetting setting = converted(json{{"dispatching_table", member}}.dump());
        std::map<std::string, std::string> table;
        for (const api::Rule &rule : setting.recipe.dispatch) table[rule.match.op] = rule.set.platform;
        QCOMPARE(table, (std::map<std::string, std::string>{{"a", "FP32"},
                                                            {"b", "SOI"},
                                                            {"c", "TRT_INT8"},
                                                            {"d", "RKNN_INT8"},
                                                            {"e", "FP32"},
                                                            {"f", "FP32"},
                                                            {"MY OPERATION NAME", "SOI"}}));
        QCOMPARE(problemsWith(setting.problems, "operation 'g' (\"UNSPECIFIED\") is not converted").size(),
                 std::size_t{1});
        QCOMPARE(problemsWith(setting.problems, "operation 'h' (77) is not converted").size(), std::size_t{1});
        QCOMPARE(problemsWith(setting.problems, "16-bit floats become float32").size(), std::size_t{2});
        QCOMPARE(setting.problems.size(), std::size_t{4});
    }

    void versions()
    {
        QVERIFY(converted(R"({"version": "0.6.6"})").problems.empty());
        const std::vector<api::Problem> problems = converted(R"({"version": "0.9"})").problems;
        QCOMPARE(
            problemsWith(problems, "version (\"0.9\") is not converted: Members are read as those of PPQ 0.6.6").size(),
            std::size_t{1});
    }

    /// Nothing is dropped silently.
    void membersWithoutMeaningAreListed()
    {
        const ConvertedSetting setting =
            converted(R"({"extension": true, "weight_split": true, "graph_format_setting": {"format_cast": true}})");
        QCOMPARE(problemsWith(setting.problems, "extension (true) is not converted").size(), std::size_t{1});
        QVERIFY(problemsWith(setting.problems, "extension (true)")[0].starts_with("warning"));
        QVERIFY(problemsWith(setting.problems, "graph_format_setting.format_cast (true)")[0].starts_with("info"));
        if (!Registry<PassEntry>::instance().find("weight_split"))
            QVERIFY(!problemsWith(setting.problems, "this version has no pass 'weight_split'").empty());
    }

    void beginners()
    {
        const ConvertedSetting setting = converted(
            R"({"platform": "ORT_OOS_INT8", "finetune_steps": 0, "calibration": "percentile", "equalization": true,
                "interested_outputs": null, "non_quantable_op": "conv1"})",
            "");
        QCOMPARE(setting.recipe.platform, std::string("RKNN_INT8"));
        QCOMPARE(QString::fromStdString(passesOf(setting.recipe)),
                 QString::fromStdString("layerwise_equalization " + usual));
        QCOMPARE(setting.recipe.dispatch.at(0).set.platform, std::string("FP32"));
        QVERIFY(setting.problems.empty());
        // PPQ writes all members; a file by hand may have one of them
        for (const char *text : {R"({"platform": "NXP_INT8"})", R"({"calibration": "kl"})", R"({"finetune_lr": 1e-4})"})
            QVERIFY2(passesOf(converted(text, "").recipe).find("learned_step_size") != std::string::npos, text);
    }

    void mistakes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("unknown member") << QByteArray("{\n\"equalisation\": true}")
                                        << "s.json: line 2: equalisation: unknown key 'equalisation'. Did you mean "
                                           "'equalization'?";
        QTest::newRow("unknown member inside")
            << QByteArray("{\"fusion_setting\":\n{\"fuse_activations\": true}}")
            << "s.json: line 2: fusion_setting.fuse_activations: unknown key 'fuse_activations'. Did you mean "
               "'fuse_activation'?";
        QTest::newRow("type") << QByteArray("{\"fusion\": 1}")
                              << "s.json: line 1: fusion: must be of type boolean, got 1";
        QTest::newRow("null") << QByteArray("{\"equalization\": null}")
                              << "s.json: line 1: equalization: must be of type boolean, got null";
        QTest::newRow("out of range")
            << QByteArray("{\"equalization\": true, \"equalization_setting\": {\"iterations\": -4}}")
            << "s.json: line 1: equalization_setting.iterations: pass 'layerwise_equalization': parameter 'iterations'";
        QTest::newRow("platform of no kind") << QByteArray("{\"dispatching_table\": {\"dispatchings\": {\"a\": [77]}}}")
                                             << "s.json: line 1: dispatching_table.dispatchings.a: must be an integer";
        QTest::newRow("not an object") << QByteArray("[]") << "s.json: line 1: must be an object";
    }
    void mistakes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const QString got = messageOf([&] { completeRecipe(converted(text.toStdString()).recipe); });
        QVERIFY2(got.startsWith(message), qPrintable(got));
    }

    /// Each member says what becomes of it, and a path names a parameter that exists.
    void theTableIsComplete()
    {
        const std::string page = readFile(QL_SOURCE_DIR "/docs/ppq-settings.md");
        for (const api::SettingField &field : ppqSettingFields()) {
            const bool isExplained =
                !field.path.empty() || !field.none.empty() || field.isDispatch || !field.fieldsIfOff.empty();
            QVERIFY2(isExplained, field.field.c_str());
            QVERIFY2(page.find("`" + field.field + "`") != std::string::npos, field.field.c_str());
            const std::string pass = api::passOfField(field.path);
            const PassEntry *entry = Registry<PassEntry>::instance().find(pass);
            const std::string name = field.path.substr(field.path.rfind('.') + 1);
            if (!entry || name == "enabled") continue;
            const auto isIt = [&](const api::ParamSpec &spec) { return spec.name == name; };
            QVERIFY2(std::any_of(entry->info.params.begin(), entry->info.params.end(), isIt), field.path.c_str());
        }
    }
};

QL_TEST(TestPpqSetting)
#include "tst_ppq_setting.moc"

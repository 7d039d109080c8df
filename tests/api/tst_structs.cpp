// The structs between engine and window, to JSON and back: nothing is lost, and unknown members are refused.
#include "core/api/comparison.h"
#include "core/api/encodings_requests.h"
#include "core/api/kept_run.h"
#include "core/api/message.h"
#include "core/api/plugins.h"
#include "core/api/requests.h"
#include "core/api/verify_requests.h"
#include "core/base/error.h"
#include "tests/support/test_main.h"

#include <QtTest>
#include <array>
#include <set>

using namespace ql;
using nlohmann::json;

namespace {

api::Problem problem()
{
    api::Problem problem{api::Severity::Warning, "conv", "w", QL_TEXT("channel %1 of %2 never changes").with(3, 8),
                         "Do it."};
    api::Action &action = problem.actions.emplace_back();
    action.id = "fp32";
    api::Rule &rule = action.dispatch.emplace_back();
    rule.match.op = "conv";
    rule.set.platform = "FP32";
    action.option = "--set";
    problem.values = {1, 2.5};
    problem.valuesMeaning = "range of each channel";
    return problem;
}

api::Recipe recipe()
{
    api::Recipe recipe;
    recipe.model = "m.onnx";
    recipe.calibration.sampling = api::Sampling::First;
    return recipe;
}

api::OutputRow outputRow()
{
    api::OutputRow row;
    row.op = "conv";
    row.type = "Conv";
    row.variable = "y";
    row.noiseRatio = 0.25;
    row.sqnrDb = 6.02;
    row.samples = 8;
    row.elements = 10;
    row.metric = {"top1", 0.9, 0.8, 8};
    return row;
}

api::Distribution distribution()
{
    api::Distribution values;
    values.mean = 0.5;
    values.histogram = {-1.0, 1.0, {1, 2, 3}};
    values.zeros = 4;
    values.levels = {{-1.0, std::nullopt}, {5, 6}};
    return values;
}

api::DistributionRow distributionRow()
{
    api::DistributionRow row{"conv", "Conv", "w", api::SlotRole::Parameter, 1, distribution(), distribution(), {},
                             0.1,    {},     {}};
    row.channels = {0, {0.0, std::nullopt}, {1.0, 2.0}};
    return row;
}

api::DetailRow detailRow()
{
    return {"conv",
            "w",
            api::SlotRole::Parameter,
            1,
            {{0.5, std::nullopt}, {0.25, 1.0}},
            api::ChannelSpread{1, {0.0}, {1.0}, {2.0}, {3.0}, {4.0}}};
}

api::ModelFacts model()
{
    api::ModelFacts facts;
    facts.path = "m.onnx";
    facts.format = "onnx";
    facts.opset = 13;
    facts.opsets = {{"", 13}, {"com.microsoft", 1}};
    facts.inputs = {{"x", "float32", std::vector<api::ShapeSize>{{1, ""}, {-1, "?"}, {-1, "height"}}}};
    facts.outputs = {{"y", "float32", std::nullopt}};
    facts.counts.types = {{"Conv", 2}};
    return facts;
}

api::ShortConfigs configs()
{
    api::ShortConfigs configs;
    configs.rows.emplace_back().slot = {"conv", api::SlotRole::Input, 0};
    configs.schemes.emplace_back().scale = {0.5f};
    return configs;
}

api::Inspection inspection()
{
    api::Inspection inspection;
    inspection.model = model();
    api::InspectedOperation &op = inspection.operations.emplace_back();
    op.name = "if";
    op.reason = QL_TEXT("'%1' is not quantized").with("If");
    op.inputs = {"x", ""};
    op.attributes = {{"axis", 1}, {"mode", "linear"}, {"scales", {1.5, 2.0}}};
    op.weights = {1, -1, std::array<std::int64_t, 2>{3, 8}};
    api::BodyRow &body = op.bodies.emplace_back();
    body.attribute = "then_branch";
    body.operations.emplace_back().name = "inner";
    body.operations.back().bodies.emplace_back().attribute = "else_branch";
    body.tensors.push_back({"t", "float32", "1x3", true, {1.0, std::nullopt}});
    inspection.inputNames = {{"Conv", {"X", "W"}}};
    inspection.unsupported.push_back({"op", "Foo", "", 13, "no kernel", "Export it without."});
    inspection.problems = {problem()};
    inspection.configs = configs();
    inspection.recipe = recipe();
    return inspection;
}

api::Measures measures()
{
    api::Measures all;
    all.graphwise = {outputRow()};
    all.outputs = {outputRow()};
    all.ranges.emplace().joins.push_back({"add", "Add", {{"a", 0.0, 1.0}}, true});
    all.statistics = {distributionRow()};
    all.details = {detailRow()};
    all.noise = {{{"conv", api::SlotRole::Output, 0}, "y", 0.5, false, {{"relu", 0.25}, {"conv", 0.5}}}};
    all.explanation = {
        {"a.png"}, {{"conv", "Conv", "y", 0.5, std::nullopt, {{"", "x", 0.0}}, {0.25, std::nullopt}}}, {}, {}};
    all.explanation->worst = {{"a.png", 0, 0.25, "aGVsbG8="}};
    all.explanation->outputs = {
        {"y", 1.0, 2.0, std::nullopt, "a.png", std::nullopt, std::nullopt, 3.0, std::nullopt, 40.0}};
    return all;
}

api::Report report()
{
    api::Report report;
    report.tool = {"quantloupe", "1", "2", "cpu", 2};
    report.model = model();
    report.recipe = recipe();
    report.measures = measures();
    report.measures.layerwise.emplace();
    report.passes = {{"calibrate", 3, 0.5}};
    report.stages = {{"import", "key", true, 0.25}};
    report.exports = {{"onnx", {{"a.onnx", "hash"}}, {QL_TEXT("opset %1").with(13), "plain"}}};
    report.problems = {problem()};
    report.operations.emplace_back().name = "conv";
    report.configs.emplace_back().slot = {"conv", api::SlotRole::Output, 0};
    report.seconds = 1.5;
    return report;
}

template <class T>
T about()
{
    T request;
    request.recipe = recipe();
    request.base = "folder";
    return request;
}

api::PlatformDefinition platform()
{
    api::PlatformDefinition platform;
    platform.id = platform.title = "MINE";
    platform.quantizable = {"Conv"};
    return platform;
}

api::Preview preview()
{
    api::Preview preview;
    preview.samples = 3;
    preview.input = {"x", "float32", "1x3"};
    api::SampleValues values;
    values.shape = {1, 3};
    values.channels = {{0.5, 1.0, 0.0, 1.0, {1, 2}}, {}};
    values.picture = api::Picture{1, 1, std::vector<std::uint8_t>{1, 2, 255}};
    preview.stages = {{"", values, {}, {}}, {"crop", std::nullopt, "too small", "Use another."}};
    return preview;
}

api::PassHistory passHistory()
{
    api::PassHistory history;
    api::PassHistoryRow &row = history.passes.emplace_back();
    row.id = "calibrate";
    row.operations = {{"conv", {{api::SlotRole::Input, 0, "x", {"scale"}}}}};
    row.outputs = {outputRow()};
    return history;
}

api::KeptRun keptRun()
{
    api::KeptRun run;
    run.recipe = run.complete = recipe();
    run.outputs = {outputRow()};
    run.problems = {problem()};
    return run;
}

} // namespace

class TestStructs : public QObject
{
    Q_OBJECT

private:
    /// A round trip through CBOR; then each member in turn omitted, misspelt and of another type.
    template <class T>
    static void check(const char *name, const T &value)
    {
        const json written = value;
        const auto read = json::from_cbor(json::to_cbor(written)).get<T>();
        QVERIFY2(json(read) == written, name);
        json more = written;
        more["unknown"] = 1;
        QVERIFY2(messageOf<T>(more).contains(QStringLiteral("unknown member 'unknown'")), name);
        for (const auto &[key, member] : written.items()) {
            const QString quoted = QStringLiteral("'%1'").arg(QString::fromStdString(key));
            json less = written, misspelt = written, another = written;
            less.erase(key);
            misspelt.erase(key);
            misspelt[key + "x"] = member;
            // An optional part may be missing, but not misspelt
            const QString without = messageOf<T>(less), with = messageOf<T>(misspelt);
            QVERIFY2(without.isEmpty() || without.contains(quoted), qPrintable(name + without));
            QVERIFY2(with.contains(quoted) || with.contains(QString::fromStdString(key + "x")),
                     qPrintable(name + with));
            if (isFree(key) || (std::is_same_v<T, api::KeptEdit> && key == "recipe")) continue;
            another[key] = member.is_object() ? json(3) : json::object({{"x", 1}});
            const QString wrong = messageOf<T>(another);
            QVERIFY2(!wrong.isEmpty(), qPrintable(QString(name) + QStringLiteral(" ") + quoted));
        }
    }
    /// Members that accept any JSON, or text that is read from another member.
    static bool isFree(const std::string &key)
    {
        static const std::set<std::string> free{"params",   "definition", "catalogue", "data",
                                                "dispatch", "overrides",  "fields",    "options"};
        return free.contains(key) || key.ends_with("_text");
    }
    template <class T>
    static QString messageOf(const json &value)
    {
        try {
            (void)value.get<T>();
            return {};
        } catch (const Error &error) {
            return QString::fromStdString(error.text());
        }
    }

private Q_SLOTS:
    void reports()
    {
        check("report", report());
        check("summary", static_cast<const api::ReportSummary &>(report()));
        check("inspection", inspection());
        check("problem", problem());
        check("distribution", distributionRow());
        check("details", detailRow());
        check("measures", measures());
        check("pass", report().passes.front());
        check("model", model());
        check("tool", report().tool);
        api::Comparison comparison;
        comparison.recipe = {{"/platform", json("A"), std::nullopt}};
        comparison.outputs = {{"conv",
                               "Conv",
                               "y",
                               0.5,
                               "a",
                               api::ComparedMeasures{0.1, 10.0, {}, api::ComparedMetric{"top1", 1, 0.5}},
                               {}}};
        check("comparison", comparison);
    }

    void requests()
    {
        auto preview = about<api::PreviewRequest>();
        preview.data = {"photos", 8, "rgb", api::Sampling::First, 3};
        check("inspect", about<api::RecipeRequest>());
        check("preview", preview);
        check("platform_check", api::PlatformCheckRequest{"{}"});
        check("platform_save", api::PlatformSaveRequest{"{}", "OLD"});
        check("platform_remove", api::PlatformRemoveRequest{"OLD"});
        check("distribution", about<api::DistributionRequest>());
        check("export", about<api::ExportRequest>());
        check("export_preview", about<api::ExportPreviewRequest>());
        check("run", about<api::RunRequest>());
        check("analysis", about<api::AnalysisRequest>());
        check("passes", about<api::PassesRequest>());
        check("report", about<api::ReportRequest>());
        check("runtimes", api::RuntimesRequest{"python3"});
        check("runtime_install", api::RuntimeInstallRequest{"onnxruntime"});
        auto verification = about<api::VerifyRequest>();
        verification.file = "int8.onnx";
        verification.runtime = "command";
        verification.options = {{"threads", 1}};
        verification.command = "board.json";
        verification.allowCommands = true;
        check("verify", verification);
        check("plugins", api::PluginsRequest{});
        check("plugin list", api::PluginList{{{"a.so", "a", "1", "All.", {{"pass", "p"}}}}, {problem()}});
        check("programs", about<api::ProgramsRequest>());
        check("program list", api::ProgramList{{{"m.json", QL_TEXT("no %1").with("x"), "0123", true}}});
        check("allow", api::AllowRequest{"m.json", "0123"});
        check("allowed", api::Allowed{"m.json"});
        auto encodings = about<api::EncodingsImportRequest>();
        encodings.file = "ranges.json";
        encodings.platform = "TRT_INT8";
        check("import_encodings", encodings);
        check("imported encodings", api::EncodingsImported{recipe(), 3, 2, {problem()}});
        QCOMPARE(messageOf<api::CatalogueRequest>({{"recipe", 1}}),
                 QStringLiteral("the request has an unknown member 'recipe'"));
        for (const api::Goal goal : {api::Goal::Calibrate, api::Goal::Analyse, api::Goal::All})
            QVERIFY(json(goal).get<api::Goal>() == goal);
    }

    void answers()
    {
        check("preview", preview());
        check("platform_check", api::PlatformChecked{platform()});
        check("platform_save", api::PlatformSaved{"f.json", "MINE", {}});
        check("platform_remove", api::PlatformRemoved{"MINE", {}});
        check("distribution", api::Distributions{"conv", {distributionRow()}, {}, {detailRow()}});
        check("export", api::Exported{"onnx", {{"a.onnx", 3}}, {"note"}, {problem()}});
        check("export_preview", api::ExportPreview{"onnx",
                                                   {{"a.json", 3, true, "{"}},
                                                   {},
                                                   {},
                                                   {{"conv", "Conv", {{"x", "int8", 1}}, {{"y", "float32", 0}}}}});
        check("part", api::RunPart{inspection(), configs(), report().passes, measures(), {}});
        const api::TrainedBlock block{"conv", "relu", 2, 40, 0.5, 0.25, true};
        check("training",
              api::RunPart{{}, {}, {}, {}, api::TrainingEvent{"lsq", "conv", "relu", 1, 3, 40, 100, 0.5, {}, {}}});
        check("end of a block", api::TrainingEvent{"lsq", "conv", "relu", 1, 3, 100, 100, std::nullopt, 0.25, block});
        check("run", api::RunAnswer{report(), recipe()});
        check("analysis", api::AnalysisAnswer{measures(), {problem()}});
        check("passes", passHistory());
    }

    void keptByTheWindow()
    {
        check("run", keptRun());
        check("configs", api::KeptConfigs{report().configs});
        check("note", api::KeptNote{"name", "note", "2026-01-01T00:00:00"});
        check("evidence", api::KeptEvidence{{problem()}});
        check("runs", api::KeptRuns{"3-abc"});
        check("edit", api::KeptEdit{"a.quantloupe", "/folder", api::toJson(recipe())});
    }

    void messages()
    {
        check("hello", api::HelloMessage{api::protocolVersion, "1.2", 17});
        check("request", api::RequestMessage{1, "inspect", json::object()});
        check("cancel", api::CancelMessage{1});
        check("progress", api::ProgressMessage{1, 0.5, 3, 100, QL_TEXT("export %1").with("onnx"), "conv"});
        check("error", api::ErrorMessage{1, {"Io", QL_TEXT("no %1").with("x"), "op", "v", "f", "Do.", "choose_data"}});
        check("cancelled", api::CancelledMessage{1});
        check("log", api::LogMessage{"text"});
        const json data = {{"a", 1}};
        const json result = api::toMessage(api::ResultMessage{7, data}),
                   section = api::toMessage(api::SectionMessage{8, data});
        QCOMPARE(api::messageType(result), std::string("result"));
        QCOMPARE(api::messageType(section), std::string("section"));
        QVERIFY(api::resultFrom(result).id == 7 && api::resultFrom(result).data == data);
        QVERIFY(api::sectionFrom(section).id == 8 && api::sectionFrom(section).data == data);
        QVERIFY_EXCEPTION_THROWN(api::resultFrom(section), Error);
        QVERIFY_EXCEPTION_THROWN(api::resultFrom({{"type", "result"}, {"id", 7}}), Error);
    }

    /// The message contains the path of the value.
    void errorsNameThePlace()
    {
        json value = report();
        value["model"]["counts"]["weigths"] = value["model"]["counts"]["weights"];
        value["model"]["counts"].erase("weights");
        QCOMPARE(messageOf<api::Report>(value), QStringLiteral("the report.model.counts has no 'weights'"));
        value = report();
        value["graphwise"][0]["sqnr_db"] = "6";
        QCOMPARE(messageOf<api::Report>(value),
                 QStringLiteral("the report.graphwise.sqnr_db must be a number, got string"));
        value = report();
        value["schema"] = "quantloupe-report/2";
        QCOMPARE(messageOf<api::Report>(value),
                 QStringLiteral("the report.schema must be quantloupe-report/1, got quantloupe-report/2"));
        value = report();
        value["passes"][0]["changed"] = 3000000000;
        QVERIFY(messageOf<api::Report>(value).startsWith(QStringLiteral("the report.passes.changed must be")));
    }

    /// Scripts read the English; a window gets template and arguments.
    void textsHaveBothForms()
    {
        const json written = problem();
        QCOMPARE(written["message"], json("channel 3 of 8 never changes"));
        QCOMPARE(written["message_text"]["text"], json("channel %1 of %2 never changes"));
        QVERIFY(!written.contains("remedy_text"));
        QVERIFY(written.get<api::Problem>().message == problem().message);
    }
};

QL_TEST(TestStructs)
#include "tst_structs.moc"

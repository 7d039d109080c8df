// Inputs of depthwise convolutions whose channels differ: one problem with remedies for all of them.
#include "core/session/diagnosis.h"
#include "core/session/run.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <tuple>
#include <utility>

using namespace ql;
using api::Problem;

namespace {

/// The output of an operation, with a channel that is larger than the others by a factor.
api::RangeRow rowWith(const std::string &op, const std::string &variable, double factor)
{
    api::RangeRow row;
    row.op = op;
    row.variable = variable;
    row.elements = 4;
    row.channels.emplace();
    row.channels->axis = 1;
    row.channels->min = {0, 0, 0, 0};
    row.channels->max = {1, 1, 1, factor};
    return row;
}

/// Three tensors that depthwise convolutions read; the channels of two differ.
Facts depthwiseFacts()
{
    Facts facts;
    for (const auto &[op, variable, reader] :
         {std::tuple("a", "x", "dw1"), std::tuple("b", "y", "dw2"), std::tuple("c", "z", "dw3")}) {
        api::ConfigRow row;
        row.slot = {op, api::SlotRole::Output, 0};
        row.variable = variable;
        row.scheme.state = QuantState::Active;
        facts.configs.push_back(row);
        facts.depthwise[variable] = {{reader}, true};
    }
    facts.depthwiseInputs = {rowWith("a", "x", 25), rowWith("b", "y", 40), rowWith("c", "z", 2)};
    return facts;
}

std::string depthwiseProblem(const std::vector<Problem> &problems)
{
    const auto found = std::find_if(problems.begin(), problems.end(), [](const Problem &problem) {
        return problem.message.english().find("depthwise convolution") != std::string::npos;
    });
    return found == problems.end() ? std::string() : found->message.english();
}

} // namespace

class TestDiagnosisDepthwise : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneProblemForAll()
    {
        Facts facts = depthwiseFacts();
        facts.canScaleInputs = true;
        const std::vector<Problem> problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(1));
        const Problem &problem = problems.front();
        QCOMPARE(problem.message.english(),
                 std::string("Channels of the inputs of 2 depthwise convolutions differ by a factor of up to 40 "
                             "(largest / median), but each input has one scale: 'dw2' (40), 'dw1' (25)."));
        QCOMPARE(problem.op, std::string("b"));
        QCOMPARE(problem.values, (std::vector<double>{1, 1, 1, 40}));
        QCOMPARE(problem.actions.size(), std::size_t(2));
        QCOMPARE(problem.actions[0].id, std::string("per_channel_inputs"));
        QCOMPARE(problem.actions[0].option, std::string("--platform-param depthwise_per_channel=true"));
        // In float, both of them, and nothing else
        QCOMPARE(problem.actions[1].dispatch.size(), std::size_t(2));
        QCOMPARE(problem.actions[1].overrides.size(), std::size_t(2));
        QVERIFY(problem.actions[1].option.find("dw1") != std::string::npos &&
                problem.actions[1].option.find("dw2") != std::string::npos &&
                problem.actions[1].option.find("dw3") == std::string::npos);
        facts.depthwiseInputs.pop_back();
        facts.depthwiseInputs.erase(facts.depthwiseInputs.begin());
        QVERIFY(depthwiseProblem(diagnose(facts))
                    .starts_with("Channels of the input of the depthwise convolution "
                                 "'dw2' differ by a factor of 40"));
    }

    /// The same rows of the analysis "ranges" give the same problem.
    void rangesGiveTheSame()
    {
        Facts facts = depthwiseFacts();
        const std::string unasked = depthwiseProblem(diagnose(facts));
        facts.ranges = api::Ranges{std::exchange(facts.depthwiseInputs, {}), {}};
        QCOMPARE(depthwiseProblem(diagnose(facts)), unasked);
    }

    /// They are measured if they may be the cause of something.
    void measuredWhereNeeded()
    {
        Facts facts = depthwiseFacts();
        facts.depthwiseInputs.clear();
        QCOMPARE(missingRanges(facts), (std::set<std::string>{"x", "y", "z"}));
        facts.configs[1].scheme.channelAxis = 1;
        QCOMPARE(missingRanges(facts), (std::set<std::string>{"x", "z"}));
        api::OutputRow output;
        output.variable = "out";
        output.noiseRatio = 1e-4;
        facts.outputs = {output}; // good
        QVERIFY(missingRanges(facts).empty());
        facts.outputs.front().noiseRatio = 0.1;
        QCOMPARE(missingRanges(facts).size(), std::size_t(2));
        facts.ranges.emplace();
        QVERIFY(missingRanges(facts).empty());
    }

    /// With the usual analyses: one channel is 40 times as large, until the depthwise convolution makes all alike.
    void isFoundUnasked()
    {
        constexpr std::int64_t channels = 8;
        std::vector<float> mixing(channels * channels, 0.0F), scaling(channels, 1.0F);
        for (std::int64_t c = 0; c < channels; ++c) mixing[std::size_t(c * channels + c)] = c == 5 ? 40.0F : 1.0F;
        scaling[5] = 1 / 40.0F;
        test::OnnxModel model;
        model.input("x", {1, channels, 4, 4});
        test::OnnxModel::floats(model.graph()->add_initializer(), "w1", {channels, channels, 1, 1}, mixing);
        test::OnnxModel::floats(model.graph()->add_initializer(), "w2", {channels, 1, 1, 1}, scaling);
        model.node("Conv", "point", {"x", "w1"}, {"p"});
        auto *group = test::OnnxModel::attribute(model.node("Conv", "dw", {"p", "w2"}, {"y"}), "group",
                                                 onnx::AttributeProto::INT);
        group->set_i(channels);
        model.output("y");
        const QTemporaryDir folder;
        api::Recipe recipe;
        recipe.model = folder.filePath("m.onnx").toStdString();
        std::ofstream(recipe.model, std::ios::binary) << model.proto.SerializeAsString();
        recipe.platform = "OPENVINO_INT8";
        recipe.analyses.clear();
        recipe.calibration.path = "random:4,seed=1";
        for (const char *id : {"graphwise", "layerwise"}) recipe.analyses.emplace_back().id = id;
        for (const bool isPerChannel : {false, true}) {
            recipe.platformParams["depthwise_per_channel"] = isPerChannel;
            const api::Report report = runRecipe(recipe, RunOptions(), JobContext()).report;
            QVERIFY(!report.measures.ranges);
            const std::string found = depthwiseProblem(report.problems);
            QVERIFY2(
                found.starts_with("Channels of the input of the depthwise convolution 'dw' differ by a factor of") !=
                    isPerChannel,
                found.c_str());
        }
    }
};

QL_TEST(TestDiagnosisDepthwise)
#include "tst_diagnosis_depthwise.moc"

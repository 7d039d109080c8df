// The position of a pass in a recipe: the reported problems, and that the platforms' pipelines have none.
#include "core/api/pass_order.h"
#include "tests/support/test_main.h"

#include "core/pass/pass.h"
#include "core/platform/definition.h"
#include "core/session/prepare.h"
#include "core/session/run_checks.h"

#include <QtTest>

using namespace ql;

namespace {

/// "2: It reads ..." for each step that has a problem.
QStringList problemsOf(const std::vector<api::StepRequest> &steps)
{
    QStringList out;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (const auto problem = api::passOrderProblem(steps, i, passCatalogue()))
            out.append(QString("%1: %2").arg(i).arg(QString::fromStdString(text(*problem).english())));
    return out;
}

} // namespace

class TestPassOrder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsUselessPasses_data()
    {
        QTest::addColumn<QStringList>("passes"); // "-" in front: off
        QTest::addColumn<QStringList>("problems");
        QTest::newRow("right") << QStringList{"quantize_fusion", "parameter_quantize", "calibrate", "align", "bake"}
                               << QStringList{};
        QTest::newRow("later") << QStringList{"bake", "parameter_quantize"}
                               << QStringList{"0: It reads scales that 'parameter_quantize' sets later."};
        QTest::newRow("aligned behind passive parameters")
            << QStringList{"parameter_quantize", "calibrate", "passive_parameters", "align", "bake"}
            << QStringList{"2: 'align' runs later and changes its result."};
        QTest::newRow("passive parameters again")
            << QStringList{"parameter_quantize", "calibrate", "passive_parameters", "align",
                           "passive_parameters", "bake"}
            << QStringList{};
        QTest::newRow("baked too early") << QStringList{"parameter_quantize", "calibrate", "bake", "bias_correction"}
                                         << QStringList{"2: 'bias_correction' runs later and changes its result."};
        QTest::newRow("missing") << QStringList{"parameter_quantize", "-calibrate", "align"}
                                 << QStringList{"2: It reads scales that 'calibrate' would set."};
        QTest::newRow("off") << QStringList{"-bake", "parameter_quantize"} << QStringList{};
        QTest::newRow("float behind quant") << QStringList{"parameter_quantize", "layerwise_equalization"}
                                            << QStringList{"1: It changes the float graph and runs before "
                                                           "'parameter_quantize', regardless of its position here."};
        QTest::newRow("joins") << QStringList{"calibrate", "quantize_fusion"}
                               << QStringList{"1: It merges slots that have already been calibrated separately."};
        QTest::newRow("repeated") << QStringList{"calibrate", "-align", "calibrate"}
                                  << QStringList{"2: It has just run with the same parameters."};
        QTest::newRow("again, after something else")
            << QStringList{"parameter_quantize", "calibrate", "align", "calibrate"} << QStringList{};
    }
    void reportsUselessPasses()
    {
        QFETCH(QStringList, passes);
        QFETCH(QStringList, problems);
        std::vector<api::StepRequest> steps;
        for (const QString &pass : passes) {
            const bool on = !pass.startsWith('-');
            steps.push_back({(on ? pass : pass.mid(1)).toStdString(), on, "", {}});
        }
        QCOMPARE(problemsOf(steps), problems);
    }

    void otherParametersAreNoRepetition()
    {
        std::vector<api::StepRequest> steps{{"calibrate", true, "", {{"observer", "kl"}}},
                                            {"calibrate", true, "", {{"observer", "minmax"}}}};
        QCOMPARE(problemsOf(steps), QStringList{});
    }

    void platformsHaveNoOrderProblem_data()
    {
        QTest::addColumn<QString>("id");
        for (const PlatformDefinition *definition : platforms())
            QTest::newRow(definition->id.c_str()) << QString::fromStdString(definition->id);
    }
    void platformsHaveNoOrderProblem()
    {
        QFETCH(QString, id);
        std::vector<api::StepRequest> steps;
        for (const api::StepRequest &pass : platform(id.toStdString()).passes)
            steps.push_back({pass.id, pass.enabled, "", pass.params});
        QCOMPARE(problemsOf(steps), QStringList{});
    }

    void formattingCannotBeSwitchedOff()
    {
        RunState state;
        state.recipe.passes =
            std::vector<api::StepRequest>{{"fuse_batchnorm", false, "", {}}, {"fold_constants", false, "", {}}};
        checkPassOrder(state);
        QCOMPARE(state.problems.size(), std::size_t(1));
        const std::string message = state.problems[0].message.english();
        QVERIFY2(message.find("passes[0] 'fuse_batchnorm': it cannot be switched off") == 0, message.c_str());
    }
};

QL_TEST(TestPassOrder)
#include "tst_pass_order.moc"

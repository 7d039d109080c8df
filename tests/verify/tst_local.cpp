#include "core/verify/local.h"

#include "core/base/file.h"
#include "core/exec/executor.h"
#include "core/io/dataset.h"
#include "core/io/npz.h"
#include "core/session/run.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <random>

using namespace ql;
using namespace ql::test;

class TestLocal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Values before the rounding, also if an integer layer rounds ahead of the activation.
    void valuesBeforeAFusedActivation()
    {
        const QTemporaryDir temporary;
        const std::filesystem::path folder = temporary.path().toStdString();
        std::mt19937 random(5);
        std::normal_distribution<float> normal;
        std::vector<float> numbers(std::size_t(2 * 3 * 8 * 8));
        for (float &number : numbers) number = normal(random);
        const at::Tensor x = floats({2, 3, 8, 8}, numbers);
        writeFileAtomically(folder / "x.npz", [&](std::ostream &out) { writeNpz(out, {{"x", x}}); });
        api::Recipe recipe;
        recipe.model = QL_TEST_DATA "/models/residual.onnx";
        recipe.platform = "ONNXRUNTIME";
        recipe.calibration.path = (folder / "x.npz").string();
        recipe.analyses.clear();
        RunOptions options;
        options.base = folder;
        const QuantModel model = runRecipe(recipe, options, JobContext()).model;
        const auto data = Dataset::open(recipe.calibration.path, model.graph, {});
        VarId result = noVar;
        for (const OpId id : model.graph.topological()) {
            const Operation &op = model.graph.operation(id);
            if (op.type == "Relu" && model.plan.integerOps.contains(model.graph.variable(op.inputs[0]).producer))
                result = op.outputs[0];
        }
        QVERIFY(result != noVar);
        const std::optional<Slot> slot = roundingSlot(model, result);
        const std::vector<AlignedTensor> tensors{{result, slot, stepsOf(model, slot), {}}};
        const Executor executor(model.graph);
        const JobContext job;
        at::Tensor simulated;
        const auto values = [&](std::size_t, const AlignedTensor &) { return simulated; };
        const LocalContext context{model, executor, *data, tensors, 0, values, job};
        simulated = LocalProgram(context, 0, false).simulated(0);
        const LocalValues with = LocalProgram(context, 0, true).run(0);
        QVERIFY(tensors[0].steps.contain(with.simulator));
        QVERIFY(!tensors[0].steps.contain(with.raw));
    }
};

QL_TEST(TestLocal)
#include "tst_local.moc"

// The same cases in other floating-point types: what runs in float32 runs in float64, float16 and bfloat16, and gives
// the float32 result but for the rounding of the type.
#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/io/onnx/import.h"
#include "tests/conformance/case_data.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace ql;
namespace fs = std::filesystem;

namespace {

/// Operators whose float inputs are scales of integers, or whose results jump with the last bit of an input.
bool isAboutFloat32(const Operation &op)
{
    const std::string &type = op.type;
    return type.find("uantize") != std::string::npos || type.starts_with("QLinear") || type.starts_with("Q") ||
           type == "MatMulIntegerToFloat" || type == "NonMaxSuppression" || type == "Unique" || type == "Mod" ||
           type == "Loop" || type == "Range";
}

bool isFloat(const at::Tensor &value)
{
    return value.defined() && value.scalar_type() == at::kFloat;
}

} // namespace

class TestTypes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameResults_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("type");
        std::vector<fs::path> files;
        for (const auto &entry : fs::directory_iterator(fs::path(QL_TEST_DATA) / "conformance"))
            if (entry.path().extension() == ".onnx") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const fs::path &file : files)
            for (const at::ScalarType type : {at::kDouble, at::kHalf, at::kBFloat16})
                QTest::addRow("%s, %s", file.stem().c_str(), dtypeName(type).c_str())
                    << QString::fromStdString(file.string()) << int(type);
    }

    void sameResults()
    {
        QFETCH(QString, file);
        QFETCH(int, type);
        try {
            compare(file, type);
        } catch (const Error &error) {
            QFAIL(error.text().c_str());
        }
    }

private:
    static void compare(const QString &file, int type)
    {
        const auto wanted = at::ScalarType(type);
        Graph graph = importOnnx(file.toStdString());
        const Operation &op = graph.operation(graph.operations()[0]);
        if (isAboutFloat32(op)) QSKIP("the case is about float32");
        const test::DataSet data = test::readArrays(file.toStdString()).at(0);
        const auto changes = [&](VarId id) { // sizes stay float32 in every version
            const bool isSize = op.type == "Resize" || op.type == "Upsample";
            return !isSize || id == op.inputs[0];
        };
        std::vector<at::Tensor> inputs;
        for (const VarId id : graph.inputs()) {
            at::Tensor value = data.inputs.at(graph.variable(id).name);
            if (isFloat(value) && changes(id)) {
                value = value.to(wanted);
                graph.edit(id).type.dtype = wanted;
            }
            inputs.push_back(value);
        }
        for (const VarId id : graph.variables())
            if (graph.isParameter(id) && isFloat(graph.variable(id).value) && changes(id))
                graph.setValue(id, graph.variable(id).value.to(wanted));
        const Executor executor(graph, {"cpu", 1});
        const Program program = executor.compile({});
        std::vector<at::Tensor> fed;
        for (const VarId id : program.feeds())
            fed.push_back(inputs[std::size_t(std::find(graph.inputs().begin(), graph.inputs().end(), id) -
                                             graph.inputs().begin())]);
        const std::vector<at::Tensor> got = program.run(fed, {});
        const double step = wanted == at::kDouble ? 1e-5 : wanted == at::kHalf ? 1.0 / 1024 : 1.0 / 128;
        for (std::size_t i = 0; i < data.outputs.size(); ++i) {
            if (!isFloat(data.outputs[i])) continue;
            const at::Tensor want = data.outputs[i].to(at::kDouble);
            const at::Tensor have = got[i].to(at::kDouble);
            QCOMPARE(have.sizes().vec(), want.sizes().vec());
            if (i == 0) QCOMPARE(dtypeName(got[i].scalar_type()), dtypeName(wanted));
            // Infinities that are the same differ by nothing
            const at::Tensor difference = at::where(have == want, at::zeros_like(want), have - want);
            const double noise = std::sqrt(difference.pow(2).sum().item().toDouble());
            const double signal = std::sqrt(want.pow(2).sum().item().toDouble());
            QVERIFY2(noise <= 8 * step * signal + 1e-6,
                     qPrintable(QString("output %1: noise %2 of signal %3").arg(i).arg(noise).arg(signal)));
        }
    }
};

QL_TEST(TestTypes)
#include "tst_types.moc"

#include "core/base/error.h"
#include "core/pass/pass.h"
#include "core/platform/definition.h"
#include "core/platform/platform_params.h"
#include "tests/support/error_of.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <algorithm>
#include <set>
#include <stdexcept>

using namespace ql;
using namespace ql::test;
using nlohmann::json;

namespace {

/// Does what the test defines.
class Scripted final : public Pass
{
public:
    explicit Scripted(std::function<int(QuantModel &)> act) : m_act(std::move(act)) {}
    std::string_view id() const override { return "scripted"; }
    int run(QuantModel &model, const PassContext &) const override { return m_act(model); }

private:
    std::function<int(QuantModel &)> m_act;
};

} // namespace

class TestPass : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPassIsDescribedAndHasItsName()
    {
        const auto &registry = Registry<PassEntry>::instance();
        QVERIFY(!registry.ids().empty());
        for (const std::string &id : registry.ids()) {
            const PassEntry &entry = *registry.find(id);
            QCOMPARE(entry.info.id, id);
            QVERIFY2(!entry.info.title.isEmpty() && !entry.info.meaning.isEmpty(), id.c_str());
            for (const api::ParamSpec &spec : entry.info.params) QVERIFY2(!spec.meaning.isEmpty(), id.c_str());
            QCOMPARE(std::string(makePass(id, {})->id()), id);
        }
    }

    /// Every aspect that a pass needs is written by another one.
    void declarationsFitTogether()
    {
        const api::PassCatalogue passes = passCatalogue();
        QCOMPARE(passes.size(), Registry<PassEntry>::instance().ids().size());
        std::set<PassAspect> written;
        for (const auto &[id, traits] : passes) {
            written.insert(traits.writes.begin(), traits.writes.end());
            QVERIFY2(traits.kind == PassKind::Quant || traits.needs.empty(), id.c_str());
            QVERIFY2(!traits.startsRounding() || traits.kind == PassKind::Quant, id.c_str());
        }
        for (const auto &[id, traits] : passes)
            for (const auto *list : {&traits.needs, &traits.finishes, &traits.joins})
                for (const PassAspect aspect : *list) QVERIFY2(written.contains(aspect), id.c_str());
        // Remedies and messages name the pass that does something: there is one for each
        for (const PassAspect aspect : written) QVERIFY(!passThatWrites(aspect).empty());
        QCOMPARE(passes.at("calibrate").startsRounding(), true);
        QCOMPARE(passes.at("align").startsRounding(), false);
    }

    /// The platform's defaults are known for every parameter that follows it.
    void parametersThatFollowThePlatform()
    {
        for (const std::string &id : Registry<PassEntry>::instance().ids()) {
            const PassEntry &entry = *Registry<PassEntry>::instance().find(id);
            const PlatformParams *params = Registry<PlatformParams>::instance().find(id);
            QCOMPARE(params != nullptr, bool(entry.valuesFrom));
            for (const api::ParamSpec &spec : entry.info.params) {
                QCOMPARE(params && params->follows.contains(spec.name), !spec.follows.empty());
                const auto &keys = api::platformKeys();
                if (!spec.follows.empty()) QVERIFY(std::find(keys.begin(), keys.end(), spec.follows) != keys.end());
            }
        }
    }

    void unknownPassesAndParametersAreRefused()
    {
        const Error unknown = errorOf([] { makePass("constant_to_parameters", {}); });
        QVERIFY(unknown.kind == ErrorKind::BadConfig);
        QVERIFY2(unknown.remedy.english().find("constants_to_parameters") != std::string::npos,
                 unknown.remedy.english().c_str());
        const Error parameter = errorOf([] { makePass("constants_to_parameters", {{"speed", 1}}); });
        QVERIFY(std::string(parameter.what()).find("'speed'") != std::string::npos);
        makePass("constants_to_parameters", nlohmann::json::object());
    }

    void reportListsChanges()
    {
        QuantModel model;
        const PassReport report = runPass(Scripted([](QuantModel &) { return 3; }), model, {});
        QCOMPARE(report.id, std::string("scripted"));
        QCOMPARE(report.changed, 3);
        QVERIFY(report.seconds >= 0);
    }

    void anErrorNamesThePassAndKeepsItsFields()
    {
        QuantModel model;
        const Error error = errorOf([&] {
            runPass(Scripted([](QuantModel &) -> int {
                        throw Error(ErrorKind::Numeric, "scale is 0", "conv", "w").withRemedy("Calibrate.");
                    }),
                    model, {});
        });
        QVERIFY(error.kind == ErrorKind::Numeric);
        QCOMPARE(std::string(error.what()), std::string("pass scripted: scale is 0"));
        QCOMPARE(error.op, std::string("conv"));
        QCOMPARE(error.variable, std::string("w"));
        QCOMPARE(error.remedy.english(), std::string("Calibrate."));
        const Error foreign = errorOf(
            [&] { runPass(Scripted([](QuantModel &) -> int { throw std::runtime_error("odd"); }), model, {}); });
        QVERIFY(foreign.kind == ErrorKind::Internal);
        QCOMPARE(std::string(foreign.what()), std::string("pass scripted: odd"));
    }

    void aPassThatBreaksTheGraphIsNamed()
    {
        SmallGraph g;
        g.input("x");
        g.op("Relu", "r", {"x"}, {"y"});
        g.output("y");
        QuantModel model;
        model.graph = g.graph;
        const Error error = errorOf([&] {
            runPass(Scripted([](QuantModel &m) {
                        m.graph.edit(m.graph.findOperation("r")).inputs.clear(); // bypassing the graph
                        return 1;
                    }),
                    model, {});
        });
        QVERIFY2(std::string(error.what()).starts_with("pass scripted: graph is inconsistent"), error.what());
    }

    void aPassThatLeavesAnOperationWithoutInputIsNamed()
    {
        SmallGraph g;
        g.input("x");
        g.op("Relu", "first", {"x"}, {"y"});
        g.op("Relu", "second", {"y"}, {"z"});
        g.output("z");
        QuantModel model;
        model.graph = std::move(g.graph);
        const Error error = errorOf([&] {
            runPass(Scripted([](QuantModel &m) { return m.graph.removeOperation(m.graph.findOperation("first")), 1; }),
                    model, {});
        });
        QCOMPARE(std::string(error.what()),
                 std::string("pass scripted: no operation computes 'y', which 'second' reads"));
    }

    void aPassThatWritesImpossibleNumbersIsNamed()
    {
        const std::pair<const char *, std::function<void(QuantPlan &, Slot)>> cases[] = {
            {"a scale of -1", [](QuantPlan &p, Slot s) { p.setScale(s, {-1.f}, {0}, QuantState::Active, {}); }},
            {"a scale of 0", [](QuantPlan &p, Slot s) { p.setScale(s, {0.f}, {0}, QuantState::Active, {}); }},
            {"a scale of NaN", [](QuantPlan &p, Slot s) { p.setScale(s, {NAN}, {0}, QuantState::Active, {}); }},
            {"a tensor with one scale has 2",
             [](QuantPlan &p, Slot s) {
                 p.setScale(s, {1.f, 1.f}, {0, 0}, QuantState::Active, {});
             }},
            {"bits must be 2..32, got -5", [](QuantPlan &p, Slot s) { p.find(s)->bits = -5; }}};
        for (const auto &[words, change] : cases) {
            QuantModel model = configured(residualGraph());
            const Error error = errorOf([&, change = change] {
                runPass(Scripted([&](QuantModel &m) { return change(m.plan, in(m, "conv1", 0)), 1; }), model, {});
            });
            QCOMPARE(std::string(error.what()), std::string("pass scripted: ") + words);
            QCOMPARE(error.op, std::string("conv1"));
            QCOMPARE(error.variable, std::string("x"));
        }
    }

    void aCancelledJobStartsNoPass()
    {
        QuantModel model;
        PassContext context;
        context.job.cancel();
        bool hasRun = false;
        bool isCancelled = false;
        try {
            runPass(Scripted([&](QuantModel &) { return hasRun = true, 0; }), model, context);
        } catch (const Cancelled &) {
            isCancelled = true;
        }
        QVERIFY(isCancelled && !hasRun);
    }
};

QL_TEST(TestPass)
#include "tst_pass.moc"

// Remedies ordered by gains that were measured.
#include "core/base/file.h"
#include "core/session/recent_inputs.h"
#include "core/session/recipe_fields.h"
#include "core/session/remedy_list.h"
#include "core/session/run.h"
#include "core/session/tried_remedies.h"
#include "tests/support/sample_recipe.h"
#include "tests/support/test_main.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <optional>

using namespace ql;

namespace {

api::Recipe sampleWith(const std::vector<std::string> &analyses)
{
    api::Recipe recipe = test::sampleRecipe(8, 8);
    recipe.analyses.clear();
    for (const std::string &id : analyses) recipe.analyses.push_back({id, true, "", nlohmann::json::object()});
    return recipe;
}

api::Report reportOf(const api::Recipe &recipe)
{
    RunOptions options;
    options.base = test::sampleFolder;
    return runRecipe(recipe, options, JobContext()).report;
}

double outputDb(const api::Report &report)
{
    return report.measures.outputs.value().at(0).sqnrDb.value();
}

const api::Problem *withRemedies(const api::Report &report)
{
    const auto it = std::find_if(report.problems.begin(), report.problems.end(),
                                 [](const api::Problem &problem) { return problem.actions.size() > 1; });
    return it == report.problems.end() ? nullptr : &*it;
}

api::Action action(const char *id)
{
    return {.id = id, .pass = id};
}

} // namespace

class TestTriedRemedies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listIsOrderedByGain()
    {
        const std::vector<TriedRemedy> tried{{action("a"), -1.5}, {action("c"), 0.5}, {action("d"), 2.71}};
        RemedyList list(tried);
        list.add(QL_TEXT("A"), action("a"));
        list.add(QL_TEXT("B"), action("b"));
        list.add(QL_TEXT("C"), action("c"));
        list.offer(action("d"));
        list.addAdvice(QL_TEXT("E"));
        QCOMPARE(list.sentence().english(), std::string("Try: C (+0.5 dB) or E. Not tried: B. No gain: A."));
        std::string ids;
        const std::vector<api::Action> actions = list.actions();
        for (const api::Action &offered : actions) ids += offered.id;
        QCOMPARE(ids, std::string("dcba"));
        QCOMPARE(actions[0].gainDb, std::optional(2.71));
        QVERIFY(!actions[2].gainDb && actions[3].gainDb == std::optional(-1.5));
    }

    /// Without SQNR, gains are percentage points; a list without a useful remedy says so.
    void pointsAndNoGain()
    {
        const std::vector<TriedRemedy> tried{{action("a"), 12.5, false}, {action("b"), 0, false}};
        RemedyList list(tried);
        list.add(QL_TEXT("A"), action("a"));
        QCOMPARE(list.sentence().english(), std::string("Try: A (+12.5 points)."));
        RemedyList useless(tried);
        useless.add(QL_TEXT("B"), action("b"));
        QCOMPARE(useless.sentence().english(), std::string("No gain: B."));
        QCOMPARE(useless.actions().at(0).gainPoints, std::optional(0.0));
        QVERIFY(didNotHelp(useless.actions().at(0))); // not suggested as an option
        QVERIFY(!didNotHelp(list.actions().at(0)) && !didNotHelp(action("a")));
    }

    /// Of several alternatives the best one is listed; before they were tried, the first one.
    void bestAlternative()
    {
        const std::vector<api::Action> alternatives{action("a"), action("b"), action("c")};
        const auto listed = [&](const std::vector<TriedRemedy> &tried, bool listsAll) {
            RemedyList list(tried, listsAll);
            list.addBest(QL_TEXT("X"), alternatives);
            std::string ids;
            for (const api::Action &offered : list.actions()) ids += offered.id;
            return ids;
        };
        QCOMPARE(listed({}, false), std::string("a"));
        QCOMPARE(listed({}, true), std::string("abc"));
        QCOMPARE(listed({{action("a"), 0.5}, {action("b"), 2.5}, {action("c"), 1}}, false), std::string("b"));
        QCOMPARE(listed({{action("a"), std::nullopt}}, false), std::string("b"));
        QCOMPARE(listed({{action("a"), -1}}, false), std::string("a"));
    }

    /// A remedy with which the run fails is not offered.
    void failedOnesAreLeftOut()
    {
        const std::vector<TriedRemedy> tried{{action("a"), std::nullopt}};
        RemedyList list(tried);
        list.add(QL_TEXT("A"), action("a"));
        list.addAdvice(QL_TEXT("B"));
        QCOMPARE(list.sentence().english(), std::string("Try: B."));
        QVERIFY(list.actions().empty());
    }

    /// A notice says that not all remedies of the worst problem were tried.
    void noticeOfUntried()
    {
        RemedyTrials trials;
        trials.remedies = 3;
        QVERIFY(!untriedNotice(trials));
        trials.left = 1;
        const auto notice = untriedNotice(trials);
        QVERIFY(notice && notice->severity == api::Severity::Info);
        QCOMPARE(notice->message.english().substr(0, 46),
                 std::string("Tried 2 of the 3 remedies of the worst problem"));
    }

    /// The first remedy is the one with which a run of its own has the best output.
    void firstRemedyOfTheSampleHelpsMost()
    {
        const api::Report report = reportOf(sampleWith({"graphwise", "layerwise"}));
        const api::Problem *problem = withRemedies(report);
        QVERIFY(problem);
        std::vector<double> reached;
        for (const api::Action &remedy : problem->actions) {
            api::Recipe recipe = sampleWith({"outputs"});
            if (!remedy.pass.empty()) setRecipeField(recipe, "passes." + remedy.pass + ".enabled", "true");
            recipe.dispatch.insert(recipe.dispatch.end(), remedy.dispatch.begin(), remedy.dispatch.end());
            recipe.overrides.insert(recipe.overrides.end(), remedy.overrides.begin(), remedy.overrides.end());
            reached.push_back(outputDb(reportOf(recipe)));
            QVERIFY(std::abs(remedy.gainDb.value() - (reached.back() - outputDb(report))) < 1e-9);
        }
        QVERIFY(std::is_sorted(reached.rbegin(), reached.rend()));
        QVERIFY(reached.front() > outputDb(report) + 1);
        QVERIFY2(problem->remedy.english().find(" dB)") != std::string::npos, problem->remedy.english().c_str());
    }

    /// An observer that does not suit a tensor is not used if a scale is fixed as well.
    void fixedScaleWithAnyObserver_data()
    {
        QTest::addColumn<QString>("pass");
        QTest::newRow("platform's passes") << "";
        for (const char *pass : {"awq", "ssd_equalization", "bias_correction"}) QTest::newRow(pass) << pass;
    }
    void fixedScaleWithAnyObserver()
    {
        QFETCH(QString, pass);
        api::Recipe recipe = sampleWith({"graphwise", "layerwise"});
        for (const auto &[op, role] :
             {std::pair("stem_relu6", api::SlotRole::Output), std::pair("scores", api::SlotRole::Weight)}) {
            api::Rule &rule = recipe.overrides.emplace_back();
            rule.match.op = op;
            rule.match.roles = {role};
            rule.set.observer = "constant"; // for float formats only
            rule.set.scale = {0.03125};
        }
        if (!pass.isEmpty()) setRecipeField(recipe, "passes." + pass.toStdString() + ".enabled", "true");
        const api::Report report = reportOf(recipe);
        QVERIFY(withRemedies(report)); // which were tried
        int fixed = 0;
        for (const api::ConfigRow &row : report.configs)
            fixed += row.scheme.observer == "constant" && row.scheme.scale.at(0) == 0.03125;
        QVERIFY(fixed >= 2);
    }

    /// An engine's cached model and data, which the trials use, do not change the results.
    void sameInAnEngine()
    {
        const api::Recipe recipe = sampleWith({"graphwise", "layerwise"});
        const api::Report alone = reportOf(recipe);
        RecentInputs recent;
        RunOptions options;
        options.base = test::sampleFolder;
        options.recent = &recent;
        for (int run = 0; run < 2; ++run) {
            const api::Report report = runRecipe(recipe, options, JobContext()).report;
            QCOMPARE(outputDb(report), outputDb(alone));
            QVERIFY(report.problems == alone.problems);
        }
    }

    /// The trials change nothing but the order and the words of remedies.
    void restOfTheReportStays()
    {
        api::Recipe none = sampleWith({"graphwise", "layerwise", "remedies"});
        none.analyses.back().params = {{"problems", 0}};
        const api::Report plain = reportOf(none), tried = reportOf(sampleWith({"graphwise", "layerwise"}));
        QVERIFY(plain.problems.at(0).remedy.english().find(" dB)") == std::string::npos);
        QCOMPARE(plain.measures.layerwise->size(), tried.measures.layerwise->size());
        QCOMPARE(plain.measures.layerwise->at(0).noiseRatio.value(),
                 tried.measures.layerwise->at(0).noiseRatio.value());
        QCOMPARE(outputDb(plain), outputDb(tried));
        QCOMPARE(plain.problems.size(), tried.problems.size());
        QCOMPARE(tried.stages.back().id, std::string("analysis remedies"));
    }
};

QL_TEST(TestTriedRemedies)
#include "tst_tried_remedies.moc"

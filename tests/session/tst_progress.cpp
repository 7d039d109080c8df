// The finished fraction of a run is proportional to the work, so that the remaining time can be derived from it. What
// training has finished is not lost with a run that is stopped.
#include "core/base/file.h"
#include "core/io/native.h"
#include "core/session/cache.h"
#include "core/session/recipe_fields.h"
#include "core/session/run.h"
#include "tests/support/sample_recipe.h"
#include "tests/support/test_main.h"

#include <QtTest>
#include <algorithm>
#include <map>
#include <memory>

using namespace ql;

class TestProgress : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void partsFollowTheWork()
    {
        api::Recipe recipe = test::sampleRecipe(8, 8);
        recipe.analyses = {{"graphwise", true, "", nlohmann::json::object()},
                           {"layerwise", true, "", {{"operations", "all"}}}};
        struct Span
        {
            double from = 2, to = -1;
        };
        std::map<std::string, Span> spans;
        double last = 0;
        bool isRising = true;
        RunOptions options;
        options.base = test::sampleFolder;
        runRecipe(recipe, options, JobContext([&](const Progress &progress) {
                      isRising = isRising && progress.fraction >= last;
                      last = progress.fraction;
                      const std::string what = progress.what.english();
                      Span &span = spans[what.substr(0, what.find(' '))];
                      span.from = std::min(span.from, progress.fraction);
                      span.to = std::max(span.to, progress.fraction);
                  }));
        QVERIFY(isRising && last <= 1);
        QVERIFY(spans.contains("layerwise") && spans.contains("graphwise"));
        QVERIFY(spans.contains("Baking") && !spans.contains("bake")); // titles, which a window can translate
        // Half of the operations, on the average, for each of them; graphwise takes the float and the quantized model
        const Span layerwise = spans["layerwise"];
        QVERIFY2(layerwise.to - layerwise.from > 0.5, qPrintable(QString::number(layerwise.to - layerwise.from)));
        QVERIFY2(layerwise.from < 0.45, qPrintable(QString::number(layerwise.from)));
        QVERIFY2(last > 0.9, qPrintable(QString::number(last)));
    }

    void trainingContinues()
    {
        api::Recipe recipe = test::sampleRecipe(8, 8);
        recipe.analyses.clear();
        recipe.threads = 1;
        setRecipeField(recipe, "passes.learned_step_size.enabled", "true");
        setRecipeField(recipe, "passes.learned_step_size.params.steps", "10");
        StageCache cache;
        RunOptions options;
        options.base = test::sampleFolder;
        const auto messages = [](const api::Report &report) {
            std::vector<std::string> out;
            for (const api::Problem &problem : report.problems) out.push_back(problem.message.english());
            return out;
        };
        const RunResult whole = runRecipe(recipe, options, {});
        options.cache = &cache;
        std::unique_ptr<JobContext> job;
        std::vector<std::string> seen;
        job = std::make_unique<JobContext>([&](const Progress &progress) {
            seen.push_back(progress.what.english());
            if (seen.back().starts_with("training: block 3")) job->cancel();
        });
        QVERIFY_EXCEPTION_THROWN(runRecipe(recipe, options, *job), Cancelled);
        seen.clear();
        const RunResult rest = runRecipe(
            recipe, options, JobContext([&](const Progress &progress) { seen.push_back(progress.what.english()); }));
        QVERIFY(std::any_of(seen.begin(), seen.end(), [](const std::string &text) {
            return text.starts_with("training: blocks already trained by a run that was stopped: ");
        }));
        QVERIFY(planToJson(rest.model.plan) == planToJson(whole.model.plan));
        QVERIFY(messages(rest.report) == messages(whole.report));
    }
};

QL_TEST(TestProgress)
#include "tst_progress.moc"

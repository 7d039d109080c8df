// window-pictures: drives the real window on the real engine and saves screenshots of it, for the README, the manual
// and for review. Run by scripts/screenshots.
#include "tests/views/recipe_json.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/bridge/sample.h"
#include "views/commands/recipe_command.h"
#include "views/panels/compare_dialog.h"
#include "views/panels/data_dialog.h"
#include "views/panels/data_preview.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/export_dialog.h"
#include "views/panels/inspector.h"
#include "views/panels/origin_panel.h"
#include "views/panels/pipeline_panel.h"
#include "views/panels/platform_comparison.h"
#include "views/panels/platform_dialog.h"
#include "views/panels/plugins_dialog.h"
#include "views/panels/settings_dialog.h"
#include "views/panels/training_panel.h"
#include "views/panels/tune_panel.h"
#include "views/panels/verify_panel.h"
#include "views/plots/error_plot.h"
#include "views/plots/pareto_plot.h"
#include "views/plots/qcp.h"
#include "views/plots/training_plot.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/dock.h"
#include "views/window/main_window.h"
#include "views/window/translation.h"

#include <QApplication>
#include <QComboBox>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextStream>
#include <QTreeView>
#include <QTreeWidget>

using namespace ql;

namespace {

bool waitFor(const std::function<bool()> &done, int ms = 240000)
{
    return QTest::qWaitFor(done, ms);
}

bool isSettled(MainWindow &window)
{
    return window.document().graph() && window.center()->graph()->scene() &&
           !window.document().requests().job().isRunning;
}

class Pictures
{
public:
    /// prefix: of the names of files
    Pictures(MainWindow &window, QDir folder, QString prefix)
        : m_window(window), m_folder(std::move(folder)), m_prefix(std::move(prefix))
    {}
    void save(const QString &name, QWidget *widget = nullptr)
    {
        QTest::qWait(250);
        const QString path = m_folder.filePath(m_prefix + name + QStringLiteral(".png"));
        // Without transparency and packed as well as can be: these files are committed
        (widget ? widget : &m_window)->grab().toImage().convertToFormat(QImage::Format_RGB888).save(path, "PNG", 0);
        QTextStream(stdout) << path << Qt::endl;
    }
    bool run()
    {
        m_window.document().requests().run();
        const Document &document = m_window.document();
        const bool good = waitFor([&] {
            const QVector<ProblemInfo> &problems = document.problems().rows();
            return document.history().shown() && document.history().shown()->isComplete &&
                   !document.history().isStale() && isSettled(m_window) && !document.requests().isGathering() &&
                   std::none_of(problems.begin(), problems.end(), [](const ProblemInfo &p) { return p.isPrevious; });
        });
        if (!good) QTextStream(stderr) << "the run did not end: " << m_window.message() << Qt::endl;
        QTest::qWait(600); // the distribution of the current operation
        return good;
    }

private:
    MainWindow &m_window;
    QDir m_folder;
    QString m_prefix;
};

/// The graph folded and unfolded; no run.
void takeFolds(MainWindow &window, Pictures &pictures)
{
    CenterView *center = window.center();
    const auto look = [&](const QString &what) {
        QTest::qWait(500);
        center->graph()->fitAll();
        pictures.save(what);
    };
    look(QStringLiteral("all"));
    center->setLeftToRight(true);
    look(QStringLiteral("turned"));
    center->setLeftToRight(false);
    center->setAllFolded(CenterView::FoldAll::Bodies, false);
    look(QStringLiteral("bodies"));
    for (const OperationInfo &op : window.document().graph()->operations)
        if (!op.bodies.isEmpty()) window.document().setCurrent(op.name);
    QTest::qWait(400);
    pictures.save(QStringLiteral("body"));
    center->setAllFolded(CenterView::FoldAll::Bodies, true);
    center->setAllFolded(CenterView::FoldAll::Regions, true);
    look(QStringLiteral("regions"));
    center->setAllFolded(CenterView::FoldAll::Regions, false);
    center->foldNames(2);
    look(QStringLiteral("names"));
}

/// After the first run: errors, inspector, distribution, table, pipeline.
void takeRun(MainWindow &window, Pictures &pictures)
{
    Document &document = window.document();
    QTest::keyClick(window.center()->graph(), Qt::Key_BracketLeft);
    QTest::qWait(1500);
    pictures.save(QStringLiteral("errors"));
    pictures.save(QStringLiteral("inspector"), window.inspector());
    Dock *distribution = window.dock(QStringLiteral("distribution"));
    distribution->setFloating(true); // as wide as it deserves
    distribution->resize(720, 400);
    QTest::qWait(300);
    // A fused operation's output is rounded after its activation: the limits are visible
    if (auto *rounded = window.distribution()->findChild<QPushButton *>(QStringLiteral("roundedAt"));
        rounded->isVisible()) {
        pictures.save(QStringLiteral("distribution_fused"), window.distribution());
        const QString worst = document.current();
        rounded->click();
        QTest::qWait(1500);
        pictures.save(QStringLiteral("distribution"), window.distribution());
        document.setCurrent(worst);
        QTest::qWait(1500);
    } else {
        pictures.save(QStringLiteral("distribution"), window.distribution());
    }
    distribution->setFloating(false);
    QTest::qWait(300);
    window.center()->showTable(true);
    pictures.save(QStringLiteral("table"));
    window.center()->showTable(false);
    window.pipeline()->view()->setCurrentIndex(window.pipeline()->model()->index(4, 0));
    window.center()->graph()->fitAll();
    window.errors()->setOrder(ErrorPlot::Order::Sorted);
    pictures.save(QStringLiteral("overview"));
    pictures.save(QStringLiteral("pipeline"), window.pipeline());
    window.errors()->setOrder(ErrorPlot::Order::Execution);
}

/// After an edit that has not been run: a remedy of the worst problem.
void takeStale(MainWindow &window, Pictures &pictures)
{
    for (const ProblemInfo &problem : window.document().problems().rows()) {
        if (problem.op.empty()) continue;
        window.document().setCurrent(QString::fromStdString(problem.op));
        QTest::qWait(1200);
        break;
    }
    window.inspector()->sendTo(QStringLiteral("FP32"));
    QTest::qWait(1200);
    pictures.save(QStringLiteral("stale"));
    window.center()->showTable(true);
    pictures.save(QStringLiteral("stale_table"));
    window.center()->showTable(false);
}

/// After the second run: what it changed, and the lists of the recipe.
void takeComparison(MainWindow &window, Pictures &pictures)
{
    Document &document = window.document();
    window.center()->setOverlay(OverlayKind::Difference);
    const ErrorRows &left = document.history().shown()->graphwise; // what costs most now
    const auto worst = std::max_element(left.begin(), left.end(), [](const api::OutputRow &a, const api::OutputRow &b) {
        return a.noiseRatio.value_or(0) < b.noiseRatio.value_or(0);
    });
    if (worst != left.end()) document.setCurrent(QString::fromStdString(worst->op));
    QTest::qWait(1500);
    pictures.save(QStringLiteral("compared"));
    if (Dock *recipeDock = window.dock(QStringLiteral("pipeline"))) {
        recipeDock->showPage(QStringLiteral("recipe"));
        QTest::qWait(200);
        auto *lists = recipeDock->findChild<QTreeWidget *>();
        lists->setCurrentItem(lists->topLevelItem(0)->child(0));
        pictures.save(QStringLiteral("recipe"), recipeDock->widget());
        recipeDock->showPage(QStringLiteral("pipeline"));
    }
}

void takeDialogs(MainWindow &window, Pictures &pictures)
{
    Document &document = window.document();
    {
        ExportDialog dialog(document, &window);
        dialog.show();
        dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"))->setText(QStringLiteral("sample-int8.onnx"));
        waitFor([&] { return dialog.preview().contains(QStringLiteral("sample-int8")); });
        pictures.save(QStringLiteral("export"), &dialog);
    }
    {
        DataDialog dialog(document, &window);
        dialog.show();
        waitFor([&] { return dialog.calibration()->preview()->stages()->count() > 1; });
        pictures.save(QStringLiteral("data"), &dialog);
        dialog.findChild<QTabWidget *>()->setCurrentIndex(2);
        dialog.findChild<QComboBox *>(QStringLiteral("metric"))->setCurrentIndex(1);
        pictures.save(QStringLiteral("metric"), &dialog);
    }
    {
        PluginsDialog dialog(document, &window);
        dialog.show();
        QTest::qWait(500);
        pictures.save(QStringLiteral("plugins"), &dialog);
    }
    {
        SettingsDialog dialog(document, &window);
        dialog.show();
        pictures.save(QStringLiteral("settings"), &dialog);
    }
    {
        CompareDialog dialog(document, 2, &window);
        dialog.show();
        pictures.save(QStringLiteral("runs"), &dialog);
    }
    {
        PlatformDialog dialog(document, &window);
        static_cast<QWidget &>(dialog).show();
        QTest::qWait(500);
        pictures.save(QStringLiteral("platforms"), &dialog);
        dialog.findChild<QTabWidget *>()->setCurrentIndex(1);
        waitFor([&] { return dialog.comparison()->differences()->rowCount() > 0; });
        pictures.save(QStringLiteral("platform_compare"), &dialog);
    }
}

/// If QUANTLOUPE_PYTHON has ONNX Runtime: a file, and the same file after another edit of the recipe.
void takeVerification(MainWindow &window, Pictures &pictures)
{
    if (qEnvironmentVariableIsEmpty("QUANTLOUPE_PYTHON")) return;
    const QTemporaryDir folder;
    EngineRequests &requests = window.document().requests();
    requests.exportTo(QStringLiteral("onnx_qdq"), folder.filePath(QStringLiteral("sample-int8.onnx")),
                      nlohmann::json::object());
    Dock *dock = window.dock(QStringLiteral("problems"));
    dock->showPage(QStringLiteral("verify"));
    VerifyPanel *panel = window.verification();
    auto *start = panel->tools()->findChild<QPushButton *>(QStringLiteral("verifyStart"));
    if (!waitFor([&] { return start->isEnabled() && !requests.job().isRunning; })) return;
    for (const char *name : {"verify", "verify_differs"}) {
        start->click();
        if (!waitFor([&] { return !requests.isVerifying(); })) return;
        QTest::qWait(300);
        pictures.save(QLatin1String(name));
        window.inspector()->sendTo(QStringLiteral("FP32"));
        QTest::qWait(600);
    }
    window.document().undoStack().undo();
    dock->showPage(QStringLiteral("problems"));
}

/// A search of some trials: while it measures, and at its end.
void takeSearch(MainWindow &window, Pictures &pictures)
{
    Dock *dock = window.dock(QStringLiteral("problems"));
    dock->showPage(QStringLiteral("tune"));
    TunePanel *panel = window.tuning();
    constexpr int trials = 10, some = 4;
    panel->form()->setTrials(trials);
    panel->form()->lock({window.document().graph()->operations.front().name}, TuneForm::Lock::Int8);
    panel->tools()->findChild<QPushButton *>(QStringLiteral("tuneStart"))->click();
    const EngineRequests &requests = window.document().requests();
    if (waitFor([&] { return panel->trialCount() >= some || !requests.isTuning(); }))
        pictures.save(QStringLiteral("tune_running"));
    if (!waitFor([&] { return !requests.isTuning(); })) return;
    QTest::qWait(300);
    QTest::mouseClick(panel->plot()->plot(), Qt::LeftButton, {}, panel->plot()->pointOf(panel->current()));
    waitFor([&] { return !requests.isRunning() && panel->summary().contains(QLatin1String("run ")); });
    QTest::qWait(1500); // its distribution
    pictures.save(QStringLiteral("tune"));
    dock->showPage(QStringLiteral("problems"));
}

/// Searches that cannot reach what is asked for: a goal that nothing meets, and data that is a single batch.
void takeSearchLimits(MainWindow &window, Pictures &pictures)
{
    Document &document = window.document();
    Dock *dock = window.dock(QStringLiteral("problems"));
    dock->showPage(QStringLiteral("tune"));
    TunePanel *panel = window.tuning();
    auto *start = panel->tools()->findChild<QPushButton *>(QStringLiteral("tuneStart"));
    const auto search = [&](const QString &goals, const QString &name) {
        panel->form()->setGoals(goals);
        start->click();
        if (!waitFor([&] { return !document.requests().isTuning(); })) return;
        QTest::qWait(800);
        pictures.save(name);
    };
    panel->form()->setTrials(3);
    search(QStringLiteral("int8.macs>150%"), QStringLiteral("tune_refused"));
    editRecipe(document, QStringLiteral("One sample"), [](api::Recipe &recipe) { recipe.evaluation.samples = 1; });
    search(QStringLiteral("output.sqnr_db>90"), QStringLiteral("tune_single"));
    document.undoStack().undo();
    dock->showPage(QStringLiteral("problems"));
}

/// Where the noise comes from, and training: while it goes on, and at its end.
void takeOriginAndTraining(MainWindow &window, Pictures &pictures)
{
    Dock *dock = window.dock(QStringLiteral("problems"));
    Document &document = window.document();
    EngineRequests &requests = document.requests();
    dock->showPage(QStringLiteral("origin"));
    window.origin()->tools()->findChild<QPushButton *>(QStringLiteral("originStart"))->click();
    if (!waitFor([&] { return !requests.isExplaining(); })) return;
    window.origin()->table()->selectRow(0);
    QTest::qWait(1500);
    window.center()->setOverlay(OverlayKind::Graphwise); // a short chart with its threshold
    pictures.save(QStringLiteral("origin"));
    dock->showPage(QStringLiteral("training"));
    editRecipe(document, QStringLiteral("Train"), [&](api::Recipe &recipe) {
        recipe.passes = document.completeRecipe().passes;
        for (api::StepRequest &pass : *recipe.passes)
            if (pass.id == "learned_step_size") pass = {pass.id, true, {}, {{"steps", 1000}}};
    });
    requests.run();
    constexpr int half = 4;
    if (waitFor([&] { return window.training()->table()->rowCount() >= half || !requests.isRunning(); }))
        pictures.save(QStringLiteral("training_running"));
    if (!waitFor([&] { return !requests.isRunning() && isSettled(window); })) return;
    window.training()->choose(0);
    QTest::qWait(1500);
    pictures.save(QStringLiteral("training"));
    document.undoStack().undo();
    dock->showPage(QStringLiteral("problems"));
}

void takePlots(MainWindow &window, Pictures &pictures)
{
    for (const auto &[mode, what] : {std::pair(DistributionPanel::Mode::Scatter, "scatter"),
                                     std::pair(DistributionPanel::Mode::Channels, "channels")}) {
        window.distribution()->setMode(mode);
        window.distribution()->setLogarithmic(false);
        QTest::qWait(800);
        pictures.save(QLatin1String(what), window.distribution());
    }
}

/// After the first run: in the window, and all of them.
void takeProblems(MainWindow &window, Pictures &pictures)
{
    Dock *dock = window.dock(QStringLiteral("problems"));
    dock->showPage(QStringLiteral("problems"));
    pictures.save(QStringLiteral("problems"));
    dock->setFloating(true);
    dock->resize(720, 2000);
    pictures.save(QStringLiteral("problems_all"), dock->widget());
}

/// After the first run. @returns whether the second one ended
bool takeAll(MainWindow &window, Pictures &pictures, bool withSearch, bool withDialogs)
{
    takeRun(window, pictures);
    takeStale(window, pictures);
    if (!pictures.run()) return false;
    takeComparison(window, pictures);
    if (withDialogs) takeDialogs(window, pictures);
    window.document().undoStack().undo(); // what follows has something to improve
    window.center()->setOverlay(OverlayKind::Graphwise);
    QTest::qWait(1500);
    takeVerification(window, pictures);
    window.center()->setOverlay(OverlayKind::Difference);
    if (withSearch) {
        takeSearch(window, pictures);
        takeSearchLimits(window, pictures);
    }
    takeOriginAndTraining(window, pictures);
    takePlots(window, pictures);
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    QTemporaryDir settings;
    qputenv("XDG_CONFIG_HOME", settings.path().toUtf8());
    qputenv("XDG_DATA_HOME", settings.path().toUtf8());
    qputenv("XDG_CACHE_HOME", settings.path().toUtf8()); // a run whose results are known shows no progress
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("quantloupe"));
    QApplication::setApplicationName(QStringLiteral("quantloupe"));
    QCommandLineParser parser;
    parser.addHelpOption();
    const QCommandLineOption theme(QStringLiteral("theme"), {}, QStringLiteral("light|dark"), QStringLiteral("light"));
    const QCommandLineOption language(QStringLiteral("language"), {}, QStringLiteral("LOCALE"), QStringLiteral("en"));
    const QCommandLineOption prefix(QStringLiteral("prefix"), {}, QStringLiteral("TEXT"));
    const QCommandLineOption samples(QStringLiteral("samples"), {}, QStringLiteral("N"));
    const QCommandLineOption data(QStringLiteral("data"), {}, QStringLiteral("PATH"));
    const QCommandLineOption preprocess(QStringLiteral("preprocess"), {}, QStringLiteral("SPEC"));
    const QCommandLineOption platform(QStringLiteral("target"), {}, QStringLiteral("ID"));
    const QCommandLineOption size(QStringLiteral("size"), {}, QStringLiteral("WxH"), QStringLiteral("1440x900"));
    const QCommandLineOption folds(QStringLiteral("folds"), QStringLiteral("the graph folded and unfolded, no run"));
    const QCommandLineOption problems(QStringLiteral("problems"), QStringLiteral("a run and its problems, no more"));
    const QCommandLineOption noSearch(QStringLiteral("no-search"), QStringLiteral("leave out Tune, the slowest"));
    const QCommandLineOption noDialogs(QStringLiteral("no-dialogs"),
                                       QStringLiteral("leave out dialogs, which show images of the data"));
    parser.addOptions(
        {noSearch, noDialogs, problems, folds, theme, language, prefix, samples, data, preprocess, platform, size});
    parser.addPositionalArgument(QStringLiteral("OUT"), QStringLiteral("folder"));
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("model or recipe; default: the sample"));
    parser.process(app);
    const QDir out(parser.positionalArguments().value(0, QStringLiteral(".")));
    out.mkpath(QStringLiteral("."));
    installTranslation(QLocale(parser.value(language)));
    const bool dark = parser.value(theme) == QLatin1String("dark");
    QSettings().setValue(QStringLiteral("theme"), int(dark ? ThemeManager::Choice::Dark : ThemeManager::Choice::Light));
    ThemeManager::instance().choose(dark ? ThemeManager::Choice::Dark : ThemeManager::Choice::Light);
    ThemeManager::instance().apply();

    MainWindow window;
    window.resize(parser.value(size).section(QLatin1Char('x'), 0, 0).toInt(),
                  parser.value(size).section(QLatin1Char('x'), 1, 1).toInt());
    window.show();
    Pictures pictures(window, out, parser.value(prefix));
    if (!waitFor([&] { return window.engine().state() == EngineClient::State::Ready; }, 60000)) return 1;
    const QString file = parser.positionalArguments().value(1, samplePath());
    if (parser.positionalArguments().size() < 2) pictures.save(QStringLiteral("start"));
    window.openFile(QFileInfo(file).absoluteFilePath());
    if (!waitFor([&] { return isSettled(window); })) return 1;
    Document &document = window.document();
    nlohmann::json recipe = document.recipeJson();
    if (parser.isSet(samples)) recipe["evaluation"]["samples"] = parser.value(samples).toInt();
    if (parser.isSet(data)) {
        recipe["calibration"]["path"] = QFileInfo(parser.value(data)).absoluteFilePath().toStdString();
        recipe["calibration"]["preprocess"] = parser.value(preprocess).toStdString();
        recipe["calibration"]["samples"] = 16;
    }
    if (parser.isSet(platform)) recipe["platform"] = parser.value(platform).toStdString();
    if (recipe != document.recipeJson()) replaceRecipe(document, DataDialog::tr("Data"), recipe);
    QTest::qWait(600);
    pictures.save(QStringLiteral("open"));
    if (parser.isSet(folds)) {
        takeFolds(window, pictures);
        document.undoStack().setClean();
        return 0;
    }
    if (!pictures.run()) return 1;
    if (parser.isSet(problems))
        takeProblems(window, pictures);
    else if (!takeAll(window, pictures, !parser.isSet(noSearch), !parser.isSet(noDialogs)))
        return 1;
    document.undoStack().setClean();
    return 0;
}

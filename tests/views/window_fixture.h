#pragma once

// A real window on the real engine, with a recipe on few images of the bundled sample in its own folder.
#include "tests/support/patience.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/style/theme.h"
#include "views/window/main_window.h"
#include "views/window/translation.h"

#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <memory>

namespace ql {

/// Lets happen what has been asked for: layouts, styles, queued drawing, timers without an interval.
inline void settle()
{
    for (int i = 0; i < 10; ++i) QCoreApplication::processEvents();
}

struct WindowFixture
{
    QTemporaryDir folder;
    std::unique_ptr<MainWindow> window;

    /// Once, before any window: settings, journals, user files, the home folder and the sample that the start page
    /// opens in the folder, and no others.
    void isolate()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("quantloupe"));
        QCoreApplication::setApplicationName(
            QStringLiteral("quantloupe-test-%1").arg(QCoreApplication::applicationPid()));
        qputenv("XDG_DATA_HOME", folder.filePath(QStringLiteral("data home")).toUtf8());
        const QString home = folder.filePath(QStringLiteral("home")),
                      shared = folder.filePath(QStringLiteral("shared"));
        QVERIFY(QDir().mkpath(home) && QDir().mkpath(shared + QStringLiteral("/quantloupe")));
        std::filesystem::copy(QL_SOURCE_DIR "/resources/sample", (shared + "/quantloupe/sample").toStdString(),
                              std::filesystem::copy_options::recursive);
        const QByteArray others = qEnvironmentVariable("XDG_DATA_DIRS", "/usr/local/share:/usr/share").toUtf8();
        qputenv("XDG_DATA_DIRS", shared.toUtf8() + ':' + others);
        qputenv("HOME", home.toUtf8());
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.filePath(QStringLiteral("settings")));
        QSettings().clear();
        ThemeManager::instance().apply();
    }

    void prepare(const char *platform = "RKNN_INT8")
    {
        isolate();
        writeRecipe(platform);
    }

    /// samples: to calibrate on; 4 of them are too few, so that values of others are clipped.
    void writeRecipe(const char *platform, int samples = 16)
    {
        const QString sample = QStringLiteral(QL_SOURCE_DIR "/resources/sample/");
        nlohmann::json recipe = {{"format", "quantloupe-recipe/1"},
                                 {"model", {{"path", (sample + QStringLiteral("model.onnx")).toStdString()}}},
                                 {"platform", platform}};
        const char *steps = "rgb; scale 1/255; mean .5,.5,.5; std .5,.5,.5; layout nchw";
        recipe["calibration"] = {
            {"path", (sample + QStringLiteral("calib")).toStdString()}, {"samples", samples}, {"preprocess", steps}};
        recipe["evaluation"] = {
            {"path", (sample + QStringLiteral("eval")).toStdString()}, {"samples", 8}, {"preprocess", steps}};
        QFile out(file());
        QVERIFY(out.open(QIODevice::WriteOnly));
        const std::string text = recipe.dump(1);
        out.write(text.data(), qint64(text.size()));
    }
    QString file() const { return folder.filePath(QStringLiteral("样本 copy.quantloupe")); }

    /// With a cache in the folder, or without one.
    void show(bool withCache = true)
    {
        const QStringList cache = withCache
                                      ? QStringList{QStringLiteral("--cache"), folder.filePath(QStringLiteral("cache"))}
                                      : QStringList{QStringLiteral("--no-cache")};
        window = std::make_unique<MainWindow>(
            QStringList{QStringLiteral(QL_BIN "/quantloupe-cli"), QStringLiteral("serve")} + cache);
        window->resize(1440, 900);
        window->show();
        QVERIFY(QTest::qWaitForWindowExposed(window.get(), patienceMs));
        window->activateWindow(); // without it nothing has the focus
        QVERIFY(QTest::qWaitForWindowActive(window.get(), patienceMs));
    }
    void close()
    {
        if (window) window->document().undoStack().setClean();
        window.reset();
    }

    /// Rows of a test function that is run in each language of the window, by its column "language".
    static void addLanguages()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }
    /// A new window, in another language. Widgets created afterwards use it, too.
    void showIn(const QString &language)
    {
        close();
        installTranslation(QLocale(language));
        show();
    }

    Document &document() const { return window->document(); }
    bool isRun() const
    {
        return document().history().shown() && document().history().shown()->isComplete &&
               !document().history().isStale() && !document().requests().job().isRunning;
    }
    void open()
    {
        window->openFile(file());
        QTRY_VERIFY_WITH_TIMEOUT(document().graph() && document().requests().catalogue(), 60000);
        settle();
    }
    void run()
    {
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        settle();
    }
    /// After a run: until no answer is awaited that could change a panel, and runs of earlier windows have been read.
    void rest()
    {
        const EngineRequests &requests = document().requests();
        QTRY_VERIFY_WITH_TIMEOUT(!requests.isBusy() && !requests.isInspecting(), 60000);
        const auto isFirstRead = [&] { return document().history().runs().front().number == 1; };
        QTRY_VERIFY_WITH_TIMEOUT(document().completeRecipe().passes && isFirstRead(), 60000);
        settle();
    }
};

} // namespace ql

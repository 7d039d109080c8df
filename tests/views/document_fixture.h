#pragma once

// A recipe and its model in a folder with a space and Chinese characters, written again for each test.
#include "tests/support/patience.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/style/theme.h"
#include "views/window/main_window.h"

#include <QTemporaryDir>
#include <QtTest>

namespace ql {

class DocumentTest : public QObject
{
protected:
    QTemporaryDir m_folder;
    QString m_work; ///< a folder with a blank and Chinese characters

    QStringList engine() const
    {
        return {QStringLiteral(QL_BIN "/quantloupe-cli"), QStringLiteral("serve"), QStringLiteral("--cache"),
                m_folder.filePath(QStringLiteral("cache"))};
    }
    QString modelFile() const { return m_work + QStringLiteral("/模型 a.onnx"); }
    QString recipeFile() const { return m_work + QStringLiteral("/配方 b.quantloupe"); }
    static void write(const QString &path, const QByteArray &bytes)
    {
        QFile file(path);
        QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
        file.write(bytes);
    }
    static QByteArray bytesOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static bool isRun(MainWindow &window)
    {
        const Document &document = window.document();
        return document.history().shown() && document.history().shown()->isComplete && !document.history().isStale() &&
               !document.requests().job().isRunning;
    }
    void openAndRun(MainWindow &window) const
    {
        window.show();
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        window.document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(window), 120000);
    }

    /// Once, before any window.
    void prepare()
    {
        qputenv("XDG_DATA_HOME", m_folder.path().toUtf8());
        qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8());
        QCoreApplication::setOrganizationName(QStringLiteral("quantloupe"));
        QCoreApplication::setApplicationName(QStringLiteral("quantloupe-documents"));
        ThemeManager::instance().apply();
        m_work = m_folder.filePath(QStringLiteral("a folder 文件夹"));
        QVERIFY(QDir().mkpath(m_work));
    }
    /// Before each test.
    void renew()
    {
        const QString sample = QStringLiteral(QL_SOURCE_DIR "/resources/sample/");
        QFile::remove(modelFile());
        QVERIFY(QFile::copy(sample + QStringLiteral("model.onnx"), modelFile()));
        QFile::setPermissions(recipeFile(), QFile::ReadOwner | QFile::WriteOwner);
        QFile::remove(recipeFile());
        const char *steps = "rgb; scale 1/255; mean .5,.5,.5; std .5,.5,.5; layout nchw";
        const nlohmann::json data = {
            {"path", (sample + QStringLiteral("calib")).toStdString()}, {"samples", 8}, {"preprocess", steps}};
        write(recipeFile(), QByteArray::fromStdString(nlohmann::json{
                                {"format", "quantloupe-recipe/1"},
                                {"model", {{"path", "模型 a.onnx"}}},
                                {"platform", "RKNN_INT8"},
                                {"analyses", {"graphwise"}},
                                {"calibration", data},
                                {"evaluation", data}}.dump(1)));
    }
};

} // namespace ql

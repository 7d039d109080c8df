// quantloupe: the window. Starts the engine (quantloupe-cli serve) as a child process.
#include "views/bridge/command_text.h"
#include "views/bridge/engine_client.h"
#include "views/bridge/window_runtime.h"
#include "views/style/theme.h"
#include "views/window/main_window.h"
#include "views/window/translation.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QPointer>
#include <QProcess>
#include <QVariant>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

/// --help and --version need no display, and an application without one aborts the program.
static bool wantsTextOnly(int argc, char **argv)
{
    return std::any_of(argv + 1, argv + argc, [](const char *argument) {
        const QByteArrayView word(argument);
        return word == "--help" || word == "-h" || word == "--help-all" || word == "--version" || word == "-v";
    });
}

/// During startup: Qt aborts a program that finds no display, or a dead one, with a core dump.
static void leaveWithoutDisplay(QtMsgType type, const QMessageLogContext &, const QString &text)
{
    std::fprintf(stderr, "%s\n", qPrintable(text));
    if (type != QtFatalMsg) return;
    std::fputs("quantloupe: no display found. Use quantloupe-cli in a terminal; see quantloupe-cli --help.\n", stderr);
    std::_Exit(2);
}

int main(int argc, char **argv)
{
    const ql::WindowRuntime runtime;
    if (wantsTextOnly(argc, argv)) qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(leaveWithoutDisplay);
    QApplication app(argc, argv);
    qInstallMessageHandler(nullptr);
    QApplication::setOrganizationName(QStringLiteral("quantloupe"));
    QApplication::setApplicationName(QStringLiteral("quantloupe"));
    QApplication::setApplicationVersion(QStringLiteral(QL_VERSION));
    ql::installTranslation();
    QApplication::setApplicationDisplayName(QStringLiteral("Quantloupe"));

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Find out why a network loses accuracy in low precision, and fix it."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("FILE"),
                                 QCoreApplication::translate("main", "A model or a recipe (.quantloupe)"));
    const QCommandLineOption engine(
        QStringLiteral("engine"),
        QCoreApplication::translate("main",
                                    "Command that starts the engine, e.g. \"ssh gpu-box quantloupe-cli serve\""),
        QStringLiteral("COMMAND"));
    parser.addOption(engine);
    parser.process(app);

    ql::ThemeManager::instance().apply();
    QPointer<ql::MainWindow> window = new ql::MainWindow(ql::splitCommand(parser.value(engine)));
    window->setAttribute(
        Qt::WA_DeleteOnClose); // its engine and its journal end with it, even if other windows stay open
    window->keepRuns();
    window->show();
    if (!parser.positionalArguments().isEmpty())
        window->openFile(QFileInfo(parser.positionalArguments().front()).absoluteFilePath());
    window->offerRecovery();
    const int code = QApplication::exec();
    delete window; // if the program ended without closing it
    if (const QVariant file = app.property(ql::restartFile); file.isValid()) {
        QStringList arguments;
        if (parser.isSet(engine)) arguments += {QStringLiteral("--engine"), parser.value(engine)};
        if (!file.toString().isEmpty()) arguments.append(file.toString());
        QProcess::startDetached(QCoreApplication::applicationFilePath(), arguments);
    }
    return code;
}

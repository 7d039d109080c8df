// quantloupe: the window. Starts the engine (quantloupe-cli serve) as a child process.
#include "views/style/theme.h"
#include "views/window/main_window.h"
#include "views/window/translation.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <algorithm>
#include <cstdio>

/// --help and --version need no display, and an application without one ends the program.
static bool wantsTextOnly(int argc, char **argv)
{
    return std::any_of(argv + 1, argv + argc, [](const char *argument) {
        const QByteArrayView word(argument);
        return word == "--help" || word == "-h" || word == "--help-all" || word == "--version" || word == "-v";
    });
}

/// Without one, Qt would end the program with a dump of its memory.
static bool hasDisplay(int argc, char **argv)
{
    const bool isChosen = std::any_of(argv + 1, argv + argc, [](const char *argument) {
        return QByteArrayView(argument) == "-platform" || QByteArrayView(argument) == "-display";
    });
    return isChosen || !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

int main(int argc, char **argv)
{
    if (wantsTextOnly(argc, argv)) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    } else if (!hasDisplay(argc, argv)) {
        std::fputs("quantloupe: there is no display. quantloupe-cli does the same on a terminal; see "
                   "quantloupe-cli --help.\n",
                   stderr);
        return 2;
    }
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("quantloupe"));
    QApplication::setApplicationName(QStringLiteral("quantloupe"));
    QApplication::setApplicationVersion(QStringLiteral(QL_VERSION));
    ql::installTranslation();
    QApplication::setApplicationDisplayName(QStringLiteral("Quantloupe"));

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "See why a network is worse in low precision, and fix it."));
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
    ql::MainWindow window(QProcess::splitCommand(parser.value(engine)));
    window.keepRuns();
    window.show();
    if (!parser.positionalArguments().isEmpty())
        window.openFile(QFileInfo(parser.positionalArguments().front()).absoluteFilePath());
    window.offerRecovery();
    return QApplication::exec();
}

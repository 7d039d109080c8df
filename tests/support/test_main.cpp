// The program of a room's tests. LibTorch is loaded once for all of them, which takes longer than most of them: each
// runs in a separate process forked from this one, so that none sees leftovers of another.
#include "tests/support/test_main.h"
#include <QTemporaryDir>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

#ifdef QT_WIDGETS_LIB
#include <QApplication>
using QtApplication = QApplication;
#else
using QtApplication = QCoreApplication;
#endif

namespace {

/// Drops the offscreen plugin's messages for every window that is shown: hundreds of lines per one that matters. Qt
/// Test installs its own handler when a test starts; the first event comes after that, and before the first window.
class Application : public QtApplication
{
public:
    using QtApplication::QtApplication;

    bool notify(QObject *receiver, QEvent *event) override
    {
        if (!s_handler) s_handler = qInstallMessageHandler(handle);
        return QtApplication::notify(receiver, event);
    }

private:
    static void handle(QtMsgType type, const QMessageLogContext &context, const QString &message)
    {
        if (message != QLatin1String("This plugin does not support propagateSizeHints()"))
            s_handler(type, context, message);
    }
    static inline QtMessageHandler s_handler = nullptr;
};

int runTest(ql::TestFunction test, int argc, char **argv)
{
    Application application(argc, argv);
    return test(argc, argv);
}

bool passes(const std::string &name, ql::TestFunction test, char *program)
{
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) {
        std::perror("fork");
        return false;
    }
    if (child == 0) {
        char *argv[] = {program, nullptr};
        std::exit(runTest(test, 1, argv));
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) return false;
    if (WIFSIGNALED(status)) std::printf("%s: ended by signal %d\n", name.c_str(), WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

int main(int argc, char **argv)
{
    const auto &tests = ql::testsOfThisProgram();
    const QTemporaryDir data; // nothing is remembered in the folder of whoever runs the tests
    qputenv("XDG_DATA_HOME", data.path().toUtf8());
    if (argc == 1) {
        std::string failed;
        for (const auto &[name, run] : tests)
            if (!passes(name, run, argv[0])) failed += " " + name;
        if (!failed.empty()) std::printf("FAILED:%s\n", failed.c_str());
        return failed.empty() ? 0 : 1;
    }
    const auto test = tests.find(argv[1]);
    if (test == tests.end()) {
        std::fprintf(stderr, "usage: %s [TEST [options of Qt Test]]\nAll of them, or one of:\n", argv[0]);
        for (const auto &[name, run] : tests) std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    argv[1] = argv[0];
    return runTest(test->second, argc - 1, argv + 1);
}

// The program of a room's tests.
#include "tests/support/test_main.h"

#ifdef QT_WIDGETS_LIB
#include <QApplication>
using Application = QApplication;
#else
using Application = QCoreApplication;
#endif

int main(int argc, char **argv)
{
    const auto &tests = ql::testsOfThisProgram();
    const auto test = argc > 1 ? tests.find(argv[1]) : tests.end();
    if (test == tests.end()) {
        std::fprintf(stderr, "usage: %s TEST [options of Qt Test]\nTEST is one of:\n", argv[0]);
        for (const auto &[name, run] : tests) std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    argv[1] = argv[0];
    --argc;
    ++argv;
    Application application(argc, argv);
    return test->second(argc, argv);
}

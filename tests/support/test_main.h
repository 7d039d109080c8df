#pragma once

// Tests of a room share a program: tests_pass runs all of them, tests_pass tst_align [options of Qt Test] one.
#include "tests/support/patience.h"

#include <QtTest>
#include <map>
#include <string>

namespace ql {

using TestFunction = int (*)(int argc, char **argv);

/// By the name of the source file.
inline std::map<std::string, TestFunction> &testsOfThisProgram()
{
    static std::map<std::string, TestFunction> tests;
    return tests;
}

struct TestRegistrar
{
    TestRegistrar(std::string file, TestFunction run)
    {
        file.erase(0, file.rfind('/') + 1);
        testsOfThisProgram()[file.substr(0, file.rfind('.'))] = run;
    }
};

} // namespace ql

/// At the end of a test's source, instead of QTEST_MAIN.
#define QL_TEST(Class)                                                                                                 \
    static const ql::TestRegistrar registrarOf##Class{__FILE__, [](int argc, char **argv) {                            \
                                                          Class test;                                                  \
                                                          return QTest::qExec(&test, argc, argv);                      \
                                                      }};

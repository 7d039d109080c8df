#pragma once

// How long tests wait for what must happen. On an idle machine it takes seconds at most; with sanitizers and other work
// on all cores it takes many times as long, which is no reason to fail.
#include <QtTest>
#include <algorithm>

namespace ql {

/// A QTRY_ that fails waits three times as long: less than Qt Test gives a function (five minutes, twenty with
/// sanitizers).
#ifdef __SANITIZE_ADDRESS__
inline constexpr int patienceMs = 180000;
#else
inline constexpr int patienceMs = 60000;
#endif

/// The time limit of a search whose result must not depend on the machine.
inline constexpr double patientSeconds = 1e5;

/// For work that takes longer on an idle machine, too.
constexpr int patienceFor(int ms)
{
    return std::max(ms, patienceMs);
}

} // namespace ql

// Qt's own wait five seconds, or as long as the test says.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#undef QTRY_VERIFY_WITH_TIMEOUT
#undef QTRY_VERIFY2_WITH_TIMEOUT
#undef QTRY_COMPARE_WITH_TIMEOUT
#define QTRY_VERIFY_WITH_TIMEOUT(expression, ms)                                                                       \
    do {                                                                                                               \
        QTRY_IMPL((expression), ql::patienceFor(ms))                                                                   \
        QVERIFY(expression);                                                                                           \
    } while (false)
#define QTRY_VERIFY2_WITH_TIMEOUT(expression, text, ms)                                                                \
    do {                                                                                                               \
        QTRY_IMPL((expression), ql::patienceFor(ms))                                                                   \
        QVERIFY2(expression, text);                                                                                    \
    } while (false)
#define QTRY_COMPARE_WITH_TIMEOUT(expression, expected, ms)                                                            \
    do {                                                                                                               \
        QTRY_IMPL(((expression) == (expected)), ql::patienceFor(ms))                                                   \
        QCOMPARE(expression, expected);                                                                                \
    } while (false)
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, ql::patienceMs)
#define QTRY_VERIFY2(expression, text) QTRY_VERIFY2_WITH_TIMEOUT(expression, text, ql::patienceMs)
#define QTRY_COMPARE(expression, expected) QTRY_COMPARE_WITH_TIMEOUT(expression, expected, ql::patienceMs)

/// First line of a test that would take minutes with sanitizers and runs what shorter ones run, too.
#ifdef __SANITIZE_ADDRESS__
#define QL_SKIP_IF_SANITIZED QSKIP("takes minutes with sanitizers")
#else
#define QL_SKIP_IF_SANITIZED
#endif

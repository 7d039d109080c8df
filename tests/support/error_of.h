#pragma once

#include "core/base/error.h"

#include <QtTest>

#include <utility>

namespace ql::test {

/// The error that call throws; the test fails when it throws none.
template <class Call>
Error errorOf(Call &&call)
{
    try {
        std::forward<Call>(call)();
    } catch (const Error &error) {
        return error;
    }
    QTest::qFail("no error was thrown", __FILE__, __LINE__);
    return {ErrorKind::Internal, "no error was thrown"};
}

/// Its text, with file, operation and tensor.
template <class Call>
QString messageOf(Call &&call)
{
    return QString::fromStdString(errorOf(std::forward<Call>(call)).text());
}

} // namespace ql::test

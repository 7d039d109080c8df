#pragma once

// What tests of the ONNX reader share.
#include "core/io/onnx/import.h"
#include "tests/support/error_of.h"

#include <string>
#include <utility>
#include <vector>

namespace ql::test {

using Problems = std::vector<api::Problem>;

inline ImportOptions collecting(Problems &problems)
{
    ImportOptions options;
    options.report = [&problems](api::Problem problem) { problems.push_back(std::move(problem)); };
    return options;
}

/// The error of importing file; the test fails when there is none.
inline Error importError(const std::filesystem::path &file, const ImportOptions &options = {})
{
    return errorOf([&] { importOnnx(file, options); });
}

inline bool contains(const std::string &text, const char *part)
{
    return text.find(part) != std::string::npos;
}

} // namespace ql::test

#pragma once

#include "core/api/lint.h"
#include "core/api/problem.h"
#include "core/quant/quant_plan.h"

#include <string>
#include <vector>

namespace ql {

/// The tables of resources/lint: what the documents of deployment tools say, by file name.
const std::vector<api::LintTable> &lintTables();

/// What the reader of a file in this format does not accept, or executes in another way than simulated: one problem for
/// each violated rule, with the first operation and the number of them. platform: of the recipe.
std::vector<api::Problem> lintExport(const std::string &format, const std::string &platform, const QuantModel &model);

} // namespace ql

#pragma once

#include "core/verify/runtime.h"

#include <string>
#include <vector>

namespace ql {

/// A runtime that a Python package provides: resources/runtimes/run_<id>.py drives it.
struct PythonRuntime
{
    std::string id, title, module; ///< module: to import
    Text meaning;
    std::vector<std::string> extensions, packages;
    std::vector<std::string> bare = {};        ///< more packages, installed without what they depend on
    std::vector<std::string> scalesAside = {}; ///< as in RuntimeEntry
    std::vector<api::ParamSpec> params = {};   ///< without "threads", which all have
    AutomaticOption automatic = {};            ///< as in RuntimeEntry
};

RuntimeEntry pythonRuntimeEntry(const PythonRuntime &runtime);

} // namespace ql

#pragma once

#include "core/api/json_pair.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ql::api {

/// A manifest of data that a program writes: .npz archives to its standard output, one after the other, each with
/// samples along the leading axis. Started in the manifest's folder.
struct DataProgram
{
    std::vector<std::string> command; ///< the program, searched in PATH, and its arguments
    std::string preprocess = {};      ///< unless the recipe has its own
    double seconds = 600;             ///< the longest time for one archive
};

QL_HAS_JSON(DataProgram)

} // namespace ql::api

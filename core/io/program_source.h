#pragma once

#include "core/io/sample_source.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace ql {

/// Samples that a program writes (api::DataProgram): the archives of its standard output, each like a .npz file of
/// data. document: the parsed manifest. With options.usesFirst the program is stopped as soon as there are enough
/// samples.
/// @throws Error as ProgramOutput::read(); (BadData) for arrays that do not match the inputs; Cancelled
std::unique_ptr<SampleSource> openProgram(const std::filesystem::path &manifest, const nlohmann::json &document,
                                          const std::vector<DataInput> &inputs, const SourceOptions &options);

} // namespace ql

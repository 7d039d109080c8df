#pragma once

#include "core/base/job.h"
#include "core/verify/command_file.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// A program of the user that reads the outputs of a model and prints a number, the larger the better: an accuracy for
/// which the engine has no labels or no definition.
class MetricCommand
{
public:
    /// file: {"command": [...]}; {outputs} in it becomes the name of a .npz with an array for each graph output,
    /// samples along the leading axis; {samples} that of a text file with the name of each sample, one per line.
    /// isAllowed: the user agrees to start it now.
    /// @throws Error (BadConfig) if the file is something else, or may not start programs (core/base/trust.h)
    explicit MetricCommand(const std::filesystem::path &file, bool isAllowed = false);

    /// The number in the last line with one. @throws Error (BadData) if the program fails, prints none or does not end
    /// within that many seconds; Cancelled
    double valueOf(const std::vector<std::pair<std::string, at::Tensor>> &outputs,
                   const std::vector<std::string> &samples, double seconds, const JobContext &job) const;

private:
    CommandFile m_command;
};

} // namespace ql

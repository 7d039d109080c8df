#pragma once

#include "core/base/error.h"
#include "core/io/npz.h"
#include "core/io/preprocess.h"
#include "core/io/sample_source.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ql {

/// A .npz or .npy file with samples along the leading axis. range: of a .npz in the file.
/// @throws Error (BadData, Io)
std::unique_ptr<SampleSource> openArrays(const std::filesystem::path &file, const std::vector<DataInput> &inputs,
                                         const std::string &preprocess, const ByteRange &range = {});

// What all sources of samples share

std::vector<std::string> namesOf(const std::vector<DataInput> &inputs);
/// Steps that move pixels make no sense for inputs other than images (states, token ids, scalars) next to one.
bool takesPreprocess(const DataInput &input, const std::vector<DataInput> &inputs, const Preprocess &preprocess);
/// The archive has no array for an input of the model; the caller adds the remedy.
Error noArray(const NpzFile &archive, const std::filesystem::path &file, const std::string &input);
/// Arrays are often already preprocessed, and preprocessing them twice gives wrong results silently.
void noteProcessedArrays(SampleSource &source, const std::string &preprocess, const std::string &name);

} // namespace ql

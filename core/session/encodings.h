#pragma once

#include "core/api/json_text.h"
#include "core/api/params.h"
#include "core/base/job.h"
#include "core/base/registry.h"
#include "core/pass/dequantize_model.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// A tensor of a model, quantized in one place or everywhere, as a file of another tool describes it.
struct StoredEncoding
{
    std::string variable;  ///< the tensor
    std::string op = {};   ///< only in this operation; empty: wherever it is read or written
    std::string type = {}; ///< of the operation; empty: unknown
    /// In a body: the operations with bodies that contain it, each with its attribute, outermost first.
    std::vector<std::pair<std::string, std::string>> body = {};
    /// Only this input or output of op; op is not set.
    std::optional<Slot> slot = {};
    StoredGrid grid = {};  ///< a dynamic one: without scale
    at::Tensor value = {}; ///< of a parameter, on the grid; undefined if the file has none
};

/// Contents of a file with encodings.
struct StoredEncodings
{
    std::vector<StoredEncoding> tensors;
    /// Weights are not listed, because the tool derives their scales from the values: as the platform's rules do.
    bool omitsParameters = false;
    bool omitsBiases = false;         ///< likewise, of biases that follow from the scales of input and weight
    bool isOwn = false;               ///< written by this program
    std::string platform = {};        ///< that the file names; empty: none
    std::set<std::string> names = {}; ///< of a model: its operations and tensors
    /// Of an own file: parameters in float32 that are not on a stored grid.
    std::vector<StoredEncoding> floats = {};
};

struct EncodingsRequest
{
    std::filesystem::path file;
    JobContext job;
    std::function<void(api::Problem)> report = [](api::Problem) {};
};

/// A format of quantized models, or of encodings next to a float model. Registers itself from its own file.
struct EncodingsEntry
{
    static constexpr const char *kindName = "encodings";
    api::CatalogueItem info;
    std::string platform; ///< the usual target of such files
    bool isModel = false; ///< the file contains the model, without which the others are of no use
    /// Whether the file has this format. text: its content, nullptr if it is not JSON.
    std::function<bool(const std::filesystem::path &file, const api::JsonText *text)> matches = {};
    /// text: the content of a JSON file, otherwise empty.
    std::function<StoredEncodings(const EncodingsRequest &, const api::JsonText &text)> read = {};
};
using EncodingsRegistrar = Registrar<EncodingsEntry>;

/// A file of a known format.
struct EncodingsFile
{
    const EncodingsEntry &format;
    api::JsonText text; ///< of a JSON file
};
/// @throws Error (Io) unreadable, (BadConfig) not JSON, or of no known format
EncodingsFile openEncodings(const std::filesystem::path &file);

} // namespace ql

#pragma once

#include "core/api/problem.h"
#include "core/api/recipe.h"
#include "core/api/report.h"

#include <array>

/// What is known of a model before anything is computed: "quantloupe-inspection/1".
namespace ql::api {

inline constexpr const char *inspectionSchema = "quantloupe-inspection/1";

/// What made a report.
struct Tool
{
    std::string name, version, libtorch, device;
    int threads = 0;
};

/// A size of a shape; in JSON a number, or the name that the file gives it, "?" where it gives none.
struct ShapeSize
{
    std::int64_t size = -1; ///< negative: open
    std::string name;

    bool isOpen() const { return size < 0; }
    std::string text() const { return isOpen() ? name : std::to_string(size); }
};

/// An input or output of the graph.
struct PortRow
{
    std::string name, type;
    std::optional<std::vector<ShapeSize>> shape; ///< unset: unknown
};

struct ModelCounts
{
    std::size_t operations = 0, parameters = 0;
    std::int64_t weights = 0; ///< elements of all parameters
    std::map<std::string, int> types;
};

/// The report's "model".
struct ModelFacts
{
    std::string path, format, producer, sha256;
    std::optional<std::int64_t> opset;          ///< of ai.onnx
    std::map<std::string, std::int64_t> opsets; ///< by domain
    std::int64_t irVersion = 0;
    std::vector<PortRow> inputs, outputs;
    ModelCounts counts;
    std::vector<std::string> files; ///< other files of the model, by their place from its folder
};

/// A row of "operations".
struct OperationRow
{
    std::string name, type, domain, platform;
    bool quantized = false;
    std::vector<std::string> inputs, outputs; ///< tensors; empty for one that is left out
    Text reason;
    std::optional<Origin> setBy = {}; ///< the override of the recipe that put it there; none: something else did
};

/// Which inputs of an operation are weight and bias.
struct WeightInputs
{
    int input = -1, bias = -1;                           ///< bias: -1 for none
    std::optional<std::array<std::int64_t, 2>> channels; ///< in and out, of a layer whose weight has a known shape
};

struct BodyRow;

/// What a window has to know of an operator.
struct OperatorFacts
{
    nlohmann::json attributes = nlohmann::json::object(); ///< by name; tensors and subgraphs in words
    bool activation = false;
    std::optional<WeightInputs> weights;
    std::vector<BodyRow> bodies; ///< of If, Loop, Scan
};

struct InspectedOperation : OperationRow, OperatorFacts
{};

/// An operation of a body, which always runs in float.
struct BodyOperation : OperatorFacts
{
    std::string name, type, domain;
    std::vector<std::string> inputs, outputs;
};

struct TensorRow
{
    std::string name, type;
    std::string shape; ///< "1x64x56x56", "Nx3x?x?", "scalar", "unknown"
    bool parameter = false;
    std::vector<std::optional<double>> values; ///< of a parameter with few of them
};

/// A graph inside an operation: a branch of If, the body of Loop or Scan. A tensor that nothing in it makes and that is
/// no input of it comes from the graph around.
struct BodyRow
{
    std::string attribute;
    std::vector<std::string> inputs, outputs;
    std::vector<BodyOperation> operations;
    std::vector<TensorRow> tensors;
};

struct UnsupportedRow
{
    std::string op, type, domain;
    std::int64_t opset = 0;
    Text why, remedy;
};

/// How all slots are quantized, in few bytes.
struct ShortConfigs
{
    std::vector<ShortConfigRow> rows;
    std::vector<QuantScheme> schemes; ///< the few that differ; ShortConfigRow::scheme is a place here
};

struct Inspection
{
    Tool tool;
    ModelFacts model;
    std::string inputsKey; ///< of what files and definitions hold that results depend on; empty: not known
    std::string platform, dispatcher;
    std::vector<InspectedOperation> operations;                 ///< in execution order
    std::map<std::string, std::vector<std::string>> inputNames; ///< type to what the operator calls its inputs
    std::vector<TensorRow> tensors;
    std::vector<UnsupportedRow> unsupported;
    std::vector<Problem> problems;
    std::optional<ShortConfigs> configs; ///< as the platform says, before calibration; where they were asked for
    std::optional<Recipe> recipe;        ///< complete; with configs
};

QL_HAS_JSON(ShapeSize)
QL_HAS_JSON(Tool)
QL_HAS_JSON(ModelFacts)
QL_HAS_JSON(Inspection)

} // namespace ql::api

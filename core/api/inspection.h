#pragma once

#include "core/api/problem.h"
#include "core/api/recipe.h"
#include "core/api/report.h"

#include <array>

/// The facts about a model before anything is computed: "quantloupe-inspection/1".
namespace ql::api {

inline constexpr const char *inspectionSchema = "quantloupe-inspection/1";

/// The program that produced a report.
struct Tool
{
    std::string name, version, libtorch, device;
    int threads = 0;
};

/// A dimension of a shape; in JSON a number, or its name in the file, "?" if it has no name.
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
    std::vector<std::string> files; ///< side files of the model, by their path from its folder
};

/// A row of "operations".
struct OperationRow
{
    std::string name, type, domain, platform;
    bool quantized = false;
    std::vector<std::string> inputs, outputs; ///< tensors; empty for an omitted one
    Text reason;
    std::optional<Origin> setBy = {}; ///< the override of the recipe that chose the platform, if any
};

/// Which inputs of an operation are weight and bias.
struct WeightInputs
{
    int input = -1, bias = -1;                           ///< bias: -1 for none
    std::optional<std::array<std::int64_t, 2>> channels; ///< in and out, of a layer whose weight has a known shape
};

struct BodyRow;

/// Operator facts for the window.
struct OperatorFacts
{
    nlohmann::json attributes = nlohmann::json::object(); ///< by name; tensors and subgraphs by their description
    bool activation = false;
    std::optional<WeightInputs> weights;
    std::vector<BodyRow> bodies; ///< of If, Loop, Scan
};

struct InspectedOperation : OperationRow, OperatorFacts
{};

/// An operation of a body. Its name is unique in the model. A run decides whether it is quantized.
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
    std::vector<std::optional<double>> values; ///< of a parameter with few values
};

/// A graph inside an operation: a branch of If, the body of Loop or Scan. A tensor without producer in the body that is
/// not one of its inputs comes from the outer graph.
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

/// The configs of all slots in compact form.
struct ShortConfigs
{
    std::vector<ShortConfigRow> rows;
    std::vector<QuantScheme> schemes; ///< the few distinct ones; ShortConfigRow::scheme is an index into them
};

struct Inspection
{
    Tool tool;
    ModelFacts model;
    std::string inputsKey; ///< of the content of files and definitions that results depend on; empty: unknown
    std::string platform, dispatcher;
    std::vector<InspectedOperation> operations;                 ///< in execution order
    std::map<std::string, std::vector<std::string>> inputNames; ///< operator type to its input names
    std::vector<TensorRow> tensors;
    std::vector<UnsupportedRow> unsupported;
    std::vector<Problem> problems;
    std::optional<ShortConfigs> configs; ///< as set by the platform, before calibration; only if requested
    std::optional<Recipe> recipe;        ///< complete; with configs
};

QL_HAS_JSON(ShapeSize)
QL_HAS_JSON(Tool)
QL_HAS_JSON(ModelFacts)
QL_HAS_JSON(Inspection)

} // namespace ql::api

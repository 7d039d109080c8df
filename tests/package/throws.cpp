#include <core/analysis/analyser.h>
#include <core/base/plugin.h>
#include <core/exec/kernel.h>
#include <core/export/exporter.h>
#include <core/io/importer.h>
#include <core/observer/range.h>
#include <core/pass/pass.h>
#include <core/platform/dispatcher.h>

QL_PLUGIN("throws", "1", "Throws while it works")

using namespace ql;

namespace {

Dispatch fail(const GraphSearch &, const DispatchRequest &)
{
    throw std::runtime_error("this dispatcher is out of order");
}
const DispatcherRegistrar dispatcher{"throws", {.info = {.id = "throws"}, .run = fail}};

/// Dispatches all operations to a platform that does not exist.
Dispatch toNowhere(const GraphSearch &search, const DispatchRequest &)
{
    Dispatch out;
    for (const OpId id : search.operations()) out[id] = {"NOWHERE", "as a test"};
    return out;
}
const DispatcherRegistrar nowhere{"nowhere", {.info = {.id = "nowhere"}, .run = toNowhere}};

std::vector<at::Tensor> failKernel(const KernelContext &, Inputs)
{
    throw std::runtime_error("this kernel is out of order");
}
const KernelRegistrar kernel{{"com.example:Throws"}, {.run = failKernel, .family = "test"}};

/// What is not a std::exception, in functions that are called before an operator is computed
std::vector<at::Tensor> twice(const KernelContext &, Inputs inputs)
{
    return {inputs[0] + inputs[0]};
}
const KernelRegistrar refusing{
    {"com.example:RefusalThrows"},
    {.run = twice, .family = "test", .refusal = [](const Operation &) -> Text { throw 42; }}};
const KernelRegistrar preparing{
    {"com.example:PrepareThrows"},
    {.run = twice,
     .family = "test",
     .prepare = [](const KernelContext &, Inputs, const Epilogue &) -> std::unique_ptr<PreparedKernel> { throw 42; }}};
const KernelRegistrar undefinedRule{
    {"com.example:RuleThrows"}, {.run = twice, .family = "test", .canBeUndefined = [](Inputs) -> bool { throw 42; }}};

/// As of an allocation that is too large.
Dispatch needMemory(const GraphSearch &, const DispatchRequest &)
{
    throw std::bad_alloc();
}
const DispatcherRegistrar hungry{"hungry", {.info = {.id = "hungry"}, .run = needMemory}};
std::vector<at::Tensor> hungryKernel(const KernelContext &, Inputs)
{
    throw std::bad_alloc();
}
const KernelRegistrar hungryRegistrar{{"com.example:Hungry"}, {.run = hungryKernel, .family = "test"}};

/// Writes into its input.
std::vector<at::Tensor> writeKernel(const KernelContext &, Inputs inputs)
{
    static_cast<float *>(inputs[0].data_ptr())[0] += 1;
    return {inputs[0]};
}
const KernelRegistrar writer{{"com.example:Writes"}, {.run = writeKernel, .family = "test"}};

/// Returns something else than its rules say.
std::vector<at::Tensor> doubleKernel(const KernelContext &, Inputs inputs)
{
    return {inputs[0].to(at::kDouble)};
}
std::vector<at::Tensor> flatKernel(const KernelContext &, Inputs inputs)
{
    return {inputs[0].reshape({-1})};
}
std::vector<at::Tensor> shortKernel(const KernelContext &, Inputs inputs)
{
    return {inputs[0].narrow(-1, 0, 1)};
}
std::optional<std::vector<std::int64_t>> sameSizes(const Operation &, Inputs inputs)
{
    return inputs[0].sizes().vec();
}
const ShapeTraits alike{
    .inputs = allInputs, .sizes = sameSizes, .rank = RankRule::OfInput0, .elementType = ElementTypeRule::OfInput0};
const KernelRegistrar doubles{{"com.example:Doubles"}, {.run = doubleKernel, .family = "test"}, {.shapes = alike}};
const KernelRegistrar flattens{{"com.example:Flattens"}, {.run = flatKernel, .family = "test"}, {.shapes = alike}};
const KernelRegistrar shortens{{"com.example:Shortens"}, {.run = shortKernel, .family = "test"}, {.shapes = alike}};

struct FailingPass final : Pass
{
    explicit FailingPass(const nlohmann::json &params)
    {
        if (params.at("at_once").get<bool>()) throw 42;
    }
    std::string_view id() const override { return "throws"; }
    int run(QuantModel &, const PassContext &) const override { throw std::runtime_error(""); }
};
const PassRegistrar pass{
    {.info = {.id = "throws", .params = {{.name = "at_once", .type = "bool", .fallback = false, .meaning = "When."}}},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<FailingPass>}};

const PassRegistrar noPass{{.info = {.id = "no_pass"},
                            .traits = {.kind = PassKind::Float},
                            .make = [](const nlohmann::json &) { return std::unique_ptr<Pass>(); }}};
const PassRegistrar otherId{
    {.info = {.id = "other_id", .params = {{.name = "at_once", .type = "bool", .fallback = false, .meaning = "When."}}},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<FailingPass>}};

struct FailingObserver final : Observer
{
    explicit FailingObserver(const TensorQuantConfig &) {}
    void observe(const TensorView &) override { throw std::runtime_error("this observer is out of order"); }
    Result result() const override { return {}; }
};
const ObserverRegistrar observer{"throws", observerEntry<FailingObserver>("throws", "Throws", "Throws.", {})};

struct ThreeScales final : Observer
{
    explicit ThreeScales(const TensorQuantConfig &) {}
    void observe(const TensorView &) override {}
    Result result() const override { return {{1, 1, 1}, {}}; }
};
const ObserverRegistrar several{"several", observerEntry<ThreeScales>("several", "Three scales", "Three scales.", {})};

ObserverEntry withoutObserver()
{
    ObserverEntry entry;
    entry.info = {.id = "no_observer"};
    entry.make = [](const TensorQuantConfig &) { return std::unique_ptr<Observer>(); };
    return entry;
}
const ObserverRegistrar noObserver{"no_observer", withoutObserver()};

api::Measures failAnalysis(const AnalysisContext &, const nlohmann::json &)
{
    throw 42;
}
const AnalyserRegistrar analyser{"throws", {.info = {.id = "throws"}, .needsData = false, .run = failAnalysis}};

const AnalyserRegistrar costThrows{
    "cost_throws",
    {.info = {.id = "cost_throws"},
     .needsData = false,
     .run = [](const AnalysisContext &, const nlohmann::json &) { return api::Measures(); },
     .passes = [](const QuantModel &, const nlohmann::json &) -> double { throw 42; }}};

ExportResult failExport(const ExportRequest &)
{
    throw std::runtime_error("this exporter is out of order");
}
const ExporterRegistrar exporter{"throws", {.info = {.id = "throws"}, .run = failExport}};

Graph failImport(const ImportRequest &)
{
    throw c10::Error("this importer is out of order", "");
}
const Registrar<ImporterEntry> importer{"throws",
                                        {.info = {.id = "throws"}, .extensions = {".throws"}, .run = failImport}};

const Registrar<ImporterEntry> otherFiles{
    "other_files",
    {.info = {.id = "other_files"},
     .extensions = {".others"},
     .run = [](const ImportRequest &) { return Graph(); },
     .otherFiles = [](const ImportRequest &) -> std::vector<std::filesystem::path> { throw 42; }}};

} // namespace

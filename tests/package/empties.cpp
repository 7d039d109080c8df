#include <core/base/plugin.h>
#include <core/export/exporter.h>
#include <core/pass/pass.h>

#include <ATen/ops/full_like.h>
#include <cmath>
#include <fstream>

QL_PLUGIN("empties", "1", "Leaves nothing")

using namespace ql;

namespace {

struct RemovingPass final : Pass
{
    explicit RemovingPass(const nlohmann::json &params) : keepsOutputs(params.at("keeps_outputs")) {}
    std::string_view id() const override { return "removes_all"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        if (!keepsOutputs) model.graph.setOutputs({});
        for (const OpId id : model.graph.operations()) model.graph.removeOperation(id);
        return 0;
    }
    bool keepsOutputs;
};
const PassRegistrar pass{
    {.info = {.id = "removes_all",
              .params = {{.name = "keeps_outputs", .type = "bool", .fallback = true, .meaning = "Their names."}}},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<RemovingPass>}};

/// Writes a scale of -1.
struct NegativeScale final : Pass
{
    explicit NegativeScale(const nlohmann::json &) {}
    std::string_view id() const override { return "negative_scale"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        const Slot first = model.plan.configs().begin()->first;
        model.plan.setScale(first, {-1.f}, {0}, QuantState::Active, {});
        return 1;
    }
};
const PassRegistrar negative{
    {.info = {.id = "negative_scale"}, .traits = {.kind = PassKind::Quant}, .make = makePassOf<NegativeScale>}};

/// Makes weights NaN or infinite.
template <bool isNan>
struct SetsAll final : Pass
{
    explicit SetsAll(const nlohmann::json &) {}
    std::string_view id() const override { return isNan ? "sets_nan" : "sets_infinity"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        for (const VarId id : model.graph.variables())
            if (const at::Tensor value = model.graph.variable(id).value; value.defined() && value.is_floating_point())
                model.graph.setValue(id, at::full_like(value, isNan ? NAN : INFINITY));
        return 1;
    }
};
const PassRegistrar nan{
    {.info = {.id = "sets_nan"}, .traits = {.kind = PassKind::Float}, .make = makePassOf<SetsAll<true>>}};
const PassRegistrar infinity{
    {.info = {.id = "sets_infinity"}, .traits = {.kind = PassKind::Float}, .make = makePassOf<SetsAll<false>>}};

/// Writes into a weight, which the float network shares.
struct WritesInPlace final : Pass
{
    explicit WritesInPlace(const nlohmann::json &) {}
    std::string_view id() const override { return "writes_in_place"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        for (const VarId id : model.graph.variables())
            if (const at::Tensor value = model.graph.variable(id).value; value.defined())
                static_cast<char *>(value.data_ptr())[0] ^= 1;
        return 0;
    }
};
const PassRegistrar inPlace{
    {.info = {.id = "writes_in_place"}, .traits = {.kind = PassKind::Quant}, .make = makePassOf<WritesInPlace>}};

/// Writes half of its file, and fails.
ExportResult writeHalf(const ExportRequest &request)
{
    std::ofstream(request.target) << "half";
    throw std::runtime_error("half is enough");
}
const ExporterRegistrar half{"writes_half", {.info = {.id = "writes_half"}, .run = writeHalf}};

const ExporterRegistrar nothing{
    "writes_nothing", {.info = {.id = "writes_nothing"}, .run = [](const ExportRequest &) { return ExportResult{}; }}};
const ExporterRegistrar elsewhere{"claims_a_file",
                                  {.info = {.id = "claims_a_file"}, .run = [](const ExportRequest &request) {
                                       return ExportResult{.files = {request.target}};
                                   }}};

} // namespace

#pragma once

#include "core/api/run_report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/// Reports of any size with plausible numbers, the same ones for the same arguments: a chain of Conv, Clip and Add with
/// errors over several decades, per-channel weights, overlapped and passive slots, histograms, problems and exports.
namespace ql::test {

class Dice
{
public:
    explicit Dice(std::uint64_t seed) : m_state(seed) {}
    /// Uniform in [0, 1).
    double next()
    {
        m_state = m_state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX generator
        return double(m_state >> 11) / 9007199254740992.0;
    }
    double between(double low, double high) { return low + (high - low) * next(); }
    double logBetween(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }

private:
    std::uint64_t m_state;
};

inline nlohmann::json measures(double noise, Dice &dice)
{
    return {{"noise_ratio", noise},
            {"sqnr_db", -10.0 * std::log10(noise)},
            {"cosine", 1.0 - noise / 2.0},
            {"mse", noise * dice.logBetween(0.01, 4.0)},
            {"max_abs", std::sqrt(noise) * dice.between(2.0, 9.0)},
            {"samples", 8},
            {"elements", 8 * 112 * 112 * 32}};
}

/// A bell of two exponential flanks around mean, cut off below at `low`, in 64 bins.
inline nlohmann::json distribution(double mean, double width, double low, Dice &dice)
{
    const double min = std::max(low, mean - 7.0 * width);
    const double max = mean + dice.between(5.0, 9.0) * width;
    std::vector<std::int64_t> counts;
    for (int i = 0; i < 64; ++i) {
        const double x = min + (max - min) * (i + 0.5) / 64.0;
        counts.push_back(std::int64_t(200000.0 * std::exp(-std::abs(x - mean) / width) * dice.between(0.8, 1.2)));
    }
    if (min == low) counts.front() += 400000; // values clipped by a ReLU are in the first bin
    return {{"mean", mean},
            {"std", width * 1.4},
            {"skewness", dice.between(-1, 2)},
            {"kurtosis", dice.between(-0.5, 9)},
            {"min", min},
            {"max", max},
            {"histogram", {{"min", min}, {"max", max}, {"counts", counts}}}};
}

/// The origins in set_by, such as "platform rule 2" and "pass bake", as data.
inline nlohmann::json originsOf(const nlohmann::json &setBy)
{
    nlohmann::json origins = nlohmann::json::array();
    for (const auto &[field, said] : setBy.items()) {
        const std::string who = said.get<std::string>();
        nlohmann::json origin = {{"fields", {field}}};
        if (who.starts_with("pass "))
            origin.update({{"kind", "pass"}, {"id", who.substr(5)}});
        else
            origin.update({{"kind", "rule"}, {"id", "TRT_INT8"}, {"index", who.back() - '1'}});
        origins.push_back(origin);
    }
    return origins;
}

inline nlohmann::json config(const std::string &op, const std::string &variable, const std::string &role, int index,
                             const std::string &state, std::vector<double> scale, const std::string &root = {})
{
    const bool perChannel = scale.size() > 1;
    const bool bias = role == "parameter" && index == 2;
    nlohmann::json out{{"op", op},
                       {"variable", variable},
                       {"role", role},
                       {"index", index},
                       {"state", state},
                       {"bits", bias ? 32 : 8},
                       {"exponent_bits", 0},
                       {"quant_min", bias ? -2147483647 : -128},
                       {"quant_max", bias ? 2147483647 : 127},
                       {"symmetric", true},
                       {"power_of_two", false},
                       {"dynamic", false},
                       {"channel_axis", nullptr},
                       {"percentile", nullptr},
                       {"percentile_over", nullptr},
                       {"min_scale", nullptr},
                       {"histogram_bins", nullptr},
                       {"isotone_axis", nullptr},
                       {"visibility", 0},
                       {"rounding", "half_even"},
                       {"observer", perChannel ? "minmax" : "percentile"},
                       {"scale", scale},
                       {"zero_point", std::vector<int>(scale.size(), 0)},
                       {"root", nullptr}};
    if (perChannel) out["channel_axis"] = 0;
    out["set_by"] = {
        {"bits", "platform rule 1"},      {"range", "platform rule 1"},
        {"symmetric", "platform rule 1"}, {"rounding", "platform rule 1"},
        {"scale", "pass calibrate"},      {"observer", perChannel ? "platform rule 2" : "platform rule 1"}};
    if (perChannel) out["set_by"]["channel_axis"] = "platform rule 2";
    if (bias) out["set_by"]["state"] = "pass passive_parameters";
    if (state == "overlapped") {
        out["set_by"]["state"] = "pass fuse_activation";
        out["root"] = {{"op", root}, {"role", "output"}, {"index", 0}};
    }
    out["origins"] = originsOf(out["set_by"]);
    return out;
}

/// A row of errors with the given measures; the others are unset.
inline nlohmann::json errorRow(const nlohmann::json &given)
{
    nlohmann::json row{{"noise_ratio", nullptr}, {"sqnr_db", nullptr}, {"cosine", nullptr}, {"mse", nullptr},
                       {"max_abs", nullptr},     {"samples", 0},       {"elements", 0}};
    row.update(given);
    return row;
}

inline nlohmann::json errorRows(const nlohmann::json &given)
{
    nlohmann::json rows = nlohmann::json::array();
    for (const nlohmann::json &row : given) rows.push_back(errorRow(row));
    return rows;
}

/// The part of a report before its operations.
inline nlohmann::json syntheticHead(int operations)
{
    using nlohmann::json;
    json report;
    report["schema"] = "quantloupe-report/1";
    report["tool"] = {
        {"name", "quantloupe"}, {"version", "0.1.0"}, {"libtorch", "1.13.1"}, {"device", "cpu"}, {"threads", 2}};
    report["model"] = {
        {"path", "models/mobilenetv2_backbone.onnx"},
        {"sha256", "9a3f0c55e1b7d24c86f1a0b94f37cd2e5b8890a1f2c3d4e5f60718293a4b5c6d"},
        {"format", "onnx"},
        {"opset", 13},
        {"opsets", {{"", 13}}},
        {"ir_version", 8},
        {"producer", "MXNet"},
        {"inputs", json::array({{{"name", "data"}, {"type", "float32"}, {"shape", {1, 3, 224, 224}}}})},
        {"outputs", json::array({{{"name", "output"}, {"type", "float32"}, {"shape", {1, 1000}}}})},
        {"counts",
         {{"operations", operations}, {"parameters", operations}, {"weights", 2223872}, {"types", {{"Conv", 52}}}}},
        {"files", json::array()}};
    report["inputs_key"] = "c0ffee";
    json passes = json::array();
    for (const char *id :
         {"fuse_activation", "parameter_quantize", "calibrate", "align", "passive_parameters", "bake"}) {
        passes.push_back({{"id", id}, {"enabled", true}, {"params", json::object()}});
    }
    passes[2]["params"] = {{"method", "percentile"}};
    const char *preprocess = "rgb; resize 256 short; crop 224; scale 1/255";
    report["recipe"] = {
        {"format", "quantloupe-recipe/1"},
        {"model",
         {{"path", "models/mobilenetv2_backbone.onnx"}, {"weights", ""}, {"sha256", report["model"]["sha256"]}}},
        {"input_shapes", json::object()},
        {"calibration", {{"path", "data/calib.npz"}, {"samples", 32}, {"preprocess", preprocess}}},
        {"evaluation", {{"path", ""}, {"samples", 8}, {"preprocess", preprocess}}},
        {"platform", "TRT_INT8"},
        {"dispatcher", "conservative"},
        {"dispatch", json::array()},
        {"passes", passes},
        {"overrides", json::array()},
        {"analyses", json::array({{{"id", "graphwise"}, {"params", json::object()}},
                                  {{"id", "layerwise"}, {"params", json::object()}}})},
        {"exports", json::array()},
        {"device", "cpu"},
        {"threads", 2}};
    for (const char *key : {"operations", "configs", "graphwise", "layerwise", "outputs", "statistics", "passes",
                            "stages", "exports", "problems"}) {
        report[key] = json::array();
    }
    return report;
}

/// Adds the passes, stages, files and problems of a report.
inline void addSyntheticTail(nlohmann::json &report)
{
    using nlohmann::json;
    for (const auto &[id, changed, seconds] :
         {std::tuple{"fuse_activation", 36, 0.0012}, std::tuple{"parameter_quantize", 53, 0.031},
          std::tuple{"calibrate", 101, 0.512}, std::tuple{"align", 30, 0.0008},
          std::tuple{"passive_parameters", 53, 0.0002}, std::tuple{"bake", 106, 0.021}}) {
        report["passes"].push_back({{"id", id}, {"changed", changed}, {"seconds", seconds}});
    }
    for (const char *id : {"import", "format", "dispatch", "configure", "calibrate", "graphwise", "layerwise"}) {
        report["stages"].push_back(
            {{"id", id}, {"key", "c0ffee1234567890abcdef"}, {"cached", id[0] == 'i'}, {"seconds", 0.1234}});
    }
    report["exports"].push_back(
        {{"format", "onnx_qdq"},
         {"files", json::array({{{"path", "out/q.onnx"},
                                 {"sha256", "77aa00bb11cc22dd33ee44ff5566778899aabbccddeeff001122334455667788"}}})},
         {"notes", json::array({"opset raised from 11 to 13 for per-channel DequantizeLinear"})}});
    const std::string conv = report["operations"][0]["name"];
    report["problems"].push_back(
        {{"severity", "warning"},
         {"op", conv},
         {"variable", conv + "_output"},
         {"message", "channel ranges of the weight differ by a factor of 41 inside one tensor scale"},
         {"remedy", "Quantize the weight per channel, or add the pass equalize before calibrate."}});
    report["problems"].push_back({{"severity", "info"},
                                  {"op", "prob"},
                                  {"variable", ""},
                                  {"message", "stays float: Softmax is not quantizable on TRT_INT8"},
                                  {"remedy", ""}});
    report["seconds"] = 3.21;
    report["peak_rss_mib"] = 512.4;
}

/// operations: how many ops, 3 at least; channels: entries of a per-channel scale.
inline nlohmann::json syntheticReport(int operations, int channels = 32, std::uint64_t seed = 7)
{
    using nlohmann::json;
    Dice dice(seed);
    json report = syntheticHead(operations);
    std::string input = "data", producer;
    double gathered = 2e-4;
    for (int i = 0; i < operations; ++i) {
        const std::string block = "mobilenetv20_features_linearbottleneck" + std::to_string(i / 6);
        const bool last = i + 1 == operations;
        const std::string type = last ? "Softmax" : i % 6 == 5 ? "Add" : i % 2 ? "Clip" : "Conv";
        const std::string name = last ? "prob"
                                      : block + (type == "Conv"   ? "_conv" + std::to_string(i % 6 / 2) + "_fwd"
                                                 : type == "Clip" ? "_relu6_" + std::to_string(i % 6 / 2) + "_fwd"
                                                                  : "_elemwise_add0");
        const std::string output = last ? "output" : name + "_output";
        json inputs = json::array({input});
        if (type == "Conv") {
            inputs.push_back(name + "_weight");
            inputs.push_back(name + "_bias");
        }
        report["operations"].push_back(
            {{"name", name},
             {"type", type},
             {"domain", ""},
             {"platform", last ? "FP32" : "TRT_INT8"},
             {"quantized", !last},
             {"reason", last ? "Softmax is not quantizable on TRT_INT8"
                             : type + " is quantizable on TRT_INT8 and computed from quantized inputs"},
             {"inputs", inputs},
             {"outputs", {output}}});
        if (last) break;
        report["configs"].push_back(
            config(name, input, "input", 0, i ? "overlapped" : "active", {dice.logBetween(0.005, 0.2)}, producer));
        if (type == "Conv") {
            std::vector<double> weights(std::size_t(std::max(1, channels)));
            for (double &scale : weights) scale = dice.logBetween(2e-4, 0.03);
            report["configs"].push_back(config(name, name + "_weight", "parameter", 1, "baked", weights));
            report["configs"].push_back(
                config(name, name + "_bias", "parameter", 2, "passive", {dice.logBetween(1e-6, 1e-4)}));
            gathered = std::min(0.4, gathered * dice.between(0.85, 1.4));
            json graphwise{{"op", name}, {"type", type}, {"variable", output}};
            graphwise.update(measures(gathered, dice));
            report["graphwise"].push_back(graphwise);
            json layerwise{{"op", name}, {"type", type}, {"variable", output}, {"output", "output"}};
            layerwise.update(measures(dice.logBetween(3e-6, 2e-2), dice));
            report["layerwise"].push_back(layerwise);
        }
        const double scale = dice.logBetween(0.01, 0.1);
        report["configs"].push_back(config(name, output, "output", 0,
                                           type == "Conv" && i + 2 < operations ? "overlapped" : "active", {scale},
                                           block + "_relu6_0_fwd"));
        if (i < 60) {
            const double width = scale * 127.0 / dice.between(3.0, 9.0); // some clipped, some not
            const double low = type == "Clip" ? 0.0 : -1e9;
            json entry{{"op", name},
                       {"type", type},
                       {"variable", output},
                       {"role", "output"},
                       {"index", 0},
                       {"samples", 8},
                       {"noise_ratio", dice.logBetween(1e-4, 0.3)}};
            entry["float"] = distribution(type == "Clip" ? width / 2 : 0.0, width, low, dice);
            entry["quantized"] = distribution(type == "Clip" ? width / 2 : 0.0, width * 0.9, low, dice);
            entry["noise"] = distribution(0.0, 0.02 * width, -1e9, dice);
            report["statistics"].push_back(entry);
        }
        input = output;
        producer = name;
    }
    json output{{"variable", "output"}};
    output.update(measures(gathered, dice));
    output["metric"] = {{"name", "top1"}, {"fp32", 0.962}, {"quantized", 0.81}, {"samples", 8}};
    report["outputs"].push_back(output);
    addSyntheticTail(report);
    return report;
}

} // namespace ql::test

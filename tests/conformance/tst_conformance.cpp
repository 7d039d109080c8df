// Runs the ONNX backend test suite (Debian: libonnx-testdata), the operator cases of a newer ONNX (scripts/make-venv
// writes them), and our own cases with ONNX Runtime's results (tests/data/conformance), through the importer and the
// executor.
//   tst_conformance [--only GLOB] [--device DEVICE] [--refused] [--passing FILE] [--write-passing FILE]
// DEVICE: cpu (default), cuda, or test, a device for machines without one (tests/support/test_device.h). Each case runs
// in a separate process, so that a crash is one failed case; with cuda all run in this one. A case ends as
//   passed   every output of every data set has the expected type, shape and values (rtol 1e-3, atol 1e-7, as the
//            suite itself compares, or as in its data.json), with the model unchanged and after the formatting passes;
//   refused  the engine reports, before or instead of computing, that it does not support something;
//   failed   a wrong result, an error while computing, a crash, a timeout of one minute;
//   excluded listed in excluded.txt with a reason.
// The program fails if a case fails or if one listed in passing.txt does not pass.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/exec/executor.h"
#include "core/exec/placement.h"
#include "core/exec/runtime.h"
#include "core/exec/type_tracer.h"
#include "core/io/onnx/import.h"
#include "core/pass/format_pipeline.h"
#include "core/pass/pass.h"
#include "tests/conformance/case_data.h"
#include "tests/support/test_device.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/all.h>
#include <ATen/ops/isclose.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace ql;
namespace fs = std::filesystem;

namespace {

std::string device = "cpu";

struct Outcome
{
    std::string verdict; ///< passed, refused, failed
    std::string reason;
};

struct Tolerance
{
    double relative = 1e-3, absolute = 1e-7;
};

std::string shapeText(const at::Tensor &t)
{
    std::string text = isSequence(t) ? "sequence" : isStrings(t) ? "strings" : isNone(t) ? "none" : "";
    if (text.empty()) text = dtypeName(t.scalar_type());
    for (const std::int64_t size : t.sizes()) text += " " + std::to_string(size);
    return text;
}

/// Empty if got equals the expected value.
std::string difference(const at::Tensor &want, const at::Tensor &got, const Tolerance &tolerance, bool shapeOnly)
{
    if (!got.defined()) return "an output is not computed";
    if (isSequence(want) && isSequence(got)) {
        const auto &a = sequenceOf(want);
        const auto &b = sequenceOf(got);
        if (a.size() != b.size())
            return "expected a sequence of " + std::to_string(a.size()) + ", got " + std::to_string(b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            const std::string inside = difference(a[i], b[i], tolerance, shapeOnly);
            if (!inside.empty()) return "item " + std::to_string(i) + ": " + inside;
        }
        return {};
    }
    if (shapeText(want) != shapeText(got)) return "expected " + shapeText(want) + ", got " + shapeText(got);
    if (isNone(want) || isSequence(want) || shapeOnly) return {};
    if (isStrings(want)) return stringsOf(want) == stringsOf(got) ? "" : "the strings differ";
    // bfloat16 may differ by one unit in the last place: older releases of the suite truncate instead of rounding
    if (want.scalar_type() == at::kBFloat16)
        return difference(want.to(at::kDouble), got.to(at::kDouble), {1.0 / 128, 0}, false);
    const at::Tensor a = want.to(at::kDouble).contiguous();
    const at::Tensor b = got.to(at::kDouble).contiguous();
    if (at::isclose(b, a, tolerance.relative, tolerance.absolute, true).all().item().toBool()) return {};
    const auto *wanted = a.data_ptr<double>();
    const auto *found = b.data_ptr<double>();
    std::int64_t count = 0, first = -1;
    for (std::int64_t i = 0; i < a.numel(); ++i) {
        const bool same =
            std::abs(wanted[i] - found[i]) <= tolerance.absolute + tolerance.relative * std::abs(wanted[i]) ||
            wanted[i] == found[i] || (std::isnan(wanted[i]) && std::isnan(found[i]));
        if (same) continue;
        ++count;
        if (first < 0) first = i;
    }
    return std::to_string(count) + " of " + std::to_string(a.numel()) + " values differ; number " +
           std::to_string(first) + ": expected " + std::to_string(wanted[first]) + ", got " +
           std::to_string(found[first]);
}

Tolerance toleranceOf(const fs::path &folder)
{
    Tolerance tolerance;
    if (!fs::exists(folder / "data.json")) return tolerance;
    const auto data = nlohmann::json::parse(test::bytesOf(folder / "data.json"));
    tolerance.relative = data.value("rtol", tolerance.relative);
    tolerance.absolute = data.value("atol", tolerance.absolute);
    return tolerance;
}

bool readsShortFloats(const Graph &graph, OpId id, const test::DataSet &data)
{
    const std::map<VarId, TensorType> types = Executor(graph, {"cpu", 1}).traceTypes(data.inputs, {});
    const std::vector<VarId> &inputs = graph.operation(id).inputs;
    return std::any_of(inputs.begin(), inputs.end(), [&](VarId input) {
        const auto it = types.find(input);
        return it != types.end() && (it->second.dtype == at::kHalf || it->second.dtype == at::kBFloat16);
    });
}

/// Errors in the outputs of graph; empty if they are correct for every data set.
std::string differences(const Graph &graph, const std::vector<test::DataSet> &sets, const Tolerance &tolerance,
                        bool shapeOnly)
{
    const Executor executor(graph, {device, 1});
    const Program program = executor.compile({});
    for (const test::DataSet &data : sets) {
        // By position, not by name: the suite's data does not always have the declared shapes
        std::vector<at::Tensor> values;
        for (const VarId id : program.feeds()) values.push_back(data.inputs.at(graph.variable(id).name));
        const std::vector<at::Tensor> got = program.run(values, {});
        if (got.size() < data.outputs.size()) return "an output is missing";
        for (std::size_t i = 0; i < data.outputs.size(); ++i) {
            const std::string what = difference(data.outputs[i], got[i], tolerance, shapeOnly);
            if (!what.empty()) return "output " + std::to_string(i) + ": " + what;
        }
        const std::map<VarId, TensorType> types = executor.traceTypes(data.inputs, {});
        for (std::size_t i = 0; i < got.size(); ++i) {
            const auto text = [](const TensorType &type) { return dtypeName(type.dtype) + " " + toString(type); };
            const std::string traced = text(types.at(graph.outputs()[i]));
            const std::string computed = text(TypeTracer::typeOf(got[i]));
            if (traced != computed)
                return "output " + std::to_string(i) + " is traced as " + traced + ", it is " + computed;
        }
    }
    // The test device supports everything that LibTorch supports on the CPU: a refusal means a kernel that mixes host
    // and device, or a 16-bit float, which real devices support.
    if (device == "test")
        for (const HostOperation &operation : program.hostOperations())
            if (operation.why == refusedByDevice() && !readsShortFloats(graph, operation.op, sets.front()))
                return "'" + graph.operation(operation.op).name + "' did not run on the device";
    return {};
}

/// graph as every run sees it.
Graph afterFormatting(const Graph &graph)
{
    QuantModel model;
    model.graph = graph;
    for (const std::string &id : defaultFormatPipeline()) runPass(*makePass(id, {}), model, PassContext{});
    return std::move(model.graph);
}

/// place: a folder of the suite, or one of our own models with its arrays.
Outcome runCase(const fs::path &place, bool shapeOnly)
{
    const fs::path file = place.extension() == ".onnx" ? place : place / "model.onnx";
    try {
        Graph graph;
        try {
            graph = importOnnx(file);
            std::vector<std::string> missing;
            for (const UnsupportedOp &op : unsupportedOps(graph))
                missing.push_back((op.domain.empty() ? "" : op.domain + ".") + op.type + "-" +
                                  std::to_string(op.opset) + ": " + op.why.english());
            std::sort(missing.begin(), missing.end());
            missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
            if (!missing.empty()) return {"refused", join(missing, "; ")};
        } catch (const Error &error) {
            return {"refused", error.what()};
        }
        const bool own = place.extension() == ".onnx";
        const Tolerance tolerance = own ? Tolerance{1e-3, 1e-5} : toleranceOf(place);
        const std::vector<test::DataSet> sets = own ? test::readArrays(place) : test::readFolders(place);
        if (sets.empty()) return {"failed", "the case has no data"};
        const std::string asItIs = differences(graph, sets, tolerance, shapeOnly);
        if (!asItIs.empty()) return {"failed", asItIs};
        const std::string formatted = differences(afterFormatting(graph), sets, tolerance, shapeOnly);
        if (!formatted.empty()) return {"failed", "after the formatting passes: " + formatted};
        return {"passed", {}};
    } catch (const Error &error) {
        return {error.kind == ErrorKind::UnsupportedOp ? "refused" : "failed", error.text()};
    } catch (const std::exception &error) {
        return {"failed", std::string("exception: ") + error.what()};
    } catch (...) {
        return {"failed", "unknown exception"};
    }
}

/// In a child process: a crash or an endless loop costs one case.
Outcome runApart(const fs::path &folder, bool shapeOnly)
{
    int ends[2];
    if (pipe(ends) != 0) return {"failed", "no pipe"};
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        alarm(60);
        const Outcome outcome = runCase(folder, shapeOnly);
        const std::string text = outcome.verdict + "\n" + outcome.reason;
        for (std::size_t sent = 0; sent < text.size();) {
            const ssize_t n = write(ends[1], text.data() + sent, text.size() - sent);
            if (n <= 0) break;
            sent += std::size_t(n);
        }
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n = read(ends[0], buffer, sizeof buffer); n > 0; n = read(ends[0], buffer, sizeof buffer))
        text.append(buffer, std::size_t(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        return {"failed", WTERMSIG(status) == SIGALRM ? std::string("no end within 60 s")
                                                      : std::string("crash: ") + strsignal(WTERMSIG(status))};
    const auto line = text.find('\n');
    if (line == std::string::npos) return {"failed", "the case ended without a verdict"};
    return {text.substr(0, line), text.substr(line + 1)};
}

/// "ACTION GLOB REASON" lines; '#' starts a comment. ACTION: exclude, or shape (only types and shapes are compared).
struct Exception
{
    std::string action, glob, reason;
};
std::vector<Exception> exceptionsOf(const fs::path &file)
{
    std::vector<Exception> out;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        Exception e;
        if (!(words >> e.action >> e.glob) || e.action[0] == '#') continue;
        std::getline(words >> std::ws, e.reason);
        out.push_back(e);
    }
    return out;
}

const char *const categories[] = {"node", "simple", "pytorch-converted", "pytorch-operator", "real", "newest", "own"};

/// The folder of a category's cases.
fs::path folderOf(const std::string &category, const fs::path &suite)
{
    if (category == "own") return fs::path(QL_TEST_DATA) / "conformance";
    if (category == "newest") return fs::path(QL_SOURCE_DIR) / "build/venv/cases";
    return suite / category;
}

/// What the cases came to.
struct Results
{
    std::map<std::string, std::map<std::string, int>> table; ///< category -> verdict -> count
    std::set<std::string> passing;
    std::map<std::string, std::vector<std::string>> refused; ///< reason -> cases
    std::vector<std::string> failures;
    std::set<std::string> missing; ///< categories
};

void runCase(const fs::path &folder, const std::string &category, const std::vector<Exception> &exceptions,
             const std::string &name, Results &results)
{
    auto &row = results.table[category];
    if (category != "own" && !fs::exists(folder / "model.onnx")) { // the package names models that it does not carry
        ++row["absent"];
        return;
    }
    const auto exception =
        std::find_if(exceptions.begin(), exceptions.end(), [&](const Exception &e) { return globMatch(e.glob, name); });
    if (exception != exceptions.end() && exception->action == "exclude") {
        ++row["excluded"];
        return;
    }
    const bool shapeOnly = exception != exceptions.end();
    // A GPU cannot be used in a fork of a process that has used it, and to start it takes half a second
    const Outcome outcome = device.starts_with("cuda") ? runCase(folder, shapeOnly) : runApart(folder, shapeOnly);
    ++row[outcome.verdict];
    if (outcome.verdict == "passed") results.passing.insert(name);
    if (outcome.verdict == "refused") results.refused[outcome.reason].push_back(name);
    if (outcome.verdict == "failed") results.failures.push_back(name + ": " + outcome.reason);
}

Results runCases(const fs::path &root, const fs::path &here, const std::string &only)
{
    const std::vector<Exception> exceptions = exceptionsOf(here / "excluded.txt");
    Results results;
    for (const std::string category : categories) {
        const fs::path from = folderOf(category, root);
        if (!fs::exists(from)) {
            results.missing.insert(category);
            continue;
        }
        std::vector<fs::path> folders;
        for (const auto &entry : fs::directory_iterator(from))
            if (category != "own" || entry.path().extension() == ".onnx") folders.push_back(entry.path());
        std::sort(folders.begin(), folders.end());
        for (const fs::path &folder : folders) {
            const std::string name = category + "/" + folder.stem().string();
            if (globMatch(only, name)) runCase(folder, category, exceptions, name, results);
        }
    }
    return results;
}

/// The cases of a list that passed before and do not now.
std::vector<std::string> lostCases(const Results &results, const fs::path &list, const std::string &only)
{
    std::vector<std::string> lost;
    std::ifstream known(list);
    for (std::string name; std::getline(known, name);)
        if (!name.empty() && name[0] != '#' && globMatch(only, name) && !results.passing.contains(name) &&
            !results.missing.contains(name.substr(0, name.find('/'))))
            lost.push_back(name);
    return lost;
}

void print(Results &results, const std::vector<std::string> &lost, const fs::path &root, bool withRefused)
{
    if (withRefused)
        for (const auto &[reason, names] : results.refused)
            std::printf("refused (%zu): %s\n    %s\n", names.size(), reason.c_str(), join(names, " ").c_str());
    for (const std::string &failure : results.failures) std::printf("FAILED %s\n", failure.c_str());
    for (const std::string &category : results.missing)
        std::printf("%s: no cases at %s\n", category.c_str(), folderOf(category, root).c_str());
    for (const std::string &name : lost) std::printf("LOST %s passed before\n", name.c_str());

    std::printf("%-20s %8s %8s %8s %8s %8s %8s\n", "category", "passed", "refused", "failed", "excluded", "absent",
                "passed %");
    for (const std::string category : categories) {
        auto &row = results.table[category];
        const int counted = row["passed"] + row["refused"] + row["failed"];
        std::printf("%-20s %8d %8d %8d %8d %8d %8.1f\n", category.c_str(), row["passed"], row["refused"], row["failed"],
                    row["excluded"], row["absent"], counted ? 100.0 * row["passed"] / counted : 0.0);
    }
}

} // namespace

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    const Runtime runtime;
    std::map<std::string, std::string> options;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        options[name] = i + 1 < argc && argv[i + 1][0] != '-' ? argv[++i] : "";
    }
    if (options.contains("--device")) device = options["--device"];
    try {
        requireDevice(device);
    } catch (const Error &error) {
        std::printf("SKIPPED_ALL: %s\n", error.what());
        return 0;
    }
    const char *given = std::getenv("QL_ONNX_TESTDATA");
    const fs::path root = given ? given : "/usr/lib/python3/dist-packages/onnx/backend/test/data";
    if (!fs::exists(root / "node")) {
        std::printf("SKIPPED_ALL: %s is not there; install libonnx-testdata\n", root.c_str());
        return 0;
    }
    const fs::path here = fs::path(QL_SOURCE_DIR) / "tests/conformance";
    const std::string only = options.contains("--only") ? options["--only"] : "*";
    Results results = runCases(root, here, only);
    const std::vector<std::string> lost =
        lostCases(results, options.contains("--passing") ? fs::path(options["--passing"]) : here / "passing.txt", only);
    print(results, lost, root, options.contains("--refused"));
    if (options.contains("--write-passing")) {
        std::ofstream out(options["--write-passing"]);
        out << "# Cases that pass; written by tst_conformance --write-passing FILE.\n";
        for (const std::string &name : results.passing) out << name << "\n";
    }
    return results.failures.empty() && lost.empty() ? 0 : 1;
}

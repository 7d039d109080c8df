#include "core/session/import_encodings.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/importer.h"
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"
#include "core/pass/body_model.h"
#include "core/platform/dispatcher.h"
#include "core/platform/quantizer.h"
#include "core/platform/rule.h"
#include "core/session/encodings.h"
#include "core/session/matched_encodings.h"
#include "core/session/own_export.h"
#include "core/session/platform_form.h"
#include "core/session/prepare.h"
#include "core/session/quantize_body.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace ql {

namespace {

/// The output of an operation and all of its consumers have the same grid: it may be written at either.
bool isTwice(const Graph &graph, const Grids &grids, Slot output)
{
    const Variable &variable = graph.variable(variableOf(graph, output));
    return !variable.uses.empty() && !graph.isGraphOutput(variable.id) &&
           std::all_of(variable.uses.begin(), variable.uses.end(), [&](const Use &use) {
               const auto read = grids.find({use.op, false, use.index});
               return read != grids.end() && read->second == grids.at(output);
           });
}

/// Rules that send the operations with encodings to the platform, and the others of the dispatcher's choice to FP32.
/// names: of the body that model is
std::vector<api::Rule> dispatchRules(const QuantModel &model, const std::string &platform, Grids &grids,
                                     const OperationNames &names)
{
    std::map<OpId, int> counts;
    for (const auto &[slot, grid] : grids) ++counts[slot.op];
    std::erase_if(grids, [&](const auto &entry) {
        const Slot slot = entry.first;
        const bool drops = slot.output && counts[slot.op] == 1 && model.platformOf(slot.op) != platform &&
                           isTwice(model.graph, grids, slot);
        if (drops) counts.erase(slot.op);
        return drops;
    });
    std::vector<api::Rule> rules;
    for (const OpId id : model.graph.operations()) {
        const bool isQuantized = counts.contains(id);
        const std::string current = model.platformOf(id);
        if (isQuantized == (current == platform)) continue;
        rules.push_back({.match = {.op = globEscaped(shownName(model.graph, id, names))},
                         .set = {.platform = isQuantized ? platform : fp32Platform}});
    }
    return rules;
}

/// Removes the grids of slots that the platform does not quantize, if the other side of the tensor has the same.
void keepOneSide(const QuantModel &model, Grids &grids)
{
    const auto isOff = [&](Slot slot) {
        const TensorQuantConfig *config = model.plan.find(slot);
        return !config || config->state == QuantState::Off;
    };
    std::set<Slot> dropped;
    for (const auto &[slot, grid] : grids) {
        if (slot.output) {
            if (isOff(slot) && isTwice(model.graph, grids, slot)) dropped.insert(slot);
            continue;
        }
        const OpId producer = model.graph.variable(variableOf(model.graph, slot)).producer;
        if (producer == noOp || !isOff(slot)) continue;
        const Slot written =
            outputSlot(producer, std::size_t(model.graph.variable(variableOf(model.graph, slot)).producerIndex));
        const auto known = grids.find(written);
        if (known != grids.end() && known->second == grid && !isOff(written)) dropped.insert(slot);
    }
    for (const Slot slot : dropped) grids.erase(slot);
}

/// The shortest decimal that reads back to the same float32.
double shortest(float value)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    double result = value;
    std::from_chars(text.data(), end, result);
    return result;
}

bool isSymmetric(const StoredGrid &grid)
{
    return std::all_of(grid.zeroPoint.begin(), grid.zeroPoint.end(), [](std::int32_t zero) { return zero == 0; });
}

/// The same grid with the codes of the platform, if it has as many: uint8 with zero point 128 is int8 with 0. A weight,
/// or an activation that is clipped, may have fewer codes than its type.
StoredGrid inCodesOf(const TensorQuantConfig &config, StoredGrid grid, const at::Tensor &value)
{
    if (grid.dynamic || config.bits > grid.bits || config.isFloating() || grid.isFloating()) return grid;
    if (config.quantMax - config.quantMin == grid.quantMax - grid.quantMin) {
        StoredGrid moved = grid;
        const std::int64_t shift = config.quantMin - grid.quantMin;
        moved.bits = config.bits;
        moved.quantMin += shift;
        moved.quantMax += shift;
        for (std::int32_t &zero : moved.zeroPoint) zero = std::int32_t(zero + shift);
        return shift == 0 || isSymmetric(moved) == config.symmetric ? moved : grid;
    }
    if (value.defined() && value.numel() > 0 && config.quantMin >= grid.quantMin && config.quantMax <= grid.quantMax) {
        const at::Tensor codes = codesOn(value, grid);
        if (codes.min().item().toLong() >= config.quantMin && codes.max().item().toLong() <= config.quantMax) {
            grid.bits = config.bits;
            grid.quantMin = config.quantMin;
            grid.quantMax = config.quantMax;
        }
    }
    return grid;
}

bool isPowerOfTwo(float value)
{
    int exponent = 0;
    return std::frexp(value, &exponent) == 0.5f;
}

/// The grid as what it changes in the platform's config.
api::RuleSet settingOf(const StoredGrid &grid, const TensorQuantConfig &config, bool roundsHalfEven)
{
    api::RuleSet set;
    set.state = QuantState::Initial;
    const bool isOther = grid.exponentBits != config.exponentBits || grid.codebook != config.codebook;
    if (grid.bits != config.bits || isOther) set.bits = grid.bits;
    if (grid.exponentBits != config.exponentBits) set.exponentBits = grid.exponentBits;
    if (grid.codebook != config.codebook) set.codebook = grid.codebook;
    if (set.bits || grid.quantMin != config.quantMin || grid.quantMax != config.quantMax) {
        set.quantMin = grid.quantMin;
        set.quantMax = grid.quantMax;
    }
    const bool symmetric =
        grid.dynamic ? grid.quantMin < 0 : isSymmetric(grid); // DynamicQuantizeLinear has a zero point
    if (config.symmetric ? !symmetric : (grid.dynamic || grid.isFloating()) && symmetric) set.symmetric = symmetric;
    if (config.powerOfTwo && !std::all_of(grid.scale.begin(), grid.scale.end(), isPowerOfTwo)) set.powerOfTwo = false;
    if (config.dynamic != grid.dynamic) set.dynamic = grid.dynamic;
    if (grid.groupSize > 0)
        set.granularity = api::Granularity{api::Granularity::Kind::Group, 0, grid.groupSize};
    else if (config.channelAxis != grid.axis || config.isGrouped())
        set.granularity = grid.axis ? api::Granularity{api::Granularity::Kind::Axis, *grid.axis} : api::Granularity{};
    if (roundsHalfEven && config.rounding != Rounding::HalfEven) set.rounding = Rounding::HalfEven;
    if (grid.dynamic) return set;
    for (const float scale : grid.scale) set.scale.push_back(shortest(scale));
    if (!isSymmetric(grid)) set.zeroPoint = grid.zeroPoint;
    return set;
}

/// What the encodings change in the configs of the slots that may be rounded.
SlotSettings settingsOf(const QuantModel &model, const Matches &matches, bool roundsHalfEven)
{
    SlotSettings settings;
    for (const auto &[variable, slots] : slotsOfTensors(model))
        for (const Slot slot : slots) {
            const auto grid = matches.grids.find(slot);
            if (grid == matches.grids.end()) continue;
            const TensorQuantConfig &config = *model.plan.find(slot);
            const auto value = matches.values.find(slot);
            StoredGrid own =
                inCodesOf(config, grid->second, value == matches.values.end() ? at::Tensor() : value->second);
            const auto &shape = model.graph.variable(variable).type.shape;
            if (const auto axis = config.channelAxis; axis && !own.axis && own.scale.size() == 1 && shape &&
                                                      std::size_t(*axis) < shape->size() && (*shape)[*axis].size == 1)
                own.axis = *axis; // of one channel, whose file need not say so
            settings[slot] = settingOf(own, config, roundsHalfEven);
        }
    return settings;
}

/// A graph of the model, and what the file says about it.
struct Level
{
    BodyPath path; ///< empty: the model's own
    QuantModel model;
    BodyRequest request;
    Matches matches;
};

/// Appends the bodies in a level, those in bodies included. A captured weight has the grid that its reader has.
void addBodies(std::vector<Level> &levels, const StoredEncodings &stored, std::size_t outer, const BodyNames &names)
{
    const std::vector<OpId> ids = levels[outer].model.graph.operations();
    for (const OpId id : ids) {
        const Operation op = levels[outer].model.graph.operation(id);
        for (const auto &[attribute, value] : op.attributes) {
            const auto *graph = std::get_if<std::shared_ptr<const Graph>>(&value);
            if (!graph || !*graph) continue;
            BodyModel body = bodyModel(levels[outer].model, levels[outer].path, id, attribute, Origin());
            BodyNames inner = names;
            inner.emplace_back(op.name, attribute);
            const std::size_t own = levels.size();
            Level &level = levels.emplace_back();
            level.path = levels[outer].path;
            level.path.emplace_back(id, attribute);
            level.matches = matchEncodings(body.model.graph, stored, inner);
            level.model = std::move(body.model);
            level.request = std::move(body.request);
            addBodies(levels, stored, own, inner);
            const std::vector<std::string> captured = captureNames(op);
            for (std::size_t k = 0; k < captured.size(); ++k) {
                const VarId weight = capturedTensor(**graph, captured[k]);
                const std::size_t input = formalInputCount(op) + k;
                if (weight == noVar || !levels[outer].model.graph.isParameter(op.inputs[input])) continue;
                for (const Use &use : (*graph)->variable(weight).uses)
                    if (const auto grid = levels[own].matches.grids.find({use.op, false, use.index});
                        grid != levels[own].matches.grids.end())
                        levels[outer].matches.grids.emplace(inputSlot(id, input), grid->second);
            }
        }
    }
}

/// hasBodies: they are quantized.
std::vector<Level> levelsOf(const Graph &graph, const StoredEncodings &stored, bool hasBodies)
{
    std::vector<Level> levels(1);
    levels[0].model.graph = graph;
    levels[0].matches = matchEncodings(graph, stored, {});
    if (hasBodies) addBodies(levels, stored, 0, {});
    return levels;
}

/// What is reported about all levels; the grids stay with them.
Matches allMatches(const std::vector<Level> &levels)
{
    Matches all;
    for (const auto &[path, model, request, matches] : levels) {
        all.different.insert(all.different.end(), matches.different.begin(), matches.different.end());
        all.found.insert(matches.found.begin(), matches.found.end());
        all.missing.insert(matches.missing.begin(), matches.missing.end());
        if (!all.unfit && matches.unfit) all.unfit = matches.unfit;
    }
    for (const std::string &name : all.found) all.missing.erase(name);
    return all;
}

/// First of all, everything is off.
api::Rule allOff(const StoredEncodings &stored)
{
    api::Rule rule{.set = {.state = QuantState::Off}};
    if (stored.omitsParameters) rule.match.isParameter = false;
    if (stored.omitsBiases) rule.match.states = {QuantState::Initial};
    return rule;
}

/// The passes of the platform that derive something from known scales; no calibration, and no fusion: the file says
/// what is rounded.
std::vector<api::StepRequest> pipelineFor(const PlatformDefinition &platform, bool dequantizes)
{
    const auto derives = [](PassAspect aspect) {
        return aspect == PassAspect::ParameterScales || aspect == PassAspect::DerivedScales ||
               aspect == PassAspect::RoundedBiases;
    };
    std::vector<api::StepRequest> steps;
    const auto add = [&](const std::string &id) { steps.emplace_back().id = id; };
    if (dequantizes) add(dequantizePassId());
    bool isFixed = false;
    for (const api::StepRequest &step : platform.passes) {
        const api::PassTraits &traits = passTraits(step.id);
        if (step.enabled && step.id == quantizeBodiesPassId()) add(fixedBodiesPassId());
        if (!step.enabled || traits.kind != PassKind::Quant || traits.needsData || !traits.joins.empty() ||
            !std::all_of(traits.writes.begin(), traits.writes.end(), derives))
            continue;
        if (!isFixed && !traits.doesWrite(PassAspect::ParameterScales)) {
            add(fixedScalesPassId());
            isFixed = true;
        }
        steps.push_back(step);
    }
    if (!isFixed) add(fixedScalesPassId());
    return steps;
}

/// Names in the model's file: of tensors that formatting fused or removed, too.
std::set<std::string> namesInFile(const RunState &state)
{
    ImportRequest request;
    request.file = state.resolve(state.recipe.model);
    Graph graph = importModel(request);
    std::set<std::string> names;
    editAllGraphs(graph, [&](Graph &each) {
        for (const VarId id : each.variables()) names.insert(each.variable(id).name);
        return 0;
    });
    return names;
}

void reportMatches(const RunState &state, const EncodingsImport &request, Matches &matches, ImportedEncodings &result)
{
    if (!matches.missing.empty()) {
        const std::set<std::string> names = namesInFile(state);
        const std::size_t before = matches.missing.size();
        std::erase_if(matches.missing, [&](const std::string &name) { return names.contains(name); });
        if (const std::size_t fused = before - matches.missing.size())
            result.problems.push_back(
                {.severity = api::Severity::Info,
                 .message =
                     QL_TEXT("tensors with encodings that are not in the formatted model, because they were between "
                             "operations that are fused: %1")
                         .with(fused)});
    }
    result.matched = matches.found.size();
    result.tensors = matches.found.size() + matches.missing.size();
    if (!matches.different.empty())
        result.problems.push_back(
            {.severity = api::Severity::Warning,
             .variable = matches.different.front(),
             .message =
                 QL_TEXT("weights whose codes differ between the model and the file: %1; the recipe uses the model's")
                     .with(matches.different.size()),
             .remedy = QL_TEXT("Import without %1 to use the file's, such as trained or equalized ones.")
                           .with(Text::option("--model"))});
    if (matches.missing.empty()) return;
    const std::string &first = *matches.missing.begin();
    const Text message = QL_TEXT("the model has no tensor '%1'; %2 of %3 tensors with encodings are in it")
                             .with(first, result.matched, result.tensors);
    const Text remedy = QL_TEXT("Use the model that the encodings were made for.");
    if (result.matched * 2 < result.tensors)
        throw Error(ErrorKind::BadData, QL_TEXT("these are encodings of another model: %1").with(message))
            .inFile(request.file)
            .withRemedy(remedy);
    result.problems.push_back(
        {.severity = api::Severity::Warning, .variable = first, .message = message, .remedy = remedy});
}

/// Layers of the float model that the file does not have under any of their names: it belongs to another version.
void reportMissingLayers(const Graph &graph, const StoredEncodings &stored, ImportedEncodings &result)
{
    std::vector<std::string> missing;
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        if (!traitsOf(op).hasExactSums || !op.hasInput(1) || !graph.isParameter(op.inputs[1])) continue;
        const std::string names[] = {op.name, graph.variable(op.outputs[0]).name, graph.variable(op.inputs[1]).name};
        if (std::none_of(std::begin(names), std::end(names),
                         [&](const std::string &name) { return stored.names.contains(name); }))
            missing.push_back(op.name);
    }
    if (missing.empty()) return;
    result.problems.push_back(
        {.severity = api::Severity::Warning,
         .op = missing[0],
         .message =
             QL_TEXT("layers of the model that the file does not have: %1; they run in float32").with(missing.size()),
         .remedy = QL_TEXT("Use the model that the file was made from.")});
}

/// The one of the request, the one that the file names, or the usual one of such files.
std::string platformFor(const EncodingsImport &request, const EncodingsEntry &format, const StoredEncodings &stored,
                        const std::function<void(api::Problem)> &report)
{
    if (!request.platform.empty()) return platform(request.platform).id;
    if (!stored.platform.empty()) {
        if (const PlatformDefinition *named = findPlatform(stored.platform)) return named->id;
        report(
            {.severity = api::Severity::Warning,
             .message = QL_TEXT("the file was exported for the unknown platform '%1'; it is read for %2")
                            .with(stored.platform, format.platform),
             .remedy = QL_TEXT("Add the platform, or choose another one with %1.").with(Text::option("--platform"))});
    }
    return platform(format.platform).id;
}

} // namespace

/// Whether the file says something about bodies, and the platform has a pass for them.
static bool readsBodies(const std::vector<api::StepRequest> &passes, const StoredEncodings &stored,
                        const std::function<void(api::Problem)> &report)
{
    const auto &tensors = stored.tensors;
    if (std::all_of(tensors.begin(), tensors.end(), [](const auto &tensor) { return tensor.body.empty(); }))
        return false;
    if (std::any_of(passes.begin(), passes.end(), [](const auto &step) { return step.id == fixedBodiesPassId(); }))
        return true;
    report({.severity = api::Severity::Warning,
            .message = QL_TEXT("what the file quantizes in bodies of If, Loop and Scan stays in float32: the platform "
                               "does not quantize bodies")});
    return false;
}

/// Gives the levels, outer ones first, their configs, and the recipe the rules that make of these what the file says.
static ModelSettings addRules(api::Recipe &recipe, const RunState &state, std::vector<Level> &levels,
                              bool roundsHalfEven)
{
    ModelSettings all;
    std::map<BodyPath, OperationNames> called = namesOfBodies(levels[0].model.graph);
    for (Level &level : levels) {
        QuantModel &model = level.model;
        const OperationNames &names = called[level.path];
        const PlatformDefinition *definition = &state.platform();
        if (level.path.empty()) {
            model.dispatch = dispatch(model.graph, state.recipe.dispatcher, dispatchRequest(*definition));
        } else {
            const BodyPath path(level.path.begin(), level.path.end() - 1);
            const auto outer =
                std::find_if(levels.begin(), levels.end(), [&](const Level &other) { return other.path == path; });
            level.request.platform = outer->model.platformOf(level.path.back().first);
            definition = &platformOfBody(state, level.request);
            dispatchBody(state, *definition, model, level.request, names);
        }
        const std::vector<api::Rule> dispatched = dispatchRules(model, recipe.platform, level.matches.grids, names);
        recipe.dispatch.insert(recipe.dispatch.end(), dispatched.begin(), dispatched.end());
        applyDispatchOverrides(
            model.dispatch, model.graph, dispatched, [](api::Problem) {}, state.findPlatform(), names);
        configure(model, *definition, state.findPlatform());
        keepOneSide(model, level.matches.grids);
        const SlotSettings settings = settingsOf(model, level.matches, roundsHalfEven);
        const auto slots = slotsOfTensors(model);
        std::vector<api::Rule> rules;
        if (level.path.empty()) {
            rules = rulesOf(model.graph, slots, settings);
        } else { // rules about tensors of the outer graph match in bodies, too
            SlotSettings complete = settings;
            for (const auto &[variable, its] : slots)
                for (const Slot slot : its) complete.try_emplace(slot, api::RuleSet{.state = QuantState::Off});
            rules = rulesOfBody(model.graph, names, complete);
        }
        recipe.overrides.insert(recipe.overrides.end(), rules.begin(), rules.end());
        all.emplace(level.path, settings);
    }
    return all;
}

ImportedEncodings importEncodings(const EncodingsImport &request, const JobContext &job)
{
    ImportedEncodings result;
    const EncodingsFile file = openEncodings(request.file);
    const EncodingsEntry &format = file.format;
    if (!format.isModel && request.model.empty())
        throw Error(ErrorKind::BadConfig, QL_TEXT("the file contains encodings, but no model"))
            .inFile(request.file)
            .withRemedy(QL_TEXT("Give the float model with %1.").with(Text::option("--model")));
    const auto report = [&](api::Problem problem) { result.problems.push_back(std::move(problem)); };
    const StoredEncodings stored = format.read({request.file, job, report}, file.text);
    if (stored.tensors.empty())
        throw Error(ErrorKind::BadData, QL_TEXT("the file has no encodings of any tensor"))
            .inFile(request.file)
            .withRemedy(QL_TEXT("Check that its tool calibrated the model."));

    api::Recipe &recipe = result.recipe;
    recipe.platform = platformFor(request, format, stored, report);
    recipe.model = request.model.empty() ? request.file : request.model;
    recipe.passes = pipelineFor(platform(recipe.platform), request.model.empty());
    RunState state = startRun(recipe, {}, false);
    state.tracesOpenBatch = true;
    importStages(state, job, false);
    recipe.sha256 = state.recipe.sha256;
    const bool hasBodies = readsBodies(*recipe.passes, stored, report);
    std::vector<Level> levels = levelsOf(state.model.graph, stored, hasBodies);
    Matches matches = allMatches(levels);
    if (stored.isOwn) {
        const auto settingsFor = [&](const Graph &graph) {
            std::vector<Level> own = levelsOf(graph, stored, hasBodies);
            api::Recipe rules = recipe;
            ModelSettings settings = addRules(rules, state, own, false);
            matches = allMatches(own);
            return FileSettings{std::move(rules.dispatch), std::move(settings)};
        };
        const auto isSame = [&](const QuantModel &model) {
            return writesEncodings(model, state.platform(), format, stored,
                                   {matches.different.begin(), matches.different.end()}, job);
        };
        if (auto same = asPlatformWrites(recipe, state, settingsFor, isSame, job)) {
            recipe = std::move(*same);
            reportMatches(state, request, matches, result);
            return result;
        }
        matches = allMatches(levels);
    }
    reportMatches(state, request, matches, result);
    if (format.isModel) reportMissingLayers(state.model.graph, stored, result);
    if (matches.unfit) throw Error(*matches.unfit).inFile(request.file);
    const ModelSettings settings = addRules(recipe, state, levels, format.isModel);
    recipe.overrides.insert(recipe.overrides.begin(), allOff(stored));
    if (auto natural = asPlatformRounds(recipe, settings, state, job)) recipe = std::move(*natural);
    return result;
}

} // namespace ql

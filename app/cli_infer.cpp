#include "app/cli_commands.h"
#include "app/cli_recipe.h"
#include "core/api/data_words.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/io/dataset.h"
#include "core/io/native.h"
#include "core/io/npz.h"
#include "core/session/cache.h"
#include "core/session/run.h"

#include <algorithm>
#include <memory>

namespace ql::cli {

using nlohmann::json;

namespace {

struct InferCommand
{
    RecipeOptions recipe;
    std::string input, output, tensors;
    bool fp32 = false, quiet = false, noCache = false;

    int run(Console &console) const;
};

int InferCommand::run(Console &console) const
{
    console.setQuiet(quiet);
    const LoadedRecipe loaded = recipe.load();
    console.problems(loaded.notes);
    const std::string ending = lower(std::filesystem::path(output).extension().string());
    if (ending != ".npz" && ending != ".npy")
        throw Error(ErrorKind::BadConfig, "--out: expected a .npz or .npy file, got '" + output + "'")
            .withRemedy("Write for example --out outputs.npz, which holds one array per output.");
    auto inputs = loaded.inputs();
    if (!api::isGenerated(input)) inputs.emplace_back(input);
    checkWritable(output, inputs);
    InferRequest request;
    request.input = api::isGenerated(input) ? std::filesystem::path(input) : std::filesystem::absolute(input);
    // Arrays are the graph inputs themselves: the steps of a recipe are for the images it was calibrated on.
    request.preprocess = isArrayFile(request.input) ? recipe.givenPreprocess() : loaded.recipe.calibration.preprocess;
    // Data without calibration: a model alone has no quantized form, except for a native file, which contains it.
    request.fp32 =
        fp32 || (!loaded.fromRecipe && loaded.recipe.calibration.path.empty() && !hasNativeName(loaded.recipe.model));
    for (const std::string &name : split(tensors, ','))
        if (const std::string tensor(trim(name));
            !tensor.empty() &&
            std::find(request.tensors.begin(), request.tensors.end(), tensor) == request.tensors.end())
            request.tensors.push_back(tensor);
    std::unique_ptr<StageCache> cache;
    if (!noCache && !request.fp32) {
        CacheOptions cacheOptions;
        cacheOptions.folder = StageCache::defaultFolder();
        cacheOptions.note = [&console](const Text &text) { console.notes({text}); };
        cache = std::make_unique<StageCache>(std::move(cacheOptions));
    }
    RunOptions options;
    options.base = loaded.base;
    options.recipeFile = loaded.file;
    options.cache = cache.get();
    std::vector<api::Problem> problems;
    request.report = [&problems](const api::Problem &problem) { problems.push_back(problem); };
    const auto arrays = aboutModel(loaded, [&] { return infer(loaded.recipe, request, options, console.startJob()); });
    console.endProgress();
    console.problems(problems);
    if (ending == ".npy" && arrays.size() != 1)
        throw Error(ErrorKind::BadConfig,
                    "--out: a .npy file holds a single array, got " + std::to_string(arrays.size()))
            .withRemedy("Write a .npz file, or name one tensor with --tensors.");
    writeFileAtomically(output, [&](std::ostream &out) {
        if (ending == ".npy")
            writeNpy(out, arrays.front().second);
        else
            writeNpz(out, arrays);
    });
    std::vector<std::string> written;
    for (const auto &[name, tensor] : arrays) {
        written.push_back(name + " " + sizesText(tensor.sizes()));
    }
    console.note(QL_TEXT("wrote %1: %2").with(output, Text::list(written)));
    return ExitCode::Good;
}

} // namespace

void addInfer(CLI::App &app, Action &action)
{
    CLI::App *command = app.add_subcommand("infer", "Run a forward pass: arrays in, arrays out");
    const auto self = std::make_shared<InferCommand>();
    self->recipe.addSource(*command);
    command
        ->add_option("--in", self->input,
                     "Inputs: arrays named as the graph inputs, samples along the leading axis, already preprocessed "
                     "(a recipe's preprocessing applies to images only); or any data PATH of `run`")
        ->type_name("F.npz")
        ->required();
    command->add_option("--out", self->output, "File for the outputs (or the tensors of --tensors), one array per name")
        ->type_name("F.npz")
        ->required();
    command->add_flag("--fp32", self->fp32, "Run in float32 even if SOURCE is a recipe");
    command->add_option("--tensors", self->tensors, "Write these tensors instead of the outputs")->type_name("a,b");
    self->recipe.addTarget(*command);
    self->recipe.addData(*command);
    self->recipe.addDevice(*command);
    command->add_flag("--no-cache", self->noCache, "Do not use the stage cache")->group("Program");
    command->add_flag("-q,--quiet", self->quiet, "Print errors only: no progress, no notes")->group("Program");
    command->footer(
        "A recipe and a native file (.qln) run quantized unless --fp32; another model runs in float unless --calib is "
        "given.\n"
        "Output arrays have the samples along the leading axis, like the inputs: inputs (20,3,224,224) give outputs "
        "(20,1000), inputs (20,1,3,224,224) give (20,1,1000). An output without a batch axis "
        "always gets a leading axis (an LSTM state (2,1,128) for 4 samples: (4,2,1,128)).\n"
        "Example: quantloupe-cli infer model.onnx --in inputs.npz --out outputs.npz --tensors conv1_out,logits");
    command->callback([self, &action] { action = [self](Console &console) { return self->run(console); }; });
}

} // namespace ql::cli

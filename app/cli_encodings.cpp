#include "app/cli_commands.h"
#include "app/cli_recipe.h"
#include "core/api/recipe.h"
#include "core/base/strings.h"
#include "core/platform/recipe_platforms.h"
#include "core/session/encodings.h"
#include "core/session/import_encodings.h"
#include "core/session/run.h"

#include <filesystem>
#include <memory>

namespace ql::cli {

namespace {

struct ImportEncodingsCommand
{
    EncodingsImport request;
    std::string recipeFile;

    int run(Console &console) const
    {
        if (recipeFile != "-") checkWritable(recipeFile, {request.file, request.model});
        const ImportedEncodings imported = importEncodings(request, console.startJob());
        console.endProgress();
        const auto folder =
            recipeFile == "-" ? std::filesystem::path(".") : std::filesystem::path(recipeFile).parent_path();
        const api::Recipe recipe = api::movedTo(completeRecipe(imported.recipe), ".", folder);
        console.writeJson(recipeFile, api::toJson(withPlatforms(recipe)));
        console.problems(imported.problems);
        console.written(recipeFile);
        return ExitCode::Good;
    }

    static std::string formats()
    {
        std::vector<std::string> lines;
        const auto &registry = Registry<EncodingsEntry>::instance();
        for (const std::string &id : registry.ids()) {
            const api::CatalogueItem &info = registry.find(id)->info;
            lines.push_back(wrapped(info.title.english() + ": " + info.meaning.english(), 98, 2));
        }
        return join(lines, "");
    }
};

} // namespace

void addImportEncodings(CLI::App &app, Action &action)
{
    CLI::App *command = app.add_subcommand(
        "import-encodings", "Read scales, zero points and bits of a quantized model as a recipe that fixes them");
    const auto self = std::make_shared<ImportEncodingsCommand>();
    command->add_option("FILE", self->request.file, "Quantized model (.onnx), or encodings of another tool")
        ->required();
    command
        ->add_option("--model", self->request.model,
                     "The float model, against which errors are measured (default: the float model in FILE)")
        ->type_name("FILE");
    command
        ->add_option("--platform", self->request.platform,
                     "Target, see `platforms` (default: the one that the file names, or the usual one)")
        ->type_name("ID");
    command->add_option("--save-recipe", self->recipeFile, "Write the recipe to FILE (- for standard output)")
        ->type_name("FILE")
        ->check(recipeFile())
        ->required();
    command->footer(std::string()); // the program's, which would follow
    command->footer([] {
        return "Example: quantloupe-cli import-encodings model-int8.onnx --model model.onnx --save-recipe "
               "model.quantloupe\n\n" +
               QL_TEXT("Files:").source() + "\n" + ImportEncodingsCommand::formats();
    });
    command->callback([self, &action] { action = [self](Console &console) { return self->run(console); }; });
}

} // namespace ql::cli

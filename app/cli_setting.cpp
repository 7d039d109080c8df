#include "app/cli_commands.h"
#include "app/cli_recipe.h"
#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/base/file.h"
#include "core/platform/recipe_platforms.h"
#include "core/session/ppq_setting.h"
#include "core/session/run.h"

#include <filesystem>
#include <memory>

namespace ql::cli {

namespace {

struct ConvertSettingCommand
{
    std::string file, platform, model, recipeFile = "-";

    int run(Console &console) const
    {
        if (recipeFile != "-") checkWritable(recipeFile, {file});
        ConvertedSetting converted = convertPpqSetting(api::JsonText::parse(readFile(file), file), platform);
        converted.recipe.model = model;
        const auto folder =
            recipeFile == "-" ? std::filesystem::path(".") : std::filesystem::path(recipeFile).parent_path();
        const api::Recipe recipe = api::movedTo(completeRecipe(converted.recipe), ".", folder);
        console.writeJson(recipeFile, api::toJson(withPlatforms(recipe)));
        console.problems(converted.problems);
        console.written(recipeFile);
        return ExitCode::Good;
    }
};

} // namespace

void addConvertSetting(CLI::App &app, Action &action)
{
    CLI::App *command = app.add_subcommand(
        "convert-setting", "Convert PPQ's settings (JSON) to a recipe; lists members that have no equivalent");
    const auto self = std::make_shared<ConvertSettingCommand>();
    command->add_option("SETTING", self->file, "PPQ's QuantizationSetting as JSON, or its setting for beginners")
        ->required();
    command
        ->add_option("--platform", self->platform, "Target, see `platforms` (default: the file's, otherwise TRT_INT8)")
        ->type_name("ID");
    command->add_option("--model", self->model, "The model of the recipe")->type_name("FILE");
    command->add_option("--save-recipe", self->recipeFile, "Write the recipe to FILE (default: standard output)")
        ->type_name("FILE")
        ->check(recipeFile());
    command->footer("Example: quantloupe-cli convert-setting setting.json --platform PPL_DSP_INT8 --save-recipe "
                    "model.quantloupe\n\nWhat each member becomes: docs/ppq-settings.md.");
    command->callback([self, &action] { action = [self](Console &console) { return self->run(console); }; });
}

} // namespace ql::cli

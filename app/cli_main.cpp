// quantloupe-cli: parses the command line and runs one command inside the error boundary, which turns every exception
// into a message and an exit code.
#include "app/cli_commands.h"
#include "app/cli_interrupt.h"
#include "app/cli_output.h"
#include "core/base/crash.h"
#include "core/base/error.h"
#include "core/base/plugin.h"
#include "core/base/scratch_folder.h"
#include "core/base/strings.h"
#include "core/exec/runtime.h"
#include "core/session/error_boundary.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <sstream>
#include <unistd.h>

namespace {

using namespace ql;
using namespace ql::cli;

std::vector<std::string> commandNames(const CLI::App &app)
{
    std::vector<std::string> names;
    for (const CLI::App *command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

/// The options and commands of the selected command, for "did you mean".
std::vector<std::string> optionNames(const CLI::App &app)
{
    std::vector<std::string> names;
    for (const CLI::Option *option : app.get_options())
        for (const std::string &name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string &name : commandNames(app)) names.push_back(name);
    return names;
}

/// "run SOURCE [options]", with everything that must be given.
std::string formOf(const CLI::App &app)
{
    if (!app.get_parent()) return "COMMAND [options]";
    std::string form = app.get_name();
    for (const CLI::Option *option : app.get_options())
        if (!option->nonpositional())
            form += option->get_required() ? " " + option->get_name(true) : " [" + option->get_name(true) + "]";
        else if (option->get_required())
            form += " " + option->get_name() + " " + option->get_type_name();
    return form + " [options]";
}

/// What an option of other tools, or of another command, is here; empty if unknown.
std::string otherMeaning(const CLI::App &at, const std::string &option)
{
    if (option.starts_with("--batch"))
        return "The batch size is that of the model; if the model leaves it open, --input-shape fixes it.";
    std::vector<std::string> commands;
    for (const CLI::App *command : at.get_parent()->get_subcommands({}))
        if (command->get_option_no_throw(option)) commands.push_back("`" + command->get_name() + "`");
    return commands.empty() ? "" : "It is an option of " + Text::list(commands, Text::Join::Or).english() + ".";
}

/// CLI11's message in whole words: what is missing, and what it is.
std::string plainMessage(const CLI::App &at, const CLI::ParseError &error)
{
    const std::string text = error.what();
    const auto isAbout = [&](const CLI::Option *option, std::string_view end) { return option && text.ends_with(end); };
    const CLI::Option *option = at.get_option_no_throw(text.substr(0, text.find_first_of(": ")));
    if (dynamic_cast<const CLI::RequiredError *>(&error) && isAbout(option, " is required"))
        return option->get_name(!option->nonpositional()) + " is missing: " + option->get_description();
    if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) && isAbout(option, " missing"))
        return option->get_name() + " needs a value: " + option->get_description();
    if (option && text.find(": At Most 1 required") != std::string::npos)
        return option->get_name() + " takes one value, got" + text.substr(text.rfind(' '));
    if (const std::size_t words = text.find(" excludes "); option && words != std::string::npos)
        return option->get_name() + " and " + text.substr(words + 10) + " exclude each other";
    constexpr std::string_view extra = "The following argument was not expected: ";
    if (text.starts_with(extra)) return "unexpected argument '" + text.substr(extra.size()) + "'";
    return text;
}

/// The error, naming the argument.
std::string usageMessage(const CLI::App &at, bool isTop, const CLI::ParseError &error,
                         const std::vector<std::string> &arguments)
{
    const auto known = optionNames(at);
    for (const std::string &argument : arguments) {
        const std::string name = argument.substr(0, argument.find('='));
        const bool isKnown = std::find(known.begin(), known.end(), name) != known.end();
        if (isKnown || name.size() < 2) continue;
        const bool isCommand = isTop && name[0] != '-';
        if (isCommand || (dynamic_cast<const CLI::ExtrasError *>(&error) && name.starts_with("--"))) {
            const std::string other = isTop ? "" : otherMeaning(at, name);
            const Text hint = other.empty() ? suggestion(name, known) : Text(other);
            return Text::sentences({std::string("unknown ") + (isCommand ? "command" : "option") + " '" + name + "'.",
                                    isCommand && hint.isEmpty() ? knownNames(commandNames(at)) : hint})
                .english();
        }
    }
    const std::string text = plainMessage(at, error);
    return isTop && arguments.empty() ? "no command given." : text.ends_with('.') ? text : text + ".";
}

/// Of --lang, or of the environment. @throws Error (BadConfig) for one without texts
const Language *languageOf(const std::string &name)
{
    if (name.empty()) return Language::ofEnvironment();
    const Language *language = Language::of(name);
    if (!language && !name.starts_with("en"))
        throw Error(ErrorKind::BadConfig, QL_TEXT("there are no texts in '%1'").with(name))
            .withRemedy(knownNames(Language::names()));
    return language;
}

int perform(const Action &action, Console &console)
{
    try {
        return action(console);
    } catch (const ql::Cancelled &) {
        console.endProgress();
        return ExitCode::Cancelled;
    } catch (...) {
        const Error error = asError(std::current_exception());
        console.endProgress();
        // A cancelled command may end with any error.
        if (Interrupt::happened()) return ExitCode::Cancelled;
        const bool ours = error.kind == ErrorKind::Internal;
        console.fail(
            (ours ? QL_TEXT("internal error: %1") : QL_TEXT("error: %1")).with(errorText(error, console.language())));
        return ours ? ExitCode::InternalFailure : ExitCode::BadInput;
    }
}

/// The language of the help, which is printed before the options are known. English if there are no texts in it.
const Language *languageOfHelp(const std::vector<std::string> &arguments)
{
    std::string name;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].starts_with("--lang="))
            name = arguments[i].substr(7);
        else if (arguments[i] == "--lang" && i + 1 < arguments.size())
            name = arguments[i + 1];
    return name.empty() ? Language::ofEnvironment() : Language::of(name);
}

/// @returns Good for --help and --version, otherwise BadInput
int usage(const CLI::App &app, const CLI::ParseError &error, const std::vector<std::string> &arguments)
{
    // Help for an unknown command would be help for something different.
    const bool isKnown = arguments.empty() || arguments[0].starts_with('-') || !app.get_subcommands().empty();
    if (error.get_exit_code() == int(CLI::ExitCodes::Success) && isKnown) {
        std::ostringstream text; // help or version
        app.exit(error, text);
        Console console;
        const auto print = [&text](Console &shown) {
            shown.print(text.str());
            return ExitCode::Good;
        };
        return perform(print, console);
    }
    const CLI::App *at = &app;
    if (const auto commands = app.get_subcommands(); !commands.empty()) at = commands.front();
    std::fprintf(stderr, "error: %s\nUsage: quantloupe-cli %s\nTry `quantloupe-cli %s--help`.\n",
                 usageMessage(*at, at == &app, error, arguments).c_str(), formOf(*at).c_str(),
                 at == &app ? "" : (at->get_name() + " ").c_str());
    return ExitCode::BadInput;
}

/// CLI11's help in a language, with descriptions wrapped to the terminal, and only the type after an option.
/// scripts/engine_texts.py extracts the descriptions and groups of app/.
class HelpFormatter : public CLI::Formatter
{
public:
    HelpFormatter() { column_width(descriptionColumn); }
    /// nullptr: English.
    void setLanguage(const Language *language)
    {
        m_language = language;
        for (const Text &word : {QL_TEXT("Positionals"), QL_TEXT("Usage")}) label(word.source(), word.in(language));
    }
    std::string make_description(const CLI::App *app) const override { return shown(app->get_description()) + "\n"; }
    std::string make_group(std::string group, bool isPositional,
                           std::vector<const CLI::Option *> options) const override
    {
        return Formatter::make_group(shown(group), isPositional, options);
    }
    std::string make_subcommands(const CLI::App *app, CLI::AppFormatMode mode) const override
    {
        std::string text = Formatter::make_subcommands(app, mode);
        for (const Text &group : {QL_TEXT("Subcommands"), QL_TEXT("Catalogues")})
            if (const std::size_t at = text.find("\n" + group.source() + ":\n"); at != std::string::npos)
                text.replace(at + 1, group.source().size(), group.in(m_language));
        return text;
    }
    std::string make_subcommand(const CLI::App *command) const override
    {
        std::string line = "  " + command->get_display_name(true);
        line.resize(std::max(line.size() + 2, descriptionColumn), ' ');
        return line + shown(command->get_description()) + "\n";
    }
    std::string make_footer(const CLI::App *app) const override
    {
        std::string text;
        for (const std::string &line : split(shown(app->get_footer()), '\n')) {
            const std::size_t command = line.starts_with("Example") ? line.find(':') : 0;
            if (command > 0)
                text += shown(line.substr(0, command)) + line.substr(command) + "\n";
            else
                text += line.starts_with(' ') || line.empty() ? line + "\n" : wrapped(shown(line), 100, 0);
        }
        return app->get_footer().empty() ? std::string() : text;
    }
    std::string make_option_opts(const CLI::Option *option) const override
    {
        if (option->get_items_expected_max() == 0) return "";
        return " " + option->get_type_name();
    }
    std::string make_option_desc(const CLI::Option *option) const override
    {
        std::string text = shown(option->get_description());
        if (option->get_required() && option->nonpositional())
            text = QL_TEXT("%1 (required)").with(text).in(m_language);
        text = wrapped(text, 100 - descriptionColumn, 0);
        if (!text.empty()) text.pop_back();
        return text;
    }

private:
    static constexpr std::size_t descriptionColumn = 30;

    std::string shown(const std::string &text) const { return m_language ? m_language->translated(text) : text; }

    const Language *m_language = nullptr;
};

} // namespace

/// @throws CLI::ValidationError if the file or folder of an output is empty: usually an unset variable in a script, and
/// the report would be lost. Other empty values mean "none".
static void refuseEmptyPaths(const CLI::App &app)
{
    for (const char *name :
         {"--json", "--report", "--save-recipe", "--journal", "--junit", "--markdown", "--cache", "--out"})
        if (const CLI::Option *option = app.get_option_no_throw(name); option && option->count() > 0)
            for (const std::string &value : option->results())
                if (value.empty())
                    throw CLI::ValidationError(name, "its value is empty. Give a value, or omit the option.");
}

/// The exit code instead of that given to _exit(), see launcher.cpp.
extern "C" int quantloupeExitCode(int code)
{
    return codeAtExit(code);
}

/// The command line; launcher.cpp loads and calls it. @returns the exit code
extern "C" int quantloupeCli(int argc, char **argv)
{
    StandardOutput::take();
    Interrupt::install();
    reportCrashes(ExitCode::InternalFailure);
    struct RegularEnd
    {
        ~RegularEnd() { endRegularly(); }
    } const regularEnd;
    const Runtime runtime;
    CLI::App app{"Quantloupe: find out why a network loses accuracy in low precision, and fix it.", "quantloupe-cli"};
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("--version", std::string("quantloupe ") + QL_VERSION, "Print the version and exit");
    app.require_subcommand(1);
    const auto help = std::make_shared<HelpFormatter>();
    app.formatter(help);
    app.footer("Start with:\n"
               "  quantloupe-cli inspect model.onnx                      show the model and what would be quantized\n"
               "  quantloupe-cli platforms                               list the targets\n"
               "  quantloupe-cli run model.onnx --calib photos --preprocess \"rgb; resize 224x224; scale 1/255\" \\\n"
               "      --platform TRT_INT8 --report report.html           quantize, measure, report\n"
               "  quantloupe-cli COMMAND --help                          show the options of a command");
    Action action;
    addRun(app, action);
    addTune(app, action);
    addInfer(app, action);
    addInspect(app, action);
    addCompare(app, action);
    addCatalogues(app, action);
    addConvertSetting(app, action);
    addImportEncodings(app, action);
    addVerify(app, action);
    addRuntimes(app, action);
    addPlugins(app, action);
    addServe(app, action);
    std::string language;
    std::vector<CLI::App *> commands = app.get_subcommands({});
    commands.push_back(&app); // the option may come before the command
    for (CLI::App *command : commands)
        command
            ->add_option("--lang", language,
                         "Language of messages and descriptions: en, zh_CN (default: of the environment)")
            ->type_name("LANG")
            ->group("Program");
    std::vector<std::string> arguments;
    for (int i = 1; i < argc; ++i) arguments.push_back(StandardOutput::argument(argv[i]));
    if (!arguments.empty() && arguments[0] == "help") { // help run: run --help
        arguments.erase(arguments.begin());
        arguments.resize(std::min<std::size_t>(arguments.size(), 1));
        arguments.push_back("--help");
    }
    help->setLanguage(languageOfHelp(arguments));
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend())); // CLI11 takes them from the end
        for (const CLI::App *command : app.get_subcommands()) refuseEmptyPaths(*command);
    } catch (const CLI::ParseError &error) {
        return usage(app, error, arguments);
    }
    removeAbandonedFolders();
    Console console;
    const int code = perform(
        [&action, &language](Console &shown) {
            shown.setLanguage(languageOf(language));
            loadUserPlugins();
            for (const Error &error : refusedUserPlugins())
                shown.fail(QL_TEXT("warning: %1").with(errorText(error, shown.language())));
            return action(shown);
        },
        console);
    if (code == ExitCode::Cancelled) {
        // Nothing is left to do, and threads of LibTorch may still be busy.
        console.fail(QL_TEXT("cancelled"));
        std::fflush(nullptr);
        ::_exit(code);
    }
    return code;
}

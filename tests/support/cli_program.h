#pragma once

// quantloupe-cli as used by people and scripts, in its own folder: arguments in, exit code, two streams, files out.

#include "core/base/file.h"
#include "core/io/npz.h"
#include "tests/support/patience.h"

#include <ATen/core/Tensor.h>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace ql::test {

/// Base of the tests of the command line. Cache and user data of the program are inside of the folder, too.
class CliProgram
{
protected:
    struct Outcome
    {
        int code = -1;
        bool crashed = true; ///< or did not end within longestMs
        QByteArray out, err;
    };

    const QString program = QL_BIN "/quantloupe-cli";
    const std::string models = QL_TEST_DATA "/models/";
    std::filesystem::path m_folder;

    /// A new, empty folder; the previous one is deleted. The language of the developer does not matter.
    void makeFolder()
    {
        for (const char *name : {"LC_ALL", "LC_MESSAGES", "LANG"}) ::unsetenv(name);
        m_temporary = std::make_unique<QTemporaryDir>();
        m_folder = m_temporary->path().toStdString();
    }
    QString file(const char *name) const { return QString::fromStdString((m_folder / name).string()); }
    void write(const char *name, const std::string &content) const { writeFileAtomically(m_folder / name, content); }
    void arrays(const char *name, const std::vector<std::pair<std::string, at::Tensor>> &content) const
    {
        writeFileAtomically(m_folder / name, [&](std::ostream &out) { writeNpz(out, content); });
    }
    nlohmann::json jsonFile(const char *name) const { return nlohmann::json::parse(readFile(m_folder / name)); }
    /// The contents of the folder, except the program's cache.
    std::vector<std::string> names() const
    {
        std::vector<std::string> out;
        for (const auto &entry : std::filesystem::directory_iterator(m_folder))
            if (entry.path().filename() != "cache") out.push_back(entry.path().filename().string());
        std::sort(out.begin(), out.end());
        return out;
    }

    /// The command that runs `residual.onnx` on the samples of calib.npz.
    QStringList residualRun(const QStringList &more) const
    {
        return QStringList{"run", QL_TEST_DATA "/models/residual.onnx", "--calib", file("calib.npz"), "--threads",
                           "1"} +
               more;
    }

    /// Folder and environment of a process that is about to start.
    void prepare(QProcess &process) const
    {
        QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
        for (const auto &[name, value] : environment()) all.insert(name, value);
        process.setProcessEnvironment(all);
        process.setWorkingDirectory(m_temporary->path());
    }
    /// The command line in a process forked from this one, which has already loaded LibTorch: starting the program
    /// takes most of a second. Its start is tested separately (tst_cli_system).
    Outcome run(const QStringList &arguments) const
    {
        using Entry = int (*)(int, char **);
        static const auto entry = reinterpret_cast<Entry>(
            ::dlsym(::dlopen(QL_BIN "/../lib/libquantloupe-cli.so", RTLD_NOW | RTLD_LOCAL), "quantloupeCli"));
        if (!entry) qFatal("no command line: %s", ::dlerror());
        std::vector<std::string> texts{program.toStdString()};
        for (const QString &argument : arguments) texts.push_back(argument.toStdString());
        std::vector<char *> argv;
        for (std::string &text : texts) argv.push_back(text.data());
        argv.push_back(nullptr);
        std::FILE *const out = std::tmpfile(), *const err = std::tmpfile();
        QElapsedTimer timer;
        timer.start();
        std::fflush(nullptr); // else the child has it, too
        const pid_t child = ::fork();
        if (child == 0) {
            for (const auto &[name, value] : environment()) ::setenv(name, value.toUtf8().constData(), 1);
            if (!std::freopen("/dev/null", "r", stdin) || ::dup2(::fileno(out), STDOUT_FILENO) < 0 ||
                ::dup2(::fileno(err), STDERR_FILENO) < 0 || ::chdir(m_folder.c_str()) != 0)
                ::_exit(99);
            const int code = entry(int(texts.size()), argv.data());
            std::fflush(nullptr);
            ::_exit(code);
        }
        int status = 0;
        pid_t ended = 0;
        while ((ended = ::waitpid(child, &status, WNOHANG)) == 0 && timer.elapsed() < longestMs) ::usleep(1000);
        Outcome outcome;
        if (ended == child) {
            outcome.crashed = !WIFEXITED(status);
            outcome.code = WEXITSTATUS(status);
        } else {
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
        }
        for (const auto &[file, bytes] : {std::pair{out, &outcome.out}, std::pair{err, &outcome.err}}) {
            std::rewind(file);
            char block[4096];
            while (const std::size_t count = std::fread(block, 1, sizeof block, file))
                bytes->append(block, qsizetype(count));
            std::fclose(file);
        }
        return outcome;
    }
    /// Starts a program: this one directly, or one that starts it.
    Outcome start(const QString &what, const QStringList &arguments, const std::function<void()> &inChild = {}) const
    {
        QProcess process;
        prepare(process);
        if (inChild) process.setChildProcessModifier(inChild);
        process.start(what, arguments);
        Outcome outcome;
        if (!process.waitForFinished(longestMs)) return outcome;
        outcome.crashed = process.exitStatus() != QProcess::NormalExit;
        outcome.code = process.exitCode();
        outcome.out = process.readAllStandardOutput();
        outcome.err = process.readAllStandardError();
        return outcome;
    }

private:
    static constexpr int longestMs = 2 * patienceMs;

    std::vector<std::pair<const char *, QString>> environment() const
    {
        return {{"XDG_CACHE_HOME", file("cache")}, {"XDG_DATA_HOME", file("xdg")}, {"OMP_NUM_THREADS", "1"}};
    }

    std::unique_ptr<QTemporaryDir> m_temporary;
};

} // namespace ql::test

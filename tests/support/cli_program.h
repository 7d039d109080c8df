#pragma once

// quantloupe-cli as users and scripts meet it, in a folder of its own: arguments in, exit code, two streams, files out.

#include "core/base/file.h"
#include "core/io/npz.h"

#include <ATen/core/Tensor.h>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

namespace ql::test {

/// Base of the tests of the command line. Cache and user data of the program are inside of the folder, too.
class CliProgram
{
protected:
    struct Outcome
    {
        int code = -1;
        bool crashed = true; ///< or did not end within two minutes
        QByteArray out, err;
        qint64 milliseconds = 0;
    };

    const QString program = QL_BIN "/quantloupe-cli";
    std::filesystem::path m_folder;

    /// A new, empty folder; what was in the former one is gone.
    void makeFolder()
    {
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
    /// What the folder holds, but for the program's cache.
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
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CACHE_HOME", file("cache"));
        environment.insert("XDG_DATA_HOME", file("xdg"));
        environment.insert("OMP_NUM_THREADS", "1");
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_temporary->path());
    }
    Outcome run(const QStringList &arguments) const { return run(program, arguments); }
    Outcome run(const QString &what, const QStringList &arguments, const std::function<void()> &inChild = {}) const
    {
        QProcess process;
        prepare(process);
        if (inChild) process.setChildProcessModifier(inChild);
        QElapsedTimer timer;
        timer.start();
        process.start(what, arguments);
        Outcome outcome;
        if (!process.waitForFinished(120000)) return outcome;
        outcome.milliseconds = timer.elapsed();
        outcome.crashed = process.exitStatus() != QProcess::NormalExit;
        outcome.code = process.exitCode();
        outcome.out = process.readAllStandardOutput();
        outcome.err = process.readAllStandardError();
        return outcome;
    }

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
};

} // namespace ql::test

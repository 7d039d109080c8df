#include "core/base/error.h"
#include "core/base/file.h"
#include "core/verify/command_file.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <filesystem>
#include <string>

using namespace ql;
namespace fs = std::filesystem;

class TestCommandFile : public QObject
{
    Q_OBJECT

    /// What a command needs to start.
    QString refusal(bool isAllowed) const
    {
        const CommandFile command(m_file, {"{in}"}, {});
        try {
            command.requireConsent(isAllowed);
            return {};
        } catch (const Error &error) {
            return QString::fromStdString(error.text());
        }
    }

    QTemporaryDir m_folder;
    fs::path m_file = fs::path(m_folder.path().toStdString()) / "command.json";

private Q_SLOTS:
    /// The user is asked once for a file, and again when it or a script that it names has changed.
    void consentIsForTheContent()
    {
        const fs::path script = m_file.parent_path() / "run.sh";
        writeFileAtomically(script, "exit 0");
        writeFileAtomically(m_file, R"({"command": ["sh", "run.sh", "{in}"]})");
        QVERIFY(refusal(false).contains("--allow-commands"));
        QCOMPARE(refusal(true), QString());
        QCOMPARE(refusal(false), QString());
        writeFileAtomically(script, "exit 1");
        QVERIFY(refusal(false).contains("--allow-commands"));
        writeFileAtomically(script, "exit 0");
        QCOMPARE(refusal(false), QString());
        writeFileAtomically(m_file, R"({"command": ["sh", "run.sh", "{in}", "more"]})");
        QVERIFY(refusal(false).contains("--allow-commands"));
    }
};

QL_TEST(TestCommandFile)
#include "tst_command_file.moc"

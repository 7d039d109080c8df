#include "core/base/error.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;

class TestError : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void text_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("remedy");
        QTest::addColumn<QString>("text");
        const auto row = [](const char *name, const char *file, const char *op, const char *variable,
                            const char *remedy,
                            const char *text) { QTest::newRow(name) << file << op << variable << remedy << text; };
        row("message alone", "", "", "", "", "expected 3, got 4");
        row("operation", "m.onnx", "conv1", "", "", "m.onnx: op 'conv1': expected 3, got 4");
        row("tensor", "m.onnx", "", "w", "", "m.onnx: tensor 'w': expected 3, got 4");
        row("everything", "m.onnx", "conv1", "w", "Export it again.",
            "m.onnx: op 'conv1', tensor 'w': expected 3, got 4. Export it again.");
    }
    void text()
    {
        QFETCH(QString, file);
        QFETCH(QString, op);
        QFETCH(QString, variable);
        QFETCH(QString, remedy);
        QFETCH(QString, text);
        Error error(ErrorKind::BadData, "expected 3, got 4", op.toStdString(), variable.toStdString());
        error.inFile(file.toStdString()).withRemedy(remedy.toStdString());
        QCOMPARE(QString::fromStdString(error.text()), text);
    }

    /// The last line of a list is one of its entries.
    void remedyOfAListHasItsOwnLine()
    {
        const Error error = Error(ErrorKind::BadData, "two are missing:\n  a\n  b").withRemedy("Add them.");
        QCOMPARE(error.text(), std::string("two are missing:\n  a\n  b\nAdd them."));
    }

    /// A name from a file must not clear the reader's screen.
    void textHasNoControlCharacters()
    {
        const Error error(ErrorKind::BadData, "got '\x1b[2J\x07\x7f'\nand \xc3\xa4");
        QCOMPARE(error.text(), std::string("got '\\x1b[2J\\x07\\x7f'\nand \xc3\xa4"));
    }
};

QL_TEST(TestError)
#include "tst_error.moc"

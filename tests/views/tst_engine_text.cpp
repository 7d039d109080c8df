// Sentences of the engine in the language of the window.
#include "views/bridge/engine_text.h"
#include "views/window/translation.h"

#include <QLocale>
#include <QProcess>
#include <QtTest>
#include <nlohmann/json.hpp>

using namespace ql;

class TestEngineText : public QObject
{
    Q_OBJECT

private:
    static bool hasChinese(const QString &text)
    {
        return std::any_of(text.begin(), text.end(),
                           [](QChar c) { return c.unicode() >= 0x4e00 && c.unicode() < 0xa000; });
    }

private Q_SLOTS:
    void englishStaysAsItIs()
    {
        const QString text = QStringLiteral("computing op Conv between quantable ops");
        QCOMPARE(engineText(text), text);
        QCOMPARE(engineText({}), QString());
    }

    void namesComeThrough()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        const QString dispatch = engineText(QStringLiteral("type GridSample is not quantable on TRT_INT8"));
        QVERIFY(hasChinese(dispatch));
        QVERIFY(dispatch.contains(QStringLiteral("GridSample")) && dispatch.contains(QStringLiteral("TRT_INT8")));
        const QString unknown = QStringLiteral("a sentence that nobody has translated");
        QCOMPARE(engineText(unknown), unknown);
    }

    /// Every pass that the real engine has is told in Chinese.
    void passesAreTranslated()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        QProcess engine;
        engine.start(QStringLiteral(QL_BIN "/quantloupe-cli"),
                     {QStringLiteral("passes"), QStringLiteral("--json"), QStringLiteral("-")});
        QVERIFY(engine.waitForFinished(60000));
        const QByteArray out = engine.readAllStandardOutput();
        const nlohmann::json catalogue = nlohmann::json::parse(out.begin(), out.end(), nullptr, false);
        QVERIFY(catalogue.is_object() && catalogue["passes"].size() > 10);
        for (const nlohmann::json &pass : catalogue["passes"])
            for (const char *key : {"title", "meaning"}) {
                const QString text = QString::fromStdString(pass[key].get<std::string>());
                QVERIFY2(hasChinese(engineText(text)), qPrintable(text));
            }
    }
};

QTEST_MAIN(TestEngineText)
#include "tst_engine_text.moc"

// Sentences of the engine in the language of the window.
#include "tests/support/test_main.h"
#include "views/bridge/engine_text.h"
#include "views/window/translation.h"

#include <QDialogButtonBox>
#include <QLocale>
#include <QProcess>
#include <QPushButton>
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

    /// Everything that the real engine offers is told in Chinese, with the parameters.
    void catalogueIsTranslated_data()
    {
        QTest::addColumn<QString>("list");
        QTest::newRow("passes") << "passes";
        QTest::newRow("exporters") << "exporters";
        QTest::newRow("platforms") << "platforms";
        QTest::newRow("dispatchers") << "dispatchers";
    }
    void catalogueIsTranslated()
    {
        QFETCH(QString, list);
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        QProcess engine;
        engine.start(QStringLiteral(QL_BIN "/quantloupe-cli"), {list, QStringLiteral("--json"), QStringLiteral("-")});
        QVERIFY(engine.waitForFinished(60000));
        const QByteArray out = engine.readAllStandardOutput();
        const nlohmann::json catalogue = nlohmann::json::parse(out.begin(), out.end(), nullptr, false);
        const std::string key = list.toStdString();
        QVERIFY(catalogue.is_object() && catalogue[key].size() > 2);
        const auto check = [](const nlohmann::json &entry, const char *member) {
            const QString text = QString::fromStdString(entry.value(member, ""));
            QVERIFY2(hasChinese(engineText(text)), qPrintable(text));
        };
        for (const nlohmann::json &entry : catalogue[key]) {
            if (list == QStringLiteral("passes")) check(entry, "title");
            check(entry, "meaning");
            for (const nlohmann::json &param : entry.value("params", nlohmann::json::array())) check(param, "meaning");
        }
    }

    /// Buttons that Qt names itself, also where Qt's own translations are not installed.
    void standardButtonsAreTranslated()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        const QDialogButtonBox box(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::Close);
        for (const QAbstractButton *button : box.buttons())
            QVERIFY2(hasChinese(button->text()), qPrintable(button->text()));
    }
};

QL_TEST(TestEngineText)
#include "tst_engine_text.moc"

// Sentences of the engine in the language of the window.
#include "core/api/recipe.h"
#include "core/api/text_json.h"
#include "core/base/error.h"
#include "tests/support/test_main.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/recipe_difference.h"
#include "views/models/search.h"
#include "views/window/translation.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
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
        const Text text = QL_TEXT("channel %1 of %2 never changes").with(3, "conv1");
        QCOMPARE(engineText(text), QStringLiteral("channel 3 of conv1 never changes"));
        QCOMPARE(engineText(Text()), QString());
        QCOMPARE(engineText(QString()), QString());
    }

    void optionsHavePlacesInTheWindow()
    {
        for (const char *option :
             {"--calib PATH", "--eval", "--input-shape NAME=SIZES", "--preprocess", "--device cpu", "--sampling even",
              "--labels PATH", "--metric ID", "--weights", "--inputs and --outputs", "--cut-unsupported"}) {
            const QString text = engineText(QL_TEXT("Use %1.").with(Text::option(option)));
            QVERIFY2(!text.contains(QStringLiteral("--")) && text.contains(QStringLiteral("Edit › ")),
                     qPrintable(text));
        }
        QVERIFY(engineText(Text::option("--device cpu")).contains(QStringLiteral("“cpu”")));
        QCOMPARE(engineText(Text::option("--no-cache")), QStringLiteral("--no-cache"));
    }

    /// Of the rules of a recipe.
    void rolesFollowTheLanguage()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        const std::vector<api::SlotRole> roles{api::SlotRole::Input,     api::SlotRole::Activation,
                                               api::SlotRole::Parameter, api::SlotRole::Weight,
                                               api::SlotRole::Bias,      api::SlotRole::Output};
        for (const api::SlotRole role : roles) QVERIFY2(hasChinese(roleText(role)), api::toString(role));
        api::Recipe changed;
        changed.overrides = {{.match = {.op = "*", .roles = roles}, .set = {.bits = 4}}};
        const QString line = recipeDifference({}, changed).value(0);
        QVERIFY2(line.contains(roleText(api::SlotRole::Input)) && !line.contains(QStringLiteral("input")),
                 qPrintable(line));
    }

    /// Numbers, lists and nested texts as the language of the window writes them.
    void argumentsFollowTheLanguage()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        const Text names = Text::list(std::vector<std::string>{"a", "b", "c"});
        const QString list = engineText(QL_TEXT("Known: %1.").with(names));
        QVERIFY2(hasChinese(list) && list.contains(QStringLiteral("a、b、c")), qPrintable(list));
        const QString nested =
            engineText(QL_TEXT("line %1: %2").with(12, QL_TEXT("the key '%1' is missing").with("model")));
        QVERIFY2(nested.contains(QStringLiteral("12")) && nested.contains(QStringLiteral("model")) &&
                     !nested.contains(QStringLiteral("missing")),
                 qPrintable(nested));
        QCOMPARE(engineText(Text(1234567)), QLocale().toString(1234567));
        QCOMPARE(engineText(Text(1234)), QStringLiteral("1234"));
        QCOMPARE(engineText(Text::number(0.12345, 3)), QLocale().toString(0.123));
        QCOMPARE(engineText(QL_TEXT("%1 %2").with("%2", "b")), QStringLiteral("%2 b"));
    }

    void namesComeThrough()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        const QString dispatch = engineText(QL_TEXT("type %1 is not quantizable on %2").with("GridSample", "TRT_INT8"));
        QVERIFY2(hasChinese(dispatch), qPrintable(dispatch));
        QVERIFY(dispatch.contains(QStringLiteral("GridSample")) && dispatch.contains(QStringLiteral("TRT_INT8")));
        QCOMPARE(engineText(Text("a name")), QStringLiteral("a name"));
    }

    /// States are shown in the window's language; both words find them.
    void statesAreFoundAsTheyAreShown()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        OperationRow row;
        row.state = api::QuantState::Overlapped;
        const QString shown = engineText(QStringLiteral("overlapped"));
        QVERIFY(hasChinese(shown));
        for (const QString &state : {shown, QStringLiteral("overlapped")})
            QVERIFY2(SearchQuery::parse(QStringLiteral("state:") + state).matches(row), qPrintable(state));
        QVERIFY(!SearchQuery::parse(QStringLiteral("state:") + engineText(QStringLiteral("passive"))).matches(row));
    }

    /// Real errors of the engine, with the names and numbers that it puts in.
    void errorsAreTranslated_data()
    {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QStringList>("kept");
        const auto row = [](const char *name, const char *recipe, const QStringList &kept) {
            QTest::newRow(name) << QString::fromUtf8(recipe) << kept;
        };
        row("cut off", R"({"format": )", {});
        row("unknown key", R"({"format": "quantloupe-recipe/1", "model": {"path": "a"}, "platfrom": "X"})",
            {"platfrom", "'platform'"});
        row("missing key", R"({"format": "quantloupe-recipe/1"})", {"model"});
        row("another version", R"({"format": "quantloupe-recipe/9", "model": {"path": "a"}})", {"quantloupe-recipe/9"});
        row("out of range",
            R"({"format": "quantloupe-recipe/1", "model": {"path": "a"}, "calibration": {"samples": -4}})",
            {"calibration.samples", "-4"});
        row("wrong type", R"({"format": "quantloupe-recipe/1", "model": "a"})", {"model"});
    }
    void errorsAreTranslated()
    {
        QFETCH(QString, recipe);
        QFETCH(QStringList, kept);
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        try {
            (void)api::recipeFromJson(api::JsonText::parse(recipe.toStdString(), "r.quantloupe"));
            QFAIL("no error");
        } catch (const Error &error) {
            // As it arrives from the engine process
            nlohmann::json message;
            api::putText(message, "message", error.message);
            api::putText(message, "remedy", error.remedy);
            const QString text = engineSentences(api::textAt(message, "message"), api::textAt(message, "remedy"));
            QVERIFY2(hasChinese(text) || recipe.endsWith(QLatin1Char(' ')), qPrintable(text));
            QVERIFY2(exceptionText(error).endsWith(text), qPrintable(exceptionText(error))); // thrown in the window
            for (const QString &name : kept) QVERIFY2(text.contains(name), qPrintable(text));
            for (const char *word : {" the ", " must be ", " did you ", "missing"})
                QVERIFY2(!text.contains(QLatin1String(word), Qt::CaseInsensitive), qPrintable(text));
        }
    }

    /// Everything that the real engine offers is shown in Chinese, including the parameters.
    void catalogueIsTranslated_data()
    {
        QTest::addColumn<QString>("list");
        QTest::newRow("passes") << "passes";
        QTest::newRow("exporters") << "exporters";
        QTest::newRow("platforms") << "platforms";
        QTest::newRow("dispatchers") << "dispatchers";
        QTest::newRow("observers") << "observers";
        QTest::newRow("preprocessing") << "preprocess";
        QTest::newRow("analyses") << "analyses";
    }
    void catalogueIsTranslated()
    {
        QFETCH(QString, list);
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        QProcess engine;
        engine.start(QStringLiteral(QL_BIN "/quantloupe-cli"), {list, QStringLiteral("--json"), QStringLiteral("-")});
        QVERIFY(engine.waitForFinished(patienceMs));
        const QByteArray out = engine.readAllStandardOutput();
        const nlohmann::json catalogue = nlohmann::json::parse(out.begin(), out.end(), nullptr, false);
        QVERIFY(catalogue.is_object() && catalogue.size() == 1);
        const nlohmann::json &entries = catalogue.begin().value();
        QVERIFY(entries.size() > 2);
        const auto check = [](const nlohmann::json &entry, const char *member) {
            QVERIFY2(hasChinese(engineText(api::textAt(entry, member))), entry.value(member, std::string()).c_str());
        };
        // Names in every language: operators, and ids of observers and dispatchers
        const QStringList names{QStringLiteral("pad"),      QStringLiteral("resize"),  QStringLiteral("mish"),
                                QStringLiteral("swish"),    QStringLiteral("kl"),      QStringLiteral("mse"),
                                QStringLiteral("minmax"),   QStringLiteral("isotone"), QStringLiteral("constant"),
                                QStringLiteral("floating"), QStringLiteral("clip"),    QStringLiteral("concat"),
                                QStringLiteral("svd"),      QStringLiteral("int4"),    QStringLiteral("int8"),
                                QStringLiteral("int3"),     QStringLiteral("fp8"),     QStringLiteral("nf4"),
                                QStringLiteral("mxfp8"),    QStringLiteral("mxfp6"),   QStringLiteral("mxfp4"),
                                QStringLiteral("nvfp4"),    QStringLiteral("float32"), QStringLiteral("ncnn"),
                                QStringLiteral("mnn"),      QStringLiteral("rknn")};
        const auto checkWord = [&names](const std::string &name) {
            const QString word = readableName(name);
            QVERIFY2(names.contains(word) || hasChinese(engineText(word)), name.c_str());
        };
        for (const nlohmann::json &entry : entries) {
            if (list == QStringLiteral("passes") || list == QStringLiteral("analyses")) check(entry, "title");
            check(entry, "meaning");
            for (const nlohmann::json &param : entry.value("params", nlohmann::json::array())) {
                check(param, "meaning");
                checkWord(param.value("name", ""));
                for (const nlohmann::json &choice : param.value("choices", nlohmann::json::array()))
                    checkWord(choice.get<std::string>());
            }
        }
    }

    /// Rules of the platforms that come with it.
    void rulesAreTranslated()
    {
        installTranslation(QLocale(QStringLiteral("zh_CN")));
        int rules = 0;
        const QDir folder(QStringLiteral(QL_SOURCE_DIR "/resources/platforms"));
        for (const QString &name : folder.entryList({QStringLiteral("*.json")}, QDir::Files)) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const nlohmann::json definition = nlohmann::json::parse(file.readAll().toStdString());
            for (const nlohmann::json &rule : definition.value("rules", nlohmann::json::array())) {
                const QString text = QString::fromStdString(rule.value("name", ""));
                QVERIFY2(hasChinese(engineText(text)), qPrintable(text));
                ++rules;
            }
        }
        QVERIFY(rules > 20);
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

// What an edit of the inspector is for: one operation, several, a pattern, a scale group, what follows a root.
#include "tests/support/test_main.h"
#include "tests/views/inspector_test.h"
#include "tests/views/recipe_json.h"
#include "views/commands/recipe_command.h"
#include "views/graph/graph_view.h"
#include "views/models/search.h"
#include "views/panels/scale_group_card.h"
#include "views/window/center_view.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

using namespace ql;
using nlohmann::json;

class TestInspectorScope : public InspectorTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_window.isolate(); }
    void cleanup() { m_window.close(); }

    /// Whatever the scope of an edit, its sign resets it; and the scope does not outlive the operation.
    void youIsTakenBackWhereverItWasSet()
    {
        QVERIFY(isOpened());
        document().setCurrent(QStringLiteral("stem"));
        inspector()->showSlot(api::SlotRole::Output, 0);
        auto *scope = inspector()->findChild<QComboBox *>(QStringLiteral("scope"));
        choose(scope, scope->findData(3));
        choose(choice("bits"), choice("bits")->findText(QStringLiteral("6")));
        QTRY_VERIFY(form() && form()->findChild<QToolButton *>(QStringLiteral("reset bits")));
        document().setCurrent(QStringLiteral("mix_project"));
        QCOMPARE(scope->currentData().toInt(), 0);
        inspector()->showSlot(api::SlotRole::Output, 0);
        choose(choice("rounding"), 1);
        QTRY_VERIFY(form() && form()->findChild<QToolButton *>(QStringLiteral("reset rounding")));
        QCOMPARE(document().recipeJson()["overrides"].size(), std::size_t(2));
        choose(scope, scope->findData(4)); // of every Conv it was set, now it is a pattern
        QTest::mouseClick(form()->findChild<QToolButton *>(QStringLiteral("reset bits")), Qt::LeftButton);
        QCOMPARE(refusal(), QString());
        const json left = document().recipeJson()["overrides"];
        QCOMPARE(left.size(), std::size_t(1));
        QCOMPARE(left[0]["set"].dump(), std::string(R"({"rounding":"half_up"})"));
    }

    void operationsInScopeAreHighlighted()
    {
        m_window.writeRecipe("TRT_INT8");
        m_window.show();
        m_window.open();
        QTRY_VERIFY_WITH_TIMEOUT(
            !document().history().configs().isEmpty() && m_window.window->center()->graph()->scene(), 60000);
        document().setCurrent(QStringLiteral("stem"));
        QSignalSpy marked(inspector(), &Inspector::markRequested);
        auto *scope = inspector()->findChild<QComboBox *>(QStringLiteral("scope"));
        choose(scope, scope->findData(3));
        QCOMPARE(marked.count(), 1);
        QSet<QString> convolutions;
        for (const OperationInfo &op : document().graph()->operations)
            if (op.type == QStringLiteral("Conv")) convolutions.insert(op.name);
        const QStringList names = marked[0][0].toStringList();
        QCOMPARE(QSet<QString>(names.begin(), names.end()), convolutions);
        // Also those that have no config now: the platform goes to them, too
        inspector()->sendTo(QStringLiteral("FP32"));
        QTRY_VERIFY(!document().requests().isInspecting() &&
                    !document().graph()->operations[document().graph()->find(QStringLiteral("stem"))].isQuantized);
        choose(scope, scope->findData(0));
        QVERIFY(marked.back()[0].toStringList().isEmpty());
    }

    /// What suits the operation that is shown may not suit the others that an edit is for.
    void everyOperationOfAnEditIsAsked()
    {
        m_window.writeRecipe("TRT_INT8");
        m_window.show();
        m_window.open();
        json recipe = document().recipeJson();
        recipe["overrides"] = {{{"match", {{"op", "stem"}, {"role", "weight"}}}, {"set", {{"observer", "minmax"}}}},
                               {{"match", {{"op", "mix_project"}, {"role", "output"}}},
                                {"set", {{"symmetric", false}, {"observer", "minmax"}}}}};
        replaceRecipe(document(), QStringLiteral("asymmetric"), recipe);
        QTRY_VERIFY_WITH_TIMEOUT(!document().history().configs().isEmpty() && !document().requests().isInspecting(),
                                 60000);
        QStringList quantized;
        for (const OperationInfo &op : document().graph()->operations)
            for (const int i : document().history().configsOf(op.name))
                if (const ConfigInfo &c = document().history().configs()[i]; c.role == api::SlotRole::Output &&
                                                                             c.state != api::QuantState::Overlapped &&
                                                                             c.isSymmetric && !c.isFloat())
                    quantized.append(op.name);
        QVERIFY(!quantized.isEmpty());
        const QString shown = quantized.front();
        document().setSelection({shown, QStringLiteral("mix_project")}, shown);
        inspector()->showSlot(api::SlotRole::Output, 0);
        auto *scope = inspector()->findChild<QComboBox *>(QStringLiteral("scope"));
        choose(scope, scope->findData(1));
        const json before = document().recipeJson();
        QVERIFY(choice("observer")->findText(QStringLiteral("kl")) >= 0);
        choose(choice("observer"), choice("observer")->findText(QStringLiteral("kl")));
        QCOMPARE(document().recipeJson(), before);
        const QString error = inspector()->findChild<QLabel *>(QStringLiteral("error"))->text();
        QVERIFY2(error.contains(QStringLiteral("mix_project")), qPrintable(error));
        choose(choice("observer"), choice("observer")->findText(QStringLiteral("mse")));
        QCOMPARE(document().recipeJson()["overrides"].size(), before["overrides"].size() + 2); // a rule for each
    }

    void editsApplyToTheSelection()
    {
        m_window.writeRecipe("TRT_INT8");
        m_window.show();
        m_window.open();
        QTRY_VERIFY_WITH_TIMEOUT(!document().history().configs().isEmpty() && !document().requests().isInspecting(),
                                 60000);
        auto *scope = inspector()->findChild<QComboBox *>(QStringLiteral("scope"));
        document().setCurrent(QStringLiteral("stem"));
        QCOMPARE(scope->currentIndex(), 0);
        document().setSelection({QStringLiteral("stem"), QStringLiteral("mix_project")}, QStringLiteral("mix_project"));
        QVERIFY2(scope->currentText().contains(QLatin1Char('2')), qPrintable(scope->currentText()));
        document().setCurrent(QStringLiteral("stem"));
        QCOMPARE(scope->currentIndex(), 0);
    }

    /// "select all" of a scale group selects the slots that share the scale, not the same input of each.
    void aScaleGroupIsEditedAsItIs()
    {
        m_window.writeRecipe("TRT_INT8");
        m_window.show();
        m_window.open();
        m_window.run(); // then it is known who shares a scale
        const QVector<ConfigInfo> &configs = document().history().configs();
        const auto root = std::find_if(configs.begin(), configs.end(), [&](const ConfigInfo &config) {
            return config.role == api::SlotRole::Input && !config.isOverlapped() && !config.isFloat() &&
                   std::count_if(configs.begin(), configs.end(), [&](const ConfigInfo &other) {
                       return other.scaleGroup() == config.scaleGroup();
                   }) > 2;
        });
        if (root == configs.end()) QSKIP("no scale group here is rounded at an input");
        const ConfigInfo edited = *root;
        document().setCurrent(edited.operation);
        inspector()->showSlot(edited.role, edited.index);
        auto *card = inspector()->findChild<ScaleGroupCard *>();
        for (const QPushButton *member : card->findChildren<QPushButton *>()) // named as their operators name them
            QVERIFY2(!member->property("slotText").toString().startsWith(QStringLiteral("input ")),
                     qPrintable(member->text()));
        Q_EMIT card->allChosen();
        QVERIFY(document().selection().size() > 1);
        choose(choice("bits"), choice("bits")->findText(QStringLiteral("4")));
        const json overrides = document().recipeJson()["overrides"];
        QVERIFY(!overrides.empty());
        for (const json &rule : overrides) { // the slots of the group, each at its operation
            const json &match = rule["match"];
            const auto meant = std::find_if(configs.begin(), configs.end(), [&](const ConfigInfo &config) {
                return config.operation.toStdString() == match.value("op", "") &&
                       toString(config.role) == match.value("role", "") && config.index == match.value("index", -1);
            });
            QVERIFY2(meant != configs.end() && meant->scaleGroup() == edited.scaleGroup(),
                     qPrintable(QString::fromStdString(match.dump())));
        }
    }

    /// A tensor that another one's scale rounds: what would have no effect is not offered, and not shown as its bits.
    void followersAreEditedAtTheirRoot()
    {
        m_window.writeRecipe("TRT_INT8");
        m_window.show();
        m_window.open();
        QTRY_VERIFY_WITH_TIMEOUT(!document().history().configs().isEmpty() && !document().requests().isInspecting(),
                                 60000);
        QCOMPARE(refusal(), QString()); // fusion has determined who rounds
        QTRY_VERIFY_WITH_TIMEOUT(
            std::any_of(document().history().configs().begin(), document().history().configs().end(),
                        [](const ConfigInfo &c) { return c.state == api::QuantState::Overlapped; }),
            60000);
        const auto follower =
            *std::find_if(document().history().configs().begin(), document().history().configs().end(),
                          [](const ConfigInfo &c) { return c.state == api::QuantState::Overlapped; });
        document().setCurrent(follower.operation);
        inspector()->showSlot(follower.role, follower.index);
        QVERIFY(choice("state")->isEnabled());
        for (const char *field : {"bits", "observer", "symmetric", "granularity", "rounding"})
            QVERIFY2(!choice(field)->isEnabled() && choice(field)->toolTip().contains(follower.rootOperation), field);
        json recipe = document().recipeJson();
        recipe["overrides"] = {
            {{"match",
              {{"op", follower.operation.toStdString()}, {"role", toString(follower.role)}, {"index", follower.index}}},
             {"set", {{"bits", 4}}}}};
        replaceRecipe(document(), QStringLiteral("no effect"), recipe);
        QCOMPARE(refusal(), QString());
        const OperationRows rows = operationRows(document());
        QCOMPARE(rows->at(document().graph()->find(follower.operation)).bits, 8);
    }
};

QL_TEST(TestInspectorScope)
#include "tst_inspector_scope.moc"

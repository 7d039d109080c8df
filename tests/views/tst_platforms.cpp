// Platforms: form and JSON side by side, a copy in the user's folder, two platforms on the sample.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/panels/platform_comparison.h"
#include "views/panels/platform_dialog.h"
#include "views/panels/platform_passes.h"
#include "views/panels/rule_form.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QTreeView>

using namespace ql;
using nlohmann::json;

class TestPlatforms : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    static json definitionIn(const PlatformDialog &dialog)
    {
        return json::parse(dialog.text()->toPlainText().toStdString());
    }
    /// An editor of the current rule.
    template <typename Widget>
    static Widget *field(const PlatformDialog &dialog, const char *name)
    {
        return dialog.rule()->findChild<Widget *>(QString::fromLatin1(name));
    }
    static void type(QLineEdit *line, const QString &text)
    {
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Delete);
        QTest::keyClicks(line, text);
    }
    static void choose(QComboBox *box, const QString &text)
    {
        box->setCurrentIndex(box->findText(text));
        Q_EMIT box->activated(box->currentIndex());
    }
    bool isListed(const PlatformDialog &dialog, const QString &id) const
    {
        return !dialog.list()->findItems(id, Qt::MatchExactly).isEmpty();
    }
    QString fileOf(const QString &id) const
    {
        return m.folder.filePath(QStringLiteral("data home/quantloupe/platforms/%1.json").arg(id));
    }
    static constexpr const char *right = "The definition is valid.";

    /// What is typed in the form is in the JSON, and the other way round.
    void editBothWays(PlatformDialog &dialog)
    {
        // From the form into the JSON
        dialog.rules()->setCurrentCell(0, 0);
        type(field<QLineEdit>(dialog, "bits"), QStringLiteral("4"));
        type(field<QLineEdit>(dialog, "quant_min"), QStringLiteral("-8"));
        type(field<QLineEdit>(dialog, "quant_max"), QStringLiteral("7"));
        json definition = definitionIn(dialog);
        QCOMPARE(definition["rules"][0]["set"]["bits"].get<int>(), 4);
        // From the JSON into the form, and a mistake is reported with its place
        definition["rules"][0]["name"] = "all of it";
        dialog.text()->setPlainText(QString::fromStdString(definition.dump(2)));
        QCOMPARE(dialog.rules()->item(0, 0)->text(), QStringLiteral("all of it"));
        definition["rules"][0]["set"]["bitz"] = 3;
        dialog.text()->setPlainText(QString::fromStdString(definition.dump(2)));
        QTRY_VERIFY2(dialog.status()->text().contains(QStringLiteral("bits")), qPrintable(dialog.status()->text()));
        definition["rules"][0]["set"].erase("bitz");
        dialog.text()->setPlainText(QString::fromStdString(definition.dump(2)));
        QTRY_COMPARE(dialog.status()->text(), QStringLiteral("The definition is valid."));
    }
    /// Rules come and go; what was run with the definition before is of yesterday then.
    void addMoveAndRemoveRules(PlatformDialog &dialog)
    {
        m.run();
        const int rules = dialog.rules()->rowCount();
        dialog.rules()->setCurrentCell(rules - 1, 0);
        dialog.addRule();
        QCOMPARE(dialog.rules()->rowCount(), rules + 1);
        QCOMPARE(dialog.rules()->currentRow(), rules);
        dialog.moveRule(-1);
        QCOMPARE(dialog.rules()->currentRow(), rules - 1);
        QVERIFY(dialog.rules()->item(rules - 1, 1)->text().contains(QStringLiteral("Conv")));
        dialog.moveRule(1);
        QTRY_COMPARE(dialog.status()->text(), QStringLiteral("The definition is valid."));
        QVERIFY(!m.document().history().isStale());
        dialog.save();
        QTRY_VERIFY(m.document().history().isStale());
        m.run();
        dialog.rules()->setCurrentCell(rules, 0);
        dialog.removeRule();
        QCOMPARE(dialog.rules()->rowCount(), rules);
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }

    void init()
    {
        m.show();
        m.open();
    }

    void cleanup() { m.close(); }

    void copyIsEditedAndKept()
    {
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        QVERIFY(dialog.list()->count() > 8);
        QVERIFY(dialog.text()->isReadOnly()); // a built-in one
        dialog.show(QStringLiteral("TRT_INT8"));
        QVERIFY(dialog.rules()->rowCount() > 0);
        dialog.copyAs(QStringLiteral("MY_TRT"));
        QVERIFY(!dialog.text()->isReadOnly());
        QTRY_COMPARE(dialog.status()->text(), QStringLiteral("The definition is valid."));

        editBothWays(dialog);
        if (QTest::currentTestFailed()) return;

        dialog.save();
        QTRY_VERIFY(!dialog.list()->findItems(QStringLiteral("MY_TRT"), Qt::MatchExactly).isEmpty());
        const QString folder = m.folder.filePath(QStringLiteral("data home/quantloupe/platforms"));
        QVERIFY2(QFileInfo::exists(folder + QStringLiteral("/MY_TRT.json")), qPrintable(folder));
        // A copy does not replace an existing platform
        const auto bytes = [&] {
            QFile file(folder + QStringLiteral("/MY_TRT.json"));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray before = bytes();
        dialog.show(QStringLiteral("TRT_FP8"));
        dialog.copyAs(QStringLiteral("MY_TRT"));
        QTRY_VERIFY2(dialog.status()->text().contains(QStringLiteral("already")), qPrintable(dialog.status()->text()));
        dialog.save();
        QTRY_VERIFY2(dialog.status()->text().contains(QStringLiteral("already")), qPrintable(dialog.status()->text()));
        QCOMPARE(bytes(), before);
        QVERIFY(!before.isEmpty());
        dialog.show(QStringLiteral("MY_TRT"));
        // The model is quantized for it
        json recipe = m.document().recipeJson();
        recipe["platform"] = "MY_TRT";
        replaceRecipe(m.document(), QStringLiteral("Platform"), recipe);
        const auto bits = [&] {
            for (const ConfigInfo &config : m.document().history().configs())
                if (config.bits == 4) return true;
            return false;
        };
        QTRY_VERIFY(bits());

        addMoveAndRemoveRules(dialog);
        if (QTest::currentTestFailed()) return;

        // Unsaved edits are not lost by viewing another platform
        QVERIFY(dialog.isEdited());
        const auto answer = [&](QMessageBox::StandardButton button) {
            answerNext<QMessageBox>(
                &dialog, [button](QMessageBox &box) { QTest::mouseClick(box.button(button), Qt::LeftButton); });
        };
        const auto choose = [&](const QString &id) {
            dialog.list()->setCurrentItem(dialog.list()->findItems(id, Qt::MatchExactly).value(0));
        };
        answer(QMessageBox::Cancel);
        choose(QStringLiteral("TRT_INT8"));
        QCOMPARE(dialog.list()->currentItem()->text(), QStringLiteral("MY_TRT"));
        QVERIFY(dialog.isEdited());
        answer(QMessageBox::Discard);
        choose(QStringLiteral("TRT_INT8"));
        QVERIFY(!dialog.isEdited());
        QVERIFY(dialog.text()->toPlainText().contains(QStringLiteral("\"TRT_INT8\"")));
    }

    void ruleHasFields()
    {
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        dialog.show(QStringLiteral("TRT_INT8"));
        QVERIFY(field<QLineEdit>(dialog, "bits")->isReadOnly()); // a built-in one
        QVERIFY(!field<QComboBox>(dialog, "observer")->isEnabled());
        dialog.copyAs(QStringLiteral("MY_FIELDS"));
        dialog.rules()->setCurrentCell(1, 0);
        QCOMPARE(field<QComboBox>(dialog, "granularity")->currentText(), QStringLiteral("output_channel"));
        QVERIFY(field<QCheckBox>(dialog, "role weight")->isChecked());
        QCOMPARE(field<QComboBox>(dialog, "is_parameter")->currentText(), QStringLiteral("yes"));
        const json before = definitionIn(dialog);

        type(field<QLineEdit>(dialog, "types"), QStringLiteral("Conv, Gemm"));
        field<QCheckBox>(dialog, "role bias")->click();
        type(field<QLineEdit>(dialog, "inputs"), QStringLiteral("3+"));
        choose(field<QComboBox>(dialog, "is_parameter"), QStringLiteral("–"));
        choose(field<QComboBox>(dialog, "observer"), QStringLiteral("kl"));
        choose(field<QComboBox>(dialog, "rounding"), QStringLiteral("half_up"));
        choose(field<QComboBox>(dialog, "power_of_two"), QStringLiteral("yes"));
        choose(field<QComboBox>(dialog, "granularity"), QStringLiteral("tensor"));
        json wanted = before["rules"][1];
        wanted["match"] = {{"types", {"Conv", "Gemm"}}, {"role", {"weight", "bias"}}, {"inputs", {{"at_least", 3}}}};
        wanted["set"] = {
            {"granularity", "tensor"}, {"observer", "kl"}, {"rounding", "half_up"}, {"power_of_two", true}};
        QCOMPARE(definitionIn(dialog)["rules"][1], wanted);
        json others = definitionIn(dialog);
        others["rules"][1] = before["rules"][1];
        QCOMPARE(others, before); // and nothing else
        QVERIFY(dialog.rules()->item(1, 2)->text().contains(QStringLiteral("half up")));
        QTRY_COMPARE(dialog.status()->text(), QString::fromLatin1(right));

        // Nonsense is refused with the engine's reason, kept, and fixed in place
        type(field<QLineEdit>(dialog, "bits"), QStringLiteral("99"));
        QTRY_VERIFY2(dialog.status()->text().contains(QStringLiteral("must be from 2 to 32")),
                     qPrintable(dialog.status()->text()));
        QCOMPARE(field<QLineEdit>(dialog, "bits")->text(), QStringLiteral("99"));
        QCOMPARE(definitionIn(dialog)["rules"][1]["set"]["bits"], json(99));
        // What is no number is in the field alone, and named
        const auto *keeps = dialog.findChild<QPushButton *>(QStringLiteral("keepPlatform"));
        type(field<QLineEdit>(dialog, "bits"), QStringLiteral("many"));
        QVERIFY2(dialog.status()->text().contains(QStringLiteral("Bits")) &&
                     dialog.status()->text().contains(QStringLiteral("many")),
                 qPrintable(dialog.status()->text()));
        QVERIFY(field<QLineEdit>(dialog, "bits")->property("wrong").toBool());
        QVERIFY(!keeps->isEnabled());
        type(field<QLineEdit>(dialog, "bits"), QStringLiteral("8"));
        QVERIFY(!field<QLineEdit>(dialog, "bits")->property("wrong").toBool());
        QCOMPARE(definitionIn(dialog)["rules"][1]["set"]["bits"], json(8));
        QTRY_COMPARE(dialog.status()->text(), QString::fromLatin1(right));

        // From the JSON, also what no list offers
        json changed = definitionIn(dialog);
        changed["rules"][1]["set"]["granularity"] = "axis 7";
        changed["rules"][1]["match"]["state"] = "initial";
        dialog.text()->setPlainText(QString::fromStdString(changed.dump(2)));
        QCOMPARE(field<QComboBox>(dialog, "granularity")->currentText(), QStringLiteral("axis 7"));
        QVERIFY(field<QCheckBox>(dialog, "state initial")->isChecked());

        // No JSON: nothing can be written over it
        dialog.text()->setPlainText(QStringLiteral("{\"id\": "));
        QVERIFY(!field<QLineEdit>(dialog, "bits")->isEnabled());
        // Nor where a key is misspelt, which the engine names
        json misspelt = changed;
        misspelt["rules"][1]["set"]["obsrver"] = "kl";
        dialog.text()->setPlainText(QString::fromStdString(misspelt.dump(2)));
        QVERIFY(!field<QLineEdit>(dialog, "bits")->isEnabled());
        QTRY_VERIFY2(dialog.status()->text().contains(QStringLiteral("Did you mean 'observer'?")),
                     qPrintable(dialog.status()->text()));
        dialog.text()->setPlainText(QString::fromStdString(changed.dump(2)));
        QVERIFY(field<QLineEdit>(dialog, "bits")->isEnabled());
    }

    void fusionFollowsTheForm()
    {
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        dialog.show(QStringLiteral("TRT_INT8"));
        dialog.copyAs(QStringLiteral("MY_FUSION"));
        const auto fusion = [&] {
            const json passes = definitionIn(dialog)["passes"];
            for (const json &pass : passes)
                if (pass["id"] == "quantize_fusion") return pass;
            return json();
        };
        QVERIFY(fusion()["params"].contains("activations")); // as the engine completed it
        for (QLineEdit *line : dialog.findChildren<QLineEdit *>())
            if (line->text().startsWith(QStringLiteral("Relu, Clip"))) type(line, QStringLiteral("Relu"));
        QCOMPARE(definitionIn(dialog)["fuse_activations"], json({"Relu"}));
        QVERIFY(!fusion()["params"].contains("activations")); // or the list would change nothing
    }

    void pipelineIsEditedInTheForm()
    {
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        dialog.show(QStringLiteral("TRT_INT8"));
        PassModel *model = dialog.passes()->model();
        const auto tick = [&](int row, bool on) {
            return model->setData(model->index(row, 0), int(on ? Qt::Checked : Qt::Unchecked), Qt::CheckStateRole);
        };
        QVERIFY(model->rowCount() > 8);
        QVERIFY(!tick(0, true)); // a built-in one
        QVERIFY(!(model->flags(model->index(0, 0)) & Qt::ItemIsUserCheckable));
        dialog.copyAs(QStringLiteral("MY_PASSES"));
        const auto ids = [&] {
            std::vector<std::string> list;
            const json passes = definitionIn(dialog)["passes"];
            for (const json &pass : passes) list.push_back(pass["id"]);
            return list;
        };
        QVERIFY(model->flags(model->index(0, 0)) & Qt::ItemIsUserCheckable);
        QVERIFY(tick(0, true));
        QCOMPARE(definitionIn(dialog)["passes"][0]["enabled"], json(true));
        QCOMPARE(model->index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));

        const std::vector<std::string> before = ids();
        dialog.activateWindow();
        dialog.passes()->view()->setFocus();
        QTRY_VERIFY(dialog.passes()->view()->hasFocus());
        dialog.passes()->view()->setCurrentIndex(model->index(1, 0));
        QTest::keyClick(dialog.passes()->view(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(ids()[2], before[1]);
        QCOMPARE(dialog.passes()->view()->currentIndex().row(), 2);
        QTest::keyClick(dialog.passes()->view(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(ids(), before);
        QTest::keyClick(dialog.passes()->view(), Qt::Key_Delete);
        QCOMPARE(ids().size(), before.size() - 1);
        QVERIFY(ids()[1] == before[2]);
        dialog.passes()->view()->setCurrentIndex(model->index(0, 0));
        dialog.passes()->addPass(before[1], false);
        QCOMPARE(ids(), before);
        QTRY_COMPARE(dialog.status()->text(), QString::fromLatin1(right));

        // From the JSON into the form; members that it does not understand are kept
        json changed = definitionIn(dialog);
        changed["passes"] = {"calibrate", {{"id", "bake"}, {"enabled", false}}};
        dialog.text()->setPlainText(QString::fromStdString(changed.dump(2)));
        QCOMPARE(model->rowCount(), 2);
        QCOMPARE(model->index(1, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        changed["passes"].push_back({{"id", "align"}, {"enabled", "perhaps"}});
        dialog.text()->setPlainText(QString::fromStdString(changed.dump(2)));
        QVERIFY(!tick(0, false));
        QCOMPARE(definitionIn(dialog), changed);
    }

    void ownPlatformIsRenamedAndDeleted()
    {
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        dialog.show(QStringLiteral("TRT_INT8"));
        dialog.copyAs(QStringLiteral("MY_FIRST"));
        dialog.save();
        QTRY_VERIFY(isListed(dialog, QStringLiteral("MY_FIRST")));
        json recipe = m.document().recipeJson();
        recipe["platform"] = "MY_FIRST";
        replaceRecipe(m.document(), QStringLiteral("Platform"), recipe);

        // The recipe follows
        dialog.renameTo(QStringLiteral("MY_SECOND"));
        QTRY_VERIFY(isListed(dialog, QStringLiteral("MY_SECOND")));
        QVERIFY(!isListed(dialog, QStringLiteral("MY_FIRST")));
        QVERIFY(QFileInfo::exists(fileOf(QStringLiteral("MY_SECOND"))));
        QVERIFY(!QFileInfo::exists(fileOf(QStringLiteral("MY_FIRST"))));
        QCOMPARE(QString::fromStdString(m.document().recipe().platform), QStringLiteral("MY_SECOND"));
        QVERIFY(!dialog.isEdited());
        // A name that is taken: refused with the reason, nothing changed
        dialog.renameTo(QStringLiteral("RKNN_INT8"));
        QTRY_VERIFY2(dialog.status()->text().contains(QStringLiteral("RKNN_INT8")),
                     qPrintable(dialog.status()->text()));
        QVERIFY(QFileInfo::exists(fileOf(QStringLiteral("MY_SECOND"))));
        QCOMPARE(definitionIn(dialog)["id"], json("MY_SECOND"));

        // Used by the recipe: it stays
        dialog.removePlatform();
        QVERIFY2(dialog.status()->text().contains(QStringLiteral("MY_SECOND")), qPrintable(dialog.status()->text()));
        recipe["platform"] = "TRT_INT8";
        replaceRecipe(m.document(), QStringLiteral("Platform"), recipe);
        const auto answer = [&](QMessageBox::StandardButton button) {
            answerNext<QMessageBox>(
                &dialog, [button](QMessageBox &box) { QTest::mouseClick(box.button(button), Qt::LeftButton); });
        };
        answer(QMessageBox::Cancel);
        dialog.removePlatform();
        QVERIFY(QFileInfo::exists(fileOf(QStringLiteral("MY_SECOND"))));
        answer(QMessageBox::Yes);
        dialog.removePlatform();
        QTRY_VERIFY(!isListed(dialog, QStringLiteral("MY_SECOND")));
        QVERIFY(!QFileInfo::exists(fileOf(QStringLiteral("MY_SECOND"))));
        QCOMPARE(definitionIn(dialog)["id"], json("TRT_INT8"));
        QVERIFY(!dialog.isEdited());
    }

    void everythingHasAName()
    {
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        dialog.show(QStringLiteral("TRT_INT8"));
        dialog.copyAs(QStringLiteral("MY_NAMES"));
        dialog.passes()->view()->setCurrentIndex(dialog.passes()->model()->index(1, 0));
        QStringList nameless;
        for (QWidget *widget : dialog.findChildren<QWidget *>()) {
            const bool isPart = qobject_cast<const QComboBox *>(widget->parentWidget()) ||
                                widget->objectName().startsWith(QStringLiteral("qt_"));
            if (!(widget->focusPolicy() & Qt::TabFocus) || isPart || widget->inherits("QMenu") ||
                widget->inherits("QScrollArea") || widget->inherits("QComboBoxListView"))
                continue;
            QAccessibleInterface *accessible = QAccessible::queryAccessibleInterface(widget);
            if (accessible && accessible->text(QAccessible::Name).isEmpty())
                nameless.append(QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                                widget->objectName());
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
        // Tab leaves each of them: a text that is written into, and a table
        dialog.activateWindow();
        for (QWidget *widget : std::initializer_list<QWidget *>{dialog.text(), dialog.rules()}) {
            widget->setFocus();
            QTRY_VERIFY(widget->hasFocus());
            QTest::keyClick(widget, Qt::Key_Tab);
            QVERIFY(!widget->hasFocus());
        }
    }

    /// The "extends" of a platform is kept as in its file, and can be set and removed in the form.
    void inheritanceIsKept()
    {
        const auto state = [](const PlatformDialog &dialog) { return dialog.status()->text(); };
        const json rule = {{"name", "mine"}, {"match", {{"types", {"Conv"}}}}, {"set", {{"observer", "minmax"}}}};
        const json written = {{"id", "HEIR"}, {"title", "Heir"}, {"extends", "TRT_INT8"}, {"rules", {rule}}};
        {
            PlatformDialog dialog(m.document());
            dialog.copyAs(QStringLiteral("HEIR"));
            dialog.text()->setPlainText(QString::fromStdString(written.dump(4)) + QLatin1Char('\n'));
            dialog.save();
            QTRY_VERIFY2(state(dialog).startsWith(QStringLiteral("Saved")), qPrintable(state(dialog)));
        }
        PlatformDialog dialog(m.document());
        static_cast<QWidget &>(dialog).show();
        auto *base = dialog.findChild<QComboBox *>(QStringLiteral("extends"));
        auto *arithmetic = dialog.findChild<QComboBox *>(QStringLiteral("arithmetic"));
        QVERIFY(base && arithmetic);
        QVERIFY(!base->isEnabled()); // of a built-in one
        dialog.show(QStringLiteral("HEIR"));
        QCOMPARE(definitionIn(dialog), written);
        QVERIFY(!dialog.isEdited());
        QCOMPARE(base->currentText(), QStringLiteral("TRT_INT8"));
        QCOMPARE(base->findText(QStringLiteral("HEIR")), -1);
        QCOMPARE(dialog.rules()->rowCount(), 1);
        QVERIFY(dialog.passes()->findChild<QTreeView *>() || !dialog.passes()->isHidden());
        const auto check = [&] { QTRY_COMPARE(state(dialog), QString::fromLatin1(right)); };
        choose(base, QStringLiteral("nothing"));
        json whole = definitionIn(dialog);
        QVERIFY(!whole.contains("extends") && whole.contains("quantable") && whole.contains("passes"));
        QVERIFY(whole["rules"].size() > 1);
        QCOMPARE(whole["rules"].back(), rule);
        check();
        choose(arithmetic, QStringLiteral("integer"));
        QCOMPARE(definitionIn(dialog)["arithmetic"], json("integer"));
        check();
        choose(arithmetic, QStringLiteral("float"));
        choose(base, QStringLiteral("TRT_INT8"));
        QCOMPARE(definitionIn(dialog), written);
        check();
        choose(base, QStringLiteral("RKNN_INT8")); // the platform stays the same, except for rules that are prepended
        json other = definitionIn(dialog);
        QCOMPARE(other["extends"], json("RKNN_INT8"));
        QCOMPARE(other["rules"].size(), whole["rules"].size());
        QVERIFY(other.contains("quantable"));
        check();
        choose(base, QStringLiteral("TRT_INT8"));
        dialog.save();
        QTRY_VERIFY2(state(dialog).startsWith(QStringLiteral("Saved")), qPrintable(state(dialog)));
    }
};

QL_TEST(TestPlatforms)
#include "tst_platforms.moc"

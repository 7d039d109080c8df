// The inspector on the real engine: it offers only legal values, the scope of an edit is shown, fields are reset one by
// one.
#include "core/base/strings.h"
#include "tests/support/test_main.h"
#include "tests/views/inspector_test.h"
#include "tests/views/recipe_json.h"
#include "views/commands/recipe_command.h"
#include "views/graph/graph_view.h"
#include "views/graph/overlay.h"
#include "views/models/search.h"
#include "views/window/center_view.h"

#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>

using namespace ql;
using nlohmann::json;

class TestInspector : public InspectorTest
{
    Q_OBJECT

    struct Offer
    {
        QString operation, variable, field;
        json values;
    };

    /// Everything that the form of each slot of the operations offers.
    QVector<Offer> offers(const QStringList &operations)
    {
        QVector<Offer> all;
        for (const QString &name : operations)
            for (const int i : document().history().configsOf(name)) {
                const ConfigInfo config = document().history().configs()[i];
                ConfigForm form(config, {}, document().requests().catalogue());
                Offer offer{name, config.variable, {}, {}};
                connect(&form, &ConfigForm::edited, this, [&](const QString &, const api::RuleSet &values) {
                    offer.values = api::toJson(values);
                    all.append(offer);
                });
                for (QComboBox *box : form.findChildren<QComboBox *>())
                    if (box->isEnabled())
                        for (int row = 0; row < box->count(); ++row) {
                            offer.field = box->objectName();
                            Q_EMIT box->activated(row);
                        }
            }
        return all;
    }

private Q_SLOTS:
    void initTestCase() { m_window.isolate(); }
    void cleanup() { m_window.close(); }

    void everyOfferIsTaken_data()
    {
        QTest::addColumn<QString>("platform");
        QTest::addColumn<bool>("isRun");
        // Per channel and symmetric; asymmetric; powers of two; after a run there are scales, and parameters are baked
        QTest::newRow("symmetric") << "TRT_INT8" << true;
        QTest::newRow("asymmetric") << "RKNN_INT8" << false;
        QTest::newRow("powers of two") << "NXP_INT8" << true;
    }
    void everyOfferIsTaken()
    {
        QFETCH(QString, platform);
        QFETCH(bool, isRun);
        m_window.writeRecipe(platform.toUtf8().constData());
        m_window.show();
        m_window.open();
        editRecipe(document(), QStringLiteral("few"), "/calibration/samples", 2);
        QTRY_VERIFY_WITH_TIMEOUT(!document().history().configs().isEmpty() && !document().requests().isInspecting(),
                                 60000);
        if (isRun) QCOMPARE(refusal(), QString());
        QStringList operations;
        QSet<QString> types;
        for (const OperationInfo &op : document().graph()->operations)
            if (op.isQuantized && !types.contains(op.type)) {
                types.insert(op.type);
                operations.append(op.name);
            }
        QVERIFY(types.contains(QStringLiteral("Conv")) && types.contains(QStringLiteral("Add")));
        QVector<Offer> all = offers(operations);
        QVERIFY(all.size() > 100);
        QHash<QString, int> fields;
        for (const Offer &offer : all) ++fields[offer.field];
        for (const char *field : {"state", "exponent_bits", "granularity", "observer", "rounding", "power_of_two"})
            QVERIFY2(fields.contains(QLatin1String(field)), field);
        // One edit of each slot at a time, those of all slots together
        const json before = document().recipeJson();
        int rounds = 0;
        while (!all.isEmpty()) {
            QSet<QString> used;
            QVector<Offer> rest;
            json recipe = before;
            for (const Offer &offer : all) {
                const QString slot = offer.operation + QLatin1Char('\n') + offer.variable;
                if (used.contains(slot)) {
                    rest.append(offer);
                    continue;
                }
                used.insert(slot);
                recipe["overrides"].push_back({{"match",
                                                {{"op", globEscaped(offer.operation.toStdString())},
                                                 {"variable", globEscaped(offer.variable.toStdString())}}},
                                               {"set", offer.values}});
            }
            replaceRecipe(document(), QStringLiteral("round"), recipe);
            const QString why = refusal();
            QVERIFY2(why.isEmpty(),
                     qPrintable(why + QLatin1Char('\n') + QString::fromStdString(recipe["overrides"].dump(1))));
            all = rest;
            ++rounds;
        }
        QVERIFY(rounds > 10);
        document().undoStack().setClean();
    }

    void illegalIsNotOffered()
    {
        QVERIFY(isOpened());
        const auto texts = [&](const QString &operation, api::SlotRole role, const char *field) {
            document().setCurrent(operation);
            inspector()->showSlot(role, role == api::SlotRole::Parameter ? 1 : 0);
            QStringList list;
            const QComboBox *box = choice(field);
            for (int i = 0; box && i < box->count(); ++i) list.append(box->itemText(i));
            return list;
        };
        const auto hasChannels = [](const QStringList &list) {
            return std::any_of(list.begin(), list.end(),
                               [](const QString &t) { return t.contains(QStringLiteral("axis")); });
        };
        const QString conv = QStringLiteral("stem"), add = QStringLiteral("mix_add");
        QVERIFY(document().graph()->find(conv) >= 0 && document().graph()->find(add) >= 0);
        QVERIFY(hasChannels(texts(conv, api::SlotRole::Parameter, "granularity")));
        QVERIFY(!hasChannels(texts(conv, api::SlotRole::Input, "granularity")));
        QVERIFY(!hasChannels(texts(add, api::SlotRole::Output, "granularity")));
        // A size has no state to choose
        ConfigInfo size;
        size.state = api::QuantState::Off;
        QVERIFY(
            ConfigForm(size, {}, document().requests().catalogue()).findChild<QComboBox *>(QStringLiteral("state")));
        size.isQuantizable = false;
        QVERIFY(
            !ConfigForm(size, {}, document().requests().catalogue()).findChild<QComboBox *>(QStringLiteral("state")));
        // A choice that the observer cannot serve brings another observer with it
        texts(conv, api::SlotRole::Output, "observer");
        choose(choice("observer"), choice("observer")->findText(QStringLiteral("kl")));
        QTRY_COMPARE(choice("observer")->currentText(), QStringLiteral("kl"));
        QVERIFY(choice("symmetric")->itemText(0).contains(QStringLiteral("minmax")));
        choose(choice("symmetric"), 0);
        QTRY_VERIFY(choice("symmetric") && choice("symmetric")->currentIndex() == 0);
        QTRY_COMPARE(choice("observer")->currentText(), QStringLiteral("minmax"));
        QCOMPARE(refusal(), QString());
    }

    void scaleOfPowersOfTwo()
    {
        QVERIFY(isOpened());
        ConfigInfo config;
        config.state = api::QuantState::Initial;
        config.bits = 8;
        config.quantMin = -128;
        config.quantMax = 127;
        config.isSymmetric = config.isPowerOfTwo = true;
        config.observer = QStringLiteral("percentile");
        config.rounding = api::Rounding::HalfEven;
        ConfigForm form(config, {}, document().requests().catalogue());
        QSignalSpy refused(&form, &ConfigForm::refused), edited(&form, &ConfigForm::edited);
        auto *scale = form.findChild<QLineEdit *>(QStringLiteral("scale"));
        QTest::keyClicks(scale, QStringLiteral("0.05"));
        QTest::keyClick(scale, Qt::Key_Return);
        QCOMPARE(refused.count(), 1);
        QVERIFY2(refused[0][0].toString().contains(QStringLiteral("0.03125")), qPrintable(refused[0][0].toString()));
        scale->selectAll();
        QTest::keyClicks(scale, QStringLiteral("0.0625"));
        QTest::keyClick(scale, Qt::Key_Return);
        QCOMPARE(edited.count(), 1);
        // Before a run and for all channels a clip range can be written, too
        config.isPowerOfTwo = false;
        config.channelAxis = config.outputChannelAxis = 0;
        ConfigForm channels(config, {}, document().requests().catalogue());
        QSignalSpy ranges(&channels, &ConfigForm::edited);
        auto *range = channels.findChild<QLineEdit *>(QStringLiteral("range"));
        QVERIFY(range);
        QTest::keyClicks(range, QStringLiteral("-1 ; 1"));
        QTest::keyClick(range, Qt::Key_Return);
        QCOMPARE(ranges.count(), 1);
        QCOMPARE(api::toJson(ranges[0][1].value<api::RuleSet>()).dump(), std::string(R"({"range":[-1.0,1.0]})"));
        // If another slot rounds, there is no scale to set
        config.rootOperation = QStringLiteral("other");
        config.state = api::QuantState::Overlapped;
        ConfigForm shared(config, {}, document().requests().catalogue());
        QVERIFY(!shared.findChild<QLineEdit *>(QStringLiteral("scale")) &&
                !shared.findChild<QLineEdit *>(QStringLiteral("range")));
    }

    /// Each step is an edit, and the next one continues from it.
    void keyboardStaysAtTheField()
    {
        QVERIFY(isOpened());
        QVERIFY(QTest::qWaitForWindowActive(m_window.window.get(), patienceMs));
        document().setCurrent(QStringLiteral("stem"));
        inspector()->showSlot(api::SlotRole::Input, 0);
        choice("rounding")->setFocus();
        QVERIFY(choice("rounding")->hasFocus());
        for (const char *name : {"half_up", "half_down"}) {
            QTest::keyClick(choice("rounding"), Qt::Key_Down);
            QCOMPARE(document().recipeJson()["overrides"][0]["set"]["rounding"], json(name));
            QTRY_VERIFY(!document().requests().isInspecting());
            QTRY_VERIFY(choice("rounding")->hasFocus());
        }
    }

    /// The wheel over an editor without focus scrolls; a committed entry is undone by the document, although the field
    /// has the focus.
    void editorsLeaveWheelAndUndo()
    {
        m_window.writeRecipe("RKNN_INT8");
        m_window.show();
        m_window.open();
        document().setCurrent(QStringLiteral("down_project"));
        QTRY_VERIFY(form() && choice("state"));
        const auto wheel = [](QWidget *widget) {
            const QPointF at(widget->rect().center());
            QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(widget, &event);
        };
        for (const char *field : {"state", "power_of_two", "bits"}) {
            QVERIFY2(choice(field), field);
            QTRY_COMPARE(choice(field)->focusPolicy(), Qt::StrongFocus);
            wheel(choice(field));
        }
        wheel(inspector()->findChild<QComboBox *>(QStringLiteral("platformOfOperation")));
        QVERIFY(!document().undoStack().canUndo());

        auto *codes = form()->findChild<QLineEdit *>(QStringLiteral("codes"));
        QVERIFY(codes);
        codes->setFocus();
        codes->selectAll();
        QTest::keyClicks(codes, QStringLiteral("0 ... 200"));
        QTest::keyClick(codes, Qt::Key_Z, Qt::ControlModifier); // typing is undone first
        QVERIFY(!document().undoStack().canUndo());
        QTest::keyClicks(codes, QStringLiteral("0 ... 200"));
        QTest::keyClick(codes, Qt::Key_Return);
        QTRY_COMPARE(document().undoStack().index(), 1);
        QTRY_VERIFY(!document().requests().isInspecting());
        QWidget *focused = QApplication::focusWidget();
        QVERIFY(focused);
        QTest::keyClick(focused, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(document().undoStack().index(), 0);
    }

    void fieldsAreTakenBackOneByOne()
    {
        QVERIFY(isOpened());
        document().setCurrent(QStringLiteral("stem"));
        inspector()->showSlot(api::SlotRole::Output, 0);
        choose(choice("bits"), choice("bits")->findText(QStringLiteral("6")));
        QTRY_VERIFY(form() && form()->findChild<QToolButton *>(QStringLiteral("reset bits")));
        choose(choice("rounding"), 1);
        QTRY_VERIFY(form()->findChild<QToolButton *>(QStringLiteral("reset rounding")));
        QCOMPARE(document().recipeJson()["overrides"].size(), std::size_t(1));
        auto *reset = form()->findChild<QToolButton *>(QStringLiteral("reset bits"));
        // Its sign is drawn: without it "you" would look like a text
        const QImage sign = reset->icon().pixmap(16, 16).toImage().convertToFormat(QImage::Format_ARGB32);
        int drawn = 0;
        for (int y = 0; y < sign.height(); ++y)
            for (int x = 0; x < sign.width(); ++x) drawn += sign.pixelColor(x, y).alpha() > 128 ? 1 : 0;
        QVERIFY2(drawn > 15, qPrintable(QString::number(drawn)));
        QVERIFY(!reset->accessibleName().isEmpty());
        QTest::mouseClick(reset, Qt::LeftButton);
        QCOMPARE(document().recipeJson()["overrides"][0]["set"].dump(), std::string(R"({"rounding":"half_up"})"));
        QTRY_VERIFY(!form()->findChild<QToolButton *>(QStringLiteral("reset bits")));
        document().undoStack().undo();
        QVERIFY(document().recipeJson()["overrides"][0]["set"].contains("bits"));
        QTRY_VERIFY(!document().requests().isInspecting());
    }

    /// Refused input does not stay in the field, and input that the engine would refuse is refused here.
    void refusedValuesDoNotStay()
    {
        QVERIFY(isOpened());
        m_window.run();
        document().setCurrent(QStringLiteral("stem"));
        inspector()->showSlot(api::SlotRole::Input, 0);
        const json before = document().recipeJson();
        for (const char *typed : {"-1 ... 1e39", "abc", "5 ... 2", "1 ... 4", "-4 ... -1"}) {
            auto *range = form()->findChild<QLineEdit *>(QStringLiteral("range"));
            const QString shown = range->text();
            QVERIFY(!shown.isEmpty());
            range->selectAll();
            QTest::keyClicks(range, QLatin1String(typed));
            QTest::keyClick(range, Qt::Key_Return);
            QVERIFY2(!inspector()->findChild<QLabel *>(QStringLiteral("error"))->text().isEmpty(), typed);
            QCOMPARE(range->text(), shown);
            QCOMPARE(document().recipeJson(), before);
        }
        auto *scale = form()->findChild<QLineEdit *>(QStringLiteral("scale"));
        const QString shown = scale->text();
        scale->setFocus();
        QTest::keyClicks(scale, QStringLiteral("77"));
        QVERIFY(scale->text() != shown);
        QTest::keyClick(scale, Qt::Key_Escape);
        QCOMPARE(scale->text(), shown);
        QVERIFY(choice("state")->findText(QStringLiteral("passive")) < 0); // an input follows no other scale
    }

    /// An edit, and the run after it, create a new form in place of the old one.
    void theViewStaysWhereItWas()
    {
        m_window.writeRecipe("TRT_INT8");
        m_window.show();
        m_window.open();
        m_window.window->resize(1100, 640);
        QTRY_VERIFY_WITH_TIMEOUT(!document().history().configs().isEmpty(), 60000);
        document().setCurrent(QStringLiteral("mix_project"));
        inspector()->showSlot(api::SlotRole::Output, 0);
        QScrollBar *bar = inspector()->findChild<QScrollArea *>()->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 60);
        bar->setValue(60);
        choice("observer")->setFocus();
        QTRY_COMPARE(bar->value(), 60);
        int least = 60;
        connect(bar, &QScrollBar::valueChanged, this, [&](int value) { least = std::min(least, value); });
        choose(choice("observer"), choice("observer")->findText(QStringLiteral("mse")));
        QTRY_VERIFY(form() && form()->findChild<QToolButton *>(QStringLiteral("reset observer")));
        m_window.run();
        settle();
        QTRY_COMPARE(bar->value(), 60);
        QCOMPARE(least, 60);
    }

    /// It is meant for the tensor of the field, stays while results arrive, and is committed by running or saving.
    void typedTextIsNotLostOrMisplaced()
    {
        m_window.writeRecipe("TRT_INT8");
        m_window.show();
        m_window.open();
        m_window.run();
        QVERIFY(QTest::qWaitForWindowActive(m_window.window.get(), patienceMs));
        const auto scaleOf = [&](const char *operation) {
            document().setCurrent(QLatin1String(operation));
            inspector()->showSlot(api::SlotRole::Output, 0);
            return form()->findChild<QLineEdit *>(QStringLiteral("scale"));
        };
        const auto type = [](QLineEdit *line) {
            line->setFocus();
            line->selectAll();
            QTest::keyClicks(line, QStringLiteral("0.5"));
        };
        // The current operation changes under it
        type(scaleOf("mix_project"));
        document().setCurrent(QStringLiteral("down_project"));
        QVERIFY(document().recipe().overrides.empty());
        // Results come
        QLineEdit *line = scaleOf("mix_project");
        QVERIFY(line);
        type(line);
        Q_EMIT document().history().configsChanged();
        QCOMPARE(form()->findChild<QLineEdit *>(QStringLiteral("scale")), line);
        QCOMPARE(line->text(), QStringLiteral("0.5"));
        QVERIFY(document().recipe().overrides.empty());
        // Saved with it, and run with it
        QTest::keyClick(line, Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(document().recipe().overrides.size(), std::size_t(1));
        QCOMPARE(document().recipeJson()["overrides"][0]["match"]["op"], json("mix_project"));
        QVERIFY(document().undoStack().isClean());
        QFile saved(m_window.file());
        QVERIFY(saved.open(QIODevice::ReadOnly) && saved.readAll().contains("overrides"));
        QTRY_VERIFY(!document().requests().isInspecting());
        type(scaleOf("down_project"));
        QTest::keyClick(m_window.window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m_window.isRun(), 120000);
        QCOMPARE(document().recipe().overrides.size(), std::size_t(2));
        QVERIFY(!document().history().isStale());
    }

    /// Fields written together are reset together, and codes follow their bits.
    void resetsAndBitsStayLegal()
    {
        QVERIFY(isOpened());
        document().setCurrent(QStringLiteral("mix_project"));
        inspector()->showSlot(api::SlotRole::Output, 0);
        choose(choice("exponent_bits"), 1);
        QTRY_VERIFY(form() && form()->findChild<QToolButton *>(QStringLiteral("reset exponent_bits")));
        QVERIFY(!form()->findChild<QToolButton *>(QStringLiteral("reset observer")));
        QCOMPARE(refusal(), QString());
        QTest::mouseClick(form()->findChild<QToolButton *>(QStringLiteral("reset exponent_bits")), Qt::LeftButton);
        QVERIFY2(document().recipe().overrides.empty(), document().recipeJson()["overrides"].dump().c_str());
        QTRY_VERIFY(choice("bits"));
        auto *codes = form()->findChild<QLineEdit *>(QStringLiteral("codes"));
        codes->selectAll();
        QTest::keyClicks(codes, QStringLiteral("-100 ; 100"));
        QTest::keyClick(codes, Qt::Key_Return);
        QTRY_VERIFY(form()->findChild<QToolButton *>(QStringLiteral("reset codes")));
        choose(choice("bits"), choice("bits")->findText(QStringLiteral("4")));
        QCOMPARE(document().recipeJson()["overrides"][0]["set"].dump(),
                 std::string(R"({"bits":4,"quant_max":7,"quant_min":-8})"));
        QCOMPARE(refusal(), QString());
    }

    void fewerBitsOfTheWeightAreSeen()
    {
        m_window.writeRecipe("TRT_INT8");
        m_window.show();
        m_window.open();
        json recipe = document().recipeJson();
        recipe["overrides"] = {{{"match", {{"op", "stem"}, {"role", "weight"}}}, {"set", {{"bits", 4}}}}};
        replaceRecipe(document(), QStringLiteral("four bits"), recipe);
        QTRY_VERIFY_WITH_TIMEOUT(!document().history().configs().isEmpty() && !document().requests().isInspecting(),
                                 60000);
        const OperationRows rows = operationRows(document());
        const int stem = document().graph()->find(QStringLiteral("stem"));
        QCOMPARE(rows->at(stem).precision, QStringLiteral("W4A8"));
        QCOMPARE(rows->at(stem).bits, 4);
        const SearchQuery query = SearchQuery::parse(QStringLiteral("bits<8"));
        int found = 0;
        for (const OperationRow &row : *rows) found += query.matches(row);
        QCOMPARE(found, 1);
        const Overlay overlay = makeOverlay(OverlayKind::Precision, *rows, Theme::light());
        for (int i = 0; i < rows->size(); ++i)
            if (i != stem && rows->at(i).isQuantized)
                QVERIFY2(overlay.values[i].color != overlay.values[stem].color, qPrintable(rows->at(i).name));
    }

    void eachPlatformHasItsColour()
    {
        QVector<OperationRow> rows;
        for (const char *platform : {"FP32", "TRT_INT8", "TRT_INT8", "ACADEMIC_INT4", "TRT_FP8", "SOI"}) {
            OperationRow row;
            row.platform = QLatin1String(platform);
            row.isQuantized = row.platform != QStringLiteral("FP32") && row.platform != QStringLiteral("SOI");
            rows.append(row);
        }
        const Overlay overlay = makeOverlay(OverlayKind::Platform, rows, Theme::dark());
        QSet<QRgb> colours;
        for (const OverlayValue &value : overlay.values) colours.insert(value.color.rgb());
        QCOMPARE(colours.size(), 5);
        QCOMPARE(overlay.legend.size(), 5);
    }
};

QL_TEST(TestInspector)
#include "tst_inspector.moc"

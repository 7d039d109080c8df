// The data dialog on the real engine: steps, preview after each of them, warnings.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/commands/recipe_command.h"
#include "views/panels/data_dialog.h"
#include "views/panels/data_preview.h"
#include "views/panels/metric_side.h"
#include "views/panels/settings_dialog.h"
#include "views/plots/qcp.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>

using namespace ql;
using nlohmann::json;

class TestDataPanel : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;
    std::unique_ptr<DataDialog> m_dialog;

    DataSide &side() { return *m_dialog->calibration(); }
    void waitFor(int stages) { QTRY_COMPARE_WITH_TIMEOUT(side().preview()->stages()->count(), stages, 60000); }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void init()
    {
        m.show();
        m.open();
        m_dialog = std::make_unique<DataDialog>(m.document());
        m_dialog->show();
    }
    void cleanup()
    {
        m_dialog.reset();
        m.close();
    }

    /// 960x540 is Full HD at 200 %.
    void fitsASmallScreen()
    {
        const QSize least = m_dialog->minimumSizeHint();
        QVERIFY2(least.width() <= 900 && least.height() <= 480,
                 qPrintable(QStringLiteral("%1x%2").arg(least.width()).arg(least.height())));
        m_dialog->resize(900, 480);
        settle();
        QCOMPARE(m_dialog->size(), QSize(900, 480));
        const auto *buttons = m_dialog->findChild<QDialogButtonBox *>();
        QVERIFY(m_dialog->rect().contains(QRect(buttons->mapTo(m_dialog.get(), QPoint()), buttons->size())));
    }

    void eachStepHasItsImage()
    {
        waitFor(6);
        QCOMPARE(side().steps()->count(), 5);
        QVERIFY(side().preview()->stages()->item(1)->text().startsWith(QStringLiteral("rgb")));
        QVERIFY(side().preview()->stages()->item(0)->text().contains(QStringLiteral("3×")));
        for (int i = 0; i < 6; ++i) {
            const QImage picture = side().preview()->stages()->item(i)->icon().pixmap(112, 112).toImage();
            QVERIFY(!picture.isNull() && picture.pixelColor(56, 56).alpha() == 255);
        }
        // Three channels of the stage that is chosen
        side().preview()->stages()->setCurrentRow(2);
        QCOMPARE(side().preview()->plot()->graphCount(), 3);
        QVERIFY(side().preview()->plot()->xAxis->range().upper < 1.2);
        side().preview()->stages()->setCurrentRow(1);
        QVERIFY(side().preview()->plot()->xAxis->range().upper > 100);
        QVERIFY(!side().warnings()->isVisible());
    }

    /// OK without a change keeps the recipe unchanged, even if it has an absolute data path.
    void fullPathsStay()
    {
        m_dialog.reset();
        json recipe = m.document().recipeJson();
        recipe["calibration"]["path"] = m.document().absolutePath(m.document().recipe().calibration.path).toStdString();
        replaceRecipe(m.document(), QStringLiteral("full path"), recipe);
        QVERIFY(QFileInfo(QString::fromStdString(m.document().recipe().calibration.path)).isAbsolute());
        const json before = m.document().recipeJson();
        DataDialog dialog(m.document());
        dialog.accept();
        QCOMPARE(m.document().recipeJson(), before);
    }

    void stepsAreEdited()
    {
        waitFor(6);
        side().steps()->setCurrentRow(1);
        side().addStep(QStringLiteral("flip horizontal"));
        QCOMPARE(side().preprocess()->text(),
                 QStringLiteral("rgb; scale 1/255; flip horizontal; mean .5,.5,.5; std .5,.5,.5; layout nchw"));
        waitFor(7);
        side().moveStep(-1);
        QVERIFY(side().preprocess()->text().startsWith(QStringLiteral("rgb; flip horizontal; scale 1/255")));
        side().removeStep();
        QVERIFY(!side().preprocess()->text().contains(QStringLiteral("flip")));
        side().steps()->item(1)->setText(QStringLiteral("scale 2/255"));
        QVERIFY(side().preprocess()->text().contains(QStringLiteral("scale 2/255")));
        // Text typed into a row may be two steps, or none any more
        side().steps()->item(1)->setText(QStringLiteral("scale 1/255; clip 0,1"));
        QTRY_COMPARE(side().steps()->item(2)->text(), QStringLiteral("clip 0,1"));
        QCOMPARE(side().steps()->item(1)->text(), QStringLiteral("scale 1/255"));
        const int count = side().steps()->count();
        side().steps()->item(2)->setText(QString());
        QTRY_COMPARE(side().steps()->count(), count - 1);
        side().preprocess()->setText(QStringLiteral("rgb; scale 1/255"));
        QCOMPARE(side().steps()->count(), 2);
        waitFor(3);
        m_dialog->accept();
        QCOMPARE(m.document().recipe().calibration.preprocess, std::string("rgb; scale 1/255"));
        QCOMPARE(m.document().undoStack().count(), 1);
    }

    void samplesAreDrawnAsChosen()
    {
        QCOMPARE(side().sampling()->currentData().toInt(), int(api::Sampling::Even));
        side().seed()->setValue(7);
        side().sampling()->setCurrentIndex(1);
        QVERIFY(!side().seed()->isEnabled()); // the first ones are the first ones
        m_dialog->accept();
        QVERIFY(m.document().recipe().calibration.sampling == api::Sampling::First);
        QCOMPARE(m.document().recipe().calibration.seed, std::int64_t(7));
        QVERIFY(m.document().recipe().evaluation.sampling == api::Sampling::Even);
    }

    void warnings_data()
    {
        QTest::addColumn<QString>("steps");
        QTest::addColumn<int>("samples");
        QTest::addColumn<QString>("warning");
        QTest::newRow("range") << "rgb; layout nchw" << 4 << "not scaled. ";
        QTest::newRow("order") << "bgr; scale 1/255; mean .485,.456,.406" << 4 << "order BGR";
        QTest::newRow("layout") << "rgb; scale 1/255; layout nhwc" << 4 << "expects samples";
        QTest::newRow("fewer") << "rgb; scale 1/255" << 100000 << "100,000";
        QTest::newRow("not finite") << "rgb; scale 1e38; scale 1e38" << 4 << "infinite";
        QTest::newRow("unknown step") << "rgb; resise 4" << 4 << "";
    }
    void warnings()
    {
        QFETCH(QString, steps);
        QFETCH(int, samples);
        QFETCH(QString, warning);
        waitFor(6);
        side().samples()->setValue(samples);
        side().preprocess()->setText(steps);
        if (warning.isEmpty()) {
            waitFor(3);
            QVERIFY(m_dialog->isVisible());
            return;
        }
        QTRY_VERIFY2_WITH_TIMEOUT(side().warnings()->text().contains(warning), qPrintable(side().warnings()->text()),
                                  60000);
        QVERIFY(side().warnings()->isVisible());
    }

    /// Data that differs from that at the time when the dialog was accepted.
    void changedDataIsReported()
    {
        const QString data = m.folder.filePath(QStringLiteral("own data"));
        QVERIFY(QDir().mkpath(data));
        const QDir source(QStringLiteral(QL_SOURCE_DIR "/resources/sample/calib"));
        const QStringList files = source.entryList(QDir::Files);
        for (int i = 0; i < 3; ++i) QVERIFY(QFile::copy(source.filePath(files[i]), data + QLatin1Char('/') + files[i]));
        side().take({data});
        side().samples()->setValue(3);
        QTRY_VERIFY_WITH_TIMEOUT(side().preview()->stages()->count() == 6, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!side().isReading(), 60000);
        m_dialog->accept();
        QVERIFY(QFile::remove(data + QLatin1Char('/') + files[0]));
        QVERIFY(QFile::copy(source.filePath(files[5]), data + QLatin1Char('/') + files[0]));
        m_dialog = std::make_unique<DataDialog>(m.document());
        m_dialog->show();
        QTRY_VERIFY2_WITH_TIMEOUT(side().warnings()->text().contains(QStringLiteral("has changed since the last run")),
                                  qPrintable(side().warnings()->text()), 60000);
    }

    /// On the line of the path, of either side: files, not text.
    void dataIsDropped()
    {
        const QString folder = m.folder.filePath(QStringLiteral("arrays 数组"));
        QVERIFY(QDir().mkpath(folder));
        QStringList files;
        for (const char *name : {"a.npy", "b.npy"}) {
            files.append(folder + QLatin1Char('/') + QLatin1String(name));
            QFile file(files.back());
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        const auto drop = [](QWidget *on, const QStringList &paths) {
            QMimeData mime;
            QList<QUrl> urls;
            for (const QString &path : paths) urls.append(QUrl::fromLocalFile(path));
            mime.setUrls(urls);
            QDragEnterEvent enter({5, 5}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(on, &enter);
            QDropEvent event({5, 5}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(on, &event);
        };
        drop(side().path(), {files[0]});
        QCOMPARE(side().path()->text(), files[0]);
        // Samples of one folder represent the folder, with a note
        drop(side().path(), files);
        QCOMPARE(side().path()->text(), folder);
        const auto reported = [this] {
            QStringList texts;
            for (const QLabel *label : side().findChildren<QLabel *>())
                if (label->isVisible()) texts.append(label->text());
            return texts.join(QLatin1Char('\n'));
        };
        QVERIFY(reported().contains(QStringLiteral("using their folder")));
        drop(side().path(), {folder + QStringLiteral("/picture.jpg")}); // represents its folder
        QCOMPARE(side().path()->text(), folder);
        drop(side().path(), {folder + QStringLiteral("/raw.bin")}); // the same
        QCOMPARE(side().path()->text(), folder);
        drop(side().path(), {folder + QLatin1Char('/'), files[0]}); // as some file managers write a folder
        QCOMPARE(side().path()->text(), folder);
        QVERIFY(reported().contains(QStringLiteral("arrays 数组; data is one")));
        const QString other = m.folder.filePath(QStringLiteral("c.npz"));
        drop(side().path(), {other, files[1]});
        QCOMPARE(side().path()->text(), other);
        QVERIFY(reported().contains(QStringLiteral("c.npz; data is one file")));
        m_dialog->findChild<QTabWidget *>()->setCurrentIndex(1);
        drop(m_dialog->evaluation()->path(), {folder});
        QCOMPARE(m_dialog->evaluation()->path()->text(), folder);
        QCOMPARE(side().path()->text(), other);
    }

    /// Presets of the engine, adapted to the input of the model; each step has the engine's description.
    void presetsAndDescriptions()
    {
        waitFor(6);
        QMenu *presets = side().findChild<QPushButton *>(QStringLiteral("presets"))->menu();
        Q_EMIT presets->aboutToShow();
        QStringList titles;
        for (QAction *action : presets->actions()) titles.append(action->text());
        QCOMPARE(titles, (QStringList{QStringLiteral("ImageNet"), QStringLiteral("YOLO"), QStringLiteral("-1 to 1"),
                                      QStringLiteral("0 to 255")}));
        const QString shape =
            m.document()
                .graph()
                ->tensors[m.document().graph()->tensorByName.value(m.document().graph()->inputs.front())]
                .shape;
        const QString side32 = shape.section(QLatin1Char('x'), -1);
        presets->actions().at(0)->trigger();
        QVERIFY2(side().preprocess()->text().contains(QStringLiteral("crop %1; scale 1/255").arg(side32)),
                 qPrintable(side().preprocess()->text()));
        QVERIFY(side().steps()->item(1)->toolTip().contains(QStringLiteral("shorter side")));
        waitFor(7);
        QVERIFY(!side().fit()->isVisible());
    }

    /// Samples of another size than the input: one click adds the steps for it, after the colours.
    void sizesAreFitted()
    {
        waitFor(6);
        side().preprocess()->setText(QStringLiteral("rgb; resize 50 short; crop 48; scale 1/255"));
        QTRY_VERIFY_WITH_TIMEOUT(side().fit()->isVisible(), 60000);
        QVERIFY2(side().fit()->text().startsWith(QStringLiteral("Add resize")), qPrintable(side().fit()->text()));
        QTest::mouseClick(side().fit(), Qt::LeftButton);
        const QStringList steps = side().preprocess()->text().split(QStringLiteral("; "));
        QCOMPARE(steps.size(), 4);
        QCOMPARE(steps.front(), QStringLiteral("rgb"));
        QVERIFY(steps[1].startsWith(QStringLiteral("resize ")) && steps[2].startsWith(QStringLiteral("crop ")));
        QTRY_VERIFY_WITH_TIMEOUT(!side().fit()->isVisible(), 60000);
    }

    void escapeAsksBeforeDiscarding()
    {
        waitFor(6);
        const json before = m.document().recipeJson();
        side().samples()->setValue(3);
        int asked = 0;
        for (const auto button : {QMessageBox::Cancel, QMessageBox::Discard}) {
            answerNext<QMessageBox>(m_dialog.get(), [&](QMessageBox &box) {
                ++asked;
                box.button(button)->click();
            });
            QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
            QCOMPARE(m_dialog->isVisible(), button == QMessageBox::Cancel);
        }
        QCOMPARE(asked, 2);
        QCOMPARE(m.document().recipeJson(), before);
        // Nothing was changed: no question
        m_dialog = std::make_unique<DataDialog>(m.document());
        m_dialog->show();
        QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
        QVERIFY(!m_dialog->isVisible());
    }

    void inputShapesAndDevice()
    {
        SettingsDialog dialog(m.document());
        QCOMPARE(dialog.shapes()->rowCount(), 1);
        const QString declared = dialog.shapes()->item(0, 2)->text();
        QVERIFY2(declared.contains(QStringLiteral("x3x")), qPrintable(declared));
        QVERIFY(dialog.device()->findText(QStringLiteral("cpu")) >= 0);
        dialog.shapes()->item(0, 3)->setText(QStringLiteral("2 by 3"));
        dialog.accept();
        QVERIFY(!dialog.error()->isHidden());
        QVERIFY2(dialog.error()->text().contains(QStringLiteral("2 by 3")), qPrintable(dialog.error()->text()));
        QCOMPARE(m.document().undoStack().count(), 0);
        dialog.shapes()->item(0, 3)->setText(QStringLiteral("4×3×?×?"));
        dialog.threads()->setValue(1);
        dialog.accept();
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        const api::Recipe &recipe = m.document().recipe();
        QCOMPARE(recipe.inputShapes.size(), std::size_t(1));
        QCOMPARE(recipe.inputShapes.begin()->second, (std::vector<std::int64_t>{4, 3, -1, -1}));
        QCOMPARE(recipe.threads, 1);
        QCOMPARE(m.document().undoStack().count(), 1);
        // The current ones are shown, and can be reset
        QTRY_VERIFY_WITH_TIMEOUT(
            m.document()
                .graph()
                ->tensors.value(m.document().graph()->tensorByName.value(m.document().graph()->inputs.value(0), -1))
                .shape.startsWith(QLatin1Char('4')),
            60000);
        SettingsDialog again(m.document());
        QCOMPARE(again.shapes()->item(0, 3)->text(), QStringLiteral("4x3x?x?"));
        again.shapes()->item(0, 3)->setText(QString());
        again.accept();
        QVERIFY(m.document().recipe().inputShapes.empty());
    }

    /// A metric with labels and parameters is one edit with the data; without one nothing is asked for.
    void metricIsChosen()
    {
        MetricSide *metric = m_dialog->metric();
        QVERIFY(metric->value().id.empty() && !metric->labels()->isVisibleTo(metric));
        m_dialog->findChild<QTabWidget *>()->setCurrentIndex(2);
        const int ap50 = metric->choice()->findData(QStringLiteral("ap50"));
        QVERIFY(ap50 > 0);
        metric->choice()->setFocus();
        for (int i = 0; i < ap50; ++i) QTest::keyClick(metric->choice(), Qt::Key_Down);
        QCOMPARE(metric->value().id, std::string("ap50"));
        QVERIFY(metric->labels()->isVisibleTo(metric));
        // Its parameters are a form of their own, and start at the same place
        metric->choice()->show();
        QTRY_VERIFY(metric->findChild<QLineEdit *>(QStringLiteral("overlap")));
        const auto leftOf = [metric](const QWidget *field) { return field->mapTo(metric, QPoint()).x(); };
        QTRY_COMPARE(leftOf(metric->findChild<QLineEdit *>(QStringLiteral("overlap"))), leftOf(metric->choice()));
        QTest::keyClicks(metric->labels(), QStringLiteral("labels.json"));
        QCOMPARE(metric->value().labels, std::string("labels.json"));
        m_dialog->accept();
        QCOMPARE(m.document().recipe().metric.id, std::string("ap50"));
        QCOMPARE(m.document().recipe().metric.labels, std::string("labels.json"));
        m.document().undoStack().undo();
        QVERIFY(m.document().recipe().metric.id.empty());
    }
};

QL_TEST(TestDataPanel)
#include "tst_data_panel.moc"

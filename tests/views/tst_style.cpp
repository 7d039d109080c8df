// Fonts, icons and buttons of the window.
#include "tests/support/test_main.h"
#include "views/models/operation_rows.h"
#include "views/style/buttons.h"
#include "views/style/elided_combo.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace ql;

class TestStyle : public QObject
{
    Q_OBJECT

private:
    /// The largest difference in lightness between a pixel and the ground, of 255.
    static int contrast(const QImage &picture, const QColor &ground)
    {
        int most = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x) {
                const QColor pixel = picture.pixelColor(x, y);
                if (pixel.alpha() < 200) continue;
                most = std::max(most, std::abs(qGray(pixel.rgb()) - qGray(ground.rgb())));
            }
        return most;
    }

private Q_SLOTS:
    void cleanup() { ThemeManager::instance().choose(ThemeManager::Choice::System); }

    void latinFontComesFirst_data()
    {
        QTest::addColumn<QString>("system");
        QTest::addColumn<QStringList>("known");
        QTest::addColumn<QStringList>("wanted");
        const QString cjk = QStringLiteral("Noto Sans CJK SC"), dejavu = QStringLiteral("DejaVu Sans");
        QTest::newRow("Inter is liked best")
            << QStringLiteral("Cantarell") << QStringList{QStringLiteral("Inter"), QStringLiteral("Cantarell"), cjk}
            << QStringList{QStringLiteral("Inter"), cjk};
        QTest::newRow("the system's") << QStringLiteral("Cantarell") << QStringList{QStringLiteral("Cantarell"), dejavu}
                                      << QStringList{QStringLiteral("Cantarell")};
        QTest::newRow("the system has a CJK font") << QString() << QStringList{dejavu, cjk} << QStringList{dejavu, cjk};
        QTest::newRow("nothing but that") << QString() << QStringList{cjk} << QStringList{cjk};
    }
    void latinFontComesFirst()
    {
        QFETCH(QString, system);
        QFETCH(QStringList, known);
        QFETCH(QStringList, wanted);
        QCOMPARE(textFamilies(system, known), wanted);
    }

    void iconsAreSeen_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(ThemeManager::Choice::Light);
        QTest::newRow("dark") << int(ThemeManager::Choice::Dark);
    }
    /// On the ground that they are drawn on, in both themes.
    void iconsAreSeen()
    {
        QFETCH(int, theme);
        ThemeManager::instance().choose(ThemeManager::Choice(theme));
        for (const char *name :
             {"open",  "save",  "undo",    "redo",  "run",       "stop",       "find",     "export", "plus",
              "minus", "fit",   "warning", "info",  "copy",      "reset",      "up",       "down",   "left",
              "right", "close", "more",    "float", "fold left", "fold right", "fold down"}) {
            const QImage icon = lineIcon(QLatin1String(name)).pixmap(32, 32).toImage();
            QVERIFY2(contrast(icon, Theme::current().panel) > 80, name);
        }
        const QImage run = lineIcon(QStringLiteral("run"), IconRole::OnAccent).pixmap(32, 32).toImage();
        QVERIFY(contrast(run, Theme::current().accent) > 80);
    }

    void buttonsHaveNoStockIcons()
    {
        ThemeManager::instance().apply();
        QDialogButtonBox box(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::Discard);
        box.ensurePolished();
        for (QAbstractButton *button : box.buttons()) QVERIFY2(button->icon().isNull(), qPrintable(button->text()));
        for (const Qt::Orientation orientation : {Qt::Horizontal, Qt::Vertical}) {
            QSplitter splitter(orientation);
            splitter.ensurePolished();
            QVERIFY(splitter.handleWidth() <= 1);
        }
        for (const QToolButton *button : {iconButton(QStringLiteral("plus"), QStringLiteral("Add")),
                                          menuButton(QStringLiteral("more"), QStringLiteral("More"), *new QMenu)}) {
            QVERIFY(button->width() >= 24 && button->height() >= 24);
            QVERIFY(!button->accessibleName().isEmpty());
            delete button;
        }
    }

    void slotsHaveTheOperatorsNames()
    {
        GraphSnapshot graph;
        graph.inputNames = {
            {QStringLiteral("Conv"), {QStringLiteral("X"), QStringLiteral("W"), QStringLiteral("B")}},
            {QStringLiteral("Gemm"), {QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("C")}},
            {QStringLiteral("Add"), {QStringLiteral("A"), QStringLiteral("B")}},
            {QStringLiteral("Clip"), {QStringLiteral("input"), QStringLiteral("min"), QStringLiteral("max")}}};
        graph.tensors = {TensorInfo(), TensorInfo(), TensorInfo(), TensorInfo()};
        graph.tensors[2].isParameter = graph.tensors[3].isParameter = true;
        const auto titles = [&](const char *type, const QVector<int> &inputs) {
            OperationInfo op;
            op.type = QLatin1String(type);
            op.inputs = inputs;
            op.outputs = {1};
            if (op.type == QLatin1String("Conv") || op.type == QLatin1String("Gemm")) {
                op.weight = 1;
                op.bias = 2;
            }
            QStringList texts;
            for (int i = 0; i < inputs.size(); ++i)
                texts.append(slotTitle(
                    graph, op, graph.tensors[inputs[i]].isParameter ? api::SlotRole::Parameter : api::SlotRole::Input,
                    i));
            return texts.join(QLatin1Char(' '));
        };
        QCOMPARE(titles("Conv", {0, 2, 3}), QStringLiteral("Input Weight Bias"));
        QCOMPARE(titles("Gemm", {0, 2, 3}), QStringLiteral("Input Weight Bias"));
        QCOMPARE(titles("Clip", {0, 2, 3}), QStringLiteral("Input min max"));
        QCOMPARE(titles("Add", {0, 1}), QStringLiteral("A B"));
        QCOMPARE(titles("Unknown", {0, 1, 2}), QStringLiteral("Input 1 Input 2 Parameter 3"));
    }

    /// A chooser keeps both ends of a long text, a wide one all of it.
    void narrowChooserKeepsBothEnds()
    {
        const QString text = QStringLiteral("Output · linearbottleneck15_batchnorm2_fwd_out");
        ElidedCombo combo;
        combo.addItem(text);
        combo.resize(200, 28);
        combo.show();
        QVERIFY2(combo.shownText().startsWith(QStringLiteral("Output")) &&
                     combo.shownText().endsWith(QStringLiteral("out")) && combo.shownText().contains(u'…'),
                 qPrintable(combo.shownText()));
        QVERIFY(combo.fontMetrics().horizontalAdvance(combo.shownText()) < 200);
        QCOMPARE(combo.toolTip(), text);
        combo.resize(800, 28);
        QCOMPARE(combo.shownText(), text);
    }

    /// Between two scroll bars there is no box.
    void scrollBarsMeetOnPlainGround()
    {
        ThemeManager::instance().choose(ThemeManager::Choice::Light);
        ThemeManager::instance().apply();
        QTableWidget table(40, 40);
        table.resize(300, 200);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        const QWidget *down = table.verticalScrollBar(), *across = table.horizontalScrollBar();
        QVERIFY(down->isVisible() && across->isVisible());
        const QPoint inside(down->mapTo(&table, QPoint()).x(), across->mapTo(&table, QPoint()).y());
        const QImage corner = table.grab({inside, QSize(down->width(), across->height())}).toImage();
        QCOMPARE(contrast(corner, corner.pixelColor(corner.width() / 2, corner.height() / 2)), 0);
    }

    void fewValuesAreShown()
    {
        QCOMPARE(valuesText({0, 6}), QStringLiteral("0, 6"));
        QCOMPARE(valuesText(QVector<double>(20, 0.5)).count(QStringLiteral("0.5")), 8);
        QVERIFY(valuesText(QVector<double>(20, 0.5)).contains(QStringLiteral("20")));
    }
};

QL_TEST(TestStyle)
#include "tst_style.moc"

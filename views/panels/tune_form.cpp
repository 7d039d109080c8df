#include "views/panels/tune_form.h"

#include "core/base/strings.h"
#include "views/panels/program_field.h"
#include "views/style/buttons.h"
#include "views/style/labels.h"

#include <QCheckBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSettings>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace ql {

namespace {

const QString goalsSetting = QStringLiteral("tune/goals"), minutesSetting = QStringLiteral("tune/minutes");
constexpr int defaultMinutes = 10, mostMinutes = 24 * 60, mostTrials = 100000;

enum LockRole { NameRole = Qt::UserRole, KindRole };

struct GoalExample
{
    const char *goal, *meaning;
};
const GoalExample goalExamples[] = {
    {"metric.drop<1%", QT_TRANSLATE_NOOP("ql::TuneForm", "less than one point of accuracy lost (labelled data)")},
    {"output.sqnr_db>30", QT_TRANSLATE_NOOP("ql::TuneForm", "SQNR of every output above 30 dB")},
    {"output.cosine>0.99", QT_TRANSLATE_NOOP("ql::TuneForm", "cosine of every output above 0.99")},
    {"int8.macs>90%", QT_TRANSLATE_NOOP("ql::TuneForm", "more than 90 % of multiplications in 8 bits or fewer")},
    {"cost.mac_bits<10", QT_TRANSLATE_NOOP("ql::TuneForm", "fewer than 10 bits per multiplication, on average")},
    {"cost.weight_bytes<1e6", QT_TRANSLATE_NOOP("ql::TuneForm", "less than 1 MB of weights")},
};

} // namespace

TuneForm::TuneForm(Document &document, QWidget *parent)
    : QWidget(parent), m_goals(new QPlainTextEdit), m_minutes(new QSpinBox), m_trials(new QSpinBox),
      m_locks(new QListWidget),
      m_metric(new ProgramField(document, QStringLiteral("tuneMetric"), tr("JSON file of the metric"))),
      m_resume(new QCheckBox(tr("Use earlier measurements")))
{
    const QSettings settings;
    m_minutes->setRange(1, mostMinutes);
    m_minutes->setSuffix(tr(" min"));
    m_minutes->setValue(settings.value(minutesSetting, defaultMinutes).toInt());
    m_minutes->setObjectName(QStringLiteral("tuneMinutes"));
    m_minutes->setAccessibleName(tr("Budget"));
    m_trials->setRange(0, mostTrials);
    m_trials->setSpecialValueText(tr("no limit"));
    m_trials->setObjectName(QStringLiteral("tuneTrials"));
    m_trials->setAccessibleName(tr("Most trials"));
    m_trials->setToolTip(tr("Recipes to try at most. Unlike a time, this does not depend on the machine."));
    m_resume->setChecked(true);
    m_resume->setObjectName(QStringLiteral("tuneResume"));
    m_resume->setToolTip(tr("An interrupted search with the same recipe, goals and locks continues where it stopped."));
    auto *form = new QFormLayout(this);
    form->setContentsMargins(12, 6, 12, 6);
    form->setLabelAlignment(Qt::AlignLeft);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(makeGoals());
    form->addRow(tr("Budget"), m_minutes);
    form->addRow(tr("Trials"), m_trials);
    m_metric->setToolTip(
        tr("A program that reads the outputs and prints a number, the larger the better: "
           "{\"command\": [\"python3\", \"score.py\", \"{outputs}\", \"{samples}\"]}. Goals about metric "
           "use it instead of labels."));
    form->addRow(tr("Metric"), m_metric);
    form->addRow(m_resume);
    form->addRow(makeLocks());
    setGoals(settings.value(goalsSetting).toString());
    fitLocks();
}

QWidget *TuneForm::makeGoals()
{
    auto *examples = new QMenu;
    for (const GoalExample &example : goalExamples)
        examples->addAction(QStringLiteral("%1    %2").arg(QLatin1String(example.goal), tr(example.meaning)), this,
                            [this, goal = QString::fromLatin1(example.goal)] {
                                const QString before = m_goals->toPlainText().trimmed();
                                setGoals(before.isEmpty() ? goal : before + QLatin1Char('\n') + goal);
                            });
    auto *whole = new QWidget;
    auto *box = new QVBoxLayout(whole);
    box->setContentsMargins(0, 0, 0, 0);
    auto *head = new QHBoxLayout;
    head->addWidget(new QLabel(tr("Goals")), 1);
    head->addWidget(menuButton(QStringLiteral("plus"), tr("Add a goal"), *examples));
    m_goals->setObjectName(QStringLiteral("tuneGoals"));
    m_goals->setAccessibleName(tr("Goals"));
    m_goals->setPlaceholderText(QStringLiteral("metric.drop<1%"));
    m_goals->setToolTip(tr("One goal per line, the most important first."));
    m_goals->setTabChangesFocus(true);
    m_goals->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_goals->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    constexpr int lines = 3, around = 14;
    m_goals->setFixedHeight(lines * m_goals->fontMetrics().lineSpacing() + around);
    connect(m_goals, &QPlainTextEdit::textChanged, this, &TuneForm::edited);
    box->addLayout(head);
    box->addWidget(m_goals);
    return whole;
}

QWidget *TuneForm::makeLocks()
{
    auto *whole = new QWidget;
    auto *box = new QVBoxLayout(whole);
    box->setContentsMargins(0, 0, 0, 0);
    auto *head = new QHBoxLayout;
    head->addWidget(new QLabel(tr("Locks")), 1);
    m_remove = iconButton(QStringLiteral("minus"), tr("Remove the selected locks (Delete)"));
    m_remove->setObjectName(QStringLiteral("tuneUnlock"));
    connect(m_remove, &QToolButton::clicked, this, &TuneForm::removeLocks);
    head->addWidget(m_remove);
    m_locks->setObjectName(QStringLiteral("tuneLocks"));
    m_locks->setAccessibleName(tr("Locks"));
    m_locks->setToolTip(tr("Operations that the search must not change, or not in every way. Lock them in the context "
                           "menu of the graph or the table."));
    m_locks->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_locks->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_locks->installEventFilter(this);
    connect(m_locks, &QListWidget::itemSelectionChanged, this,
            [this] { m_remove->setEnabled(!m_locks->selectedItems().isEmpty()); });
    box->addLayout(head);
    box->addWidget(m_locks);
    return whole;
}

std::vector<std::string> TuneForm::goals() const
{
    std::vector<std::string> goals;
    for (const QString &line : m_goals->toPlainText().split(QLatin1Char('\n')))
        if (const QString goal = line.trimmed(); !goal.isEmpty()) goals.push_back(goal.toStdString());
    return goals;
}

std::vector<std::string> TuneForm::locks() const
{
    std::vector<std::string> locks;
    for (int i = 0; i < m_locks->count(); ++i) {
        const QListWidgetItem *item = m_locks->item(i);
        const auto kind = Lock(item->data(KindRole).toInt());
        locks.push_back(globEscaped(item->data(NameRole).toString().toStdString()) + (kind == Lock::Int8    ? "=int8"
                                                                                      : kind == Lock::Float ? "=float"
                                                                                                            : "=keep"));
    }
    return locks;
}

double TuneForm::seconds() const
{
    return 60.0 * m_minutes->value();
}

std::int64_t TuneForm::trials() const
{
    return m_trials->value();
}

bool TuneForm::resumes() const
{
    return m_resume->isChecked();
}

void TuneForm::setGoals(const QString &lines)
{
    m_goals->setPlainText(lines);
}

void TuneForm::proposeGoals(bool hasMetric)
{
    const QString written = m_goals->toPlainText().trimmed();
    if (!written.isEmpty() && written != m_proposed) return;
    m_proposed = (hasMetric ? QStringLiteral("metric.drop<1%") : QStringLiteral("output.sqnr_db>30")) +
                 QStringLiteral("\nint8.macs>90%");
    if (written != m_proposed) setGoals(m_proposed);
}

void TuneForm::setTrials(int trials)
{
    m_trials->setValue(trials);
}

void TuneForm::remember()
{
    QSettings settings;
    const QString written = m_goals->toPlainText().trimmed();
    if (written != m_proposed) settings.setValue(goalsSetting, written);
    settings.setValue(minutesSetting, m_minutes->value());
}

QString TuneForm::lockText(Lock lock)
{
    switch (lock) {
    case Lock::Int8: return tr("keep INT8");
    case Lock::Float: return tr("keep float");
    case Lock::Keep: return tr("never change");
    }
    return {};
}

void TuneForm::addLock(const QString &operation, Lock lock)
{
    QListWidgetItem *item = nullptr;
    for (int i = 0; i < m_locks->count(); ++i)
        if (m_locks->item(i)->data(NameRole).toString() == operation) item = m_locks->item(i);
    if (!item) item = new QListWidgetItem(m_locks);
    item->setText(QStringLiteral("%1 · %2").arg(operation, lockText(lock)));
    item->setToolTip(item->text());
    item->setData(NameRole, operation);
    item->setData(KindRole, int(lock));
}

void TuneForm::lock(const QStringList &operations, Lock lock)
{
    for (const QString &name : operations) addLock(name, lock);
    fitLocks();
    Q_EMIT locksChanged();
    Q_EMIT edited();
}

QStringList TuneForm::lockLines() const
{
    QStringList lines;
    for (int i = 0; i < m_locks->count(); ++i)
        lines.append(QStringLiteral("%1 %2")
                         .arg(m_locks->item(i)->data(KindRole).toInt())
                         .arg(m_locks->item(i)->data(NameRole).toString()));
    return lines;
}

void TuneForm::setLocks(const QStringList &lines)
{
    m_locks->clear();
    for (const QString &line : lines) {
        const int kind = line.section(QLatin1Char(' '), 0, 0).toInt();
        if (kind >= int(Lock::Int8) && kind <= int(Lock::Keep)) addLock(line.section(QLatin1Char(' '), 1), Lock(kind));
    }
    fitLocks();
}

void TuneForm::removeLocks()
{
    const QList<QListWidgetItem *> selected = m_locks->selectedItems();
    for (QListWidgetItem *item : selected) delete item;
    fitLocks();
    Q_EMIT locksChanged();
    Q_EMIT edited();
}

void TuneForm::fitLocks()
{
    constexpr int mostLines = 5, around = 10;
    const int lines = std::clamp(m_locks->count(), 1, mostLines);
    m_locks->setFixedHeight(lines * (m_locks->fontMetrics().lineSpacing() + 4) + around);
    m_remove->setEnabled(!m_locks->selectedItems().isEmpty());
}

bool TuneForm::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_locks && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Delete) {
        removeLocks();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ql

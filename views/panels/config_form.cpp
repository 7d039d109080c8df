#include "views/panels/config_form.h"

#include "views/bridge/engine_text.h"
#include "views/models/operation_rows.h"
#include "views/style/elided_label.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QShortcut>
#include <QToolButton>
#include <algorithm>

namespace ql {

ConfigForm::ConfigForm(ConfigInfo config, const QVector<double> &values, CataloguePtr catalogue, QWidget *parent)
    : QWidget(parent), m_config(std::move(config)), m_catalogue(std::move(catalogue)), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(labelGap);
    m_grid->setVerticalSpacing(2);
    setProperty("tight", true);
    m_grid->setColumnMinimumWidth(0, labelWidth);
    m_grid->setColumnStretch(1, 11);
    m_grid->setColumnStretch(2, 8);
    const auto addFact = [this](const QString &label, const QString &text, const QString &explanation) {
        auto *value = new ElidedLabel(text, Qt::ElideMiddle);
        value->setMinimumHeight(20); // lines of text between fields
        auto *name = new QLabel(label);
        name->setProperty("dim", true);
        for (QWidget *widget : {static_cast<QWidget *>(name), static_cast<QWidget *>(value)})
            widget->setToolTip(explanation.isEmpty() ? text : explanation);
        value->setAccessibleName(label);
        const int row = m_grid->rowCount();
        m_grid->addWidget(name, row, 0);
        m_grid->addWidget(value, row, 1, 1, 2); // nobody set it
    };
    addFact(tr("Tensor"), m_config.variable, QString());
    if (!values.isEmpty()) addFact(tr("Value"), valuesText(values), QString());
    if (!m_config.isQuantizable)
        addText(tr("State"), tr("float"), setBy("state"),
                tr("Sizes, axes, indices and tensors that are not float32 are never quantized."));
    else
        addState();
    if (m_config.isFloat()) return;
    if (m_config.isOverlapped() && !m_config.rootOperation.isEmpty())
        addFact(tr("Rounded at"), m_config.rootOperation,
                tr("The tensor is rounded with the scale of %1; change the settings below there.")
                    .arg(m_config.rootOperation));
    // Results first, then settings
    addScale();
    addClipRange();
    addFormat();
    addCodes();
    addSymmetry();
    addGranularity();
    addRounding();
    addObserver();
    addPercentile();
    addPowerOfTwo();
    addDynamic();
    addVisibility();
}

QString ConfigForm::numbers(const QVector<double> &values, int digits)
{
    if (values.isEmpty()) return QStringLiteral("–");
    const auto text = [digits](double v) { return QLocale().toString(v, 'g', digits); };
    if (values.size() == 1) return text(values.front());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return tr("%1 … %2 (%n channel(s))", nullptr, int(values.size())).arg(text(*low), text(*high));
}

Origin ConfigForm::setBy(const char *field) const
{
    return m_config.setBy.value(QLatin1String(field));
}

bool ConfigForm::isSetByUser(const char *field) const
{
    return setBy(field).isOverride();
}

/// "rule 1" of the platform, the pass by its title as in the pipeline, "you": the origin of a field, for readers.
QString ConfigForm::originText(const Origin &origin) const
{
    if (origin.isOverride()) return tr("you");
    if (origin.kind == Origin::Kind::Rule) return tr("rule %1").arg(origin.index + 1);
    const api::PassItem *pass =
        m_catalogue && origin.kind == Origin::Kind::Pass ? api::findItem(m_catalogue->passes, origin.id) : nullptr;
    return engineText(pass && !pass->title.isEmpty() ? pass->title : origin.text());
}

/// The rule with its platform and name, the pattern of an override; for a tool tip.
QString ConfigForm::originDetails(const Origin &origin)
{
    return engineText(origin.text());
}

void ConfigForm::addRow(const QString &label, const QString &field, QWidget *editor, const Origin &setBy,
                        const QString &explanation)
{
    const int row = m_grid->rowCount();
    auto *name = new QLabel(label);
    name->setProperty("dim", true);
    name->setToolTip(explanation);
    name->setBuddy(editor);
    editor->setToolTip(explanation);
    editor->setAccessibleName(label);
    editor->setObjectName(field);
    if (auto *line = qobject_cast<QLineEdit *>(editor)) {
        line->setCursorPosition(0);
        line->setProperty("shown", line->text());
        auto *back = new QShortcut(Qt::Key_Escape, line);
        back->setContext(Qt::WidgetShortcut);
        connect(back, &QShortcut::activated, line, [line] { line->setText(line->property("shown").toString()); });
    }
    editor->setProperty("edited", setBy.isOverride());
    static const QStringList own{QString(), QStringLiteral("state"), QStringLiteral("visibility")};
    if (m_config.isOverlapped() && !own.contains(field)) {
        editor->setEnabled(false);
        editor->setToolTip(tr("No effect: the tensor is rounded with the scale of %1. Change it there.")
                               .arg(m_config.rootOperation.isEmpty() ? tr("another tensor") : m_config.rootOperation));
    }
    m_grid->addWidget(name, row, 0);
    m_grid->addWidget(editor, row, 1);
    m_grid->addWidget(originOf(label, field, setBy), row, 2);
}

/// What is reset with the editor of this name.
static std::vector<api::RuleField> fieldsOfRow(const QString &name)
{
    using Field = api::RuleField;
    if (name == QLatin1String("exponent_bits")) // with the format came what goes with it
        return {Field::ExponentBits, Field::Bits, Field::Symmetric, Field::Dynamic, Field::Observer};
    if (name == QLatin1String("codes")) return {Field::QuantMin, Field::QuantMax};
    if (name == QLatin1String("scale") || name == QLatin1String("range"))
        return {Field::Scale, Field::ZeroPoint, Field::Range};
    const auto field = api::ruleFieldFromString(name.toStdString());
    return field ? std::vector<Field>{*field} : std::vector<Field>();
}

/// The origin of a field; if it was the user, a button that resets it.
QWidget *ConfigForm::originOf(const QString &label, const QString &field, const Origin &setBy)
{
    QFont small = textFont();
    small.setPixelSize(11);
    // Another observer may be required by a neighbouring field, and is reset with it
    const bool isNeeded = field == QLatin1String("observer") &&
                          (isSetByUser("exponent_bits") || isSetByUser("symmetric") || isSetByUser("channel_axis"));
    const bool isOfFormat =
        isSetByUser("exponent_bits") && (field == QLatin1String("bits") || field == QLatin1String("symmetric"));
    if (!field.isEmpty() && setBy.isOverride() && !isNeeded && !isOfFormat) {
        auto *reset = new QToolButton;
        reset->setObjectName(QStringLiteral("reset ") + field);
        reset->setText(originText(setBy));
        reset->setIcon(lineIcon(QStringLiteral("reset")));
        reset->setIconSize({12, 12});
        reset->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        reset->setAutoRaise(true);
        reset->setFont(small);
        reset->setAccessibleName(tr("Reset %1").arg(label));
        reset->setToolTip(tr("%1. Click to reset it.").arg(originDetails(setBy)));
        reset->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        connect(reset, &QToolButton::clicked, this,
                [this, label, field, setBy] { Q_EMIT resetRequested(label, fieldsOfRow(field), setBy); });
        return reset;
    }
    auto *who = new ElidedLabel(originText(setBy));
    who->setProperty("dim", true);
    who->setToolTip(originDetails(setBy));
    who->setMinimumWidth(64);
    who->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    who->setFont(small);
    return who;
}

void ConfigForm::refuse(QLineEdit *line, const QString &reason)
{
    line->setText(line->property("shown").toString());
    line->setCursorPosition(0);
    Q_EMIT refused(reason);
}

void ConfigForm::addText(const QString &label, const QString &text, const Origin &setBy, const QString &explanation)
{
    auto *value = new ElidedLabel(text, Qt::ElideMiddle);
    addRow(label, QString(), value, setBy, explanation.isEmpty() ? text : explanation);
}

void ConfigForm::addChoice(const QString &label, const QString &field, const QStringList &texts,
                           const std::vector<api::RuleSet> &values, int current, const Origin &setBy,
                           const QString &explanation)
{
    auto *box = new QComboBox;
    box->addItems(texts);
    box->setCurrentIndex(current);
    box->setMinimumContentsLength(6); // the origin must fit next to it
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(box, &QComboBox::activated, this, [this, label, values, current](int chosen) {
        if (chosen != current && chosen < int(values.size())) Q_EMIT edited(label, values[std::size_t(chosen)]);
    });
    addRow(label, field, box, setBy, explanation);
}

bool ConfigForm::isTyping() const
{
    const auto *line = qobject_cast<QLineEdit *>(focusWidget());
    return line && line->hasFocus() && line->isModified();
}

} // namespace ql

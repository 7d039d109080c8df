#include "views/panels/param_editor.h"

#include "views/bridge/engine_text.h"
#include "views/style/note_area.h"
#include "views/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QSpinBox>
#include <QToolTip>
#include <QVBoxLayout>
#include <cmath>
#include <limits>
#include <optional>

namespace ql {

using nlohmann::json;

/// Higher hints are scrolled.
static constexpr int maxHintHeight = 100;

ParamEditor::ParamEditor(QWidget *parent) : QWidget(parent)
{
    new QVBoxLayout(this);
    layout()->setContentsMargins(0, 0, 0, 0);
}

void ParamEditor::report(const std::string &name, const json &value)
{
    if (m_values.value(name, json()) == value) return;
    m_values[name] = value;
    Q_EMIT edited(QString::fromStdString(name), value);
}

/// A line for it; empty for a parameter without bounds.
static QString rangeText(const api::ParamSpec &spec)
{
    if (spec.min.is_null() && spec.max.is_null()) return {};
    const auto text = [](const json &end, const QString &open) {
        return end.is_null() ? open : QString::fromStdString(end.dump());
    };
    return QLatin1Char('\n') + ParamEditor::tr("Range: %1 to %2")
                                   .arg(text(spec.min, QStringLiteral("−∞")), text(spec.max, QStringLiteral("∞")));
}

namespace {

/// A spin box that accepts any typing: invalid input is refused with a message, not turned into a number by dropping
/// characters.
class IntegerBox : public QSpinBox
{
public:
    explicit IntegerBox(QString range) : m_range(std::move(range)) {}

protected:
    QValidator::State validate(QString &text, int &position) const override
    {
        const QValidator::State state = QSpinBox::validate(text, position);
        return state == QValidator::Invalid ? QValidator::Intermediate : state;
    }
    void fixup(QString &text) const override
    {
        QToolTip::showText(mapToGlobal(QPoint(0, height())),
                           ParamEditor::tr("Expected an integer; got '%1'.").arg(text) + m_range,
                           const_cast<IntegerBox *>(this)); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    }

private:
    QString m_range;
};

} // namespace

QWidget *ParamEditor::makeSwitch(const std::string &name, const json &value)
{
    auto *box = new QCheckBox;
    box->setChecked(value.is_boolean() && value.get<bool>());
    connect(box, &QCheckBox::toggled, this, [this, name](bool on) { report(name, on); });
    if (m_hasHints) return box; // its name is its text
    const auto showState = [box] { box->setText(box->isChecked() ? tr("on") : tr("off")); };
    connect(box, &QCheckBox::toggled, box, showState);
    showState();
    return box;
}

QWidget *ParamEditor::makeChoice(const api::ParamSpec &spec, const json &value)
{
    auto *box = new QComboBox;
    if (spec.fallback == json("")) box->addItem(tr("not set"), QString());
    for (const std::string &choice : spec.choices)
        box->addItem(engineText(readableName(choice)), QString::fromStdString(choice));
    const std::string chosen = value.is_string() ? value.get<std::string>() : std::string();
    box->setCurrentIndex(box->findData(QString::fromStdString(chosen)));
    connect(box, &QComboBox::activated, this,
            [this, box, name = spec.name] { report(name, box->currentData().toString().toStdString()); });
    return box;
}

QWidget *ParamEditor::makeNumber(const api::ParamSpec &spec, const json &value)
{
    auto *box = new IntegerBox(rangeText(spec));
    box->setRange(spec.min.is_null() ? std::numeric_limits<int>::min() : spec.min.get<int>(),
                  spec.max.is_null() ? std::numeric_limits<int>::max()
                                     : int(std::min<double>(spec.max.get<double>(), 2147483647.0)));
    box->setValue(value.get<int>());
    box->setKeyboardTracking(false);
    if (!spec.unit.empty()) box->setSuffix(QLatin1Char(' ') + QString::fromStdString(spec.unit));
    connect(box, &QSpinBox::valueChanged, this, [this, name = spec.name](int v) { report(name, v); });
    return box;
}

/// A value as it is typed: numbers plain, lists with commas.
static QString typedText(const std::string &type, const json &value)
{
    if (value.is_null()) return {};
    if ((type == "int" || type == "float") && value.is_number()) return QString::number(value.get<double>(), 'g', 9);
    if (type == "strings" && value.is_array()) {
        QStringList parts;
        for (const json &entry : value)
            if (entry.is_string()) parts.append(QString::fromStdString(entry.get<std::string>()));
        return parts.join(QStringLiteral(", "));
    }
    return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
}

/// What was typed as a value of a parameter; unset: it is no number of the range.
static std::optional<json> parsed(const api::ParamSpec &spec, const QString &text)
{
    const std::string &type = spec.type;
    if (type == "strings") {
        json list = json::array();
        for (const QString &part : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
            list.push_back(part.trimmed().toStdString());
        return list;
    }
    if (type != "int" && type != "float") return text.toStdString();
    if (text.isEmpty()) return spec.fallback;
    bool isNumber = true;
    const double number = text.toDouble(&isNumber);
    const bool isBelow = !spec.min.is_null() && number < spec.min.get<double>();
    const bool isAbove = !spec.max.is_null() && number > spec.max.get<double>();
    if (!isNumber || !std::isfinite(number) || isBelow || isAbove) return {};
    if (type == "float") return number;
    return number == std::floor(number) ? std::optional<json>(qint64(number)) : std::nullopt;
}

QWidget *ParamEditor::makeLine(const api::ParamSpec &spec, const json &value)
{
    const std::string &type = spec.type;
    const QString usual = typedText(type, spec.fallback);
    auto *line = new QLineEdit(typedText(type, value));
    line->setPlaceholderText(usual.isEmpty() ? tr("not set") : usual);
    connect(line, &QLineEdit::editingFinished, this, [this, line, spec] {
        line->setModified(false);
        const QString text = line->text().trimmed();
        const std::optional<json> result = parsed(spec, text);
        line->setProperty("wrong", !result);
        repolish(*line);
        if (result) return report(spec.name, *result);
        const QString needed =
            spec.type == "int" ? tr("Expected an integer; got '%1'.") : tr("Expected a number; got '%1'.");
        QToolTip::showText(line->mapToGlobal(QPoint(0, line->height())), needed.arg(text) + rangeText(spec), line);
    });
    return line;
}

QWidget *ParamEditor::makeEditor(const api::ParamSpec &spec, const json &value)
{
    if (spec.type == "bool") return makeSwitch(spec.name, value);
    if (!spec.choices.empty()) return makeChoice(spec, value);
    if (spec.type == "int" && value.is_number_integer() && !spec.fallback.is_null()) return makeNumber(spec, value);
    // Numbers without a default, floats of any size, texts and lists: typed, and checked on entry
    return makeLine(spec, value);
}

/// The first sentence of a meaning; the tool tip has the rest.
static QString firstSentence(const QString &meaning)
{
    static const QRegularExpression end(QStringLiteral("[.] |。"));
    const qsizetype at = meaning.indexOf(end);
    return at < 0 ? meaning : meaning.left(at + 1);
}

void ParamEditor::addRow(const api::ParamSpec &spec)
{
    QWidget *editor = makeEditor(spec, api::paramOf(m_values, spec));
    const QString meaning = engineText(spec.meaning), name = engineText(readableName(spec.name));
    QString tip = meaning + rangeText(spec);
    if (!spec.unit.empty()) tip += QLatin1Char('\n') + tr("Unit: %1").arg(QString::fromStdString(spec.unit));
    tip += QLatin1Char('\n') + tr("Default: %1").arg(QString::fromStdString(spec.fallback.dump()));
    editor->setToolTip(tip);
    editor->setAccessibleName(name);
    editor->setObjectName(QString::fromStdString(spec.name));
    NoteArea *hint = nullptr;
    if (m_hasHints) {
        auto *text = new QLabel(firstSentence(meaning));
        text->setObjectName(QStringLiteral("hint"));
        text->setProperty("dim", true);
        text->setToolTip(tip);
        hint = new NoteArea(text, maxHintHeight);
        editor->setAccessibleDescription(meaning);
    }
    if (auto *box = qobject_cast<QCheckBox *>(editor); box && hint) {
        box->setText(name);
        return m_form->addRow(box, hint);
    }
    auto *label = new QLabel(name);
    label->setProperty("dim", !hint);
    label->setToolTip(tip);
    label->setBuddy(editor);
    m_form->addRow(label, editor);
    if (hint) m_form->addRow(QString(), hint);
}

void ParamEditor::setParams(const std::vector<api::ParamSpec> &specs, const json &values)
{
    if (specs == m_specs && values == m_values) return;
    m_specs = specs;
    m_values = values.is_object() ? values : json::object();
    if (auto *old = findChild<QWidget *>(QStringLiteral("form"), Qt::FindDirectChildrenOnly)) {
        old->setObjectName(QString());
        old->hide();
        old->deleteLater();
    }
    auto *body = new QWidget;
    body->setObjectName(QStringLiteral("form"));
    m_form = new QFormLayout(body);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setSpacing(6);
    m_form->setLabelAlignment(Qt::AlignLeft);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const api::ParamSpec &spec : specs) addRow(spec);
    if (specs.empty()) {
        auto *none = new QLabel(tr("No parameters."));
        none->setProperty("dim", true);
        m_form->addRow(none);
    }
    layout()->addWidget(body);
}

} // namespace ql

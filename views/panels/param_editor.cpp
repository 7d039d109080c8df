#include "views/panels/param_editor.h"

#include "views/bridge/engine_text.h"
#include "views/bridge/snapshot.h"
#include "views/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QToolTip>
#include <QVBoxLayout>
#include <cmath>
#include <limits>

namespace ql {

using nlohmann::json;

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

/// A line that tells it; empty for a parameter without bounds.
static QString rangeText(const json &spec)
{
    if (!spec.contains("min") && !spec.contains("max")) return {};
    const auto text = [&](const char *end, const QString &open) {
        return spec.contains(end) ? QString::fromStdString(spec[end].dump()) : open;
    };
    return QLatin1Char('\n') +
           ParamEditor::tr("Range: %1 to %2").arg(text("min", QStringLiteral("−∞")), text("max", QStringLiteral("∞")));
}

namespace {

/// A spin box in which anything can be typed: what is no number of the range is refused with a word, and not made one
/// by leaving out what does not fit.
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

QWidget *ParamEditor::makeEditor(const json &spec, const json &value)
{
    const std::string name = spec.value("name", ""), type = spec.value("type", "");
    const json fallback = spec.value("default", json());
    if (type == "bool") {
        auto *box = new QCheckBox;
        box->setChecked(value.is_boolean() && value.get<bool>());
        box->setText(box->isChecked() ? tr("on") : tr("off"));
        connect(box, &QCheckBox::toggled, this, [this, box, name](bool on) {
            box->setText(on ? tr("on") : tr("off"));
            report(name, on);
        });
        return box;
    }
    if (const json choices = spec.value("choices", json::array()); !choices.empty()) {
        auto *box = new QComboBox;
        if (fallback == json("")) box->addItem(tr("not set"), QString());
        for (const json &choice : choices)
            box->addItem(readableName(choice.get<std::string>()), QString::fromStdString(choice.get<std::string>()));
        box->setCurrentIndex(box->findData(textOf(json{{"v", value}}, "v")));
        connect(box, &QComboBox::activated, this,
                [this, box, name] { report(name, box->currentData().toString().toStdString()); });
        return box;
    }
    if (type == "int" && value.is_number_integer() && !fallback.is_null()) {
        auto *box = new IntegerBox(rangeText(spec));
        box->setRange(spec.contains("min") ? spec["min"].get<int>() : std::numeric_limits<int>::min(),
                      spec.contains("max") ? int(std::min<double>(spec["max"].get<double>(), 2147483647.0))
                                           : std::numeric_limits<int>::max());
        box->setValue(value.get<int>());
        box->setKeyboardTracking(false);
        if (spec.contains("unit")) box->setSuffix(QLatin1Char(' ') + textOf(spec, "unit"));
        connect(box, &QSpinBox::valueChanged, this, [this, name](int v) { report(name, v); });
        return box;
    }
    // Numbers without a default, floats of any size, texts and lists: what is typed, checked when it is entered
    auto *line = new QLineEdit;
    const bool isNumber = type == "int" || type == "float", isList = type == "strings";
    const auto shown = [isNumber, isList](const json &v) {
        if (v.is_null()) return QString();
        if (isNumber && v.is_number()) return QString::number(v.get<double>(), 'g', 9);
        if (isList && v.is_array()) {
            QStringList parts;
            for (const json &entry : v)
                if (entry.is_string()) parts.append(QString::fromStdString(entry.get<std::string>()));
            return parts.join(QStringLiteral(", "));
        }
        return v.is_string() ? QString::fromStdString(v.get<std::string>()) : QString::fromStdString(v.dump());
    };
    line->setText(shown(value));
    line->setPlaceholderText(fallback.is_null() || shown(fallback).isEmpty() ? tr("not set") : shown(fallback));
    connect(line, &QLineEdit::editingFinished, this, [this, line, name, isNumber, isList, type, spec, fallback] {
        line->setModified(false);
        const QString text = line->text().trimmed();
        json result;
        bool good = true;
        if (isList) {
            result = json::array();
            for (const QString &part : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
                result.push_back(part.trimmed().toStdString());
        } else if (!isNumber) {
            result = text.toStdString();
        } else if (text.isEmpty()) {
            result = fallback;
        } else {
            const double number = text.toDouble(&good);
            good = good && std::isfinite(number) && !(spec.contains("min") && number < spec["min"].get<double>()) &&
                   !(spec.contains("max") && number > spec["max"].get<double>()) &&
                   (type != "int" || number == std::floor(number));
            if (type == "int")
                result = qint64(number);
            else
                result = number;
        }
        line->setProperty("wrong", !good);
        polishAgain(*line);
        if (good) return report(name, result);
        const QString needed =
            type == "int" ? tr("Expected an integer; got '%1'.") : tr("Expected a number; got '%1'.");
        QToolTip::showText(line->mapToGlobal(QPoint(0, line->height())), needed.arg(text) + rangeText(spec), line);
    });
    return line;
}

void ParamEditor::setParams(const json &specs, const json &values)
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
    for (const json &spec : specs.is_array() ? specs : json::array()) {
        const std::string name = spec.value("name", "");
        QWidget *editor = makeEditor(spec, m_values.value(name, spec.value("default", json())));
        QString tip = engineText(spec, "meaning");
        tip += rangeText(spec);
        if (!textOf(spec, "unit").isEmpty()) tip += QLatin1Char('\n') + tr("Unit: %1").arg(textOf(spec, "unit"));
        tip += QLatin1Char('\n') + tr("Default: %1").arg(QString::fromStdString(spec.value("default", json()).dump()));
        auto *label = new QLabel(engineText(readableName(name)));
        label->setProperty("dim", true);
        label->setToolTip(tip);
        label->setBuddy(editor);
        editor->setToolTip(tip);
        editor->setAccessibleName(engineText(readableName(name)));
        editor->setObjectName(QString::fromStdString(name));
        m_form->addRow(label, editor);
    }
    if (specs.empty()) {
        auto *none = new QLabel(tr("No parameters."));
        none->setProperty("dim", true);
        m_form->addRow(none);
    }
    layout()->addWidget(body);
}

} // namespace ql

#include "views/panels/rule_form.h"

#include "views/bridge/engine_text.h"
#include "views/bridge/snapshot.h"
#include "views/panels/param_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <cmath>

namespace ql {

using nlohmann::json;

static QString plainText(const json &value)
{
    return value.is_null()     ? QString()
           : value.is_string() ? QString::fromStdString(value.get<std::string>())
                               : QString::fromStdString(value.dump());
}

static json textOrNothing(const QString &text)
{
    return text.isEmpty() ? json() : json(text.toStdString());
}

static QString listText(const json &value)
{
    if (!value.is_array()) return plainText(value);
    QStringList words;
    for (const json &word : value) words.append(plainText(word));
    return words.join(QStringLiteral(", "));
}

static json listOfText(const QString &text)
{
    json list = json::array();
    for (const QString &word : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (const QString plain = word.trimmed(); !plain.isEmpty()) list.push_back(plain.toStdString());
    return list.empty() ? json() : list;
}

static json numberOfText(const QString &text)
{
    const QString plain = text.trimmed();
    bool good = false;
    if (const qint64 whole = plain.toLongLong(&good); good) return whole;
    if (const double number = plain.toDouble(&good); good && std::isfinite(number)) return number;
    return textOrNothing(plain);
}

/// "3", or "3+" for {"at_least": 3}.
static QString inputsText(const json &value)
{
    if (value.is_object() && value.size() == 1 && value.contains("at_least"))
        return plainText(value["at_least"]) + QLatin1Char('+');
    return plainText(value);
}

static json inputsOfText(const QString &text)
{
    const QString plain = text.trimmed();
    if (!plain.endsWith(QLatin1Char('+'))) return numberOfText(plain);
    return {{"at_least", numberOfText(plain.chopped(1))}};
}

static json jsonOfText(const QString &text)
{
    if (text.trimmed().isEmpty()) return nullptr;
    const json value = json::parse(text.toStdString(), nullptr, false);
    return value.is_discarded() ? json(text.toStdString()) : value;
}

static QStringList wordList(const json &value)
{
    QStringList words;
    if (value.is_array())
        for (const json &word : value) words.append(plainText(word));
    else if (!value.is_null())
        words.append(plainText(value));
    return words;
}

RuleForm::RuleForm(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(1, 1);
    m_grid->setColumnStretch(3, 1);
    const std::vector<json> yesNo{true, false};
    const auto match = [](const char *key) { return Path{"match", key}; };
    const auto set = [](const char *key) { return Path{"set", key}; };

    addLine(tr("Name"), tr("A few words that identify the rule in reports."), {"name"}, plainText, textOrNothing, true);
    addHeading(tr("Matches slots that meet all of these conditions"));
    addLine(tr("Types"), tr("Operator types, separated by commas; empty: all."), match("types"), listText, listOfText,
            true);
    addWords(tr("Role"), tr("Any of the checked roles; none checked: every slot."), match("role"),
             {QStringLiteral("input"), QStringLiteral("activation"), QStringLiteral("parameter"),
              QStringLiteral("weight"), QStringLiteral("bias"), QStringLiteral("output")});
    addWords(tr("Previous state"), tr("The state before this rule: any of the checked ones."), match("state"),
             {QStringLiteral("initial"), QStringLiteral("passive"), QStringLiteral("fp32")});
    addLine(tr("Index"), tr("Number of the input, or of the output if the role is output."), match("index"), plainText,
            numberOfText);
    addLine(tr("Index from"), tr("This number and all higher ones."), match("index_from"), plainText, numberOfText);
    addLine(tr("Inputs"), tr("Number of inputs of the operation: 3, or 3+ for three or more."), match("inputs"),
            inputsText, inputsOfText);
    addChoice(tr("Constant"), tr("Whether the tensor has a constant value."), match("is_parameter"), yesNo);
    addLine(tr("Attributes"), tr("As JSON: attribute to value, or to {\"all\": value} for lists."), match("attributes"),
            plainText, jsonOfText, true);

    addHeading(tr("Sets on matching slots"));
    addLine(tr("Bits"), tr("Number of bits per code, 2 to 32. Also sets the range of codes."), set("bits"), plainText,
            numberOfText);
    addChoice(tr("Symmetric"), tr("Symmetric: the zero point is 0."), set("symmetric"), yesNo);
    addLine(tr("Lowest code"), tr("Set together with the highest code."), set("quant_min"), plainText, numberOfText);
    addLine(tr("Highest code"), tr("Set together with the lowest code."), set("quant_max"), plainText, numberOfText);
    addChoice(tr("Granularity"),
              tr("One scale for the whole tensor, one per output channel, or one per entry of an axis."),
              set("granularity"), {"tensor", "output_channel", "axis 0", "axis 1", "axis 2", "axis 3"});
    addChoice(
        tr("Rounding"), tr("How values between two codes are rounded."), set("rounding"),
        {"half_even", "half_up", "half_down", "half_towards_zero", "half_away_from_zero", "to_near_int", "up", "down"});
    addChoice(tr("Power of two"), tr("Scales are powers of two."), set("power_of_two"), yesNo);
    addLine(tr("Exponent bits"), tr("Above 0: floating-point codes with this many exponent bits."),
            set("exponent_bits"), plainText, numberOfText);
    m_observer =
        addChoice(tr("Observer"), tr("How the range is derived from the calibration data."), set("observer"), {});
    addChoice(tr("State"), tr("initial: calibrated; passive: the scale is derived from others; fp32: not quantized."),
              set("state"), {"initial", "passive", "fp32"});
    addLine(tr("Percentile"), tr("Observer parameter, 0.5 to 1."), set("percentile"), plainText, numberOfText);
    addChoice(tr("Percentile over"),
              tr("Observer parameter: over the values of all batches, or per batch and averaged."),
              set("percentile_over"), {"samples", "batches"});
    addLine(tr("Minimum scale"), tr("Observer parameter: lower bound of the scale."), set("min_scale"), plainText,
            numberOfText);
    addLine(tr("Histogram bins"), tr("Observer parameter."), set("histogram_bins"), plainText, numberOfText);
    addLine(tr("Isotone axis"), tr("Observer parameter: the axis of the classes."), set("isotone_axis"), plainText,
            numberOfText);
    addChoice(tr("Dynamic"), tr("The scale is computed from each tensor at run time."), set("dynamic"), yesNo);
    addChoice(tr("Exported"), tr("Whether exporters write it."), set("visibility"),
              {"when_active", "always", "internal"});
}

void RuleForm::addHeading(const QString &text)
{
    if (m_column > 0) ++m_row;
    m_column = 0;
    auto *label = new QLabel(text);
    label->setProperty("dim", true);
    m_grid->addWidget(label, m_row++, 0, 1, 4);
}

void RuleForm::addEditor(const QString &label, const QString &tip, QWidget *widget, const Path &path, bool isWide)
{
    auto *name = new QLabel(label);
    name->setToolTip(tip);
    name->setBuddy(widget);
    widget->setToolTip(tip);
    widget->setAccessibleName(label);
    widget->setAccessibleDescription(tip);
    widget->setObjectName(QString::fromStdString(path.back()));
    if (isWide && m_column > 0) {
        ++m_row;
        m_column = 0;
    }
    m_grid->addWidget(name, m_row, m_column);
    m_grid->addWidget(widget, m_row, m_column + 1, 1, isWide ? 3 : 1);
    m_column = isWide || m_column > 0 ? 0 : 2;
    if (m_column == 0) ++m_row;
}

void RuleForm::addLine(const QString &label, const QString &tip, const Path &path, QString (*textOfValue)(const json &),
                       json (*valueOfText)(const QString &), bool isWide)
{
    auto *line = new QLineEdit;
    line->setPlaceholderText(QStringLiteral("–"));
    addEditor(label, tip, line, path, isWide);
    connect(line, &QLineEdit::textEdited, this,
            [this, path, valueOfText](const QString &text) { put(path, valueOfText(text)); });
    m_editors.push_back({path, [line, textOfValue](const json &value, bool isReadOnly) {
                             line->setText(textOfValue(value));
                             line->setCursorPosition(0);
                             line->setReadOnly(isReadOnly);
                         }});
}

QComboBox *RuleForm::addChoice(const QString &label, const QString &tip, const Path &path,
                               const std::vector<json> &values)
{
    auto *box = new QComboBox;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->addItem(QStringLiteral("–"), QString());
    // The data is the value as JSON
    const auto add = [box](const json &value) {
        const QString text = value == json(true) ? tr("yes") : value == json(false) ? tr("no") : plainText(value);
        box->addItem(text, QString::fromStdString(value.dump()));
    };
    for (const json &value : values) add(value);
    addEditor(label, tip, box, path, false);
    connect(box, &QComboBox::activated, this, [this, path, box] {
        const QString chosen = box->currentData().toString();
        put(path, chosen.isEmpty() ? json() : json::parse(chosen.toStdString()));
    });
    m_editors.push_back({path, [box, add](const json &value, bool isReadOnly) {
                             const QString text = value.is_null() ? QString() : QString::fromStdString(value.dump());
                             if (box->findData(text) < 0) add(value);
                             box->setCurrentIndex(box->findData(text));
                             box->setEnabled(!isReadOnly);
                         }});
    return box;
}

void RuleForm::addWords(const QString &label, const QString &tip, const Path &path, const QStringList &words)
{
    auto *row = new QWidget;
    auto *box = new QHBoxLayout(row);
    box->setContentsMargins(0, 0, 0, 0);
    addEditor(label, tip, row, path, true);
    std::vector<QCheckBox *> ticks;
    for (const QString &word : words) {
        auto *tick = new QCheckBox(word);
        tick->setAccessibleName(QStringLiteral("%1: %2").arg(label, word));
        tick->setObjectName(QString::fromStdString(path.back()) + QLatin1Char(' ') + word);
        tick->setToolTip(tip);
        box->addWidget(tick);
        ticks.push_back(tick);
        connect(tick, &QCheckBox::clicked, this, [this, path, word](bool on) {
            QStringList given = wordList(memberOf(memberOf(m_rule, path[0].c_str()), path[1].c_str()));
            given.removeAll(word);
            if (on) given.append(word);
            json list = json::array();
            for (const QString &one : std::as_const(given)) list.push_back(one.toStdString());
            put(path, list.empty() ? json() : list.size() == 1 ? list[0] : list);
        });
    }
    box->addStretch();
    m_editors.push_back({path, [ticks](const json &value, bool isReadOnly) {
                             const QStringList given = wordList(value);
                             for (QCheckBox *tick : ticks) {
                                 tick->setChecked(given.contains(tick->text()));
                                 tick->setEnabled(!isReadOnly);
                             }
                         }});
}

void RuleForm::put(const Path &path, const json &value)
{
    if (m_isShowing || !m_rule.is_object()) return;
    json *place = &m_rule;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        place = &(*place)[path[i]];
        if (!place->is_object()) *place = json::object();
    }
    if (value.is_null())
        place->erase(path.back());
    else
        (*place)[path.back()] = value;
    // An empty match matches everything, like no match
    if (path.size() > 1 && path.front() == "match" && place->empty()) m_rule.erase("match");
    Q_EMIT edited(m_rule);
}

void RuleForm::setObservers(const QStringList &ids)
{
    while (m_observer->count() > 1) m_observer->removeItem(1);
    for (const QString &id : ids) m_observer->addItem(id, QString::fromStdString(json(id.toStdString()).dump()));
}

void RuleForm::setRule(const json &rule, bool isReadOnly)
{
    m_isShowing = true;
    m_rule = rule;
    setEnabled(rule.is_object());
    for (const Editor &editor : m_editors) {
        const json *value = &m_rule;
        for (const std::string &key : editor.path) value = &memberOf(*value, key.c_str());
        // Built-in names are shown in the language of the window
        const bool isName = isReadOnly && value->is_string() && editor.path == Path{"name"};
        editor.show(isName ? json(engineText(rule, "name").toStdString()) : *value, isReadOnly);
    }
    m_isShowing = false;
}

QString RuleForm::words(const json &part)
{
    if (!part.is_object()) return part.is_null() ? QString() : plainText(part);
    QStringList words;
    const auto add = [&](const std::string &key) {
        if (!part.contains(key)) return;
        const json &value = part[key];
        const QString text = value == json(true)    ? tr("yes")
                             : value == json(false) ? tr("no")
                             : key == "inputs"      ? inputsText(value)
                             : value.is_string()    ? engineText(readableName(value.get<std::string>()))
                                                    : listText(value);
        words.append(
            key == "types" || key == "role" ? text : QStringLiteral("%1 %2").arg(engineText(readableName(key)), text));
    };
    add("types");
    add("role");
    for (const auto &[key, value] : part.items())
        if (key != "types" && key != "role") add(key);
    return words.join(QStringLiteral(" · "));
}

} // namespace ql

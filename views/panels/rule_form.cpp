#include "views/panels/rule_form.h"

#include "core/base/error.h"
#include "views/bridge/engine_text.h"
#include "views/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace ql {

using nlohmann::json;

// Values as the form writes them

static QString written(bool value)
{
    return value ? RuleForm::tr("yes") : RuleForm::tr("no");
}

static QString written(const std::string &value)
{
    return QString::fromStdString(value);
}

template <class Word>
static QString written(const Word &value)
{
    return QString::fromStdString(toString(value));
}

static QString digitsOf(std::int64_t value)
{
    return QString::number(value);
}

static QString digitsOf(int value)
{
    return QString::number(value);
}

static QString digitsOf(double value)
{
    return QString::fromStdString(json(value).dump());
}

/// Unset: it is none.
template <class Number>
static std::optional<Number> numberOf(const QString &text)
{
    bool good = false;
    if constexpr (std::is_floating_point_v<Number>) {
        const double value = text.toDouble(&good);
        return good && std::isfinite(value) ? std::optional(value) : std::nullopt;
    } else if constexpr (std::is_same_v<Number, int>) {
        const int value = text.toInt(&good);
        return good ? std::optional(value) : std::nullopt;
    } else {
        const qint64 value = text.toLongLong(&good);
        return good ? std::optional<Number>(value) : std::nullopt;
    }
}

static QString joined(const std::vector<std::string> &words)
{
    QStringList list;
    for (const std::string &word : words) list.append(QString::fromStdString(word));
    return list.join(QStringLiteral(", "));
}

/// "3", or "3+" for three and more.
static QString inputsText(const api::RuleMatch &match)
{
    if (match.inputsAtLeast) return QString::number(*match.inputsAtLeast) + QLatin1Char('+');
    return match.inputs ? QString::number(*match.inputs) : QString();
}

static bool takeInputs(api::RuleMatch &match, QString text)
{
    text = text.trimmed();
    const bool isLeast = text.endsWith(QLatin1Char('+'));
    const auto number = numberOf<int>(isLeast ? text.chopped(1) : text);
    if (!number && !text.isEmpty()) return false;
    match.inputs = isLeast ? std::nullopt : number;
    match.inputsAtLeast = isLeast ? number : std::nullopt;
    return true;
}

static bool takeAttributes(api::RuleMatch &match, const QString &text)
{
    match.attributes.clear();
    if (text.trimmed().isEmpty()) return true;
    try {
        const api::JsonText parsed = api::JsonText::parse(text.toStdString(), {});
        match.attributes = api::attributesFromJson(api::JsonNode(parsed));
    } catch (const Error &) {
        return false;
    }
    return true;
}

RuleForm::RuleForm(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(1, 1);
    m_grid->setColumnStretch(3, 1);
    addLine(
        tr("Name"), tr("A few words that identify the rule in reports."), QStringLiteral("name"),
        [](const api::Rule &rule) { return QString::fromStdString(rule.name); },
        [](api::Rule &rule, const QString &text) {
            rule.name = text.toStdString();
            return true;
        },
        true);
    addMatch();
    addSet();
}

void RuleForm::addMatch()
{
    using Match = api::RuleMatch;
    using Role = api::SlotRole;
    using State = api::QuantState;
    const auto part = &api::Rule::match;
    addHeading(tr("Matches slots that meet all of these conditions"));
    addLine(
        tr("Types"), tr("Operator types, separated by commas; empty: all."), QStringLiteral("types"),
        [](const api::Rule &rule) { return joined(rule.match.types); },
        [](api::Rule &rule, const QString &text) {
            rule.match.types.clear();
            for (const QString &word : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
                if (const QString plain = word.trimmed(); !plain.isEmpty())
                    rule.match.types.push_back(plain.toStdString());
            return true;
        },
        true);
    addWords(tr("Role"), tr("Any of the checked roles; none checked: every slot."), QStringLiteral("role"),
             &Match::roles, {Role::Input, Role::Activation, Role::Parameter, Role::Weight, Role::Bias, Role::Output});
    addWords(tr("Previous state"), tr("The state before this rule: any of the checked ones."), QStringLiteral("state"),
             &Match::states, {State::Initial, State::Passive, State::Off});
    addNumber(tr("Index"), tr("Number of the input, or of the output if the role is output."), QStringLiteral("index"),
              part, &Match::index);
    addNumber(tr("Index from"), tr("This number and all higher ones."), QStringLiteral("index_from"), part,
              &Match::indexFrom);
    addLine(
        tr("Inputs"), tr("Number of inputs of the operation: 3, or 3+ for three or more."), QStringLiteral("inputs"),
        [](const api::Rule &rule) { return inputsText(rule.match); },
        [](api::Rule &rule, const QString &text) { return takeInputs(rule.match, text); });
    addChoice(tr("Constant"), tr("Whether the tensor has a constant value."), QStringLiteral("is_parameter"), part,
              &Match::isParameter, {true, false});
    addLine(
        tr("Attributes"), tr("As JSON: attribute to value, or to {\"all\": value} for lists."),
        QStringLiteral("attributes"),
        [](const api::Rule &rule) {
            return rule.match.attributes.empty() ? QString()
                                                 : QString::fromStdString(api::toJson(rule.match.attributes).dump());
        },
        [](api::Rule &rule, const QString &text) { return takeAttributes(rule.match, text); }, true);
}

void RuleForm::addSet()
{
    using Set = api::RuleSet;
    using State = api::QuantState;
    using Kind = api::Granularity::Kind;
    const auto part = &api::Rule::set;
    const auto key = [](api::RuleField field) { return QString::fromLatin1(api::toString(field)); };
    using Field = api::RuleField;
    std::vector<api::Granularity> granularities{{Kind::Tensor, 0}, {Kind::OutputChannel, 0}};
    for (int axis = 0; axis < 4; ++axis) granularities.push_back({Kind::Axis, axis});
    for (const int size : {16, 32, 64, 128}) granularities.push_back({.kind = Kind::Group, .size = size});
    std::vector<api::Rounding> roundings;
    for (std::size_t i = 0; i < api::roundingWords().size(); ++i) roundings.push_back(api::Rounding(i));

    addHeading(tr("Sets on matching slots"));
    addNumber(tr("Bits"), tr("Number of bits per code, 2 to 32. Also sets the range of codes."), key(Field::Bits), part,
              &Set::bits);
    addChoice(tr("Symmetric"), tr("Symmetric: the zero point is 0."), key(Field::Symmetric), part, &Set::symmetric,
              {true, false});
    addNumber(tr("Lowest code"), tr("Set together with the highest code."), key(Field::QuantMin), part, &Set::quantMin);
    addNumber(tr("Highest code"), tr("Set together with the lowest code."), key(Field::QuantMax), part, &Set::quantMax);
    addChoice(
        tr("Granularity"),
        tr("One scale for the whole tensor, one per output channel, one per entry of an axis, or one per group of "
           "input channels of a weight."),
        key(Field::Granularity), part, &Set::granularity, granularities);
    addChoice(tr("Rounding"), tr("How values between two codes are rounded."), key(Field::Rounding), part,
              &Set::rounding, roundings);
    addChoice(tr("Power of two"), tr("Scales are powers of two."), key(Field::PowerOfTwo), part, &Set::powerOfTwo,
              {true, false});
    addNumber(tr("Exponent bits"), tr("Above 0: floating-point codes with this many exponent bits."),
              key(Field::ExponentBits), part, &Set::exponentBits);
    addChoice(tr("Scale format"),
              tr("float32; e8m0: powers of two of the Microscaling formats; e4m3: FP8 times a scale per tensor."),
              key(Field::ScaleFormat), part, &Set::scaleFormat,
              {api::ScaleFormat::Float32, api::ScaleFormat::E8M0, api::ScaleFormat::E4M3});
    addChoice(tr("Codebook"), tr("nf4: codes select values of NormalFloat 4."), key(Field::Codebook), part,
              &Set::codebook, {api::Codebook::None, api::Codebook::Nf4});
    m_observer = addChoice(tr("Observer"), tr("How the range is derived from the calibration data."),
                           key(Field::Observer), part, &Set::observer, {});
    addChoice(tr("State"), tr("initial: calibrated; passive: the scale is derived from others; fp32: not quantized."),
              key(Field::State), part, &Set::state, {State::Initial, State::Passive, State::Off});
    addNumber(tr("Percentile"), tr("Observer parameter, 0.5 to 1."), key(Field::Percentile), part, &Set::percentile);
    addChoice(tr("Percentile over"),
              tr("Observer parameter: over the values of all batches, or per batch and averaged."),
              key(Field::PercentileOver), part, &Set::percentileOver,
              {api::PercentileOver::Samples, api::PercentileOver::Batches});
    addNumber(tr("Minimum scale"), tr("Observer parameter: lower bound of the scale."), key(Field::MinScale), part,
              &Set::minScale);
    addNumber(tr("Histogram bins"), tr("Observer parameter."), key(Field::HistogramBins), part, &Set::histogramBins);
    addNumber(tr("Isotone axis"), tr("Observer parameter: the axis of the classes."), key(Field::IsotoneAxis), part,
              &Set::isotoneAxis);
    addChoice(tr("Dynamic"), tr("The scale is computed from each tensor at run time."), key(Field::Dynamic), part,
              &Set::dynamic, {true, false});
    addChoice(tr("Exported"), tr("Whether exporters write it."), key(Field::Visibility), part, &Set::visibility,
              {api::Visibility::WhenActive, api::Visibility::Always, api::Visibility::Internal});
}

void RuleForm::addHeading(const QString &text)
{
    if (m_column > 0) ++m_row;
    m_column = 0;
    auto *label = new QLabel(text);
    label->setProperty("dim", true);
    m_grid->addWidget(label, m_row++, 0, 1, 4);
}

void RuleForm::addEditor(const QString &label, const QString &tip, QWidget *widget, const QString &name, bool isWide)
{
    auto *text = new QLabel(label);
    text->setToolTip(tip);
    text->setBuddy(widget);
    widget->setToolTip(tip);
    widget->setAccessibleName(label);
    widget->setAccessibleDescription(tip);
    widget->setObjectName(name);
    if (isWide && m_column > 0) {
        ++m_row;
        m_column = 0;
    }
    m_grid->addWidget(text, m_row, m_column);
    m_grid->addWidget(widget, m_row, m_column + 1, 1, isWide ? 3 : 1);
    m_column = isWide || m_column > 0 ? 0 : 2;
    if (m_column == 0) ++m_row;
}

void RuleForm::addLine(const QString &label, const QString &tip, const QString &name,
                       const std::function<QString(const api::Rule &)> &textOf,
                       const std::function<bool(api::Rule &, const QString &)> &take, bool isWide)
{
    auto *line = new QLineEdit;
    line->setPlaceholderText(QStringLiteral("–"));
    addEditor(label, tip, line, name, isWide);
    const auto mark = [line](bool isWrong) {
        if (line->property("wrong").toBool() == isWrong) return;
        line->setProperty("wrong", isWrong);
        repolish(*line);
    };
    connect(line, &QLineEdit::textEdited, this, [this, label, take, mark](const QString &text) {
        if (!m_rule) return;
        api::Rule changed = *m_rule;
        const bool isValue = take(changed, text);
        mark(!isValue);
        if (isValue)
            put([&](api::Rule &rule) { rule = changed; });
        else
            Q_EMIT refused(tr("%1: “%2” is not a valid value.").arg(label, text));
    });
    m_editors.emplace_back([line, textOf, mark](const api::Rule &rule, bool isReadOnly) {
        line->setText(textOf(rule));
        line->setCursorPosition(0);
        line->setReadOnly(isReadOnly);
        mark(false);
    });
}

/// The parameter of the platform that gives this field its value, as in files ("$bits"); empty if none does.
static QString paramOf(const api::RuleSet &set, const QString &field)
{
    const auto it = set.params.find(field.toStdString());
    return it == set.params.end() ? QString() : QLatin1Char('$') + QString::fromStdString(it->second);
}
static QString paramOf(const api::RuleMatch &, const QString &) // no field of a match refers to one
{
    return {};
}

/// Lets the parameter named by text ("$bits") give the field its value; no parameter does for any other text.
/// @returns whether one does
static bool setParam(api::RuleSet &set, const QString &field, const QString &text)
{
    const bool isParam = text.size() > 1 && text.startsWith(QLatin1Char('$'));
    if (isParam)
        set.params[field.toStdString()] = text.mid(1).toStdString();
    else
        set.params.erase(field.toStdString());
    return isParam;
}
static bool setParam(api::RuleMatch &, const QString &, const QString &)
{
    return false;
}

template <class Part, class Number>
void RuleForm::addNumber(const QString &label, const QString &tip, const QString &name, Part api::Rule::*part,
                         std::optional<Number> Part::*member)
{
    addLine(
        label, tip, name,
        [part, member, name](const api::Rule &rule) {
            const auto &value = (rule.*part).*member;
            return value ? digitsOf(*value) : paramOf(rule.*part, name);
        },
        [part, member, name](api::Rule &rule, const QString &text) {
            const QString plain = text.trimmed();
            const auto number = numberOf<Number>(plain);
            const bool isParam = setParam(rule.*part, name, plain);
            if (!number && !isParam && !plain.isEmpty()) return false;
            (rule.*part).*member = number;
            return true;
        });
}

template <class Part, class Value>
QComboBox *RuleForm::addChoice(const QString &label, const QString &tip, const QString &name, Part api::Rule::*part,
                               std::optional<Value> Part::*member, const std::vector<Value> &values)
{
    auto *box = new QComboBox;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->addItem(QStringLiteral("–"));
    const auto add = [box](const Value &value) { box->addItem(written(value), QVariant::fromValue(value)); };
    for (const Value &value : values) add(value);
    addEditor(label, tip, box, name, false);
    connect(box, &QComboBox::activated, this, [this, part, member, name, box] {
        const QVariant chosen = box->currentData();
        put([&](api::Rule &rule) {
            setParam(rule.*part, name, box->currentText());
            (rule.*part).*member = chosen.isValid() ? std::optional(chosen.value<Value>()) : std::nullopt;
        });
    });
    m_editors.emplace_back([part, member, name, box, add](const api::Rule &rule, bool isReadOnly) {
        const auto &value = (rule.*part).*member;
        const QString param = paramOf(rule.*part, name);
        if (value && box->findText(written(*value)) < 0) add(*value);
        if (!value && !param.isEmpty() && box->findText(param) < 0) box->addItem(param);
        box->setCurrentIndex(value ? box->findText(written(*value)) : std::max(box->findText(param), 0));
        box->setEnabled(!isReadOnly);
    });
    return box;
}

template <class Word>
void RuleForm::addWords(const QString &label, const QString &tip, const QString &name,
                        std::vector<Word> api::RuleMatch::*member, const std::vector<Word> &values)
{
    auto *row = new QWidget;
    auto *box = new QHBoxLayout(row);
    box->setContentsMargins(0, 0, 0, 0);
    addEditor(label, tip, row, name, true);
    for (const Word value : values) {
        const QString word = written(value);
        auto *tick = new QCheckBox(word);
        tick->setAccessibleName(QStringLiteral("%1: %2").arg(label, word));
        tick->setObjectName(name + QLatin1Char(' ') + word);
        tick->setToolTip(tip);
        box->addWidget(tick);
        connect(tick, &QCheckBox::clicked, this, [this, member, value](bool on) {
            put([&](api::Rule &rule) {
                std::erase(rule.match.*member, value);
                if (on) (rule.match.*member).push_back(value);
            });
        });
        m_editors.emplace_back([tick, member, value](const api::Rule &rule, bool isReadOnly) {
            const auto &given = rule.match.*member;
            tick->setChecked(std::find(given.begin(), given.end(), value) != given.end());
            tick->setEnabled(!isReadOnly);
        });
    }
    box->addStretch();
}

void RuleForm::put(const std::function<void(api::Rule &)> &change)
{
    if (m_isShowing || !m_rule) return;
    change(*m_rule);
    Q_EMIT edited(*m_rule);
}

void RuleForm::setObservers(const QStringList &ids)
{
    while (m_observer->count() > 1) m_observer->removeItem(1);
    for (const QString &id : ids) m_observer->addItem(id, QVariant::fromValue(id.toStdString()));
}

void RuleForm::setRule(const std::optional<api::Rule> &rule, bool isReadOnly)
{
    m_isShowing = true;
    m_rule = rule;
    setEnabled(rule.has_value());
    api::Rule shown = rule.value_or(api::Rule());
    // Built-in names are shown in the language of the window
    if (isReadOnly) shown.name = engineText(Text::ofTemplate(shown.name.c_str())).toStdString();
    for (const Show &show : m_editors) show(shown, isReadOnly);
    m_isShowing = false;
}

static QString valueWords(const json &value)
{
    if (value.is_boolean()) return written(value.get<bool>());
    if (value.is_string()) return engineText(readableName(value.get<std::string>()));
    if (!value.is_array()) return QString::fromStdString(value.dump());
    QStringList words;
    for (const json &part : value)
        words.append(part.is_string() ? QString::fromStdString(part.get<std::string>())
                                      : QString::fromStdString(part.dump()));
    return words.join(QStringLiteral(", "));
}

/// "bits 4 · symmetric yes"
static QStringList memberWords(const json &part)
{
    QStringList words;
    for (const auto &[key, value] : part.items())
        words.append(QStringLiteral("%1 %2").arg(engineText(readableName(key)), valueWords(value)));
    return words;
}

QString RuleForm::words(const api::RuleMatch &match)
{
    QStringList parts, roles;
    if (!match.types.empty()) parts.append(joined(match.types));
    for (const api::SlotRole role : match.roles) roles.append(engineText(written(role)));
    if (!roles.isEmpty()) parts.append(roles.join(QStringLiteral(", ")));
    api::RuleMatch rest = match;
    rest.types.clear();
    rest.roles.clear();
    rest.inputs.reset();
    rest.inputsAtLeast.reset();
    parts += memberWords(api::toJson(rest));
    const QString name = QStringLiteral("inputs");
    if (const QString inputs = inputsText(match); !inputs.isEmpty())
        parts.append(QStringLiteral("%1 %2").arg(engineText(name), inputs));
    return parts.join(QStringLiteral(" · "));
}

QString RuleForm::words(const api::RuleSet &set)
{
    return memberWords(api::toJson(set)).join(QStringLiteral(" · "));
}

} // namespace ql

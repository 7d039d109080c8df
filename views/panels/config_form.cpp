#include "views/panels/config_form.h"

#include "views/bridge/engine_text.h"
#include "views/style/elided_label.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ql {

using nlohmann::json;

ConfigForm::ConfigForm(ConfigInfo config, JsonPtr catalogue, QWidget *parent)
    : QWidget(parent), m_config(std::move(config)), m_catalogue(std::move(catalogue)), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(2);
    setProperty("tight", true);
    m_grid->setColumnMinimumWidth(0, 74);
    m_grid->setColumnStretch(1, 11);
    m_grid->setColumnStretch(2, 8);
    addText(tr("Tensor"), m_config.variable, QString());
    static_cast<QLabel *>(m_grid->itemAtPosition(m_grid->rowCount() - 1, 2)->widget())->clear();
    addState();
    if (m_config.isFloat()) return;
    addCodes();
    addGranularity();
    addRounding();
    addObserver();
    addScale();
    addClipRange();
}

QString ConfigForm::numbers(const QVector<double> &values, int digits)
{
    if (values.isEmpty()) return QStringLiteral("–");
    const auto text = [digits](double v) { return QLocale().toString(v, 'g', digits); };
    if (values.size() == 1) return text(values.front());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return tr("%1 … %2 (%n channel(s))", nullptr, int(values.size())).arg(text(*low), text(*high));
}

QString ConfigForm::setBy(const char *field) const
{
    return m_config.setBy.value(QLatin1String(field));
}

/// "platform rule 1", the pass by its title as the pipeline names it, "you · override": who set a field, for readers.
QString ConfigForm::originText(const QString &origin) const
{
    if (origin.isEmpty() || origin == QLatin1String("default")) return tr("default");
    if (origin.startsWith(QLatin1String("override"))) return tr("you · override");
    if (origin.startsWith(QLatin1String("platform "))) {
        const qsizetype rule = origin.indexOf(QLatin1String("rule "));
        if (rule > 0) return tr("platform rule %1").arg(origin.mid(rule + 5).section(QLatin1Char(' '), 0, 0));
    }
    if (!origin.startsWith(QLatin1String("pass "))) return origin;
    const QString pass = origin.mid(5);
    if (m_catalogue)
        for (const json &entry : memberOf(*m_catalogue, "passes"))
            if (textOf(entry, "id") == pass)
                if (const QString title = engineText(textOf(entry, "title")); !title.isEmpty()) return title;
    return tr("pass %1").arg(pass);
}

void ConfigForm::addRow(const QString &label, const QString &field, QWidget *editor, const QString &setBy,
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
    editor->setProperty("edited", setBy.startsWith(QLatin1String("override")));
    auto *who = new ElidedLabel(originText(setBy));
    who->setProperty("dim", true);
    who->setToolTip(setBy);
    who->setMinimumWidth(64);
    who->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    QFont small = textFont();
    small.setPixelSize(11);
    who->setFont(small);
    m_grid->addWidget(name, row, 0);
    m_grid->addWidget(editor, row, 1);
    m_grid->addWidget(who, row, 2);
}

void ConfigForm::addText(const QString &label, const QString &text, const QString &setBy, const QString &explanation)
{
    auto *value = new ElidedLabel(text, Qt::ElideMiddle);
    addRow(label, QString(), value, setBy, explanation.isEmpty() ? text : explanation);
}

void ConfigForm::addChoice(const QString &label, const QString &field, const QStringList &texts,
                           const std::vector<json> &values, int current, const QString &setBy,
                           const QString &explanation)
{
    auto *box = new QComboBox;
    box->addItems(texts);
    box->setCurrentIndex(current);
    box->setMinimumContentsLength(6); // who set it has to fit beside it
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(box, &QComboBox::activated, this, [this, label, field, values, current](int chosen) {
        if (chosen != current && chosen < int(values.size()))
            Q_EMIT edited(label, {{field.toStdString(), values[std::size_t(chosen)]}});
    });
    addRow(label, field, box, setBy, explanation);
}

void ConfigForm::addState()
{
    static const QStringList states{QStringLiteral("initial"), QStringLiteral("passive"), QStringLiteral("fp32")};
    QStringList texts{tr("quantized"), tr("passive"), tr("float")};
    std::vector<json> values{"initial", "passive", "fp32"};
    int state = int(states.indexOf(m_config.state));
    if (state < 0) {
        // What passes have made of it: shown, and left by choosing another
        texts.prepend(engineText(m_config.state));
        values.insert(values.begin(), json());
        state = 0;
    }
    addChoice(tr("State"), QStringLiteral("state"), texts, values, state, setBy("state"),
              tr("quantized: has its own scale; passive: takes the scale that follows from others; overlapped: not "
                 "rounded, because the operation behind does it; baked: the values are rounded already; float: not "
                 "quantized."));
}

/// The two texts of "low … high", also with dots or a semicolon.
static QStringList splitRange(const QString &text)
{
    static const QRegularExpression separator(QStringLiteral("\\s*(…|\\.\\.\\.?|;)\\s*"));
    return text.split(separator);
}

void ConfigForm::addCodes()
{
    QStringList bits;
    std::vector<json> values;
    for (const int b : {2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32})
        if (b <= 16 || m_config.bits == b) {
            bits.append(QString::number(b));
            values.emplace_back(b);
        }
    addChoice(tr("Bits"), QStringLiteral("bits"), bits, values, int(bits.indexOf(QString::number(m_config.bits))),
              setBy("bits"), tr("Width of a code. Sets the range of codes, too."));
    auto *range = new QLineEdit(QStringLiteral("%1 … %2").arg(m_config.quantMin).arg(m_config.quantMax));
    connect(range, &QLineEdit::editingFinished, this, [this, range] {
        const QStringList parts = splitRange(range->text());
        bool goodLow = false, goodHigh = false;
        const qint64 low = parts.value(0).toLongLong(&goodLow), high = parts.value(1).toLongLong(&goodHigh);
        if (parts.size() != 2 || !goodLow || !goodHigh || low >= high)
            Q_EMIT refused(tr("Codes are two whole numbers, lowest … highest; got '%1'.").arg(range->text()));
        else if (low == m_config.quantMin && high == m_config.quantMax)
            return;
        else if (m_config.bits < 32 && high - low >= (qint64(1) << m_config.bits))
            Q_EMIT refused(tr("%1 … %2 has more codes than %3 bits hold.").arg(low).arg(high).arg(m_config.bits));
        else
            Q_EMIT edited(tr("Codes"), {{"quant_min", low}, {"quant_max", high}});
    });
    addRow(tr("Codes"), QStringLiteral("codes"), range, setBy("range"), tr("Lowest and highest code."));
    if (m_config.exponentBits == 0)
        addChoice(tr("Symmetric"), QStringLiteral("symmetric"), {tr("yes"), tr("no")}, {true, false},
                  m_config.isSymmetric ? 0 : 1, setBy("symmetric"), tr("Symmetric: the zero point is 0."));
}

void ConfigForm::addGranularity()
{
    const bool isParameter = m_config.role == QLatin1String("parameter");
    const QString channels =
        isParameter && m_config.channelAxis ? tr("per channel, axis %1").arg(*m_config.channelAxis) : tr("per channel");
    addChoice(tr("Granularity"), QStringLiteral("granularity"), {tr("per tensor"), channels},
              {"tensor", "output_channel"}, m_config.channelAxis ? 1 : 0, setBy("channel_axis"),
              tr("One scale for the whole tensor, or one for each output channel."));
}

void ConfigForm::addRounding()
{
    static const QStringList roundings{QStringLiteral("half_even"),
                                       QStringLiteral("half_up"),
                                       QStringLiteral("half_down"),
                                       QStringLiteral("half_towards_zero"),
                                       QStringLiteral("half_away_from_zero"),
                                       QStringLiteral("to_near_int"),
                                       QStringLiteral("up"),
                                       QStringLiteral("down")};
    QStringList texts;
    std::vector<json> values;
    for (const QString &rounding : roundings) {
        texts.append(QString(rounding).replace(QLatin1Char('_'), QLatin1Char(' ')));
        values.emplace_back(rounding.toStdString());
    }
    addChoice(tr("Rounding"), QStringLiteral("rounding"), texts, values, int(roundings.indexOf(m_config.rounding)),
              setBy("rounding"), tr("How values between two codes are rounded."));
}

void ConfigForm::addObserver()
{
    QStringList observers;
    std::vector<json> values;
    const auto offer = [&](const QString &id) {
        observers.append(id);
        values.emplace_back(id.toStdString());
    };
    if (m_catalogue)
        for (const json &entry : memberOf(*m_catalogue, "observers")) {
            const bool fits = entry.value("floating", false) == (m_config.exponentBits > 0) &&
                              (m_config.isSymmetric || entry.value("asymmetric", true)) &&
                              (!m_config.channelAxis || entry.value("per_channel", true));
            if (const QString id = textOf(entry, "id"); fits || id == m_config.observer) offer(id);
        }
    if (!observers.contains(m_config.observer)) offer(m_config.observer);
    addChoice(tr("Observer"), QStringLiteral("observer"), observers, values, int(observers.indexOf(m_config.observer)),
              setBy("observer"), tr("How the range is found from the calibration data."));
}

/// A number as the locale writes it, or with a dot.
static double numberFrom(const QString &text, bool &good)
{
    const double plain = QLocale::c().toDouble(text.trimmed(), &good);
    return good ? plain : QLocale().toDouble(text.trimmed(), &good);
}

void ConfigForm::addScale()
{
    auto *scale = new QLineEdit(numbers(m_config.scale));
    scale->setReadOnly(m_config.scale.size() > 1);
    connect(scale, &QLineEdit::editingFinished, this, [this, scale] {
        if (!scale->isModified() || scale->isReadOnly()) return;
        bool good = false;
        const double value = numberFrom(scale->text(), good);
        // The engine computes in float32
        if (!good || !(value >= std::numeric_limits<float>::min()) || !(value <= std::numeric_limits<float>::max())) {
            Q_EMIT refused(tr("A scale is a number above 0 that a float32 holds; got '%1'.").arg(scale->text()));
            return;
        }
        json values = {{"scale", json::array({value})}};
        if (m_config.zeroPoint.size() == 1) values["zero_point"] = json::array({m_config.zeroPoint.front()});
        Q_EMIT edited(tr("Scale"), values);
    });
    addRow(tr("Scale"), QStringLiteral("scale"), scale, setBy("scale"), tr("Distance of two neighbouring codes."));
    if (!m_config.isSymmetric && m_config.zeroPoint.size() == 1)
        addText(tr("Zero point"), QLocale().toString(m_config.zeroPoint.front()), setBy("scale"), tr("The code of 0."));
}

/// The smallest scale whose codes reach from low to high with the zero point 0.
double ConfigForm::widest(double low, double high) const
{
    const double of[] = {m_config.quantMin < 0 ? low / double(m_config.quantMin) : 0,
                         m_config.quantMax > 0 ? high / double(m_config.quantMax) : 0};
    return std::max(of[0], of[1]);
}

/// Whether low … high is what the codes of a symmetric tensor reach, to the one code that the ends may differ by.
bool ConfigForm::isSymmetric(double low, double high) const
{
    const double scale = widest(low, high);
    return std::abs(scale * double(m_config.quantMin) - low) <= 1.5 * scale &&
           std::abs(scale * double(m_config.quantMax) - high) <= 1.5 * scale;
}

void ConfigForm::addClipRange()
{
    if (m_config.scale.size() != 1 || m_config.exponentBits > 0 || m_config.quantMax <= m_config.quantMin) return;
    const double zero = m_config.zeroPoint.isEmpty() ? 0 : double(m_config.zeroPoint.front());
    const double low = (double(m_config.quantMin) - zero) * m_config.scale.front();
    const double high = (double(m_config.quantMax) - zero) * m_config.scale.front();
    auto *line =
        new QLineEdit(QStringLiteral("%1 … %2").arg(QLocale().toString(low, 'g', 4), QLocale().toString(high, 'g', 4)));
    line->setCursorPosition(0);
    connect(line, &QLineEdit::editingFinished, this, [this, line, low, high] {
        const QStringList parts = splitRange(line->text());
        bool goodLow = false, goodHigh = false;
        const double from = numberFrom(parts.value(0), goodLow), to = numberFrom(parts.value(1), goodHigh);
        if (parts.size() != 2 || !goodLow || !goodHigh || !(from < to) || !std::isfinite(to - from))
            Q_EMIT refused(tr("A clip range is two numbers, low … high; got '%1'.").arg(line->text()));
        else if (m_config.isSymmetric && !isSymmetric(from, to))
            Q_EMIT refused(tr("The zero point is 0 here, so one end follows from the other: write %1 … %2, or set "
                              "Symmetric to no.")
                               .arg(QLocale().toString(widest(from, to) * double(m_config.quantMin), 'g', 4),
                                    QLocale().toString(widest(from, to) * double(m_config.quantMax), 'g', 4)));
        else if (line->isModified() &&
                 (std::abs(from - low) > 1e-3 * std::abs(low) || std::abs(to - high) > 1e-3 * std::abs(high)))
            Q_EMIT edited(tr("Clip range"), {{"range", {from, to}}});
    });
    addRow(tr("Clip range"), QStringLiteral("range"), line, setBy("scale"),
           tr("The float values that the lowest and the highest code stand for. Outside, values are clipped."));
}

} // namespace ql

// The fields of a config: their choices, accepted and refused values.
#include "views/bridge/engine_text.h"
#include "views/commands/recipe_command.h"
#include "views/panels/config_form.h"

#include <QComboBox>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ql {

/// The engine refuses more (core/platform/rule.h).
static constexpr double largestLimit = 3e38;

void ConfigForm::addState()
{
    constexpr std::array states{api::QuantState::Initial, api::QuantState::Passive, api::QuantState::Off};
    QStringList texts{tr("quantized"), tr("passive"), tr("float")};
    std::vector<api::RuleSet> values;
    for (const api::QuantState each : states) values.push_back({.state = each});
    const auto known = std::find(states.begin(), states.end(), m_config.state);
    int state = known == states.end() ? -1 : int(known - states.begin());
    // Only biases and the limits and pads of Clip and Pad have derived scales
    const bool isWeight = m_config.index == 1 && m_config.outputChannelAxis;
    if (state != 1 && (m_config.role != api::SlotRole::Parameter || m_config.index == 0 || isWeight)) {
        texts.removeAt(1);
        values.erase(values.begin() + 1);
        state = state == 2 ? 1 : state;
    }
    if (state < 0) {
        // The state after the passes: shown, and replaced by a choice
        texts.prepend(engineText(wordOf(m_config.state)));
        values.insert(values.begin(), api::RuleSet());
        state = 0;
    }
    addChoice(tr("State"), QStringLiteral("state"), texts, values, state, setBy("state"),
              tr("quantized: has its own scale; passive: its scale is derived from others; overlapped: not rounded, "
                 "because the next operation rounds; baked: values are already rounded; float: not quantized."));
}

/// Whether text was typed that has not been confirmed yet.
static bool takesTyped(QLineEdit &line)
{
    const bool isTyped = line.isModified();
    line.setModified(false);
    return isTyped && !line.text().trimmed().isEmpty();
}

/// A number in the locale's format, or with a dot.
static double numberFrom(const QString &text, bool &good)
{
    const double plain = QLocale::c().toDouble(text.trimmed(), &good);
    return good ? plain : QLocale().toDouble(text.trimmed(), &good);
}

/// The two numbers of "low … high", also with dots, a semicolon or a space between them.
static QStringList splitRange(const QString &text)
{
    static const QRegularExpression separator(QStringLiteral("\\s*(…|\\.\\.\\.?|;)\\s*|\\s+"));
    return text.trimmed().split(separator);
}

void ConfigForm::addServing(api::RuleSet &values, const api::ObserverDemand &demand) const
{
    if (!m_catalogue) return;
    std::string other;
    for (const api::ObserverItem &observer : m_catalogue->observers) {
        if (!observer.serves(demand)) continue;
        if (m_config.observer.toStdString() == observer.id) return;
        if (other.empty() || observer.id == "minmax") other = observer.id;
    }
    if (!other.empty()) values.observer = other;
}

QString ConfigForm::withObserver(const QString &text, const api::RuleSet &values)
{
    return values.observer ? tr("%1 (observer %2)").arg(text, QString::fromStdString(*values.observer)) : text;
}

void ConfigForm::addFormat()
{
    struct Format
    {
        QString text;
        int exponentBits, bits;
    };
    QVector<Format> formats{
        {tr("integer"), 0, 8}, {QStringLiteral("FP8 E4M3"), 4, 8}, {QStringLiteral("FP8 E5M2"), 5, 8}};
    const auto isIt = [&](const Format &format) {
        return format.exponentBits == m_config.exponentBits &&
               (format.exponentBits == 0 || format.bits == m_config.bits);
    };
    auto current = std::find_if(formats.begin(), formats.end(), isIt);
    if (current == formats.end()) {
        formats.append({m_config.precision(), m_config.exponentBits, m_config.bits});
        current = formats.end() - 1;
    }
    QStringList texts;
    std::vector<api::RuleSet> values;
    for (const Format &format : formats) {
        api::RuleSet set{.bits = format.bits, .exponentBits = format.exponentBits};
        api::ObserverDemand wanted = observerDemand(m_config);
        if (m_config.codebook != api::Codebook::None) set.codebook = api::Codebook::None;
        wanted.isFloating = format.exponentBits > 0;
        if (wanted.isFloating) {
            wanted.isSymmetric = true;
            set.symmetric = true;
            set.dynamic = false;
        }
        addServing(set, wanted);
        texts.append(isIt(format) ? format.text : withObserver(format.text, set));
        values.push_back(std::move(set));
    }
    addChoice(tr("Format"), QStringLiteral("exponent_bits"), texts, values, int(current - formats.begin()),
              setBy("exponent_bits"), tr("Codes are integers or 8-bit floats (OCP)."));
}

void ConfigForm::addCodes()
{
    if (m_config.exponentBits > 0) return; // follow from the format
    QStringList bits;
    std::vector<api::RuleSet> values;
    const bool areCodesSet = isSetByUser("range");
    for (const int b : {2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32})
        if (b <= 16 || m_config.bits == b) {
            bits.append(QString::number(b));
            api::RuleSet set{.bits = b};
            if (areCodesSet) { // which would stay, and may exceed b bits
                const std::int64_t codes = std::int64_t{1} << b;
                set.quantMin = m_config.isSymmetric ? -codes / 2 : 0;
                set.quantMax = m_config.isSymmetric ? codes / 2 - 1 : codes - 1;
            }
            values.push_back(std::move(set));
        }
    addChoice(tr("Bits"), QStringLiteral("bits"), bits, values, int(bits.indexOf(QString::number(m_config.bits))),
              setBy("bits"), tr("Number of bits per code. Also sets the range of codes."));
    auto *range = new QLineEdit(QStringLiteral("%1 … %2").arg(m_config.quantMin).arg(m_config.quantMax));
    connect(range, &QLineEdit::editingFinished, this, [this, range] {
        if (!takesTyped(*range)) return;
        const QStringList parts = splitRange(range->text());
        bool goodLow = false, goodHigh = false;
        const qint64 low = parts.value(0).toLongLong(&goodLow), high = parts.value(1).toLongLong(&goodHigh);
        if (parts.size() != 2 || !goodLow || !goodHigh || low >= high)
            refuse(range, tr("Codes are two integers, lowest … highest; got '%1'.").arg(range->text()));
        else if (low == m_config.quantMin && high == m_config.quantMax)
            return;
        else if (m_config.bits < 32 && high - low >= (qint64(1) << m_config.bits))
            refuse(range, tr("%1 … %2 has more codes than %3 bits hold.").arg(low).arg(high).arg(m_config.bits));
        else
            Q_EMIT edited(tr("Codes"), {.quantMin = low, .quantMax = high});
    });
    addRow(tr("Codes"), QStringLiteral("codes"), range, setBy("range"), tr("Lowest and highest code."));
}

void ConfigForm::addSymmetry()
{
    if (m_config.exponentBits > 0) return; // floats are
    api::RuleSet yes{.symmetric = true}, no{.symmetric = false};
    api::ObserverDemand wanted = observerDemand(m_config);
    wanted.isSymmetric = true;
    addServing(yes, wanted);
    wanted.isSymmetric = false;
    addServing(no, wanted);
    QStringList texts{m_config.isSymmetric ? withObserver(tr("no"), no) : tr("no")};
    std::vector<api::RuleSet> values{no};
    // A fixed zero point stays unchanged
    const bool canBe = !isSetByUser("scale") || std::all_of(m_config.zeroPoint.begin(), m_config.zeroPoint.end(),
                                                            [](qint64 z) { return z == 0; });
    if (canBe) {
        texts.append(m_config.isSymmetric ? tr("yes") : withObserver(tr("yes"), yes));
        values.push_back(yes);
    }
    addChoice(tr("Symmetric"), QStringLiteral("symmetric"), texts, values, m_config.isSymmetric && canBe ? 1 : 0,
              setBy("symmetric"),
              canBe ? tr("Symmetric: the zero point is 0.") : tr("The zero point is fixed and is not 0."));
}

void ConfigForm::addGranularity()
{
    QStringList texts;
    using Kind = api::Granularity::Kind;
    std::vector<api::RuleSet> values;
    const auto offer = [&](const QString &text, Kind kind, bool isPerChannel) {
        api::RuleSet set{.granularity = api::Granularity{kind, 0}};
        api::ObserverDemand wanted = observerDemand(m_config);
        wanted.isPerChannel = isPerChannel;
        addServing(set, wanted);
        texts.append(withObserver(text, set));
        values.push_back(std::move(set));
    };
    offer(tr("per tensor"), Kind::Tensor, false);
    int current = 0;
    if (m_config.outputChannelAxis)
        offer(tr("per channel, axis %1").arg(*m_config.outputChannelAxis), Kind::OutputChannel, true);
    if (m_config.groupSize > 0) { // of a rule with "group N"
        current = int(texts.size());
        texts.append(tr("groups of %1, axis %2").arg(m_config.groupSize).arg(*m_config.channelAxis));
        values.push_back({.granularity = api::Granularity{.kind = Kind::Group, .size = m_config.groupSize}});
    } else if (m_config.channelAxis) {
        current = 1;
        if (m_config.channelAxis != m_config.outputChannelAxis) { // of a rule with "axis N"
            current = int(texts.size());
            texts.append(tr("per channel, axis %1").arg(*m_config.channelAxis));
            values.push_back({.granularity = api::Granularity{Kind::Axis, *m_config.channelAxis}});
        } else {
            texts[1] = tr("per channel, axis %1").arg(*m_config.channelAxis);
        }
    }
    addChoice(tr("Granularity"), QStringLiteral("granularity"), texts, values, current, setBy("channel_axis"),
              tr("One scale for the whole tensor, or one per output channel if the operation has them."));
}

void ConfigForm::addRounding()
{
    // In the order of api::Rounding
    const QStringList texts{tr("half even"),           tr("half up"),     tr("half down"), tr("half towards zero"),
                            tr("half away from zero"), tr("to near int"), tr("up"),        tr("down")};
    std::vector<api::RuleSet> values;
    for (int rounding = 0; rounding < int(texts.size()); ++rounding)
        values.push_back({.rounding = api::Rounding(rounding)});
    addChoice(tr("Rounding"), QStringLiteral("rounding"), texts, values, int(m_config.rounding), setBy("rounding"),
              tr("How values between two codes are rounded."));
}

void ConfigForm::addObserver()
{
    QStringList observers;
    std::vector<api::RuleSet> values;
    const auto offer = [&](const QString &id) {
        observers.append(id);
        values.push_back({.observer = id.toStdString()});
    };
    if (m_catalogue)
        for (const api::ObserverItem &item : m_catalogue->observers)
            if (const QString id = QString::fromStdString(item.id);
                item.serves(observerDemand(m_config)) || id == m_config.observer)
                offer(id);
    if (!observers.contains(m_config.observer)) offer(m_config.observer);
    addChoice(tr("Observer"), QStringLiteral("observer"), observers, values, int(observers.indexOf(m_config.observer)),
              setBy("observer"), tr("How the range is derived from the calibration data."));
    auto *box = findChild<QComboBox *>(QStringLiteral("observer"));
    if (!m_catalogue || !box) return;
    for (const api::ObserverItem &item : m_catalogue->observers)
        if (const int row = box->findText(QString::fromStdString(item.id)); row >= 0)
            box->setItemData(row, engineText(item.meaning), Qt::ToolTipRole);
}

void ConfigForm::addPercentile()
{
    if (m_config.observer != QLatin1String("percentile")) return;
    auto *share = new QLineEdit(m_config.percentile ? QLocale().toString(*m_config.percentile, 'g', 7) : QString());
    const api::ObserverItem *item =
        m_catalogue ? api::findItem(m_catalogue->observers, m_config.observer.toStdString()) : nullptr;
    if (item)
        for (const api::ParamSpec &spec : item->params)
            if (spec.name == api::toString(api::RuleField::Percentile))
                share->setPlaceholderText(QLocale().toString(spec.fallback.get<double>(), 'g', 7));
    connect(share, &QLineEdit::editingFinished, this, [this, share] {
        if (!takesTyped(*share)) return;
        bool good = false;
        const double value = numberFrom(share->text(), good);
        if (!good || !(value >= 0.5) || !(value <= 1))
            refuse(share, tr("A percentile is a number from 0.5 to 1; got '%1'.").arg(share->text()));
        else if (value != m_config.percentile)
            Q_EMIT edited(tr("Percentile"), {.percentile = value});
    });
    addRow(tr("Percentile"), QStringLiteral("percentile"), share, m_config.percentile ? setBy("observer") : Origin(),
           tr("Fraction of the values that is not clipped."));
    addChoice(
        tr("Percentile over"), QStringLiteral("percentile_over"), {tr("all batches"), tr("each batch, averaged")},
        {{.percentileOver = api::PercentileOver::Samples}, {.percentileOver = api::PercentileOver::Batches}},
        m_config.percentileOver == api::PercentileOver::Batches ? 1 : 0,
        m_config.percentileOver ? setBy("observer") : Origin(),
        tr("Which values the percentile is computed over. Averaging over batches clips tensors with few values."));
}

bool ConfigForm::ownsScale() const
{
    return !m_config.isOverlapped();
}

void ConfigForm::addScale()
{
    if (!ownsScale()) {
        addText(tr("Scale"), numbers(m_config.scale), setBy("scale"),
                tr("This scale is inherited from the tensor named below; change it there."));
    } else {
        auto *scale = new QLineEdit(m_config.scale.isEmpty() ? QString() : numbers(m_config.scale));
        scale->setPlaceholderText(tr("from calibration"));
        scale->setCursorPosition(0);
        connect(scale, &QLineEdit::editingFinished, this, [this, scale] {
            if (!takesTyped(*scale)) return;
            bool good = false;
            const double value = numberFrom(scale->text(), good);
            int exponent = 0;
            // The engine computes in float32
            if (!good || !(value >= std::numeric_limits<float>::min()) ||
                !(value <= std::numeric_limits<float>::max())) {
                refuse(scale, tr("A scale is a float32 number above 0; got '%1'.").arg(scale->text()));
            } else if (m_config.isPowerOfTwo && std::frexp(value, &exponent) != 0.5) {
                refuse(scale, tr("Scales must be powers of two here: use %1 or %2, or set Power of two to no.")
                                  .arg(QLocale().toString(std::ldexp(0.5, exponent), 'g', 12),
                                       QLocale().toString(std::ldexp(1, exponent), 'g', 12)));
            } else {
                api::RuleSet values{.scale = {value}};
                if (m_config.zeroPoint.size() == 1) values.zeroPoint = {std::int32_t(m_config.zeroPoint.front())};
                Q_EMIT edited(tr("Scale"), values);
            }
        });
        addRow(tr("Scale"), QStringLiteral("scale"), scale, setBy("scale"),
               m_config.channelAxis ? tr("Difference between adjacent codes: smallest and largest over the channels. A "
                                         "single number sets all channels.")
                                    : tr("Difference between adjacent codes, in float."));
    }
    if (!m_config.isSymmetric && m_config.zeroPoint.size() == 1)
        addText(tr("Zero point"), QLocale().toString(m_config.zeroPoint.front()), setBy("scale"),
                tr("The code that represents 0."));
}

/// The smallest scale whose codes reach from low to high with the zero point 0.
double ConfigForm::widest(double low, double high) const
{
    const double of[] = {m_config.quantMin < 0 ? low / double(m_config.quantMin) : 0,
                         m_config.quantMax > 0 ? high / double(m_config.quantMax) : 0};
    return std::max(of[0], of[1]);
}

/// Whether low … high is the range of a symmetric tensor's codes, up to the one code by which the ends may differ.
bool ConfigForm::isSymmetric(double low, double high) const
{
    const double scale = widest(low, high);
    return std::abs(scale * double(m_config.quantMin) - low) <= 1.5 * scale &&
           std::abs(scale * double(m_config.quantMax) - high) <= 1.5 * scale;
}

void ConfigForm::addClipRange()
{
    if (!ownsScale() || m_config.exponentBits > 0 || m_config.quantMax <= m_config.quantMin) return;
    double low = 0, high = 0;
    for (qsizetype i = 0; i < m_config.scale.size(); ++i) {
        const double zero = double(m_config.zeroPoint.value(i));
        low = std::min(low, (double(m_config.quantMin) - zero) * m_config.scale[i]);
        high = std::max(high, (double(m_config.quantMax) - zero) * m_config.scale[i]);
    }
    auto *line =
        new QLineEdit(m_config.scale.isEmpty() ? QString()
                                               : QStringLiteral("%1 … %2").arg(QLocale().toString(low, 'g', 4),
                                                                               QLocale().toString(high, 'g', 4)));
    line->setPlaceholderText(tr("low … high"));
    line->setCursorPosition(0);
    connect(line, &QLineEdit::editingFinished, this, [this, line, low, high] {
        if (!takesTyped(*line)) return;
        const QStringList parts = splitRange(line->text());
        bool goodLow = false, goodHigh = false;
        const double from = numberFrom(parts.value(0), goodLow), to = numberFrom(parts.value(1), goodHigh);
        const auto differs = [](double a, double b) { return std::abs(a - b) > 1e-3 * std::abs(b); };
        if (parts.size() != 2 || !goodLow || !goodHigh || !(from < to))
            refuse(line, tr("A clip range is two numbers, low … high; got '%1'.").arg(line->text()));
        else if (std::abs(from) > largestLimit || std::abs(to) > largestLimit)
            refuse(line, tr("Clip limits must be between -3e+38 and 3e+38; got '%1'.").arg(line->text()));
        else if (from > 0 || to < 0)
            refuse(line, tr("A clip range must include 0, which needs a code: write %1 … %2.")
                             .arg(QLocale().toString(std::min(from, 0.0), 'g', 4),
                                  QLocale().toString(std::max(to, 0.0), 'g', 4)));
        else if (m_config.isSymmetric && !isSymmetric(from, to))
            refuse(
                line,
                tr("The zero point is 0 here, so each end determines the other: write %1 … %2, or set Symmetric to no.")
                    .arg(QLocale().toString(widest(from, to) * double(m_config.quantMin), 'g', 4),
                         QLocale().toString(widest(from, to) * double(m_config.quantMax), 'g', 4)));
        else if (differs(from, low) || differs(to, high))
            Q_EMIT edited(tr("Clip range"), {.range = rangeOf(m_config, from, to)});
    });
    addRow(tr("Clip range"), QStringLiteral("range"), line, setBy("scale"),
           m_config.channelAxis ? tr("Float values of the lowest and the highest code: the widest channel. A new value "
                                     "applies to all channels.")
                                : tr("Float values of the lowest and the highest code. Values outside are clipped."));
}

void ConfigForm::addPowerOfTwo()
{
    // A fixed scale stays unchanged; a computed one is rounded up
    const bool isFixed = isSetByUser("scale");
    int exponent = 0;
    const bool canBe = !isFixed || std::all_of(m_config.scale.begin(), m_config.scale.end(),
                                               [&](double scale) { return std::frexp(scale, &exponent) == 0.5; });
    QStringList texts{tr("no")};
    std::vector<api::RuleSet> values{{.powerOfTwo = false}};
    if (canBe) {
        texts.append(tr("yes"));
        values.push_back({.powerOfTwo = true});
    }
    addChoice(tr("Power of two"), QStringLiteral("power_of_two"), texts, values, m_config.isPowerOfTwo && canBe ? 1 : 0,
              setBy("power_of_two"),
              canBe ? tr("Scales are powers of two: the target shifts instead of multiplying.")
                    : tr("The scale is fixed and is not a power of two."));
}

void ConfigForm::addDynamic()
{
    if (m_config.exponentBits > 0 || m_config.role == api::SlotRole::Parameter) return;
    addChoice(tr("Dynamic"), QStringLiteral("dynamic"), {tr("no"), tr("yes")}, {{.dynamic = false}, {.dynamic = true}},
              m_config.isDynamic ? 1 : 0, setBy("dynamic"),
              tr("The scale is computed from each tensor at run time instead of by calibration."));
}

void ConfigForm::addVisibility()
{
    addChoice(tr("Exported"), QStringLiteral("visibility"), {tr("when used"), tr("always"), tr("never")},
              {{.visibility = api::Visibility::WhenActive},
               {.visibility = api::Visibility::Always},
               {.visibility = api::Visibility::Internal}},
              int(m_config.visibility), setBy("visibility"),
              tr("Whether exporters write this scale: only if the tensor is rounded here, also if another slot rounds "
                 "it, or never."));
}

} // namespace ql

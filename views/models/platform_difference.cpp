#include "views/models/platform_difference.h"

#include "views/bridge/engine_text.h"
#include "views/models/operation_rows.h"

#include <QHash>
#include <QLocale>
#include <algorithm>
#include <utility>

namespace ql {

namespace {

/// One field of a slot on both sides.
struct Field
{
    QString name, here, there;
    Origin hereOrigin, thereOrigin; ///< who set it
};

/// A slot of an operation on both sides, -1 if it is not quantized.
struct SlotPair
{
    api::SlotRole role = api::SlotRole::Input;
    int index = 0;
    int here = -1, there = -1; ///< schemes
    QString title{};           ///< for its operator
};

/// Texts shared by many operations.
struct SlotTexts
{
    QString here, there, why, details;
};

} // namespace

static bool sameFields(const ConfigInfo &a, const ConfigInfo &b)
{
    return a.bits == b.bits && a.exponentBits == b.exponentBits && a.quantMin == b.quantMin &&
           a.quantMax == b.quantMax && a.isSymmetric == b.isSymmetric && a.isPowerOfTwo == b.isPowerOfTwo &&
           a.isDynamic == b.isDynamic && a.channelAxis == b.channelAxis && a.groupSize == b.groupSize &&
           a.scaleFormat == b.scaleFormat && a.codebook == b.codebook && a.visibility == b.visibility &&
           a.percentile == b.percentile && a.percentileOver == b.percentileOver && a.minScale == b.minScale &&
           a.histogramBins == b.histogramBins && a.isotoneAxis == b.isotoneAxis && a.state == b.state &&
           a.rounding == b.rounding && a.observer == b.observer && a.scale == b.scale && a.zeroPoint == b.zeroPoint;
}

static QString readableWord(const char *word)
{
    return QString(word).replace(QLatin1Char('_'), QLatin1Char(' '));
}

/// Observer and its options: "percentile, percentile 0.999".
static QString observerWords(const ConfigInfo &config)
{
    const QLocale locale;
    QStringList words{config.observer};
    const auto option = [&](const QString &name, const auto &value) {
        if (value) words.append(QStringLiteral("%1 %2").arg(name, locale.toString(*value)));
    };
    option(PlatformDifference::tr("percentile"), config.percentile);
    if (config.percentileOver)
        words.append(PlatformDifference::tr("percentile over %1").arg(QLatin1String(toString(*config.percentileOver))));
    option(PlatformDifference::tr("minimum scale"), config.minScale);
    option(PlatformDifference::tr("histogram bins"), config.histogramBins);
    option(PlatformDifference::tr("isotone axis"), config.isotoneAxis);
    return words.join(QStringLiteral(", "));
}

static QString scaleWords(const ConfigInfo &config)
{
    if (config.scale.isEmpty()) return PlatformDifference::tr("from calibration");
    QStringList words;
    for (qsizetype i = 0; i < std::min<qsizetype>(config.scale.size(), 3); ++i)
        words.append(QStringLiteral("%1 / %2").arg(QLocale().toString(config.scale[i], 'g', 6),
                                                   QLocale().toString(config.zeroPoint.value(i))));
    if (config.scale.size() > 3) words.append(QStringLiteral("…"));
    return words.join(QStringLiteral(", "));
}

static QString visibilityWords(api::Visibility visibility)
{
    switch (visibility) {
    case api::Visibility::WhenActive: return PlatformDifference::tr("exported when active");
    case api::Visibility::Always: return PlatformDifference::tr("always exported");
    case api::Visibility::Internal: return PlatformDifference::tr("not exported");
    }
    return {};
}

/// Differences between two configs of a slot; a null one is float.
static QVector<Field> fieldsThatDiffer(const ConfigInfo *a, const ConfigInfo *b)
{
    QVector<Field> fields;
    const bool isFloatHere = !a || a->isFloat(), isFloatThere = !b || b->isFloat();
    if (isFloatHere && isFloatThere) return fields;
    const auto origin = [](const ConfigInfo *config, const char *key) {
        return config ? config->setBy.value(QLatin1String(key)) : Origin();
    };
    if (isFloatHere || isFloatThere) {
        const auto words = [](const ConfigInfo *config, bool isFloat) {
            return isFloat ? PlatformDifference::tr("float") : config->precision();
        };
        // The reason for float on one side, the origin of the codes on the other
        fields.append({PlatformDifference::tr("precision"), words(a, isFloatHere), words(b, isFloatThere),
                       origin(a, isFloatHere ? "state" : "bits"), origin(b, isFloatThere ? "state" : "bits")});
        return fields;
    }
    const auto compare = [&](const char *key, const QString &name, const auto &textOfSide) {
        const QString here = textOfSide(*a), there = textOfSide(*b);
        if (here != there) fields.append({name, here, there, origin(a, key), origin(b, key)});
    };
    using Config = ConfigInfo;
    compare("state", PlatformDifference::tr("state"), [](const Config &c) { return engineText(wordOf(c.state)); });
    compare("bits", PlatformDifference::tr("bits"),
            [](const Config &c) { return PlatformDifference::tr("%1 bits").arg(c.bits); });
    compare("exponent_bits", PlatformDifference::tr("exponent"),
            [](const Config &c) { return PlatformDifference::tr("%1 exponent bits").arg(c.exponentBits); });
    compare("range", PlatformDifference::tr("codes"),
            [](const Config &c) { return PlatformDifference::tr("codes %1 … %2").arg(c.quantMin).arg(c.quantMax); });
    compare("symmetric", PlatformDifference::tr("symmetry"), [](const Config &c) {
        return c.isSymmetric ? PlatformDifference::tr("symmetric") : PlatformDifference::tr("asymmetric");
    });
    compare("power_of_two", PlatformDifference::tr("power of two"), [](const Config &c) {
        return c.isPowerOfTwo ? PlatformDifference::tr("power of two scale") : PlatformDifference::tr("any scale");
    });
    compare("channel_axis", PlatformDifference::tr("granularity"), [](const Config &c) {
        if (c.groupSize > 0)
            return PlatformDifference::tr("groups of %1, axis %2").arg(c.groupSize).arg(*c.channelAxis);
        return c.channelAxis ? PlatformDifference::tr("per channel, axis %1").arg(*c.channelAxis)
                             : PlatformDifference::tr("per tensor");
    });
    compare("power_of_two", PlatformDifference::tr("scale format"),
            [](const Config &c) { return QString(toString(c.scaleFormat)); });
    compare("exponent_bits", PlatformDifference::tr("codebook"), [](const Config &c) {
        return c.codebook == api::Codebook::None ? PlatformDifference::tr("none") : QString(toString(c.codebook));
    });
    compare("dynamic", PlatformDifference::tr("dynamic"), [](const Config &c) {
        return c.isDynamic ? PlatformDifference::tr("dynamic") : PlatformDifference::tr("static");
    });
    compare("rounding", PlatformDifference::tr("rounding"), [](const Config &c) {
        return PlatformDifference::tr("rounding %1").arg(readableWord(toString(c.rounding)));
    });
    compare("observer", PlatformDifference::tr("observer"),
            [](const Config &c) { return PlatformDifference::tr("observer %1").arg(observerWords(c)); });
    compare("scale", PlatformDifference::tr("scale"),
            [](const Config &c) { return PlatformDifference::tr("scale %1").arg(scaleWords(c)); });
    compare("visibility", PlatformDifference::tr("export"),
            [](const Config &c) { return visibilityWords(c.visibility); });
    return fields;
}

/// "bias in float32 (rule 3)": the platform is named at the top.
static QString originWords(const Origin &origin)
{
    if (origin.kind != Origin::Kind::Rule) return engineText(origin.text());
    const QString name = engineText(QString::fromStdString(origin.name));
    return name.isEmpty() ? PlatformDifference::tr("rule %1").arg(origin.index + 1)
                          : PlatformDifference::tr("%1 (rule %2)").arg(name).arg(origin.index + 1);
}

namespace {

/// Finds the differences between two inspections. Large models have few kinds of configs, and few kinds of operations:
/// texts are created once for each.
class Comparison
{
public:
    const SlotTexts &textsOf(const QVector<SlotPair> &pairs);
    int schemeOf(const ConfigInfo &config);

private:
    const QVector<Field> &fieldsOf(int here, int there);

    QVector<ConfigInfo> m_schemes;
    QHash<QPair<int, int>, QVector<Field>> m_fields;
    QHash<QByteArray, SlotTexts> m_texts;
};

int Comparison::schemeOf(const ConfigInfo &config)
{
    const auto same = [&](const ConfigInfo &known) {
        return (known.setBy.isSharedWith(config.setBy) || known.setBy == config.setBy) && sameFields(known, config);
    };
    const auto it = std::find_if(m_schemes.cbegin(), m_schemes.cend(), same);
    if (it != m_schemes.cend()) return int(it - m_schemes.cbegin());
    m_schemes.append(config);
    return int(m_schemes.size()) - 1;
}

const QVector<Field> &Comparison::fieldsOf(int here, int there)
{
    const auto it = m_fields.constFind({here, there});
    if (it != m_fields.cend()) return *it;
    const auto config = [this](int scheme) { return scheme < 0 ? nullptr : &m_schemes[scheme]; };
    return *m_fields.insert({here, there}, fieldsThatDiffer(config(here), config(there)));
}

const SlotTexts &Comparison::textsOf(const QVector<SlotPair> &pairs)
{
    QByteArray key;
    for (const SlotPair &pair : pairs)
        key += pair.title.toUtf8() + '/' + QByteArray::number(pair.here) + '/' + QByteArray::number(pair.there) + ';';
    if (const auto it = m_texts.constFind(key); it != m_texts.cend()) return *it;

    QVector<QPair<QString, QString>> sides; // slots with the same texts
    QHash<QPair<QString, QString>, QStringList> slotsOf;
    QStringList reasons; // slots with equal configs
    QHash<QString, QStringList> slotsBecause;
    QStringList details;
    for (const SlotPair &pair : pairs) {
        QStringList here, there;
        QVector<QPair<QString, QString>> origins;
        QHash<QPair<QString, QString>, QStringList> fieldsBy;
        for (const Field &field : fieldsOf(pair.here, pair.there)) {
            here.append(field.here);
            there.append(field.there);
            const QPair by(originWords(field.hereOrigin), originWords(field.thereOrigin));
            QStringList &names = fieldsBy[by];
            if (names.isEmpty()) origins.append(by);
            if (!names.contains(field.name)) names.append(field.name);
            details.append(PlatformDifference::tr("%1: %2 (%3) ↔ %4 (%5)")
                               .arg(pair.title, field.here, by.first, field.there, by.second));
        }
        if (here.isEmpty()) continue;
        const QPair side(here.join(QStringLiteral(", ")), there.join(QStringLiteral(", ")));
        if (!slotsOf.contains(side)) sides.append(side);
        slotsOf[side].append(pair.title);
        QStringList because; // fields are listed if their reasons differ
        for (const auto &by : std::as_const(origins)) {
            const QString rules = QStringLiteral("%1 ↔ %2").arg(by.first, by.second);
            because.append(origins.size() == 1 ? rules
                                               : PlatformDifference::tr("%1: %2").arg(
                                                     fieldsBy.value(by).join(QStringLiteral(", ")), rules));
        }
        const QString reason = because.join(QStringLiteral("; "));
        if (!slotsBecause.contains(reason)) reasons.append(reason);
        slotsBecause[reason].append(pair.title);
    }
    SlotTexts texts;
    QStringList here, there, why;
    for (const auto &side : std::as_const(sides)) {
        const QString slots = slotsOf.value(side).join(QStringLiteral(", "));
        here.append(PlatformDifference::tr("%1: %2").arg(slots, side.first));
        there.append(PlatformDifference::tr("%1: %2").arg(slots, side.second));
    }
    for (const QString &reason : std::as_const(reasons))
        why.append(PlatformDifference::tr("%1: %2").arg(slotsBecause.value(reason).join(QStringLiteral(", ")), reason));
    texts.here = here.join(QLatin1Char('\n'));
    texts.there = there.join(QLatin1Char('\n'));
    texts.why = why.join(QLatin1Char('\n'));
    texts.details = details.join(QLatin1Char('\n'));
    return *m_texts.insert(key, texts);
}

} // namespace

QVector<PlatformDifference> platformDifferences(const GraphSnapshot &here, const QVector<ConfigInfo> &hereConfigs,
                                                const GraphSnapshot &there, const QVector<ConfigInfo> &thereConfigs)
{
    Comparison comparison;
    QHash<QString, QVector<SlotPair>> pairsOf;
    for (const auto &[configs, side] :
         {std::pair(&hereConfigs, &SlotPair::here), std::pair(&thereConfigs, &SlotPair::there)})
        for (const ConfigInfo &config : *configs) {
            QVector<SlotPair> &pairs = pairsOf[config.operation];
            auto it = std::find_if(pairs.begin(), pairs.end(), [&](const SlotPair &pair) {
                return pair.index == config.index && pair.role == config.role;
            });
            if (it == pairs.end()) it = pairs.insert(pairs.end(), SlotPair{.role = config.role, .index = config.index});
            (*it).*side = comparison.schemeOf(config);
        }
    QVector<PlatformDifference> differences;
    for (const OperationInfo &op : here.operations) {
        const int at = there.find(op.name);
        if (at < 0) continue;
        const OperationInfo &second = there.operations[at];
        QVector<SlotPair> pairs = pairsOf.value(op.name);
        for (SlotPair &pair : pairs) pair.title = slotTitle(here, op, pair.role, pair.index);
        const SlotTexts texts = comparison.textsOf(pairs);
        // Two platforms that both quantize it have different ids; their effect is in the slots
        const bool movesPlace =
            op.isQuantized != second.isQuantized || (!op.isQuantized && op.platform != second.platform);
        if (!movesPlace && texts.here.isEmpty()) continue;
        PlatformDifference row{op.name, op.type, texts.here, texts.there, texts.why, texts.details, texts.why};
        if (movesPlace) {
            const auto with = [](const QString &platform, const QString &slots) {
                return slots.isEmpty() ? platform : platform + QLatin1Char('\n') + slots;
            };
            row.here = with(op.platform, op.isQuantized ? row.here : QString());
            row.there = with(second.platform, second.isQuantized ? row.there : QString());
            row.kind = with(op.reasonKind + QStringLiteral(" ↔ ") + second.reasonKind, row.why);
            row.why = with(op.reason + QStringLiteral(" ↔ ") + second.reason, row.why);
        }
        differences.append(std::move(row));
    }
    return differences;
}

QVector<PlatformDifferenceGroup> groupedDifferences(const QVector<PlatformDifference> &differences)
{
    QVector<PlatformDifferenceGroup> groups;
    QHash<QStringList, qsizetype> placeOf;
    for (const PlatformDifference &difference : differences) {
        const QStringList key{difference.here, difference.there, difference.kind, difference.details};
        auto place = placeOf.find(key);
        if (place == placeOf.end()) {
            place = placeOf.insert(key, groups.size());
            groups.append({.difference = difference});
        }
        PlatformDifferenceGroup &group = groups[*place];
        if (group.operations.size() == 1 && group.difference.why != difference.why)
            group.difference.why = PlatformDifference::tr("For example: %1").arg(group.difference.why);
        group.operations.append(difference.operation);
        if (!group.types.contains(difference.type)) group.types.append(difference.type);
    }
    return groups;
}

} // namespace ql

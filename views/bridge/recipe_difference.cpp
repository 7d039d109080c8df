#include "views/bridge/recipe_difference.h"

#include "views/bridge/engine_text.h"
#include "views/bridge/snapshot.h"
#include "views/bridge/translate.h"

#include <QRegularExpression>
#include <algorithm>

namespace ql {

using nlohmann::json;

static QString shown(const json &value)
{
    if (value.is_null()) return QStringLiteral("–");
    QString text;
    if (value.is_string()) {
        text = QString::fromStdString(value.get<std::string>());
    } else if (value.is_object()) { // in words, without brackets
        QStringList parts;
        for (const auto &[key, part] : value.items()) {
            const bool isWord = key == "granularity" || key == "rounding" || key == "state";
            const QString word = key == "range" && part.is_array() && part.size() == 2
                                     ? shown(part[0]) + QStringLiteral(" … ") + shown(part[1])
                                     : shown(part);
            parts.append(engineText(readableName(key)) + QLatin1Char(' ') +
                         (isWord ? engineText(readableName(word.toStdString())) : word));
        }
        text = parts.join(QStringLiteral(", "));
    } else if (value.is_array()) {
        QStringList parts;
        for (const json &part : value) parts.append(shown(part));
        text = parts.join(QStringLiteral(", "));
    } else if (value.is_number_float()) {
        text = QString::number(value.get<double>(), 'g', 6);
    } else {
        text = QString::fromStdString(value.dump());
    }
    return text.size() > 120 ? text.left(117) + QStringLiteral("…") : text;
}

static json member(const json &object, const char *key)
{
    return object.is_object() && object.contains(key) ? object.at(key) : json();
}

/// Values of an object that differ, each with its path.
static void compareValues(const QString &path, const json &before, const json &after, QStringList &lines)
{
    if (before == after) return;
    if (before.is_object() && after.is_object()) {
        QStringList keys;
        for (const json *object : {&before, &after})
            for (const auto &[key, value] : object->items())
                if (!keys.contains(QString::fromStdString(key))) keys.append(QString::fromStdString(key));
        for (const QString &key : keys)
            compareValues(path.isEmpty() ? key : path + QStringLiteral(" / ") + key,
                          member(before, key.toUtf8().constData()), member(after, key.toUtf8().constData()), lines);
        return;
    }
    lines.append(QStringLiteral("%1: %2 → %3").arg(path, shown(before), shown(after)));
}

/// Passes or rules in their order: what each is known by, and what it says.
using Entries = QVector<QPair<QString, json>>;

/// Appends an entry; the nth of a key is "key (n)", so that it is compared with the nth of the other list.
static void appendNumbered(Entries &entries, const QString &key, const json &value)
{
    const auto isTaken = [&](const QString &name) {
        return std::any_of(entries.begin(), entries.end(), [&](const auto &entry) { return entry.first == name; });
    };
    QString name = key;
    for (int number = 2; isTaken(name); ++number) name = QStringLiteral("%1 (%2)").arg(key).arg(number);
    entries.append({name, value});
}

/// Calls removed(key, value), then for each entry of after added(key, value) or both(key, old, now).
/// @returns the keys that both lists have, in the order of after, when before has them in another one; else nothing
template <class Removed, class Added, class Both>
static QStringList compareEntries(const Entries &before, const Entries &after, Removed removed, Added added, Both both)
{
    const auto find = [](const Entries &list, const QString &key) -> const json * {
        for (const auto &[own, value] : list)
            if (own == key) return &value;
        return nullptr;
    };
    QStringList orderBefore, orderAfter;
    for (const auto &[key, value] : before) {
        if (find(after, key))
            orderBefore.append(key);
        else
            removed(key, value);
    }
    for (const auto &[key, value] : after) {
        if (const json *old = find(before, key)) {
            orderAfter.append(key);
            both(key, *old, value);
        } else {
            added(key, value);
        }
    }
    return orderBefore == orderAfter ? QStringList() : orderAfter;
}

static void comparePasses(const json &before, const json &after, QStringList &lines)
{
    const auto entriesOf = [](const json &list) {
        Entries passes;
        for (const json &pass : list.is_array() ? list : json::array())
            appendNumbered(passes, textOf(pass, "id"), pass);
        return passes;
    };
    const QStringList order = compareEntries(
        entriesOf(before), entriesOf(after),
        [&](const QString &key, const json &) { lines.append(tr("pass %1: removed").arg(key)); },
        [&](const QString &key, const json &) { lines.append(tr("pass %1: added").arg(key)); },
        [&](const QString &key, const json &old, const json &pass) {
            const bool was = old.value("enabled", true), is = pass.value("enabled", true);
            if (was != is) lines.append(is ? tr("pass %1: on").arg(key) : tr("pass %1: off").arg(key));
            if (is) compareValues(tr("pass %1").arg(key), member(old, "params"), member(pass, "params"), lines);
        });
    if (!order.isEmpty()) lines.append(tr("order of passes: %1").arg(order.join(QStringLiteral(", "))));
}

/// A name whose own * ? [ are written as [*] [?] [[] stands for that name.
static QString readablePattern(QString pattern)
{
    static const QRegularExpression escaped(QStringLiteral("\\[([*?[])\\]"));
    const bool isName = !QString(pattern).remove(escaped).contains(QRegularExpression(QStringLiteral("[*?[]")));
    return isName ? pattern.replace(escaped, QStringLiteral("\\1")) : pattern;
}

/// "scores, output", "type Conv, input 2"
static QString matchText(const json &match)
{
    QStringList words;
    if (match.contains("op")) words.append(readablePattern(shown(match["op"])));
    for (const auto &[key, part] : match.items())
        if (key != "op" && key != "role" && key != "index")
            words.append(engineText(readableName(key)) + QLatin1Char(' ') + engineText(shown(part)));
    const int index = match.value("index", 0);
    const QString place = index > 0 ? QString::number(index + 1) : QString();
    if (match.contains("role"))
        words.append((engineText(shown(match["role"])) + QLatin1Char(' ') + place).trimmed());
    else if (!place.isEmpty())
        words.append(place);
    return words.join(QStringLiteral(", "));
}

/// Rules by what they match; what they say may be added, removed or changed, and their order, as the last one that
/// matches holds.
static void compareRules(const QString &name, const json &before, const json &after, QStringList &lines)
{
    const auto entriesOf = [](const json &list) {
        Entries rules;
        for (const json &rule : list.is_array() ? list : json::array()) {
            json match = rule, value = json::object();
            if (rule.contains("match")) {
                match = rule["match"];
                value = member(rule, "set");
            } else {
                value = member(rule, "platform");
                match.erase("platform");
            }
            appendNumbered(rules, matchText(match), value);
        }
        return rules;
    };
    const QStringList order = compareEntries(
        entriesOf(before), entriesOf(after),
        [&](const QString &key, const json &value) {
            lines.append(tr("%1 of %2: removed (%3)").arg(name, key, shown(value)));
        },
        [&](const QString &key, const json &value) { lines.append(tr("%1 of %2: %3").arg(name, key, shown(value))); },
        [&](const QString &key, const json &old, const json &value) {
            compareValues(tr("%1 of %2").arg(name, key), old, value, lines);
        });
    if (!order.isEmpty()) lines.append(tr("%1, order of rules: %2").arg(name, order.join(QStringLiteral("; "))));
}

QStringList recipeDifference(const json &before, const json &after)
{
    QStringList lines;
    json plainA = before, plainB = after;
    for (json *recipe : {&plainA, &plainB})
        for (const char *key : {"passes", "dispatch", "overrides", "format", "exports"})
            if (recipe->is_object()) recipe->erase(key);
    compareValues({}, plainA, plainB, lines);
    comparePasses(member(before, "passes"), member(after, "passes"), lines);
    compareRules(tr("dispatch"), member(before, "dispatch"), member(after, "dispatch"), lines);
    compareRules(tr("overrides"), member(before, "overrides"), member(after, "overrides"), lines);
    return lines;
}

} // namespace ql

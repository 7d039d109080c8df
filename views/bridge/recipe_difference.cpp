#include "views/bridge/recipe_difference.h"

#include "views/bridge/engine_text.h"
#include "views/bridge/translate.h"

#include <QRegularExpression>
#include <algorithm>
#include <string>
#include <vector>

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

/// Values of an object that differ, each with its path.
static void compareValues(const QString &path, const json &before, const json &after, QStringList &lines)
{
    if (before == after) return;
    if (before.is_object() && after.is_object()) {
        std::vector<std::string> keys;
        for (const json *object : {&before, &after})
            for (const auto &[key, value] : object->items())
                if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
        const auto valueOf = [](const json &object, const std::string &key) {
            const auto it = object.find(key);
            return it == object.end() ? json() : *it;
        };
        for (const std::string &key : keys) {
            const QString name = QString::fromStdString(key);
            compareValues(path.isEmpty() ? name : path + QStringLiteral(" / ") + name, valueOf(before, key),
                          valueOf(after, key), lines);
        }
        return;
    }
    lines.append(QStringLiteral("%1: %2 → %3").arg(path, shown(before), shown(after)));
}

/// Passes or rules in order: an identifier of each, and its content.
template <class Value>
using Entries = QVector<QPair<QString, Value>>;

/// Appends an entry; the nth with the same key is "key (n)", so that it is compared with the nth of the other list.
template <class Value>
static void appendNumbered(Entries<Value> &entries, const QString &key, const Value &value)
{
    const auto isTaken = [&](const QString &name) {
        return std::any_of(entries.begin(), entries.end(), [&](const auto &entry) { return entry.first == name; });
    };
    QString name = key;
    for (int number = 2; isTaken(name); ++number) name = QStringLiteral("%1 (%2)").arg(key).arg(number);
    entries.append({name, value});
}

/// Calls removed(key, value), then for each entry of after added(key, value) or both(key, old, now).
/// @returns the keys that both lists have, in the order of after, if before has them in another order; otherwise
/// nothing
template <class Value, class Removed, class Added, class Both>
static QStringList compareEntries(const Entries<Value> &before, const Entries<Value> &after, Removed removed,
                                  Added added, Both both)
{
    const auto find = [](const Entries<Value> &list, const QString &key) -> const Value * {
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
        if (const Value *old = find(before, key)) {
            orderAfter.append(key);
            both(key, *old, value);
        } else {
            added(key, value);
        }
    }
    return orderBefore == orderAfter ? QStringList() : orderAfter;
}

static void comparePasses(const api::Recipe &before, const api::Recipe &after, const api::Catalogue &known,
                          QStringList &lines)
{
    const auto entriesOf = [&known](const api::Recipe &recipe) {
        Entries<api::StepRequest> passes;
        for (const api::StepRequest &pass : recipe.passes.value_or(std::vector<api::StepRequest>())) {
            const api::PassItem *item = api::findItem(known.passes, pass.id);
            appendNumbered(passes, item ? engineText(item->title) : QString::fromStdString(pass.id), pass);
        }
        return passes;
    };
    const QStringList order = compareEntries(
        entriesOf(before), entriesOf(after),
        [&](const QString &key, const api::StepRequest &) { lines.append(tr("pass %1: removed").arg(key)); },
        [&](const QString &key, const api::StepRequest &) { lines.append(tr("pass %1: added").arg(key)); },
        [&](const QString &key, const api::StepRequest &old, const api::StepRequest &pass) {
            const bool is = pass.enabled;
            if (old.enabled != is) lines.append(is ? tr("pass %1: on").arg(key) : tr("pass %1: off").arg(key));
            if (is) compareValues(tr("pass %1").arg(key), old.params, pass.params, lines);
        });
    if (!order.isEmpty()) lines.append(tr("order of passes: %1").arg(order.join(QStringLiteral(", "))));
}

/// A name whose own * ? [ are written as [*] [?] [[] is matched literally.
static QString readablePattern(QString pattern)
{
    static const QRegularExpression escaped(QStringLiteral("\\[([*?[])\\]"));
    const bool isName = !QString(pattern).remove(escaped).contains(QRegularExpression(QStringLiteral("[*?[]")));
    return isName ? pattern.replace(escaped, QStringLiteral("\\1")) : pattern;
}

QString roleText(api::SlotRole role)
{
    switch (role) {
    case api::SlotRole::Input: return tr("input");
    case api::SlotRole::Activation: return tr("activation");
    case api::SlotRole::Parameter: return tr("parameter");
    case api::SlotRole::Weight: return tr("weight");
    case api::SlotRole::Bias: return tr("bias");
    case api::SlotRole::Output: return tr("output");
    }
    return {};
}

/// "scores, output", "type Conv, input 2"
static QString matchText(api::RuleMatch match)
{
    QStringList words, roles;
    if (match.op == "*")
        words.append(tr("every operation"));
    else if (!match.op.empty())
        words.append(readablePattern(QString::fromStdString(match.op)));
    for (const api::SlotRole role : match.roles) roles.append(roleText(role));
    const int index = match.index.value_or(0);
    const QString place = index > 0 ? QString::number(index + 1) : QString();
    match.op.clear();
    match.roles.clear();
    match.index.reset();
    const json others = api::toJson(match); // items() keeps a reference
    for (const auto &[key, part] : others.items())
        words.append(engineText(readableName(key)) + QLatin1Char(' ') + engineText(shown(part)));
    if (!roles.isEmpty())
        words.append((roles.join(QStringLiteral(", ")) + QLatin1Char(' ') + place).trimmed());
    else if (!place.isEmpty())
        words.append(place);
    return words.join(QStringLiteral(", "));
}

/// Rules by their match; their settings may be added, removed or changed, and their order, because the last matching
/// one wins.
static void compareRules(const QString &name, const std::vector<api::Rule> &before, const std::vector<api::Rule> &after,
                         QStringList &lines)
{
    const auto entriesOf = [](const std::vector<api::Rule> &list) {
        Entries<json> rules;
        for (const api::Rule &rule : list)
            appendNumbered(rules, matchText(rule.match),
                           rule.set.platform.empty() ? api::toJson(rule.set) : json(rule.set.platform));
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

QStringList recipeDifference(const api::Recipe &before, const api::Recipe &after, const api::Catalogue &known)
{
    QStringList lines;
    const auto plain = [](api::Recipe recipe) {
        recipe.passes.reset();
        recipe.dispatch.clear();
        recipe.overrides.clear();
        recipe.exports.clear();
        return api::toJson(recipe);
    };
    compareValues({}, plain(before), plain(after), lines);
    comparePasses(before, after, known, lines);
    compareRules(tr("dispatch"), before.dispatch, after.dispatch, lines);
    compareRules(tr("overrides"), before.overrides, after.overrides, lines);
    return lines;
}

} // namespace ql

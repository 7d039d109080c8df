// Edits of the inspector: their scope, whether they are legal, and the resulting commands.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_history.h"
#include "views/panels/inspector.h"

#include <QComboBox>
#include <QLineEdit>
#include <algorithm>
#include <utility>

namespace ql {

void Inspector::sendTo(const QString &platform)
{
    send(m_document.selection(), platform);
}

void Inspector::send(const QStringList &operations, const QString &platform)
{
    try {
        // Operations in the bodies of If and Loop cannot be dispatched
        QStringList names;
        for (const QString &name : operations)
            if (const int op = m_document.graph() ? m_document.graph()->find(name) : -1;
                op < 0 || m_document.graph()->operations[op].body < 0)
                names.append(name);
        if (names.isEmpty()) return;
        const bool isOne = names.size() == 1; // the name identifies the edit, and the run after it
        const QString text = platform.isEmpty()
                                 ? isOne ? tr("Restore default dispatch of %1").arg(names[0])
                                         : tr("Restore default dispatch of %n operation(s)", nullptr, int(names.size()))
                             : isOne ? tr("Dispatch %1 to %2").arg(names[0], platform)
                                     : tr("Dispatch %n operation(s) to %1", nullptr, int(names.size())).arg(platform);
        const api::Recipe before = m_document.recipe();
        const api::Recipe after = withDispatch(before, names, platform);
        replaceRecipe(m_document, text, after);
        const auto byRule = [&](const QString &name) {
            const int op = m_document.graph() ? m_document.graph()->find(name) : -1;
            return op >= 0 && m_document.graph()->operations[op].isByOverride;
        };
        if (platform.isEmpty() && after == before && std::any_of(names.begin(), names.end(), byRule))
            showError(tr("A rule that also matches other operations sets their platform: choose a platform for these "
                         "here, or undo the rule."));
        else
            showError({});
    } catch (const Error &error) {
        showError(exceptionText(error));
    }
}

OverrideScope Inspector::scope() const
{
    OverrideScope scope;
    const int op = m_document.graph() ? m_document.graph()->find(m_document.current()) : -1;
    switch (chosen()) {
    case This: scope.operations = {m_document.current()}; break;
    case Selection: scope.operations = m_document.selection(); break;
    case Group: scope.operations = groupOperations(); break;
    case Type:
        scope.kind = OverrideScope::Kind::Type;
        if (op >= 0) scope.text = m_document.graph()->operations[op].type;
        break;
    case Pattern:
        scope.kind = OverrideScope::Kind::Pattern;
        scope.text = m_pattern->text();
        break;
    }
    if (const int at = slot(); at >= 0) {
        const ConfigInfo &config = m_document.history().configs()[at];
        scope.role = config.role;
        scope.index = config.index;
    }
    return scope;
}

Inspector::Chosen Inspector::chosen() const
{
    return m_scope->currentData().isValid() ? Chosen(m_scope->currentData().toInt()) : This;
}

Inspector::Chosen Inspector::scopeOfSelection() const
{
    return m_document.selection().size() > 1 ? Selection : This;
}

QVector<int> Inspector::groupSlots() const
{
    QVector<int> slots;
    const int at = slot();
    if (at < 0) return slots;
    const QVector<ConfigInfo> &configs = m_document.history().configs();
    const QString key = configs[at].scaleGroup();
    for (int i = 0; i < configs.size(); ++i)
        if (configs[i].scaleGroup() == key) slots.append(i);
    return slots;
}

QStringList Inspector::groupOperations() const
{
    QStringList names;
    for (const int i : groupSlots())
        if (const QString &name = m_document.history().configs()[i].operation; !names.contains(name))
            names.append(name);
    return names;
}

std::vector<OverrideScope> Inspector::scopes(const std::vector<api::RuleField> &fields) const
{
    if (chosen() != Group) return {scope()};
    using Field = api::RuleField;
    const auto has = [&](Field field) { return std::find(fields.begin(), fields.end(), field) != fields.end(); };
    const bool isScale = has(Field::Scale) || has(Field::ZeroPoint) || has(Field::Range);
    std::vector<OverrideScope> scopes;
    for (const int i : groupSlots()) {
        const ConfigInfo &config = m_document.history().configs()[i];
        // Some inherit their rounding, and some only the scale, as long as the other fields are equal
        const bool isFollower =
            config.isFloat() || config.state == api::QuantState::Passive || (isScale && config.isOverlapped());
        if (isFollower && !fields.empty() && !has(Field::State)) continue;
        const auto known = std::find_if(scopes.begin(), scopes.end(), [&](const OverrideScope &scope) {
            return scope.role == config.role && scope.index == config.index;
        });
        if (known != scopes.end()) {
            known->operations.append(config.operation);
            continue;
        }
        OverrideScope scope;
        scope.operations = {config.operation};
        scope.role = config.role;
        scope.index = config.index;
        scopes.push_back(scope);
    }
    return scopes;
}

QStringList Inspector::editedOperations() const
{
    const OverrideScope where = scope();
    QStringList names = operationsIn(where, *m_document.graph());
    if (!where.role || chosen() == Group) return names;
    const QVector<ConfigInfo> &configs = m_document.history().configs();
    const auto hasSlot = [&](const QString &name) {
        const QVector<int> slots = m_document.history().configsOf(name);
        return std::any_of(slots.begin(), slots.end(), [&](int i) {
            return configs[i].role == where.role && (where.index < 0 || configs[i].index == where.index);
        });
    };
    names.erase(std::remove_if(names.begin(), names.end(), [&](const QString &name) { return !hasSlot(name); }),
                names.end());
    return names;
}

void Inspector::reset(const QString &label, const std::vector<api::RuleField> &fields, const Origin &origin)
{
    try {
        OverrideScope whole = scope();
        whole.role.reset();
        whole.index = -1;
        std::vector<OverrideScope> meant = scopes();
        meant.push_back(whole);
        const api::Recipe before = m_document.recipe();
        api::Recipe recipe = before;
        for (const OverrideScope &where : meant) recipe = withoutOverride(std::move(recipe), where, fields);
        if (recipe == before && origin.isOverride()) recipe = withoutOverrideOf(before, origin, scope(), fields);
        if (recipe == before)
            return showError(tr("Nothing is set for exactly this scope: under “Edits for”, choose the scope in which "
                                "it was set, such as every operation of this type."));
        replaceRecipe(m_document, tr("Reset %1").arg(label), recipe);
        showError({});
    } catch (const Error &error) {
        showError(exceptionText(error));
    }
}

/// @throws Error (BadConfig) for an operation whose tensor does not support the values, although the shown one does
void Inspector::checkLegal(const OverrideScope &where, const QStringList &names, const api::RuleSet &values) const
{
    const QVector<ConfigInfo> &configs = m_document.history().configs();
    for (const QString &name : names)
        for (const int i : m_document.history().configsOf(name)) {
            const ConfigInfo &config = configs[i];
            if (config.role != where.role || (where.index >= 0 && config.index != where.index)) continue;
            if (config.isFloat()) continue;
            const bool perChannel =
                values.granularity && values.granularity->kind == api::Granularity::Kind::OutputChannel;
            if (perChannel && !config.outputChannelAxis)
                throw Error(ErrorKind::BadConfig, tr("%1 has no output channels. Exclude it.").arg(name).toStdString());
            api::ObserverDemand wanted = observerDemand(config);
            if (values.exponentBits) wanted.isFloating = *values.exponentBits > 0;
            if (values.symmetric) wanted.isSymmetric = *values.symmetric;
            if (values.granularity) wanted.isPerChannel = perChannel;
            const QString observer = values.observer ? QString::fromStdString(*values.observer) : config.observer;
            const auto *item = api::findItem(m_document.requests().known().observers, observer.toStdString());
            if (item && !item->serves(wanted))
                throw Error(ErrorKind::BadConfig, tr("The observer '%1' does not support %2 (needed by %3). Choose "
                                                     "another observer or fewer operations.")
                                                      .arg(observer,
                                                           wanted.isFloating     ? tr("floating-point codes")
                                                           : !wanted.isSymmetric ? tr("asymmetric")
                                                           : wanted.isPerChannel ? tr("one scale per channel")
                                                                                 : tr("integer codes"),
                                                           name)
                                                      .toStdString());
        }
}

void Inspector::set(const QString &label, const api::RuleSet &values)
{
    try {
        const QStringList names = editedOperations();
        if (names.isEmpty())
            throw Error(ErrorKind::BadConfig, tr("No operation that matches the pattern has this slot.").toStdString());
        api::Recipe recipe = m_document.recipe();
        for (OverrideScope where : scopes(api::fieldsOf(values))) {
            const QStringList meant = chosen() == Group ? where.operations : names;
            checkLegal(where, meant, values);
            if (where.kind == OverrideScope::Kind::Operations) where.operations = meant;
            recipe = withOverride(std::move(recipe), where, values);
        }
        const QString target = names.size() == 1 ? names.front() : tr("%n operation(s)", nullptr, int(names.size()));
        replaceRecipe(m_document, tr("%1 of %2").arg(label, target), recipe);
        showError({});
    } catch (const Error &error) {
        showError(exceptionText(error));
        refreshSlot(); // the effective value is shown again
    }
}

} // namespace ql

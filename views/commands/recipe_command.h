#pragma once

#include "views/bridge/document.h"

#include <QUndoCommand>
#include <functional>
#include <utility>
#include <vector>

namespace ql {

/// One act of the user: the recipe before and after. Edits of the same place that follow
/// each other while it is held (a spin box, a dragged line) are one step: mergeKey.
class RecipeCommand : public QUndoCommand
{
public:
    RecipeCommand(Document &document, QString text, api::Recipe before, api::Recipe after, QString mergeKey = {});

    void undo() override;
    void redo() override;
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand *other) override;

private:
    Document &m_document;
    api::Recipe m_before, m_after; ///< small documents
    QString m_folder;              ///< of the document then: a recipe saved elsewhere since has other relative paths
    QString m_mergeKey;
};

/// Makes recipe the document's as one undoable step.
/// @throws Error (BadConfig) when it would not be legal; nothing is changed then.
void replaceRecipe(Document &document, const QString &text, const api::Recipe &recipe, const QString &mergeKey = {});
/// The document's recipe with what edit does to it. @throws as replaceRecipe()
void editRecipe(Document &document, const QString &text, const std::function<void(api::Recipe &recipe)> &edit);
/// The platform with its own dispatcher and pipeline. The user's pass list is discarded, which Document::note()
/// reports.
void choosePlatform(Document &document, const QString &id);

/// The slots of an override, as offered by the inspector.
struct OverrideScope
{
    enum class Kind { Operations, Type, Pattern };
    Kind kind = Kind::Operations;
    QStringList operations;            ///< of Operations: names
    QString text;                      ///< of Type: the type; of Pattern: a shell pattern on names
    std::optional<api::SlotRole> role; ///< Input, Parameter, Output; unset: all
    int index = -1;                    ///< -1: any
};
/// The range of an override for which the lowest and the highest code of a tensor represent low and high, if one scale
/// allows that; otherwise low and high unchanged.
std::pair<double, double> rangeOf(const ConfigInfo &config, double low, double high);
/// Names of the operations in a scope.
QStringList operationsIn(const OverrideScope &scope, const GraphSnapshot &graph);
/// Adds an override of scope that sets values; one with the same match is extended instead.
api::Recipe withOverride(api::Recipe recipe, const OverrideScope &scope, const api::RuleSet &values);
/// The same for rules.
api::Recipe withOverrides(api::Recipe recipe, const std::vector<api::Rule> &rules);
/// Removes what overrides say about exactly this scope; with fields only these.
api::Recipe withoutOverride(api::Recipe recipe, const OverrideScope &scope,
                            const std::vector<api::RuleField> &fields = {});
/// Removes fields from the override that set them for a slot, whatever else that is about. origin: who set a field of
/// the slot when the recipe was run; if the recipe has changed since, the last override that can be meant counts.
/// where: role and index of the slot.
api::Recipe withoutOverrideOf(api::Recipe recipe, const Origin &origin, const OverrideScope &where,
                              const std::vector<api::RuleField> &fields);
/// Dispatches operations to platform ("FP32", ...); an empty platform removes their rules.
api::Recipe withDispatch(api::Recipe recipe, const QStringList &operations, const QString &platform);
/// The same for rules of the dispatch table.
api::Recipe withDispatchRules(api::Recipe recipe, const std::vector<api::Rule> &rules);

} // namespace ql

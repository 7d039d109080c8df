#pragma once

#include "views/bridge/document.h"

#include <QUndoCommand>

namespace ql {

/// One act of the user: the recipe's value at a JSON pointer, before and after. Edits of the same place that follow
/// each other while it is held (a spin box, a dragged line) are one step: mergeKey.
class RecipeCommand : public QUndoCommand
{
public:
    RecipeCommand(Document &document, QString text, nlohmann::json before, nlohmann::json after, QString mergeKey = {});

    void undo() override;
    void redo() override;
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand *other) override;

private:
    Document &m_document;
    nlohmann::json m_before, m_after; ///< recipes; small documents
    QString m_folder; ///< of the document then: a recipe that was saved elsewhere since has other relative paths
    QString m_mergeKey;
};

/// Sets the recipe's value at pointer ("/calibration/samples"; "/overrides/-" appends) as one undoable step.
/// @throws Error (BadConfig) when the recipe would not be legal; nothing is changed then.
void editRecipe(Document &document, const QString &text, const std::string &pointer, const nlohmann::json &value,
                const QString &mergeKey = {});
/// The same with a whole recipe.
void replaceRecipe(Document &document, const QString &text, const nlohmann::json &recipe, const QString &mergeKey = {});
/// The platform with its own dispatcher and pipeline. A pass list of the user's own goes, which Document::note() tells.
void choosePlatform(Document &document, const QString &id);

/// Which slots an override is about, as the inspector offers it.
struct OverrideScope
{
    enum class Kind { Operations, Type, Pattern };
    Kind kind = Kind::Operations;
    QStringList operations; ///< of Operations: names
    QString text;           ///< of Type: the type; of Pattern: a shell pattern on names
    QString role;           ///< "input", "parameter", "output"; empty: all
    int index = -1;         ///< -1: any
};
/// The range of an override with which the lowest and the highest code of a tensor stand for low and high, where one
/// scale can do that; else low and high as they are.
nlohmann::json rangeOf(const ConfigInfo &config, double low, double high);
/// Names of the operations that a scope is about.
QStringList operationsIn(const OverrideScope &scope, const GraphSnapshot &graph);
/// Adds {"match": scope, "set": values} to the overrides; an entry with the same match is extended instead.
nlohmann::json withOverride(nlohmann::json recipe, const OverrideScope &scope, const nlohmann::json &values);
/// The same for rules as they stand in a recipe, [{"match", "set"}].
nlohmann::json withOverrides(nlohmann::json recipe, const nlohmann::json &rules);
/// Removes what overrides say about exactly this scope; with field only that one.
nlohmann::json withoutOverride(nlohmann::json recipe, const OverrideScope &scope, const QString &field = {});
/// Removes fields from the override that set them for a slot, whatever else that is about. origin: as configs name who
/// set a field, "override 'conv1*'"; the last one that can be meant counts. where: role and index of the slot.
nlohmann::json withoutOverrideOf(nlohmann::json recipe, const QString &origin, const OverrideScope &where,
                                 const QStringList &fields);
/// Sends operations to platform ("FP32", ...); an empty platform removes what was said about them.
nlohmann::json withDispatch(nlohmann::json recipe, const QStringList &operations, const QString &platform);
/// The same for rules as they stand in a recipe, [{"op": pattern, "platform"}].
nlohmann::json withDispatchRules(nlohmann::json recipe, const nlohmann::json &rules);

} // namespace ql

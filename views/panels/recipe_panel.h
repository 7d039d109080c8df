#pragma once

#include "core/api/params.h"
#include "views/bridge/document.h"

#include <QWidget>
#include <optional>
#include <string>
#include <variant>
#include <vector>

class QLabel;
class QMenu;
class QPlainTextEdit;
class QPushButton;
class QToolButton;
class QTreeWidget;

namespace ql {

class ParamEditor;

/// The lists of the recipe without another panel: dispatch, overrides, analyses, exports. Add, edit, reorder, remove;
/// every change is one undoable step.
class RecipePanel : public QWidget
{
    Q_OBJECT

public:
    explicit RecipePanel(Document &document, QWidget *parent = nullptr);
    QWidget *tools() const { return m_tools; } ///< for the title row of the dock

Q_SIGNALS:
    /// Operations to highlight in the graph: those of the clicked rule; empty: none.
    void markRequested(const QStringList &operations);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void makeTools();
    void makeLayout();
    void connectAll();
    enum class List { Dispatch, Overrides, Analyses, Exports };
    /// An entry of one of the lists; row -1: none.
    struct Place
    {
        std::optional<List> list;
        int row = -1;
        bool operator==(const Place &) const = default;
    };
    using Entry = std::variant<api::Rule, api::StepRequest>;
    using Entries = std::vector<Entry>;
    struct ListInfo;
    static const ListInfo &infoOf(List list);
    static Entries entriesOf(const api::Recipe &recipe, List list);
    static nlohmann::json entryJson(List list, const Entry &entry);
    /// @throws Error (BadConfig) naming line and key
    static Entry entryFromText(List list, const std::string &text);
    static QString firstText(List list, const Entry &entry);
    static QString secondText(List list, const Entry &entry);
    Place current() const;
    void select(const Place &place);
    void refresh();
    void showEntry();
    void fillAddMenu();
    void add(List list, const Entry &entry);
    void move(int by);
    void remove();
    void applyText();
    void mark();
    /// The recipe with another list, as one step; errors are shown below the text.
    bool apply(const QString &what, List list, const Entries &entries);
    /// Null: the engine knows none.
    const api::CatalogueItem *catalogueEntry(List list, const Entry &entry) const;
    /// Names of the operations that a rule applies to; isAtMost: only the engine can evaluate some of its conditions.
    QStringList operationsOf(List list, const Entry &entry, bool *isAtMost) const;

    Document &m_document;
    QTreeWidget *m_tree;
    QWidget *m_details;
    QLabel *m_title, *m_meaning, *m_facts, *m_error;
    ParamEditor *m_params;
    QPlainTextEdit *m_text;
    QPushButton *m_apply;
    QMenu *m_addMenu;
    QWidget *m_tools;
    QAction *m_up, *m_down, *m_duplicate, *m_remove;
    Place m_marked, m_shown; ///< shown: the entry of the text
    QString m_shownText;     ///< before the user typed
};

} // namespace ql

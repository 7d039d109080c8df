#pragma once

#include "views/models/pass_model.h"

#include <QWidget>

class QLabel;
class QMenu;
class QTreeView;

namespace ql {

class ParamEditor;

/// The pipeline of a platform: check, drag or move, parameters, add, remove. It changes nothing itself: it emits the
/// edited list of passes.
class PlatformPasses : public QWidget
{
    Q_OBJECT

public:
    explicit PlatformPasses(Document &document, QWidget *parent = nullptr);
    QTreeView *view() const { return m_view; }
    PassModel *model() const { return m_model; }
    void setPasses(const std::vector<api::StepRequest> &passes, bool isReadOnly);
    /// After the current one; isFirst: before all.
    void addPass(const std::string &id, bool isFirst);
    void movePass(int by);
    void removePass();

Q_SIGNALS:
    void edited(const std::vector<ql::api::StepRequest> &passes);

private:
    void emitEdited(const std::vector<api::StepRequest> &steps, int current);
    void showParams();
    int currentRow() const;

    Document &m_document;
    PassModel *m_model;
    QTreeView *m_view;
    QWidget *m_tools;
    QLabel *m_problem; ///< problem of the order
    QMenu *m_menu;
    ParamEditor *m_params;
    bool m_isReadOnly = true;
};

} // namespace ql

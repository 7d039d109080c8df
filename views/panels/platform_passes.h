#pragma once

#include "views/models/pass_model.h"

#include <QWidget>

class QLabel;
class QMenu;
class QTreeView;

namespace ql {

class ParamEditor;

/// The pipeline of a platform: tick, drag or move, parameters, add, remove. It changes nothing itself: it tells the
/// list of passes as it would be.
class PlatformPasses : public QWidget
{
    Q_OBJECT

public:
    explicit PlatformPasses(Document &document, QWidget *parent = nullptr);
    QTreeView *view() const { return m_view; }
    PassModel *model() const { return m_model; }
    /// As in a platform's file. A list that has a mistake is shown as far as it is understood, and left as it is.
    void setPasses(const nlohmann::json &passes, bool isReadOnly);
    /// Behind the current one; isFirst: in front of all.
    void addPass(const std::string &id, bool isFirst);
    void movePass(int by);
    void removePass();

Q_SIGNALS:
    void edited(const nlohmann::json &passes);

private:
    void emitEdited(const std::vector<api::StepRequest> &steps, int current);
    void showParams();
    int currentRow() const;

    Document &m_document;
    PassModel *m_model;
    QTreeView *m_view;
    QWidget *m_tools;
    QLabel *m_problem; ///< what is wrong with the order
    QMenu *m_menu;
    ParamEditor *m_params;
    bool m_isReadOnly = true;
};

} // namespace ql

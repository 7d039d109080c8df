#pragma once

#include "core/api/plugins.h"
#include "views/bridge/engine_client.h"

#include <QDialog>
#include <QVector>

class QLabel;
class QPushButton;
class QTableWidget;

namespace ql {

class Document;

/// The plug-ins of the engine, and the plug-ins and programs that the recipe names: none of them runs before the user
/// allows it here, which the engine remembers for this content of the file. Plug-ins can be added to the recipe,
/// removed, and located if they are missing; each is an undoable edit.
class PluginsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PluginsDialog(Document &document, QWidget *parent = nullptr);
    QTableWidget *plugins() const { return m_plugins; }
    QTableWidget *programs() const { return m_programs; }
    void addPlugin(const QString &path);
    /// The missing plug-in of the recipe at a row is in another file.
    void locate(int row, const QString &path);

Q_SIGNALS:
    void allowed(); ///< all programs of the recipe

private:
    void request();
    void onFinished(RequestId id, const EngineAnswer &answer);
    void onFailed(RequestId id, const EngineError &error);
    void showPlugins(const api::PluginList &list);
    void showPrograms();
    void allowAll();
    void remove();
    void refreshButtons();
    QString choosePlugin(const QString &title);
    /// The recipe's name of the plug-in at a row; empty: another program.
    QString pluginAt(int row) const;
    bool isMissing(int row) const;

    Document &m_document;
    EngineClient &m_engine;
    QTableWidget *m_plugins, *m_programs;
    QLabel *m_status;
    QPushButton *m_allow, *m_add, *m_locate, *m_remove;
    api::ProgramList m_listed;
    RequestId m_pluginsId = 0, m_programsId = 0;
    QVector<RequestId> m_allowIds; ///< not answered yet
};

} // namespace ql

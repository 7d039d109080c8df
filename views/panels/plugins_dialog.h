#pragma once

#include "core/api/plugins.h"
#include "views/bridge/engine_client.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QTableWidget;

namespace ql {

class Document;

/// The plug-ins of the engine, and the programs that the recipe starts: none of them runs before the user allows it
/// here, which the engine remembers for this content of the file.
class PluginsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PluginsDialog(Document &document, QWidget *parent = nullptr);

Q_SIGNALS:
    void allowed(); ///< all programs of the recipe

private:
    void request();
    void onFinished(RequestId id, const EngineAnswer &answer);
    void onFailed(RequestId id, const EngineError &error);
    void showPlugins(const api::PluginList &list);
    void showPrograms();
    void allowAll();

    Document &m_document;
    EngineClient &m_engine;
    QTableWidget *m_plugins, *m_programs;
    QLabel *m_status;
    QPushButton *m_allow;
    api::ProgramList m_listed;
    RequestId m_pluginsId = 0, m_programsId = 0;
    QVector<RequestId> m_allowIds; ///< not answered yet
};

} // namespace ql

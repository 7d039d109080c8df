#include "views/panels/plugins_dialog.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/style/plain_table.h"
#include "views/style/screen.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace ql {

static QLabel *heading(const QString &text)
{
    auto *label = new QLabel(text);
    label->setProperty("heading", true);
    return label;
}

static void addRow(QTableWidget &table, const QStringList &texts)
{
    const int row = table.rowCount();
    table.insertRow(row);
    for (int column = 0; column < texts.size(); ++column) {
        auto *item = new QTableWidgetItem(texts[column]);
        item->setToolTip(texts[column]);
        table.setItem(row, column, item);
    }
    table.resizeRowsToContents();
}

PluginsDialog::PluginsDialog(Document &document, QWidget *parent)
    : QDialog(parent), m_document(document), m_engine(document.requests().engine()),
      m_plugins(plainTable({tr("Plug-in"), tr("Registers"), tr("File")}, tr("Loaded plug-ins"))),
      m_programs(plainTable({tr("File"), tr("Starts"), tr("State")}, tr("Programs of the recipe"))),
      m_status(new QLabel), m_allow(new QPushButton(tr("Allow")))
{
    setWindowTitle(tr("Plug-ins and programs"));
    resizeOnScreen(*this, {760, 460});
    auto *about =
        new QLabel(tr("A recipe can name plug-ins, and programs that provide samples. They can do anything that "
                      "you can do. None of them is started before you allow it here; if its file changes, it "
                      "must be allowed again."));
    about->setWordWrap(true);
    about->setProperty("dim", true);
    m_programs->setObjectName(QStringLiteral("programs"));
    m_plugins->setObjectName(QStringLiteral("plugins"));
    m_allow->setObjectName(QStringLiteral("allow"));
    m_allow->setAutoDefault(false);
    m_allow->setEnabled(false);
    m_status->setWordWrap(true);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_allow, QDialogButtonBox::ActionRole);
    auto *box = new QVBoxLayout(this);
    box->addWidget(heading(tr("Programs of this recipe")));
    box->addWidget(about);
    box->addWidget(m_programs, 1);
    box->addWidget(heading(tr("Loaded plug-ins")));
    box->addWidget(m_plugins, 1);
    box->addWidget(m_status);
    box->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_allow, &QPushButton::clicked, this, &PluginsDialog::allowAll);
    connect(&m_engine, &EngineClient::finished, this, &PluginsDialog::onFinished);
    connect(&m_engine, &EngineClient::failed, this, &PluginsDialog::onFailed);
    request();
}

void PluginsDialog::request()
{
    m_pluginsId = m_engine.request(api::method::plugins, {});
    m_programsId = m_engine.request(api::method::programs, m_document.requests().about<api::ProgramsRequest>());
}

void PluginsDialog::onFinished(RequestId id, const EngineAnswer &answer)
{
    if (id == m_pluginsId) {
        showPlugins(*answer.as(api::method::plugins));
    } else if (id == m_programsId) {
        m_listed = *answer.as(api::method::programs);
        showPrograms();
    } else if (m_allowIds.removeOne(id) && m_allowIds.isEmpty()) {
        Q_EMIT allowed();
        request(); // after the inspection, which loads them
    }
}

void PluginsDialog::onFailed(RequestId id, const EngineError &error)
{
    if (id != m_pluginsId && id != m_programsId && !m_allowIds.removeOne(id)) return;
    m_status->setText(engineText(error.message));
    m_allowIds.clear();
    if (id != m_programsId) request();
}

void PluginsDialog::showPlugins(const api::PluginList &list)
{
    m_plugins->setRowCount(0);
    for (const api::PluginItem &item : list.plugins) {
        QStringList ids;
        for (const auto &[kind, name] : item.registrations) ids.append(QString::fromStdString(kind + " " + name));
        addRow(*m_plugins, {QString::fromStdString(item.name + " " + item.version), ids.join(QStringLiteral(", ")),
                            QString::fromStdString(item.file)});
    }
    QStringList problems;
    for (const api::Problem &problem : list.problems) problems.append(engineText(problem.message));
    if (!problems.isEmpty()) m_status->setText(problems.join(QLatin1Char('\n')));
}

void PluginsDialog::showPrograms()
{
    m_programs->setRowCount(0);
    for (const api::ProgramItem &item : m_listed.programs)
        addRow(*m_programs, {QString::fromStdString(item.file), engineText(item.what),
                             item.allowed ? tr("allowed") : tr("not allowed")});
    m_allow->setEnabled(std::any_of(m_listed.programs.begin(), m_listed.programs.end(),
                                    [](const api::ProgramItem &item) { return !item.allowed; }));
}

void PluginsDialog::allowAll()
{
    m_allow->setEnabled(false);
    m_status->clear();
    for (const api::ProgramItem &item : m_listed.programs)
        if (!item.allowed) m_allowIds.append(m_engine.request(api::method::allow, {item.file, item.key}));
}

} // namespace ql

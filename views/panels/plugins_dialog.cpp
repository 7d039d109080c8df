#include "views/panels/plugins_dialog.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/commands/recipe_command.h"
#include "views/style/labels.h"
#include "views/style/plain_table.h"
#include "views/style/screen.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace ql {

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

enum ProgramRole { PluginRole = Qt::UserRole, MissingRole };

static QPushButton *dialogButton(const QString &text, const QString &name)
{
    auto *button = new QPushButton(text);
    button->setObjectName(name);
    button->setAutoDefault(false);
    button->setEnabled(false);
    return button;
}

PluginsDialog::PluginsDialog(Document &document, QWidget *parent)
    : QDialog(parent), m_document(document), m_engine(document.requests().engine()),
      m_plugins(plainTable({tr("Plug-in"), tr("Registers"), tr("File")}, tr("Loaded plug-ins"))),
      m_programs(plainTable({tr("File"), tr("Starts"), tr("State")}, tr("Plug-ins and programs of the recipe"))),
      m_status(new QLabel), m_allow(dialogButton(tr("Allow"), QStringLiteral("allow"))),
      m_add(dialogButton(tr("Add plug-in…"), QStringLiteral("addPlugin"))),
      m_locate(dialogButton(tr("Locate…"), QStringLiteral("locatePlugin"))),
      m_remove(dialogButton(tr("Remove"), QStringLiteral("removePlugin")))
{
    setWindowTitle(tr("Plug-ins and programs"));
    resizeOnScreen(*this, {820, 520});
    auto *about = new QLabel(
        tr("A recipe can name plug-ins, and programs that provide samples. They can do anything that "
           "you can do. None is started until you allow it here; if its file changes, you must allow it again."));
    about->setWordWrap(true);
    about->setProperty("dim", true);
    m_programs->setObjectName(QStringLiteral("programs"));
    m_programs->setSelectionMode(QAbstractItemView::SingleSelection);
    m_plugins->setObjectName(QStringLiteral("plugins"));
    for (QTableWidget *table : {m_programs, m_plugins})
        table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_locate->setToolTip(tr("Chooses the file of a plug-in that is missing."));
    m_remove->setToolTip(tr("Removes the selected plug-in from the recipe."));
    m_status->setWordWrap(true);
    auto *ofRecipe = new QHBoxLayout;
    for (QPushButton *button : {m_add, m_locate, m_remove}) ofRecipe->addWidget(button);
    ofRecipe->addStretch();
    ofRecipe->addWidget(m_allow);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *box = new QVBoxLayout(this);
    box->addWidget(headingLabel(tr("Plug-ins and programs of this recipe")));
    box->addWidget(about);
    box->addWidget(m_programs, 1);
    box->addLayout(ofRecipe);
    box->addWidget(headingLabel(tr("Loaded plug-ins")));
    box->addWidget(m_plugins, 1);
    box->addWidget(m_status);
    box->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_allow, &QPushButton::clicked, this, &PluginsDialog::allowAll);
    connect(m_add, &QPushButton::clicked, this, [this] { addPlugin(choosePlugin(tr("Add plug-in"))); });
    connect(m_locate, &QPushButton::clicked, this, [this] {
        const int row = m_programs->currentRow();
        if (isMissing(row)) locate(row, choosePlugin(tr("Locate %1").arg(pluginAt(row))));
    });
    connect(m_remove, &QPushButton::clicked, this, &PluginsDialog::remove);
    connect(m_programs, &QTableWidget::itemSelectionChanged, this, &PluginsDialog::refreshButtons);
    connect(&m_engine, &EngineClient::finished, this, &PluginsDialog::onFinished);
    connect(&m_engine, &EngineClient::failed, this, &PluginsDialog::onFailed);
    connect(&m_document, &Document::recipeChanged, this, &PluginsDialog::request);
    refreshButtons();
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
    const bool isList = id == m_pluginsId || id == m_programsId;
    if (!isList && !m_allowIds.removeOne(id)) return;
    m_status->setText(engineText(error.message));
    m_allowIds.clear();
    if (isList)
        refreshButtons(); // asked again, it would fail again
    else
        request();
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
    const auto add = [this](const QString &file, const QString &what, const QString &state, const QString &plugin,
                            bool missing) {
        addRow(*m_programs, {file, what, state});
        QTableWidgetItem *item = m_programs->item(m_programs->rowCount() - 1, 0);
        item->setData(PluginRole, plugin);
        item->setData(MissingRole, missing);
    };
    QStringList plugins;
    for (const std::string &name : m_document.recipe().plugins) plugins.append(QString::fromStdString(name));
    for (const api::ProgramItem &item : m_listed.programs) {
        const QString file = QString::fromStdString(item.file);
        const auto named = std::find_if(plugins.begin(), plugins.end(), [&](const QString &name) {
            return m_document.absolutePath(name.toStdString()) == QDir::cleanPath(file);
        });
        add(file, engineText(item.what), item.allowed ? tr("allowed") : tr("not allowed"),
            named == plugins.end() ? QString() : *named, false);
        if (named != plugins.end()) plugins.erase(named);
    }
    for (const QString &name : std::as_const(plugins))
        add(m_document.absolutePath(name.toStdString()), tr("it is a plug-in"), tr("missing"), name, true);
    for (int row = 0; row < m_programs->rowCount(); ++row)
        if (isMissing(row)) m_programs->selectRow(row);
    refreshButtons();
}

void PluginsDialog::refreshButtons()
{
    const int row = m_programs->selectedItems().isEmpty() ? -1 : m_programs->currentRow();
    m_add->setEnabled(!m_document.isEmpty());
    m_locate->setEnabled(isMissing(row));
    m_remove->setEnabled(!pluginAt(row).isEmpty());
    const auto forbidden = std::count_if(m_listed.programs.begin(), m_listed.programs.end(),
                                         [](const api::ProgramItem &item) { return !item.allowed; });
    m_allow->setText(forbidden > 1 ? tr("Allow all") : tr("Allow"));
    m_allow->setEnabled(m_allowIds.isEmpty() && forbidden > 0);
}

QString PluginsDialog::pluginAt(int row) const
{
    const QTableWidgetItem *item = row < 0 ? nullptr : m_programs->item(row, 0);
    return item ? item->data(PluginRole).toString() : QString();
}

bool PluginsDialog::isMissing(int row) const
{
    const QTableWidgetItem *item = row < 0 ? nullptr : m_programs->item(row, 0);
    return item && item->data(MissingRole).toBool();
}

/// On the machine of the engine.
QString PluginsDialog::choosePlugin(const QString &title)
{
    if (m_engine.isRemote()) return QInputDialog::getText(this, title, tr("Path on the engine's machine")).trimmed();
    return QFileDialog::getOpenFileName(this, title, m_document.folder(), tr("Plug-ins (*.so);;All files (*)"));
}

void PluginsDialog::addPlugin(const QString &path)
{
    const std::string name = m_document.recipePath(path).toStdString();
    const std::vector<std::string> &known = m_document.recipe().plugins;
    if (path.isEmpty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    editRecipe(m_document, tr("Add plug-in %1").arg(QFileInfo(path).fileName()),
               [&](api::Recipe &recipe) { recipe.plugins.push_back(name); });
}

void PluginsDialog::locate(int row, const QString &path)
{
    const std::string name = pluginAt(row).toStdString();
    if (path.isEmpty() || name.empty()) return;
    editRecipe(m_document, tr("Locate plug-in %1").arg(QFileInfo(path).fileName()), [&](api::Recipe &recipe) {
        std::replace(recipe.plugins.begin(), recipe.plugins.end(), name, m_document.recipePath(path).toStdString());
    });
}

void PluginsDialog::remove()
{
    const std::string name = pluginAt(m_programs->currentRow()).toStdString();
    if (name.empty()) return;
    editRecipe(m_document, tr("Remove plug-in %1").arg(QFileInfo(QString::fromStdString(name)).fileName()),
               [&](api::Recipe &recipe) { std::erase(recipe.plugins, name); });
}

void PluginsDialog::allowAll()
{
    m_allow->setEnabled(false);
    m_status->clear();
    for (const api::ProgramItem &item : m_listed.programs)
        if (!item.allowed) m_allowIds.append(m_engine.request(api::method::allow, {item.file, item.key}));
}

} // namespace ql

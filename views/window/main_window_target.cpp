// Choices that change what is quantized, and for what: presets, parameters of the platform, cut points.
#include "core/api/preset.h"
#include "core/base/error.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/platform_item.h"
#include "views/commands/recipe_command.h"
#include "views/panels/param_editor.h"
#include "views/window/main_window.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace ql {

using nlohmann::json;

/// Lets the user edit values. @returns false if they cancelled
static bool askForParams(QWidget *parent, const QString &title, const std::vector<api::ParamSpec> &specs, json &values)
{
    QDialog dialog(parent);
    dialog.setWindowTitle(title);
    auto *layout = new QVBoxLayout(&dialog);
    auto *editor = new ParamEditor;
    editor->setHasHints(true);
    editor->setParams(specs, values);
    layout->addWidget(editor);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    layout->addWidget(buttons);
    constexpr int width = 560; // hints in few lines, and room for the title
    dialog.resize(width, dialog.sizeHint().height());
    QObject::connect(editor, &ParamEditor::edited, &dialog,
                     [&values](const QString &name, const json &value) { values[name.toStdString()] = value; });
    return dialog.exec() == QDialog::Accepted;
}

void MainWindow::choosePlatformParams()
{
    const std::optional<api::PlatformItem> item = platformItem(*m_document);
    if (!item) return;
    json values = api::defaultParams(item->params);
    values.update(m_document->recipe().platformParams);
    const QString id = QString::fromStdString(item->id);
    if (!askForParams(this, tr("Parameters of %1").arg(id), item->params, values)) return;
    editRecipe(*m_document, tr("Parameters of %1").arg(id),
               [&](api::Recipe &recipe) { recipe.platformParams = values; });
}

void MainWindow::choosePreset(const std::string &id)
{
    const api::Catalogue &known = m_document->requests().known();
    const api::Preset *preset = api::findItem(known.recipePresets, id);
    const std::optional<api::PlatformItem> platform = platformItem(*m_document);
    if (!preset || !platform) return;
    const QString title = engineText(preset->title);
    json values = api::defaultParams(preset->params);
    if (!preset->params.empty() && !askForParams(this, tr("Preset %1").arg(title), preset->params, values)) return;
    try {
        std::vector<api::Problem> problems;
        editRecipe(*m_document, tr("Preset %1").arg(title), [&](api::Recipe &recipe) {
            recipe.passes.reset();
            problems = api::applyPreset(recipe, *preset, values, known.passes, platform->definition.passes);
        });
        for (const api::Problem &problem : problems) Q_EMIT m_document->note(engineText(problem.message));
    } catch (const Error &error) {
        Q_EMIT m_document->note(exceptionText(error));
    }
}

void MainWindow::addTargetActions(QMenu &menu)
{
    QMenu *presets = menu.addMenu(tr("Preset"));
    presets->setToolTipsVisible(true);
    for (const api::Preset &preset : m_document->requests().known().recipePresets) {
        QAction *action =
            presets->addAction(engineText(preset.title), this, [this, id = preset.id] { choosePreset(id); });
        action->setToolTip(engineText(preset.meaning));
    }
    QAction *params = menu.addAction(tr("Parameters…"), this, &MainWindow::choosePlatformParams);
    const auto refresh = [this, params] {
        const std::optional<api::PlatformItem> item = platformItem(*m_document);
        params->setEnabled(item && !item->params.empty());
    };
    connect(m_document, &Document::recipeChanged, params, refresh);
    refresh();
}

void MainWindow::makeCutMenu(QMenu *edit)
{
    QMenu *menu = edit->addMenu(tr("&Cut the model"));
    m_ofDocument += addAction(menu, tr("Start at the selected operations"), [this] { cutAtSelection(true); });
    m_ofDocument += addAction(menu, tr("End at the selected operations"), [this] { cutAtSelection(false); });
    m_ofDocument += addAction(menu, tr("End before unsupported operations"), [this] {
        editRecipe(*m_document, tr("End before unsupported operations"),
                   [](api::Recipe &recipe) { recipe.cut.beforeUnsupported = true; });
    });
    m_ofDocument += addAction(menu, tr("Use the whole model"), [this] {
        editRecipe(*m_document, tr("Use the whole model"), [](api::Recipe &recipe) { recipe.cut = {}; });
    });
}

void MainWindow::cutAtSelection(bool start)
{
    const auto graph = m_document->graph();
    if (!graph) return;
    std::vector<std::string> names;
    for (const QString &operation : m_document->selection()) {
        const int at = graph->find(operation);
        if (at < 0 || graph->operations[at].body >= 0) continue; // bodies run with their operation
        for (const int id : start ? graph->operations[at].inputs : graph->operations[at].outputs) {
            if (id < 0 || graph->tensors[id].isParameter) continue;
            const std::string name = graph->tensors[id].name.toStdString();
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    if (names.empty()) return;
    const QString text = start ? tr("Start at the selected operations") : tr("End at the selected operations");
    editRecipe(*m_document, text,
               [&](api::Recipe &recipe) { (start ? recipe.cut.inputs : recipe.cut.outputs) = names; });
}

} // namespace ql

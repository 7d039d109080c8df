// Images and tables of a window as files.
#include "views/models/list_models.h"
#include "views/models/pass_model.h"
#include "views/panels/compare_dialog.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/origin_panel.h"
#include "views/panels/pipeline_panel.h"
#include "views/panels/problems_panel.h"
#include "views/panels/side_panels.h"
#include "views/panels/table_export.h"
#include "views/panels/training_panel.h"
#include "views/panels/tune_panel.h"
#include "views/panels/verify_panel.h"
#include "views/plots/error_plot.h"
#include "views/plots/heat_map.h"
#include "views/plots/pareto_plot.h"
#include "views/plots/training_plot.h"
#include "views/style/file_writer.h"
#include "views/window/center_view.h"
#include "views/window/main_window.h"

#include <QDir>
#include <QFileDialog>
#include <QStatusBar>
#include <QTableView>
#include <QTableWidget>
#include <QTreeView>

namespace ql {

void MainWindow::exportGraph()
{
    if (!m_center->graph()->scene()) return;
    const QString path =
        chooseFile(this, tr("Save the graph"),
                   QDir(m_document->outputFolder()).filePath(m_document->title() + QStringLiteral("_graph.svg")),
                   {tr("Vector image (*.svg)"), tr("PDF (*.pdf)"), tr("Image (*.png)")});
    if (path.isEmpty()) return;
    m_center->savePicture(path); // in the background
}

QVector<FileTask> MainWindow::fileTasks(const QString &folder)
{
    QVector<FileTask> tasks = plotTasks(m_errors->plots(), folder);
    tasks += plotTasks(m_distribution->plots(), folder);
    tasks += plotTasks(m_tune->plot()->plots(), folder);
    tasks += plotTasks(m_training->plot()->plots(), folder);
    tasks += plotTasks(m_origin->map()->plots(), folder);
    tasks += CompareDialog::fileTasks(*m_document, folder);
    tasks += tableTasks(*m_center->model(), QStringLiteral("operations"), folder);
    tasks += tableTasks(*m_problems->view()->model(), QStringLiteral("problems"), folder);
    tasks += tableTasks(*m_pipeline->model(), QStringLiteral("passes"), folder);
    tasks += tableTasks(*m_verify->table()->model(), QStringLiteral("verify"), folder);
    if (m_tune->trialCount() > 0) tasks += tableTasks(*m_tune->table()->model(), QStringLiteral("tune"), folder);
    if (m_training->table()->rowCount() > 0)
        tasks += tableTasks(*m_training->table()->model(), QStringLiteral("training"), folder);
    if (m_center->graph()->scene())
        for (const char *ending : {"png", "svg", "pdf"}) {
            const QString path = QDir(folder).filePath(QStringLiteral("graph.") + QLatin1String(ending));
            tasks.append({path, [this, path] { return m_center->pictureWriter(path); }});
        }
    return tasks;
}

struct MainWindow::FileWork
{
    QVector<FileTask> tasks;
    QStringList files, failed;
    qsizetype next = 0;
};

void MainWindow::saveAllTo(const QString &folder)
{
    const auto work = std::make_shared<FileWork>();
    work->tasks = fileTasks(folder);
    if (work->tasks.isEmpty()) return showMessage(tr("There is nothing to save yet: open a model."));
    writeNext(work, folder);
}

void MainWindow::writeNext(const std::shared_ptr<FileWork> &work, const QString &folder)
{
    const FileTask &task = work->tasks[work->next++];
    statusBar()->showMessage(tr("Writing %1 of %2").arg(work->next).arg(work->tasks.size()));
    // One after the other, from the event loop: the window stays responsive
    writeInBackground(task.prepare(), *this, [this, work, folder, path = task.path](bool good) {
        (good ? work->files : work->failed).append(path);
        if (work->next < work->tasks.size()) return writeNext(work, folder);
        const QString done = tr("Wrote %n file(s) to %1", nullptr, int(work->files.size())).arg(folder);
        m_jobs->addLine(done);
        statusBar()->showMessage(done, 8000);
        if (work->failed.isEmpty() && m_messageEnd == MessageEnd::NextSave) m_messageBar->hide();
        if (!work->failed.isEmpty()) {
            showMessage(tr("%n file(s) could not be written, the first one is %1", nullptr, int(work->failed.size()))
                            .arg(work->failed.front()));
            m_messageEnd = MessageEnd::NextSave;
        }
        Q_EMIT allSaved(work->files);
    });
}

void MainWindow::exportPlots()
{
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder for all plots and tables"), m_document->outputFolder());
    if (!folder.isEmpty()) saveAllTo(folder);
}

} // namespace ql

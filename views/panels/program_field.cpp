#include "views/panels/program_field.h"

#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"
#include "views/bridge/engine_requests.h"
#include "views/style/buttons.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace ql {

QWidget *browseRow(Document &document, QLineEdit &line, const QString &title, const QString &filter)
{
    line.setAccessibleName(title);
    QToolButton *browse = iconButton(QStringLiteral("open"), ProgramField::tr("Browse…"));
    if (document.requests().engine().isRemote()) browse->hide(); // it reads files elsewhere
    auto *whole = new QWidget;
    auto *row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(&line, 1);
    row->addWidget(browse);
    QObject::connect(browse, &QToolButton::clicked, whole, [&document, &line, title, filter] {
        const QString folder = line.text().isEmpty() ? document.outputFolder() : line.text();
        const QString path = QFileDialog::getOpenFileName(line.window(), title, folder, filter);
        if (!path.isEmpty()) line.setText(path);
    });
    return whole;
}

void forgetInOtherFolders(Document &document, QCheckBox &consent)
{
    QObject::connect(&document, &Document::fileChanged, &consent,
                     [&document, &consent, folder = document.folder()]() mutable {
                         if (std::exchange(folder, document.folder()) != document.folder()) consent.setChecked(false);
                     });
}

ProgramField::ProgramField(Document &document, const QString &name, const QString &title, QWidget *parent)
    : QWidget(parent), m_path(new QLineEdit), m_allow(new QCheckBox(tr("Start its program")))
{
    m_path->setObjectName(name + QStringLiteral("Command"));
    m_allow->setObjectName(name + QStringLiteral("Allow"));
    m_allow->setToolTip(tr("The file names a program that is started on the engine's machine. Allow it if you trust "
                           "the file. It is remembered until the file or a script that it names changes."));
    m_allow->setEnabled(false);
    forgetInOtherFolders(document, *m_allow);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(browseRow(document, *m_path, title, tr("JSON (*.json)")));
    box->addWidget(m_allow);
    connect(m_path, &QLineEdit::textChanged, this, [this] {
        m_allow->setChecked(false);
        m_allow->setEnabled(!path().isEmpty());
        Q_EMIT edited();
    });
}

QString ProgramField::path() const
{
    return m_path->text().trimmed();
}

bool ProgramField::takeConsent()
{
    const bool isAllowed = m_allow->isChecked();
    m_allow->setChecked(false);
    return isAllowed;
}

} // namespace ql

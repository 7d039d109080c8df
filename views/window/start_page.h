#pragma once

#include <QWidget>

class QLabel;
class QLayout;
class QVBoxLayout;

namespace ql {

/// The content of an empty window: open, the sample, recent files, three steps.
class StartPage : public QWidget
{
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);
    void setRecentFiles(const QStringList &files);
    void setEngineText(const QString &text);

Q_SIGNALS:
    void openRequested();
    void sampleRequested();
    void fileRequested(const QString &path);

private:
    QLayout *makeButtons();
    QLayout *makeSteps();

    QVBoxLayout *m_recent;
    QLabel *m_engine;
};

} // namespace ql

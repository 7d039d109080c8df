#pragma once

#include "views/bridge/document.h"

#include <QWidget>

class QComboBox;
class QGridLayout;

namespace ql {

/// The fields of one tensor config, who set each of them, and editors for those that may be set. It changes nothing
/// itself: it tells what was asked for. Only legal values are offered; what is typed and is none is refused.
class ConfigForm : public QWidget
{
    Q_OBJECT

public:
    /// catalogue: for the observers that fit and the titles of passes; may be null.
    ConfigForm(ConfigInfo config, JsonPtr catalogue, QWidget *parent = nullptr);

    /// "0.0213", or lowest and highest of the channels.
    static QString numbers(const QVector<double> &values, int digits = 6);

Q_SIGNALS:
    /// values: what an override of the recipe sets (docs/recipe.md); title: the field, for the history of edits.
    void edited(const QString &title, const nlohmann::json &values);
    void refused(const QString &reason);

private:
    void addRow(const QString &label, const QString &field, QWidget *editor, const QString &setBy,
                const QString &explanation);
    void addText(const QString &label, const QString &text, const QString &setBy, const QString &explanation = {});
    void addChoice(const QString &label, const QString &field, const QStringList &texts,
                   const std::vector<nlohmann::json> &values, int current, const QString &setBy,
                   const QString &explanation);
    void addState();
    void addCodes();
    void addGranularity();
    void addRounding();
    void addObserver();
    void addScale();
    void addClipRange();
    double widest(double low, double high) const;
    bool isSymmetric(double low, double high) const;
    QString setBy(const char *field) const;
    QString originText(const QString &origin) const;

    ConfigInfo m_config;
    JsonPtr m_catalogue;
    QGridLayout *m_grid;
};

} // namespace ql

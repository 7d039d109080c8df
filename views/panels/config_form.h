#pragma once

#include "views/bridge/engine_requests.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLineEdit;

namespace ql {

/// The fields of one tensor config with their origins, and editors for those that may be set. It changes nothing
/// itself: it emits requests. Only legal values are offered; illegal input is refused.
class ConfigForm : public QWidget
{
    Q_OBJECT

public:
    static constexpr int labelWidth = 74, labelGap = 6; ///< of the column of names, and next to it

    /// values: of the tensor, if it is a small parameter. catalogue: for the observers that fit and the titles of
    /// passes; may be null.
    ConfigForm(ConfigInfo config, const QVector<double> &values, CataloguePtr catalogue, QWidget *parent = nullptr);

    /// A line contains text that was not confirmed yet.
    bool isTyping() const;

    /// "0.0213", or lowest and highest of the channels.
    static QString numbers(const QVector<double> &values, int digits = 6);

Q_SIGNALS:
    /// values: what an override of the recipe sets; title: the field, for the history of edits.
    void edited(const QString &title, const ql::api::RuleSet &values);
    /// The user's values of these fields of an override are to be removed. origin: their origin, as named by the
    /// engine.
    void resetRequested(const QString &title, const std::vector<ql::api::RuleField> &fields, const Origin &origin);
    void refused(const QString &reason);

private:
    void addRow(const QString &label, const QString &field, QWidget *editor, const Origin &setBy,
                const QString &explanation);
    QWidget *originOf(const QString &label, const QString &field, const Origin &setBy);
    void addText(const QString &label, const QString &text, const Origin &setBy, const QString &explanation = {});
    void addChoice(const QString &label, const QString &field, const QStringList &texts,
                   const std::vector<api::RuleSet> &values, int current, const Origin &setBy,
                   const QString &explanation);
    /// Shows the reason, and the effective value again.
    void refuse(QLineEdit *line, const QString &reason);
    void addState();
    void addFormat();
    void addCodes();
    void addSymmetry();
    void addPowerOfTwo();
    void addGranularity();
    void addRounding();
    void addObserver();
    void addPercentile();
    void addScale();
    void addClipRange();
    void addDynamic();
    void addVisibility();
    /// The further setting that values require: another observer, if the current one does not support them.
    void addServing(api::RuleSet &values, const api::ObserverDemand &demand) const;
    /// text, extended by the observer if values change it, too.
    static QString withObserver(const QString &text, const api::RuleSet &values);
    bool ownsScale() const; ///< it is rounded by this slot, not by another one
    double widest(double low, double high) const;
    bool isSymmetric(double low, double high) const;
    Origin setBy(const char *field) const;
    bool isSetByUser(const char *field) const;
    QString originText(const Origin &origin) const;
    static QString originDetails(const Origin &origin);

    ConfigInfo m_config;
    CataloguePtr m_catalogue;
    QGridLayout *m_grid;
};

} // namespace ql

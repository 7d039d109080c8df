#pragma once

#include "views/bridge/engine_requests.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLineEdit;

namespace ql {

/// The fields of one tensor config, who set each of them, and editors for those that may be set. It changes nothing
/// itself: it tells what was asked for. Only legal values are offered; what is typed and is none is refused.
class ConfigForm : public QWidget
{
    Q_OBJECT

public:
    static constexpr int labelWidth = 74, labelGap = 6; ///< of the column of names, and beside it

    /// values: of the tensor, where it is a parameter with few. catalogue: for the observers that fit and the titles of
    /// passes; may be null.
    ConfigForm(ConfigInfo config, const QVector<double> &values, CataloguePtr catalogue, QWidget *parent = nullptr);

    /// Something is being typed into a line and was not taken yet.
    bool isTyping() const;

    /// "0.0213", or lowest and highest of the channels.
    static QString numbers(const QVector<double> &values, int digits = 6);

Q_SIGNALS:
    /// values: what an override of the recipe sets; title: the field, for the history of edits.
    void edited(const QString &title, const ql::api::RuleSet &values);
    /// The user's values of these fields of an override are to go. origin: what set them, as the engine names it.
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
    /// Tells the reason, and shows what holds again.
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
    /// What goes with values that ask this of the observer: another one, where the present one cannot do it.
    void addServing(api::RuleSet &values, const api::ObserverDemand &demand) const;
    /// text, and with it the observer that values change, too.
    static QString withObserver(const QString &text, const api::RuleSet &values);
    bool ownsScale() const; ///< it rounds by it, and not another slot in its place
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

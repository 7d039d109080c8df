#pragma once

#include "core/api/params.h"

#include <QWidget>
#include <nlohmann/json.hpp>
#include <vector>

class QFormLayout;

namespace ql {

/// Editors for the parameters of a catalogue item, created from their schema: type, range, unit, default, meaning. They
/// offer only legal values.
class ParamEditor : public QWidget
{
    Q_OBJECT

public:
    explicit ParamEditor(QWidget *parent = nullptr);
    /// @param specs of a catalogue entry
    void setParams(const std::vector<api::ParamSpec> &specs, const nlohmann::json &values);
    /// Shows the meaning of each parameter next to it, too; before setParams().
    void setHasHints(bool on) { m_hasHints = on; }
    const nlohmann::json &values() const { return m_values; }
    QFormLayout *form() const { return m_form; } ///< null before the first setParams()

Q_SIGNALS:
    void edited(const QString &name, const nlohmann::json &value);

private:
    QWidget *makeEditor(const api::ParamSpec &spec, const nlohmann::json &value);
    QWidget *makeSwitch(const std::string &name, const nlohmann::json &value);
    QWidget *makeChoice(const api::ParamSpec &spec, const nlohmann::json &value);
    QWidget *makeNumber(const api::ParamSpec &spec, const nlohmann::json &value);
    QWidget *makeLine(const api::ParamSpec &spec, const nlohmann::json &value);
    void addRow(const api::ParamSpec &spec);
    void report(const std::string &name, const nlohmann::json &value);

    std::vector<api::ParamSpec> m_specs;
    nlohmann::json m_values;
    QFormLayout *m_form = nullptr;
    bool m_hasHints = false;
};

} // namespace ql

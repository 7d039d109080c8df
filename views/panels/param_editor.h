#pragma once

#include <QWidget>
#include <nlohmann/json.hpp>

class QFormLayout;

namespace ql {

/// Editors for the parameters of a catalogue item, created from their schema: type, range, unit, default, meaning. They
/// offer only legal values.
class ParamEditor : public QWidget
{
    Q_OBJECT

public:
    explicit ParamEditor(QWidget *parent = nullptr);
    /// @param specs the "params" of a catalogue entry
    void setParams(const nlohmann::json &specs, const nlohmann::json &values);
    const nlohmann::json &values() const { return m_values; }

Q_SIGNALS:
    void edited(const QString &name, const nlohmann::json &value);

private:
    QWidget *makeEditor(const nlohmann::json &spec, const nlohmann::json &value);
    QWidget *makeSwitch(const std::string &name, const nlohmann::json &value);
    QWidget *makeChoice(const nlohmann::json &spec, const nlohmann::json &value);
    QWidget *makeNumber(const nlohmann::json &spec, const nlohmann::json &value);
    QWidget *makeLine(const nlohmann::json &spec, const nlohmann::json &value);
    void report(const std::string &name, const nlohmann::json &value);

    nlohmann::json m_specs, m_values;
    QFormLayout *m_form = nullptr;
};

} // namespace ql

#pragma once

#include "core/api/tune.h"
#include "core/quant/quant_plan.h"

#include <filesystem>
#include <map>
#include <string>

namespace ql {

/// Times of operations on the user's target, in any unit: {"operations": {"conv1": 0.4}, "types": {"Conv": {"int8":
/// 0.2, "float": 0.7}, "Relu": 0}}. A number holds for both; an operation's own entry precedes that of its type; what
/// is not named takes no time.
class CostTable
{
public:
    CostTable() = default; ///< empty
    /// @throws Error (BadData, Io)
    explicit CostTable(const std::filesystem::path &file);

    bool isEmpty() const { return m_operations.empty() && m_types.empty(); }
    /// Of all operations. @throws Error (BadConfig) if it names none of them
    double timeOf(const QuantModel &model) const;

private:
    struct Time
    {
        double int8 = 0, inFloat = 0;
    };
    static std::map<std::string, Time> timesIn(const nlohmann::json &object);

    std::map<std::string, Time> m_operations, m_types;
};

} // namespace ql

#include "core/tune/cost_table.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <cmath>

namespace ql {

using nlohmann::json;

std::map<std::string, CostTable::Time> CostTable::timesIn(const json &object)
{
    std::map<std::string, Time> times;
    for (const auto &[name, value] : object.items()) {
        const Time time = value.is_number() ? Time{value.get<double>(), value.get<double>()}
                                            : Time{value.at("int8").get<double>(), value.at("float").get<double>()};
        if (!(time.int8 >= 0 && time.inFloat >= 0))
            throw Error(ErrorKind::BadData, QL_TEXT("the time of '%1' is negative").with(name));
        times[name] = time;
    }
    return times;
}

CostTable::CostTable(const std::filesystem::path &file)
{
    try {
        const json document = json::parse(readFile(file));
        for (const auto &[key, value] : document.items())
            if (key != "operations" && key != "types")
                throw Error(ErrorKind::BadData, QL_TEXT("unknown key '%1'").with(key))
                    .withRemedy(QL_TEXT("A table has operations and types."));
        m_operations = timesIn(document.value("operations", json::object()));
        m_types = timesIn(document.value("types", json::object()));
    } catch (const json::exception &error) {
        throw Error(ErrorKind::BadData, QL_TEXT("not a table of times: %1").with(error.what()))
            .inFile(file.string())
            .withRemedy(QL_TEXT("Write it like %1.").with(R"({"types": {"Conv": {"int8": 0.2, "float": 0.7}}})"));
    } catch (Error &error) {
        throw error.inFile(file.string());
    }
}

double CostTable::timeOf(const QuantModel &model) const
{
    double sum = 0;
    bool isNamed = false;
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        const auto own = m_operations.find(op.name), ofType = m_types.find(op.type);
        if (own == m_operations.end() && ofType == m_types.end()) continue;
        isNamed = true;
        const Time &time = own != m_operations.end() ? own->second : ofType->second;
        sum += model.isQuantized(id) ? time.int8 : time.inFloat;
    }
    if (!isNamed)
        throw Error(ErrorKind::BadConfig, QL_TEXT("the table of times names no operation and no type of this model"));
    return sum;
}

} // namespace ql

#include "core/api/report_writer.h"

#include "core/api/run_report_fields.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

namespace ql::api {

namespace {

/// Each line after the first is indented by depth; strings hold no line breaks.
void writeIndented(std::ostream &out, const nlohmann::json &value, std::size_t depth)
{
    const std::string text = value.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
    const std::string indent(depth, ' ');
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        if (begin > 0) out << indent;
        out.write(text.data() + begin, std::streamsize(end - begin));
        begin = end;
    }
}

template <class T>
void writeMember(std::ostream &out, const T &value)
{
    writeIndented(out, writtenValue(value), 1);
}

template <class Row>
void writeMember(std::ostream &out, const std::vector<Row> &rows)
{
    if (rows.empty()) {
        out << "[]";
        return;
    }
    const char *before = "[\n  ";
    for (const Row &row : rows) {
        out << std::exchange(before, ",\n  ");
        writeIndented(out, writtenValue(row), 2);
    }
    out << "\n ]";
}

/// A codec for fields() that writes the members in the order of their keys, as a JSON object has them.
class RowWriter
{
public:
    template <class T>
    void member(const char *key, const T &value)
    {
        m_members[key] = [&value](std::ostream &out) { writeMember(out, value); };
    }
    /// A temporary is kept.
    template <class T>
    requires(!std::is_lvalue_reference_v<T>) void member(const char *key, T &&value)
    {
        m_members[key] = [kept = std::make_shared<std::decay_t<T>>(std::forward<T>(value))](std::ostream &out) {
            writeMember(out, *kept);
        };
    }
    template <class T>
    void part(const char *key, const std::optional<T> &value)
    {
        if (value) member(key, *value);
    }
    void constant(const char *key, const char *value) { member(key, std::string(value)); }

    void writeTo(std::ostream &out) const
    {
        const char *before = "{\n ";
        for (const auto &[key, write] : m_members) {
            out << std::exchange(before, ",\n ") << '"' << key << "\": ";
            write(out);
        }
        out << "\n}";
    }

private:
    std::map<std::string, std::function<void(std::ostream &)>> m_members;
};

} // namespace

void writeReport(std::ostream &out, const Report &report)
{
    RowWriter writer;
    fields(writer, report);
    writer.writeTo(out);
}

} // namespace ql::api

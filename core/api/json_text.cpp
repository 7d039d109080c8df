#include "core/api/json_text.h"

#include "core/api/json_builder.h"
#include "core/api/json_pointer.h"
#include "core/base/error.h"
#include "core/base/strings.h"

#include <cmath>
#include <iterator>

namespace ql::api {

using nlohmann::json;

namespace {

constexpr std::size_t maxTextLevels = 200; // included in the message

/// Shared by the copies of a Cursor: how far the parser has read.
struct Position
{
    const char *counted;
    int line = 1;

    /// Line of the character that was read last. A number ends one character late; if that is a line feed, it does not
    /// count, because only line feeds before the last character do.
    void advance(const char *last)
    {
        for (; counted < last; ++counted)
            if (*counted == '\n') ++line;
    }
};

/// Iterator that reports to Position what was read.
struct Cursor
{
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = char;

    const char *at;
    Position *position;

    char operator*() const
    {
        position->advance(at);
        return *at;
    }
    Cursor &operator++()
    {
        ++at;
        return *this;
    }
    Cursor operator++(int)
    {
        Cursor old = *this;
        ++at;
        return old;
    }
    friend bool operator==(const Cursor &a, const Cursor &b) { return a.at == b.at; }
};

/// Builds the value, and records the positions of its parts in the text.
class LineRecorder : public JsonBuilder
{
public:
    LineRecorder(const Position &position, std::map<std::string, int> &lines, const std::string &file)
        : JsonBuilder(maxTextLevels), m_position(position), m_lines(lines), m_file(file)
    {}

    bool null() override { return place(), JsonBuilder::null(); }
    bool boolean(bool value) override { return place(), JsonBuilder::boolean(value); }
    bool number_integer(number_integer_t value) override { return place(), JsonBuilder::number_integer(value); }
    bool number_unsigned(number_unsigned_t value) override { return place(), JsonBuilder::number_unsigned(value); }
    bool number_float(number_float_t value, const string_t &text) override
    {
        return place(), JsonBuilder::number_float(value, text);
    }
    bool string(string_t &value) override { return place(), JsonBuilder::string(value); }
    bool start_object(std::size_t size) override { return enter(false), JsonBuilder::start_object(size); }
    bool start_array(std::size_t size) override { return enter(true), JsonBuilder::start_array(size); }
    bool end_object() override { return m_stack.pop_back(), JsonBuilder::end_object(); }
    bool end_array() override { return m_stack.pop_back(), JsonBuilder::end_array(); }
    bool key(string_t &name) override
    {
        m_stack.back().next = pointerTo(m_stack.back().pointer, name);
        const auto [it, isNew] = m_lines.emplace(m_stack.back().next, m_position.line);
        if (!isNew)
            throw Error(
                ErrorKind::BadConfig,
                QL_TEXT("line %1: duplicate key '%2', first used in line %3").with(m_position.line, name, it->second))
                .inFile(m_file)
                .withRemedy(QL_TEXT("Remove one of them."));
        return JsonBuilder::key(name);
    }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &e) override
    {
        // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error ..."
        std::string_view text = e.what();
        if (const auto at = text.find(" at line "); at != std::string_view::npos)
            text.remove_prefix(at + 4);
        else if (const auto end = text.find("] "); end != std::string_view::npos)
            text.remove_prefix(end + 2);
        throw Error(ErrorKind::BadConfig, text)
            .inFile(m_file)
            .withRemedy(QL_TEXT("The file must be JSON: check commas, quotes and brackets near that line."));
    }

private:
    struct Level
    {
        std::string pointer;
        bool isArray;
        std::size_t index = 0;
        std::string next; ///< pointer of the member whose key was read
    };
    std::string place()
    {
        if (m_stack.empty()) return {};
        Level &level = m_stack.back();
        if (!level.isArray) return level.next;
        const std::string pointer = level.pointer + "/" + std::to_string(level.index++);
        m_lines.emplace(pointer, m_position.line);
        return pointer;
    }
    void enter(bool isArray)
    {
        if (m_stack.size() == maxTextLevels)
            throw Error(ErrorKind::BadConfig, QL_TEXT("line %1: more than 200 nested levels").with(m_position.line))
                .inFile(m_file);
        std::string pointer = place();
        if (m_stack.empty()) m_lines.emplace(std::string(), m_position.line);
        m_stack.push_back({std::move(pointer), isArray, 0, {}});
    }

    const Position &m_position;
    std::map<std::string, int> &m_lines;
    const std::string &m_file;
    std::vector<Level> m_stack;
};

/// "/rules/2/set" as users read it: "rules[2].set".
std::string readable(const std::string &pointer)
{
    std::string out;
    for (const std::string &part : pointerParts(pointer)) {
        const bool isIndex = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
        if (isIndex)
            out += "[" + part + "]";
        else
            out += (out.empty() ? "" : ".") + part;
    }
    return out;
}

} // namespace

JsonText JsonText::parse(std::string_view text, std::string file)
{
    JsonText out;
    out.m_file = std::move(file);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3); // a byte order mark is accepted
    Position position{text.data()};
    LineRecorder recorder(position, out.m_lines, out.m_file);
    const Cursor begin{text.data(), &position}, end{text.data() + text.size(), &position};
    json::sax_parse(begin, end, &recorder);
    out.m_value = recorder.take();
    return out;
}

JsonText JsonText::wrap(json value, std::string file)
{
    JsonText out;
    out.m_value = std::move(value);
    out.m_file = std::move(file);
    return out;
}

int JsonText::line(std::string pointer) const
{
    while (true) {
        if (const auto it = m_lines.find(pointer); it != m_lines.end()) return it->second;
        const std::size_t slash = pointer.rfind('/');
        if (slash == std::string::npos) return 0;
        pointer.resize(slash);
    }
}

void JsonNode::fail(const Text &message, const Text &remedy) const
{
    Text text = message;
    if (const std::string path = readable(m_pointer); !path.empty()) text = QL_TEXT("%1: %2").with(path, text);
    if (const int line = m_text->line(m_pointer); line > 0) text = QL_TEXT("line %1: %2").with(line, text);
    throw Error(ErrorKind::BadConfig, text).inFile(m_text->file()).withRemedy(remedy);
}

JsonNode JsonNode::child(const std::string &key, const json &value) const
{
    return {*m_text, value, pointerTo(m_pointer, key)};
}

void JsonNode::expectKeys(const std::vector<std::string> &known) const
{
    if (!m_value->is_object()) fail(QL_TEXT("must be an object, got %1").with(m_value->type_name()));
    for (const auto &[key, value] : m_value->items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            child(key, value)
                .fail(Text::sentences({QL_TEXT("unknown key '%1'.").with(key), suggestion(key, known)}),
                      knownNames(known));
}

std::optional<JsonNode> JsonNode::find(const std::string &key) const
{
    if (!has(key)) return std::nullopt;
    return child(key, (*m_value)[key]);
}

JsonNode JsonNode::at(const std::string &key) const
{
    if (const auto node = find(key)) return *node;
    fail(QL_TEXT("the key '%1' is missing").with(key));
}

std::vector<JsonNode> JsonNode::elements() const
{
    if (!m_value->is_array()) fail(QL_TEXT("must be a list, got %1").with(m_value->type_name()));
    std::vector<JsonNode> out;
    for (std::size_t i = 0; i < m_value->size(); ++i) out.push_back(child(std::to_string(i), (*m_value)[i]));
    return out;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const
{
    if (!m_value->is_object()) fail(QL_TEXT("must be an object, got %1").with(m_value->type_name()));
    std::vector<std::pair<std::string, JsonNode>> out;
    for (const auto &[key, value] : m_value->items()) out.emplace_back(key, child(key, value));
    return out;
}

std::string JsonNode::string() const
{
    if (!m_value->is_string()) fail(QL_TEXT("must be a string in quotes, got %1").with(m_value->dump()));
    return m_value->get<std::string>();
}

bool JsonNode::boolean() const
{
    if (!m_value->is_boolean()) fail(QL_TEXT("must be true or false, got %1").with(m_value->dump()));
    return m_value->get<bool>();
}

std::int64_t JsonNode::integer(std::int64_t min, std::int64_t max) const
{
    const bool fits = m_value->is_number_integer() &&
                      (!m_value->is_number_unsigned() || m_value->get<std::uint64_t>() <= std::uint64_t(INT64_MAX));
    if (!fits) fail(QL_TEXT("must be an integer, got %1").with(m_value->dump()));
    const std::int64_t number = m_value->get<std::int64_t>();
    if (number < min || number > max) fail(QL_TEXT("must be from %1 to %2, got %3").with(min, max, m_value->dump()));
    return number;
}

double JsonNode::number(double min, double max) const
{
    if (!m_value->is_number()) fail(QL_TEXT("must be a number, got %1").with(m_value->dump()));
    const double number = m_value->get<double>();
    if (!(number >= min && number <= max))
        fail(QL_TEXT("must be from %1 to %2, got %3").with(json(min).dump(), json(max).dump(), m_value->dump()));
    return number;
}

std::vector<std::string> JsonNode::strings() const
{
    std::vector<std::string> out;
    for (const JsonNode &element : elements()) out.push_back(element.string());
    return out;
}

std::string JsonNode::choice(const std::vector<std::string> &words) const
{
    const std::string word = string();
    if (std::find(words.begin(), words.end(), word) == words.end())
        fail(Text::sentences({QL_TEXT("unknown value '%1'.").with(word), suggestion(word, words)}), knownNames(words));
    return word;
}

} // namespace ql::api

#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace ql::api {

/// Builds a value from the events of nlohmann-json's parser, in place and without exceptions, and stops at a depth that
/// no document of ours has: the parser is recursive, and a file of brackets would exhaust the stack.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json>
{
public:
    explicit JsonBuilder(std::size_t mostLevels) : m_maxLevels(mostLevels) {}
    nlohmann::json take() { return std::move(m_root); }
    bool isTooDeep() const { return m_isTooDeep; }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t &) override { return put(value); }
    bool string(string_t &value) override { return put(std::move(value)); }
    bool binary(binary_t &value) override { return put(nlohmann::json::binary(std::move(value))); }
    bool start_object(std::size_t) override { return open(nlohmann::json::object()); }
    bool key(string_t &name) override;
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(nlohmann::json::array()); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override { return false; }

private:
    nlohmann::json *place(nlohmann::json &&value);
    bool put(nlohmann::json &&value);
    bool open(nlohmann::json &&value);
    bool close();

    std::size_t m_maxLevels;
    bool m_isTooDeep = false;
    nlohmann::json m_root;
    nlohmann::json *m_member = nullptr; ///< of the open object whose key was read last
    std::vector<nlohmann::json *> m_open;
};

} // namespace ql::api

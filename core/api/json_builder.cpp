#include "core/api/json_builder.h"

#include <utility>

namespace ql::api {

using nlohmann::json;

bool JsonBuilder::key(string_t &name)
{
    m_member = &(*m_open.back())[std::move(name)];
    return true;
}

json *JsonBuilder::place(json &&value)
{
    if (m_open.empty()) return &(m_root = std::move(value));
    if (m_open.back()->is_object()) return &(*m_member = std::move(value));
    m_open.back()->push_back(std::move(value));
    return &m_open.back()->back();
}

bool JsonBuilder::put(json &&value)
{
    place(std::move(value));
    return true;
}

bool JsonBuilder::open(json &&value)
{
    m_isTooDeep = m_open.size() == m_maxLevels;
    if (m_isTooDeep) return false;
    m_open.push_back(place(std::move(value)));
    return true;
}

bool JsonBuilder::close()
{
    m_open.pop_back();
    return true;
}

} // namespace ql::api

#include "core/tune/lock.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/ir/body_names.h"

#include <algorithm>

namespace ql {

Lock parseLock(std::string_view text)
{
    const std::size_t equals = text.rfind('='); // names may contain one
    const std::string word(equals == std::string_view::npos ? std::string_view() : trim(text.substr(equals + 1)));
    const std::vector<std::string> words{"int8", "float", "keep"};
    const auto kind = std::find(words.begin(), words.end(), word);
    const std::string pattern(trim(text.substr(0, equals)));
    if (kind == words.end() || pattern.empty())
        throw Error(ErrorKind::BadConfig,
                    QL_TEXT("%1: expected PATTERN=int8, =float or =keep, got '%2'").with(Text::option("--lock"), text))
            .withRemedy(QL_TEXT("Write it like 'head_*=int8'."));
    return {pattern, LockKind(kind - words.begin())};
}

Locks::Locks(std::vector<Lock> locks, const Graph &graph) : m_locks(std::move(locks))
{
    std::vector<std::string> names;
    for (const OpId id : graph.topological()) names.push_back(graph.operation(id).name);
    for (const auto &[path, inBody] : namesOfBodies(graph)) {
        std::vector<std::string> &own = m_inBodies[graph.operation(path.front().first).name];
        for (const auto &[id, called] : inBody) {
            own.insert(own.end(), called.begin(), called.end());
            names.insert(names.end(), called.begin(), called.end());
        }
    }
    for (const Lock &lock : m_locks)
        if (std::none_of(names.begin(), names.end(),
                         [&](const std::string &name) { return globMatch(lock.pattern, name); }))
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("%1: no operation is named '%2'").with(Text::option("--lock"), lock.pattern))
                .withRemedy(suggestion(lock.pattern, names));
}

const Lock *Locks::find(const std::string &op) const
{
    const auto inBodies = m_inBodies.find(op);
    const auto lock = std::find_if(m_locks.rbegin(), m_locks.rend(), [&](const Lock &l) {
        if (globMatch(l.pattern, op)) return true;
        return l.kind != LockKind::Float && inBodies != m_inBodies.end() &&
               std::any_of(inBodies->second.begin(), inBodies->second.end(),
                           [&](const std::string &name) { return globMatch(l.pattern, name); });
    });
    return lock == m_locks.rend() ? nullptr : &*lock;
}

bool Locks::mayChange(const std::string &op) const
{
    const Lock *lock = find(op);
    return !lock || lock->kind != LockKind::Keep;
}

bool Locks::mayBeFloat(const std::string &op) const
{
    return !find(op);
}

bool Locks::keepsAny() const
{
    return std::any_of(m_locks.begin(), m_locks.end(), [](const Lock &l) { return l.kind == LockKind::Keep; });
}

} // namespace ql

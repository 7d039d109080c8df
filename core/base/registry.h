#pragma once

#include "core/base/error.h"
#include "core/base/strings.h"

#include <map>
#include <string>
#include <vector>

namespace ql {

/// A named set of entries of one kind (passes, observers, exporters, dispatchers ...); Entry::kindName names the kind
/// in messages. Entries register themselves from their own file through a static Registrar, so adding one means adding
/// a file. Filled before main, read-only afterwards (plug-ins register while they are loaded, on the main thread).
template <class Entry>
class Registry
{
public:
    static Registry &instance()
    {
        static Registry registry;
        return registry;
    }
    /// @throws Error (Internal) if the id is already registered; from a static Registrar this aborts the program with
    /// the message.
    void add(const std::string &id, Entry entry)
    {
        if (!m_entries.emplace(id, std::move(entry)).second)
            throw Error(ErrorKind::Internal,
                        std::string("the ") + Entry::kindName + " '" + id + "' is registered twice");
    }
    const Entry *find(const std::string &id) const
    {
        const auto it = m_entries.find(id);
        return it == m_entries.end() ? nullptr : &it->second;
    }
    /// @throws Error (BadConfig) naming what and the nearest known id.
    const Entry &at(const std::string &id, const Text &what) const
    {
        if (const Entry *entry = find(id)) return *entry;
        throw Error(ErrorKind::BadConfig, QL_TEXT("unknown %1 '%2'").with(what, id))
            .withRemedy(Text::sentences({suggestion(id, ids()), knownNames(ids())}));
    }
    std::vector<std::string> ids() const
    {
        std::vector<std::string> out;
        for (const auto &[id, entry] : m_entries) out.push_back(id);
        return out;
    }

private:
    std::map<std::string, Entry> m_entries; // ordered: catalogues and messages are stable
};

template <class Entry>
struct Registrar
{
    Registrar(const std::string &id, Entry entry) { Registry<Entry>::instance().add(id, std::move(entry)); }
};

} // namespace ql

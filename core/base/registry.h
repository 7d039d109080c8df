#pragma once

#include "core/base/error.h"
#include "core/base/strings.h"

#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

namespace ql {

/// An entry of a registry.
struct Registration
{
    std::string kind, id; ///< "pass", "observer" ...
};

/// What a plug-in registers while it is loaded (core/base/plugin.h): it is refused if one of the ids exists.
struct PluginRegistrations
{
    std::vector<Registration> added, refused;
    std::vector<Registration> empty;         ///< of those added: without a function
    std::vector<std::function<void()>> undo; ///< removes what was added
};
/// From now on, registrations by this thread belong to a plug-in; nullptr: to the engine.
void collectRegistrations(PluginRegistrations *into);
/// How a registration ended.
enum class Registered { Complete, WithoutFunction, Refused };
/// undo: removes the entry. @returns whether a plug-in is being loaded
bool noteRegistration(const char *kind, const std::string &id, Registered how, std::function<void()> undo);

/// Whether the entry has its function, which is called run or make; records without one are complete.
template <class Entry>
bool hasFunction(const Entry &entry)
{
    if constexpr (requires { entry.run; })
        return bool(entry.run);
    else if constexpr (requires { entry.make; })
        return bool(entry.make);
    else
        return true;
}

/// A named set of entries of one kind (passes, observers, exporters, dispatchers ...); Entry::kindName names the kind
/// in messages. Entries register themselves from their own file through a static Registrar, so adding one means adding
/// a file. Filled before main; plug-ins (core/base/plugin.h) add entries later, from any thread. Entries stay valid.
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
        const std::unique_lock lock(m_mutex);
        const Registered added = hasFunction(entry) ? Registered::Complete : Registered::WithoutFunction;
        const bool isNew = m_entries.emplace(id, std::move(entry)).second;
        if (noteRegistration(Entry::kindName, id, isNew ? added : Registered::Refused, [this, id] { remove(id); }))
            return;
        if (!isNew)
            throw Error(ErrorKind::Internal,
                        std::string("the ") + Entry::kindName + " '" + id + "' is registered twice");
    }
    const Entry *find(const std::string &id) const
    {
        const std::shared_lock lock(m_mutex);
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
        const std::shared_lock lock(m_mutex);
        std::vector<std::string> out;
        for (const auto &[id, entry] : m_entries) out.push_back(id);
        return out;
    }

private:
    void remove(const std::string &id)
    {
        const std::unique_lock lock(m_mutex);
        m_entries.erase(id);
    }

    mutable std::shared_mutex m_mutex;
    std::map<std::string, Entry> m_entries; // ordered: catalogues and messages are stable
};

template <class Entry>
struct Registrar
{
    Registrar(const std::string &id, Entry entry) { Registry<Entry>::instance().add(id, std::move(entry)); }
};

} // namespace ql

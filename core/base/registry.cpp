#include "core/base/registry.h"

#include "core/base/plugin.h"

#include <algorithm>
#include <utility>

namespace ql {

/// The static registrars of a library run on the thread that loads it.
static thread_local PluginRegistrations *collecting = nullptr;

void collectRegistrations(PluginRegistrations *into)
{
    collecting = into;
}

bool isPluginLoading()
{
    return collecting != nullptr;
}

bool noteRegistration(const char *kind, const std::string &id, Registered how, std::function<void()> undo)
{
    if (!collecting) return false;
    const bool isNew = how != Registered::Refused;
    auto &list = isNew ? collecting->added : collecting->refused;
    const bool isListed = std::any_of(list.begin(), list.end(),
                                      [&](const Registration &known) { return known.kind == kind && known.id == id; });
    if (!isListed) list.push_back({kind, id}); // some things have entries in two registries
    if (how == Registered::WithoutFunction) collecting->empty.push_back({kind, id});
    if (isNew) collecting->undo.push_back(std::move(undo));
    return true;
}

} // namespace ql

#include "views/bridge/platform_item.h"

#include "core/api/platform.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_requests.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ql {

/// By id or alias; nullptr: the engine does not know it.
static const api::PlatformItem *knownItem(const Document &document, const std::string &id)
{
    for (const api::PlatformItem &item : document.requests().known().platforms) {
        const std::vector<std::string> &aliases = item.definition.aliases;
        if (item.id == id || std::find(aliases.begin(), aliases.end(), id) != aliases.end()) return &item;
    }
    return nullptr;
}

static api::PlatformItem carriedItem(const Document &document, const api::PlatformFile &file)
{
    const api::PlatformItem *base = knownItem(document, file.extends);
    api::PlatformItem item;
    item.definition = api::resolved(file, base ? &base->definition : nullptr);
    item.id = file.id;
    item.title = item.definition.title;
    item.meaning = item.definition.description;
    item.params = item.definition.params;
    item.builtIn = false;
    return item;
}

std::optional<api::PlatformItem> platformItem(const Document &document)
{
    const std::string &id = document.recipe().platform;
    for (const api::PlatformFile &file : document.recipe().platforms)
        if (file.id == id) return carriedItem(document, file);
    const api::PlatformItem *known = knownItem(document, id);
    return known ? std::optional(*known) : std::nullopt;
}

std::vector<api::PlatformItem> platformItems(const Document &document)
{
    std::vector<api::PlatformItem> items;
    for (const api::PlatformFile &file : document.recipe().platforms)
        if (!knownItem(document, file.id)) items.push_back(carriedItem(document, file));
    const std::vector<api::PlatformItem> &known = document.requests().known().platforms;
    items.insert(items.end(), known.begin(), known.end());
    return items;
}

} // namespace ql

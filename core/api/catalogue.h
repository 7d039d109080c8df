#pragma once

#include "core/api/json_pair.h"
#include "core/api/params.h"
#include "core/api/pass_traits.h"
#include "core/api/platform.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

/// What an engine has: answered to a window, and printed by the commands `platforms`, `passes`, `observers` ...
namespace ql::api {

struct PlatformItem : CatalogueItem
{
    PlatformDefinition definition; ///< nothing inherited
    bool builtIn = true;
    std::string file = {}; ///< of an own one
    std::string text = {}; ///< as its file says it; empty where that is the whole definition
};

struct PassItem : CatalogueItem
{
    PassTraits traits;
};

/// What a slot asks of its observer.
struct ObserverDemand
{
    bool isFloating = false, isSymmetric = true, isPerChannel = false;
};

struct ObserverItem : CatalogueItem
{
    bool perChannel = true; ///< has a range for each channel
    bool asymmetric = true; ///< finds zero points
    bool integer = true;    ///< serves integer formats
    bool floating = false;  ///< serves floating formats

    bool serves(const ObserverDemand &demand) const
    {
        return (demand.isFloating ? floating : integer) && (demand.isSymmetric || asymmetric) &&
               (!demand.isPerChannel || perChannel);
    }
};

struct ExporterItem : CatalogueItem
{
    std::vector<std::string> extensions; ///< the usual one first
};

/// What an importer makes of an operator or layer.
struct ImportedTypeRow
{
    std::string type, becomes, notes;
};

struct ImporterItem : CatalogueItem
{
    std::vector<std::string> extensions;
    bool takesWeights = false;                              ///< in a file of their own
    std::optional<std::vector<ImportedTypeRow>> types = {}; ///< unset: operators keep their names
};

struct OperatorItem : CatalogueItem
{
    std::string family, domain, type;
    int minVersion = 0, maxVersion = 0;
    std::string status; ///< "complete", "partial"
    std::string limits; ///< of a partial one
};

struct AnalysisItem : CatalogueItem
{
    bool needsData = false;
};

/// One change of a recipe: a field, or operations that stay in float.
struct PresetChange
{
    std::map<std::string, nlohmann::json> when; ///< parameters with their values; "platform" with a list of ids
    std::string path;                           ///< as accepted by withField()
    nlohmann::json value;                       ///< of the field; "$name": that of a parameter
    std::string floatOperations;                ///< instead of path and value: the parameter with their names
};

/// Named changes of a recipe, see core/api/preset.h.
struct Preset : CatalogueItem
{
    std::vector<PresetChange> changes;
};

struct Catalogue
{
    std::vector<PlatformItem> platforms;
    std::vector<PassItem> passes;
    std::vector<ObserverItem> observers;
    std::vector<ExporterItem> exporters;
    std::vector<ImporterItem> importers;
    std::vector<OperatorItem> ops;
    std::vector<CatalogueItem> dispatchers;
    std::vector<AnalysisItem> analyses;
    std::vector<CatalogueItem> steps;   ///< of the preprocessing
    std::vector<CatalogueItem> presets; ///< usual lists of steps
    std::vector<CatalogueItem> metrics; ///< from labels
    std::vector<Preset> recipePresets;
    std::vector<std::string> devices; ///< of the machine
};

/// The entry with this id; null when there is none.
template <class Item>
const Item *findItem(const std::vector<Item> &items, const std::string &id)
{
    const auto it = std::find_if(items.begin(), items.end(), [&](const Item &item) { return item.id == id; });
    return it == items.end() ? nullptr : &*it;
}

PassCatalogue passTraitsOf(const std::vector<PassItem> &passes);

QL_HAS_JSON(ParamSpec)
QL_HAS_JSON(CatalogueItem)
QL_HAS_JSON(PlatformItem)
QL_HAS_JSON(PassItem)
QL_HAS_JSON(ObserverItem)
QL_HAS_JSON(ExporterItem)
QL_HAS_JSON(ImporterItem)
QL_HAS_JSON(OperatorItem)
QL_HAS_JSON(AnalysisItem)
QL_HAS_JSON(Catalogue)

} // namespace ql::api

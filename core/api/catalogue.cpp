#include "core/api/catalogue.h"

#include "core/api/fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<ParamSpec> auto &spec)
{
    codec.member("name", spec.name);
    codec.member("type", spec.type);
    codec.member("default", spec.fallback);
    codec.text("meaning", spec.meaning);
    codec.optional("unit", spec.unit);
    codec.optional("min", spec.min);
    codec.optional("max", spec.max);
    codec.list("choices", spec.choices);
    codec.optional("follows", spec.follows);
}

template <class Codec>
static void itemFields(Codec &codec, auto &item)
{
    codec.member("id", item.id);
    codec.text("title", item.title);
    codec.text("meaning", item.meaning);
    codec.member("params", item.params);
    codec.optional("example", item.example);
}

template <class Codec>
void fields(Codec &codec, Same<CatalogueItem> auto &item)
{
    itemFields(codec, item);
}

template <class Codec>
void fields(Codec &codec, Same<PlatformItem> auto &item)
{
    itemFields(codec, item);
    codec.member("definition", item.definition);
    codec.member("built_in", item.builtIn);
    codec.optional("file", item.file);
    codec.optional("text", item.text);
}

template <class Codec>
void fields(Codec &codec, Same<PassItem> auto &item)
{
    itemFields(codec, item);
    codec.member("kind", item.traits.kind);
    codec.member("needs_data", item.traits.needsData);
    codec.member("needs", item.traits.needs);
    codec.member("writes", item.traits.writes);
    codec.member("finishes", item.traits.finishes);
    codec.member("joins", item.traits.joins);
}

template <class Codec>
void fields(Codec &codec, Same<ObserverItem> auto &item)
{
    itemFields(codec, item);
    codec.member("per_channel", item.perChannel);
    codec.member("asymmetric", item.asymmetric);
    codec.member("integer", item.integer);
    codec.member("floating", item.floating);
}

template <class Codec>
void fields(Codec &codec, Same<ExporterItem> auto &item)
{
    itemFields(codec, item);
    codec.member("extensions", item.extensions);
}

template <class Codec>
void fields(Codec &codec, Same<ImportedTypeRow> auto &row)
{
    codec.member("type", row.type);
    codec.member("becomes", row.becomes);
    codec.member("notes", row.notes);
}

template <class Codec>
void fields(Codec &codec, Same<ImporterItem> auto &item)
{
    itemFields(codec, item);
    codec.member("extensions", item.extensions);
    codec.member("takes_weights", item.takesWeights);
    codec.part("types", item.types);
}

template <class Codec>
void fields(Codec &codec, Same<OperatorItem> auto &item)
{
    itemFields(codec, item);
    codec.member("family", item.family);
    codec.member("domain", item.domain);
    codec.member("type", item.type);
    codec.member("min_version", item.minVersion);
    codec.member("max_version", item.maxVersion);
    codec.member("status", item.status);
    codec.member("limits", item.limits);
}

template <class Codec>
void fields(Codec &codec, Same<AnalysisItem> auto &item)
{
    itemFields(codec, item);
    codec.member("needs_data", item.needsData);
}

template <class Codec>
void fields(Codec &codec, Same<PresetChange> auto &change)
{
    codec.member("when", change.when);
    codec.optional("path", change.path);
    codec.member("value", change.value);
    codec.optional("float", change.floatOperations);
}

template <class Codec>
void fields(Codec &codec, Same<Preset> auto &preset)
{
    itemFields(codec, preset);
    codec.member("changes", preset.changes);
}

template <class Codec>
void fields(Codec &codec, Same<Catalogue> auto &catalogue)
{
    codec.member("platforms", catalogue.platforms);
    codec.member("passes", catalogue.passes);
    codec.member("observers", catalogue.observers);
    codec.member("exporters", catalogue.exporters);
    codec.member("importers", catalogue.importers);
    codec.member("ops", catalogue.ops);
    codec.member("dispatchers", catalogue.dispatchers);
    codec.member("analyses", catalogue.analyses);
    codec.member("steps", catalogue.steps);
    codec.member("presets", catalogue.presets);
    codec.member("metrics", catalogue.metrics);
    codec.member("recipe_presets", catalogue.recipePresets);
    codec.member("devices", catalogue.devices);
}

QL_JSON_PAIR(ParamSpec, "a parameter")
QL_JSON_PAIR(CatalogueItem, "an entry of the catalogue")
QL_JSON_PAIR(PlatformItem, "a platform")
QL_JSON_PAIR(PassItem, "a pass")
QL_JSON_PAIR(ObserverItem, "an observer")
QL_JSON_PAIR(ExporterItem, "an exporter")
QL_JSON_PAIR(ImporterItem, "an importer")
QL_JSON_PAIR(OperatorItem, "an operator")
QL_JSON_PAIR(AnalysisItem, "an analysis")
QL_JSON_PAIR(Catalogue, "the catalogue")

PassCatalogue passTraitsOf(const std::vector<PassItem> &passes)
{
    PassCatalogue out;
    for (const PassItem &pass : passes) out.emplace(pass.id, pass.traits);
    return out;
}

} // namespace ql::api

#pragma once

#include "core/api/catalogue.h"

#include <optional>
#include <vector>

namespace ql {

class Document;

/// The platform of the document's recipe: as the recipe carries it, otherwise as the engine knows it; nothing if
/// neither has it.
std::optional<api::PlatformItem> platformItem(const Document &document);
/// All that the recipe can name: those that it carries and the engine does not know, then the engine's.
std::vector<api::PlatformItem> platformItems(const Document &document);

} // namespace ql

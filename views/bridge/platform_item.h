#pragma once

#include "core/api/catalogue.h"

#include <optional>

namespace ql {

class Document;

/// The platform of the document's recipe: as the recipe carries it, otherwise as the engine knows it; nothing if
/// neither has it.
std::optional<api::PlatformItem> platformItem(const Document &document);

} // namespace ql

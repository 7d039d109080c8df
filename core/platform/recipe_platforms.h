#pragma once

#include "core/api/recipe.h"
#include "core/platform/definition.h"

#include <memory>
#include <string_view>
#include <vector>

namespace ql {

/// The platforms that a recipe names: those that it carries itself, then the built-in ones and the user's own. Its own
/// platform has the values of the recipe's parameters.
class RecipePlatforms
{
public:
    /// @throws Error (BadConfig) for an unknown platform, an unknown or illegal parameter, and an invalid definition in
    /// the recipe or one with the id of a built-in platform.
    explicit RecipePlatforms(const api::Recipe &recipe);

    /// The recipe's platform.
    const PlatformDefinition &main() const { return *m_main; }
    /// Any other, without values of parameters; nullptr if there is none. The reference stays valid with this object.
    const PlatformDefinition *find(std::string_view id) const;

private:
    std::vector<std::unique_ptr<const PlatformDefinition>> m_carried;
    std::unique_ptr<const PlatformDefinition> m_main;
};

/// The recipe with the definitions of all its platforms that are not built in, so that it can be run on a machine
/// without their files.
api::Recipe withPlatforms(api::Recipe recipe);

/// Makes the recipe carry the platform of a file, and names it as the recipe's. @throws Error as platformFromText(),
/// (Io) unreadable.
void usePlatformFile(api::Recipe &recipe, const std::filesystem::path &file);

} // namespace ql

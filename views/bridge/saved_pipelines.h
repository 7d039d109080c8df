#pragma once

#include "core/api/recipe.h"

#include <QStringList>

namespace ql {

/// Named pipelines of the user, one JSON file each in the user's data folder.
namespace savedPipelines {

QString folder();
QStringList names();
/// Replaces the one with that name. @throws Error (Io; BadConfig: the name is too long)
void save(const QString &name, const std::vector<api::StepRequest> &passes);
/// @throws Error (Io, BadConfig)
std::vector<api::StepRequest> load(const QString &name);
void remove(const QString &name);

} // namespace savedPipelines

} // namespace ql

#pragma once

#include "views/graph/scene.h"

#include <QString>
#include <atomic>

namespace ql {

/// The flag of layouts that are never stopped.
inline const std::atomic<bool> never{false};

/// The box that shows an operation: its own, or that of a closed group.
inline int boxOf(const Scene &scene, const QString &operation)
{
    return scene.view.nodeOf[scene.graph->find(operation)];
}

} // namespace ql

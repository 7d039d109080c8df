#pragma once

#include <QThreadPool>
#include <memory>
#include <utility>

namespace ql {

/// Frees objects on another thread. A snapshot of a large model consists of a million small allocations: freeing them
/// takes a tenth of a second, and the window's thread is often the last owner.
template <class T>
void deleteInBackground(T *object)
{
    static QThreadPool *const pool = [] {
        auto *made = new QThreadPool; // never deleted: the last snapshots are destroyed after everything else
        made->setMaxThreadCount(1);
        return made;
    }();
    pool->start([object] { delete object; });
}

/// Like std::make_shared; freed by deleteInBackground().
template <class T, class... Arguments>
std::shared_ptr<T> makeShared(Arguments &&...arguments)
{
    using Plain = std::remove_const_t<T>;
    return std::shared_ptr<Plain>(new Plain(std::forward<Arguments>(arguments)...),
                                  [](Plain *object) { deleteInBackground(object); });
}

} // namespace ql

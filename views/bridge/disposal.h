#pragma once

#include <QThreadPool>
#include <memory>
#include <utility>

namespace ql {

/// Frees what is handed to it on a thread of its own. A snapshot of a large model is a million small pieces of memory:
/// freeing them takes a tenth of a second, and the window's thread is often the last one that held it.
template <class T>
void disposeElsewhere(T *object)
{
    static QThreadPool *const pool = [] {
        auto *made = new QThreadPool; // never deleted: the last snapshots die after everything else
        made->setMaxThreadCount(1);
        return made;
    }();
    pool->start([object] { delete object; });
}

/// Like std::make_shared; freed by disposeElsewhere().
template <class T, class... Arguments>
std::shared_ptr<T> makeShared(Arguments &&...arguments)
{
    using Plain = std::remove_const_t<T>;
    return std::shared_ptr<Plain>(new Plain(std::forward<Arguments>(arguments)...),
                                  [](Plain *object) { disposeElsewhere(object); });
}

} // namespace ql

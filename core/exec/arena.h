#pragma once

namespace ql {

/// Memory for activations. During a scope, large CPU tensors that the calling thread allocates come from one arena,
/// lowest free offset first: a layer writes where a previous one was released, so a program touches little more memory
/// than is alive at any time, and that stays in the caches. Tensors may outlive the scope and be released by any
/// thread. Scopes of one thread may be nested. Concurrent scopes use different arenas; the most recently returned one
/// is reused first.
class ArenaScope
{
public:
    ArenaScope();
    ~ArenaScope();
    ArenaScope(const ArenaScope &) = delete;
    ArenaScope &operator=(const ArenaScope &) = delete;

private:
    bool m_isOutermost;
};

} // namespace ql

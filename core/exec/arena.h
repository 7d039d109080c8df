#pragma once

namespace ql {

/// Memory of activations. While a scope lives, large tensors that the calling thread makes on the CPU come from one
/// stretch of memory, the lowest place that is free first: what a layer has left is what the next one writes, so that a
/// program touches little more than it holds at once, and that stays in the caches. Tensors may outlive the scope and
/// be released by any thread. Scopes of one thread may be nested. Scopes that live at the same time have stretches of
/// their own; the one that was given back last is lent first.
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

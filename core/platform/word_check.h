#pragma once

#include "core/api/json_text.h"
#include "core/base/registry.h"

#include <functional>
#include <string>

namespace ql {

/// Platform files and recipes name things of rooms above this one. Each of those rooms registers how such a name is
/// checked, so that a mistake is told with its line when the file is read and not by the first model that meets it:
/// "observer" and "exporter" are given the name, "pass" an entry of a pipeline, {"id": ..., "params": ...} or the id.
/// A check must not ask for platforms. It throws through JsonNode::fail.
struct WordCheck
{
    static constexpr const char *kindName = "word check";
    std::function<void(const api::JsonNode &node)> run;
};
using WordCheckRegistrar = Registrar<WordCheck>;

/// Runs the check of this kind; nothing where no room registered one.
/// @throws Error (BadConfig) with file, line, what is wrong and what is known.
inline void checkWord(const std::string &kind, const api::JsonNode &node)
{
    if (const WordCheck *check = Registry<WordCheck>::instance().find(kind)) check->run(node);
}

} // namespace ql

#pragma once

#include "core/api/json_text.h"
#include "core/base/registry.h"

#include <functional>
#include <string>

namespace ql::api {

/// Platform files and recipes name things that only the engine knows. Each room registers how a name of its own is
/// checked, so that a mistake is reported with its line when the file is read and not by the first model that meets it:
/// "observer", "exporter" and "platform" are given the name, "pass" an entry of a pipeline, {"id": ..., "params": ...}
/// or the id. Nothing is registered in a window, which reads what its engine does not know either. A check throws
/// through JsonNode::fail; none but "platform" may ask for platforms.
struct WordCheck
{
    static constexpr const char *kindName = "word check";
    std::function<void(const JsonNode &node)> run;
};
using WordCheckRegistrar = Registrar<WordCheck>;

/// Runs the check of this kind; nothing where no room registered one.
/// @throws Error (BadConfig) with file, line, what is wrong and what is known.
inline void checkWord(const std::string &kind, const JsonNode &node)
{
    if (const WordCheck *check = Registry<WordCheck>::instance().find(kind)) check->run(node);
}

} // namespace ql::api

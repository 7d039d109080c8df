#include "core/api/word_check.h"
#include "core/observer/observer.h"
#include "core/pass/pass.h"

namespace ql {

namespace {

const api::WordCheckRegistrar observerRegistrar{
    "observer", {[](const api::JsonNode &node) { node.choice(Registry<ObserverEntry>::instance().ids()); }}};

const api::WordCheckRegistrar passRegistrar{
    "pass", {[](const api::JsonNode &node) {
        const api::JsonNode id = node.isObject() ? node.at("id") : node;
        const PassEntry *entry = Registry<PassEntry>::instance().find(id.choice(Registry<PassEntry>::instance().ids()));
        if (!node.has("params")) return;
        try {
            api::completeParams(entry->info.params, node.at("params").value(), QL_TEXT("pass '%1'").with(id.string()));
        } catch (const Error &error) {
            node.at("params").fail(error.message, error.remedy);
        }
    }}};

} // namespace

} // namespace ql

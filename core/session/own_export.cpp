#include "core/session/own_export.h"

#include "core/base/error.h"
#include "core/base/scratch_folder.h"
#include "core/export/exporter.h"

#include <ATen/ops/equal.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace ql {

namespace {

/// Where an encoding is: names of bodies, the operation, and its slot or, without one, the tensor.
using Place = std::tuple<std::vector<std::pair<std::string, std::string>>, std::string, bool, int, std::string>;

std::map<Place, const StoredEncoding *> byPlace(const std::vector<StoredEncoding> &encodings)
{
    std::map<Place, const StoredEncoding *> places;
    for (const StoredEncoding &each : encodings)
        places[{each.body, each.op, each.slot && each.slot->output, each.slot ? each.slot->index : -1,
                each.slot ? std::string() : each.variable}] = &each;
    return places;
}

bool haveSameValues(const StoredEncoding &a, const StoredEncoding &b)
{
    if (!a.value.defined() || !b.value.defined()) return a.value.defined() == b.value.defined();
    return a.value.scalar_type() == b.value.scalar_type() && at::equal(a.value, b.value);
}

bool areSame(const std::vector<StoredEncoding> &first, const std::vector<StoredEncoding> &second,
             const std::set<std::string> &changed)
{
    const auto one = byPlace(first), two = byPlace(second);
    return one.size() == two.size() && std::all_of(one.begin(), one.end(), [&](const auto &entry) {
               const auto other = two.find(entry.first);
               return other != two.end() && entry.second->grid == other->second->grid &&
                      (changed.contains(entry.second->variable) || haveSameValues(*entry.second, *other->second));
           });
}

} // namespace

bool writesEncodings(const QuantModel &model, const PlatformDefinition &platform, const EncodingsEntry &format,
                     const StoredEncodings &wanted, const std::set<std::string> &changed, const JobContext &job)
{
    const std::function<void(api::Problem)> ignore = [](const api::Problem &) {};
    for (const std::string &id : platform.exporters) {
        const ExporterEntry &exporter = Registry<ExporterEntry>::instance().at(id, QL_TEXT("export format"));
        const ScratchFolder folder;
        const std::filesystem::path file = folder.path() / ("model" + exporter.extensions.at(0));
        if (!format.matches(file, nullptr)) continue;
        try {
            exportModel(id, model, file, api::defaultParams(exporter.info.params), ignore);
            const StoredEncodings written = format.read({file, job, ignore}, {});
            if (areSame(wanted.tensors, written.tensors, changed) && areSame(wanted.floats, written.floats, changed))
                return true;
        } catch (const Error &) { // a file without scales, or a model that this format cannot express
        }
    }
    return false;
}

} // namespace ql

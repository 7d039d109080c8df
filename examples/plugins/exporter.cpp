// An exporter: a line of text for each scale.
#include <core/base/file.h>
#include <core/export/exporter.h>

using namespace ql;

namespace {

ExportResult writeScales(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    writeFileAtomically(request.target, [&](std::ostream &out) {
        for (const OpId id : model.graph.topological())
            for (const Slot slot : model.plan.slotsOf(id))
                for (const float scale : model.plan.scale(slot))
                    out << model.graph.variable(variableOf(model.graph, slot)).name << ' ' << scale << '\n';
    });
    return {{request.target}};
}

const ExporterRegistrar exporterRegistrar{
    "example_scales",
    {.info = {.id = "example_scales", .title = "Scales", .meaning = "Names and scales."},
     .extensions = {".txt"},
     .run = writeScales}};

} // namespace

#include "core/exec/step_list.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace ql {

void dropUnusedConversions(Program::Impl &program)
{
    std::vector<bool> read(program.constants.size(), false);
    for (const ValueId id : program.outputValues) read[std::size_t(id)] = true;
    std::vector<Step> kept;
    for (auto step = program.steps.rbegin(); step != program.steps.rend(); ++step) {
        const bool converts = step->kind == Step::Kind::Codes || step->kind == Step::Kind::Values;
        if (converts && !read[std::size_t(step->outputs[0])]) continue;
        for (const ValueId id : step->inputs)
            if (id != noValue) read[std::size_t(id)] = true;
        kept.push_back(std::move(*step));
    }
    std::reverse(kept.begin(), kept.end());
    program.steps = std::move(kept);
}

void planReleases(Program::Impl &program)
{
    std::vector<std::ptrdiff_t> lastUse(program.constants.size(), -1);
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        for (const ValueId id : program.steps[s].inputs)
            if (id != noValue) lastUse[std::size_t(id)] = std::ptrdiff_t(s);
        for (const ValueId id : program.steps[s].outputs)
            if (id != noValue) lastUse[std::size_t(id)] = std::ptrdiff_t(s);
    }
    for (const ValueId id : program.outputValues) lastUse[std::size_t(id)] = -1;
    for (std::size_t v = 0; v < lastUse.size(); ++v)
        if (lastUse[v] >= 0 && !program.constants[v].defined())
            program.steps[std::size_t(lastUse[v])].release.push_back(ValueId(v));
}

} // namespace ql

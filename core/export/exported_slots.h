#pragma once

#include "core/quant/quant_plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ql {

/// A slot that a file for a runtime describes, with its effective scale.
struct ExportedSlot
{
    Slot slot;
    VarId variable = noVar;
    const TensorQuantConfig *config = nullptr;
    std::vector<float> scale;            ///< the root's: 1 entry, or one per channel
    std::vector<std::int32_t> zeroPoint; ///< as long as scale
    bool isParameter = false;

    bool isPerChannel() const { return scale.size() > 1 || config->isPerChannel(); }
    /// The smallest and largest real value of channel i.
    double lowest(std::size_t i = 0) const { return real(config->quantMin, i); }
    double highest(std::size_t i = 0) const { return real(config->quantMax, i); }

private:
    double real(std::int64_t code, std::size_t i) const { return double(scale[i]) * double(code - zeroPoint[i]); }
};

/// Whether files list slots that another slot of the same tensor quantizes (a Conv's output before its Relu).
enum class ListOverlapped { No, Yes };

/// What files list of operation id: slots with a static scale that are rounded, or always visible, and not internal;
/// inputs before outputs.
std::vector<ExportedSlot> exportedSlots(const QuantModel &model, OpId id, ListOverlapped overlapped);

/// The slot, if it has a static scale, whatever its state is; nothing otherwise.
std::optional<ExportedSlot> slotWithScale(const QuantModel &model, Slot slot);

} // namespace ql

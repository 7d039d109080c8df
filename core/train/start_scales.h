#pragma once

#include "core/quant/quant_plan.h"
#include "core/train/blocks.h"

#include <set>

namespace ql {

/// The scale of slot is its own, a static one in float32, and no number format restricts it: training may change it.
bool hasFreeScale(const QuantPlan &plan, Slot slot, const std::set<Slot> &fixedScales);

/// Gives weights of 3 to 7 bits in the block the scales, between 0.4 and 1 times the present ones, with the smallest
/// squared error of the weights. Observers map the largest weight to the largest code, which wastes codes if there are
/// few. @returns how many slots changed
int refineWeightScales(QuantModel &model, const Block &block, const std::set<Slot> &fixedScales, const Origin &origin);

} // namespace ql

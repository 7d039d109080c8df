#pragma once

#include "core/ir/body_names.h"
#include "core/quant/quant_plan.h"

#include <string>
#include <vector>

namespace ql {

/// A model's own network, or a quantized body of it, with the names of its operations. Refers to the model.
struct Network
{
    BodyPath path; ///< empty: the model's own
    const QuantModel *model;
    OperationNames names; ///< empty for the model's own network

    const Graph &graph() const { return model->graph; }
    /// In reports.
    const std::string &nameOf(OpId id) const;
    /// Whether one of the patterns matches what an operation is called, in reports or by its path.
    bool isNamed(const std::vector<std::string> &patterns, OpId id) const;
    BodySlot place(Slot slot) const { return {path, slot}; }
};

/// The quantized bodies of a model.
std::vector<Network> bodyNetworks(const QuantModel &model);
/// The model's own network first, then its bodies.
std::vector<Network> networksOf(const QuantModel &model);

} // namespace ql

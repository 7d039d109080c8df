#pragma once

#include "core/exec/program.h"

/// Changes to the finished list of steps of a program.
namespace ql {

/// Removes conversions between codes and values that have no consumers.
void dropUnusedConversions(Program::Impl &program);

/// Lets each step release the values that no later step reads; outputs of the program and constants stay.
void planReleases(Program::Impl &program);

} // namespace ql

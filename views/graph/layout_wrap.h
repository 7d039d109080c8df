#pragma once

#include <vector>

namespace ql {

/// A row of a drawing, for wrapping.
struct RowExtent
{
    double left = 0, right = 0; ///< of the cells
    double height = 0;          ///< of the boxes
    double gap = 0;             ///< to the next row
    int nets = 0;               ///< that pass the gap
};

/// Cuts a drawing into columns so that all of it is as large as possible in an area: few nets are cut, columns are
/// about equally high. @param gutter between columns, without the nets that pass it
/// @returns the first row of each column; one column if that is best
std::vector<int> wrapRows(const std::vector<RowExtent> &rows, double aspect, double gutter, double laneGap);

} // namespace ql

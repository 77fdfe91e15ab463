#pragma once

#include <vector>

namespace sosie {

// Sorts numbers (without NaN) ascending, as std::sort does (-0 before 0). Many numbers without a
// negative one are sorted digit by digit in linear time, with as much extra memory.
void sort_doubles(std::vector<double>& values);

}  // namespace sosie

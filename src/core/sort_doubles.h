#pragma once

#include <vector>

namespace sosie {

// Sorts numbers (without NaN) in ascending order, as std::sort does (-0 comes before 0). If there
// are many numbers and none is negative, they are sorted digit by digit in linear time, which takes
// as much extra memory.
void sort_doubles(std::vector<double>& values);

}  // namespace sosie

#pragma once

#include <vector>

namespace sosie {

// Sorts numbers that are no NaN ascending, as std::sort does (-0 before 0): many of them, none
// negative, digit by digit in linear time, with as much memory again.
void sort_doubles(std::vector<double>& values);

}  // namespace sosie

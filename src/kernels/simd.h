#pragma once

#include <string_view>
#include <vector>

// Which instruction set the kernels of this folder run with. Each is compiled for several from one
// source (Google Highway) and chosen at run time; results are the same bits on all of them.
namespace sosie::kernels {

// Names of those that this build holds and this CPU can run, best first, the portable one last:
// "AMX" (AVX3_DL, and the matrix unit where a kernel can use it), "AVX3_DL", "AVX3", "AVX2", ...
[[nodiscard]] std::vector<std::string_view> simd_targets();

// Nothing better than `name` is used from now on; false when there is no such one here. Not to be
// called while kernels run.
bool limit_simd(std::string_view name);

// True if kernels with a form for the matrix unit use it.
[[nodiscard]] bool uses_amx() noexcept;

}  // namespace sosie::kernels

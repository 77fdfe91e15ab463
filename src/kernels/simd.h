#pragma once

#include <string_view>
#include <vector>

// The instruction set that the kernels in this folder use. Each kernel is compiled for several
// instruction sets from the same source (Google Highway), and one is selected at run time; results
// are bit-identical on all of them.
namespace sosie::kernels {

// The names of the instruction sets that this build contains and this CPU supports, best first,
// with the portable one last: "AMX" (AVX3_DL, plus the matrix unit for kernels that can use it),
// "AVX3_DL", "AVX3", "AVX2", ...
[[nodiscard]] std::vector<std::string_view> simd_targets();

// Limits kernels to `name` or a lesser instruction set; returns false if `name` is not available.
// Must not be called while kernels run.
bool limit_simd(std::string_view name);

// True if kernels that have a version for the matrix unit use it.
[[nodiscard]] bool uses_amx() noexcept;

}  // namespace sosie::kernels

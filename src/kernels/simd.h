#pragma once

#include <string_view>
#include <vector>

// Instruction set used by the kernels of this folder. Each is compiled for several from one source
// (Google Highway) and selected at run time; results are bit-identical on all of them.
namespace sosie::kernels {

// Names of the instruction sets that this build contains and this CPU supports, best first, the
// portable one last: "AMX" (AVX3_DL, and the matrix unit where a kernel can use it), "AVX3_DL",
// "AVX3", "AVX2", ...
[[nodiscard]] std::vector<std::string_view> simd_targets();

// Limits kernels to `name` or worse; returns false if it is not available. Do not call it while
// kernels run.
bool limit_simd(std::string_view name);

// True if kernels with a form for the matrix unit use it.
[[nodiscard]] bool uses_amx() noexcept;

}  // namespace sosie::kernels

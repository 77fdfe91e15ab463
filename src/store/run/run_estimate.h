#pragma once

#include <string>
#include <string_view>

#include "data/label_basis.h"

// The file of a saved run of link from which its quality can be estimated as a person labels pairs
// (docs/formats/run.md).
namespace sosie {

inline constexpr int kRunEstimateVersion = 1;
inline constexpr const char* kRunEstimateName = "estimate.json";

[[nodiscard]] std::string run_estimate_json(const LabelBasis& basis);

// The inverse of run_estimate_json(). Throws Error{malformed_input} with `path` for anything that
// it never writes, and Error{unsupported} for another version.
[[nodiscard]] LabelBasis run_estimate_of(std::string_view text, const std::string& path);

}  // namespace sosie

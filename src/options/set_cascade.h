#pragma once

#include <optional>
#include <string_view>

#include "data/hash_family.h"
#include "plan/construction.h"
#include "sosie/options.h"

namespace sosie {

// Maximum number of set functions in all steps of a cascade together.
inline constexpr int kMostMinhashFunctions = 4096;
inline constexpr int kMostSquareFunctions = 16384;

// Hashing of sets by a cascade that is not a banding of minhashes.
struct SetCascade {
  const HashFamily* family = nullptr;
  BandShape shape;
  int squares = 0;  // squares selected by a function; 0: minhash
};

// The shape that --bands or --construct requests. Throws Error{invalid_option} if both are given.
[[nodiscard]] std::optional<BandShape> asked_shape(const Options& options);

// True if the hash family with this name is for sets of squares; `name` may be empty.
[[nodiscard]] bool is_squares_family(std::string_view name) noexcept;

// Throws Error{invalid_option} if the options request a cascade that is not a banding, or the
// family grid-triples, which `verb` does not support.
void refuse_cascade(const Options& options, std::string_view verb);

// The cascade by which sets are hashed; nullopt if there is none or if it is a banding of
// minhashes. `has_minhash`: the measure supports minhash. Throws Error{invalid_option} for
// combinations that make no sense.
[[nodiscard]] std::optional<SetCascade> resolve_cascade(const Options& options, bool has_minhash);

}  // namespace sosie

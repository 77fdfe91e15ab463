#pragma once

#include <optional>
#include <string_view>

#include "data/hash_family.h"
#include "plan/construction.h"
#include "sosie/options.h"

namespace sosie {

// Functions of sets at most, of all steps of a cascade.
inline constexpr int kMostMinhashFunctions = 4096;
inline constexpr int kMostSquareFunctions = 16384;

// Hashing of sets by a cascade that is no banding of minhashes.
struct SetCascade {
  const HashFamily* family = nullptr;
  BandShape shape;
  int squares = 0;  // squares that a function names; 0: minhash
};

// Shape that --bands or --construct asks for. Throws Error{invalid_option} where both do.
[[nodiscard]] std::optional<BandShape> asked_shape(const Options& options);

// True if a hash family of this name hashes sets of squares; empty: none is named.
[[nodiscard]] bool is_squares_family(std::string_view name) noexcept;

// Throws Error{invalid_option} where the options ask for a cascade that is no banding, or for the
// family grid-triples: `verb` has no use for them.
void refuse_cascade(const Options& options, std::string_view verb);

// The cascade that sets are hashed by; nothing where there is none, or where it is a banding of
// minhashes. `has_minhash`: the measure has. Throws Error{invalid_option} for what cannot be meant.
[[nodiscard]] std::optional<SetCascade> resolve_cascade(const Options& options, bool has_minhash);

}  // namespace sosie

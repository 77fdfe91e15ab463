#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/level_patterns.h"
#include "plan/match_model.h"

namespace sosie {

// Bits by field and level; 0 at level 0.
using LevelBits = std::vector<std::vector<double>>;

// Two fields that show that some matches are actually members of a family, such as people at the
// same address: if one of the fields differs, the other one nearly always differs, too, and a third
// field goes with both. Within pairs of the same entity, fields differ because of errors, which
// occur alone, or of a move, which changes an address: among several such fields, the two whose
// equal values are most informative. `matches`: expected number of matches by pattern of
// `candidates`; `bits`: typical bits of levels, above 0 if fields agree, below 0 if they differ.
// Returns nullopt if few matches differ. O(patterns · fields²) for the twenty most informative
// fields.
[[nodiscard]] std::optional<FieldPair> fields_of_families(const LevelPatterns& candidates,
                                                          std::span<const double> matches,
                                                          const LevelBits& bits);

// Pairs of fields that differ together in this way, with or without a third one.
[[nodiscard]] std::vector<FieldPair> fields_that_differ_together(const LevelPatterns& candidates,
                                                                 std::span<const double> matches,
                                                                 const LevelBits& bits);

// Two fields in which a considerable share of the matches differ together, by `part`.
struct DifferingFields {
  FieldPair fields;
  double part = 0;
};

// Pairs of fields in which at least a tenth of the matches differ together, and rarely in one
// alone, as members of a household differ in given name and birth date; or in which most differ
// together.
[[nodiscard]] std::vector<DifferingFields> fields_of_households(const LevelPatterns& candidates,
                                                                std::span<const double> matches,
                                                                const LevelBits& bits);

// By field, share of the matches that differ in this informative field alone and agree in all
// others, as members of a household differ in their given names; 0 if fewer than ten do.
[[nodiscard]] std::vector<double> parts_that_differ_alone(const LevelPatterns& candidates,
                                                          std::span<const double> matches,
                                                          const LevelBits& bits);

// The field in which most of the matches differ that differ in nothing else, if these are at least
// 0.15 of all. `parts`: parts_that_differ_alone(). `may_tell`: by field, such as
// recurring_fields(); other fields change, as telephone numbers do, or describe something else, as
// titles do.
[[nodiscard]] std::optional<std::size_t> field_that_differs_alone(
    const std::vector<double>& parts, const std::vector<bool>& may_tell);

// Fields in which strangers have equal values occasionally, such as given names: at least one in
// 2,000 of the `random` pairs, weighted, that agree in no other informative field.
[[nodiscard]] std::vector<bool> recurring_fields(const LevelPatterns& random,
                                                 std::span<const double> weights,
                                                 const LevelBits& bits);

// True for a pair that differs in both of these fields, or in one of them and lacks the other.
[[nodiscard]] bool differ_together(std::span<const std::uint8_t> levels, const FieldPair& fields,
                                   const LevelBits& bits);

}  // namespace sosie

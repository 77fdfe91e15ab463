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

// Two fields that reveal that some apparent matches are members of a family, such as people at the
// same address: if one of the two fields differs, the other nearly always differs as well, together
// with a third field. Records of the same entity differ because of errors, which occur in single
// fields, or because of a move, which changes an address. Among several such pairs of fields, the
// one whose equal values are most informative is returned. `matches`: expected number of matches
// for each pattern of `candidates`; `bits`: typical bits of levels, positive if fields agree and
// negative if they differ. Returns nullopt if few matches differ. O(patterns · fields²) for the
// twenty most informative fields.
[[nodiscard]] std::optional<FieldPair> fields_of_families(const LevelPatterns& candidates,
                                                          std::span<const double> matches,
                                                          const LevelBits& bits);

// All pairs of fields that differ together in this way, with or without a third field.
[[nodiscard]] std::vector<FieldPair> fields_that_differ_together(const LevelPatterns& candidates,
                                                                 std::span<const double> matches,
                                                                 const LevelBits& bits);

// Two fields in which a considerable share (`part`) of the matches differ together.
struct DifferingFields {
  FieldPair fields;
  double part = 0;
};

// Pairs of fields in which at least a tenth of the matches differ together and few differ in only
// one of them, as the members of a household differ in given name and birth date; or in which most
// matches differ together.
[[nodiscard]] std::vector<DifferingFields> fields_of_households(const LevelPatterns& candidates,
                                                                std::span<const double> matches,
                                                                const LevelBits& bits);

// For each informative field, the share of matches that differ in this field and agree in all
// others, as the members of a household differ in their given names; 0 if fewer than ten matches
// do.
[[nodiscard]] std::vector<double> parts_that_differ_alone(const LevelPatterns& candidates,
                                                          std::span<const double> matches,
                                                          const LevelBits& bits);

// The field in which most of the matches differ that differ in a single field, if such matches are
// at least 0.15 of all. `parts`: from parts_that_differ_alone(). `may_tell`: by field, for example
// from recurring_fields(); other fields may change, as telephone numbers do, or describe something
// else, as titles do.
[[nodiscard]] std::optional<std::size_t> field_that_differs_alone(
    const std::vector<double>& parts, const std::vector<bool>& may_tell);

// Fields in which unrelated records occasionally have equal values, such as given names: at least
// one in 2,000 of those `random` pairs, weighted, that agree in no other informative field.
[[nodiscard]] std::vector<bool> recurring_fields(const LevelPatterns& random,
                                                 std::span<const double> weights,
                                                 const LevelBits& bits);

// True for a pair that differs in both fields, or that differs in one of them and lacks the other.
[[nodiscard]] bool differ_together(std::span<const std::uint8_t> levels, const FieldPair& fields,
                                   const LevelBits& bits);

}  // namespace sosie

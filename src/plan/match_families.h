#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/level_patterns.h"
#include "plan/match_model.h"

namespace sosie {

// Bits by field and level; level 0: 0.
using LevelBits = std::vector<std::vector<double>>;

// Two fields that show that some matches are none, but members of a family, such as people of one
// address: where one of the fields differs, the other one nearly always differs, and they go
// together, and a third field goes with both. Within pairs of one entity fields differ by mistakes,
// which come alone; or by a move, which changes an address: of several such fields the two whose
// equal values say most. `matches`: expected number of matches by pattern of `candidates`; `bits`:
// what levels usually say, where fields agree more than 0, where they differ less. Nothing where
// few matches differ. O(patterns · fields²) of the twenty fields that say most.
[[nodiscard]] std::optional<FieldPair> fields_of_families(const LevelPatterns& candidates,
                                                          std::span<const double> matches,
                                                          const LevelBits& bits);

// Pairs of fields that differ together so, whether or not a third one goes with both.
[[nodiscard]] std::vector<FieldPair> fields_that_differ_together(const LevelPatterns& candidates,
                                                                 std::span<const double> matches,
                                                                 const LevelBits& bits);

// Two fields in which a good part of the matches differ together, by `part`.
struct DifferingFields {
  FieldPair fields;
  double part = 0;
};

// Pairs of fields in which at least a tenth of the matches differ together, and seldom in one
// alone, as members of a household differ in given name and birth date; or in which most differ
// together.
[[nodiscard]] std::vector<DifferingFields> fields_of_households(const LevelPatterns& candidates,
                                                                std::span<const double> matches,
                                                                const LevelBits& bits);

// Parts of the matches that differ in one telling field and agree in all others, as members of a
// household differ in their given names, by field; 0 where under ten do.
[[nodiscard]] std::vector<double> parts_that_differ_alone(const LevelPatterns& candidates,
                                                          std::span<const double> matches,
                                                          const LevelBits& bits);

// The field in which most of the matches differ that differ in nothing else, if those are at least
// .15 of all. `parts`: parts_that_differ_alone(). `may_tell`: by field, such as recurring_fields();
// others change, as telephone numbers do, or are of something else, as titles are.
[[nodiscard]] std::optional<std::size_t> field_that_differs_alone(
    const std::vector<double>& parts, const std::vector<bool>& may_tell);

// Fields of which strangers have equal values now and then, as given names: of `random` pairs that
// agree in no other telling field, weighted, at least one in 2,000.
[[nodiscard]] std::vector<bool> recurring_fields(const LevelPatterns& random,
                                                 std::span<const double> weights,
                                                 const LevelBits& bits);

// True for a pair that differs in both of these fields, or in one and lacks the other.
[[nodiscard]] bool differ_together(std::span<const std::uint8_t> levels, const FieldPair& fields,
                                   const LevelBits& bits);

}  // namespace sosie

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/kinds.h"
#include "data/measure.h"
#include "verify/bit_measures.h"
#include "verify/vector_measures.h"

namespace sosie {

enum class EditMeasure : std::uint8_t;  // verify/edit_pattern.h

// A measure of strings. Made of a row of the table of measures (verify/measures.h). It is a
// distance; a bound may also be given as the similarity that EditBound makes of it.
struct StringMeasure {
  std::string_view name = {};
  bool is_similarity = false;
  EditMeasure edits = {};
};

// Rows of the table of measures.
[[nodiscard]] std::optional<StringMeasure> levenshtein_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<StringMeasure> indel_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<StringMeasure> osa_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<StringMeasure> damerau_measure(MeasureParameters parameters);

inline constexpr std::size_t kMostParameters = 2;

// Makes a measure of as many parameters as its row names; nothing when they are out of range.
using MakeMeasure = std::variant<std::optional<Measure> (*)(MeasureParameters parameters),
                                 std::optional<VectorMeasure> (*)(MeasureParameters parameters),
                                 std::optional<BitMeasure> (*)(MeasureParameters parameters),
                                 std::optional<StringMeasure> (*)(MeasureParameters parameters)>;

// Parameters that make a measure the same as another one.
struct SameMeasure {
  std::array<Rational, kMostParameters> parameters = {};
  std::string_view name = {};
};

// A row of the table of measures: what `--measure` takes, for which kinds, and what it means there.
struct MeasureRow {
  std::string_view name;             // without parameters
  std::string_view parameters = {};  // names that stand behind the name and a colon, as in "A,B"
  unsigned kinds;                    // kind_bit()
  bool is_similarity;                // else a distance
  std::string_view hashed_as = {};   // distance that hash families know it by; empty: no lsh
  std::string_view source;
  MakeMeasure make;
  bool has_distance = false;        // 1 - similarity is a distance, which --within can bound
  bool counts_repetitions = false;  // makes bags of what would be sets
  std::string_view usual = {};      // usual parameters, separated by blanks
  std::array<SameMeasure, 3> same = {};

  // Name as documentation shows it: "euclidean", "minkowski:R".
  [[nodiscard]] std::string shown_name() const;
  // True if items can be compared by this --method (not auto).
  [[nodiscard]] bool has_method(std::string_view method) const noexcept;
};

// The table of measures. The first row of a kind is what it is compared by unless one is named.
[[nodiscard]] std::span<const MeasureRow> measure_table() noexcept;
[[nodiscard]] std::string_view default_measure(unsigned kind) noexcept;

// The measure that is typed "jaccard" or "minkowski:2.5", and means something for one of `kinds`.
struct TypedMeasure {
  const MeasureRow* row = nullptr;
  std::array<Rational, kMostParameters> parameters = {};
};
// Nothing when there is none, or when its parameters are out of range. minkowski:2 is euclidean,
// and so on.
[[nodiscard]] std::optional<TypedMeasure> typed_measure(std::string_view typed,
                                                        unsigned kinds = ~0U);

// The typed measure as items of one of the kinds are compared by it; nothing when it is not for
// them.
[[nodiscard]] std::optional<Measure> set_measure(std::string_view typed,
                                                 unsigned kinds = kTextItems | kSetItems |
                                                                  kBagItems);
[[nodiscard]] std::optional<VectorMeasure> vector_measure(std::string_view typed);
[[nodiscard]] std::optional<BitMeasure> bit_measure(std::string_view typed);
[[nodiscard]] std::optional<StringMeasure> string_measure(std::string_view typed);

// All measures of sets, those with parameters by their usual ones.
[[nodiscard]] std::vector<Measure> usual_set_measures();

}  // namespace sosie

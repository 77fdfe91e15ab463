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

// A measure of strings, created from a row of the table of measures (verify/measures.h). It is a
// distance; its bound may also be a similarity, as defined by EditBound.
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

// Creates a measure with as many parameters as its row names; nullopt if the parameters are out of
// range.
using MakeMeasure = std::variant<std::optional<Measure> (*)(MeasureParameters parameters),
                                 std::optional<VectorMeasure> (*)(MeasureParameters parameters),
                                 std::optional<BitMeasure> (*)(MeasureParameters parameters),
                                 std::optional<StringMeasure> (*)(MeasureParameters parameters)>;

// Parameters for which a measure equals another one.
struct SameMeasure {
  std::array<Rational, kMostParameters> parameters = {};
  std::string_view name = {};
};

// A row of the table of measures: a value of `--measure`, its kinds, and the measure for each kind.
struct MeasureRow {
  std::string_view name;             // without parameters
  std::string_view parameters = {};  // names, written after the name and a colon, as in "A,B"
  KindBit kinds;
  bool is_similarity;               // else a distance
  std::string_view hashed_as = {};  // name of the distance for hash families; empty: no lsh
  std::string_view source;
  MakeMeasure make;
  bool has_distance = false;        // 1 - similarity is a distance, which --within can bound
  bool counts_repetitions = false;  // compares bags instead of sets
  std::string_view usual = {};      // default parameters, separated by spaces
  std::array<SameMeasure, 3> same = {};

  // Name in documentation: "euclidean", "minkowski:R".
  [[nodiscard]] std::string shown_name() const;
  // True if items can be compared with this --method (not auto).
  [[nodiscard]] bool has_method(Method method) const noexcept;
};

// The table of measures. The first row for a kind is its default.
[[nodiscard]] std::span<const MeasureRow> measure_table() noexcept;
[[nodiscard]] std::string_view default_measure(KindBit kind) noexcept;

// The measure named "jaccard" or "minkowski:2.5", if it applies to one of `kinds`.
struct TypedMeasure {
  const MeasureRow* row = nullptr;
  std::array<Rational, kMostParameters> parameters = {};
};
// Returns nullopt if there is no such measure or if its parameters are out of range. minkowski:2
// becomes euclidean, and so on.
[[nodiscard]] std::optional<TypedMeasure> typed_measure(std::string_view typed,
                                                        KindBit kinds = ~KindBit{});

// The named measure for items of one of these kinds; nullopt if it does not apply to them.
[[nodiscard]] std::optional<Measure> set_measure(std::string_view typed,
                                                 KindBit kinds = kTextItems | kSetItems |
                                                                 kBagItems);
[[nodiscard]] std::optional<VectorMeasure> vector_measure(std::string_view typed);
[[nodiscard]] std::optional<BitMeasure> bit_measure(std::string_view typed);
[[nodiscard]] std::optional<StringMeasure> string_measure(std::string_view typed);

// All set measures, with their default parameters.
[[nodiscard]] std::vector<Measure> usual_set_measures();

}  // namespace sosie

// TABLE: every measure of every kind of item, once; the source of typed names, hints, help and
// documentation.
#include "verify/measures.h"

#include <algorithm>

#include "verify/canberra.h"
#include "verify/dice.h"
#include "verify/edit_pattern.h"
#include "verify/jaccard.h"
#include "verify/overlap_coefficient.h"
#include "verify/set_cosine.h"
#include "verify/tversky.h"

namespace sosie {
namespace {

constexpr KindBit kOfSets = kTextItems | kSetItems;
constexpr Rational kHalf = {1, 2};

constexpr std::array kMeasures = {
    MeasureRow{.name = "jaccard",
               .kinds = kOfSets,
               .is_similarity = true,
               .hashed_as = "jaccard",
               .source = "MMDS 3.1.1",
               .make = jaccard_measure,
               .has_distance = true},
    MeasureRow{.name = "bag-jaccard",
               .kinds = kTextItems | kBagItems,
               .is_similarity = true,
               .hashed_as = "jaccard",
               .source = "MMDS 3.1.3, union by the greatest multiplicity",
               .make = jaccard_measure,
               .has_distance = true,
               .counts_repetitions = true},
    MeasureRow{.name = "dice",
               .kinds = kOfSets,
               .is_similarity = true,
               .source = "Dice 1945",
               .make = dice_measure},
    MeasureRow{.name = "overlap",
               .kinds = kOfSets,
               .is_similarity = true,
               .source = "Szymkiewicz 1934; Simpson 1943",
               .make = overlap_measure},
    MeasureRow{.name = "containment",
               .kinds = kOfSets,
               .is_similarity = true,
               .source = "Broder 1997",
               .make = containment_measure},
    MeasureRow{.name = "cosine",
               .kinds = kOfSets,
               .is_similarity = true,
               .source = "Ochiai 1957",
               .make = set_cosine_measure},
    MeasureRow{.name = "tversky",
               .parameters = "A,B",
               .kinds = kOfSets | kBagItems,
               .is_similarity = true,
               .source = "Tversky 1977",
               .make = tversky_measure,
               .usual = "0.5,0.5 1,1 1,0 0,1 0.3,0.7 0.9,0.1 2,1",
               .same = {SameMeasure{{Rational{1, 1}, Rational{1, 1}}, "jaccard"},
                        SameMeasure{{kHalf, kHalf}, "dice"},
                        SameMeasure{{Rational{1, 1}, Rational{0, 1}}, "containment"}}},
    MeasureRow{.name = "cosine",
               .kinds = kVectorItems,
               .is_similarity = true,
               .hashed_as = "angle",
               .source = "cosine of the angle (MMDS 3.5.4)",
               .make = cosine_measure},
    MeasureRow{.name = "angle",
               .kinds = kVectorItems,
               .is_similarity = false,
               .hashed_as = "angle",
               .source = "MMDS 3.5.4",
               .make = angle_measure},
    MeasureRow{.name = "euclidean",
               .kinds = kVectorItems,
               .is_similarity = false,
               .hashed_as = "euclidean",
               .source = "L2 (MMDS 3.5.2)",
               .make = euclidean_measure},
    MeasureRow{.name = "manhattan",
               .kinds = kVectorItems,
               .is_similarity = false,
               .hashed_as = "manhattan",
               .source = "L1 (MMDS 3.5.2); never below L2",
               .make = manhattan_measure},
    MeasureRow{.name = "chebyshev",
               .kinds = kVectorItems,
               .is_similarity = false,
               .source = "L-infinity (MMDS 3.5.2); L2 is at most sqrt(dimension) times it",
               .make = chebyshev_measure},
    MeasureRow{.name = "minkowski",
               .parameters = "R",
               .kinds = kVectorItems,
               .is_similarity = false,
               .source = "L_r (MMDS 3.5.2)",
               .make = minkowski_measure,
               .usual = "1 1.5 2 2.5 3 4 5 6 7 8 9 10",
               .same = {SameMeasure{{Rational{1, 1}}, "manhattan"},
                        SameMeasure{{Rational{2, 1}}, "euclidean"}}},
    MeasureRow{.name = "canberra",
               .kinds = kVectorItems,
               .is_similarity = false,
               .source = "Lance, Williams 1967",
               .make = canberra_measure},
    MeasureRow{.name = "hamming",
               .kinds = kVectorItems,
               .is_similarity = false,
               .source = "components that differ (MMDS 3.5.6)",
               .make = hamming_measure},
    MeasureRow{.name = "dot",
               .kinds = kVectorItems,
               .is_similarity = true,
               .source = "inner product; neither a distance nor derived from one",
               .make = dot_measure},
    MeasureRow{.name = "hamming",
               .kinds = kBitItems,
               .is_similarity = false,
               .hashed_as = "hamming",
               .source = "positions that differ (MMDS 3.5.6)",
               .make = bit_hamming_measure},
    MeasureRow{.name = "jaccard",
               .kinds = kBitItems,
               .is_similarity = true,
               .source = "of the sets of 1s (MMDS 3.1.1); Tanimoto similarity of fingerprints",
               .make = bit_jaccard_measure},
    MeasureRow{.name = "levenshtein",
               .kinds = kStringItems,
               .is_similarity = false,
               .source = "insertions, deletions, replacements (Levenshtein 1966)",
               .make = levenshtein_measure},
    MeasureRow{.name = "indel",
               .kinds = kStringItems,
               .is_similarity = false,
               .source = "insertions, deletions (MMDS 3.5.5)",
               .make = indel_measure},
    MeasureRow{
        .name = "osa",
        .kinds = kStringItems,
        .is_similarity = false,
        .source =
            "levenshtein, plus swaps of adjacent characters that are not edited again; may break "
            "the triangle inequality",
        .make = osa_measure},
    MeasureRow{.name = "damerau",
               .kinds = kStringItems,
               .is_similarity = false,
               .source =
                   "levenshtein, plus swaps of adjacent characters (Damerau 1964; Lowrance, Wagner "
                   "1975)",
               .make = damerau_measure},
};

std::size_t count_of(std::string_view parameters) noexcept {
  if (parameters.empty()) return 0;
  return 1 + static_cast<std::size_t>(std::count(parameters.begin(), parameters.end(), ','));
}

// Parses "0.5,2" as fractions; empty unless there are `count` of them.
std::optional<std::array<Rational, kMostParameters>> parse_parameters(std::string_view text,
                                                                      std::size_t count) {
  std::array<Rational, kMostParameters> parameters;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == count)) return std::nullopt;
    const auto parameter = parse_bound(text.substr(0, comma), BoundSide::not_below);
    if (!parameter || !parameter->is_whole) return std::nullopt;
    parameters[i] = parameter->terms();
    text.remove_prefix(std::min(text.size(), comma + 1));
  }
  return parameters;
}

const MeasureRow* row_of(std::string_view name, KindBit kinds) noexcept {
  const auto* found = std::find_if(kMeasures.begin(), kMeasures.end(), [&](const MeasureRow& row) {
    return row.name == name && has_any(row.kinds, kinds);
  });
  return found == kMeasures.end() ? nullptr : found;
}

// The measure of this type that the row creates; empty if there is none.
template <typename Made>
std::optional<Made> made_of(const TypedMeasure& typed) {
  const auto* make = std::get_if<std::optional<Made> (*)(MeasureParameters)>(&typed.row->make);
  if (make == nullptr) return std::nullopt;
  auto measure = (*make)(typed.parameters);
  if (measure) measure->name = typed.row->name;
  return measure;
}

bool can_make(const TypedMeasure& typed) {
  return std::visit([&](const auto& make) { return make(typed.parameters).has_value(); },
                    typed.row->make);
}

template <typename Made>
std::optional<Made> measure_of(std::string_view typed, KindBit kinds) {
  const auto found = typed_measure(typed, kinds);
  if (!found) return std::nullopt;
  auto measure = made_of<Made>(*found);
  if constexpr (std::is_same_v<Made, Measure>) {
    if (measure) measure->distance = found->row->hashed_as;
  } else {
    if (measure) measure->is_similarity = found->row->is_similarity;
  }
  return measure;
}

}  // namespace

std::optional<StringMeasure> levenshtein_measure(MeasureParameters /*parameters*/) {
  return StringMeasure{.edits = EditMeasure::levenshtein};
}

std::optional<StringMeasure> indel_measure(MeasureParameters /*parameters*/) {
  return StringMeasure{.edits = EditMeasure::indel};
}

std::optional<StringMeasure> osa_measure(MeasureParameters /*parameters*/) {
  return StringMeasure{.edits = EditMeasure::osa};
}

std::optional<StringMeasure> damerau_measure(MeasureParameters /*parameters*/) {
  return StringMeasure{.edits = EditMeasure::damerau};
}

std::string MeasureRow::shown_name() const {
  return std::string(name) + (parameters.empty() ? "" : ":") + std::string(parameters);
}

bool MeasureRow::has_method(Method method) const noexcept {
  return method != Method::lsh || !hashed_as.empty();
}

std::span<const MeasureRow> measure_table() noexcept { return kMeasures; }

std::string_view default_measure(KindBit kind) noexcept {
  const auto* found = std::find_if(kMeasures.begin(), kMeasures.end(),
                                   [&](const MeasureRow& row) { return has_any(row.kinds, kind); });
  return found == kMeasures.end() ? std::string_view{} : found->name;
}

std::optional<TypedMeasure> typed_measure(std::string_view typed, KindBit kinds) {
  const std::size_t colon = typed.find(':');
  const MeasureRow* row = row_of(typed.substr(0, colon), kinds);
  if (row == nullptr || (colon != std::string_view::npos) == row->parameters.empty()) {
    return std::nullopt;
  }
  if (row->parameters.empty()) return TypedMeasure{row};
  const auto parameters = parse_parameters(typed.substr(colon + 1), count_of(row->parameters));
  if (!parameters) return std::nullopt;
  for (const SameMeasure& same : row->same) {
    if (same.name.empty() || same.parameters != *parameters) continue;
    if (const MeasureRow* other = row_of(same.name, kinds & row->kinds)) return TypedMeasure{other};
  }
  const TypedMeasure measure{row, *parameters};
  return can_make(measure) ? std::optional(measure) : std::nullopt;
}

std::optional<Measure> set_measure(std::string_view typed, KindBit kinds) {
  return measure_of<Measure>(typed, kinds);
}

std::optional<VectorMeasure> vector_measure(std::string_view typed) {
  return measure_of<VectorMeasure>(typed, kVectorItems);
}

std::optional<BitMeasure> bit_measure(std::string_view typed) {
  return measure_of<BitMeasure>(typed, kBitItems);
}

std::optional<StringMeasure> string_measure(std::string_view typed) {
  return measure_of<StringMeasure>(typed, kStringItems);
}

std::vector<Measure> usual_set_measures() {
  std::vector<Measure> measures;
  for (const MeasureRow& row : kMeasures) {
    std::string_view usual = row.usual;
    do {
      const std::string_view parameters = usual.substr(0, usual.find(' '));
      usual.remove_prefix(std::min(usual.size(), parameters.size() + 1));
      const std::array<Rational, kMostParameters> none = {};
      const auto made = made_of<Measure>(
          {&row, parse_parameters(parameters, count_of(row.parameters)).value_or(none)});
      if (made) measures.push_back(*made);
    } while (!usual.empty());
  }
  return measures;
}

}  // namespace sosie

#include "verify/measures.h"

#include <algorithm>
#include <array>

#include "core/find_by_name.h"
#include "verify/dice.h"
#include "verify/jaccard.h"
#include "verify/overlap_coefficient.h"
#include "verify/set_cosine.h"

namespace sosie {
namespace {

double jaccard_similarity(const Overlap& overlap) noexcept { return overlap.jaccard(); }

ExactSimilarity jaccard_fraction(const Overlap& o) noexcept { return {o.shared, o.united}; }

ExactSimilarity bag_sum_fraction(const Overlap& o) noexcept {
  return {o.shared, std::uint64_t{o.shared} + o.united};
}

ExactSimilarity dice_fraction(const Overlap& o) noexcept {
  return {2 * std::uint64_t{o.shared}, std::uint64_t{o.left} + o.right()};
}

ExactSimilarity overlap_fraction(const Overlap& o) noexcept {
  return {o.shared, std::min(o.left, o.right())};
}

ExactSimilarity containment_fraction(const Overlap& o) noexcept { return {o.shared, o.left}; }

ExactSimilarity cosine_fraction(const Overlap& o) noexcept {
  return {o.shared, std::uint64_t{o.left} * o.right(), true};
}

constexpr std::array kMeasures = {
    Measure{.name = "jaccard",
            .distance = "jaccard",
            .source = "MMDS 3.1.1",
            .overlap = set_overlap,
            .reaches = jaccard_reaches,
            .sizes_can_reach = jaccard_sizes_can_reach,
            .largest_difference = jaccard_largest_difference,
            .least_overlap = jaccard_least_overlap,
            .smallest_partner = jaccard_smallest_partner,
            .largest_partner = jaccard_largest_partner,
            .similarity = jaccard_similarity,
            .fraction = jaccard_fraction,
            .is_above = jaccard_is_above},
    // The same of bags: their elements come numbered by occurrence (represent/bags.h).
    Measure{.name = "bag-jaccard",
            .distance = "jaccard",
            .source = "MMDS 3.1.3, union by the greatest multiplicity",
            .overlap = set_overlap,
            .reaches = jaccard_reaches,
            .sizes_can_reach = jaccard_sizes_can_reach,
            .largest_difference = jaccard_largest_difference,
            .least_overlap = jaccard_least_overlap,
            .smallest_partner = jaccard_smallest_partner,
            .largest_partner = jaccard_largest_partner,
            .similarity = jaccard_similarity,
            .fraction = jaccard_fraction,
            .is_above = jaccard_is_above},
    Measure{.name = "dice",
            .distance = "dice",
            .source = "Dice 1945",
            .overlap = set_overlap,
            .reaches = dice_reaches,
            .sizes_can_reach = dice_sizes_can_reach,
            .largest_difference = dice_largest_difference,
            .least_overlap = dice_least_overlap,
            .smallest_partner = dice_smallest_partner,
            .largest_partner = dice_largest_partner,
            .similarity = dice,
            .fraction = dice_fraction,
            .is_above = jaccard_is_above},
    Measure{.name = "overlap",
            .distance = {},
            .source = "Szymkiewicz 1934; Simpson 1943",
            .overlap = set_overlap,
            .reaches = overlap_reaches,
            .sizes_can_reach = overlap_sizes_can_reach,
            .largest_difference = overlap_largest_difference,
            .least_overlap = overlap_least_overlap,
            .smallest_partner = overlap_smallest_partner,
            .largest_partner = overlap_largest_partner,
            .similarity = overlap_coefficient,
            .fraction = overlap_fraction,
            .is_above = overlap_is_above},
    Measure{.name = "containment",
            .distance = {},
            .source = "Broder 1997",
            .overlap = set_overlap,
            .reaches = overlap_reaches,
            .sizes_can_reach = overlap_sizes_can_reach,
            .largest_difference = overlap_largest_difference,
            .least_overlap = overlap_least_overlap,
            .smallest_partner = overlap_smallest_partner,
            .largest_partner = overlap_largest_partner,
            .similarity = containment,
            .fraction = containment_fraction,
            .is_above = containment_is_above,
            .left_reaches = containment_left_reaches},
    Measure{.name = "cosine",
            .distance = {},
            .source = "Ochiai 1957",
            .overlap = set_overlap,
            .reaches = set_cosine_reaches,
            .sizes_can_reach = set_cosine_sizes_can_reach,
            .largest_difference = set_cosine_largest_difference,
            .least_overlap = set_cosine_least_overlap,
            .smallest_partner = set_cosine_smallest_partner,
            .largest_partner = set_cosine_largest_partner,
            .similarity = set_cosine,
            .fraction = cosine_fraction,
            .is_above = set_cosine_is_above},
};

// bag-jaccard, where only the printed figure is another (Settings: the threshold is translated).
constexpr Measure of_sum(Measure measure) {
  measure.source = "MMDS 3.1.3";
  measure.similarity = bag_jaccard_sum;
  measure.fraction = bag_sum_fraction;
  return measure;
}

constexpr Measure kBagJaccardOfSum = of_sum(kMeasures[1]);

}  // namespace

std::span<const Measure> measures() noexcept { return kMeasures; }

const Measure* measure_by_name(std::string_view name) noexcept {
  return find_by_name(measures(), name);
}

const Measure& bag_jaccard_of_sum() noexcept { return kBagJaccardOfSum; }

}  // namespace sosie

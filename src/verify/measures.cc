#include "verify/measures.h"

#include <array>

#include "core/find_by_name.h"
#include "verify/dice.h"
#include "verify/jaccard.h"

namespace sosie {
namespace {

double jaccard_similarity(const Overlap& overlap) noexcept { return overlap.jaccard(); }

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
            .similarity = jaccard_similarity},
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
            .similarity = jaccard_similarity},
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
            .similarity = dice},
};

}  // namespace

std::span<const Measure> measures() noexcept { return kMeasures; }

const Measure* measure_by_name(std::string_view name) noexcept {
  return find_by_name(measures(), name);
}

}  // namespace sosie

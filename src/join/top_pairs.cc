#include "join/top_pairs.h"

#include <array>

namespace sosie {
namespace {

constexpr std::array<Rational, 11> kThresholds = {{{9, 10},
                                                   {4, 5},
                                                   {7, 10},
                                                   {3, 5},
                                                   {1, 2},
                                                   {2, 5},
                                                   {3, 10},
                                                   {1, 5},
                                                   {1, 10},
                                                   {1, 100},
                                                   {1, 1000}}};
constexpr Rational kLeast{1, (std::uint64_t{1} << 31) - 1};  // there is no lesser fraction

}  // namespace

std::unique_ptr<PairRows> pairs_of_falling_thresholds(Run& run, std::uint64_t count) {
  for (const Rational& threshold : kThresholds) {
    run.settings.threshold = threshold;
    std::unique_ptr<PairRows> rows = run.similar_rows("comparing");
    if (rows->count() >= count) return rows;
  }
  run.settings.threshold = kLeast;
  return run.similar_rows("comparing");
}

}  // namespace sosie

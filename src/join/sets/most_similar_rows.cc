// The most similar pairs, when no threshold is given.
#include "join/sets/most_similar_rows.h"

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

}  // namespace

std::unique_ptr<RowPairCollector> most_similar_rows(SetRun& run) {
  for (const Rational& threshold : kThresholds) {
    if (run.options.top > 0) break;  // some row nearly always has too few
    run.settings.threshold = threshold;
    std::unique_ptr<RowPairCollector> rows = run.similar_rows("comparing");
    if (rows->count() >= run.options.top_pairs) return rows;
  }
  run.settings.threshold = kLeastThreshold;
  return run.similar_rows("comparing");
}

}  // namespace sosie

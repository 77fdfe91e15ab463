// Joins sets by a cascade of AND- and OR-constructions and verifies the pairs it finds.
#include "join/sets/cascade_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "candidates/banded_join.h"
#include "core/count_text.h"
#include "core/mix64.h"
#include "data/padded_bytes.h"
#include "join/grouped_join.h"
#include "join/sets/exact_join.h"
#include "plan/candidate_probability.h"
#include "read/element_list.h"
#include "represent/element_lines.h"
#include "sketch/band_keys.h"
#include "sketch/grid_triples.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kCascadeItemsATask = 256;
constexpr std::uint64_t kForecastPairs = std::uint64_t{1} << 17;

// The squares from which functions are drawn, ascending: all squares of a grid with a size,
// otherwise the squares that occur.
std::vector<std::uint64_t> squares_of(const HashedSets& sets, const Grid& grid) {
  std::vector<std::uint64_t> squares;
  if (grid.is_bounded()) {
    PaddedBytes lines;
    lines.assign(all_squares(grid));
    squares.resize(hash_element_lines(lines.view(), squares));
  } else {
    squares = sets.hashes;
  }
  std::sort(squares.begin(), squares.end());
  squares.erase(std::unique(squares.begin(), squares.end()), squares.end());
  squares.shrink_to_fit();
  return squares;
}

// Places paired by a scope: left places, followed by right places if these are different.
struct Sides {
  std::vector<std::uint32_t> rows;
  std::size_t split = 0;  // 0: all with all
};

// Empty if one side has no set.
Sides sides_of(const HashedSets& sets, const PairScope& scope) {
  Sides sides;
  if (scope.left_end == 0) return sides;
  for (Place place = 0; place < sets.size(); ++place) {
    if (place == scope.right_begin && place > 0) sides.split = sides.rows.size();
    if (sets.starts[place] < sets.starts[place + 1]) sides.rows.push_back(place);
  }
  if (scope.right_begin > 0 && (sides.split == 0 || sides.split == sides.rows.size())) return {};
  return sides;
}

}  // namespace

std::string cascade_text(const SetCascade& cascade) {
  return fmt::format("lsh: {}, {} functions, {}{}",
                     construction_text(cascade.shape.rows > 1 ? construction_of(cascade.shape)
                                                              : over_bands(cascade.shape)),
                     cascade.shape.bands * cascade.shape.rows, cascade.family->name,
                     cascade.squares > 0 ? fmt::format(" ({} squares)", cascade.squares) : "");
}

std::optional<double> recall_at_threshold(const Settings& settings) {
  const SetCascade& cascade = *settings.cascade;
  if (cascade.squares > 0) return std::nullopt;
  return amplify(construction_of(cascade.shape),
                 cascade.family->collision_probability(1 - settings.threshold.value()))
      .found;
}

std::string cost_warning(const CascadeForecast& forecast) {
  if (forecast.bucketed <= forecast.pairs) return {};
  return fmt::format(
      "costs {:.1f} times as much as brute force: its buckets yield pairs about {} times, but "
      "there are only {} pairs; --method exact or brute finds every pair",
      forecast.bucketed / forecast.pairs, count_text(static_cast<std::uint64_t>(forecast.bucketed)),
      count_text(static_cast<std::uint64_t>(forecast.pairs)));
}

void refuse_sets_of_cascade() {
  throw Error(ErrorKind::limit_exceeded, RefusedOption{"construct"},
              "a cascade needs the sets of all rows, but they do not fit in --memory",
              "raise --memory, or use --bands, which needs no sets");
}

CascadeJoin::CascadeJoin(Corpus& corpus, const Items& items, const Settings& settings,
                         ThreadPool& pool)
    : settings_(settings),
      cascade_(*settings.cascade),
      rule_(over_bands(cascade_.shape)),
      pool_(pool) {
  const std::uint64_t copies = cascade_.squares > 0 ? 3 : 2;
  const std::uint64_t need = element_count(corpus) * copies * sizeof(std::uint64_t);
  if (corpus.spilled_sets || need > settings.memory_bytes) {
    refuse_sets_of_cascade();
  }
  sets_ = gather_sets(corpus, items, pool);
  if (cascade_.squares == 0) return;
  grid_ = squares_of(sets_, settings.elements.grid);
  if (!grid_.empty() && grid_.size() < static_cast<std::size_t>(cascade_.squares)) {
    throw Error(ErrorKind::unsupported, RefusedOption{"squares", std::to_string(cascade_.squares)},
                fmt::format("there are only {}", plural_text(grid_.size(), "square", "squares")),
                "each function draws that many different squares; use a smaller number");
  }
}

double CascadeJoin::collision(const Overlap& overlap) const noexcept {
  if (cascade_.squares > 0) {
    return shared_squares_collision(overlap.shared, grid_.size(), cascade_.squares);
  }
  return cascade_.family->collision_probability(1 - overlap.jaccard());
}

CascadeForecast CascadeJoin::forecast(const PairScope& scope) const {
  const Sides sides = sides_of(sets_, scope);
  const std::size_t lefts = sides.split > 0 ? sides.split : sides.rows.size();
  const std::size_t first = sides.split;
  const std::size_t rights = sides.rows.size() - first;
  CascadeForecast sum;
  if (sides.rows.size() < 2) return sum;
  const auto all = static_cast<double>(lefts) * static_cast<double>(rights);
  sum.pairs = sides.split > 0 ? all : (all - static_cast<double>(lefts)) / 2;
  const Construction over = over_bands(cascade_.shape);
  const auto bucketed = static_cast<double>(bucketed_bands(cascade_.shape));
  double found = 0;
  for (std::uint64_t i = 0; i < kForecastPairs; ++i) {
    const Place left = sides.rows[random64(settings_.seed, i) % lefts];
    const Place right = sides.rows[first + random64(~settings_.seed, i) % rights];
    if (left == right) continue;
    const Overlap overlap = settings_.measure->overlap(set(left), set(right));
    const double met =
        integer_power(collision(overlap), static_cast<std::uint64_t>(cascade_.shape.rows));
    const double p = amplify(over, met).found;
    sum.sampled += 1;
    sum.candidates += p;
    sum.bucketed += bucketed * met;
    if (!settings_.measure->reaches(overlap, settings_.threshold)) continue;
    sum.near += 1;
    found += p;
  }
  if (sum.near > 0) sum.recall_of_near = found / sum.near;
  const double scale = sum.pairs / std::max(1.0, sum.sampled);
  sum.candidates *= scale;
  sum.bucketed *= scale;
  return sum;
}

void CascadeJoin::hash_by_minhash(BandedRows& table) const {
  const auto rows = static_cast<std::size_t>(cascade_.shape.rows);
  const std::size_t components = std::bit_ceil(std::max<std::size_t>(16, table.bands * rows));
  pool_.for_each(
      (table.rows + kCascadeItemsATask - 1) / kCascadeItemsATask, [&](unsigned, std::size_t task) {
        pool_.check_cancelled();
        MinHasher hasher(static_cast<int>(components), settings_.seed, settings_.sketch);
        std::vector<std::uint32_t> signature(components);
        std::vector<std::uint64_t> keys(table.bands);
        const std::size_t end = std::min(table.rows, (task + 1) * kCascadeItemsATask);
        for (std::size_t place = task * kCascadeItemsATask; place < end; ++place) {
          const SetView elements = set(static_cast<Place>(place));
          if (elements.empty()) continue;
          hasher.sketch(elements, signature);
          band_keys(signature, cascade_.shape.rows, keys);
          std::transform(keys.begin(), keys.end(), &table.keys[place * table.bands],
                         [](std::uint64_t key) { return static_cast<std::uint32_t>(key >> 8); });
        }
      });
}

void CascadeJoin::hash_by_squares(BandedRows& table) const {
  const auto rows = static_cast<std::size_t>(cascade_.shape.rows);
  const GridFunctions functions(grid_, table.bands * rows, cascade_.squares, settings_.seed);
  pool_.for_each((table.rows + kCascadeItemsATask - 1) / kCascadeItemsATask, [&](unsigned,
                                                                                 std::size_t task) {
    pool_.check_cancelled();
    const std::size_t end = std::min(table.rows, (task + 1) * kCascadeItemsATask);
    for (std::size_t place = task * kCascadeItemsATask; place < end; ++place) {
      functions.keys(set(static_cast<Place>(place)), rows, static_cast<std::uint32_t>(place + 1),
                     std::span(table.keys).subspan(place * table.bands, table.bands));
    }
  });
}

void CascadeJoin::pairs(const PairScope& scope, const TakePairs& take) {
  const Sides sides = sides_of(sets_, scope);
  if (sides.rows.size() < 2) return;
  BandedRows table;
  table.rows = sets_.size();
  table.bands = rule_.bands();
  const BandMemory memory =
      memory_for_bands({.rows = table.rows,
                        .bands = table.bands,
                        .besides = (sets_.hashes.size() + grid_.size()) * sizeof(std::uint64_t),
                        .memory_bytes = settings_.memory_bytes,
                        .threads = pool_.size(),
                        .all_bands = true});
  table.keys.resize(table.rows * table.bands);
  cascade_.squares > 0 ? hash_by_squares(table) : hash_by_minhash(table);
  const Measure& measure = *settings_.measure;
  const CascadeRule* rule = cascade_.shape.is_banding() ? nullptr : &rule_;
  find_candidates({&table, sides.rows, sides.split, memory.bands_at_once, rule}, pool_,
                  [&](std::span<const CandidatePair> candidates) {
                    candidates_ += candidates.size();
                    std::vector<VerifiedPair> found;
                    for (const CandidatePair& pair : candidates) {
                      const Place left = sides.rows[pair.left];
                      const Place right = sides.rows[pair.right];
                      const Overlap overlap = measure.overlap(set(left), set(right));
                      if (!measure.reaches(overlap, settings_.threshold)) continue;
                      found.push_back({left, right, overlap});
                    }
                    if (!found.empty()) take(found);
                  });
}

}  // namespace sosie

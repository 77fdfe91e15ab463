// Measures the candidates of a banded join and expands equal rows into pairs; computes the hashes
// of one row for explain --all.
#include "join/hashed_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "corpus/items/equal_groups.h"
#include "join/pair_selection.h"

namespace sosie {
namespace {

class Finder {
 public:
  using Check = std::function<void(std::uint64_t pairs)>;

  // `check(pairs so far)` may throw.
  Finder(const HashedJoin& join, const PairSelection& wanted, bool is_similarity, Check check)
      : join_(join),
        check_(std::move(check)),
        lefts_(equal_groups(join.sides.left.begin, join.sides.left.size(), join.bytes_of)),
        rights_(join.sides.is_self() ? EqualGroups{}
                                     : equal_groups(join.sides.right->begin,
                                                    join.sides.right->size(), join.bytes_of)),
        most_equal_(wanted.most_equal()),
        found_(*join.scratch, join.sort_bytes,
               prune_unwanted<ScoredPair>(
                   wanted, [this, is_similarity](const ScoredPair& a, const ScoredPair& b) {
                     return is_nearer(a, b, is_similarity);
                   })) {}

  std::uint64_t run() {
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < lefts_.size(); ++i) rows.push_back(lefts_[i].front());
    for (std::size_t i = 0; is_between() && i < rights_.size(); ++i) {
      rows.push_back(rights_[i].front());
    }
    if (join_.sides.is_nothing()) return 0;
    const std::uint64_t measured = is_between() ? 0 : add_copies();
    return measured + join_.join(rows, is_between() ? lefts_.size() : 0,
                                 [this](std::span<const ScoredPair> pairs) { add(pairs); });
  }

  // Passes on the pairs in order; of equal right rows, no more than can be wanted.
  void drain(const HashedJoin::Each& each) {
    found_.finish();
    std::vector<ScoredPair> block;
    std::size_t of_left = 0;  // where the pairs of the last left row begin
    const auto end_left = [&] {
      std::sort(block.begin() + static_cast<std::ptrdiff_t>(of_left), block.end(),
                [](const auto& a, const auto& b) { return a.right < b.right; });
      if (block.size() >= kBlockPairs) {
        each(block);
        block.clear();
      }
      of_left = block.size();
    };
    found_.for_each([&](const ScoredPair& found) {
      if (of_left < block.size() && block[of_left].left != found.left) end_left();
      expand(found, block);
      return true;
    });
    end_left();
    if (!block.empty()) each(block);
  }

 private:
  [[nodiscard]] bool is_between() const noexcept { return !join_.sides.is_self(); }
  [[nodiscard]] const EqualGroups& right_groups() const noexcept {
    return is_between() ? rights_ : lefts_;
  }

  // Adds found pairs of first rows. Stores each left row with a group of right rows, which takes as
  // much space as there are rows in groups, not pairs.
  void add(std::span<const ScoredPair> pairs) {
    std::vector<ScoredPair> block;
    std::uint64_t count = 0;
    for (const ScoredPair& pair : pairs) {
      const std::uint32_t right = pair.right - (is_between() ? past_lefts() : 0);
      count += std::uint64_t{lefts_[pair.left].size()} * right_groups()[right].size();
      add_lefts(pair.left, right, pair.value, block);
      if (!is_between()) add_lefts(right, pair.left, pair.value, block);
    }
    hand_over(block);
    check_(pairs_ += count);
  }

  [[nodiscard]] std::uint32_t past_lefts() const noexcept {
    return static_cast<std::uint32_t>(lefts_.size());
  }

  // Adds the rows of a group in one collection that are followed by a row of the other collection.
  void add_lefts(std::uint32_t group, std::uint32_t right, double value,
                 std::vector<ScoredPair>& block) {
    for (const std::uint32_t left : lefts_[group]) {
      if (!is_between() && left >= lefts_[right].back()) break;
      block.push_back({left, right, value});
      if (block.size() >= kBlockPairs) hand_over(block);
    }
  }

  void hand_over(std::vector<ScoredPair>& block) {
    if (!block.empty()) found_.add(block);
    block.clear();
  }

  // Pairs of equal rows; only one of them is measured.
  std::uint64_t add_copies() {
    std::uint64_t measured = 0;
    std::vector<ScoredPair> block;
    for (std::uint32_t group = 0; group < lefts_.size(); ++group) {
      const auto rows = lefts_[group];
      if (rows.size() < 2) continue;
      ++measured;
      const auto value = join_.measure(rows[0], rows[1]);
      if (!value) continue;
      add_lefts(group, group, *value, block);
      check_(pairs_ += std::uint64_t{rows.size()} * (rows.size() - 1) / 2);
    }
    hand_over(block);
    return measured;
  }

  // The first right row that forms a pair with the left one.
  [[nodiscard]] std::span<const std::uint32_t>::iterator first_right(
      const ScoredPair& found) const {
    const auto rights = right_groups()[found.right];
    return is_between() ? rights.begin()
                        : std::upper_bound(rights.begin(), rights.end(), found.left);
  }

  void expand(const ScoredPair& found, std::vector<ScoredPair>& block) const {
    const auto rights = right_groups()[found.right];
    std::uint64_t most = most_equal_;
    for (auto right = first_right(found); right != rights.end() && most > 0; ++right, --most) {
      block.push_back({found.left, *right, found.value});
    }
  }

  // Compares by the nearest pair that each stands for.
  [[nodiscard]] bool is_nearer(const ScoredPair& a, const ScoredPair& b, bool is_similarity) const {
    if (a.value != b.value) return (a.value > b.value) == is_similarity;
    if (a.left != b.left) return a.left < b.left;
    return *first_right(a) < *first_right(b);
  }

  const HashedJoin& join_;
  Check check_;
  EqualGroups lefts_;
  EqualGroups rights_;
  std::uint64_t most_equal_;
  SortedPairs<ScoredPair> found_;  // a left row and a group of right ones
  std::atomic<std::uint64_t> pairs_ = 0;
};

// True if all cells of one row are near the cells of the other.
bool is_near(const BandedRows& table, std::size_t band, RowId one, RowId other) {
  for (std::size_t f = 0; f < table.functions; ++f) {
    if ((table.near_of(other, band)[f] >> table.cells_of(one, band)[f] & 1) == 0) return false;
  }
  return true;
}

bool meet(const BandedRows& table, std::size_t band, RowId a, RowId b) {
  if (table.functions == 0) return table.keys_of(a)[band] == table.keys_of(b)[band];
  return is_near(table, band, a, b) || is_near(table, band, b, a);
}

// `band`: number of the band in the table.
HashedRow::Band band_of(const BandedRows& table, std::size_t band, RowId row) {
  HashedRow::Band out;
  if (table.functions == 0) {
    out.key = fmt::format("{:08x}", table.keys_of(row)[band]);
  } else {
    const std::span cells(table.cells_of(row, band), table.functions);
    out.key = fmt::format("{}", fmt::join(cells, "."));
  }
  for (RowId other = 0; other < table.rows; ++other) {
    if (other == row || meet(table, band, row, other)) out.rows.push_back(other);
  }
  return out;
}

}  // namespace

std::uint64_t measure_candidates(const BandedJoin& join, ThreadPool& pool,
                                 const MeasurePair& measure,
                                 const std::function<void(std::span<const ScoredPair>)>& each) {
  std::atomic<std::uint64_t> measured = 0;
  find_candidates(join, pool, [&](std::span<const CandidatePair> pairs) {
    measured += pairs.size();
    std::vector<ScoredPair> found;
    for (const CandidatePair& pair : pairs) {
      const auto value = measure(join.rows[pair.left], join.rows[pair.right]);
      if (value) found.push_back({pair.left, pair.right, *value});
    }
    if (!found.empty()) each(found);
  });
  return measured;
}

std::uint64_t join_between(const decltype(HashedJoin::join)& join,
                           std::span<const std::uint32_t> lefts,
                           std::span<const std::uint32_t> rights, const HashedJoin::Each& each) {
  if (lefts.empty() || rights.empty()) return 0;
  std::vector<std::uint32_t> rows(lefts.begin(), lefts.end());
  rows.insert(rows.end(), rights.begin(), rights.end());
  const auto split = static_cast<std::uint32_t>(lefts.size());
  return join(rows, split, [&](std::span<const ScoredPair> pairs) {
    std::vector<ScoredPair> block(pairs.begin(), pairs.end());
    for (ScoredPair& pair : block) pair.right -= split;
    each(block);
  });
}

std::uint64_t join_hashed(const HashedJoin& join, const Options& options, const BoundFacts& facts,
                          PairSink& sink) {
  const PairSelection wanted = pair_selection(options);
  Finder finder(join, wanted, facts.is_similarity, [&](std::uint64_t pairs) {
    if (wanted.all()) check_pair_limit(wanted, facts, pairs);
  });
  const std::uint64_t measured = finder.run();
  finder.drain([&](std::span<const ScoredPair> pairs) { sink.add(pairs); });
  return measured;
}

bool are_mostly_copies(std::size_t count,
                       const std::function<std::string_view(std::size_t)>& bytes_of) {
  const auto leader_of = leaders_by_bytes(count, bytes_of);
  const auto leaders = std::count(leader_of.begin(), leader_of.end(), kNoPlace);
  return 2 * static_cast<std::size_t>(leaders) <= count;
}

HashedRow hashed_row(
    const BandedRows& table, std::size_t bands, RowId row,
    const std::function<void(const BandRange& bands, std::span<const std::uint32_t> rows)>& hash) {
  HashedRow out;
  out.sketch.assign(table.sketch_of(row), table.sketch_of(row) + table.sketch_words);
  const bool holds_all = table.bands == bands;
  std::vector<std::uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  for (std::size_t band = 0; band < bands; ++band) {
    if (!holds_all) hash({band, band + 1}, rows);
    out.bands.push_back(band_of(table, holds_all ? band : 0, row));
  }
  return out;
}

}  // namespace sosie

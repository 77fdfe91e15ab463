// Finds candidate pairs of rows with cells: looks up each row under every combination of near
// cells.
#include "candidates/probed_candidates.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "core/mix64.h"
#include "data/buckets.h"
#include "kernels/near_sketches.h"

namespace sosie {
namespace {

using kernels::kSketchBlock;

constexpr std::size_t kProbedRowsATask = 512;
constexpr std::size_t kProbedBlockPairs = 1024;
constexpr int kCellBits = 5;
constexpr int kProbedKeyBits = 32;
constexpr int kRowsAPart = 4;  // about

// Five bits per function.
using Choice = std::uint64_t;
static_assert(kMostProbedFunctions * kCellBits <= 64);

std::uint32_t key_of_choice(Choice choice) noexcept {
  return static_cast<std::uint32_t>(mix64(choice) >> (64 - kProbedKeyBits));
}

// Calls each(choice) for every combination of one near cell per function.
template <typename Each>
void for_each_choice(std::span<const std::uint32_t> near, const Each& each) {
  std::array<std::uint32_t, kMostProbedFunctions> left{};  // remaining cells of each function
  std::array<Choice, kMostProbedFunctions + 1> begun{};    // choices of the functions before it
  left[0] = near[0];
  for (std::size_t f = 0;;) {
    if (left[f] == 0) {
      if (f == 0) return;
      --f;
      continue;
    }
    const auto cell = static_cast<Choice>(std::countr_zero(left[f]));
    left[f] &= left[f] - 1;
    begun[f + 1] = begun[f] << kCellBits | cell;
    if (f + 1 == near.size()) {
      each(begun[f + 1]);
    } else {
      ++f;
      left[f] = near[f];
    }
  }
}

// Rows of a join, sorted by the keys of their own cells in one band (ties: join order).
struct Ordered {
  std::vector<std::uint64_t> rows;     // the key, then the place
  std::vector<std::uint64_t> sorting;  // buffer
  std::vector<std::uint32_t> starts;   // begins of the parts of `rows` whose keys have equal first
                                       // bits
  int part_bits = 0;
  std::vector<std::uint64_t> sketches;  // in this order, in the kernel's layout

  [[nodiscard]] std::size_t part_of(std::uint32_t key) const noexcept {
    return static_cast<std::size_t>(std::uint64_t{key} >> (kProbedKeyBits - part_bits));
  }
  [[nodiscard]] Place place(std::size_t i) const noexcept { return static_cast<Place>(rows[i]); }
};

// Buffers of a worker.
struct ProbeWorker {
  std::vector<std::uint8_t> near;
  std::vector<CandidatePair> found;
};

class ProbedFinder {
 public:
  using Each = std::function<void(std::span<const CandidatePair>)>;

  ProbedFinder(const BandedJoin& join, ThreadPool& pool, const Each& each)
      : table_(*join.table),
        rows_(join.rows),
        split_(join.split),
        range_(join.range),
        bands_at_once_(join.bands_at_once > 0 ? join.bands_at_once : pool.size()),
        pool_(pool),
        each_(each),
        workers_(pool.size()) {}

  void run() {
    std::vector<Ordered> ordered(std::min(bands_at_once_, table_.bands));
    const std::size_t tasks = (rows_.size() + kProbedRowsATask - 1) / kProbedRowsATask;
    for (std::size_t begin = 0; begin < table_.bands; begin += ordered.size()) {
      const std::size_t count = std::min(table_.bands - begin, ordered.size());
      pool_.for_each(count, [&](unsigned /*worker*/, std::size_t i) {
        pool_.check_cancelled();
        order(begin + i, ordered[i]);
      });
      pool_.for_each(count * tasks, [&](unsigned worker, std::size_t i) {
        pool_.check_cancelled();
        const std::size_t first = i % tasks * kProbedRowsATask;
        look_up(begin + i / tasks, ordered[i / tasks],
                {std::max(first, row_of_range(range_.index)),
                 std::min(row_of_range(range_.index + range_.width), first + kProbedRowsATask)},
                workers_[worker]);
      });
    }
  }

 private:
  [[nodiscard]] std::size_t row_of_range(std::size_t range) const noexcept {
    return rows_.size() * range / range_.count;
  }

  [[nodiscard]] Choice own_choice(std::size_t band, Place place) const noexcept {
    const std::uint8_t* cells = table_.cells_of(rows_[place], band);
    Choice choice = 0;
    for (std::size_t f = 0; f < table_.functions; ++f) choice = choice << kCellBits | cells[f];
    return choice;
  }

  void order(std::size_t band, Ordered& ordered) const {
    const std::size_t count = rows_.size();
    ordered.part_bits = static_cast<int>(std::bit_width(count / kRowsAPart));
    ordered.starts.assign((std::size_t{1} << ordered.part_bits) + 1, 0);
    ordered.sorting.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t key = key_of_choice(own_choice(band, static_cast<Place>(i)));
      ordered.sorting[i] = std::uint64_t{key} << kProbedKeyBits | i;
      ++ordered.starts[ordered.part_of(key) + 1];
    }
    for (std::size_t p = 1; p < ordered.starts.size(); ++p) {
      ordered.starts[p] += ordered.starts[p - 1];
    }
    ordered.rows.resize(count);
    // The start of a part advances with each row stored in it, and thus becomes its end.
    for (const std::uint64_t row : ordered.sorting) {
      const auto key = static_cast<std::uint32_t>(row >> kProbedKeyBits);
      ordered.rows[ordered.starts[ordered.part_of(key)]++] = row;
    }
    std::copy_backward(ordered.starts.begin(), ordered.starts.end() - 1, ordered.starts.end());
    ordered.starts[0] = 0;
    for (std::size_t p = 0; p + 1 < ordered.starts.size(); ++p) {
      std::sort(ordered.rows.begin() + ordered.starts[p],
                ordered.rows.begin() + ordered.starts[p + 1]);
    }
    lay_out_sketches(
        table_, count, [&](std::size_t i) { return rows_[ordered.place(i)]; }, ordered.sketches);
  }

  // Places [first, last) of the join.
  struct Places {
    std::size_t first;
    std::size_t last;
  };
  void look_up(std::size_t band, const Ordered& ordered, const Places& places,
               ProbeWorker& buffers) const {
    for (std::size_t i = places.first; i < places.last; ++i) {
      const auto place = static_cast<Place>(i);
      const std::span near{table_.near_of(rows_[place], band), table_.functions};
      for_each_choice(near, [&](Choice choice) {
        const std::uint32_t key = key_of_choice(choice);
        const std::size_t part = ordered.part_of(key);
        const std::uint64_t* end = ordered.rows.data() + ordered.starts[part + 1];
        const std::uint64_t* first = std::lower_bound(ordered.rows.data() + ordered.starts[part],
                                                      end, std::uint64_t{key} << kProbedKeyBits);
        const std::uint64_t* last =
            std::upper_bound(first, end, std::uint64_t{key} << kProbedKeyBits | kNoPlace);
        if (first == last) return;
        compare({band, place, choice}, ordered,
                {static_cast<std::size_t>(first - ordered.rows.data()),
                 static_cast<std::size_t>(last - ordered.rows.data())},
                buffers);
      });
      if (buffers.found.size() >= kProbedBlockPairs) hand_over(buffers.found);
    }
    hand_over(buffers.found);
  }

  void hand_over(std::vector<CandidatePair>& found) const {
    if (!found.empty()) each_(found);
    found.clear();
  }

  struct Probe {
    std::size_t band;
    Place place;
    Choice choice;
  };
  // Compares a row with the rows whose own cells have this key.
  void compare(const Probe& probe, const Ordered& ordered, const Places& members,
               ProbeWorker& buffers) const {
    const std::size_t first = members.first / kSketchBlock;
    const std::size_t last = (members.last + kSketchBlock - 1) / kSketchBlock;
    buffers.near.resize(std::max(buffers.near.size(), last - first));
    kernels::near_sketches(table_.sketch_of(rows_[probe.place]),
                           ordered.sketches.data() + first * kSketchBlock * table_.sketch_words,
                           last - first, table_.sketch_words, table_.most_different + 1,
                           buffers.near.data());
    for (std::size_t block = first; block < last; ++block) {
      for (unsigned bits = buffers.near[block - first]; bits != 0; bits &= bits - 1) {
        const std::size_t at =
            block * kSketchBlock + static_cast<std::size_t>(std::countr_zero(bits));
        if (at < members.first || at >= members.last) continue;
        const Place other = ordered.place(at);
        if (!is_found_here(probe, other)) continue;
        buffers.found.push_back({std::min(probe.place, other), std::max(probe.place, other)});
      }
    }
  }

  // True if the pair is to be compared here: it did not meet in an earlier band, and the later row
  // will not find it as well.
  [[nodiscard]] bool is_found_here(const Probe& probe, Place other) const noexcept {
    if (other == probe.place || probe.choice != own_choice(probe.band, other)) return false;
    const Place left = std::min(probe.place, other);
    const Place right = std::max(probe.place, other);
    if (split_ > 0 && (left >= split_ || right < split_)) return false;
    if (other < probe.place && is_near(probe.band, probe.place, other)) return false;
    for (std::size_t band = 0; band < probe.band; ++band) {
      if (is_near(band, left, right) || is_near(band, right, left)) return false;
    }
    return true;
  }

  // True if all cells of `one` are near the cells of `other`.
  [[nodiscard]] bool is_near(std::size_t band, Place one, Place other) const noexcept {
    const std::uint8_t* cells = table_.cells_of(rows_[one], band);
    const std::uint32_t* near = table_.near_of(rows_[other], band);
    for (std::size_t f = 0; f < table_.functions; ++f) {
      if ((near[f] >> cells[f] & 1) == 0) return false;
    }
    return true;
  }

  const BandedRows& table_;
  std::span<const std::uint32_t> rows_;
  std::size_t split_;
  KeyRange range_;
  std::size_t bands_at_once_;
  ThreadPool& pool_;
  const Each& each_;
  std::vector<ProbeWorker> workers_;
};

}  // namespace

void find_probed_candidates(const BandedJoin& join, ThreadPool& pool,
                            const std::function<void(std::span<const CandidatePair> pairs)>& each) {
  ProbedFinder(join, pool, each).run();
}

}  // namespace sosie

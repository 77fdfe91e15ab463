// Finds candidate pairs of rows that share the key of a band, or the keys of a cascade, bucket by
// bucket on several workers.
#include "candidates/banded_join.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "candidates/group_equal_keys.h"
#include "candidates/probed_candidates.h"
#include "kernels/near_sketches.h"

namespace sosie {
namespace {

using kernels::kSketchBlock;

constexpr int kGroupedKeyBits = 40;        // widest keys that group_equal_keys() accepts
constexpr std::size_t kSliceRows = 4096;   // rows of small buckets that a worker takes at a time
constexpr std::size_t kSliceLefts = 1024;  // left rows of a large bucket that a worker takes at a
                                           // time
constexpr std::size_t kBlockPairs = 1024;
constexpr std::size_t kWordsAtOnce = std::size_t{1} << 17;  // words of sketches laid out behind
                                                            // each other
constexpr std::size_t kKeysAtOnce = 8;

// Some buckets of a band. If there is only one bucket, it may contain only some of its left rows.
struct Slice {
  std::size_t band;
  std::size_t first_bucket;
  std::size_t last_bucket;
  std::size_t first_left = 0;
  std::size_t last_left = ~std::size_t{0};
};

// Buffers for grouping a band into buckets.
struct Grouping {
  GroupingScratch scratch;
  std::vector<std::uint64_t> keys;
};

// Buffers of a worker.
struct Worker {
  std::vector<std::uint64_t> sketches;
  std::vector<std::uint8_t> near;
  std::vector<CandidatePair> found;
};

class Finder {
 public:
  using Each = std::function<void(std::span<const CandidatePair>)>;

  Finder(const BandedJoin& join, ThreadPool& pool, const Each& each)
      : table_(*join.table),
        rows_(join.rows),
        split_(join.split),
        cascade_(join.cascade),
        range_(join.range),
        bands_at_once_(join.bands_at_once > 0 ? join.bands_at_once : pool.size()),
        pool_(pool),
        each_(each),
        workers_(pool.size()),
        places_(join.rows.size()) {
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = static_cast<Place>(i);
  }

  void run() {
    std::vector<Buckets> buckets(bands_at_once_);
    std::vector<Grouping> groupings(bands_at_once_);
    const std::size_t bands = cascade_ == nullptr ? table_.bands : cascade_->cover().size();
    for (std::size_t begin = 0; begin < bands; begin += buckets.size()) {
      const std::size_t end = std::min(bands, begin + buckets.size());
      pool_.for_each(end - begin, [&](unsigned /*worker*/, std::size_t i) {
        pool_.check_cancelled();
        buckets[i] = group(begin + i, groupings[i]);
      });
      std::vector<Slice> slices;
      for (std::size_t i = 0; i < end - begin; ++i) cut(begin + i, buckets[i], slices);
      pool_.for_each(slices.size(), [&](unsigned worker, std::size_t i) {
        pool_.check_cancelled();
        scan(buckets[slices[i].band - begin], slices[i], workers_[worker]);
      });
    }
  }

 private:
  // The number that the table gives to a band that is being grouped.
  [[nodiscard]] std::size_t of_table(std::size_t band) const noexcept {
    return cascade_ == nullptr ? band : cascade_->cover()[band];
  }

  [[nodiscard]] Buckets group(std::size_t band, Grouping& grouping) const {
    grouping.keys.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      grouping.keys[i] = std::uint64_t{table_.keys_of(rows_[i])[of_table(band)]}
                         << (kGroupedKeyBits - 32);
    }
    const KeyColumn column{grouping.keys, places_};
    return group_equal_keys({&column, 1}, grouping.scratch, range_);
  }

  static void cut(std::size_t band, const Buckets& buckets, std::vector<Slice>& slices) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      if (buckets[i].size() > kSliceRows) {
        if (first < i) slices.push_back({band, first, i});
        for (std::size_t left = 0; left < buckets[i].size(); left += kSliceLefts) {
          slices.push_back({band, i, i + 1, left, left + kSliceLefts});
        }
        first = i + 1;
      } else if (buckets.starts[i + 1] - buckets.starts[first] > kSliceRows) {
        slices.push_back({band, first, i + 1});
        first = i + 1;
      }
    }
    if (first < buckets.size()) slices.push_back({band, first, buckets.size()});
  }

  void scan(const Buckets& buckets, const Slice& slice, Worker& buffers) {
    for (std::size_t i = slice.first_bucket; i < slice.last_bucket; ++i) {
      const std::span<const Place> members = buckets[i];
      // Left rows come first, because members are ascending.
      const auto middle = static_cast<std::size_t>(
          split_ == 0 ? 0
                      : std::lower_bound(members.begin(), members.end(), split_) - members.begin());
      const std::size_t lefts = split_ == 0 ? members.size() - 1 : middle;
      if (lefts == 0 || middle == members.size()) continue;
      scan_bucket(slice.band, members,
                  {slice.first_left, std::min(lefts, slice.last_left),
                   split_ == 0 ? slice.first_left + 1 : middle},
                  buffers);
    }
    hand_over(buffers.found);
  }

  // Members of a bucket to compare: some left rows with all later rows, or with all rows starting
  // at first_right.
  struct Stretch {
    std::size_t first_left;
    std::size_t last_left;
    std::size_t first_right;
  };
  void scan_bucket(std::size_t band, std::span<const Place> members, const Stretch& stretch,
                   Worker& buffers) {
    const std::size_t words = std::max<std::size_t>(1, table_.sketch_words);
    const std::size_t step =
        std::max<std::size_t>(kWordsAtOnce / words / kSketchBlock, 1) * kSketchBlock;
    for (std::size_t begin = stretch.first_right; begin < members.size(); begin += step) {
      const auto rights = members.subspan(begin, std::min(step, members.size() - begin));
      lay_out(rights, buffers);
      for (std::size_t left = stretch.first_left; left < stretch.last_left; ++left) {
        const std::size_t first = split_ == 0 ? std::max(left + 1, begin) - begin : 0;
        if (first >= rights.size()) break;
        compare(band, members[left], rights, first, buffers);
        if (buffers.found.size() >= kBlockPairs) hand_over(buffers.found);
      }
    }
  }

  void hand_over(std::vector<CandidatePair>& found) const {
    if (!found.empty()) each_(found);
    found.clear();
  }

  // Copies the members' sketches into the contiguous layout that the kernel expects.
  void lay_out(std::span<const Place> members, Worker& buffers) const {
    lay_out_sketches(
        table_, members.size(), [&](std::size_t i) { return rows_[members[i]]; }, buffers.sketches);
    buffers.near.resize((members.size() + kSketchBlock - 1) / kSketchBlock);
  }

  // Compares a member with `rights`, whose sketches have been laid out, starting at `first_right`.
  void compare(std::size_t band, Place left, std::span<const Place> rights, std::size_t first_right,
               Worker& buffers) const {
    const std::size_t first = first_right / kSketchBlock;
    const std::size_t blocks = (rights.size() + kSketchBlock - 1) / kSketchBlock;
    kernels::near_sketches(table_.sketch_of(rows_[left]),
                           buffers.sketches.data() + first * kSketchBlock * table_.sketch_words,
                           blocks - first, table_.sketch_words, table_.most_different + 1,
                           buffers.near.data());
    for (std::size_t block = first; block < blocks; ++block) {
      for (unsigned bits = buffers.near[block - first]; bits != 0; bits &= bits - 1) {
        const std::size_t right =
            block * kSketchBlock + static_cast<std::size_t>(std::countr_zero(bits));
        if (right < first_right || right >= rights.size()) continue;
        if (met_before(band, rows_[left], rows_[rights[right]])) continue;
        if (cascade_ != nullptr &&
            !cascade_->finds(table_.keys_of(rows_[left]), table_.keys_of(rows_[rights[right]]))) {
          continue;
        }
        buffers.found.push_back({left, rights[right]});
      }
    }
  }

  // True if two rows agree in an earlier band.
  [[nodiscard]] bool met_before(std::size_t band, std::size_t a, std::size_t b) const noexcept {
    const std::uint32_t* keys = table_.keys_of(a);
    const std::uint32_t* others = table_.keys_of(b);
    if (of_table(band) != band) {  // not all bands are in the cover
      const auto before = cascade_->cover().first(band);
      return std::any_of(before.begin(), before.end(),
                         [&](std::uint32_t i) { return keys[i] == others[i]; });
    }
    std::size_t i = 0;
    for (; i + kKeysAtOnce <= band; i += kKeysAtOnce) {  // compilers vectorise the inner loop
      std::uint32_t equal = 0;
      for (std::size_t k = i; k < i + kKeysAtOnce; ++k) equal |= keys[k] == others[k] ? 1U : 0U;
      if (equal != 0) return true;
    }
    for (; i < band; ++i) {
      if (keys[i] == others[i]) return true;
    }
    return false;
  }

  const BandedRows& table_;
  std::span<const std::uint32_t> rows_;
  std::size_t split_;
  const CascadeRule* cascade_;  // null: the OR of all bands
  KeyRange range_;
  std::size_t bands_at_once_;
  ThreadPool& pool_;
  const Each& each_;
  std::vector<Worker> workers_;
  std::vector<Place> places_;
};

constexpr std::size_t kKeysProbedAtOnce = 8;

// True if two rows agree in any of `count` bands.
bool agree_in_any(const std::uint32_t* left, const std::uint32_t* right,
                  std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + kKeysProbedAtOnce <= count;
       i += kKeysProbedAtOnce) {  // compilers vectorise the inner loop
    std::uint32_t equal = 0;
    for (std::size_t k = i; k < i + kKeysProbedAtOnce; ++k) equal |= left[k] == right[k] ? 1U : 0U;
    if (equal != 0) return true;
  }
  for (; i < count; ++i) {
    if (left[i] == right[i]) return true;
  }
  return false;
}

}  // namespace

CascadeRule::CascadeRule(const Construction& over) {
  for (const ConstructionStep& step : over) {
    const bool all = step.kind == ConstructionStep::Kind::all_agree;
    steps_.push_back({all, step.count, bands_});
    const std::size_t covered = cover_.size();
    for (std::size_t i = 1; !all && i < step.count; ++i) {
      for (std::size_t k = 0; k < covered; ++k) {
        cover_.push_back(static_cast<std::uint32_t>(cover_[k] + i * bands_));
      }
    }
    bands_ *= step.count;
  }
}

bool CascadeRule::holds(std::size_t level, const std::uint32_t* left,
                        const std::uint32_t* right) const noexcept {
  if (level == 0) return *left == *right;
  const Step& step = steps_[level - 1];
  if (step.width == 1) {
    return step.all ? std::equal(left, left + step.count, right)
                    : agree_in_any(left, right, step.count);
  }
  for (std::size_t i = 0; i < step.count; ++i) {
    const std::size_t at = i * step.width;
    if (holds(level - 1, left + at, right + at) != step.all) return !step.all;
  }
  return step.all;
}

void find_candidates(const BandedJoin& join, ThreadPool& pool,
                     const std::function<void(std::span<const CandidatePair> pairs)>& each) {
  if (join.rows.size() < 2) return;
  if (join.table->functions > 0) {
    find_probed_candidates(join, pool, each);
  } else {
    Finder(join, pool, each).run();
  }
}

}  // namespace sosie

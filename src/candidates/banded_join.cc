#include "candidates/banded_join.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "candidates/banding.h"
#include "kernels/near_sketches.h"

namespace sosie {
namespace {

using kernels::kSketchBlock;

constexpr int kGroupedKeyBits = 40;        // what group_equal_keys() takes
constexpr std::size_t kSliceRows = 4096;   // of small buckets, by one worker at a time
constexpr std::size_t kSliceLefts = 1024;  // of a large bucket
constexpr std::size_t kBlockPairs = 1024;
constexpr std::size_t kKeysAtOnce = 8;

// Some buckets of a band; of a single one perhaps some left rows only.
struct Slice {
  std::size_t band;
  std::size_t first_bucket;
  std::size_t last_bucket;
  std::size_t first_left = 0;
  std::size_t last_left = ~std::size_t{0};
};

// A worker's room.
struct Worker {
  GroupingScratch grouping;
  std::vector<std::uint64_t> keys;
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
        pool_(pool),
        each_(each),
        workers_(pool.size()),
        places_(join.rows.size()) {
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = static_cast<Place>(i);
  }

  void run() {
    std::vector<Buckets> buckets(pool_.size());
    for (std::size_t begin = 0; begin < table_.bands; begin += buckets.size()) {
      const std::size_t end = std::min(table_.bands, begin + buckets.size());
      pool_.for_each(end - begin, [&](unsigned worker, std::size_t i) {
        pool_.check_cancelled();
        buckets[i] = group(begin + i, workers_[worker]);
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
  [[nodiscard]] Buckets group(std::size_t band, Worker& worker) const {
    worker.keys.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      worker.keys[i] = std::uint64_t{table_.keys_of(rows_[i])[band]} << (kGroupedKeyBits - 32);
    }
    const KeyColumn column{worker.keys, places_};
    return group_equal_keys({&column, 1}, worker.grouping);
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

  void scan(const Buckets& buckets, const Slice& slice, Worker& room) {
    for (std::size_t i = slice.first_bucket; i < slice.last_bucket; ++i) {
      const std::span<const Place> members = buckets[i];
      // Lefts stand in front, for members ascend.
      const auto middle = static_cast<std::size_t>(
          split_ == 0 ? 0
                      : std::lower_bound(members.begin(), members.end(), split_) - members.begin());
      const std::size_t lefts = split_ == 0 ? members.size() - 1 : middle;
      if (lefts == 0 || middle == members.size()) continue;
      lay_out(members, room);
      for (std::size_t left = slice.first_left; left < std::min(lefts, slice.last_left); ++left) {
        compare(slice.band, members, left, split_ == 0 ? left + 1 : middle, room);
        if (room.found.size() >= kBlockPairs) hand_over(room.found);
      }
    }
    hand_over(room.found);
  }

  void hand_over(std::vector<CandidatePair>& found) const {
    if (!found.empty()) each_(found);
    found.clear();
  }

  // The members' sketches behind each other, as the kernel takes them.
  void lay_out(std::span<const Place> members, Worker& room) const {
    const std::size_t words = table_.sketch_words;
    const std::size_t blocks = (members.size() + kSketchBlock - 1) / kSketchBlock;
    room.sketches.resize(blocks * kSketchBlock * words);
    room.near.resize(blocks);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::uint64_t* sketch = table_.sketch_of(rows_[members[i]]);
      std::uint64_t* out =
          room.sketches.data() + i / kSketchBlock * kSketchBlock * words + i % kSketchBlock;
      for (std::size_t w = 0; w < words; ++w) out[w * kSketchBlock] = sketch[w];
    }
  }

  // One member with those from `first_right` on.
  void compare(std::size_t band, std::span<const Place> members, std::size_t left,
               std::size_t first_right, Worker& room) const {
    const std::size_t first = first_right / kSketchBlock;
    const std::size_t blocks = (members.size() + kSketchBlock - 1) / kSketchBlock;
    kernels::near_sketches(table_.sketch_of(rows_[members[left]]),
                           room.sketches.data() + first * kSketchBlock * table_.sketch_words,
                           blocks - first, table_.sketch_words, table_.most_different + 1,
                           room.near.data());
    for (std::size_t block = first; block < blocks; ++block) {
      for (unsigned bits = room.near[block - first]; bits != 0; bits &= bits - 1) {
        const std::size_t right =
            block * kSketchBlock + static_cast<std::size_t>(std::countr_zero(bits));
        if (right < first_right || right >= members.size()) continue;
        if (met_before(band, rows_[members[left]], rows_[members[right]])) continue;
        room.found.push_back({members[left], members[right]});
      }
    }
  }

  // Whether two rows agree in a band before this one.
  [[nodiscard]] bool met_before(std::size_t band, std::size_t a, std::size_t b) const noexcept {
    const std::uint32_t* keys = table_.keys_of(a);
    const std::uint32_t* others = table_.keys_of(b);
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
  ThreadPool& pool_;
  const Each& each_;
  std::vector<Worker> workers_;
  std::vector<Place> places_;
};

}  // namespace

void find_candidates(const BandedJoin& join, ThreadPool& pool,
                     const std::function<void(std::span<const CandidatePair> pairs)>& each) {
  if (join.rows.size() >= 2) Finder(join, pool, each).run();
}

}  // namespace sosie

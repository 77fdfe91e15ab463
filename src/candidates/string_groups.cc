// Groups strings with equal keys: partitions keys by their upper bits, sorts each partition in
// cache, and compares the signatures within a group.
#include "candidates/string_groups.h"

#include <bit>
#include <cstring>
#include <utility>

#include "kernels/near_signatures.h"

namespace sosie {
namespace {

constexpr std::uint64_t kBase = 0xD1342543DE82EF95ULL;  // odd, so that it has an inverse
constexpr std::uint64_t kSeed = 0x5C0DE;

// Each step of Newton's iteration doubles the number of correct bits.
constexpr std::uint64_t inverse_of(std::uint64_t odd) noexcept {
  std::uint64_t inverse = odd;
  for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

static_assert(inverse_of(kBase) * kBase == 1);

double choose(double n, std::uint32_t k) noexcept {
  double ways = 1;
  for (std::uint32_t i = 0; i < k; ++i) ways *= (n - i) / (i + 1);
  return ways;
}

constexpr std::uint64_t kPartKeys = 4096;
constexpr unsigned kMostStringPartBits = 11;
constexpr std::size_t kItemsOfShare = 2048;

// The lower half of a key, followed by the item.
using StringEntry = std::uint64_t;
static_assert(sizeof(StringEntry) == kStringKeyBytes);

constexpr std::uint32_t string_key(StringEntry entry) noexcept {
  return static_cast<std::uint32_t>(entry >> 32);
}
constexpr std::uint32_t item_of(StringEntry entry) noexcept {
  return static_cast<std::uint32_t>(entry);
}
constexpr bool is_window(StringEntry entry) noexcept { return (string_key(entry) & 1U) != 0; }

// Some items, and all jobs for them.
struct Share {
  std::span<const KeyJob> jobs;
  ItemRange items;
};

// Sorts jobs so that jobs for the same items are adjacent.
std::vector<KeyJob> by_items(std::vector<KeyJob> jobs) {
  std::stable_sort(jobs.begin(), jobs.end(), [](const KeyJob& a, const KeyJob& b) {
    return std::pair(a.items.begin, a.items.end) < std::pair(b.items.begin, b.items.end);
  });
  return jobs;
}

class Groups {
 public:
  Groups(const StringGroups& groups, ThreadPool& pool, const EachStringGroup& each)
      : groups_(groups),
        jobs_(by_items(groups.jobs)),
        strings_(*groups.strings),
        pool_(pool),
        each_(each),
        works_(pool.size()) {
    for (auto job = jobs_.begin(); job != jobs_.end();) {
      const ItemRange items = job->items;
      const auto past = std::find_if(job, jobs_.end(), [&](const KeyJob& other) {
        return other.items.begin != items.begin || other.items.end != items.end;
      });
      for (std::uint32_t begin = items.begin; begin < items.end; begin += kItemsOfShare) {
        const auto end =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(items.end, begin + kItemsOfShare));
        shares_.push_back({std::span(job, past), {begin, end}});
      }
      job = past;
    }
  }

  std::uint64_t run() {
    double keys = 0;
    for (const KeyJob& job : groups_.jobs) {
      if (job.items.begin == job.items.end) continue;
      keys += keys_of_item(job, strings_.column.length(job.items.begin)) *
              (job.items.end - job.items.begin);
    }
    passes_ = key_passes(keys, groups_.most_bytes);
    const auto of_pass = static_cast<std::uint64_t>(keys) / passes_ / kPartKeys;
    part_bits_ = std::min(kMostStringPartBits, static_cast<unsigned>(std::bit_width(of_pass)));
    for (std::uint64_t pass = 0; pass < passes_; ++pass) run_pass(pass);
    std::uint64_t pairs = 0;
    for (const Work& work : works_) pairs += work.pairs;
    return pairs;
  }

 private:
  struct Work {
    StringKeys::Work keys;
    std::vector<StringEntry> sorted;
    std::vector<std::uint32_t> buckets;
    std::vector<std::uint32_t> items;
    std::vector<std::uint64_t> signatures;
    std::vector<std::uint32_t> near;
    std::uint64_t pairs = 0;
  };

  // The pass and the part, from the upper bits of a key.
  template <class Each>
  void for_each_key(std::uint64_t pass, const Share& share, StringKeys::Work& work,
                    const Each& each) const {
    const auto pass_bits = static_cast<unsigned>(std::countr_zero(passes_));
    const std::uint64_t part_mask = (std::uint64_t{1} << part_bits_) - 1;
    for (std::uint32_t item = share.items.begin; item < share.items.end; ++item) {
      groups_.keys->take(item, work);
      for (const KeyJob& job : share.jobs) {
        groups_.keys->for_each(job, item, work, [&](std::uint64_t key) {
          if (pass_bits > 0 && key >> (64 - pass_bits) != pass) return;
          // Shifts in two steps because, if there are no upper bits, all 64 bits are shifted out.
          each(key >> 1 >> (63 - pass_bits - part_bits_) & part_mask,
               StringEntry{key << 32 | item});
        });
      }
    }
  }

  void run_pass(std::uint64_t pass) {
    const std::size_t parts = std::size_t{1} << part_bits_;
    // The position where each share stores its keys for each part: first their number, then the
    // next position.
    std::vector<std::uint32_t> next(shares_.size() * parts, 0);
    pool_.for_each(shares_.size(), [&](unsigned worker, std::size_t share) {
      pool_.check_cancelled();
      std::uint32_t* counts = next.data() + share * parts;
      for_each_key(pass, shares_[share], works_[worker].keys,
                   [counts](std::uint64_t part, StringEntry /*entry*/) { ++counts[part]; });
    });
    std::vector<std::uint32_t> starts(parts + 1, 0);
    std::uint32_t sum = 0;
    for (std::size_t part = 0; part < parts; ++part) {
      starts[part] = sum;
      for (std::size_t share = 0; share < shares_.size(); ++share) {
        sum += std::exchange(next[share * parts + part], sum);
      }
    }
    starts[parts] = sum;
    entries_.resize(sum);
    pool_.for_each(shares_.size(), [&](unsigned worker, std::size_t share) {
      pool_.check_cancelled();
      std::uint32_t* at = next.data() + share * parts;
      for_each_key(
          pass, shares_[share], works_[worker].keys,
          [this, at](std::uint64_t part, StringEntry entry) { entries_[at[part]++] = entry; });
    });
    pool_.for_each(parts, [&](unsigned worker, std::size_t part) {
      pool_.check_cancelled();
      take_part(worker, std::span(entries_).subspan(starts[part], starts[part + 1] - starts[part]));
    });
  }

  void take_part(unsigned worker, std::span<const StringEntry> part) {
    Work& work = works_[worker];
    sort(part, work);
    const std::vector<StringEntry>& sorted = work.sorted;
    for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
      const std::uint32_t key = string_key(sorted[begin]) >> 1;
      end = begin + 1;
      while (end < sorted.size() && string_key(sorted[end]) >> 1 == key) ++end;
      if (end - begin > 1) take_group(worker, std::span(sorted).subspan(begin, end - begin));
    }
  }

  // Sorts a part by its next bits into buckets of one or two entries, then sorts each bucket.
  static void sort(std::span<const StringEntry> part, Work& work) {
    const unsigned bits =
        std::min(16U, static_cast<unsigned>(std::bit_width(std::max<std::size_t>(part.size(), 1))));
    const unsigned shift = 64 - bits;
    work.buckets.assign((std::size_t{1} << bits) + 1, 0);
    work.sorted.resize(part.size());
    for (const StringEntry entry : part) ++work.buckets[(entry >> shift) + 1];
    for (std::size_t i = 1; i < work.buckets.size(); ++i) work.buckets[i] += work.buckets[i - 1];
    for (const StringEntry entry : part) work.sorted[work.buckets[entry >> shift]++] = entry;
    // Each start is now the end of its bucket.
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i + 1 < work.buckets.size(); ++i) {
      const std::uint32_t end = work.buckets[i];
      if (end - begin > 1) {
        std::sort(work.sorted.begin() + begin, work.sorted.begin() + end);
      }
      begin = end;
    }
  }

  // Divides the items of a group: whole strings first, then windows.
  void take_group(unsigned worker, std::span<const StringEntry> group) {
    Work& work = works_[worker];
    work.items.clear();
    std::size_t windows = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (i > 0 && group[i] == group[i - 1]) continue;
      if (!is_window(group[i])) windows = work.items.size() + 1;
      work.items.push_back(item_of(group[i]));
    }
    if (work.items.size() < 2) return;
    work.signatures.resize(work.items.size());
    work.near.resize(work.items.size());
    for (std::size_t i = 0; i < work.items.size(); ++i) {
      work.signatures[i] = strings_.signatures[work.items[i]];
    }
    const bool of_windows = group_has_windows();
    if (!of_windows) {
      pair_strings(worker);
    } else if (windows > 0 && windows < work.items.size()) {
      pair_windows(worker, windows);
    }
  }

  [[nodiscard]] bool group_has_windows() const noexcept {
    return groups_.jobs.front().kind != KeyJob::Kind::deletions;
  }

  void pair_strings(unsigned worker) {
    const std::vector<std::uint32_t>& items = works_[worker].items;
    const auto rights = static_cast<std::size_t>(
        std::lower_bound(items.begin(), items.end(), strings_.split) - items.begin());
    const std::size_t lefts = strings_.across ? rights : items.size() - 1;
    for (std::size_t i = 0; i < lefts; ++i) {
      compare(worker, i, strings_.across ? rights : i + 1, items.size());
    }
  }

  void pair_windows(unsigned worker, std::size_t windows) {
    const std::vector<std::uint32_t>& items = works_[worker].items;
    const auto first_window = items.begin() + static_cast<std::ptrdiff_t>(windows);
    const auto from = [&](std::uint32_t item) {
      return static_cast<std::size_t>(std::lower_bound(first_window, items.end(), item) -
                                      items.begin());
    };
    if (!strings_.across) {
      for (std::size_t i = 0; i < windows; ++i)
        compare(worker, i, from(items[i] + 1), items.size());
      return;
    }
    const std::size_t right_windows = from(strings_.split);
    for (std::size_t i = 0; i < windows; ++i) {
      if (strings_.is_left(items[i])) {
        compare(worker, i, right_windows, items.size());
        continue;
      }
      // Strings of equal length share a piece of the left one.
      const std::uint32_t length = strings_.column.length(items[i]);
      const auto longer = std::partition_point(
          first_window, items.begin() + static_cast<std::ptrdiff_t>(right_windows),
          [&](std::uint32_t item) { return strings_.column.length(item) <= length; });
      compare(worker, i, static_cast<std::size_t>(longer - items.begin()), right_windows);
    }
  }

  // Compares an item with items [begin, end) of the group.
  void compare(unsigned worker, std::size_t i, std::size_t begin, std::size_t end) {
    if (begin >= end) return;
    Work& work = works_[worker];
    work.pairs += end - begin;
    const std::size_t near =
        kernels::near_signatures(work.signatures[i], work.signatures.data() + begin, end - begin,
                                 groups_.most_bits, work.near.data());
    if (near == 0) return;
    for (std::size_t n = 0; n < near; ++n) work.near[n] = work.items[begin + work.near[n]];
    each_(worker, work.items[i], std::span(work.near).first(near));
  }

  const StringGroups& groups_;
  const std::vector<KeyJob> jobs_;
  const OrderedStrings& strings_;
  ThreadPool& pool_;
  const EachStringGroup& each_;
  std::vector<Work> works_;
  std::vector<Share> shares_;
  std::uint64_t passes_ = 1;  // a power of two
  unsigned part_bits_ = 0;
  std::vector<StringEntry> entries_;
};

}  // namespace

double keys_of_item(const KeyJob& job, std::uint32_t length) noexcept {
  if (job.kind == KeyJob::Kind::deletions) return choose(length, job.count);
  if (job.kind == KeyJob::Kind::pieces) return job.count;
  double keys = 0;
  for (std::uint32_t number = 0; number < job.count; ++number) {
    const Window window =
        window_of(piece_of(*job.cuts, number), number, job.count, job.level, length);
    keys += static_cast<double>(std::max<std::int64_t>(0, window.end - window.begin));
  }
  return keys;
}

StringKeys::StringKeys(const OrderedStrings& strings) : strings_(strings) {
  values_.resize(strings.column.alphabet);
  for (std::uint32_t symbol = 0; symbol < values_.size(); ++symbol) {
    values_[symbol] = random64(kSeed, symbol);
  }
  std::uint32_t longest = 0;
  for (std::size_t i = 0; i < strings.column.rows(); ++i) {
    longest = std::max(longest, strings.column.length(i));
  }
  inverse_powers_.assign(std::size_t{longest} + 1, 1);
  for (std::size_t i = 1; i < inverse_powers_.size(); ++i) {
    inverse_powers_[i] = inverse_powers_[i - 1] * inverse_of(kBase);
  }
}

template <class Symbol>
void StringKeys::hash_symbols(const SymbolSpan& string, Work& work) const {
  std::uint64_t hash = 0;
  std::uint64_t power = 1;
  work.prefixes[0] = 0;
  for (std::uint32_t i = 0; i < string.length; ++i) {
    Symbol symbol = 0;
    std::memcpy(&symbol, string.data + std::size_t{i} * sizeof(Symbol), sizeof(Symbol));
    work.values[i] = values_[symbol];
    hash += values_[symbol] * power;
    power *= kBase;
    work.prefixes[i + 1] = hash;
  }
}

void StringKeys::take(std::uint32_t item, Work& work) const {
  const SymbolSpan string = strings_.column.row(item);
  work.prefixes.resize(std::size_t{string.length} + 1);
  work.values.resize(string.length);
  if (string.width == 1) return hash_symbols<std::uint8_t>(string, work);
  if (string.width == 2) return hash_symbols<std::uint16_t>(string, work);
  hash_symbols<std::uint32_t>(string, work);
}

// If symbols i1 < i2 < ... are deleted, the symbols between the m-th deletion and the next move
// forward by m places: (prefix(i_next) - prefix(i_m + 1)) / base^m. Terms are sorted by deletion;
// deletion m (counted from 1) of `count` is in row count - m.
void StringKeys::make_terms(std::uint32_t length, std::uint32_t count, Work& work) const {
  work.terms.resize(std::size_t{count} * length);
  for (std::uint32_t m = 1; m <= count; ++m) {
    std::uint64_t* terms = work.terms.data() + std::size_t{count - m} * length;
    for (std::uint32_t i = 0; i < length; ++i) {
      terms[i] = work.prefixes[i] * inverse_power(m - 1) - work.prefixes[i + 1] * inverse_power(m);
    }
  }
}

std::uint64_t key_passes(double keys, std::uint64_t most_bytes) noexcept {
  const double bytes = keys * sizeof(StringEntry);
  const double most = static_cast<double>(std::max<std::uint64_t>(most_bytes, 1));
  return std::bit_ceil(static_cast<std::uint64_t>(std::min(bytes / most, 1e6)) + 1);
}

std::uint64_t find_string_candidates(const StringGroups& groups, ThreadPool& pool,
                                     const EachStringGroup& each) {
  if (groups.jobs.empty()) return 0;
  return Groups(groups, pool, each).run();
}

}  // namespace sosie

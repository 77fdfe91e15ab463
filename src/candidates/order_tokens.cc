// Counts elements part by part on several workers, and numbers them rarest first.
#include "candidates/order_tokens.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <utility>

#include "sosie/error.h"

namespace sosie {
namespace {

// Elements are divided into parts by their top bits, so that each part's hash table stays in cache.
constexpr int kMostPartBits = 12;
constexpr std::uint64_t kElementsPerPart = 4096;
constexpr std::size_t kSetsPerCount = 4096;

struct Entry {
  std::uint64_t element;  // its hash, then its number within its part
  std::uint64_t at;       // in TokenSets::tokens
};

// For the elements of one part, numbered in the order of their first occurrence: first the number
// of sets that contain the element, later its token.
using Part = std::vector<std::uint32_t>;

// Open addressing; a slot holds a number + 1, or 0 if it is free.
class PartTable {
 public:
  void number(std::span<Entry> entries, Part& part) {
    const std::size_t slots = std::bit_ceil(2 * entries.size() + 1);
    slots_.assign(slots, 0);
    hashes_.clear();
    for (Entry& entry : entries) {
      std::size_t slot = entry.element & (slots - 1);
      while (slots_[slot] != 0 && hashes_[slots_[slot] - 1] != entry.element) {
        slot = (slot + 1) & (slots - 1);
      }
      if (slots_[slot] == 0) {
        hashes_.push_back(entry.element);
        part.push_back(0);
        slots_[slot] = static_cast<std::uint32_t>(hashes_.size());
      }
      entry.element = slots_[slot] - 1;
      ++part[entry.element];
    }
  }

 private:
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> hashes_;
};

// A stable counting sort by ascending size, 16 bits at a time.
std::vector<Place> places_by_size(const HashedSets& sets) {
  constexpr int kBits = 16;
  const auto size_of = [&](Place p) { return sets.starts[p + 1] - sets.starts[p]; };
  std::uint64_t most = 0;
  for (Place p = 0; p < sets.size(); ++p) most = std::max(most, size_of(p));
  std::vector<Place> places(sets.size());
  std::iota(places.begin(), places.end(), Place{0});
  std::vector<Place> sorted(places.size());
  std::vector<std::size_t> next;
  for (int shift = 0; most >> shift != 0; shift += kBits) {
    const auto digit = [&](Place p) { return size_of(p) >> shift & ((1U << kBits) - 1); };
    next.assign(std::min<std::uint64_t>(most >> shift, (1U << kBits) - 1) + 2, 0);
    for (const Place p : places) ++next[digit(p) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (const Place p : places) sorted[next[digit(p)]++] = p;
    places.swap(sorted);
  }
  return places;
}

class TokenOrder {
 public:
  TokenOrder(const HashedSets& sets, ThreadPool& pool) : sets_(sets), pool_(pool) {}

  TokenSets run() {
    order_sets();
    scatter();
    number_parts();
    rank_elements();
    write_tokens();
    sort_sets();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t part_of(std::uint64_t hash) const noexcept {
    return part_bits_ == 0 ? 0 : hash >> (64 - part_bits_);
  }
  [[nodiscard]] std::span<Entry> entries_of(std::size_t part) {
    return {entries_.get() + part_starts_[part], entries_.get() + part_starts_[part + 1]};
  }

  void order_sets() {
    out_.places = places_by_size(sets_);
    out_.starts.reserve(out_.places.size() + 1);
    for (const Place p : out_.places) {
      out_.starts.push_back(out_.starts.back() + sets_.starts[p + 1] - sets_.starts[p]);
    }
  }

  // Each worker counts and scatters the elements of some of the sets. Within a part, elements are
  // in the order of the sets, regardless of the number of workers.
  void scatter() {
    const std::uint64_t elements = sets_.hashes.size();
    part_bits_ =
        std::min(kMostPartBits, static_cast<int>(std::bit_width(elements / kElementsPerPart)));
    const std::size_t parts = std::size_t{1} << part_bits_;
    std::vector<std::vector<std::uint64_t>> next(pool_.size(), std::vector<std::uint64_t>(parts));
    pool_.for_each(next.size(), [&](unsigned /*worker*/, std::size_t share) {
      for_each_element(
          share, [&](std::uint64_t hash, std::uint64_t /*at*/) { ++next[share][part_of(hash)]; });
    });
    part_starts_.assign(parts + 1, 0);
    std::uint64_t free = 0;
    for (std::size_t part = 0; part < parts; ++part) {
      for (std::vector<std::uint64_t>& of_share : next) {
        free += std::exchange(of_share[part], free);
      }
      part_starts_[part + 1] = free;
    }
    // Its pages are not allocated until the workers write to them.
    entries_ = std::make_unique_for_overwrite<Entry[]>(elements);
    pool_.for_each(next.size(), [&](unsigned /*worker*/, std::size_t share) {
      for_each_element(share, [&](std::uint64_t hash, std::uint64_t at) {
        entries_[next[share][part_of(hash)]++] = {hash, at};
      });
    });
  }

  // Calls each(element, its position among all tokens) for the sets in a worker's share.
  template <class Each>
  void for_each_element(std::size_t share, const Each& each) const {
    const auto first_set = [&](std::size_t of_share) {
      const std::uint64_t at = sets_.hashes.size() * of_share / pool_.size();
      return std::lower_bound(out_.starts.begin(), out_.starts.end(), at) - out_.starts.begin();
    };
    const auto end = static_cast<std::size_t>(first_set(share + 1));
    for (auto i = static_cast<std::size_t>(first_set(share)); i < end; ++i) {
      const std::uint64_t from = sets_.starts[out_.places[i]];
      const std::uint64_t size = out_.starts[i + 1] - out_.starts[i];
      for (std::uint64_t j = 0; j < size; ++j) each(sets_.hashes[from + j], out_.starts[i] + j);
    }
  }

  void number_parts() {
    parts_.resize(part_starts_.size() - 1);
    std::vector<PartTable> tables(pool_.size());
    pool_.for_each(parts_.size(), [&](unsigned worker, std::size_t i) {
      tables[worker].number(entries_of(i), parts_[i]);
    });
  }

  // Assigns a token to every element with a counting sort by frequency.
  void rank_elements() {
    std::uint64_t elements = 0;
    std::uint32_t most = 0;
    for (const Part& part : parts_) {
      elements += part.size();
      for (const std::uint32_t count : part) most = std::max(most, count);
    }
    if (elements >= ~std::uint32_t{0}) {
      throw Error(ErrorKind::limit_exceeded, "more than 4,294,967,294 different elements");
    }
    std::vector<std::uint32_t> next(std::size_t{most} + 2, 0);
    for (const Part& part : parts_) {
      for (const std::uint32_t count : part) ++next[count + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (Part& part : parts_) {
      for (std::uint32_t& count : part) count = next[count]++;
    }
    out_.universe = static_cast<std::uint32_t>(elements);
    out_.first_shared = most == 0 ? 0 : next[1];  // now after the last element that occurs once
  }

  void write_tokens() {
    out_.tokens.resize(sets_.hashes.size());
    pool_.for_each(parts_.size(), [&](unsigned, std::size_t i) {
      const std::vector<std::uint32_t>& tokens = parts_[i];
      for (const Entry& entry : entries_of(i)) out_.tokens[entry.at] = tokens[entry.element];
    });
    entries_.reset();
  }

  void sort_sets() {
    const std::size_t count = out_.places.size();
    pool_.for_each((count + kSetsPerCount - 1) / kSetsPerCount, [&](unsigned, std::size_t share) {
      const std::size_t end = std::min(count, (share + 1) * kSetsPerCount);
      for (std::size_t i = share * kSetsPerCount; i < end; ++i) {
        std::sort(out_.tokens.data() + out_.starts[i], out_.tokens.data() + out_.starts[i + 1]);
      }
    });
  }

  const HashedSets& sets_;
  ThreadPool& pool_;
  int part_bits_ = 0;
  std::vector<std::uint64_t> part_starts_;
  std::unique_ptr<Entry[]> entries_;
  std::vector<Part> parts_;
  TokenSets out_;
};

}  // namespace

TokenSets order_tokens(const HashedSets& sets, ThreadPool& pool) {
  return TokenOrder(sets, pool).run();
}

}  // namespace sosie

#include "candidates/token_order.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "sosie/error.h"

namespace sosie {
namespace {

// Elements are told apart in parts by their top bits, so that a part's hash table stays in cache.
constexpr int kMostPartBits = 12;
constexpr std::uint64_t kElementsPerPart = 4096;
constexpr std::size_t kSetsPerShare = 4096;

struct Entry {
  std::uint64_t hash;
  std::uint64_t at;  // in HashedSets::hashes
};

// The elements of one part, numbered in order of first occurrence.
struct Part {
  std::vector<std::uint32_t> counts;  // in how many sets
  std::uint64_t first = 0;            // number of the part's first element among all
};

// Open addressing; a slot holds a number + 1, 0 when it is free.
class PartTable {
 public:
  void number(std::span<const Entry> entries, Part& part, std::vector<std::uint32_t>& numbers) {
    const std::size_t slots = std::bit_ceil(2 * entries.size() + 1);
    slots_.assign(slots, 0);
    hashes_.clear();
    for (const Entry& entry : entries) {
      std::size_t slot = entry.hash & (slots - 1);
      while (slots_[slot] != 0 && hashes_[slots_[slot] - 1] != entry.hash) {
        slot = (slot + 1) & (slots - 1);
      }
      if (slots_[slot] == 0) {
        hashes_.push_back(entry.hash);
        part.counts.push_back(0);
        slots_[slot] = static_cast<std::uint32_t>(hashes_.size());
      }
      const std::uint32_t number = slots_[slot] - 1;
      ++part.counts[number];
      numbers[entry.at] = number;
    }
  }

 private:
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> hashes_;
};

class TokenOrder {
 public:
  TokenOrder(const HashedSets& sets, ThreadPool& pool) : sets_(sets), pool_(pool) {}

  TokenSets run() {
    scatter();
    number_parts();
    rank_elements();
    order_sets();
    write_sets();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t part_of(std::uint64_t hash) const noexcept {
    return part_bits_ == 0 ? 0 : hash >> (64 - part_bits_);
  }

  void scatter() {
    const std::uint64_t elements = sets_.hashes.size();
    part_bits_ =
        std::min(kMostPartBits, static_cast<int>(std::bit_width(elements / kElementsPerPart)));
    part_starts_.assign((std::size_t{1} << part_bits_) + 1, 0);
    for (const std::uint64_t hash : sets_.hashes) ++part_starts_[part_of(hash) + 1];
    std::partial_sum(part_starts_.begin(), part_starts_.end(), part_starts_.begin());
    std::vector<std::uint64_t> next(part_starts_.begin(), part_starts_.end() - 1);
    entries_.resize(elements);
    for (std::uint64_t at = 0; at < elements; ++at) {
      entries_[next[part_of(sets_.hashes[at])]++] = {sets_.hashes[at], at};
    }
  }

  void number_parts() {
    parts_.resize(part_starts_.size() - 1);
    numbers_.resize(sets_.hashes.size());
    std::vector<PartTable> tables(pool_.size());
    pool_.for_each(parts_.size(), [&](unsigned worker, std::size_t i) {
      tables[worker].number(
          std::span(entries_).subspan(part_starts_[i], part_starts_[i + 1] - part_starts_[i]),
          parts_[i], numbers_);
    });
    std::vector<Entry>().swap(entries_);
  }

  // Gives every element its token: a counting sort by frequency.
  void rank_elements() {
    std::uint64_t elements = 0;
    std::uint32_t most = 0;
    for (Part& part : parts_) {
      part.first = elements;
      elements += part.counts.size();
      for (const std::uint32_t count : part.counts) most = std::max(most, count);
    }
    if (elements >= ~std::uint32_t{0}) {
      throw Error(ErrorKind::limit_exceeded, "more than 4,294,967,294 different elements");
    }
    std::vector<std::uint32_t> next(std::size_t{most} + 2, 0);
    for (const Part& part : parts_) {
      for (const std::uint32_t count : part.counts) ++next[count + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    tokens_.resize(elements);
    for (const Part& part : parts_) {
      for (std::size_t i = 0; i < part.counts.size(); ++i) {
        tokens_[part.first + i] = next[part.counts[i]]++;
      }
    }
    out_.universe = static_cast<std::uint32_t>(elements);
    out_.first_shared = most == 0 ? 0 : next[1];  // by now behind the last of those that occur once
  }

  void order_sets() {
    const std::size_t count = sets_.size();
    const auto size_of = [&](Place p) { return sets_.starts[p + 1] - sets_.starts[p]; };
    std::vector<Place>& places = out_.places;
    places.resize(count);
    std::iota(places.begin(), places.end(), Place{0});
    std::stable_sort(places.begin(), places.end(),
                     [&](Place a, Place b) { return size_of(a) < size_of(b); });
    out_.starts.reserve(count + 1);
    for (const Place p : places) out_.starts.push_back(out_.starts.back() + size_of(p));
  }

  void write_sets() {
    out_.tokens.resize(sets_.hashes.size());
    const std::size_t count = out_.places.size();
    pool_.for_each((count + kSetsPerShare - 1) / kSetsPerShare, [&](unsigned, std::size_t share) {
      const std::size_t end = std::min(count, (share + 1) * kSetsPerShare);
      for (std::size_t i = share * kSetsPerShare; i < end; ++i) {
        const Place place = out_.places[i];
        std::uint32_t* const begin = out_.tokens.data() + out_.starts[i];
        std::uint32_t* to = begin;
        for (std::uint64_t at = sets_.starts[place]; at < sets_.starts[place + 1]; ++at) {
          *to++ = tokens_[parts_[part_of(sets_.hashes[at])].first + numbers_[at]];
        }
        std::sort(begin, to);
      }
    });
  }

  const HashedSets& sets_;
  ThreadPool& pool_;
  int part_bits_ = 0;
  std::vector<std::uint64_t> part_starts_;
  std::vector<Entry> entries_;
  std::vector<Part> parts_;
  std::vector<std::uint32_t> numbers_;  // of each element within its part
  std::vector<std::uint32_t> tokens_;   // of each element, parts in order
  TokenSets out_;
};

}  // namespace

TokenSets order_tokens(const HashedSets& sets, ThreadPool& pool) {
  return TokenOrder(sets, pool).run();
}

}  // namespace sosie

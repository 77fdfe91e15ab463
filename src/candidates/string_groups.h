#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "candidates/ordered_strings.h"
#include "candidates/string_cuts.h"
#include "core/mix64.h"
#include "core/thread_pool.h"

namespace sosie {

// The keys to compute for some items of equal length; any two near strings share a key.
struct KeyJob {
  enum class Kind : std::uint8_t {
    deletions,  // strings that remain after `count` deletions
    pieces,     // the `count` pieces into which a string is divided
    windows,    // parts that may be pieces of a string of `level` symbols, not a longer one
  };
  Kind kind = Kind::deletions;
  ItemRange items;
  std::uint32_t count = 0;
  std::uint32_t level = 0;
  std::shared_ptr<const StringCuts> cuts = {};  // for pieces and windows
};

struct Piece {
  std::uint32_t begin;
  std::uint32_t length;
};
[[nodiscard]] inline Piece piece_of(const StringCuts& cuts, std::uint32_t number) noexcept {
  return {cuts[number], cuts[number + 1] - cuts[number]};
}

// Positions at which a certain piece of a string of `level` symbols may begin in a string of
// `length` symbols that is within count - 1 edits: the multi-match-aware window of PassJoin (Li,
// Deng, Wang, Feng, VLDB 2011).
struct Window {
  std::int64_t begin;
  std::int64_t end;
};
[[nodiscard]] inline Window window_of(const Piece& piece, std::uint32_t number, std::uint32_t count,
                                      std::uint32_t level, std::uint32_t length) noexcept {
  const std::int64_t begin = piece.begin;
  const std::int64_t before = number;              // possible edits before the piece
  const std::int64_t behind = count - 1 - number;  // and after it
  const std::int64_t longer = std::int64_t{length} - level;
  return {
      std::max({std::int64_t{0}, begin - before, begin + longer - behind}),
      std::min({std::int64_t{length} - piece.length, begin + before, begin + longer + behind}) + 1};
}

// Bytes of a key that is stored with its item.
inline constexpr std::size_t kStringKeyBytes = sizeof(std::uint64_t);

// Maximum number of keys that a job computes for each of its items.
[[nodiscard]] double keys_of_item(const KeyJob& job, std::uint32_t length) noexcept;

// Computes keys from polynomial hashes of prefixes; a deletion adds one term to a sum. Colliding
// keys only cost an additional check. The lowest bit of a key is 1 for windows and 0 otherwise, and
// has no other meaning.
class StringKeys {
 public:
  explicit StringKeys(const OrderedStrings& strings);

  // Buffers of a thread.
  struct Work {
    std::vector<std::uint64_t> prefixes;
    std::vector<std::uint64_t> terms;  // length for each deletion
    std::vector<std::uint64_t> values;
  };

  // Hashes an item for subsequent calls of for_each().
  void take(std::uint32_t item, Work& work) const;

  // Calls emit(key) for each key of the item passed to take(). May emit duplicates.
  template <class Emit>
  void for_each(const KeyJob& job, std::uint32_t item, Work& work, const Emit& emit) const {
    switch (job.kind) {
      case KeyJob::Kind::deletions:
        return for_each_deletion(job, item, work, emit);
      case KeyJob::Kind::pieces:
        return for_each_piece(job, item, work, emit);
      case KeyJob::Kind::windows:
        return for_each_window(job, item, work, emit);
    }
  }

 private:
  static std::uint64_t mixed(std::uint64_t hash) noexcept {
    hash = (hash ^ hash >> 32) * 0xBF58476D1CE4E5B9ULL;
    return hash ^ hash >> 29;
  }
  // Hashes of the first i symbols, for every i: the sum of value · base^position.
  template <class Symbol>
  void hash_symbols(const SymbolSpan& string, Work& work) const;
  // The terms that deletions add to the hash, by the number of the deletion and its position i.
  void make_terms(std::uint32_t length, std::uint32_t count, Work& work) const;

  template <class Emit>
  void for_each_deletion(const KeyJob& job, std::uint32_t item, Work& work,
                         const Emit& emit) const {
    const std::uint32_t length = strings_.column.length(item);
    make_terms(length, job.count, work);
    const std::uint64_t whole = work.prefixes[length] * inverse_power(job.count);
    delete_from(work, length, 0, job.count, whole, emit);
  }

  // Deletes only the first of equal adjacent symbols.
  template <class Emit>
  static void delete_from(const Work& work, std::uint32_t length, std::uint32_t first,
                          std::uint32_t left, std::uint64_t sum, const Emit& emit) {
    if (left == 0) {
      emit(mixed(sum) & ~std::uint64_t{1});
      return;
    }
    const std::uint64_t* terms = work.terms.data() + std::size_t{left - 1} * length;
    const std::uint64_t* values = work.values.data();
    for (std::uint32_t i = first; i + left <= length; ++i) {
      if (i > first && values[i] == values[i - 1]) continue;
      if (left == 1) {
        emit(mixed(sum + terms[i]) & ~std::uint64_t{1});
      } else {
        delete_from(work, length, i + 1, left - 1, sum + terms[i], emit);
      }
    }
  }

  [[nodiscard]] std::uint64_t part(const Work& work, std::int64_t begin,
                                   std::uint32_t length) const noexcept {
    const auto at = static_cast<std::size_t>(begin);
    return (work.prefixes[at + length] - work.prefixes[at]) * inverse_powers_[at];
  }
  [[nodiscard]] static std::uint64_t place(std::uint32_t level, std::uint32_t number) noexcept {
    return (std::uint64_t{level} << 20 ^ number) * 0x9E3779B97F4A7C15ULL;
  }

  template <class Emit>
  void for_each_piece(const KeyJob& job, std::uint32_t item, const Work& work,
                      const Emit& emit) const {
    const std::uint32_t length = strings_.column.length(item);
    for (std::uint32_t number = 0; number < job.count; ++number) {
      const Piece piece = piece_of(*job.cuts, number);
      const std::uint64_t hash = part(work, piece.begin, piece.length) + place(length, number);
      emit(mixed(hash) & ~std::uint64_t{1});
    }
  }

  template <class Emit>
  void for_each_window(const KeyJob& job, std::uint32_t item, const Work& work,
                       const Emit& emit) const {
    const std::uint32_t length = strings_.column.length(item);
    for (std::uint32_t number = 0; number < job.count; ++number) {
      const Piece piece = piece_of(*job.cuts, number);
      const Window window = window_of(piece, number, job.count, job.level, length);
      for (std::int64_t at = window.begin; at < window.end; ++at) {
        emit(mixed(part(work, at, piece.length) + place(job.level, number)) | 1U);
      }
    }
  }

  [[nodiscard]] std::uint64_t inverse_power(std::uint32_t exponent) const noexcept {
    return inverse_powers_[exponent];
  }

  const OrderedStrings& strings_;
  std::vector<std::uint64_t> values_;          // by symbol
  std::vector<std::uint64_t> inverse_powers_;  // powers of 1 / base, modulo 2^64
};

// The jobs whose keys are compared, to find pairs of items that share a key.
struct StringGroups {
  const OrderedStrings* strings = nullptr;
  const StringKeys* keys = nullptr;
  std::vector<KeyJob> jobs = {};
  std::uint32_t most_bits = 0;   // maximum number of differing bits of signatures
  std::uint64_t most_bytes = 0;  // for keys in memory; more keys need several passes
};

// Number of passes needed for this many keys.
[[nodiscard]] std::uint64_t key_passes(double keys, std::uint64_t most_bytes) noexcept;

// Receives an item and other items: the items that follow it in order or, for a join across sides,
// items on the other side. Called concurrently by several workers.
using EachStringGroup =
    std::function<void(unsigned worker, std::uint32_t item, std::span<const std::uint32_t> others)>;

// Reports all pairs that share a key and whose signatures are near: either two items with
// deletions, or a string and another one that is at least as long and has one of the string's
// pieces as a window. A pair may be reported more than once. Returns the number of pairs that share
// a key. Throws Error{cancelled}. Memory: most_bytes, 8 bytes per key, and as much again for the
// largest group.
std::uint64_t find_string_candidates(const StringGroups& groups, ThreadPool& pool,
                                     const EachStringGroup& each);

}  // namespace sosie

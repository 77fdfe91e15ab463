#pragma once

#include <cstdint>
#include <span>

#include "core/thread_pool.h"
#include "io/scratch.h"
#include "join/in_memory_joiner.h"
#include "store/run/saved_pairs.h"

namespace sosie {

// The joins of a run with a checkpoint, divided by their left rows into parts. Each part is saved
// as soon as it is finished, and a resumed run does not join it again. Pairs from the folder are
// measured again, and some rows of each part are joined again: if the results in the folder differ,
// an error is thrown.
class SavedJoin {
 public:
  // All arguments must outlive this object.
  SavedJoin(const InMemoryJoiner& joiner, SavedPairs& saved, ThreadPool& pool, Scratch& scratch,
            std::uint64_t sort_bytes)
      : joiner_(joiner), saved_(saved), pool_(pool), scratch_(scratch), sort_bytes_(sort_bytes) {}

  // Finds the same pairs as InMemoryJoiner::find(), but always sorted by (left, right) and from one
  // thread. Throws Error{malformed_input} for a folder that contradicts the items, and Error{io}.
  std::uint64_t find(std::span<const RowId> rows, std::size_t split, const EachPairs& each);

 private:
  // The left rows [begin, end) of a join, and the rows on its right side.
  struct Part {
    std::span<const RowId> rows;
    std::size_t split;
    std::size_t begin;
    std::size_t end;
  };
  std::uint64_t find_part(const Part& part, const EachPairs& each);
  [[nodiscard]] std::uint64_t join(const Part& part, const EachPairs& each) const;
  [[nodiscard]] bool check(const Part& part, std::span<const SavedPair> pairs) const;
  void check_again(const Part& part, const std::vector<SavedPair>& known);
  [[nodiscard]] static std::vector<std::size_t> drawn_lefts(const Part& part);
  [[noreturn]] void refuse() const;

  const InMemoryJoiner& joiner_;
  SavedPairs& saved_;
  ThreadPool& pool_;
  Scratch& scratch_;
  std::uint64_t sort_bytes_;
  bool has_checked_ = false;
};

}  // namespace sosie

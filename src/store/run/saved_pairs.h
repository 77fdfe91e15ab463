#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/journal.h"

namespace sosie {

// Two items of a join by their positions in it, and the value of the measure.
struct SavedPair {
  std::uint32_t left;
  std::uint32_t right;
  double value;
};

// The pairs found by finished joins, in a file that outlives the run, so that a resumed run need
// not repeat them. A join is identified by a key, which is a hash of everything that determines it.
// Its pairs are in records of up to 1 MiB; the last one marks the join as complete. Not
// thread-safe.
class SavedPairs {
 public:
  static constexpr std::string_view kMark = "sosie compared items 1\n";  // the file begins with it

  // `about` identifies the items and the measure; joins of others are discarded. Throws as Journal
  // does.
  SavedPairs(std::string path, std::uint64_t about);

  // Number of complete joins.
  [[nodiscard]] std::size_t joins() const;
  // Path of the file.
  [[nodiscard]] const std::string& path() const noexcept { return journal_.path(); }

  // If a join is stored, returns the number of pairs that it measured. First calls `check` with its
  // pairs in chunks, and then `each`, unless `check` returns false because a pair cannot belong to
  // the join, or a record is damaged. Pairs are sorted by (left, right), without duplicates. Throws
  // Error{io}, and exceptions of the callbacks.
  using Check = std::function<bool(std::span<const SavedPair> pairs)>;
  using Each = std::function<void(std::span<const SavedPair> pairs)>;
  [[nodiscard]] std::optional<std::uint64_t> load(std::uint64_t key, const Check& check,
                                                  const Each& each) const;

  // Stores a finished join: begin(), all pairs sorted by (left, right), then finish(). Throws
  // Error{io}.
  void begin(std::uint64_t key);
  void add(const SavedPair& pair);
  void finish(std::uint64_t measured);
  // Makes finished joins survive a power loss.
  void flush() { journal_.flush(); }

 private:
  struct Join {
    std::vector<std::size_t> records;
    std::uint64_t measured = 0;
    bool is_whole = false;
  };

  void find_joins();
  void write(std::uint64_t measured, bool is_last);
  [[nodiscard]] bool read(std::size_t record, std::vector<SavedPair>& pairs) const;

  Journal journal_;
  std::unordered_map<std::uint64_t, Join> joins_;  // joins stored when it was opened
  std::size_t finished_ = 0;                       // joins since then
  std::uint64_t key_ = 0;                          // key of the join being added
  std::uint32_t part_ = 0;
  std::vector<SavedPair> unwritten_;
};

}  // namespace sosie

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

// Two items of a join by their positions in it, and what the measure says of them.
struct SavedPair {
  std::uint32_t left;
  std::uint32_t right;
  double value;
};

// The pairs of finished joins, in a file that outlives the run: a run that goes on need not join
// again. A join is known by a key, a hash of all that decides it; its pairs lie in records of up to
// 1 MiB, the last of which says that it is whole. Belongs to one thread.
class SavedPairs {
 public:
  static constexpr std::string_view kMark = "sosie compared items 1\n";  // the file begins with it

  // `about`: what the items and the measure are. Joins of other ones are forgotten. Throws as
  // Journal does.
  SavedPairs(std::string path, std::uint64_t about);

  // Number of joins that are there as a whole.
  [[nodiscard]] std::size_t joins() const;
  // Where they are.
  [[nodiscard]] const std::string& path() const noexcept { return journal_.path(); }

  // Number of pairs that a join measured, if it is there: calls `check` with its pairs some at a
  // time, and then, unless one of them cannot be of the join (false) or a record is damaged,
  // `each`. Pairs come by (left, right), each once. Throws Error{io}, and what the callers throw.
  using Check = std::function<bool(std::span<const SavedPair> pairs)>;
  using Each = std::function<void(std::span<const SavedPair> pairs)>;
  [[nodiscard]] std::optional<std::uint64_t> load(std::uint64_t key, const Check& check,
                                                  const Each& each) const;

  // A join that comes to an end: all pairs by (left, right), then finish(). Throws Error{io}.
  void begin(std::uint64_t key);
  void add(const SavedPair& pair);
  void finish(std::uint64_t measured);
  // Makes finished joins outlive a loss of power.
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
  std::unordered_map<std::uint64_t, Join> joins_;  // joins that were there when it was opened
  std::size_t finished_ = 0;                       // joins since then
  std::uint64_t key_ = 0;                          // key of the join that is being added
  std::uint32_t part_ = 0;
  std::vector<SavedPair> unwritten_;
};

}  // namespace sosie

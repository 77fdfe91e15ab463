#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "corpus/inputs.h"
#include "sosie/options.h"
#include "store/run/checkpoint_folder.h"
#include "store/run/saved_pairs.h"

namespace sosie {

// Identity of a run on items in memory, in addition to options and inputs.
struct ItemIdentity {
  std::uint64_t items = 0;  // a hash of all items
  std::string method;       // method of the join, in words
};

// The folder of `--checkpoint DIR` for items in memory (docs/checkpoints.md). It contains standard
// input, and the pairs found by finished parts of the run's joins.
class ItemCheckpoint {
 public:
  // Claims the folder; throws as CheckpointFolder does.
  explicit ItemCheckpoint(const std::string& folder) : folder_(folder) {}

  // Must be called after the items have been read. Throws as CheckpointFolder::expect_apart() does,
  // Error{invalid_option} with both values if the folder belongs to a different run,
  // Error{malformed_input} if the inputs have changed, and Error{unsupported} for a folder of
  // another version.
  void begin(const Options& options, const Inputs& inputs, const ItemIdentity& identity);

  [[nodiscard]] bool has_begun() const noexcept { return pairs_.has_value(); }
  [[nodiscard]] SavedPairs& pairs() noexcept { return *pairs_; }

 private:
  CheckpointFolder folder_;
  std::optional<SavedPairs> pairs_;
};

// Claims the folder that the options name; null if they name none. Throws as ItemCheckpoint and
// check_checkpoint_options() do.
[[nodiscard]] std::unique_ptr<ItemCheckpoint> open_item_checkpoint(const Options& options);

}  // namespace sosie

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "corpus/sketches.h"
#include "store/run/checkpoint_folder.h"
#include "store/run/saved_overlaps.h"
#include "store/sketch_contents.h"

namespace sosie {

// The folder of `--checkpoint DIR`, from which the same command can resume (docs/checkpoints.md).
// It contains standard input, facts about the rows, block by block, and the results of comparisons.
// Anything that is damaged, or had not reached the disk when the machine stopped, is recomputed.
class Checkpoint final : public SavedBlocks {
 public:
  // Claims the folder; throws as CheckpointFolder does.
  explicit Checkpoint(const std::string& folder) : folder_(folder) {}
  void expect_apart(const Inputs& inputs) const { folder_.expect_apart(inputs); }

  // Must be called before the first block of the scan. `contents` identifies the run, including its
  // plan; `contents` and the inputs are used until the scan ends. Throws Error{invalid_option} with
  // both values if the folder belongs to a different run, Error{malformed_input} if the inputs have
  // changed, and Error{unsupported} for a folder of another version.
  void begin(SketchContents contents, const Inputs& inputs, BadRows bad_rows);
  [[nodiscard]] bool has_begun() const noexcept { return begun_; }
  // True if a run with the same command would not have to reread all rows.
  [[nodiscard]] bool holds_rows() const noexcept { return folder_.rows().size() > 1; }
  // Share of the input's bytes whose rows are already known.
  [[nodiscard]] double known_part() const noexcept;

  void expect_blocks(std::size_t blocks) override { input_hashes_.resize(blocks); }
  [[nodiscard]] bool load(std::size_t number, const BlockRange& range,
                          ScannedBlock& block) override;
  void save(std::size_t number, const BlockRange& range, const ScannedBlock& block) override;
  void flush() override { folder_.rows().flush(); }

  [[nodiscard]] SavedOverlaps& overlaps() noexcept { return *overlaps_; }

 private:
  void check_contents(const SketchContents& saved) const;
  void check_files(const SketchContents& saved) const;
  void find_blocks();
  [[nodiscard]] bool unpack(std::string_view bytes, const BlockRange& range,
                            ScannedBlock& block) const;
  [[nodiscard]] SketchShape shape_of(const BlockRange& range) const;

  CheckpointFolder folder_;  // `rows`: the identity of the run, then blocks
  SketchContents contents_;
  const Inputs* inputs_ = nullptr;
  BadRows bad_rows_ = BadRows::stop;
  bool begun_ = false;
  std::vector<std::size_t> known_;  // by block: its record in `rows`; 0: not known
  std::uint64_t known_bytes_ = 0;
  std::vector<std::uint64_t> input_hashes_;  // by block, of its part of the input
  std::unique_ptr<SavedOverlaps> overlaps_;
};

// Contents of such a folder for a run with this plan.
[[nodiscard]] SketchContents checkpoint_contents(const Options& options, const Settings& settings,
                                                 const Inputs& inputs, const BandingPlan& plan);

// Claims the folder that the options name; null if they name none. Throws as Checkpoint does, and
// Error{invalid_option} for options that exclude a checkpoint.
[[nodiscard]] std::unique_ptr<Checkpoint> open_checkpoint(const Options& options);

}  // namespace sosie

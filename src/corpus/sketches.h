#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "data/banded_rows.h"
#include "data/hashed_items.h"
#include "options/input_list.h"
#include "plan/saved_plan.h"
#include "sosie/options.h"

namespace sosie {

// Sketches that stand for the inputs of a run, in place of its rows: what the scan and the planner
// ask of them. store/sketch/sketch_files.h reads them from files.
class Sketches {
 public:
  virtual ~Sketches() = default;

  [[nodiscard]] virtual std::vector<std::string> paths() const = 0;
  // Plan that all of the rows were read with.
  [[nodiscard]] virtual const SavedPlan& plan() const noexcept = 0;
  [[nodiscard]] virtual const std::string& id_field() const noexcept = 0;
  // Fields that were read from their rows.
  struct Fields {
    std::string column;
    std::string id;
    std::vector<std::string> ranks;
    bool columnar = false;  // some of the files were
  };
  [[nodiscard]] virtual Fields fields() const = 0;
  // The files that the rows were read from.
  [[nodiscard]] virtual InputList inputs() const = 0;
  // Throws Error{malformed_input} unless these files are still as they were read; `files`: the
  // files of inputs().
  virtual void check(std::span<const File> files) const = 0;
  // Adds the blocks in input order; `first_file`: the number of the first of inputs() in this run.
  virtual void append_blocks(std::uint32_t first_file, std::vector<BlockRange>& blocks) const = 0;
  // Block `number` of those; `file`: the number of its file in this run. Throws
  // Error{malformed_input} for a damaged one, Error{io}.
  [[nodiscard]] virtual ScannedBlock read(std::size_t number, std::uint32_t file) const = 0;

  // Such a block without its band keys, and hashes of its columns: of the keys of each band, then
  // of the rows' bytes (sketched_row()).
  [[nodiscard]] virtual ScannedBlock read_keyless(std::size_t number, std::uint32_t file,
                                                  std::vector<std::uint64_t>& /*hashes*/) const {
    return read(number, file);
  }

  // Number of rows; of vectors and bit strings, of those that take part.
  [[nodiscard]] virtual std::uint64_t rows() const noexcept { return 0; }
  // Checksums of the files of sketches, in their order: they differ where a file does.
  [[nodiscard]] virtual std::vector<std::uint64_t> checksums() const { return {}; }
  // Reads the states of the rows of a block, and the keys of some bands, band by band; then, for as
  // many rows, their bytes (sketched_row()); or the filter signatures of some of them. Unlike
  // read() these do not look at the block's checksum, as they read part of it.
  virtual void read_keys(std::size_t /*number*/, const BandRange& /*bands*/,
                         std::vector<RowState>& /*states*/,
                         std::vector<std::uint64_t>& /*keys*/) const {}
  virtual void read_rows(std::size_t /*number*/, std::size_t /*rows*/,
                         std::string& /*bytes*/) const {}
  virtual void read_filters(std::size_t /*number*/, std::size_t /*rows*/, const RowSpan& /*some*/,
                            std::vector<std::uint8_t>& /*filters*/) const {}

  // The functions below are for vectors and bit strings, whose rows are read again.
  // Components or bits of an item; 0 if there is none.
  [[nodiscard]] virtual std::uint64_t dimension() const noexcept = 0;
  // Numbers of items by block.
  [[nodiscard]] virtual std::vector<std::uint64_t> item_counts() const = 0;
  // Hashes of the items in block `number`. Throws Error{malformed_input} for a damaged one,
  // Error{io}.
  [[nodiscard]] virtual HashedItems read_items(std::size_t number) const = 0;
  // Throws Error{malformed_input}: the input of block `number` holds other items now.
  [[noreturn]] virtual void refuse_changed(std::size_t number) const = 0;
};

// The sketches that say how a run's rows are sketched; null: none, it decides for itself.
[[nodiscard]] inline const Sketches* deciding_sketches(const Options& options) noexcept {
  return options.sketches ? options.sketches.get() : options.against_sketches.get();
}

// True if the rows are compared with another collection.
[[nodiscard]] inline bool has_other(const Options& options) noexcept {
  return !options.against.empty() || options.against_table || options.against_sketches;
}

// Blocks that an earlier, interrupted run has scanned. store/run/checkpoint.h keeps them in a
// folder.
class SavedBlocks {
 public:
  virtual ~SavedBlocks() = default;

  // `blocks`: of the whole scan, cut in a way that depends on the inputs only.
  virtual void expect_blocks(std::size_t blocks) = 0;
  // Loads block `number` into `block` and returns true if it is known. Thread-safe. Throws
  // Error{malformed_input} when the stretch of the input has changed since, Error{io}.
  [[nodiscard]] virtual bool load(std::size_t number, const BlockRange& range,
                                  ScannedBlock& block) = 0;
  // A block that was not known, behind load() of it.
  virtual void save(std::size_t number, const BlockRange& range, const ScannedBlock& block) = 0;
  // Behind the last block: all of them outlive a loss of power.
  virtual void flush() = 0;
};

// Files whose rows are read again one by one, and compared with their hashes then: inputs, and
// nothing else that sketches have.
class FilesOfRows : public Sketches {
 public:
  void check(std::span<const File> /*files*/) const override {}
  // There are no blocks.
  void append_blocks(std::uint32_t /*first*/, std::vector<BlockRange>& /*to*/) const override {}
  [[nodiscard]] ScannedBlock read(std::size_t /*number*/, std::uint32_t /*file*/) const override {
    return {};
  }
  [[nodiscard]] std::uint64_t dimension() const noexcept override { return 0; }
  [[nodiscard]] std::vector<std::uint64_t> item_counts() const override { return {}; }
  [[nodiscard]] HashedItems read_items(std::size_t /*number*/) const override { return {}; }
};

}  // namespace sosie

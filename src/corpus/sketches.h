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

// Sketches that replace the rows of a run's inputs, as the scan and the planner see them.
// store/sketch/sketch_files.h reads them from files.
class Sketches {
 public:
  virtual ~Sketches() = default;

  [[nodiscard]] virtual std::vector<std::string> paths() const = 0;
  // The plan with which all rows were sketched.
  [[nodiscard]] virtual const SavedPlan& plan() const noexcept = 0;
  [[nodiscard]] virtual const std::string& id_field() const noexcept = 0;
  // The fields that were read from the sketched rows.
  struct Fields {
    std::string column;
    std::string id;
    std::vector<std::string> ranks;
    bool columnar = false;  // some of the files were columnar
  };
  [[nodiscard]] virtual Fields fields() const = 0;
  // The files from which the rows were read.
  [[nodiscard]] virtual InputList inputs() const = 0;
  // Throws Error{malformed_input} unless these files are unchanged since they were sketched.
  // `files`: the files of inputs().
  virtual void check(std::span<const File> files) const = 0;
  // Appends the blocks in input order. `first_file`: number, in this run, of the first file of
  // inputs().
  virtual void append_blocks(std::uint32_t first_file, std::vector<BlockRange>& blocks) const = 0;
  // Reads block `number`, whose file has the number `file` in this run. Throws
  // Error{malformed_input} for a damaged block, and Error{io}.
  [[nodiscard]] virtual ScannedBlock read(std::size_t number, std::uint32_t file) const = 0;

  // Like read(), but without band keys; computes hashes of the block's columns instead: of each
  // band's keys, then of the rows' bytes (sketched_row()).
  [[nodiscard]] virtual ScannedBlock read_keyless(std::size_t number, std::uint32_t file,
                                                  std::vector<std::uint64_t>& /*hashes*/) const {
    return read(number, file);
  }

  // Number of rows; for vectors and bit strings, only rows that take part are counted.
  [[nodiscard]] virtual std::uint64_t rows() const noexcept { return 0; }
  // Checksums of the sketch files, in order. If a file changes, so does its checksum.
  [[nodiscard]] virtual std::vector<std::uint64_t> checksums() const { return {}; }
  // Read parts of a block: the states of its rows and the keys of some bands, band by band; the
  // bytes of a number of rows (sketched_row()); or the filter signatures of some rows. Unlike
  // read(), these functions do not verify the block's checksum, as they read only part of it.
  virtual void read_keys(std::size_t /*number*/, const BandRange& /*bands*/,
                         std::vector<RowState>& /*states*/,
                         std::vector<std::uint64_t>& /*keys*/) const {}
  virtual void read_rows(std::size_t /*number*/, std::size_t /*rows*/,
                         std::string& /*bytes*/) const {}
  virtual void read_filters(std::size_t /*number*/, std::size_t /*rows*/, const RowSpan& /*some*/,
                            std::vector<std::uint8_t>& /*filters*/) const {}

  // The functions below are for vectors and bit strings, whose rows are reread. Number of
  // components or bits of an item; 0 if there are no items.
  [[nodiscard]] virtual std::uint64_t dimension() const noexcept = 0;
  // Number of items in each block.
  [[nodiscard]] virtual std::vector<std::uint64_t> item_counts() const = 0;
  // Hashes of the items in block `number`. Throws Error{malformed_input} for a damaged block, and
  // Error{io}.
  [[nodiscard]] virtual HashedItems read_items(std::size_t number) const = 0;
  // Throws Error{malformed_input} because the input of block `number` now contains other items.
  [[noreturn]] virtual void refuse_changed(std::size_t number) const = 0;
};

// The sketches that determine how the run's rows are sketched; null if the run itself decides.
[[nodiscard]] inline const Sketches* deciding_sketches(const Options& options) noexcept {
  return options.sketches ? options.sketches.get() : options.against_sketches.get();
}

// True if the rows are compared with another collection.
[[nodiscard]] inline bool has_other(const Options& options) noexcept {
  return !options.against.empty() || options.against_table || options.against_sketches;
}

// Blocks that were scanned by an earlier run that was interrupted. store/run/checkpoint.h stores
// them in a folder.
class SavedBlocks {
 public:
  virtual ~SavedBlocks() = default;

  // `blocks`: number of blocks in the whole scan. The division into blocks depends only on the
  // inputs.
  virtual void expect_blocks(std::size_t blocks) = 0;
  // If block `number` is known, loads it into `block` and returns true. Thread-safe. Throws
  // Error{malformed_input} if this part of the input has changed since, and Error{io}.
  [[nodiscard]] virtual bool load(std::size_t number, const BlockRange& range,
                                  ScannedBlock& block) = 0;
  // Stores a block that load() did not find.
  virtual void save(std::size_t number, const BlockRange& range, const ScannedBlock& block) = 0;
  // Called after the last block. On return, all blocks are safe from a power loss.
  virtual void flush() = 0;
};

// Files whose rows are reread one by one and then compared with their hashes. Provides the inputs
// only, and none of the other data that sketches have.
class FilesOfRows : public Sketches {
 public:
  void check(std::span<const File> /*files*/) const override {}
  // Appends nothing: there are no blocks.
  void append_blocks(std::uint32_t /*first*/, std::vector<BlockRange>& /*to*/) const override {}
  [[nodiscard]] ScannedBlock read(std::size_t /*number*/, std::uint32_t /*file*/) const override {
    return {};
  }
  [[nodiscard]] std::uint64_t dimension() const noexcept override { return 0; }
  [[nodiscard]] std::vector<std::uint64_t> item_counts() const override { return {}; }
  [[nodiscard]] HashedItems read_items(std::size_t /*number*/) const override { return {}; }
};

}  // namespace sosie

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/row_parsers.h"
#include "corpus/scan.h"
#include "read/block_reader.h"
#include "represent/text_shingler.h"
#include "sketch/minhash.h"

namespace sosie {

// Throws Error{limit_exceeded} for a row that is larger than the run may hold.
void check_length(const Inputs& inputs, const RowLocator& row);

// Everything that one worker needs to compute signatures from bytes.
class BlockScanner {
 public:
  BlockScanner(const Inputs& inputs, const Settings& settings, const ScanRequest& request);
  void scan(const BlockRange& range, ScannedBlock& out);

 private:
  void scan_row(std::uint32_t file, const RowView& row, ScannedBlock& out);
  void forget_record();
  bool take_ill_formed(const RowLocator& locator, const RowView& row, ScannedBlock& out);
  void append_values(std::uint32_t file, bool bad, ScannedBlock& out);
  void sketch(RowState state, std::uint32_t file, ScannedBlock& out);
  void keep_set(bool normal, std::uint32_t file, HashedSets& sets);
  // Transposes the keys, because grouping reads one band of all rows at a time.
  void transpose_keys(ScannedBlock& out);

  const Inputs& inputs_;
  const Settings& settings_;
  const ScanRequest& request_;
  TextShingler shingler_;
  std::optional<MinHasher> hasher_;
  bool wants_length_;
  BlockReader reader_;
  RowParsers parsers_;
  Record record_;
  std::vector<RankValue> ranks_;  // by field that --keep names
  std::vector<std::uint32_t> signature_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> row_keys_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> scratch_;
};

// Counts the rows of a block. The caller fills in first_row.
[[nodiscard]] BlockFacts block_facts(const ScannedBlock& block);

// Number of bytes that a block takes in memory.
[[nodiscard]] std::uint64_t memory_of(const ScannedBlock& block);

}  // namespace sosie

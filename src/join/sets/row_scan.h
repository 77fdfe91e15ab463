#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/rows/row_reader.h"
#include "data/padded_bytes.h"
#include "io/external_sort.h"
#include "join/sets/indexed_sets.h"
#include "options/items_as_file.h"
#include "options/settings.h"
#include "plan/banding_plan.h"
#include "sosie/join.h"

namespace sosie {

// A row of an input, as it is looked up in an index or added to one.
struct InputRow {
  RowId row = 0;
  RowState state = RowState::normal;
  RowLocator locator;
  Hash128 hash;                          // hash of the text
  SketchedSet set;                       // empty unless normal; valid until the block ends, its
                                         // keys until the next row
  RowName name;                          // none of a bad row
  std::vector<std::string> fields = {};  // values of the fields in Settings::show, of such a row
};

// Functions that take the rows of an input, block by block.
struct InputRowSteps {
  // A block of so many rows begins.
  std::function<void(std::size_t rows)> begin;
  // Row i of it: by any worker, several at once.
  std::function<void(unsigned worker, std::size_t i, const InputRow& row)> take;
  // All of them were taken; blocks end in input order.
  std::function<void()> end;
  // Behind read() corpus() knows the places and states of the rows, and why some are bad; else
  // their number alone.
  bool keeps_places = true;
  bool reads_names = true;  // names of rows are read, too
};

// The rows of inputs, read once, with sets, signatures and names; one block is in memory at a time.
class RowScan {
 public:
  // `options`: with the inputs. Throws as open_inputs() does.
  RowScan(const Options& options, const Settings& settings, Scratch& scratch, ThreadPool& pool,
          const RunHooks& hooks);

  [[nodiscard]] const Inputs& inputs() const noexcept { return inputs_; }
  // Throws as scan() and check_unique_ids() do.
  void read(const BandingPlan& plan, const InputRowSteps& steps);
  // Behind read(): counts of all rows with their places and states.
  [[nodiscard]] const Corpus& corpus() const noexcept { return corpus_; }
  // Puts the items of an index before all other rows. The first input stands for the index and had
  // no rows until now. Behind read().
  void add_items(std::shared_ptr<const ItemsAsFile> items);

 private:
  void take_block(const ScannedBlock& block, const InputRowSteps& steps);
  void read_bytes(const ScannedBlock& block);
  void take_row(unsigned worker, const ScannedBlock& block, std::size_t i,
                const InputRowSteps& steps);
  struct IdHash {
    std::uint64_t key;
  };

  void note_ids(const ScannedBlock& block);
  void expect_unique_ids();

  const Settings& settings_;
  Scratch& scratch_;
  ThreadPool& pool_;
  const RunHooks& hooks_;
  Inputs inputs_;
  Corpus block_;       // the rows of the block that is taken
  PaddedBytes bytes_;  // where names and fields of these are read
  Corpus corpus_;
  std::vector<ScannedBlock> places_;  // places and states of all rows
  ExternalSort<IdHash> id_hashes_;
  std::vector<std::unique_ptr<RowReader>> readers_;  // by worker
  std::vector<std::vector<std::uint64_t>> keys_;     // by worker
};

}  // namespace sosie

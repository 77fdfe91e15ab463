#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/rows/row_reader.h"
#include "corpus/scan.h"
#include "data/padded_bytes.h"
#include "io/external_sort.h"
#include "join/sets/indexed_sets.h"
#include "options/items_as_file.h"
#include "options/settings.h"
#include "plan/banding_plan.h"
#include "sosie/join.h"

namespace sosie {

// A row of an input, to be looked up in an index or added to one.
struct InputRow {
  RowId row = 0;
  RowState state = RowState::normal;
  RowLocator locator;
  Hash128 hash;                          // hash of the text
  SketchedSet set;                       // empty unless normal; valid until the block ends, its
                                         // keys until the next row
  RowName name;                          // empty for a bad row
  std::vector<std::string> fields = {};  // values of the fields in Settings::show
};

// Ways of processing the blocks of an input.
enum class BlockTurns : std::uint8_t {
  one_by_one,  // rows of a block by all workers; begin and end outside of pool tasks
  at_once,     // several blocks, each by one worker
};

// Functions that receive the rows of an input, block by block.
struct InputRowSteps {
  // Called when a block with this number of rows begins.
  std::function<void(unsigned worker, std::size_t rows)> begin;
  // Receives row i of the block; called concurrently.
  std::function<void(unsigned worker, std::size_t i, const InputRow& row)> take;
  // Called after the last row of a block. Blocks end in input order, one at a time.
  std::function<void(unsigned worker)> end;
  BlockTurns turns = BlockTurns::one_by_one;
  // If true, corpus() contains the places and states of the rows after read(), and the reasons why
  // some are bad; if false, only the number of rows.
  bool keeps_places = true;
  bool reads_names = true;  // also reads the names of rows
};

// Reads the rows of inputs once, with sets, signatures and names. Only a few blocks are in memory
// at a time.
class RowScan {
 public:
  // `options` must include the inputs. Throws as open_inputs() does.
  RowScan(const Options& options, const Settings& settings, Scratch& scratch, ThreadPool& pool,
          const RunHooks& hooks);

  [[nodiscard]] const Inputs& inputs() const noexcept { return inputs_; }
  // Throws as scan() and check_unique_ids() do.
  void read(const BandingPlan& plan, const InputRowSteps& steps);
  // After read(): the number of all rows, with their places and states.
  [[nodiscard]] const Corpus& corpus() const noexcept { return corpus_; }
  // Called after read(): inserts the items of an index before all other rows. The first input
  // stands for the index and must have had no rows so far.
  void add_items(std::shared_ptr<const ItemsAsFile> items);

 private:
  struct IdHash {
    std::uint64_t key;
  };
  // Everything that a worker needs.
  struct Worker {
    Worker(const Inputs& inputs, const FieldRequest& fields) : reader(inputs, places, fields) {
      places.blocks.resize(1);
    }
    void look_in(const ScannedBlock& block, std::string_view read);

    Corpus places;      // places and states of the rows of its block
    PaddedBytes bytes;  // memory for names and fields of these
    RowReader reader;
    std::vector<std::uint64_t> keys = {};
  };

  void take_one_by_one(const ScannedBlock& block, const InputRowSteps& steps);
  [[nodiscard]] BlockSteps steps_at_once(const InputRowSteps& steps);
  [[nodiscard]] std::string_view read_bytes(const ScannedBlock& block, PaddedBytes& bytes) const;
  void take_row(unsigned worker, const ScannedBlock& block, std::size_t i,
                const InputRowSteps& steps);
  void keep_places(const ScannedBlock& block);
  void note_ids(const ScannedBlock& block);
  void expect_unique_ids();

  const Settings& settings_;
  Scratch& scratch_;
  ThreadPool& pool_;
  const RunHooks& hooks_;
  Inputs inputs_;
  Corpus corpus_;
  std::vector<ScannedBlock> places_;  // places and states of all rows
  ExternalSort<IdHash> id_hashes_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace sosie

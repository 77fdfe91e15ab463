#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "io/scratch.h"
#include "options/settings.h"
#include "plan/banding_plan.h"
#include "sosie/join.h"

namespace sosie {

class PartnerElements;
class SavedBlocks;
class Sketches;

// Collections of a run that a scan reads.
enum class ScannedRows : std::uint8_t { all, of_against, own };

// Steps of each block that is taken from the scan, in their order: `take` for several blocks at
// once, `end` for one at a time in input order. Both are within tasks of the pool, by the worker
// that scanned the block; `take` may be empty.
struct BlockSteps {
  // `number`: of the block, which may be moved from.
  using Step = std::function<void(unsigned worker, std::size_t number, const BlockRange& range,
                                  ScannedBlock& block)>;
  Step take = {};
  Step end = {};
};

// Data that the scan computes for each document.
struct ScanRequest {
  std::optional<BandingPlan> banding;  // none: no sketches
  std::uint64_t short_below = 0;       // rows of 1 .. short_below - 1 tokens are counted as short
  bool may_spill = false;              // rows that outgrow the memory go to scratch
  // More than most_rows() are wanted: with a banding they go to scratch; steps.end keeps none.
  bool any_number = false;
  bool keep_sets = false;  // the sets themselves, for an exact join
  // Sets of these rows are kept only if they may have a partner among others.
  const PartnerElements* partners = nullptr;
  ScannedRows with_partners = ScannedRows::own;
  ScannedRows rows = ScannedRows::all;
  std::uint64_t most_elements = ~std::uint64_t{0};  // most elements of all kept sets together, of
                                                    // most_rows() rows; beyond, the scan ends
  std::uint64_t most_rows = ~std::uint64_t{0};      // rows of spilled sets that stay in memory;
                                                    // more of them go to scratch, too
  const Sketches* sketches = nullptr;               // the run's own rows are there already
  // Set: sketches of own rows are read without their band keys, unless they outgrow the memory
  // (Corpus::lacks_keys); here come hashes of their columns, by block (Sketches::read_keyless()).
  std::vector<std::vector<std::uint64_t>>* column_hashes = nullptr;
  const Sketches* against_sketches = nullptr;  // OTHER's rows are there already
  SavedBlocks* checkpoint = nullptr;           // blocks may be there, and new ones go there
  // Takes the blocks, in input order and outside of the pool's tasks; then they leave the memory.
  std::function<void(const ScannedBlock&)> take_block = {};
  // Or takes them while others are scanned. If one of both is set, or a checkpoint, how blocks are
  // cut depends on the inputs only.
  BlockSteps steps = {};
};

// Reads all inputs once: rows, states, hashes, sketches. The first bad row in input order ends the
// run with its file and physical line, unless on_bad_row says otherwise. Duplicate ids too. With
// may_spill, rows that outgrow the memory go to scratch: with a banding whole rows; with keep_sets
// the sets first, and rows once there are more than most_rows.
[[nodiscard]] Corpus scan(const Inputs& inputs, const Settings& settings,
                          const ScanRequest& request, Scratch& scratch, ThreadPool& pool,
                          const RunHooks& hooks);

// Fields that the scan asks of each row: no more of the text than the shingles need.
[[nodiscard]] FieldRequest fields_of_scan(const Inputs& inputs, const Settings& settings);

}  // namespace sosie

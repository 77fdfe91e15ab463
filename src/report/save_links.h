#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "corpus/items/item_places.h"
#include "data/label_basis.h"
#include "data/scored_link.h"
#include "report/link_sample.h"
#include "report/link_table.h"
#include "sosie/options.h"
#include "store/run/run_folder.h"

namespace sosie {

// A pair of records that a person can judge.
struct SavedLink {
  ScoredLink link;            // probability below 0: not known
  std::uint32_t flags = 0;    // RunPair::Flag
  std::uint32_t stratum = 0;  // see RunPair
};

// The answer of a link run, to be saved in a folder.
struct SavedLinks {
  const ItemPlaces& left;
  const ItemPlaces* right;  // null: one collection
  const RecordNames& names;
  std::span<const std::uint32_t> first;  // by record: the first record in its group
  std::span<const SavedLink> pairs;      // in the order in which a person should see them
  const LinkBins& bins;                  // counts of the scores of all pairs
  std::vector<std::pair<std::string, std::string>> columns = {};  // see RunFacts
  std::optional<LabelBasis> estimate = {};                        // likewise
};

// Throws Error{unsupported} for records that cannot be reread, as check_saved_inputs() does.
void check_saved_links(const Options& options, const Inputs& left, const Inputs* right);

// Writes the groups of the answer and the records of pairs that are in no group, with their places
// and hashes; then the pairs and the facts. `facts` must be complete.
void save_links(const Options& options, const LinkFacts& facts, const SavedLinks& links,
                RunFolderWriter& out);

}  // namespace sosie

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "candidates/ordered_strings.h"
#include "core/thread_pool.h"
#include "data/columns.h"
#include "join/in_memory_joiner.h"
#include "join/item_lookup.h"
#include "join/scored_pairs.h"
#include "options/string_settings.h"
#include "verify/edit_pattern.h"

namespace sosie {

using NearPair = ScoredPair;
using NearPairs = std::vector<NearPair>;

// The rules by which strings are looked up.
struct StringSearch {
  EditBound bound = {};
  bool nearest = false;    // the bound only gives the measure, and values are distances
  bool brute = false;      // every string is checked
  std::uint64_t most = 0;  // number of nearest strings needed that reach the bound; 0: all
};

// Strings that are arranged once, so that others can be looked up: by length, each with a signature
// by which most strings are ruled out.
class StringSearcher {
 public:
  // `data` must outlive this object. Its `rows` are copied, unless brute.
  StringSearcher(const StringColumn& data, const RowRange& rows, const StringSearch& search);

  // Finds the strings for each row of `asked`, nearest first (ties: in their order), as pairs of a
  // row and a row of the data. A symbol stands for the same code point in `asked` as in the data;
  // `asked` may have additional and wider symbols. Returns how many pairs were checked. Throws
  // Error{cancelled}.
  std::uint64_t find(const StringColumn& asked, ThreadPool& pool,
                     std::vector<NearPairs>& found) const {
    return find(asked, search_.most, pool, found);
  }
  // Like find() above, with `most` in place of StringSearch::most.
  std::uint64_t find(const StringColumn& asked, std::uint64_t most, ThreadPool& pool,
                     std::vector<NearPairs>& found) const;

  // A string that is looked up, and its number in pairs. Only rows of the data at or after `first`
  // are partners.
  struct Lookup {
    SymbolSpan string;
    RowId left = 0;
    RowId first = 0;
  };
  // Buffers of a worker, reused for one string after another.
  struct Worker {
    EditPattern pattern;
    std::vector<std::uint32_t> near = {};
    std::vector<std::uint32_t> waiting = {};  // items to be measured, at most a full batch
    std::vector<LengthRange> by_length = {};  // nearest lengths first
  };
  // Does what find() does for a single string. Returns how many pairs were checked.
  std::uint64_t find_one(const Lookup& asked, Worker& worker, NearPairs& found) const {
    return find_one(asked, search_, worker, found);
  }

 private:
  std::uint64_t find_one(const Lookup& asked, const StringSearch& wanted, Worker& worker,
                         NearPairs& found) const;

  const StringColumn& data_;
  RowRange rows_;
  StringSearch search_;
  std::optional<ScannedStrings> scanned_;  // none: brute
};

// Facts about a run that looks strings up.
[[nodiscard]] JoinFacts facts_of_lookups(bool brute);

// Reports the `most` nearest right rows of every left row by distance, grouped by left row, nearest
// first (ties: input order). Within a single collection, the right rows are the rows after the left
// one. Returns how many pairs were checked. Throws Error{cancelled}.
std::uint64_t nearest_strings(const StringColumn& column, const JoinSides& sides,
                              const StringSearch& search, ThreadPool& pool, const EachPairs& each);

// Reads the strings of options.against. Throws as read_strings() does.
[[nodiscard]] std::unique_ptr<ItemLookup> string_lookup(const LookupTask& task,
                                                        const StringSettings& settings);

}  // namespace sosie

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/item_rows.h"
#include "join/measured_pairs.h"
#include "read/input_list.h"
#include "report/measured_summary.h"
#include "sosie/join.h"

namespace sosie {

// DATA of one kind of items, prepared for the items of rows that come to be looked up in it.
class ItemLookup {
 public:
  ItemLookup() = default;
  ItemLookup(const ItemLookup&) = delete;
  ItemLookup& operator=(const ItemLookup&) = delete;
  virtual ~ItemLookup() = default;

  // What DATA's items are called, and the files they are read from.
  [[nodiscard]] virtual const ItemIds& ids() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& paths() const = 0;

  // Take a row's item in. What they take of a row that they throw for is forgotten.
  [[nodiscard]] virtual ItemRowSteps steps() = 0;

  // What is found for the items that were taken in since the last call, by item, nearest first.
  // Returns how many pairs were measured.
  virtual std::uint64_t find(std::vector<std::vector<MeasuredPair>>& found) = 0;

  // What the summary says of DATA and of the method.
  virtual void describe(MeasuredSummary& summary) const = 0;
};

// A query of vectors or of bit strings whose rows are answered as they come.
struct ItemQuery {
  const Options& options;  // as_join()
  const Settings& settings;
  const BoundFacts& facts;
  const RunHooks& hooks;
  ThreadPool& pool;
};

// The INPUT of a query of such items, if its rows are to be answered as they come.
[[nodiscard]] std::optional<InputFile> streamed_items(const Options& options,
                                                      const RunHooks& hooks);

// Answers each row of `input` before it waits for the next one, with the pairs, in the order and
// bytes of the exact join with all rows. Otherwise as query_stream().
RunReport query_items(const ItemQuery& query, const InputFile& input, ItemLookup& lookup);

}  // namespace sosie

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/items/item_rows.h"
#include "join/in_memory_joiner.h"
#include "join/scored_pairs.h"

namespace sosie {

// The DATA of one kind of items, prepared for looking up the items of rows as these arrive.
class ItemLookup {
 public:
  ItemLookup() = default;
  ItemLookup(const ItemLookup&) = delete;
  ItemLookup& operator=(const ItemLookup&) = delete;
  virtual ~ItemLookup() = default;

  // The rows of DATA, and which row each item belongs to.
  [[nodiscard]] virtual const ItemPlaces& places() const = 0;
  [[nodiscard]] virtual RowId row_of(RowId item) const = 0;

  // Functions that receive the item of a row. An item with nothing to compare is not looked up. If
  // the functions throw for an item, leave_out is called next.
  [[nodiscard]] virtual ItemRowSteps steps() = 0;

  // The compared text of the last row that was received, and of an item of DATA, if items are
  // texts.
  [[nodiscard]] virtual std::string text_of_row() const { return {}; }
  [[nodiscard]] virtual std::string text_of_item(RowId /*item*/) const { return {}; }

  // Finds the partners of all items received since the last call, by item, nearest first. Returns
  // how many pairs were measured.
  virtual std::uint64_t find(std::vector<std::vector<ScoredPair>>& found) = 0;

  // Facts about DATA and the method.
  [[nodiscard]] virtual JoinFacts facts() const = 0;
  // Number of bytes in the files from which DATA is read.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

// Arguments for reading DATA. All of them must outlive the look-up. `options`: as from as_join().
struct LookupTask {
  const Options& options;
  ThreadPool& pool;
  const RunHooks& hooks;
};

// A look-up among items in memory: the items of DATA, and their rows.
template <class Items>
class LookupAmong : public ItemLookup {
 public:
  [[nodiscard]] const ItemPlaces& places() const override { return places_; }
  [[nodiscard]] RowId row_of(RowId item) const override { return numbers_.row_of(item); }
  [[nodiscard]] std::uint64_t bytes() const override { return data_.bytes; }

 protected:
  // read(reading) returns the items of DATA without the rows that are left out.
  template <class Read>
  LookupAmong(const LookupTask& task, const Settings& settings, const Read& read)
      : pool_(task.pool),
        data_(read(ItemReading{.options = task.options,
                               .settings = settings,
                               .pool = task.pool,
                               .hooks = task.hooks,
                               .places = &places_,
                               .of_against = true,
                               .alone = true})),
        numbers_(row_id(places_.corpus.rows), data_.left_out) {}

  ThreadPool& pool_;
  ItemPlaces places_;
  Items data_;
  ItemNumbers numbers_;
};

}  // namespace sosie

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

// DATA of one kind of items, prepared for the items of rows that come to be looked up in it.
class ItemLookup {
 public:
  ItemLookup() = default;
  ItemLookup(const ItemLookup&) = delete;
  ItemLookup& operator=(const ItemLookup&) = delete;
  virtual ~ItemLookup() = default;

  // The rows of DATA, and which of them an item is.
  [[nodiscard]] virtual const ItemPlaces& places() const = 0;
  [[nodiscard]] virtual RowId row_of(RowId item) const = 0;

  // Take a row's item in; one that has nothing to compare is none. leave_out comes behind one that
  // they throw for.
  [[nodiscard]] virtual ItemRowSteps steps() = 0;

  // Compared text of the last row that was taken in, and of an item of DATA, for items that are
  // texts.
  [[nodiscard]] virtual std::string text_of_row() const { return {}; }
  [[nodiscard]] virtual std::string text_of_item(RowId /*item*/) const { return {}; }

  // Finds the partners of the items that were taken in since the last call, by item, nearest first.
  // Returns the number of pairs measured.
  virtual std::uint64_t find(std::vector<std::vector<ScoredPair>>& found) = 0;

  // Facts about DATA and the method.
  [[nodiscard]] virtual JoinFacts facts() const = 0;
  // Bytes of the files that DATA is read from.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

// Arguments for reading DATA; all of them outlive the lookup. `options`: as_join().
struct LookupTask {
  const Options& options;
  ThreadPool& pool;
  const RunHooks& hooks;
};

// A look-up among items that lie in memory: DATA, and its rows.
template <class Items>
class LookupAmong : public ItemLookup {
 public:
  [[nodiscard]] const ItemPlaces& places() const override { return places_; }
  [[nodiscard]] RowId row_of(RowId item) const override { return numbers_.row_of(item); }
  [[nodiscard]] std::uint64_t bytes() const override { return data_.bytes; }

 protected:
  // read(reading) gives the items of DATA, without those that are left out.
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

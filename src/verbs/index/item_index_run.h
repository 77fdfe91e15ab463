#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/rows/row_names.h"
#include "corpus/rows/row_reader.h"
#include "join/in_memory_joiner.h"
#include "options/items_as_file.h"
#include "sosie/item_array.h"
#include "sosie/join.h"
#include "store/index/index_view.h"
#include "store/index/index_writer.h"
#include "verbs/index/add_rows.h"

// Indexes of vectors, bit strings and strings. A run over such an index is a run over files in
// which the index's items are the rows of OTHER or DATA: either all items, or those that share a
// key with a row that is looked up. Whether a pair is found depends only on its two items, so the
// answers are the same.
namespace sosie {

// Options for rows that are looked up in the index or added to it, including its build options.
// Throws Error{invalid_option} with both values if an option differs; only the bound may be
// stricter.
[[nodiscard]] Options with_item_index(const Options& options, const IndexManifest& manifest,
                                      const std::string& path);
// The options for building an index (from with_kind()) that its manifest stores.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> item_options(const Options& options);
// Throws Error{invalid_option} with both values unless two indexes were built with the same
// options.
void expect_equal_items(const IndexManifest& one, const std::string& path,
                        const IndexManifest& other, const std::string& other_path);

// Rows of INPUT as items for an index.
class ReadItems {
 public:
  struct Item {
    RowId row = 0;
    RowName name;
    std::string payload;  // empty for a row that matches nothing
    std::vector<std::uint64_t> keys;
    std::vector<std::string> fields = {};  // values of the fields that --fields names
  };

  // Reads the rows. `options`: from with_item_index(), or for building an index. `fields`: the
  // fields that the index stores for rows that become items. `are_new`: each of these fields must
  // exist in at least one row. Throws as a run over files does.
  ReadItems(const Options& options, const RunHooks& hooks, const std::string& fields = {},
            bool are_new = false);

  [[nodiscard]] const Inputs& inputs() const noexcept { return places_.inputs; }
  [[nodiscard]] const Corpus& corpus() const noexcept { return places_.corpus; }
  [[nodiscard]] RowId rows() const noexcept { return row_id(places_.corpus.rows); }
  [[nodiscard]] bool is_named() const noexcept;
  // Number of components or bits; 0 for strings and if there are no rows.
  [[nodiscard]] std::uint64_t dimension() const;
  // The plan that method lsh uses for these rows. Throws as a run does.
  [[nodiscard]] SavedPlan plan();
  // Throws Error{malformed_input} unless the rows are compatible with the items of an index.
  void require_fitting(const IndexManifest& manifest, const std::string& path) const;

  // Passes on each row that is not bad, in order.
  void for_each(const IndexManifest& manifest, const std::function<void(Item& item)>& take);

 private:
  // Progress of passing on all items.
  struct Progress {
    RowReader reader;
    std::uint64_t type;     // type of the components of vectors
    std::size_t next = 0;   // item
    std::size_t first = 0;  // first item in `hashed`
    std::size_t end = 0;
    HashedItems hashed = {};
  };

  void take_next(const IndexManifest& manifest, Progress& at, Item& out);
  void add_hashes(const IndexManifest& manifest, std::size_t item, Progress& at, Item& out);

  Options options_;
  RunHooks hooks_;
  std::unique_ptr<InMemoryJoiner> joiner_;
  ThreadPool pool_;
  ItemPlaces places_;
};

// Rows to add to an index, without committing. `keeps`: true for a row that becomes an item; null:
// all rows do.
struct ItemsToAdd {
  ReadItems& rows;
  SameIds same_ids = SameIds::refuse;
  std::function<bool(RowId row)> keeps = {};
};
[[nodiscard]] IndexedCounts add_items(const ItemsToAdd& items, IndexWriter& writer);

// The manifest of an index built from these rows.
[[nodiscard]] IndexManifest manifest_of_items(const Options& options, ReadItems& rows);

// All items that --where accepts, as rows, numbered from `first`. Throws Error{limit_exceeded} if
// they exceed half of the memory, and throws as FieldFilter does.
[[nodiscard]] std::shared_ptr<const ItemsAsFile> all_items(const IndexView& index,
                                                           const Options& options,
                                                           std::uint64_t first = 0);
// The items that a run with these options (from with_item_index()) needs. Throws as all_items()
// does.
[[nodiscard]] std::shared_ptr<const ItemsAsFile> items_near(const IndexView& index,
                                                            const Options& options,
                                                            const RunHooks& hooks);

// A run over an index, performed as a run over the rows of its items.
class ItemIndexRun {
 public:
  // The index must outlive this object. Throws Error{invalid_option} for options that an index does
  // not support.
  ItemIndexRun(VerbBit verb, const Options& options, const IndexView& index);

  // Options for the rows that are looked up.
  [[nodiscard]] Options asked() const;
  // From now on, runs make decisions but write nothing.
  void write_nothing();
  RunReport run(const RunHooks& hooks);
  // Runs the verb with these items. Hooks then receive items as positions in `rows`.
  RunReport run_over(const std::shared_ptr<const ItemsAsFile>& rows, const RunHooks& hooks);

 private:
  VerbBit verb_;
  const IndexView& index_;
  Options run_;
};

// True if a row's survivor is an item of the index.
[[nodiscard]] bool is_item(std::uint64_t survivor) noexcept;

// Some items, none of which may have been removed.
[[nodiscard]] std::shared_ptr<const ItemsAsFile> items_at(const IndexView& index,
                                                          std::span<const ItemPlace> places);

// dedup() over such an index; kept rows become items. `index`: a view of writer.folder().
RunReport dedup_and_add_items(const Options& options, IndexWriter& writer, const IndexView& index,
                              const RunHooks& hooks);

}  // namespace sosie

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

// Indexes of vectors, bit strings and strings. A run over one is the run over files, with the items
// of the index as the rows of OTHER or DATA: all of them, or the ones that share a key with a row
// that is looked up. Whether a pair is found depends on its two items, so the answers are equal.
namespace sosie {

// Options of a run on rows that are looked up in the index or added to it, with what it was built
// with. Throws Error{invalid_option} with both values for an option that says something else; the
// bound may be stricter.
[[nodiscard]] Options with_item_index(const Options& options, const IndexManifest& manifest,
                                      const std::string& path);
// Options of building an index (with_kind()) that its manifest keeps.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> item_options(const Options& options);
// Throws Error{invalid_option} with both values unless two indexes were built alike.
void expect_equal_items(const IndexManifest& one, const std::string& path,
                        const IndexManifest& other, const std::string& other_path);

// Rows of INPUT as items for an index.
class ReadItems {
 public:
  struct Item {
    RowId row = 0;
    RowName name;
    std::string payload;  // none for a row that matches nothing
    std::vector<std::uint64_t> keys;
    std::vector<std::string> fields = {};  // values of the fields that --fields names
  };

  // Reads the rows. `options`: with_item_index(), or for building one. `fields`: the ones that the
  // index keeps, of rows that become items; `are_new`: some row must have each of them. Throws as a
  // run over files.
  ReadItems(const Options& options, const RunHooks& hooks, const std::string& fields = {},
            bool are_new = false);

  [[nodiscard]] const Inputs& inputs() const noexcept { return places_.inputs; }
  [[nodiscard]] const Corpus& corpus() const noexcept { return places_.corpus; }
  [[nodiscard]] RowId rows() const noexcept { return row_id(places_.corpus.rows); }
  [[nodiscard]] bool is_named() const noexcept;
  // Components or bits; 0 of strings, and without rows.
  [[nodiscard]] std::uint64_t dimension() const;
  // The plan that method lsh takes for these rows. Throws Error as a run does.
  [[nodiscard]] SavedPlan plan();
  // Throws Error{malformed_input} unless they fit to the items of an index.
  void require_fitting(const IndexManifest& manifest, const std::string& path) const;

  // Hands over each row that is not bad, in order.
  void for_each(const IndexManifest& manifest, const std::function<void(Item& item)>& take);

 private:
  // State of handing over all items.
  struct Progress {
    RowReader reader;
    std::uint64_t type;     // type of the components of vectors
    std::size_t next = 0;   // item
    std::size_t first = 0;  // items that `hashed` is of
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

// Adds rows to an index; not yet committed. `keeps`: whether a row becomes an item; null: all do.
struct ItemsToAdd {
  ReadItems& rows;
  SameIds same_ids = SameIds::refuse;
  std::function<bool(RowId row)> keeps = {};
};
[[nodiscard]] IndexedCounts add_items(const ItemsToAdd& items, IndexWriter& writer);

// Manifest of an index that is built of these rows.
[[nodiscard]] IndexManifest manifest_of_items(const Options& options, ReadItems& rows);

// All items that --where accepts, with numbers from `first` on, as rows. Throws
// Error{limit_exceeded} where these outgrow half of the memory, and as FieldFilter does.
[[nodiscard]] std::shared_ptr<const ItemsAsFile> all_items(const IndexView& index,
                                                           const Options& options,
                                                           std::uint64_t first = 0);
// The items that a run with these options (with_item_index()) needs. Throws as all_items().
[[nodiscard]] std::shared_ptr<const ItemsAsFile> items_near(const IndexView& index,
                                                            const Options& options,
                                                            const RunHooks& hooks);

// A run over an index, as the run over its rows.
class ItemIndexRun {
 public:
  // The index outlives this. Throws Error{invalid_option} for options that cannot be combined with
  // it.
  ItemIndexRun(std::string_view verb, const Options& options, const IndexView& index);

  // Options of the rows that are looked up.
  [[nodiscard]] Options asked() const;
  // From now on a run decides, and writes nothing.
  void write_nothing();
  RunReport run(const RunHooks& hooks);
  // The run with these items, which hooks then tell by their places among them.
  RunReport run_over(const std::shared_ptr<const ItemsAsFile>& rows, const RunHooks& hooks);

 private:
  std::string_view verb_;
  const IndexView& index_;
  Options run_;
};

// True if a row's survivor is an item of the index.
[[nodiscard]] bool is_item(std::uint64_t survivor) noexcept;

// Some items, of which none is removed.
[[nodiscard]] std::shared_ptr<const ItemsAsFile> items_at(const IndexView& index,
                                                          std::span<const ItemPlace> places);

// dedup() over such an index, whose kept rows become items of it. `index`: a view of
// writer.folder().
RunReport dedup_and_add_items(const Options& options, IndexWriter& writer, const IndexView& index,
                              const RunHooks& hooks);

}  // namespace sosie

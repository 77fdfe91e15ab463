#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "candidates/set_lookup.h"
#include "core/mix64.h"
#include "corpus/corpus.h"
#include "corpus/rows/row_reader.h"
#include "corpus/sketches.h"
#include "data/overlap.h"
#include "join/sets/indexed_sets.h"
#include "options/items_as_file.h"
#include "options/settings.h"
#include "represent/text_shingler.h"
#include "sketch/minhash.h"
#include "sosie/join.h"
#include "store/index/index_manifest.h"
#include "store/index/index_view.h"
#include "store/index/kept_fields.h"

namespace sosie {

// The files with the items of an index that does not store them; used only to reread rows.
class IndexFiles final : public FilesOfRows {
 public:
  IndexFiles(std::string path, const SketchContents& contents)
      : path_(std::move(path)), contents_(contents) {}

  [[nodiscard]] std::vector<std::string> paths() const override { return {path_}; }
  [[nodiscard]] const SavedPlan& plan() const noexcept override { return contents_.plan; }
  [[nodiscard]] const std::string& id_field() const noexcept override { return contents_.id_field; }
  [[nodiscard]] Fields fields() const override;
  [[nodiscard]] InputList inputs() const override;
  [[noreturn]] void refuse_changed(std::size_t number) const override;

 private:
  std::string path_;
  const SketchContents& contents_;
};

// The files of an index that does not keep its items.
class ExternalItems {
 public:
  // `options`: from with_index_options(). Throws Error{io} for a missing file, and otherwise as
  // open_inputs() does.
  ExternalItems(const IndexView& index, const Options& options, const Settings& settings,
                Scratch& scratch, ThreadPool& pool, const RunHooks& hooks);

  [[nodiscard]] const Inputs& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }
  [[nodiscard]] const IndexFiles& files() const noexcept { return *files_; }

 private:
  const Settings& settings_;
  std::shared_ptr<const IndexFiles> files_;
  Inputs inputs_;
};

// Rereads items from their files. Not thread-safe.
class IndexedRowReader {
 public:
  explicit IndexedRowReader(const ExternalItems& rows);

  // The elements of an item, ascending. Throws Error{malformed_input} if its row has changed since
  // the item was added, and Error{io}.
  void read(const IndexItem& item, std::vector<std::uint64_t>& elements);
  // The text of the item that was read last, valid until the next is read, and its hash.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] Hash128 text_hash() const noexcept { return shingler_.text_hash(); }

 private:
  const ExternalItems& rows_;
  Corpus row_;  // the one row that is read
  RowReader reader_;
  TextShingler shingler_;
  std::string_view text_;
  std::vector<std::uint64_t> scratch_;
};

// The facts about hits that tables and pages show.
struct ShownOfHits {
  FieldsOfItems fields = {};
  bool texts = false;  // texts of rows, which are reread
};

// An item of an index that is similar to the set looked up; in the overlap, the set looked up is on
// the left.
struct IndexHit {
  std::uint64_t number;
  std::string name;
  Overlap overlap;
  Hash128 hash;  // hash of its text
  bool name_is_integer;
  ItemsAsFile::Fields fields = {};
  std::string text = {};
};

// Keeps the `top` best hits (0: all), best first; ties are broken by the items' numbers.
void keep_best_hits(const Measure& measure, std::uint64_t top, std::vector<IndexHit>& hits);

// Looks sets up in an index on disk by its bands. Every hit is verified against the stored elements
// or, if there are none, against the row, which is reread. Finds the same items as a join over the
// rows of the index with the same plan. Thread-safe if each thread has its own finder.
class IndexLookup {
 public:
  // Memory for one look-up at a time, and counters for all look-ups with it.
  struct Finder {
    IndexBuffer buffer;
    std::vector<ItemPlace> candidates;
    std::vector<ItemPlace> near;  // enough components are equal
    std::vector<std::uint64_t> elements;
    std::unique_ptr<IndexedRowReader> reader;
    std::optional<MinHasher> hasher;
    std::vector<std::uint32_t> signature;
    std::vector<std::uint64_t> keys;
    SetLookup::Finder by_prefixes;
    SetLookup::Hits found;
    std::uint64_t listed = 0;
    std::uint64_t verified = 0;
  };

  // `rows`: the rows of an index that stores no elements; otherwise null. All arguments must
  // outlive this object. With method exact, all items are read now and later looked up in memory by
  // their prefixes, which finds every similar item in the current state of the index; in this case,
  // throws as find() does, and Error{limit_exceeded}. `filter`: only items that it accepts are
  // found; null: all items. `shown`: the fields and texts to return for hits.
  IndexLookup(const IndexView& index, const Settings& settings, const ExternalItems* rows,
              const FieldFilter* filter = nullptr, ShownOfHits shown = {});

  // Finds the similar items, in the order of their numbers. Throws Error{malformed_input} for
  // damage and for a row that has changed since it was added, and Error{io}.
  void find(const SketchedSet& set, Finder& finder, std::vector<IndexHit>& out) const;
  // Finds the similar items among finder.candidates, which find() would check. Not for method
  // exact.
  void verify(const SketchedSet& set, Finder& finder, std::vector<IndexHit>& out) const;
  // Memory of the items, with method exact.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  // The elements of an item in the index, ascending; valid until the finder is used again. Throws
  // as find() does.
  [[nodiscard]] SetView elements_of(const IndexItem& item, Finder& finder) const;

 private:
  void list_prefixes();
  [[nodiscard]] ItemsAsFile::Fields fields_of(const IndexItem& item) const;
  // Hash of the text of this item, whose elements were read last.
  [[nodiscard]] static Hash128 hash_of(const IndexItem& item, const Finder& finder);
  // Text of the item whose elements were read last.
  [[nodiscard]] std::string text_of(const Finder& finder) const;
  // True if the set has a key in common with the elements of an item. Runs store fewer bits of keys
  // than are compared in a run over files.
  [[nodiscard]] bool have_common_key(const SketchedSet& set, SetView elements,
                                     Finder& finder) const;
  // Copies the candidates whose filter signatures agree enough to finder.near.
  void keep_near(const SketchedSet& set, Finder& finder) const;
  void find_by_prefixes(const SketchedSet& set, Finder& finder, std::vector<IndexHit>& out) const;

  const IndexView& index_;
  const Settings& settings_;
  const ExternalItems* rows_;
  const FieldFilter* filter_;
  ShownOfHits shown_;
  std::uint32_t least_agreements_;
  std::vector<IndexHit> listed_;  // with method exact, by position; without overlaps
  std::uint64_t bytes_ = 0;
  std::optional<SetLookup> by_prefixes_;  // method exact
};

}  // namespace sosie

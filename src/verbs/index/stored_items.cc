// An open index of vectors, bit strings or strings: each call is a run over rows in memory.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "data/kinds.h"
#include "options/bounds.h"
#include "options/saved_option.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"
#include "store/index_options.h"
#include "store/sketch_options.h"
#include "verbs/index/index_state.h"
#include "verbs/index/item_index_run.h"
#include "verbs/index/stored_index_state.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

const std::string kAskedItems = "rows.jsonl";  // items of the index

// Throws because the stated number of rows in the array is wrong.
[[noreturn]] void refuse_row_count(std::uint64_t there, std::uint64_t said) {
  throw Error(ErrorKind::malformed_input,
              fmt::format("the array has at least {} rows, not {}", there, said));
}

class StoredItems final : public StoredIndexState {
 public:
  StoredItems(const std::vector<std::string>& folders, bool read_only, const Options& run)
      : StoredIndexState(folders, read_only, run), given_(run) {
    note_facts();
  }
  ~StoredItems() override { stop_merge(); }
  StoredItems(const StoredItems&) = delete;
  StoredItems& operator=(const StoredItems&) = delete;

  [[nodiscard]] std::string value_name(const StoredQuery& query) const override {
    Options given = given_;
    for (const auto& [name, value] : query.options) {
      if (name == "threshold" || name == "within") set_option(given, name, value);
    }
    const auto reading = lock_.reading();
    return value_name_of(given);
  }

  [[nodiscard]] std::vector<std::vector<StoredHit>> query(const OpenIndexRows& rows,
                                                          const StoredQuery& query,
                                                          const RunHooks& hooks) const override {
    if (rows.empty()) return {};
    {
      const auto reading = lock_.reading();
      if (const Prepared* prepared = prepared_for(query, hooks)) {
        return answers(*prepared, rows, query, hooks);
      }
    }
    Options options = options_of(rows, query.exclude_self);
    options.inputs.insert(options.inputs.begin(), path());
    return answers(std::move(options), query, rows.size(), hooks);
  }

  [[nodiscard]] std::vector<std::optional<std::vector<StoredHit>>> query_ids(
      std::span<const std::string> ids, const StoredQuery& query,
      const RunHooks& hooks) const override {
    std::vector<std::optional<std::vector<StoredHit>>> found(ids.size());
    std::shared_ptr<const ItemsAsFile> asked;
    std::vector<std::size_t> row_of;  // by row that is looked up
    {
      const auto reading = lock_.reading();
      const IndexView& index = this->index();
      IndexBuffer buffer;
      std::vector<ItemPlace> places;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto place = index.find_name(ids[i], buffer);
        if (!place) continue;
        found[i].emplace();
        const bool repeated = std::find(places.begin(), places.end(), *place) != places.end();
        if (index.item(*place, buffer).size == 0 || repeated) continue;
        places.push_back(*place);
        row_of.push_back(i);
      }
      asked = items_at(index, places);
    }
    if (row_of.empty()) return found;
    Options options = given_;
    options.inputs = {path(), kAskedItems};
    options.memory_files[kAskedItems] = asked;
    auto hits = answers(std::move(options), query, row_of.size(), hooks);
    for (std::size_t row = 0; row < hits.size(); ++row) {
      const std::string& id = ids[row_of[row]];
      for (std::size_t i = row_of[row]; i < ids.size(); ++i) {
        if (ids[i] == id) found[i] = hits[row];
      }
    }
    return found;
  }

  [[nodiscard]] std::string explain(const ItemToExplain& item, const std::string& id,
                                    const RunHooks& hooks) const override {
    Options options = item.row ? options_of(JsonRows(&*item.row, 1), false) : given_;
    {
      const auto reading = lock_.reading();
      IndexBuffer buffer;
      std::vector<ItemPlace> places;
      if (!item.row && item.id != id) places.push_back(place_of(item.id, buffer));
      places.push_back(place_of(id, buffer));
      options = with_item_index(options, index().manifest(), path());
      options.memory_files[path()] = items_at(index(), places);
    }
    options.inputs.push_back(path());
    if (!is_given(options, "threshold") && options.within.empty()) options.top = 1;
    RunHooks quiet = hooks;
    quiet.on_message = nullptr;
    return explain_stored_items(options, item, id, quiet);
  }

  [[nodiscard]] std::optional<double> list_recall(std::uint64_t top,
                                                  const RunHooks& hooks) const override {
    const auto reading = lock_.reading();
    if (made_with(index().manifest().contents, "method") != "lsh") return std::nullopt;
    const Prepared* prepared = prepared_for({}, hooks);
    return prepared == nullptr ? std::nullopt : prepared->index->list_recall(top);
  }

  StoredAdded add(const OpenIndexRows& rows, const StoredAddRules& rules,
                  const RunHooks& hooks) override {
    if (rules.replace && rules.skip_existing) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"replace"},
                  "cannot be combined with --skip-existing");
    }
    const std::lock_guard alone(writing_);
    (void)writer();
    if (rows.empty()) return {};
    const IndexManifest& manifest = index().manifest();
    ReadItems read(with_item_index(options_of(rows, true), manifest, path()), hooks,
                   kept_fields(manifest.contents));
    read.require_fitting(manifest, path());
    const SameIds same_ids = rules.replace         ? SameIds::replace
                             : rules.skip_existing ? SameIds::skip
                                                   : SameIds::refuse;
    StoredAdded counts;
    change([&](IndexWriter& writer) {
      const std::uint64_t next = index().next_number() + read.rows();
      const IndexedCounts added = add_items({read, same_ids, {}}, writer);
      writer.commit(next);
      counts = {added.added, added.skipped, added.replaced};
    });
    return counts;
  }

  std::vector<StoredNew> add_new(const OpenIndexRows& rows, const RunHooks& hooks) override {
    const std::lock_guard alone(writing_);
    (void)writer();
    if (rows.empty()) return {};
    const IndexView& index = this->index();
    Options options = options_of(rows, true);
    ReadItems read(with_item_index(options, index.manifest(), path()), hooks,
                   kept_fields(index.manifest().contents));
    read.require_fitting(index.manifest(), path());
    if (read.rows() != rows.size()) refuse_row_count(read.rows(), rows.size());
    options.against = {path()};
    ItemIndexRun run(kDedup, options, index);
    run.write_nothing();
    const auto items = items_for(run, hooks);
    RowDecisions decisions;
    RunHooks told = hooks;
    told.decisions = &decisions;
    told.on_message = nullptr;
    (void)run.run_over(items, told);
    std::vector<StoredNew> out(rows.size());
    const std::vector<RowName> names = names_of(read);
    for (std::size_t row = 0; row < out.size(); ++row) {
      const std::uint64_t survivor = decisions.survivor[row];
      if (survivor == row) continue;
      if (is_item(survivor)) {
        auto [id, is_integer] = items->id(survivor & ~RowDecisions::kAgainst);
        out[row].similar_to = {std::move(id), is_integer, decisions.similarity[row]};
      } else {
        out[row].similar_to = {names[survivor].id, names[survivor].is_integer,
                               decisions.similarity[row]};
      }
    }
    change([&](IndexWriter& writer) {
      const std::uint64_t next = index.next_number() + read.rows();
      const auto keeps = [&](RowId row) {
        return out[row].is_added = !out[row].similar_to.has_value();
      };
      (void)add_items({read, SameIds::refuse, keeps}, writer);
      writer.commit(next);
    });
    return out;
  }

 private:
  // The caller must be allowed to read index().
  [[nodiscard]] std::string value_name_of(const Options& given) const {
    Options options = with_item_index(given, index().manifest(), path());
    if (!is_given(options, "threshold") && options.within.empty()) options.top = 1;
    return item_joiner(kQuery, options)->bound().facts.value_name();
  }

  void describe(StoredFacts& facts) const override {
    const SketchContents& contents = index().manifest().contents;
    const Options options = with_item_index(given_, index().manifest(), path());
    facts.kind = kind_name(options.kind);
    facts.column = options.column;
    facts.value_name = value_name_of(given_);
    if (contents.has_items()) {
      facts.bands = contents.plan.hashed->bands;
      facts.band_rows = contents.plan.hashed->rows;
    }
    facts.options = contents.options;
  }

  void forget() override {
    const std::lock_guard alone(cache_mutex_);
    all_.reset();
    if (prepared_) prepared_->is_current = false;
  }

  // All items, laid out for look-ups. Items added later are appended.
  struct Prepared {
    std::unique_ptr<IndexState> index;
    std::vector<std::pair<std::string, bool>> ids;  // by position here, as ItemsAsFile::id()
    std::vector<std::uint64_t> numbers;             // in the folder, ascending
    std::vector<bool> is_there;
    std::uint64_t next = 0;   // all items with lower numbers have been seen
    std::uint64_t items = 0;  // number of these items that existed
    bool is_current = true;
  };

  // The prepared items for a look-up that searches all items; null if it does not, or if it uses
  // keys. The read lock must be held as long as the items are used.
  [[nodiscard]] const Prepared* prepared_for(const StoredQuery& query,
                                             const RunHooks& hooks) const {
    const IndexManifest& manifest = index().manifest();
    const bool is_plain = query.options.empty() && !query.exclude_self;
    if (!is_plain || manifest.keys != IndexKeys::none) return nullptr;
    const std::lock_guard alone(cache_mutex_);
    if (prepared_ && !prepared_->is_current) {
      auto before = std::move(prepared_);  // discarded if something throws
      catch_up(*before, hooks);
      prepared_ = std::move(before);
    }
    if (!prepared_) prepared_ = prepared(hooks);
    return prepared_.get();
  }

  [[nodiscard]] std::unique_ptr<Prepared> prepared(const RunHooks& hooks) const {
    Options options = with_item_index(given_, index().manifest(), path());
    for (const auto& [name, value] : index().manifest().contents.options) {
      if (name == "method") set_option(options, name, value);  // lists, which runs do not use
    }
    auto all = std::make_unique<Prepared>();
    all->index = index_of_items(options);
    lay_out_new(*all, hooks);
    return all;
  }

  // Lays out the items added since the last call, after the existing ones.
  void lay_out_new(Prepared& prepared, const RunHooks& hooks) const {
    const auto items =
        all_items(index(), with_item_index(given_, index().manifest(), path()), prepared.next);
    (void)prepared.index->add(
        {.table = nullptr, .paths = {path()}, .memory_files = {{path(), items}}}, hooks);
    for (std::size_t i = 0; i < items->numbers().size(); ++i) {
      prepared.ids.push_back(items->id(i));
    }
    prepared.numbers.insert(prepared.numbers.end(), items->numbers().begin(),
                            items->numbers().end());
    prepared.is_there.resize(prepared.numbers.size(), true);
    prepared.next = index().next_number();
    prepared.items = index().items();
  }

  // Applies the changes made since the last call.
  void catch_up(Prepared& prepared, const RunHooks& hooks) const {
    std::uint64_t added = 0;
    index().for_each([&](const IndexItem& /*item*/) { ++added; }, prepared.next);
    if (index().items() != prepared.items + added) take_out_removed(prepared);
    lay_out_new(prepared, hooks);
    prepared.is_current = true;
  }

  void take_out_removed(Prepared& prepared) const {
    std::vector<bool> is_there(prepared.numbers.size());
    std::size_t at = 0;
    index().for_each([&](const IndexItem& item) {
      while (at < is_there.size() && prepared.numbers[at] < item.number) ++at;
      if (at < is_there.size() && prepared.numbers[at] == item.number) is_there[at] = true;
    });
    std::vector<std::uint64_t> gone;
    for (std::size_t i = 0; i < is_there.size(); ++i) {
      if (prepared.is_there[i] && !is_there[i]) gone.push_back(i);
    }
    (void)prepared.index->remove(gone);
    prepared.is_there = std::move(is_there);
  }

  [[nodiscard]] static std::vector<std::vector<StoredHit>> answers(const Prepared& prepared,
                                                                   const OpenIndexRows& rows,
                                                                   const StoredQuery& query,
                                                                   const RunHooks& hooks) {
    const RowPairs pairs = prepared.index->query(
        {.table = nullptr, .paths = {rows.path()}, .memory_files = {{rows.path(), rows.file()}}},
        query.top, hooks);
    return hits_of(pairs, rows.size(), [&](std::uint64_t item) { return prepared.ids[item]; });
  }

  // The hits of each row. `id_of`: returns the id of an item, as ItemsAsFile::id() does.
  template <class IdOf>
  [[nodiscard]] static std::vector<std::vector<StoredHit>> hits_of(const RowPairs& pairs,
                                                                   std::size_t rows,
                                                                   const IdOf& id_of) {
    std::vector<std::vector<StoredHit>> found(rows);
    for (std::size_t i = 0; i < pairs.left.size(); ++i) {
      if (pairs.left[i] >= rows) refuse_row_count(pairs.left[i] + 1, rows);
      auto [id, is_integer] = id_of(pairs.right[i]);
      found[pairs.left[i]].push_back({std::move(id), is_integer, pairs.similarity[i]});
    }
    return found;
  }

  // Options for rows in memory; `named`: the rows have ids if the items do.
  [[nodiscard]] Options options_of(const OpenIndexRows& rows, bool named) const {
    Options options = given_;
    options.inputs = {rows.path()};
    options.memory_files[rows.path()] = rows.file();
    const auto reading = lock_.reading();
    const std::string& id = index().manifest().contents.id_field;
    const bool has_names = named && !id.empty();
    if (has_names) rows.expect_names();
    set_saved_option(options, "id", has_names ? id : "row");
    return options;
  }

  // The items that a run needs. If these are all items, they stay in memory until the index
  // changes. The read lock must be held.
  [[nodiscard]] std::shared_ptr<const ItemsAsFile> items_for(const ItemIndexRun& run,
                                                             const RunHooks& hooks) const {
    if (index().manifest().keys != IndexKeys::none) {
      return items_near(index(), run.asked(), hooks);
    }
    if (is_given(run.asked(), "where")) {
      return all_items(index(), run.asked());
    }
    const std::lock_guard alone(cache_mutex_);
    if (!all_) all_ = all_items(index(), given_);
    return all_;
  }

  [[nodiscard]] std::vector<std::vector<StoredHit>> answers(Options options,
                                                            const StoredQuery& query,
                                                            std::size_t rows,
                                                            const RunHooks& hooks) const {
    for (const auto& [name, value] : query.options) set_option(options, name, value);
    options.top = query.top;
    options.exclude_self = query.exclude_self;
    std::optional<ItemIndexRun> run;
    std::shared_ptr<const ItemsAsFile> items;
    {
      const auto reading = lock_.reading();
      run.emplace(kQuery, options, index());
      items = items_for(*run, hooks);
    }
    RowPairs pairs;
    RunHooks told = hooks;
    told.pairs = &pairs;
    told.on_message = nullptr;
    (void)run->run_over(items, told);
    return hits_of(pairs, rows, [&](std::uint64_t item) { return items->id(item); });
  }

  [[nodiscard]] std::vector<RowName> names_of(ReadItems& read) const {
    std::vector<RowName> names(read.rows());
    const std::uint64_t first = index().next_number();
    read.for_each(index().manifest(), [&](ReadItems::Item& item) {
      names[item.row] =
          read.is_named() ? std::move(item.name) : RowName{std::to_string(first + item.row), true};
    });
    return names;
  }

  Options given_;  // threads, memory and scratch
  mutable std::mutex cache_mutex_;
  mutable std::shared_ptr<const ItemsAsFile> all_;
  mutable std::unique_ptr<Prepared> prepared_;
};

}  // namespace

std::unique_ptr<StoredIndexState> stored_items(const std::vector<std::string>& folders,
                                               bool read_only, const Options& run) {
  return std::make_unique<StoredItems>(folders, read_only, run);
}

}  // namespace sosie

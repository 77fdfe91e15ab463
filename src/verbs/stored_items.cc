// An open index of vectors, bit strings or strings: each call is a run over rows in memory.
#include <algorithm>
#include <numeric>

#include "options/bounds.h"
#include "sosie/error.h"
#include "store/index_options.h"
#include "store/item_fields.h"
#include "verbs/item_folder.h"
#include "verbs/stored_index_state.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

const std::string kAskedRows = "rows.jsonl";

std::string bound_measure(const Options& options) {
  if (options.kind == "vectors") {
    return vector_joiner("query", options)->bound().facts.value_name();
  }
  if (options.kind == "bits") return bit_joiner("query", options)->bound().facts.value_name();
  return string_joiner("query", options)->bound().facts.value_name();
}

class StoredItems final : public StoredIndexState {
 public:
  StoredItems(const std::string& folder, bool read_only, const Options& run)
      : StoredIndexState(folder, read_only, run), given_(run) {
    note_facts();
  }
  ~StoredItems() override { stop_merge(); }
  StoredItems(const StoredItems&) = delete;
  StoredItems& operator=(const StoredItems&) = delete;

  [[nodiscard]] std::vector<std::vector<StoredHit>> query(JsonRows rows, const StoredQuery& query,
                                                          const RunHooks& hooks) const override {
    if (rows.empty()) return {};
    Options options = options_of(rows, query.exclude_self);
    options.inputs.insert(options.inputs.begin(), path());
    return answers(std::move(options), query, rows.size(), hooks);
  }

  [[nodiscard]] std::vector<std::optional<std::vector<StoredHit>>> query_ids(
      std::span<const std::string> ids, const StoredQuery& query,
      const RunHooks& hooks) const override {
    std::vector<std::optional<std::vector<StoredHit>>> found(ids.size());
    std::shared_ptr<const IndexItemRows> asked;
    std::vector<std::size_t> row_of;  // by row that is asked for
    {
      const auto reading = lock_.reading();
      const IndexFolder& index = folder();
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
    options.inputs = {path(), kAskedRows};
    options.memory_files[kAskedRows] = asked;
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
    Options options = item.row ? options_of({&*item.row, 1}, false) : given_;
    {
      const auto reading = lock_.reading();
      IndexBuffer buffer;
      std::vector<ItemPlace> places;
      if (!item.row && item.id != id) places.push_back(place_of(item.id, buffer));
      places.push_back(place_of(id, buffer));
      options = with_item_index(options, folder().manifest(), path());
      options.memory_files[path()] = items_at(folder(), places);
    }
    options.inputs.push_back(path());
    if (!is_given(options, "threshold") && options.within.empty()) options.top = 1;
    RunHooks quiet = hooks;
    quiet.on_message = nullptr;
    return explain_stored_items(options, item, id, quiet);
  }

  StoredAdded add(JsonRows rows, const StoredAddRules& rules, const RunHooks& hooks) override {
    if (rules.replace && rules.skip_existing) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"replace"},
                  "cannot go with --skip-existing");
    }
    const std::lock_guard alone(writing_);
    (void)writer();
    const IndexManifest& manifest = folder().manifest();
    ReadItems read(with_item_index(options_of(rows, true), manifest, path()), hooks,
                   kept_fields(manifest.contents));
    read.require_fitting(manifest, path());
    const SameIds same_ids = rules.replace         ? SameIds::replace
                             : rules.skip_existing ? SameIds::skip
                                                   : SameIds::refuse;
    StoredAdded counts;
    change([&](IndexWriter& writer) {
      const std::uint64_t next = folder().next_number() + read.rows();
      const IndexedCounts added = add_items({read, same_ids, {}}, writer);
      writer.commit(next);
      counts = {added.added, added.skipped, added.replaced};
    });
    return counts;
  }

  std::vector<StoredNew> add_new(JsonRows rows, const RunHooks& hooks) override {
    const std::lock_guard alone(writing_);
    (void)writer();
    const IndexFolder& index = folder();
    Options options = options_of(rows, true);
    ReadItems read(with_item_index(options, index.manifest(), path()), hooks,
                   kept_fields(index.manifest().contents));
    read.require_fitting(index.manifest(), path());
    options.against = {path()};
    ItemIndexRun run("dedup", options, index);
    run.write_nothing();
    const auto items = items_for(run, hooks);
    RowDecisions decisions;
    RunHooks told = hooks;
    told.decisions = &decisions;
    told.on_message = nullptr;
    if (!rows.empty()) (void)run.run_over(items, told);
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
  void describe(StoredFacts& facts) const override {
    const SketchContents& contents = folder().manifest().contents;
    Options options = with_item_index(given_, folder().manifest(), path());
    facts.kind = options.kind;
    facts.column = options.column;
    if (!is_given(options, "threshold") && options.within.empty()) options.top = 1;
    facts.value_name = bound_measure(options);
    if (contents.has_items()) {
      facts.bands = contents.plan.hashed->bands;
      facts.band_rows = contents.plan.hashed->rows;
    }
    facts.options = contents.options;
  }

  void forget() override {
    const std::lock_guard alone(cache_mutex_);
    all_.reset();
  }

  // Options of rows in memory; `named`: they have ids if the items do.
  [[nodiscard]] Options options_of(JsonRows rows, bool named) const {
    Options options = given_;
    options.inputs = {kAskedRows};
    options.memory_files[kAskedRows] = file_of_rows(rows);
    const auto reading = lock_.reading();
    const std::string& id = folder().manifest().contents.id_field;
    set_option(options, "id", named && !id.empty() ? id : "row");
    return options;
  }

  // The items that a run needs; all of them stay in memory until the index changes. The lock is
  // held for reading.
  [[nodiscard]] std::shared_ptr<const IndexItemRows> items_for(const ItemIndexRun& run,
                                                               const RunHooks& hooks) const {
    if (folder().manifest().keys != IndexKeys::none) {
      return items_near(folder(), run.asked(), hooks);
    }
    if (is_given(run.asked(), "where")) {
      return all_items(folder(), run.asked());
    }
    const std::lock_guard alone(cache_mutex_);
    if (!all_) all_ = all_items(folder(), given_);
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
    std::shared_ptr<const IndexItemRows> items;
    {
      const auto reading = lock_.reading();
      run.emplace("query", options, folder());
      items = items_for(*run, hooks);
    }
    RowPairs pairs;
    RunHooks told = hooks;
    told.pairs = &pairs;
    told.on_message = nullptr;
    (void)run->run_over(items, told);
    std::vector<std::vector<StoredHit>> found(rows);
    for (std::size_t i = 0; i < pairs.left.size(); ++i) {
      auto [id, is_integer] = items->id(pairs.right[i]);
      found[pairs.left[i]].push_back({std::move(id), is_integer, pairs.similarity[i]});
    }
    return found;
  }

  [[nodiscard]] std::vector<RowName> names_of(ReadItems& read) const {
    std::vector<RowName> names(read.rows());
    const std::uint64_t first = folder().next_number();
    read.for_each(folder().manifest(), [&](ReadItems::Item& item) {
      names[item.row] =
          read.is_named() ? std::move(item.name) : RowName{std::to_string(first + item.row), true};
    });
    return names;
  }

  Options given_;  // threads, memory and scratch
  mutable std::mutex cache_mutex_;
  mutable std::shared_ptr<const IndexItemRows> all_;
};

}  // namespace

std::unique_ptr<StoredIndexState> stored_items(const std::string& folder, bool read_only,
                                               const Options& run) {
  return std::make_unique<StoredItems>(folder, read_only, run);
}

}  // namespace sosie

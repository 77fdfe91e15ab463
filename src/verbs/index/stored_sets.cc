// An open index of texts, sets or bags; looks up each row separately.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "data/kinds.h"
#include "options/bounds.h"
#include "sosie/error.h"
#include "store/index_options.h"
#include "store/sketch_options.h"
#include "verbs/index/add_rows.h"
#include "verbs/index/stored_index_state.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

constexpr std::size_t kLookUpsATask = 16;

}  // namespace

struct StoredSets::Asked {
  Options options;
  Settings settings;
  std::optional<FieldFilter> where = {};
  // For method exact: all items in the state, which is locked for reading as long as they are used.
  std::shared_lock<std::shared_mutex> reading = {};
  std::unique_ptr<const IndexLookup> exact = {};
};

struct StoredSets::NewRow {
  std::string bytes;  // the item
  RowName name;
  std::vector<std::uint64_t> set;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint8_t> filter;
  std::optional<ItemPlace> same;  // the item that has its id
  std::optional<StoredHit> hit;   // the first similar item
};

StoredSets::StoredSets(const std::vector<std::string>& folders, bool read_only, const Options& run,
                       const RunHooks& hooks)
    : StoredIndexState(folders, read_only, run) {
  const IndexManifest& manifest = this->index().manifest();
  shape_.emplace(run, manifest, path());
  readers_.emplace(*shape_);
  as_built_ = std::make_shared<const Asked>(Asked{shape_->options, shape_->settings});
  if (!manifest.keeps_items) {
    scratch_.emplace(shape_->settings.scratch, shape_->settings.scratch_limit_bytes);
    ThreadPool pool(1, hooks.cancel);
    files_.emplace(this->index(), shape_->options, shape_->settings, *scratch_, pool, hooks);
  }
  note_facts();
}

void StoredSets::describe(StoredFacts& facts) const {
  const SketchContents& contents = index().manifest().contents;
  facts.kind = kind_name(shape_->options.kind);
  facts.column = shape_->options.column;
  facts.value_name = facts_of_sets(shape_->options, false).value_name();
  facts.bands = shape_->plan.bands;
  facts.band_rows = shape_->plan.rows;
  for (const std::string_view name : sketch_option_names()) {
    const std::string value = made_with(contents, name);
    if (!value.empty() && name != "keep" && name != "on-bad-row" && name != "id") {
      facts.options.emplace_back(name, value);
    }
  }
  if (const std::string fields = kept_fields(contents); !fields.empty()) {
    facts.options.emplace_back("fields", fields);
  }
}

// Calls use(reader, i) for each index below `count`, on several threads if there is enough work.
template <class Use>
void StoredSets::for_each(std::size_t count, const RunHooks& hooks, const Use& use) const {
  const auto tasks = static_cast<unsigned>(
      std::min<std::size_t>((count + kLookUpsATask - 1) / kLookUpsATask, shape_->settings.threads));
  ThreadPool pool(std::max(1U, tasks), hooks.cancel);
  pool.for_each((count + kLookUpsATask - 1) / kLookUpsATask,
                [&](unsigned /*worker*/, std::size_t task) {
                  readers_->with_reader([&](StoredRowReader& reader) {
                    const std::size_t end = std::min(count, (task + 1) * kLookUpsATask);
                    for (std::size_t i = task * kLookUpsATask; i < end; ++i) use(reader, i);
                  });
                });
}

Options StoredSets::options_for(const StoredQuery& query) const {
  Options given;
  given.threads = shape_->options.threads;
  given.memory_bytes = shape_->options.memory_bytes;
  given.scratch = shape_->options.scratch;
  for (const auto& [name, value] : query.options) set_option(given, name, value);
  return given;
}

std::string StoredSets::value_name(const StoredQuery& query) const {
  if (query.options.empty()) return facts_of_sets(shape_->options, false).value_name();
  const auto reading = lock_.reading();
  const Options options = with_index_options(options_for(query), index().manifest(), path());
  return facts_of_sets(options, false).value_name();
}

std::shared_ptr<const StoredSets::Asked> StoredSets::asked(const StoredQuery& query) const {
  if (query.options.empty()) return as_built_;
  const Options given = options_for(query);
  auto reading = lock_.reading();
  Options options =
      with_kind_of_sets(with_index_options(given, index().manifest(), path()), "an index");
  Settings settings = resolve(options);
  const auto made = std::make_shared<Asked>(Asked{std::move(options), std::move(settings)});
  made->where = filter_of(given, index().manifest(), path());
  if (made->settings.method == Method::exact) {
    made->exact =
        std::make_unique<const IndexLookup>(index(), made->settings, files_ ? &*files_ : nullptr,
                                            made->where ? &*made->where : nullptr);
    made->reading = std::move(reading);
  }
  return made;
}

// Locks the state for reading, unless `asked` already holds the lock.
std::shared_lock<std::shared_mutex> StoredSets::reading_for(const Asked& asked) const {
  return asked.exact ? std::shared_lock<std::shared_mutex>() : lock_.reading();
}

void StoredSets::find(const Asked& asked, StoredRowReader& reader) const {
  if (asked.exact) {
    asked.exact->find(reader.row.sketched(), reader.finder, reader.hits);
    return;
  }
  const IndexLookup lookup(index(), asked.settings, files_ ? &*files_ : nullptr,
                           asked.where ? &*asked.where : nullptr);
  lookup.find(reader.row.sketched(), reader.finder, reader.hits);
}

StoredHit StoredSets::shown(const IndexHit& hit, const Settings& settings) {
  return {hit.name, hit.name_is_integer, settings.measure->shown(hit.overlap)};
}

std::vector<StoredHit> StoredSets::answers(const Asked& asked, const StoredQuery& query,
                                           const std::string& own, StoredRowReader& reader) const {
  find(asked, reader);
  if (query.exclude_self) {
    std::erase_if(reader.hits, [&](const IndexHit& hit) { return hit.name == own; });
  }
  keep_best_hits(*asked.settings.measure, query.top, reader.hits);
  std::vector<StoredHit> out;
  out.reserve(reader.hits.size());
  for (const IndexHit& hit : reader.hits) out.push_back(shown(hit, asked.settings));
  return out;
}

std::vector<std::vector<StoredHit>> StoredSets::query(const OpenIndexRows& rows,
                                                      const StoredQuery& query,
                                                      const RunHooks& hooks) const {
  const JsonRows lines = rows.json();
  const auto with = asked(query);
  std::vector<std::vector<StoredHit>> found(rows.size());
  for_each(rows.size(), hooks, [&](StoredRowReader& reader, std::size_t i) {
    if (query.exclude_self) {
      reader.read_added(lines[i], i);
    } else {
      reader.read_asked(lines[i], i);
    }
    const std::string own = reader.row.id;
    const auto reading = reading_for(*with);
    found[i] = answers(*with, query, own, reader);
  });
  return found;
}

std::vector<std::optional<std::vector<StoredHit>>> StoredSets::query_ids(
    std::span<const std::string> ids, const StoredQuery& query, const RunHooks& hooks) const {
  const auto with = asked(query);
  std::vector<std::optional<std::vector<StoredHit>>> found(ids.size());
  for_each(ids.size(), hooks, [&](StoredRowReader& reader, std::size_t i) {
    const auto reading = reading_for(*with);
    const IndexView& index = this->index();
    const auto place = index.find_name(ids[i], reader.finder.buffer);
    if (!place) return;
    const IndexLookup lookup(index, as_built_->settings, files_ ? &*files_ : nullptr);
    const IndexItem item = index.item(*place, reader.finder.buffer);
    reader.sketch(item.size == 0 ? SetView() : lookup.elements_of(item, reader.finder));
    found[i] = answers(*with, query, ids[i], reader);
  });
  return found;
}

// Reads the rows as items with the next numbers. No lock is needed, because no other thread changes
// the index meanwhile.
std::vector<StoredSets::NewRow> StoredSets::read_new(JsonRows rows, bool looks_up,
                                                     const RunHooks& hooks) {
  const IndexView& index = this->index();
  if (!index.manifest().keeps_items) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"keep-items", "no"},
                "rows in memory cannot be read again later", "--keep-items yes keeps its items");
  }
  const bool is_named = !shape_->added.ids_are_rows;
  const ItemMaker maker{index.next_number(), 0, is_named, true, index.path()};
  std::vector<NewRow> made(rows.size());
  for_each(rows.size(), hooks, [&](StoredRowReader& reader, std::size_t i) {
    NewRow& out = made[i];
    reader.read_added(rows[i], i);
    if (looks_up) {
      find(*as_built_, reader);
      if (!reader.hits.empty()) {
        out.hit = shown(reader.hits.front(), as_built_->settings);
        return;
      }
    }
    QueryRow& row = reader.row;
    InputRow item;
    item.row = static_cast<RowId>(i);
    item.hash = row.hash;
    item.set = row.sketched();
    item.name = {row.id, row.id_is_integer};
    item.fields = row.shown;
    out.bytes = maker.pack(item);
    out.name = is_named ? item.name : RowName{std::to_string(maker.first_number + i), true};
    if (is_named && index.items() > 0) out.same = index.find_name(row.id, reader.finder.buffer);
    out.set = std::move(row.set);
    if (!out.set.empty()) out.keys = std::move(row.keys);
    out.filter = std::move(row.filter);
  });
  if (is_named) expect_other_ids(made, looks_up);
  return made;
}

// Throws Error{malformed_input} if two rows have the same id.
void StoredSets::expect_other_ids(const std::vector<NewRow>& rows, bool only_added) {
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (only_added && rows[i].bytes.empty()) continue;
    const auto [at, is_new] = first.emplace(rows[i].name.id, i);
    if (is_new) continue;
    throw Error(ErrorKind::malformed_input, BadPlace{fmt::format("row {}", i)},
                fmt::format("id '{}' is already used by row {}", rows[i].name.id, at->second));
  }
}

StoredAdded StoredSets::add(const OpenIndexRows& rows, const StoredAddRules& rules,
                            const RunHooks& hooks) {
  if (rules.replace && rules.skip_existing) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"replace"},
                "cannot be combined with --skip-existing");
  }
  const std::lock_guard alone(writing_);
  (void)writer();
  std::vector<NewRow> made = read_new(rows.json(), false, hooks);
  if (!rules.replace && !rules.skip_existing) {
    const auto is_same = [](const NewRow& row) { return row.same.has_value(); };
    const auto same = std::count_if(made.begin(), made.end(), is_same);
    if (same > 0) {
      refuse_same_ids({static_cast<std::uint64_t>(same),
                       std::find_if(made.begin(), made.end(), is_same)->name.id, path()});
    }
  }
  StoredAdded counts;
  const std::uint64_t next = index().next_number() + rows.size();
  change([&](IndexWriter& writer) {
    for (NewRow& row : made) {
      if (row.same && rules.skip_existing) {
        ++counts.skipped;
        continue;
      }
      if (row.same && writer.remove(*row.same)) ++counts.replaced;
      ++counts.added;
      writer.add(std::move(row.bytes), row.keys);
    }
    writer.commit(next);
  });
  return counts;
}

std::vector<StoredNew> StoredSets::add_new(const OpenIndexRows& rows, const RunHooks& hooks) {
  const std::lock_guard alone(writing_);
  (void)writer();
  std::vector<NewRow> made = read_new(rows.json(), true, hooks);
  const Settings& settings = shape_->settings;
  IndexedSets kept(shape_->plan, *settings.measure, settings.threshold);
  IndexedSets::Finder finder;
  std::vector<IndexedSets::Hit> hits;
  std::vector<std::size_t> kept_rows;
  std::vector<StoredNew> out(rows.size());
  std::uint64_t same = 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    NewRow& row = made[i];
    out[i].similar_to = std::move(row.hit);
    if (out[i].similar_to || row.set.empty()) continue;  // a row without a set is similar to none
    hits.clear();
    kept.find({row.set, row.keys, row.filter}, 0, /*one=*/true, finder, hits);
    if (!hits.empty()) {
      const NewRow& first = made[kept_rows[hits.front().position]];
      out[i].similar_to = {first.name.id, first.name.is_integer,
                           settings.measure->shown(hits.front().overlap)};
      continue;
    }
    kept.add({row.set, row.keys, row.filter});
    kept_rows.push_back(i);
    out[i].is_added = true;
    if (row.same) ++same;
  }
  if (same > 0) {
    const auto first = std::find_if(kept_rows.begin(), kept_rows.end(),
                                    [&](std::size_t i) { return made[i].same.has_value(); });
    refuse_same_ids({same, made[*first].name.id, path(), kOtherIds});
  }
  const std::uint64_t next = index().next_number() + rows.size();
  change([&](IndexWriter& writer) {
    for (const std::size_t i : kept_rows) writer.add(std::move(made[i].bytes), made[i].keys);
    writer.commit(next);
  });
  return out;
}

}  // namespace sosie

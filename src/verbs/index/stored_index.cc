// An open index on disk: looks up, adds and removes rows in memory.
#include "sosie/stored_index.h"

#include "sosie/error.h"
#include "sosie/index_folder.h"
#include "verbs/index/stored_index_state.h"

namespace sosie {
namespace {

void build_of(const OpenIndexRows& rows, const std::string& folder, Options options,
              const RunHooks& hooks) {
  options.inputs = {"build", folder, rows.path()};
  options.memory_files[rows.path()] = rows.file();
  index_folder(options, hooks);
}

}  // namespace

StoredIndex::StoredIndex(std::unique_ptr<StoredIndexState> state) : state_(std::move(state)) {}
StoredIndex::StoredIndex(StoredIndex&& other) noexcept = default;
StoredIndex& StoredIndex::operator=(StoredIndex&& other) noexcept = default;
StoredIndex::~StoredIndex() = default;

StoredIndex StoredIndex::create(const std::string& folder, const Options& options, JsonRows rows,
                                const RunHooks& hooks) {
  Options built = options;
  if (rows.empty() && built.id.empty()) set_option(built, "id", "id");
  build_of(rows, folder, std::move(built), hooks);
  return open(folder, false, options, hooks);
}

StoredIndex StoredIndex::create(const std::string& folder, const Options& options,
                                const ArrayRows& rows, const RunHooks& hooks) {
  Options built = options;
  const OpenIndexRows form(rows);
  if (form.may_have_names()) form.expect_names();
  const std::string field = options.id.empty() ? "id" : options.id;
  set_option(built, "id", form.may_have_names() ? field : "row");
  build_of(rows, folder, std::move(built), hooks);
  return open(folder, false, options, hooks);
}

StoredIndex StoredIndex::open(const std::string& folder, bool read_only, const Options& options,
                              const RunHooks& hooks) {
  return open(std::vector{folder}, read_only, options, hooks);
}

StoredIndex StoredIndex::open(const std::vector<std::string>& folders, bool read_only,
                              const Options& options, const RunHooks& hooks) {
  std::vector<std::string> paths;
  for (const std::string& folder : folders) {
    const std::vector<std::string> named = indexes_in(folder);
    if (named.empty()) paths.push_back(folder);  // opening it reports the error
    paths.insert(paths.end(), named.begin(), named.end());
  }
  if (paths.empty()) throw Error(ErrorKind::invalid_option, "no index is given");
  Options run;
  run.threads = options.threads;
  run.memory_bytes = options.memory_bytes;
  run.scratch = options.scratch;
  run.scratch_limit_bytes = options.scratch_limit_bytes;
  return StoredIndex(stored_state(paths, read_only, run, hooks));
}

const std::string& StoredIndex::folder() const noexcept { return state_->path(); }
bool StoredIndex::is_read_only() const noexcept { return state_->is_read_only(); }
StoredFacts StoredIndex::facts() const { return state_->facts(); }

std::string StoredIndex::value_name(const StoredQuery& query) const {
  return state_->value_name(query);
}

std::vector<std::vector<StoredHit>> StoredIndex::query(JsonRows rows, const StoredQuery& query,
                                                       const RunHooks& hooks) const {
  return state_->query(rows, query, hooks);
}

std::vector<std::vector<StoredHit>> StoredIndex::query(const ArrayRows& rows,
                                                       const StoredQuery& query,
                                                       const RunHooks& hooks) const {
  return state_->query(rows, query, hooks);
}

std::vector<std::optional<std::vector<StoredHit>>> StoredIndex::query_ids(
    std::span<const std::string> ids, const StoredQuery& query, const RunHooks& hooks) const {
  return state_->query_ids(ids, query, hooks);
}

std::optional<double> StoredIndex::list_recall(std::uint64_t top, const RunHooks& hooks) const {
  return state_->list_recall(top, hooks);
}

std::string StoredIndex::explain(std::string_view row, const std::string& id,
                                 const RunHooks& hooks) const {
  return state_->explain({row, {}}, id, hooks);
}

std::string StoredIndex::explain_ids(const std::string& asked, const std::string& id,
                                     const RunHooks& hooks) const {
  return state_->explain({{}, asked}, id, hooks);
}

StoredAdded StoredIndex::add(JsonRows rows, const StoredAddRules& rules, const RunHooks& hooks) {
  return state_->add(rows, rules, hooks);
}

std::vector<StoredNew> StoredIndex::add_new(JsonRows rows, const RunHooks& hooks) {
  return state_->add_new(rows, hooks);
}

StoredAdded StoredIndex::add(const ArrayRows& rows, const StoredAddRules& rules,
                             const RunHooks& hooks) {
  return state_->add(rows, rules, hooks);
}

std::vector<StoredNew> StoredIndex::add_new(const ArrayRows& rows, const RunHooks& hooks) {
  return state_->add_new(rows, hooks);
}

std::uint64_t StoredIndex::remove(std::span<const std::string> ids, const RunHooks& hooks) {
  return state_->remove(ids, hooks);
}

void StoredIndex::compact() { state_->compact(); }
void StoredIndex::close() { state_->close(); }

}  // namespace sosie

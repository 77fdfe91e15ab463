// An index on disk that stays open: look-ups beside adds and removals of rows in memory.
#include "sosie/stored_index.h"

#include "sosie/error.h"
#include "sosie/index_folder.h"
#include "verbs/stored_index_state.h"

namespace sosie {
std::shared_ptr<const MemoryFile> file_of_rows(JsonRows rows) {
  auto text = std::make_shared<std::string>();
  for (const std::string_view row : rows) {
    // A line end inside of an object is white space between its parts.
    for (const char c : row) *text += c == '\n' || c == '\r' ? ' ' : c;
    *text += '\n';
  }
  const std::span<const char> bytes(text->data(), text->size());
  return memory_file_of({bytes}, std::move(text));
}

StoredIndex::StoredIndex(std::unique_ptr<StoredIndexState> state) : state_(std::move(state)) {}
StoredIndex::StoredIndex(StoredIndex&& other) noexcept = default;
StoredIndex& StoredIndex::operator=(StoredIndex&& other) noexcept = default;
StoredIndex::~StoredIndex() = default;

StoredIndex StoredIndex::create(const std::string& folder, const Options& options, JsonRows rows,
                                const RunHooks& hooks) {
  Options built = options;
  if (rows.empty() && built.id.empty()) set_option(built, "id", "id");
  built.inputs = {"build", folder, "rows.jsonl"};
  built.memory_files["rows.jsonl"] = file_of_rows(rows);
  index_folder(built, hooks);
  return open(folder, false, options, hooks);
}

StoredIndex StoredIndex::open(const std::string& folder, bool read_only, const Options& options,
                              const RunHooks& hooks) {
  Options run;
  run.threads = options.threads;
  run.memory_bytes = options.memory_bytes;
  run.scratch = options.scratch;
  run.scratch_limit_bytes = options.scratch_limit_bytes;
  return StoredIndex(stored_state(folder, read_only, run, hooks));
}

const std::string& StoredIndex::folder() const noexcept { return state_->path(); }
bool StoredIndex::is_read_only() const noexcept { return state_->is_read_only(); }
StoredFacts StoredIndex::facts() const { return state_->facts(); }

std::vector<std::vector<StoredHit>> StoredIndex::query(JsonRows rows, const StoredQuery& query,
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

std::uint64_t StoredIndex::remove(std::span<const std::string> ids, const RunHooks& hooks) {
  return state_->remove(ids, hooks);
}

void StoredIndex::compact() { state_->compact(); }
void StoredIndex::close() { state_->close(); }

}  // namespace sosie

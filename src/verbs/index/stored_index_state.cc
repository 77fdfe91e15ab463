// State of an open index: look-ups under a read lock, changes by one writer.
#include "verbs/index/stored_index_state.h"

#include <fmt/format.h>

#include "options/bounds.h"
#include "sosie/error.h"
#include "verbs/index/named_indexes.h"
#include "verbs/verbs.h"

namespace sosie {

StoredIndexState::StoredIndexState(const std::vector<std::string>& folders, bool read_only,
                                   const Options& run)
    : path_(folders.front()),
      is_read_only_(read_only || folders.size() > 1),
      memory_bytes_(resolve_run(run).memory_bytes) {
  if (is_read_only_) {
    index_.emplace(open_together(folders));
    path_ = index_->path();
  } else {
    open_writer();
  }
}

std::unique_ptr<StoredIndexState> stored_state(const std::vector<std::string>& folders,
                                               bool read_only, const Options& run,
                                               const RunHooks& hooks) {
  if (!read_manifest(folders.front()).has_sets()) return stored_items(folders, read_only, run);
  return std::make_unique<StoredSets>(folders, read_only, run, hooks);
}

void StoredIndexState::open_writer() {
  writer_.emplace(path_, IndexWriter::Limits{memory_bytes_, nullptr, &lock_, true});
  index_.emplace(writer_->folder());
}

// Returns to the state on disk. No merge may be running; otherwise, a number that it took would be
// assigned twice.
void StoredIndexState::reopen_writer() {
  if (std::this_thread::get_id() != merging_.get_id()) stop_merge();
  {
    const auto alone = lock_.writing();
    index_.reset();
    writer_.reset();
    open_writer();
  }
  forget();
  note_facts();
}

StoredIndexState::~StoredIndexState() { stop_merge(); }

const IndexView& StoredIndexState::index() const {
  if (index_) return *index_;
  throw Error(ErrorKind::io, path_ + ": the index was closed");
}

IndexWriter& StoredIndexState::writer() {
  if (is_read_only_) {
    throw Error(ErrorKind::io, path_ + (index_ && index_->is_several()
                                            ? ": several indexes are open, so they are read-only; "
                                              "to make changes, open just the one to change"
                                            : ": the index was opened read-only"));
  }
  if (writer_) return *writer_;
  throw Error(ErrorKind::io, path_ + ": the index was closed");
}

void StoredIndexState::note_facts() {
  StoredFacts facts;
  const IndexView& index = this->index();
  const SketchContents& contents = index.manifest().contents;
  facts.items = index.items();
  facts.bytes = index.bytes();
  facts.runs = index.runs();
  facts.log_items = index.log_items();
  facts.next_number = index.next_number();
  facts.keeps_items = index.manifest().keeps_items;
  facts.id_field = contents.id_field;
  describe(facts);
  const auto alone = lock_.writing();
  facts_ = std::move(facts);
}

StoredFacts StoredIndexState::facts() const {
  const auto reading = lock_.reading();
  (void)index();
  return facts_;
}

ItemPlace StoredIndexState::place_of(const std::string& id, IndexBuffer& buffer) const {
  const auto place = index().find_name(id, buffer);
  if (place) return *place;
  throw Error(ErrorKind::malformed_input, BadPlace{path_},
              fmt::format("the index has no item '{}'", id));
}

void StoredIndexState::change(const std::function<void(IndexWriter& writer)>& make) {
  try {
    make(writer());
    forget();
  } catch (...) {
    reopen_writer();
    throw;
  }
  note_facts();
  begin_merge();
}

void StoredIndexState::take_merge() {
  change([&](IndexWriter& writer) { writer.end_merge(*merge_); });
}

std::uint64_t StoredIndexState::remove(std::span<const std::string> ids, const RunHooks& hooks) {
  const std::lock_guard alone(writing_);
  ThreadPool(1, hooks.cancel).check_cancelled();
  std::uint64_t removed = 0;
  (void)writer();
  change([&](IndexWriter& writer) {
    IndexBuffer buffer;
    for (const std::string& id : ids) {
      const auto place = writer.folder().find_name(id, buffer);
      if (place && writer.remove(*place)) ++removed;
    }
    writer.commit(writer.folder().next_number());
  });
  return removed;
}

void StoredIndexState::compact() {
  const std::lock_guard alone(writing_);
  (void)writer();
  stop_merge();
  change([](IndexWriter& writer) { writer.compact(); });
}

void StoredIndexState::close() {
  const std::lock_guard alone(writing_);
  stop_merge();
  const auto without_readers = lock_.writing();
  index_.reset();
  writer_.reset();
}

}  // namespace sosie

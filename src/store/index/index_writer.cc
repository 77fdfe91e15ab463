// Changes an index on disk: its log, new runs, merges, and the manifest that lists them.
#include "store/index/index_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_set>

#include "core/most_rows.h"
#include "data/index_layout.h"
#include "io/folder.h"
#include "sosie/error.h"
#include "store/index/index_marks.h"
#include "store/index/merge_runs.h"
#include "store/index/recorded_bits.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

// Each process that opens the index reads the whole log: 4 MB take about 5 ms.
constexpr std::uint64_t kLogBytes = std::uint64_t{4} << 20;
constexpr std::uint32_t kNoItem = ~std::uint32_t{0};
constexpr std::size_t kMostWaitingRuns = 12;  // more are merged before a change is acknowledged

bool is_unfinished_name(std::string_view name) {
  return name.find(".sosie-") != std::string_view::npos &&
         (name.starts_with(".run-") || name.starts_with(".MANIFEST"));
}

// True if a writer that was killed may have left a file with such a name.
bool is_ours(const fs::path& path) {
  return is_unfinished_name(path.filename().string()) ||
         is_file_of_index(path.string(), /*may_be_cut=*/true);
}

// Files in a folder that no manifest lists. If `must` is set, throws Error{invalid_option} for a
// file of another origin.
std::vector<fs::path> files_left(const std::string& folder, bool must) {
  std::vector<fs::path> left;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; entry != end; entry.increment(error)) {
    if (error) break;
    const bool regular = fs::is_regular_file(entry->symlink_status(error));
    if (regular && is_ours(entry->path())) {
      left.push_back(entry->path());
    } else if (must) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{}: holds other files, such as {}", folder,
                              entry->path().filename().string()),
                  "name a folder of its own, which need not exist yet");
    }
  }
  if (error) throw Error(ErrorKind::io, folder + ": " + error.message());
  return left;
}

void remove_files(const std::vector<fs::path>& paths) {
  std::error_code none;
  for (const fs::path& path : paths) fs::remove(path, none);
}

// Path of an index that is opened for writing.
const std::string& existing(const std::string& path) {
  if (!is_index(path)) (void)read_manifest(path);  // says what is wrong with it
  return path;
}

const std::string& buildable(const std::string& path) {
  std::error_code none;
  if (is_index(path) && fs::exists(manifest_path(path), none)) {
    throw Error(ErrorKind::invalid_option, path + ": holds an index already",
                "sosie index add INDEX INPUT... adds to it");
  }
  if (fs::exists(path, none)) (void)files_left(path, true);
  return path;
}

std::vector<std::uint64_t> present_items(const std::vector<RunEntry>& runs) {
  std::vector<std::uint64_t> items;
  items.reserve(runs.size());
  for (const RunEntry& run : runs) items.push_back(run.items - run.removed.size());
  return items;
}

std::string scratch_of(const IndexWriter::Limits& limits, const std::string& folder) {
  return limits.scratch.empty() ? folder : limits.scratch;
}

// Throws Error{malformed_input} for two items with the same name. Names are read only if two hashes
// are equal.
void expect_unique_names(const IndexRun& run, std::size_t band) {
  RunBuffer buffer;
  RunBuffer item_buffer;
  const auto name_of = [&](const KeyEntry& entry) {
    return std::string(run.item(entry.item, item_buffer).name());
  };
  std::vector<KeyEntry> entries;
  std::optional<KeyEntry> previous;
  std::unordered_set<std::string> names;  // items with the key of the previous one
  for (std::size_t block = 0; block < run.key_blocks(band); ++block) {
    entries.clear();
    run.read_keys(band, block, buffer, entries);
    for (const KeyEntry& entry : entries) {
      const bool repeats = previous && previous->key == entry.key;
      if (!repeats) names.clear();
      if (repeats && names.empty()) names.insert(name_of(*previous));
      if (repeats && !names.insert(name_of(entry)).second) {
        throw Error(ErrorKind::malformed_input,
                    fmt::format("id '{}' is in two of the indexes", name_of(entry)),
                    "sosie index remove INDEX --ids FILE removes it from one of them");
      }
      previous = entry;
    }
  }
}

}  // namespace

IndexWriter::IndexWriter(const std::string& path, const Limits& limits)
    : claim_(existing(path)),
      folder_(claim_.path(), true),
      limits_(limits),
      scratch_(scratch_of(limits, claim_.path()), limits.scratch_limit_bytes) {
  std::vector<fs::path> left = files_left(claim_.path(), false);
  std::erase_if(left, [&](const fs::path& file) {
    const auto is = [&](std::string_view kind, std::uint64_t number) {
      return file == index_file(claim_.path(), kind, number);
    };
    const auto& runs = folder_.manifest_.runs;
    return is("log", folder_.manifest_.log) ||
           std::any_of(runs.begin(), runs.end(),
                       [&](const RunEntry& run) { return is("run", run.number); });
  });
  remove_files(left);
}

IndexWriter::IndexWriter(const std::string& path, IndexManifest manifest, const Limits& limits)
    : claim_(buildable(path)),
      folder_(claim_.path(), std::move(manifest)),
      limits_(limits),
      scratch_(scratch_of(limits, claim_.path()), limits.scratch_limit_bytes),
      is_new_(true),
      is_flushing_(true) {
  buildable(claim_.path());  // another build may have been faster
  remove_files(files_left(claim_.path(), true));
}

IndexWriter::~IndexWriter() {
  builder_.reset();
  for (const std::uint64_t number : made_runs_) remove_file("run", number);
  if (made_log_ > 0) remove_file("log", made_log_);
  if (is_new_) claim_.remove_if_made();
}

void IndexWriter::remove_file(std::string_view kind, std::uint64_t number) const {
  ::unlink(index_file(claim_.path(), kind, number).c_str());
}

std::unique_lock<std::shared_mutex> IndexWriter::without_readers() const {
  return limits_.readers == nullptr ? std::unique_lock<std::shared_mutex>()
                                    : limits_.readers->writing();
}

std::uint64_t IndexWriter::new_file() { return folder_.manifest_.next_file++; }

std::uint32_t IndexWriter::add_files(const std::vector<SketchedFile>& files) {
  std::vector<SketchedFile>& known = folder_.manifest_.contents.files;
  const auto first = static_cast<std::uint32_t>(known.size());
  known.insert(known.end(), files.begin(), files.end());
  is_flushing_ = true;  // the log knows no files
  return first;
}

void IndexWriter::set_dimension(std::uint64_t dimension) {
  folder_.manifest_.contents.dimension = dimension;
  is_flushing_ = true;  // the manifest says it
}

void IndexWriter::set_declared_bits(std::uint64_t bits) {
  record_bits(bits, folder_.manifest_.contents);
  is_flushing_ = true;
}

void IndexWriter::count_added(std::uint64_t items) {
  added_ += items;
  const std::uint64_t all = folder_.items() + added_;
  if (all > most_rows()) check_items_of_index(all, claim_.path() + ": ");
}

void IndexWriter::add(std::string bytes, std::span<const std::uint64_t> keys) {
  count_added(1);
  if (is_flushing_ && pending_.items.empty()) {
    open_run();
    builder_->add(bytes, keys);
    return;
  }
  pending_bytes_ += bytes.size() + keys.size_bytes() + sizeof(std::uint64_t);
  pending_.items.push_back({std::move(bytes), {keys.begin(), keys.end()}});
  if (pending_bytes_ > kLogBytes) spill();
}

void IndexWriter::add(NewItems& items) {
  if (is_flushing_ && pending_.items.empty()) {
    const std::uint64_t count = items.count();
    if (count == 0) return;
    count_added(count);
    open_run();
    builder_->add(items);
    return;
  }
  for (std::size_t place = 0; place < items.places(); ++place) {
    if (!items.bytes(place).empty()) add(items.bytes(place), items.keys(place));
  }
}

bool IndexWriter::remove(const ItemPlace& place) {
  {
    const auto alone = without_readers();
    if (!folder_.remove(place)) return false;
  }
  pending_.removed.push_back(place);
  pending_bytes_ += sizeof place;
  return true;
}

std::unique_ptr<IndexRunBuilder> IndexWriter::run_builder(std::uint64_t number) {
  const KeyMemory memory{scratch_, std::min(limits_.memory_bytes / 4, IndexLayout::kMostKeyBytes),
                         limits_.threads};
  return std::make_unique<IndexRunBuilder>(claim_.path(), number, folder_.shape(), memory,
                                           limits_.cancel);
}

void IndexWriter::open_run() {
  if (builder_) return;
  const std::uint64_t number = new_file();
  builder_ = run_builder(number);
  made_runs_.push_back(number);
  if (made_runs_.size() > 1) return;
  const LogItems& log = folder_.log_items();
  for (std::uint32_t item = 0; item < log.size(); ++item) {
    moved_.push_back(log.is_removed(item) ? kNoItem : builder_->items());
    if (log.is_removed(item)) continue;
    builder_->add(log.bytes(item), log.keys(item));
  }
}

// Moves pending items into a run.
void IndexWriter::spill() {
  is_flushing_ = true;
  for (const IndexRecord::Item& item : pending_.items) {
    open_run();
    builder_->add(item.bytes, item.keys);
  }
  pending_.items.clear();
  pending_bytes_ = 0;
}

void IndexWriter::end_run() {
  if (!builder_) return;
  new_runs_.push_back(builder_->finish());
  builder_.reset();
}

bool IndexWriter::fits_log() const {
  return !is_flushing_ && folder_.log().bytes() + pending_bytes_ <= kLogBytes;
}

void IndexWriter::commit(std::uint64_t next_number) {
  pending_.next_number = next_number;
  if (fits_log()) {
    if (pending_.items.empty() && pending_.removed.empty() &&
        next_number == folder_.next_number()) {
      return;
    }
    const std::string record = pack_record(pending_);
    folder_.log_->append(record);
    const auto alone = without_readers();
    folder_.replay(record);  // removed items stay so
    pending_ = {};
    pending_bytes_ = added_ = 0;
    return;
  }
  spill();
  folder_.next_number_ = next_number;
  flush(false);
}

void IndexWriter::compact() {
  const auto& runs = folder_.runs();
  const bool is_compact = folder_.log_items().size() == 0 && runs.size() <= 1 &&
                          (runs.empty() || (runs.front()->present() == runs.front()->items() &&
                                            runs.front()->has_last_version()));
  if (is_compact) return;
  spill();
  flush(true);
}

// All current runs, with the items removed from each.
std::vector<RunEntry> IndexWriter::all_runs() const {
  std::vector<RunEntry> runs = folder_.manifest_.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].removed = folder_.runs()[i]->removed();
  for (const RunEntry& run : new_runs_) runs.push_back(run);
  if (new_runs_.empty()) return runs;
  std::vector<std::uint32_t>& removed = runs[folder_.runs().size()].removed;
  for (std::uint32_t item = 0; item < moved_.size(); ++item) {
    if (moved_[item] != kNoItem && folder_.log_items().is_removed(item)) {
      removed.push_back(moved_[item]);
    }
  }
  return runs;
}

void IndexWriter::merge_from(std::size_t first, std::vector<RunEntry>& runs) {
  std::vector<std::unique_ptr<IndexRun>> opened;
  std::vector<MergedRun> merged;
  std::uint64_t present = 0;
  for (std::size_t i = first; i < runs.size(); ++i) {
    opened.push_back(
        IndexRun::open(index_file(claim_.path(), "run", runs[i].number), runs[i], folder_.shape()));
    if (!opened.back()) throw Error(ErrorKind::io, claim_.path() + ": a run has gone");
    merged.push_back({opened.back().get()});
    present += opened.back()->present();
  }
  runs.resize(first);
  if (present == 0) return;
  const std::uint64_t number = new_file();
  made_runs_.push_back(number);
  runs.push_back(merge_runs(merged, {claim_.path(), number, folder_.shape(), limits_.cancel}));
}

void IndexWriter::flush(bool merges_all) {
  if (folder_.log_items().present() > 0 && made_runs_.empty()) open_run();
  end_run();
  std::vector<RunEntry> runs = all_runs();
  const bool waits = limits_.merges_later && !merges_all && runs.size() <= kMostWaitingRuns;
  const std::size_t first = merges_all ? 0 : first_to_merge(present_items(runs));
  const bool merges = first + 1 < runs.size() || (merges_all && !runs.empty());
  if (merges && !waits) merge_from(first, runs);
  replace_state(std::move(runs), folder_.next_number_, false);
}

// Writes a manifest that lists these runs, and either the current log or an empty one; until then,
// nothing has changed. Deletes new files that the manifest does not list.
void IndexWriter::replace_state(std::vector<RunEntry> runs, std::uint64_t next_number,
                                bool keeps_log) {
  std::vector<std::uint64_t> before = made_runs_;
  for (const RunEntry& run : folder_.manifest_.runs) before.push_back(run.number);
  const std::uint64_t old_log = folder_.manifest_.log;
  IndexManifest manifest = folder_.manifest_;
  made_log_ = manifest.log = new_file();
  manifest.next_file = folder_.manifest_.next_file;
  manifest.runs = runs;
  manifest.next_number = next_number;
  IndexLog::create(claim_.path(), made_log_);
  if (keeps_log) {
    IndexLog::open(claim_.path(), made_log_, true)->append(pack_record(folder_.record_of_log()));
  }
  write_manifest(claim_.path(), manifest, limits_.cancel);
  made_runs_.clear();
  made_log_ = 0;
  if (!is_new_) remove_file("log", old_log);
  for (const std::uint64_t number : before) {
    const bool stays = std::any_of(runs.begin(), runs.end(),
                                   [&](const RunEntry& run) { return run.number == number; });
    if (!stays) remove_file("run", number);
  }
  pending_ = {};
  added_ = 0;
  new_runs_.clear();
  moved_.clear();
  is_new_ = is_flushing_ = false;
  IndexFolder changed(claim_.path(), true);
  const auto alone = without_readers();
  std::swap(folder_, changed);  // the old state ends behind the lock
}

std::unique_ptr<BackgroundMerge> IndexWriter::begin_merge() {
  std::vector<RunEntry> runs = all_runs();
  const std::size_t first = first_to_merge(present_items(runs));
  if (first + 1 >= runs.size()) return nullptr;
  runs.erase(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(first));
  return std::make_unique<BackgroundMerge>(claim_.path(), folder_.shape(), std::move(runs),
                                           new_file());
}

void IndexWriter::end_merge(const BackgroundMerge& merge) {
  auto runs = merge.applied_to(all_runs());
  if (!runs) return remove_file("run", merge.number());
  made_runs_.push_back(merge.number());
  replace_state(std::move(*runs), folder_.manifest_.next_number, true);
}

// A run of the items that another index holds only in its log.
std::unique_ptr<IndexRun> IndexWriter::run_of_log(const IndexFolder& other) {
  const std::uint64_t number = new_file();
  made_runs_.push_back(number);
  const std::unique_ptr<IndexRunBuilder> builder = run_builder(number);
  const LogItems& log = other.log_items();
  for (std::uint32_t item = 0; item < log.size(); ++item) {
    if (log.is_removed(item)) continue;
    builder->add(log.bytes(item), log.keys(item));
  }
  return IndexRun::open(index_file(claim_.path(), "run", number), builder->finish(),
                        folder_.shape());
}

std::uint64_t IndexWriter::add_all(std::span<const std::unique_ptr<IndexFolder>> others) {
  std::uint64_t next_number = 0;
  std::vector<std::unique_ptr<IndexRun>> of_logs;
  std::vector<MergedRun> merged;
  for (const auto& other : others) {
    const std::uint32_t first_file = add_files(other->manifest().contents.files);
    for (const auto& run : other->runs()) merged.push_back({run.get(), next_number, first_file});
    if (other->log_items().present() > 0) {
      of_logs.push_back(run_of_log(*other));
      merged.push_back({of_logs.back().get(), next_number, first_file});
    }
    next_number += other->next_number();
  }
  const std::uint64_t number = new_file();
  made_runs_.push_back(number);
  new_runs_.push_back(merge_runs(merged, {claim_.path(), number, folder_.shape(), limits_.cancel}));
  const auto run =
      IndexRun::open(index_file(claim_.path(), "run", number), new_runs_.back(), folder_.shape());
  expect_unique_names(*run, folder_.shape().bands);
  return next_number;
}

}  // namespace sosie

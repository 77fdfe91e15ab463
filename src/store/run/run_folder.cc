// Writes and reads the folder of --save: facts as JSON; groups, rows, texts and pairs as tables.
#include "store/run/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <span>

#include "core/count_text.h"
#include "core/cut_text.h"
#include "core/utf8.h"
#include "io/folder.h"
#include "io/output_file.h"
#include "sosie/error.h"
#include "sosie/saved_run.h"
#include "store/run/run_estimate.h"
#include "store/run/run_facts.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> kFilesOfRun = {
    "run.json", "groups", "members", "texts", "pairs", kRunEstimateName, kDecisionsName};

// The first file that does not belong to a saved run; empty if there is none. Hidden files are left
// by runs that were killed.
std::string other_file(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    const bool is_own = name.starts_with('.') || std::find(kFilesOfRun.begin(), kFilesOfRun.end(),
                                                           name) != kFilesOfRun.end();
    if (!is_own) return name;
  }
  if (error) throw Error(ErrorKind::io, folder + ": " + error.message());
  return {};
}

// Number of lines after the first one, which identifies the run.
std::uint64_t saved_steps(const std::string& folder) {
  const std::string path = folder + "/" + kDecisionsName;
  const auto descriptor = open_regular_file(path, O_RDONLY);
  if (!descriptor) return 0;
  const std::string text = read_to_end(descriptor->number(), path, ~std::uint64_t{0}, nullptr);
  const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  return lines == 0 ? 0 : lines - 1;
}

std::unique_ptr<ClaimedFolder> claim_of(const std::string& folder) {
  try {
    return std::make_unique<ClaimedFolder>(folder);
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(),
                "stop the `sosie serve` that shows it, or name a new folder");
  }
}

constexpr std::size_t kRunLineBytes = 120;
constexpr std::size_t kShownIdBytes = 1000;
constexpr std::size_t kTableChunk = std::size_t{1} << 20;
constexpr std::uint64_t kMostFactBytes = std::uint64_t{64} << 20;
constexpr std::string_view kSaveAgain = "write the run again with --save";

static_assert(sizeof(RunGroup) == 48 && sizeof(RunMember) == 56 && sizeof(RunPair) == 40);

[[noreturn]] void refuse_table(const std::string& path, std::string_view what) {
  throw Error(ErrorKind::malformed_input, fmt::format("{}: is damaged, {}", path, what),
              std::string(kSaveAgain));
}

struct FreeChecksum {
  void operator()(XXH3_state_t* state) const noexcept { XXH3_freeState(state); }
};

// XXH3 hash of data that arrives in pieces.
class TableChecksum {
 public:
  TableChecksum() : state_(XXH3_createState()) { XXH3_64bits_reset(state_.get()); }
  void add(std::string_view bytes) {
    XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
    bytes_ += bytes.size();
  }
  [[nodiscard]] TableSum sum() const { return {bytes_, XXH3_64bits_digest(state_.get())}; }

 private:
  std::unique_ptr<XXH3_state_t, FreeChecksum> state_;
  std::uint64_t bytes_ = 0;
};

template <class Record>
std::string_view record_bytes(const Record& record) {
  return {reinterpret_cast<const char*>(&record), sizeof record};
}

std::unique_ptr<File> open_run_table(const std::string& path, const TableSum& sum) {
  const auto descriptor = open_regular_file(path, O_RDONLY);
  if (!descriptor) refuse_table(path, "it is not there");
  const auto stamp = stamp_of(descriptor->number());
  if (!stamp || stamp->size != sum.bytes) refuse_table(path, "its size has changed");
  auto file = std::make_unique<File>(descriptor, path, 0, sum.bytes);
  TableChecksum checksum;
  std::string chunk;
  for (std::uint64_t at = 0; at < sum.bytes; at += chunk.size()) {
    chunk.resize(std::min<std::uint64_t>(kTableChunk, sum.bytes - at));
    file->read_at(at, chunk.data(), chunk.size());
    checksum.add(chunk);
  }
  if (checksum.sum().checksum != sum.checksum) refuse_table(path, "the checksum does not match");
  return file;
}

// All records of a table.
template <class Record>
std::vector<Record> read_run_table(const std::string& path, const TableSum& sum) {
  if (sum.bytes % sizeof(Record) != 0) refuse_table(path, "it is cut off");
  const auto file = open_run_table(path, sum);
  std::vector<Record> records(sum.bytes / sizeof(Record));
  file->read_at(0, reinterpret_cast<char*>(records.data()), sum.bytes);
  return records;
}

}  // namespace

ReplacedRun::ReplacedRun(const std::string& folder, OverwrittenRun which) {
  std::error_code error;
  if (which == OverwrittenRun::none || !fs::is_directory(folder, error)) return;
  if (!is_saved_run(folder)) {
    if (const std::string other = other_file(folder); !other.empty()) {
      throw Error(ErrorKind::invalid_option,
                  folder + ": holds other files and no saved run, " + other + " for one",
                  "name a new folder");
    }
  }
  claim_ = claim_of(folder);
  const std::uint64_t steps = saved_steps(folder);
  if (steps == 0 || which == OverwrittenRun::any) return;
  throw Error(ErrorKind::invalid_option,
              folder + ": holds a review of " + plural_text(steps, "step", "steps"),
              "name a new folder, or use --overwrite=all to remove the review");
}

class RunFolderWriter::Table {
 public:
  Table(const std::string& path, const std::atomic<bool>* cancel)
      : file_(path, OutputFile::Durability::left_to_caller, Compression::none, cancel) {}
  void append(std::string_view bytes) {
    file_.write(bytes);
    checksum_.add(bytes);
  }
  [[nodiscard]] std::uint64_t bytes() const { return checksum_.sum().bytes; }
  TableSum close() {
    file_.finish();
    file_.commit();
    return checksum_.sum();
  }

 private:
  OutputFile file_;
  TableChecksum checksum_;
};

RunFolderWriter::RunFolderWriter(const std::string& folder, OverwrittenRun overwrite,
                                 const std::atomic<bool>* cancel, bool of_links)
    : cancel_(cancel),
      replaced_(folder, overwrite),
      tree_(folder, overwrite != OverwrittenRun::none, cancel),
      groups_(std::make_unique<Table>(tree_.path_for("groups"), cancel)),
      members_(std::make_unique<Table>(tree_.path_for("members"), cancel)),
      texts_(std::make_unique<Table>(tree_.path_for("texts"), cancel)) {
  if (of_links) pairs_ = std::make_unique<Table>(tree_.path_for("pairs"), cancel);
}

RunFolderWriter::~RunFolderWriter() = default;

void RunFolderWriter::begin_group(std::string_view line) {
  std::string text(cut_text(line, kRunLineBytes));
  std::replace(text.begin(), text.end(), '\0', ' ');
  group_ = {.first_member = member_count_,
            .text_begin = texts_->bytes(),
            .line_bytes = static_cast<std::uint32_t>(text.size())};
  texts_->append(text + '\0');
}

void RunFolderWriter::add(const Row& row) {
  RunMember member = row.member;
  member.text_begin = texts_->bytes();
  member.id_bytes = static_cast<std::uint32_t>(row.id.size());
  texts_->append(row.id + '\0');
  members_->append(record_bytes(member));
  ++member_count_;
  ++group_.members;
  group_.sources |= std::uint64_t{1} << std::min(row.source, kRunSources - 1);
  if (!pairs_ && !member.has(RunMember::kept)) group_.saved_bytes += member.length;
}

void RunFolderWriter::end_group(double weakest) {
  group_.weakest = weakest;
  groups_->append(record_bytes(group_));
  ++group_count_;
}

void RunFolderWriter::add(const RunPair& pair) { pairs_->append(record_bytes(pair)); }

void RunFolderWriter::finish(const RunFacts& facts) {
  RunSums sums{groups_->close(), members_->close(), texts_->close(),
               pairs_ ? pairs_->close() : TableSum{}};
  if (facts.estimate) {
    Table estimate(tree_.path_for(kRunEstimateName), cancel_);
    estimate.append(run_estimate_json(*facts.estimate));
    sums.estimate = estimate.close();
  }
  for (const auto& [name, content] :
       {std::pair<std::string, std::string>{"run.json", run_facts_json(facts, sums)},
        std::pair<std::string, std::string>{kDecisionsName, decisions_head(sums.mark())}}) {
    OutputFile file(tree_.path_for(name), OutputFile::Durability::left_to_caller, Compression::none,
                    cancel_);
    file.write(content);
    file.finish();
    file.commit();
  }
  tree_.finish();
}

RunFolder::RunFolder(const std::string& folder) : path_(folder) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  const std::string name = path_ + "/run.json";
  const auto descriptor = open_regular_file(name, O_RDONLY);
  if (!descriptor) {
    throw Error(ErrorKind::malformed_input, folder + ": is not a saved run: it has no run.json",
                "sosie dedup or link INPUT --save RUN/ writes one");
  }
  const std::string text = read_to_end(descriptor->number(), name, kMostFactBytes + 1, nullptr);
  if (text.size() > kMostFactBytes) refuse_table(name, "it is too long");
  RunSums sums;
  facts_ = run_facts_of(text, name, sums);
  mark_ = sums.mark();
  member_count_ = sums.members.bytes / sizeof(RunMember);
  text_bytes_ = sums.texts.bytes;
  if (sums.members.bytes % sizeof(RunMember) != 0)
    refuse_table(path_ + "/members", "it is cut off");
  members_ = open_run_table(path_ + "/members", sums.members);
  texts_ = open_run_table(path_ + "/texts", sums.texts);
  groups_ = read_run_table<RunGroup>(path_ + "/groups", sums.groups);
  check_groups();
  if (!facts_.is_of_links) return;
  pairs_ = read_run_table<RunPair>(path_ + "/pairs", sums.pairs);
  if (sums.estimate) read_estimate(*sums.estimate);
  check_pairs();
}

void RunFolder::read_estimate(const TableSum& sum) {
  const std::string path = path_ + "/" + kRunEstimateName;
  if (sum.bytes > kMostFactBytes) refuse_table(path, "it is too long");
  std::string text(sum.bytes, '\0');
  open_run_table(path, sum)->read_at(0, text.data(), text.size());
  facts_.estimate = run_estimate_of(text, path);
}

void RunFolder::check_pairs() const {
  for (const RunPair& pair : pairs_) {
    const bool has_rows =
        pair.left < member_count_ && pair.right < member_count_ && pair.left != pair.right;
    if (!has_rows || !std::isfinite(pair.score) || !std::isfinite(pair.probability)) {
      refuse_table(path_ + "/pairs", "a pair names rows that do not exist, or has no score");
    }
    if (facts_.estimate && pair.stratum > RunPair::stratum_at(facts_.estimate->apart())) {
      refuse_table(path_ + "/pairs", "a pair is in a stratum that does not exist");
    }
  }
}

// Groups are consecutive, and so are their rows and texts.
void RunFolder::check_groups() const {
  std::uint64_t member = 0;
  std::uint64_t text = 0;
  for (const RunGroup& group : groups_) {
    const bool follows = group.first_member == member && group.members > 0 &&
                         group.members <= member_count_ - member && group.text_begin >= text &&
                         group.text_begin <= text_bytes_ && group.line_bytes <= kRunLineBytes &&
                         group.line_bytes < text_bytes_ - group.text_begin &&
                         (group.text_begin == 0) == (&group == groups_.data());
    if (!follows) refuse_table(path_ + "/groups", "a group is in an impossible place");
    member += group.members;
    text = group.text_begin + group.line_bytes;
  }
  if (member != member_count_) refuse_table(path_ + "/groups", "rows are in no group");
}

std::vector<RunMember> RunFolder::read_members(std::uint64_t first, std::uint64_t count) const {
  std::vector<RunMember> members(count);
  members_->read_at(first * sizeof(RunMember), reinterpret_cast<char*>(members.data()),
                    count * sizeof(RunMember));
  for (const RunMember& member : members) {
    const bool can_be = member.file < facts_.files.size() && member.text_begin < text_bytes_ &&
                        member.id_bytes < text_bytes_ - member.text_begin &&
                        member.has(RunMember::of_against) == (member.file < facts_.first_own_file);
    if (!can_be) refuse_table(path_ + "/members", "a row is in an impossible place");
  }
  return members;
}

std::size_t RunFolder::listed_groups() const {
  return static_cast<std::size_t>(std::count_if(
      groups_.begin(), groups_.end(), [this](const RunGroup& group) { return lists(group); }));
}

std::string RunFolder::text_at(std::uint64_t begin, std::uint64_t bytes) const {
  std::string text(bytes, '\0');
  texts_->read_at(begin, text.data(), bytes);
  return text;
}

std::string RunFolder::line_of(const RunGroup& group) const {
  return text_at(group.text_begin, group.line_bytes);
}

std::string RunFolder::id_of(const RunMember& member) const {
  return text_at(member.text_begin, member.id_bytes);
}

std::string RunFolder::shown_id(const RunMember& member) const {
  const std::uint64_t bytes = std::min<std::uint64_t>(member.id_bytes, kShownIdBytes + 1);
  std::string id = text_at(member.text_begin, bytes);
  if (id.size() <= kShownIdBytes) return id;
  return std::string(cut_text(id, kShownIdBytes)) + "\u2026";
}

std::size_t RunFolder::group_of(std::uint64_t member) const {
  const auto behind = std::upper_bound(
      groups_.begin(), groups_.end(), member,
      [](std::uint64_t number, const RunGroup& group) { return number < group.first_member; });
  return static_cast<std::size_t>(behind - groups_.begin()) - 1;
}

std::string RunFolder::texts(std::size_t first_group, std::size_t end_group) const {
  const std::uint64_t begin = groups_[first_group].text_begin;
  const std::uint64_t end =
      end_group < groups_.size() ? groups_[end_group].text_begin : text_bytes_;
  return text_at(begin, end - begin);
}

bool is_saved_run(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path + "/run.json", error) &&
         std::filesystem::is_regular_file(path + "/members", error);
}

}  // namespace sosie

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "io/file.h"
#include "io/folder.h"
#include "io/output_tree.h"
#include "store/run/run_facts.h"

// The folder that `dedup --save RUN/` and `link --save RUN/` write: groups, their rows and where
// these lie; of links pairs, too (docs/formats/run.md).
namespace sosie {

// Saved run whose place another one may take.
enum class OverwrittenRun : std::uint8_t { none, undecided, any };

// A folder in which a run is going to be saved. As long as it lives, nobody decides about the run
// that is there.
class ReplacedRun {
 public:
  // Throws Error{invalid_option} where the folder holds decisions about a run and `which` is not
  // `any`, and where it holds other files and no run; Error{io}: also when a process decides about
  // it at this moment. A folder that is not there, or for which `which` is `none`, is left alone.
  ReplacedRun(const std::string& folder, OverwrittenRun which);

 private:
  std::unique_ptr<ClaimedFolder> claim_;
};

// Sources are told apart by a bit each; those behind the last share it.
inline constexpr std::size_t kRunSources = 64;

// A group of two rows or more, or a row that a person removed.
struct RunGroup {
  std::uint64_t first_member = 0;  // position of the first of its rows in the table of members
  std::uint64_t text_begin = 0;    // begin of its line in the file of texts
  std::uint64_t saved_bytes = 0;   // bytes of its removed rows, as they lie in their files
  std::uint64_t sources = 0;       // a bit for each source of its rows
  double weakest = 0;              // value of the measure for its row least like the kept one
  std::uint32_t members = 0;       // rows listed
  std::uint32_t line_bytes = 0;    // first line of the kept row; 0: it has none
};

// A row of a group. The kept one comes first, the others in input order.
struct RunMember {
  enum Flag : std::uint32_t {
    kept = 1,        // the row that the others were compared with
    identical = 2,   // equal to that one as an item
    integer_id = 4,  // its id is written without quotes in JSON
    of_against = 8,  // a row of --against, which is never written
  };

  std::uint64_t offset = 0;      // bytes of the row in its file
  std::uint64_t hash = 0;        // XXH3 of these bytes
  std::uint64_t text_begin = 0;  // begin of its id in the file of texts
  double value = 0;              // value of the measure for this row and the kept one
  std::uint32_t length = 0;
  std::uint32_t file = 0;
  std::uint32_t row = 0;  // number in its file
  std::uint32_t id_bytes = 0;
  std::uint32_t flags = 0;
  std::uint32_t reserved = 0;

  [[nodiscard]] bool has(Flag flag) const noexcept { return (flags & flag) != 0; }
  [[nodiscard]] RowLocator locator() const noexcept { return {offset, length, file}; }
};

// Two records that a run of link scored, and that a person may judge.
struct RunPair {
  enum Flag : std::uint32_t {
    linked = 1,      // a link, or of one group
    suggested = 2,   // its label would tell much
    said_match = 4,  // the run was told so by --labels or --reuse
    said_other = 8,
    said_by_label = 16,  // by --labels, not by --reuse
  };

  std::uint64_t left = 0;  // positions in the table of members
  std::uint64_t right = 0;
  double score = 0;
  double probability = -1;  // below 0: not known
  std::uint32_t flags = 0;
  std::uint32_t reserved = 0;

  [[nodiscard]] bool has(Flag flag) const noexcept { return (flags & flag) != 0; }
};

// Writes a folder, which appears when it is complete. Belongs to one thread.
class RunFolderWriter {
 public:
  // Throws as ReplacedRun and OutputTree do. `of_links`: there are pairs, too.
  RunFolderWriter(const std::string& folder, OverwrittenRun overwrite,
                  const std::atomic<bool>* cancel, bool of_links = false);
  ~RunFolderWriter();

  struct Row {
    RunMember member;  // text_begin and id_bytes are filled in
    std::string id;
    std::size_t source = 0;  // in RunFacts::sources
  };
  // Begins a group, whose rows follow; `line` is cut.
  void begin_group(std::string_view line);
  void add(const Row& row);
  void end_group(double weakest);
  // Pairs come in the order in which a person should see them.
  void add(const RunPair& pair);

  // Completes all files.
  void finish(const RunFacts& facts);
  void commit() { tree_.commit(); }

 private:
  class Table;

  const std::atomic<bool>* cancel_;
  ReplacedRun replaced_;
  OutputTree tree_;
  std::unique_ptr<Table> groups_;
  std::unique_ptr<Table> members_;
  std::unique_ptr<Table> texts_;
  std::unique_ptr<Table> pairs_;  // null: not a run of link
  RunGroup group_;
  std::uint64_t group_count_ = 0;
  std::uint64_t member_count_ = 0;
};

// A folder that is read again. Everything in it is checked: what is damaged, or was never written
// by a RunFolderWriter, is Error{malformed_input} with the file. Safe for many threads.
class RunFolder {
 public:
  // Reads the groups (48 bytes each) and the pairs (40 bytes), and checks the other files. Throws
  // Error{unsupported} for another version, Error{io}.
  explicit RunFolder(const std::string& folder);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const RunFacts& facts() const noexcept { return facts_; }
  [[nodiscard]] const std::vector<RunGroup>& groups() const noexcept { return groups_; }
  // True for a group of the run; a record of link that is in none is kept as a group of its own.
  [[nodiscard]] bool lists(const RunGroup& group) const noexcept {
    return !facts_.is_of_links || group.members > 1;
  }
  // Number of groups that are listed.
  [[nodiscard]] std::size_t listed_groups() const;
  [[nodiscard]] std::uint64_t members() const noexcept { return member_count_; }
  [[nodiscard]] const std::vector<RunPair>& pairs() const noexcept { return pairs_; }
  // Differs between runs.
  [[nodiscard]] const std::string& mark() const noexcept { return mark_; }

  // Rows [first, first + count) of the table of members, which has them.
  [[nodiscard]] std::vector<RunMember> read_members(std::uint64_t first, std::uint64_t count) const;
  [[nodiscard]] std::string line_of(const RunGroup& group) const;
  [[nodiscard]] std::string id_of(const RunMember& member) const;
  // The id for a page, which many rows share: a long one is cut.
  [[nodiscard]] std::string shown_id(const RunMember& member) const;
  // The group of a member.
  [[nodiscard]] std::size_t group_of(std::uint64_t member) const;
  // Texts of these groups: the line and the ids of each, all of them with a zero byte behind.
  [[nodiscard]] std::string texts(std::size_t first_group, std::size_t end_group) const;

 private:
  void check_groups() const;
  void check_pairs() const;
  [[nodiscard]] std::string text_at(std::uint64_t begin, std::uint64_t bytes) const;

  std::string path_;
  RunFacts facts_;
  std::vector<RunGroup> groups_;
  std::vector<RunPair> pairs_;
  std::uint64_t member_count_ = 0;
  std::uint64_t text_bytes_ = 0;
  std::string mark_;
  std::unique_ptr<File> members_;
  std::unique_ptr<File> texts_;
};

}  // namespace sosie

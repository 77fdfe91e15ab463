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

// The folder that `dedup --save RUN/` and `link --save RUN/` write: groups, their rows and the
// places of these rows; for links, also pairs (docs/formats/run.md).
namespace sosie {

// Existing saved run that may be replaced.
enum class OverwrittenRun : std::uint8_t { none, undecided, any };

// A folder in which a run will be saved. As long as this object exists, nobody can make decisions
// on the run that is already there.
class ReplacedRun {
 public:
  // Throws Error{invalid_option} if the folder contains decisions on a run and `which` is not
  // `any`, and if it contains other files but no run; Error{io}, also if a process has opened it
  // for decisions. Does nothing if the folder does not exist or `which` is `none`.
  ReplacedRun(const std::string& folder, OverwrittenRun which);

 private:
  std::unique_ptr<ClaimedFolder> claim_;
};

// Maximum number of sources with a bit of their own; all later ones share the last bit.
inline constexpr std::size_t kRunSources = 64;

// A group of two or more rows, or a row that a person removed.
struct RunGroup {
  std::uint64_t first_member = 0;  // position of its first row in the table of members
  std::uint64_t text_begin = 0;    // offset of its line in the file of texts
  std::uint64_t saved_bytes = 0;   // bytes of its removed rows, as stored in their files
  std::uint64_t sources = 0;       // one bit for each source of its rows
  double weakest = 0;              // value of the measure for the row least similar to the kept one
  std::uint32_t members = 0;       // rows listed
  std::uint32_t line_bytes = 0;    // first line of the kept row; 0: none
};

// A row of a group. The kept row comes first, the other rows follow in input order.
struct RunMember {
  enum Flag : std::uint32_t {
    kept = 1,        // the row with which the others were compared
    identical = 2,   // equal to the kept row as an item
    integer_id = 4,  // its id is unquoted in JSON
    of_against = 8,  // a row of --against, which is never written
  };

  std::uint64_t offset = 0;      // bytes of the row in its file
  std::uint64_t hash = 0;        // XXH3 of these bytes
  std::uint64_t text_begin = 0;  // offset of its id in the file of texts
  double value = 0;              // value of the measure for this row and the kept one
  std::uint32_t length = 0;
  std::uint32_t file = 0;
  std::uint32_t row_low = 0;
  std::uint32_t id_bytes = 0;
  std::uint32_t flags = 0;
  std::uint32_t row_high = 0;

  // Its number in its file, or of an item in its index.
  [[nodiscard]] std::uint64_t row() const noexcept {
    return std::uint64_t{row_high} << 32 | row_low;
  }
  void set_row(std::uint64_t row) noexcept {
    row_low = static_cast<std::uint32_t>(row);
    row_high = static_cast<std::uint32_t>(row >> 32);
  }
  [[nodiscard]] bool has(Flag flag) const noexcept { return (flags & flag) != 0; }
  [[nodiscard]] RowLocator locator() const noexcept { return {offset, length, file}; }
};

// Two records scored by a run of link, for judgement by a person.
struct RunPair {
  enum Flag : std::uint32_t {
    linked = 1,      // linked, or in the same group
    suggested = 2,   // its label would be informative
    said_match = 4,  // the match was given to the run by --labels or --reuse
    said_other = 8,
    said_by_label = 16,  // by --labels, not by --reuse
  };

  std::uint64_t left = 0;  // positions in the table of members
  std::uint64_t right = 0;
  double score = 0;
  double probability = -1;  // below 0: unknown
  std::uint32_t flags = 0;
  std::uint32_t stratum = 0;  // one more than its position in the estimate; 0: unknown

  [[nodiscard]] static std::uint32_t stratum_at(std::size_t place) noexcept {
    return static_cast<std::uint32_t>(place + 1);
  }
  [[nodiscard]] bool has(Flag flag) const noexcept { return (flags & flag) != 0; }
};

// Writes a folder, which appears when it is complete. Not thread-safe.
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
  // Begins a group, whose rows follow; `line` is truncated.
  void begin_group(std::string_view line);
  void add(const Row& row);
  void end_group(double weakest);
  // Adds a pair; pairs come in the order in which a person should see them.
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

// A saved folder, opened for reading. Everything in it is verified: damage, and content that
// RunFolderWriter never writes, throw Error{malformed_input} with the file. Thread-safe.
class RunFolder {
 public:
  // Reads the groups (48 bytes each) and the pairs (40 bytes), and checks the other files. Throws
  // Error{unsupported} for another version, Error{io}.
  explicit RunFolder(const std::string& folder);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const RunFacts& facts() const noexcept { return facts_; }
  [[nodiscard]] const std::vector<RunGroup>& groups() const noexcept { return groups_; }
  // True for a group of the run. A record of link that is in no group is stored as a group of its
  // own, for which this is false.
  [[nodiscard]] bool lists(const RunGroup& group) const noexcept {
    return !facts_.is_of_links || group.members > 1;
  }
  // Number of listed groups.
  [[nodiscard]] std::size_t listed_groups() const;
  [[nodiscard]] std::uint64_t members() const noexcept { return member_count_; }
  [[nodiscard]] const std::vector<RunPair>& pairs() const noexcept { return pairs_; }
  // Differs between runs.
  [[nodiscard]] const std::string& mark() const noexcept { return mark_; }

  // Rows [first, first + count) of the table of members, which must exist.
  [[nodiscard]] std::vector<RunMember> read_members(std::uint64_t first, std::uint64_t count) const;
  [[nodiscard]] std::string line_of(const RunGroup& group) const;
  [[nodiscard]] std::string id_of(const RunMember& member) const;
  // The id as shown on a page with many rows; long ids are cut.
  [[nodiscard]] std::string shown_id(const RunMember& member) const;
  // The group of a member.
  [[nodiscard]] std::size_t group_of(std::uint64_t member) const;
  // The texts of these groups: for each, its line and its ids, each followed by a zero byte.
  [[nodiscard]] std::string texts(std::size_t first_group, std::size_t end_group) const;

 private:
  void read_estimate(const TableSum& sum);
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

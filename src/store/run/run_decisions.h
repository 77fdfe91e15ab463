#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/folder.h"
#include "store/run/run_folder.h"

namespace sosie {

// A person's decision on a row in a group (none to not_duplicate), or on a pair in a link run
// (none, match and the values after it).
enum class Verdict : std::uint8_t { none, keep, remove, not_duplicate, match, different, unsure };
inline constexpr std::size_t kVerdictCount = 7;

[[nodiscard]] std::string_view name_of(Verdict verdict) noexcept;
// Throws Error{invalid_option} for a name that does not apply there.
[[nodiscard]] Verdict verdict_named(std::string_view name, bool of_links);

// A step of a person, which can be undone as a whole.
struct RunAction {
  struct Change {
    std::uint64_t subject = 0;  // number of a row or, in a run of link, of a pair
    Verdict verdict = Verdict::none;
  };
  std::vector<Change> changes;
  std::vector<std::size_t> reviewed;  // groups that were reviewed
};

// A person's decisions on a saved run, stored in a file next to it, one step per line; each step is
// either complete or absent. Not thread-safe.
class RunDecisions {
 public:
  // Throws Error{malformed_input}, with file and line, for decisions on another run or on rows that
  // do not exist; Error{io}, also, unless `read_only`, if another process has opened the run for
  // decisions.
  RunDecisions(const RunFolder& run, bool read_only);

  [[nodiscard]] Verdict of(std::uint64_t subject) const;
  // All verdicts except none.
  [[nodiscard]] const std::unordered_map<std::uint64_t, Verdict>& verdicts() const noexcept {
    return verdicts_;
  }
  [[nodiscard]] bool is_reviewed(std::size_t group) const { return reviewed_[group]; }
  [[nodiscard]] bool is_changed(std::size_t group) const { return changed_.contains(group); }
  [[nodiscard]] std::uint64_t reviewed_groups() const noexcept { return reviewed_count_; }
  [[nodiscard]] std::uint64_t changed_groups() const noexcept { return changed_.size(); }
  // Number of steps that can be undone.
  [[nodiscard]] std::size_t steps() const noexcept { return steps_.size(); }
  // Increases with each step and each undo.
  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }
  // True if the row is kept, by the run or by a person's decision.
  [[nodiscard]] bool is_kept(std::uint64_t number, const RunMember& member) const;
  // Number of rows kept now but not by the run, minus rows no longer kept.
  [[nodiscard]] std::int64_t kept_more() const noexcept { return kept_more_; }

  // Once the call returns, the action is on disk. Throws Error{unsupported} if the run was opened
  // read-only, and Error{io}.
  void act(const RunAction& action);
  // Undoes the last step; returns false if there is none.
  bool undo();
  // Rows or pairs that the last step changed.
  [[nodiscard]] std::vector<std::uint64_t> last_changed() const;

 private:
  struct Step {
    std::vector<RunAction::Change> before;
    std::vector<std::size_t> reviewed;  // groups that were not reviewed before
  };
  void read(const std::string& path);
  void take(std::string_view line, const std::string& place);
  void apply(const RunAction& action);
  bool take_back();
  void set(std::uint64_t subject, Verdict verdict);
  void count(std::uint64_t member, Verdict before, Verdict verdict);
  void append(const std::string& line);

  const RunFolder& run_;
  bool read_only_;
  std::unique_ptr<ClaimedFolder> claim_;
  std::unordered_map<std::uint64_t, Verdict> verdicts_;     // by row or pair
  std::unordered_map<std::size_t, std::uint32_t> changed_;  // rows with a verdict, by group
  std::vector<bool> reviewed_;                              // by group
  std::uint64_t reviewed_count_ = 0;
  std::uint64_t changes_ = 0;
  std::int64_t kept_more_ = 0;
  std::vector<Step> steps_;
};

}  // namespace sosie

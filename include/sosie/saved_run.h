#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sosie {

// A request for one page of the groups of a saved run.
struct GroupsAsked {
  std::string sort = "size";  // size, saved, weakest: largest or least similar first; order: input
                              // order of the kept rows
  std::string source = {};    // only groups with a row of this input; empty: any
  std::string text = {};      // only groups that have it in the first line of the kept row or in an
                              // id, ignoring case of ASCII letters
  std::string state = {};     // open, reviewed, changed; empty: any
  std::uint64_t offset = 0;
  std::uint64_t limit = 50;  // at most 500
};

// A request for one page of the pairs of a saved link run.
struct PairsAsked {
  std::string sort = "suggested";  // suggested: best order for review; weakest, strongest: by
                                   // score; order: input order of the records
  std::string state = {};          // open, decided, changed (overrules the run); empty: any
  std::string answer = {};         // decision of the run: linked, apart; empty: any
  std::optional<std::uint64_t> group = {};  // only pairs with a record of this group
  std::string text = {};                    // only pairs with a record of a group with it, as above
  std::uint64_t offset = 0;
  std::uint64_t limit = 50;  // at most 500
};

// A run that `dedup --save` or `link --save` has saved for review. Provides the data of the review
// page and stores the reviewer's decisions. Results are JSON objects whose fields docs/serve-run.md
// describes. Texts are read from the run's inputs, which are checked for changes. Thread-safe.
class SavedRun {
 public:
  // Throws Error{malformed_input} for a folder without a run, a damaged run, or decisions made on
  // another run; Error{unsupported} for another version of the format; Error{io} for failed reads
  // and writes and, unless `read_only`, if another process has opened the run for decisions.
  explicit SavedRun(const std::string& folder, bool read_only = false);
  ~SavedRun();
  SavedRun(SavedRun&&) noexcept;

  // Counts, inputs, group sizes, the command, and the progress of the review.
  [[nodiscard]] std::string info() const;
  // Histogram of the similarities of removed rows, with S-curves. If a threshold and a recall are
  // given, adds the curve of a plan for these values and throws Error{invalid_option} as `sosie
  // plan` does. Throws Error{unsupported} for link runs, as forecast() does.
  [[nodiscard]] std::string histogram(const std::string& threshold = {},
                                      const std::string& recall = {}) const;
  // Uses a sample to plan a run over the same inputs. Returns {"lines": [{"about", "said"}]} in the
  // words of plan(), with method, candidates, time and memory. Empty arguments default to the
  // options of the saved run. Throws as plan() does, and Error{io} for a missing input.
  [[nodiscard]] std::string forecast(const std::string& threshold, const std::string& recall,
                                     const std::string& shingle,
                                     const std::atomic<bool>* cancel = nullptr) const;
  // Throws Error{invalid_option} for an unknown sort or source.
  [[nodiscard]] std::string groups(const GroupsAsked& asked) const;
  // Some rows of a group: the kept row with its text, and other rows with their differences from
  // it. Empty if there is no such group.
  [[nodiscard]] std::optional<std::string> group(std::uint64_t number, std::uint64_t offset = 0,
                                                 std::uint64_t limit = 20) const;
  // Pairs of a link run. Throws Error{unsupported} for other runs, and Error{invalid_option} for an
  // unknown sort, state or answer.
  [[nodiscard]] std::string pairs(const PairsAsked& asked) const;
  // Both records of a pair, field by field. Empty if there is no such pair.
  [[nodiscard]] std::optional<std::string> pair(std::uint64_t number) const;
  // Numbers of reviewed and of changed decisions.
  [[nodiscard]] std::string decisions() const;
  // Records a decision of the reviewer, or undoes the last one, as the JSON object requests. Once
  // the call returns, the change is on disk. Throws Error{invalid_option} for an invalid request,
  // Error{unsupported} if the run was opened read-only, and Error{io}.
  std::string decide(std::string_view request);
  // Writes the decisions to a file for --reuse: groups for `dedup`, judged pairs for `link`. `as`
  // is "decisions" or "labels" (judged pairs for `link --labels`); `format` is "tsv", "csv" or
  // "jsonl". Throws Error{invalid_option} for other values.
  void export_decisions(const std::string& format, const std::string& as,
                        const std::function<void(std::string_view bytes)>& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// True if the path is a folder that --save may have written.
[[nodiscard]] bool is_saved_run(const std::string& path);

}  // namespace sosie

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sosie {

// Groups of a saved run that are asked for, a page of them.
struct GroupsAsked {
  std::string sort = "size";  // size, saved, weakest: largest, or least similar, first; order: as
                              // the kept rows lie in the input
  std::string source = {};    // groups with a row of this input; empty: any
  std::string text = {};      // groups with it in the kept row's first line or in an id; ASCII
                              // letters in any case
  std::string state = {};     // open, reviewed, changed; empty: any
  std::uint64_t offset = 0;
  std::uint64_t limit = 50;  // at most 500
};

// Pairs of a saved run of link that are asked for, a page of them.
struct PairsAsked {
  std::string sort = "suggested";  // suggested: as a person should see them; weakest, strongest: by
                                   // score; order: as the records lie in the input
  std::string state = {};          // open, decided, changed (overrule the run); empty: any
  std::string answer = {};         // linked, apart: by the run; empty: any
  std::optional<std::uint64_t> group = {};  // pairs with a record of this group
  std::string text = {};                    // pairs with a record of a group that has it, as above
  std::uint64_t offset = 0;
  std::uint64_t limit = 50;  // at most 500
};

// A run that `dedup --save` or `link --save` wrote, as a person reviews it: what the server and its
// page show, and the decisions that they take. Answers are JSON objects; fields: docs/serve-run.md.
// Texts are read from the run's inputs, and compared with what they were. Safe for many threads.
class SavedRun {
 public:
  // Throws Error{malformed_input} for a folder that holds no run, a damaged one, or decisions about
  // another; Error{unsupported} for another version of the format; Error{io}: also when another
  // process decides about it, unless `read_only`.
  explicit SavedRun(const std::string& folder, bool read_only = false);
  ~SavedRun();
  SavedRun(SavedRun&&) noexcept;

  // Counts, inputs, sizes of groups, the command, and how far the review is.
  [[nodiscard]] std::string info() const;
  // Similarities of removed rows in bins, and S-curves over them; Error{unsupported} of a run of
  // link, as for forecast(). With a threshold and a recall that a plan is made for, its curve too:
  // then Error{invalid_option} as for `sosie plan`.
  [[nodiscard]] std::string histogram(const std::string& threshold = {},
                                      const std::string& recall = {}) const;
  // Plans a run over the same inputs, by a sample of them: {"lines": [{"about", "said"}]}, as
  // plan() says it, with method, candidates, time and memory. The run's options count where these
  // are empty. Throws as plan() does; Error{io} where an input has gone.
  [[nodiscard]] std::string forecast(const std::string& threshold, const std::string& recall,
                                     const std::string& shingle,
                                     const std::atomic<bool>* cancel = nullptr) const;
  // Throws Error{invalid_option} for a sort or a source that is not there.
  [[nodiscard]] std::string groups(const GroupsAsked& asked) const;
  // Some rows of a group: the kept one with its text, others with their difference from it. Nothing
  // if there is no such group.
  [[nodiscard]] std::optional<std::string> group(std::uint64_t number, std::uint64_t offset = 0,
                                                 std::uint64_t limit = 20) const;
  // Pairs of a run of link; Error{unsupported} of another. Throws Error{invalid_option} for a sort,
  // a state or an answer that is not there.
  [[nodiscard]] std::string pairs(const PairsAsked& asked) const;
  // Both records of a pair, field beside field. Nothing if there is no such pair.
  [[nodiscard]] std::optional<std::string> pair(std::uint64_t number) const;
  // Counts of what was reviewed and changed.
  [[nodiscard]] std::string decisions() const;
  // Takes a step of the review, or takes the last one back, as the JSON object asks; it is on disk
  // when this returns. Throws Error{invalid_option} for what cannot be meant, Error{unsupported} if
  // the run is read only, Error{io}.
  std::string decide(std::string_view request);
  // Writes the decisions as the file that --reuse applies: groups of `dedup`, judged pairs of
  // `link`. `as`: decisions, or labels: judged pairs for `link --labels`. `format`: tsv, csv or
  // jsonl. Else Error{invalid_option}.
  void export_decisions(const std::string& format, const std::string& as,
                        const std::function<void(std::string_view bytes)>& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// True if the path is a folder that --save may have written.
[[nodiscard]] bool is_saved_run(const std::string& path);

}  // namespace sosie

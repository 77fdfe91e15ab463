#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "join/records/record_linker.h"
#include "plan/held_out_link.h"
#include "plan/score_bands.h"

namespace sosie {

// The quality of a run's output, as estimated by one method.
struct QualityEstimate {
  std::string method;        // "model", "check-by city", "runner-up"
  std::string refusal;       // empty: the estimate holds
  double matches = 0;        // true pairs among all judged pairs
  bool knows_recall = true;  // the total number of matches is also known
  double precision = 1;
  double recall = 1;
  double f1 = 1;
  double by_rules = 0;                    // pairs linked by always rules that the method rejects
  bool trusts_rules = true;               // these are few, and count as matches
  PartedMatches parted;                   // its `slips` count in `matches`
  LinkCut cut;                            // with the highest estimated F1 over all judged pairs
  std::vector<ScoreBand> bands;           // by descending score
  std::optional<FieldEstimate> by_field;  // by a field that was held out
};

// True if the estimate is based on the second-best partners of records.
[[nodiscard]] bool is_of_runners_up(const QualityEstimate& estimate);

struct EstimateTask {
  const RecordTable& table;
  const LinkRules& rules;
  const RecordLinker& linker;
  std::span<const CandidateLink> links;   // scored pairs by (left, right), many below the cut
  bool has_model = true;                  // probabilities are from a model or labels
  bool by_words = false;                  // one column; runners-up cannot reveal missed matches
  bool one_to_one = false;                // true for links; else all of `links` may be matches
  std::optional<std::uint32_t> check_by;  // a field that is not compared
  bool check_each = false;                // hold out each compared field in turn
};

// Estimates the quality of the output without labels: from the model's probabilities; from a
// held-out field, or from each field in turn; and, for one-to-one links, from runners-up. If the
// held-out field is used in scoring, a pair's score consists of the bits of the other fields. The
// share of true pairs at that score is then shifted according to the pair's level in the field, as
// observed among high-confidence and random pairs.
class LinkEstimates {
 public:
  explicit LinkEstimates(const EstimateTask& task);

  // Counts an output pair, or several similar ones.
  void add(const CandidateLink& link, double pairs = 1);
  // Counts all pairs in a group of the output. Two records that belong to the same entity as a
  // third record also belong to the same entity.
  void add_group(std::span<const std::uint32_t> members);

  // Position of the first method, other than the model, that provides an estimate, by which scores
  // without a model are judged; nullopt if there is none.
  [[nodiscard]] std::optional<std::size_t> judge() const;
  // Probability that a link is true, according to a method.
  [[nodiscard]] double true_part(std::size_t method, const CandidateLink& link) const {
    return methods_[method].true_part(link);
  }
  [[nodiscard]] double matches(std::size_t method) const {
    return methods_[method].estimate.matches;
  }
  // Number of links at which runners-up estimate the highest F1; 0 without such an estimate.
  [[nodiscard]] std::uint64_t links_by_runners_up() const;

  // Estimates for the pairs added so far. If each field was held out in turn, the estimate with the
  // median F1 is included as "check-by auto".
  [[nodiscard]] std::vector<QualityEstimate> estimates() const;

 private:
  using TruePart = std::function<double(const CandidateLink&)>;
  struct Method {
    QualityEstimate estimate;
    TruePart true_part;
    double found = 0;   // estimated true pairs in the output
    double direct = 0;  // the part based on their own scores
    double by_rules = 0;
  };

  void judge_by_model();
  void judge_by_field(std::uint32_t field);
  void judge_without(std::size_t compared);
  void judge_by_runners_up();
  [[nodiscard]] std::vector<std::size_t> judged(std::span<const ScoredLink> scored) const;
  [[nodiscard]] std::vector<RecordPair> drawn_pairs() const;
  void compare_with_words(QualityEstimate& estimate) const;
  [[nodiscard]] bool is_certain(const CandidateLink& link) const;
  [[nodiscard]] std::vector<CandidateLink> links_among(
      std::span<const std::uint32_t> members) const;
  [[nodiscard]] std::vector<std::size_t> sure_others(std::span<const ScoredLink> scored) const;
  void add_field(const std::string& name, FieldEstimate field, TruePart true_part);

  const EstimateTask& task_;
  std::vector<ScoredLink> scored_;
  std::vector<std::size_t> judged_;  // indexes of competing links, ascending
  std::vector<Method> methods_;
  double output_ = 0;
  double by_words_ = 0;  // matches in the output, by the odds of words alone
};

}  // namespace sosie

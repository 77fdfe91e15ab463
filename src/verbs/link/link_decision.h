#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cluster/average_linkage.h"
#include "corpus/items/pair_rules.h"
#include "decide/link_estimates.h"
#include "decide/link_quality.h"
#include "join/records/record_linker.h"
#include "report/link_table.h"
#include "verbs/link/link_inputs.h"
#include "verbs/link/link_method.h"
#include "verbs/link/link_next_step.h"

namespace sosie {

struct LinkDecisionTask {
  const LinkInputs& inputs;
  const LinkChecks& checks;
  const LinkMethod& method;
  const PairScore* pair_score = nullptr;  // null: a model
  RecordLinker& linker;                   // has found candidates and learnt
  ThreadPool& pool;
  std::uint64_t memory_bytes = 0;
  bool knows_labels = false;  // the model is scaled to labels
  bool ignores_cut = false;   // decides at even odds regardless of the rules
};

// Decides which of a run's scored pairs are links, or which groups the records form, and evaluates
// the answer: its estimated quality, and its quality by --truth.
class LinkDecision {
 public:
  // The task and everything to which it refers must outlive this object. `facts` receives the
  // results.
  LinkDecision(const LinkDecisionTask& task, LinkFacts& facts);

  // The links between two collections, best first. Throws Error{invalid_option} if the cut needs an
  // estimate that does not exist.
  [[nodiscard]] std::vector<CandidateLink> links();
  // The groups of a single collection.
  [[nodiscard]] RecordGroups groups();

  // The candidates that are judged, including many below the cut, sorted by (left, right).
  [[nodiscard]] std::span<const CandidateLink> scored() const noexcept { return links_; }
  // Available after links(): the pair of a record and its partner, even if it is below the cut.
  [[nodiscard]] std::optional<CandidateLink> partner_of(std::uint32_t record) const;

  // Available after links() or groups(): true if the pair is a link, or if its records are in the
  // same group.
  [[nodiscard]] bool is_linked(const RecordPair& pair) const;
  // True if the pair's probability reaches a requested cut. With two collections, it is enough that
  // its odds do, because competition for partners lowers the probability.
  [[nodiscard]] bool is_probable(const CandidateLink& link) const;

  // Available after groups(): for each record, the first record of its group.
  [[nodiscard]] std::span<const std::uint32_t> first_of_group() const noexcept { return group_of_; }

  [[nodiscard]] bool is_by_words() const noexcept { return task_.method.by_words; }
  // The link with its estimated probability, which is -1 if unknown.
  [[nodiscard]] CandidateLink judged(CandidateLink link) const;
  // Counts a link, or all pairs within a group, of the output.
  void count(const CandidateLink& link);
  void count_group(const std::vector<std::uint32_t>& members);
  // Ends counting: fills in the estimates, the comparison with the truth, and how reliable the
  // answer is.
  void judge();

 private:
  // The answer that another model would give.
  struct OtherAnswer {
    std::vector<RecordPair> pairs = {};     // links between two collections, sorted
    std::vector<std::uint32_t> first = {};  // by record of one collection: first in its group
    double agreement = 1;                   // with the answer
    double matches = 0;                     // expected matches among the candidates
    double doubtful = 0;                    // share of links between two that are neither clear

    [[nodiscard]] bool links(const RecordPair& pair) const;
  };

  [[nodiscard]] const LinkRules& rules() const noexcept { return task_.inputs.chosen.rules; }
  [[nodiscard]] bool by_model() const noexcept { return task_.pair_score == nullptr; }
  [[nodiscard]] bool across() const noexcept { return task_.inputs.table.across; }
  [[nodiscard]] const PairRules& pair_rules() const noexcept { return task_.linker.pair_rules(); }
  [[nodiscard]] bool is_always(const CandidateLink& link) const;
  void add_always();
  [[nodiscard]] CutRule cut_rule() const;
  [[nodiscard]] double asked_cut() const { return task_.method.asked_cut(rules().cut); }
  void choose_cut(std::span<const CandidateLink> links);
  [[nodiscard]] std::size_t links_to_keep(std::span<const CandidateLink> links) const;
  [[nodiscard]] std::size_t labelled_links() const noexcept;
  [[nodiscard]] bool is_one_to_one() const noexcept;
  [[nodiscard]] bool is_one_each() const noexcept;
  [[nodiscard]] RecordGroups groups_of(std::span<const CandidateLink> links,
                                       const MatchModel* other) const;
  void keep_outstanding(std::vector<CandidateLink>& links) const;
  [[nodiscard]] std::optional<double> likeliest_below_cut() const;
  void require_links() const;
  // Judges how reliable the answer is (link_confidence.cc).
  [[nodiscard]] LinkConfidence confidence() const;
  [[nodiscard]] OtherAnswer answer_by(const MatchModel& other) const;
  [[nodiscard]] double doubt_fits(LinkConfidence& found, LinkDoubts& doubts) const;
  [[nodiscard]] std::vector<std::uint32_t> fields_of(const FieldPair& fields) const;
  [[nodiscard]] double f1_without(const FieldPair& fields) const;
  [[nodiscard]] bool are_parted(const FieldPair& fields) const;
  [[nodiscard]] std::string field_names(const FieldPair& fields) const;
  void doubt_models(LinkConfidence& found, LinkDoubts& doubts) const;
  void doubt_links(LinkConfidence& found, LinkDoubts& doubts) const;
  [[nodiscard]] std::optional<std::uint32_t> disputed_field(const OtherAnswer& other) const;
  [[nodiscard]] std::vector<double> bits_of_matches() const;
  [[nodiscard]] std::optional<std::uint32_t> strongest_field() const;
  [[nodiscard]] double telling_fields() const;
  void doubt_stand_ins(LinkConfidence& found) const;
  void doubt_several(LinkConfidence& found) const;
  void doubt_fields(LinkConfidence& found, LinkDoubts& doubts) const;
  void doubt_rules(LinkConfidence& found) const;
  [[nodiscard]] bool links_too_much(std::uint32_t field) const;
  [[nodiscard]] double expected_f1() const;
  [[nodiscard]] double matches() const;
  [[nodiscard]] double matches_by_rules() const;
  [[nodiscard]] double f1_of(double f1, double matches) const;
  [[nodiscard]] std::vector<RecordPair> best_pairs(std::vector<CandidateLink> links) const;
  [[nodiscard]] std::vector<RecordPair> best_of_left(std::span<const ScoredLink> links) const;
  [[nodiscard]] std::optional<std::size_t> judge_of_scores(const CutRule& rule) const;
  [[nodiscard]] std::vector<std::size_t> assigned() const;
  void start_estimates();
  void count_only_rule(const CandidateLink& link);
  void keep_pair(const RecordPair& pair);
  void sample_group(const std::vector<std::uint32_t>& members);

  const LinkDecisionTask& task_;
  LinkFacts& facts_;
  std::vector<RecordPair> always_;     // pairs that are links regardless of their scores, sorted
  std::vector<CandidateLink> links_;   // candidates that are judged, by (left, right)
  std::vector<std::size_t> assigned_;  // pairs of partners in links_, after links()
  std::optional<EstimateTask> estimate_task_;
  std::optional<LinkEstimates> estimates_;
  std::optional<std::size_t> judge_;      // estimate by which scores without a model are judged
  std::vector<RecordPair> output_pairs_;  // with a truth
  double least_kept_ = 0;                 // probability below which candidates are never links
  double least_scored_ = 0;               // probability at and above which candidates are judged
  std::size_t links_of_model_ = 0;        // number that the model alone would keep
  std::vector<RecordPair> kept_;          // links of two collections, sorted
  std::vector<std::uint32_t> group_of_;   // by record of one collection: the first in its group
};

}  // namespace sosie

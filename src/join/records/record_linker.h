#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "corpus/items/pair_rules.h"
#include "io/scratch.h"
#include "join/records/random_records.h"
#include "join/records/record_candidates.h"
#include "join/records/record_memory.h"
#include "join/records/score_candidates.h"
#include "options/link_rules.h"
#include "plan/fit_model.h"
#include "plan/odds_scale.h"

namespace sosie {

// Parts of the work that a run may not need.
struct LinkerUse {
  bool left_asks = false;  // with two collections, only left records search, for twice as many
  bool is_judged = true;   // false: an existing model is used, and no other one is fitted
};

// Expected numbers of matches that never rules separate.
struct PartedMatches {
  double slips = 0;    // other matches, by rules whose fields the model knows and contradicts
  double doubted = 0;  // others, by rules whose fields the model knows, and disagrees with them
};

// Finds candidate pairs of records by rules, learns a model from these pairs, and scores them with
// it. The results do not depend on the number of threads.
class RecordLinker {
 public:
  // `table`: the fields of the rules. `table`, `rules`, the pool and the scratch must outlive this
  // object. Throws Error{limit_exceeded} as learn() and score() do, before more than `memory_bytes`
  // would be used in all.
  RecordLinker(const RecordTable& table, const LinkRules& rules, std::uint64_t memory_bytes,
               ThreadPool& pool, Scratch& scratch, LinkerUse use = {});

  [[nodiscard]] const PairRules& pair_rules() const noexcept { return pair_rules_; }

  // Only finds the candidates.
  void find() { candidates_.find(); }

  // Finds the candidates and fits the model. Within a single collection, records most of whose
  // neighbours match look for three times as many neighbours, and the model is fitted again, until
  // few such records remain; pairs of records that share a likely partner also become candidates.
  // If the number of matching neighbours does not stop growing, the first neighbours are used, with
  // a warning. Unless the cause is groups whose members all match, the pairs of a record then
  // compete for partners while the model is fitted once more.
  void learn();
  // Finds the candidates and uses the model unchanged, together with the decisions of the run that
  // made it, unless the rules override them. `shares`: by compared field and value, for fields
  // whose values are weighted by frequency.
  void take(MatchModel model, std::vector<std::vector<double>> shares,
            const FitDecisions& decisions);

  // Called after learn() or take(): uses a person's judgements on pairs to choose between models
  // and to calibrate the odds; if there are 30 or more, they also count in fits. Called after
  // find_for(), for scores in bits: only fits a scale for the odds. `fits`: false keeps the
  // weights.
  void learn_from(std::span<const Judgement> known, bool fits);
  // Called after learn_from(), with a single collection: true if more records than have been
  // widened match most of their neighbours, so that further matches may never have been compared.
  [[nodiscard]] bool has_surrounded() const noexcept {
    constexpr double kFew = 0.02;
    return static_cast<double>(surrounded_) >
           static_cast<double>(widened_) + kFew * static_cast<double>(table_.size());
  }
  // Treats judgements as certain: pairs judged to match are always links, and all other judged
  // pairs never are.
  void know(Judgements known) { pair_rules_.know(std::move(known)); }

  // Finds the candidates and scores pairs with `score`, which must outlive this object, instead of
  // a model. Within a single collection, more neighbours are sought while most of them have at
  // least half of the highest score.
  void find_for(const PairScore& score);

  [[nodiscard]] const CandidateCounts& counts() const noexcept { return counts_; }
  // False if pairs are scored without a model or there are no candidates to learn from.
  [[nodiscard]] bool has_model() const noexcept { return !fitted_.model.is_empty(); }
  [[nodiscard]] const MatchModel& model() const noexcept { return fitted_.model; }
  // Expected number of matches among the candidates.
  [[nodiscard]] double matches() const noexcept { return fitted_.matches; }
  [[nodiscard]] PartedMatches parted_matches() const;
  // True if the model finds no match although many pairs agree in everything that usually indicates
  // a match.
  [[nodiscard]] bool misses_matches() const;
  [[nodiscard]] FitDecisions decisions() const;
  // The sides on which each record has at most one partner.
  [[nodiscard]] Competition one_partner() const noexcept { return one_partner_; }
  // True if one side may have several partners, but siblings could explain them. `links`: from
  // score().
  [[nodiscard]] bool may_link_siblings(std::span<const CandidateLink> links) const;
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  // True if more neighbours always led to more pairs that look like matches.
  [[nodiscard]] bool has_diverged() const noexcept { return !warnings_.empty(); }
  [[nodiscard]] const RecordMemory& memory() const noexcept { return memory_; }
  // Findings of each rule.
  [[nodiscard]] const std::vector<RuleFindings>& findings() const noexcept {
    return candidates_.findings();
  }
  // Expected number of matches among the pairs of large blocks that no rule found, for each rule,
  // estimated from sampled pairs.
  [[nodiscard]] std::vector<double> lost_matches() const;
  // Called after find(): CPU time in seconds that one core needs to compare a candidate, estimated
  // from some candidates.
  [[nodiscard]] double seconds_a_pair() const;
  // Number of records for which more neighbours were sought than the rules specify.
  [[nodiscard]] std::uint64_t widened() const noexcept { return widened_; }

  // Called after learn(): another model for the same candidates, with this number of classes.
  [[nodiscard]] MatchModel refitted(std::size_t classes) const;
  // Likewise, with the number of classes of the model, fitted until it hardly changes.
  [[nodiscard]] MatchModel settled() const;
  // True if the model distinguishes members of a family from copies; below, a model that does not.
  [[nodiscard]] bool tells_families() const noexcept { return fitted_.has_families; }
  [[nodiscard]] MatchModel refitted_with_families() const;
  // Members of families, identified by the positions of two compared fields in which they differ
  // together; has_sure_kin() returns whether only kin can explain them.
  [[nodiscard]] std::optional<FieldPair> kin() const noexcept { return fitted_.kin; }
  // Fields in which many matches, which may be relatives, differ together.
  [[nodiscard]] std::optional<FieldPair> doubtful_kin() const noexcept {
    return fitted_.kin ? std::nullopt : fitted_.doubtful_kin;
  }
  // A field in which many matches differ that agree in all other fields.
  [[nodiscard]] std::optional<std::size_t> lone_field() const noexcept {
    return fitted_.lone_field;
  }
  [[nodiscard]] bool has_sure_kin() const noexcept { return fitted_.kin_are_sure; }
  // Called after learn(): candidates whose own odds give at least this probability, by this model
  // or another one, sorted by (left, right), without pairs that are never links. If records have at
  // most one partner, pairs compete.
  [[nodiscard]] std::vector<CandidateLink> score(double least_probability) const;
  [[nodiscard]] std::vector<CandidateLink> score_by(const MatchModel& model,
                                                    double least_probability) const;

  // Called after learn(): candidates that is_wanted selects; many threads call it concurrently.
  [[nodiscard]] std::vector<ScoredLink> wanted(
      const std::function<bool(const RecordPair&)>& is_wanted) const;
  // The lowest probability, but not above `least`, at which at most `most` candidates are kept.
  [[nodiscard]] double probability_of_best(std::uint64_t most, double least) const;

  // Called after learn(): scores any pair of records. `right` is numbered after the left
  // collection.
  [[nodiscard]] CandidateLink score_pair(std::uint32_t left, std::uint32_t right) const;
  // The probability of any pair of records according to another model.
  [[nodiscard]] double probability_by(const MatchModel& model, std::uint32_t left,
                                      std::uint32_t right) const;
  // The bits of each field in a scored pair; their sum is its score.
  [[nodiscard]] std::vector<double> field_bits(const CandidateLink& link) const;
  // The partners that the rules find for a record, ascending: with two collections, the right
  // partners of a left record; otherwise, records with higher numbers.
  [[nodiscard]] std::vector<CandidatePartner> partners_of(std::uint32_t record) const;
  // The rules that find the pair, as bits.
  [[nodiscard]] std::uint32_t rules_of(std::uint32_t left, std::uint32_t right) const;
  // The probability that a score alone implies, and the score that implies a given probability.
  // Without a model, unless scores are in bits, a probability corresponds to a share of the highest
  // score.
  [[nodiscard]] double probability_at(double score) const;
  [[nodiscard]] double score_at(double probability) const;
  [[nodiscard]] const RecordComparer& comparer() const noexcept { return comparer_; }
  [[nodiscard]] double probability(std::uint32_t left, std::uint32_t right) const;

 private:
  using PairList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  // A model, and how well it explains a person's judgements.
  struct LabelledModel {
    FittedModel fitted = {};
    Competition one_partner = {};
    OddsScale scale = {};
    double loss = 0;
  };
  // Numbers of partners of records, by the odds alone.
  struct PartnerCounts {
    double left_with_two = 0;  // share of the linked left records with two or more
    double right_with_two = 0;
    double sum = 0;       // expected matches
    double doubtful = 0;  // variance of their number
  };

  [[nodiscard]] std::vector<CandidateLink> candidates_by(const MatchModel& model,
                                                         double least_probability) const;
  void part(std::vector<CandidateLink>& links) const;
  [[nodiscard]] bool is_slip(const RecordPair& pair) const;
  [[nodiscard]] bool is_informed(const PairRule& rule) const;
  void count();
  [[nodiscard]] ScoredLink scored_by(const MatchModel& model, const RecordPair& pair) const;
  [[nodiscard]] Competition asked_partners() const noexcept;
  [[nodiscard]] bool decides_partners() const noexcept;

  // Fits (fit_candidates.cc).
  void draw_strangers();
  [[nodiscard]] FitTask fit_task() const;
  [[nodiscard]] double fewest_records() const;
  [[nodiscard]] FittedModel fitted_by(Competition one_partner, std::size_t classes) const;
  void fit();
  void fit_endless_families();
  void look();
  void choose_partners();
  [[nodiscard]] bool free_copies();
  [[nodiscard]] double shared_part(std::span<const CandidateLink> links) const;
  [[nodiscard]] bool is_one_to_one() const;
  [[nodiscard]] PartnerCounts count_partners(std::span<const CandidateLink> links,
                                             const MatchModel& model) const;
  [[nodiscard]] double beyond_siblings(const PartnerCounts& counts, Competition one_partner) const;
  [[nodiscard]] bool has_several(std::span<const CandidateLink> links, const MatchModel& model,
                                 Competition one_partner) const;

  // Judgements (learn_labels.cc).
  [[nodiscard]] std::vector<JudgedOdds> judged_odds(const MatchModel& model,
                                                    Competition one_partner,
                                                    std::span<const Judgement> known) const;
  [[nodiscard]] std::vector<CandidateLink> rivals_by(const MatchModel& model) const;
  void learn_scale_from(std::span<const Judgement> known);
  void compete_by_scores(std::vector<CandidateLink>& links) const;
  void try_model(LabelledModel tried, std::span<const Judgement> known, LabelledModel& best) const;
  void try_fits(std::span<const Judgement> known, LabelledModel& best);
  [[nodiscard]] std::vector<JudgedPattern> known_patterns(std::span<const Judgement> known) const;

  // More candidates (widen_candidates.cc).
  [[nodiscard]] std::uint32_t first_neighbours() const;
  void widen(bool fits);
  void warn_of_endless_families();
  [[nodiscard]] bool is_transitive() const;
  [[nodiscard]] std::vector<std::uint32_t> surrounded(std::uint32_t neighbours) const;
  void look_further(const std::vector<std::uint32_t>& records, std::uint32_t neighbours);
  void add_candidates(NearestRule& nearest, PairList pairs);
  void close();

  const RecordTable& table_;
  const LinkRules& rules_;
  PairRules pair_rules_;
  ThreadPool& pool_;
  RecordMemory memory_;
  RecordComparer comparer_;
  RecordCandidates candidates_;
  bool is_judged_;
  CandidateCounts counts_;
  FittedModel fitted_;
  std::vector<CandidateLink> likely_;  // scored candidates, while more are sought
  Competition one_partner_;
  bool has_endless_families_ = false;  // pairs compete for partners, but only in the fit
  std::vector<std::string> warnings_;
  const PairScore* pair_score_ = nullptr;  // instead of a model
  RandomRecordPairs random_;
  LevelPatterns strangers_;  // patterns of random pairs that are not candidates
  // By compared field and level: shares among random pairs, and typical shares among matches.
  std::vector<std::vector<double>> random_shares_;
  std::vector<std::vector<double>> usual_shares_;
  std::vector<double> chances_;  // by compared field: equal pairs, if frequencies are weighted
  std::uint64_t widened_ = 0;
  std::vector<JudgedPattern> known_patterns_;  // judged pairs that count in fits
  std::uint64_t surrounded_ = 0;               // records that match most of their first neighbours
  OddsScale scale_ = {};                       // from judgements
};

}  // namespace sosie

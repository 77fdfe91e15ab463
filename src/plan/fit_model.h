#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "data/level_patterns.h"
#include "data/scored_link.h"
#include "plan/match_model.h"

namespace sosie {

// A pair that a person has judged.
struct JudgedPattern {
  std::vector<std::uint8_t> levels = {};
  std::optional<std::uint32_t> number = {};  // among the patterns of candidates
  bool is_match = false;
};

// Pairs that a model is fitted to.
struct FitTask {
  const LevelPatterns& candidates;
  const LevelPatterns& random;  // patterns of random pairs, none of which is a candidate
  double all_pairs = 0;         // random ones stand for all that are no candidates
  double records = 0;           // records of the smaller collection, or of the one
  // By field and level (level 0 is not used): shares of the levels among matches, as they usually
  // are, and among random pairs.
  const std::vector<std::vector<double>>& usual;
  const std::vector<std::vector<double>>& random_shares;
  std::vector<FieldPair> together = {};
  std::vector<double> chances = {};  // by field, of FieldWeights
  // By field: of texts of several words, which kin share in part, the least level of the same text;
  // else 0.
  std::vector<std::uint32_t> same_texts = {};
  // Candidates that may compete for partners; those that are not among them are sure to be no
  // matches. Records are below `numbers`.
  std::span<const PatternPair> pairs = {};
  std::uint32_t numbers = 0;
  std::uint32_t left = 0;               // two collections: records below are of the left one
  std::function<void()> on_round = {};  // called before each round; what it throws ends the fit
  int most_rounds = 60;                 // 1: the shares of the start
  double smallest_move = 1e-3;          // part of the matches by which the last round moves them
  bool parts_families = true;           // siblings are made of members of families
  std::optional<FieldPair> kin = {};    // the fields they differ in, if known
  std::span<const JudgedPattern> known = {};  // count by what a person said of them
};

// Sides of two collections whose records have one partner at most.
struct Competition {
  bool left = false;
  bool right = false;

  [[nodiscard]] bool is_there() const noexcept { return left || right; }
  friend bool operator==(const Competition&, const Competition&) = default;
};

inline constexpr Competition kOnePartner = {true, true};

// Decisions of a run beside its weights: with these a model scores as in the run that learnt it.
struct FitDecisions {
  Competition one_partner = kOnePartner;  // sides of two collections
  bool has_endless_families = false;      // records of one collection look no further
};

inline constexpr std::size_t kUsualClasses = 4;
inline constexpr std::size_t kFewestClasses = 2;

struct FittedModel {
  MatchModel model;
  double matches = 0;  // expected number of matches among the candidates
  int rounds = 0;
  bool has_families = false;                   // some matches became siblings
  std::optional<FieldPair> kin = {};           // the fields in which these differ, or one twice
  std::optional<FieldPair> doubtful_kin = {};  // matches that differ in these may be kin
  std::optional<std::size_t> lone_field = {};  // one collection: many matches differ in it alone
  bool kin_are_sure = false;                   // one collection: records with a copy have kin, too
};

// Fits a mixture of `classes` classes (at least 2: matches, strangers, and kinds of siblings) by
// expectation maximisation, from one start: candidates whose usual bits make a match likely are
// matches, those that agree in more than random pairs do are siblings.
//
// It is anchored: random pairs, weighed up to all pairs, are strangers or siblings, so that prior
// and strangers belong to all pairs and not to the candidates (random pairs that look like matches,
// where groups are as large as the collection, are left out); usual shares count like
// 20 matches; the ratio of matches' to others' shares does not fall with the level. Where records
// have one partner at most, a pair's probability is its odds over 1 and the odds of the pairs that
// compete for the partner, so that siblings of a true partner are no matches. A record of two
// collections has at most one partner but any number of kin: matches that differ in two fields
// together become siblings, and stay so, if records with a partner have them nearly as often as
// records without. Without competition matches that differ in three fields together
// (fields_of_families()), or in two as kin do and people who moved do not (KinEvidence), become
// siblings, and the fit goes on from there; then a kind of siblings that agrees in most of what
// matches agree in counts as matches: careless copies.
//
// Ends when the number of matches moves by less than FitTask::smallest_move of it, behind round 20,
// or after FitTask::most_rounds. Deterministic: sums are in the order of patterns and pairs.
// O(rounds · (patterns · fields · classes + pairs)). Sources: Fellegi, Sunter, JASA 64, 1969;
// Winkler 1988 (EM), 1993 (monotone).
[[nodiscard]] FittedModel fit_model(const FitTask& task, Competition one_partner,
                                    std::size_t classes = kUsualClasses);

// Number of candidates that are matches by the bits that their levels usually are worth, before
// anything is learnt.
[[nodiscard]] double usual_matches(const FitTask& task);

}  // namespace sosie

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

// A pair judged by a person.
struct JudgedPattern {
  std::vector<std::uint8_t> levels = {};
  std::optional<std::uint32_t> number = {};  // among the patterns of candidates
  bool is_match = false;
};

// The pairs to which a model is fitted, and how it is fitted.
struct FitTask {
  const LevelPatterns& candidates;
  const LevelPatterns& random;  // patterns of random pairs, none of which is a candidate
  double all_pairs = 0;         // the random pairs represent all that are not candidates
  double records = 0;           // records of the smaller collection, or of the only one
  // By field and level (level 0 is not used): typical shares of the levels among matches, and
  // shares among random pairs.
  const std::vector<std::vector<double>>& usual;
  const std::vector<std::vector<double>>& random_shares;
  std::vector<FieldPair> together = {};
  std::vector<double> chances = {};  // by field, see FieldWeights
  // By field: for texts of several words, which kin share in part, the lowest level of equal texts;
  // otherwise 0.
  std::vector<std::uint32_t> same_texts = {};
  // The candidates that may compete for partners; all other candidates certainly do not match.
  // Record numbers are below `numbers`.
  std::span<const PatternPair> pairs = {};
  std::uint32_t numbers = 0;
  std::uint32_t left = 0;               // two collections: records below this are in the left one
  std::function<void()> on_round = {};  // called before each round; an exception ends the fit
  int most_rounds = 60;                 // 1: the initial shares
  double smallest_move = 1e-3;          // relative change of the matches below which rounds end
  bool parts_families = true;           // members of families become siblings
  std::optional<FieldPair> kin = {};    // the fields in which they differ, if known
  std::span<const JudgedPattern> known = {};  // count as judged by a person
};

// The sides of two collections on which each record has at most one partner.
struct Competition {
  bool left = false;
  bool right = false;

  [[nodiscard]] bool is_there() const noexcept { return left || right; }
  friend bool operator==(const Competition&, const Competition&) = default;
};

inline constexpr Competition kOnePartner = {true, true};

// Decisions of a run that are not part of its weights. Together with them, a model scores as it did
// in the run that learnt it.
struct FitDecisions {
  Competition one_partner = kOnePartner;  // sides of two collections
  bool has_endless_families = false;      // records of one collection seek no further neighbours
};

inline constexpr std::size_t kUsualClasses = 4;
inline constexpr std::size_t kFewestClasses = 2;

struct FittedModel {
  MatchModel model;
  double matches = 0;  // expected number of matches among the candidates
  int rounds = 0;
  bool has_families = false;                   // some matches became siblings
  std::optional<FieldPair> kin = {};           // the fields in which siblings differ, or one twice
  std::optional<FieldPair> doubtful_kin = {};  // matches that differ in these may be kin
  std::optional<std::size_t> lone_field = {};  // one collection: many matches differ in it alone
  bool kin_are_sure = false;                   // one collection: records with a copy have kin, too
};

// Fits a mixture of `classes` classes (at least 2: matches, strangers, and kinds of siblings) by
// expectation maximisation, from a single start: candidates whose typical bits make a match likely
// are matches; candidates that agree in more than random pairs do are siblings.
// The fit is anchored. Random pairs, weighted to represent all pairs, are strangers or siblings, so
// that the prior and the strangers describe all pairs and not only the candidates (random pairs
// that look like matches are left out if groups are as large as the collection). Typical shares
// count like 20 matches. The ratio of matches' shares to others' shares does not fall with the
// level. If records have at most one partner, a pair's probability is its odds divided by 1 plus
// the odds of all pairs that compete for the partner, so that the siblings of a true partner are
// not matches. A record of two collections has at most one partner but any number of kin: matches
// that differ in two fields together become siblings, and remain so if records with a partner have
// such kin nearly as often as records without one. Without competition, matches become siblings if
// they differ in three fields together (fields_of_families()), or in two fields in a way that is
// typical of kin and not of people who moved (KinEvidence), and the fit continues from there. A
// kind of siblings that agrees in most of the fields in which matches agree then counts as matches:
// careless copies.
// The fit ends when the number of matches changes by less than a share FitTask::smallest_move,
// after round 20, or after FitTask::most_rounds. Deterministic: sums are in the order of patterns
// and pairs. O(rounds · (patterns · fields · classes + pairs)). Sources: Fellegi, Sunter, JASA 64,
// 1969; Winkler 1988 (EM), 1993 (monotone).
[[nodiscard]] FittedModel fit_model(const FitTask& task, Competition one_partner,
                                    std::size_t classes = kUsualClasses);

// Number of candidates that the typical bits of their levels make matches, before anything has been
// learnt.
[[nodiscard]] double usual_matches(const FitTask& task);

}  // namespace sosie

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plan/fit_model.h"
#include "plan/kin_evidence.h"
#include "plan/match_families.h"

namespace sosie {

// A run of expectation maximisation (mixture_fit.cc), and how it treats kinds of pairs that are not
// copies, or are careless copies (mixture_kinds.cc).
class MixtureFit {
 public:
  // The task must outlive this object.
  MixtureFit(const FitTask& task, Competition one_partner, std::size_t classes);

  [[nodiscard]] FittedModel run();

 private:
  // Two fields in which matches within one collection differ together, as members of a household
  // do.
  struct Households {
    std::optional<FieldPair> sure;      // only kin explains it
    std::optional<FieldPair> likely;    // most matches differ so, and nothing contradicts kin
    std::optional<FieldPair> doubtful;  // many do
    std::optional<FieldPair> doubtful_as_written;  // many do, with few typos
  };

  void settle(FittedModel& fitted);
  [[nodiscard]] std::size_t rows() const noexcept { return weights_.size(); }
  [[nodiscard]] std::size_t fields() const noexcept { return task_.usual.size(); }
  [[nodiscard]] std::span<const std::uint8_t> levels_of(std::size_t row) const noexcept {
    return row < candidates_ ? task_.candidates[row] : task_.random[row - candidates_];
  }
  [[nodiscard]] double* parts_of(std::size_t row) noexcept { return &parts_[row * stride_]; }
  void count_rows();
  void place_levels();
  void start();
  template <std::size_t kStride>
  void learn();
  template <std::size_t kStride>
  void move_judged(const double* parts, bool is_match, std::array<double, kStride>& moved) const;
  template <std::size_t kStride>
  void learn_known(std::array<double, kStride>& all);
  void learn_field(std::size_t f);
  void learn_joint();
  void weigh();
  [[nodiscard]] double joint_ratio(std::size_t k, std::span<const std::uint8_t> levels) const;
  template <std::size_t kStride>
  void take_levels(std::span<const std::uint8_t> levels, std::array<double, kStride>& parts) const;
  template <std::size_t kStride>
  void judge();
  void list_active(int round);
  void sum_odds();
  void set_match(std::size_t row, double match);
  void compete(int round);
  [[nodiscard]] double match_of(const PatternPair& pair) const;

  // Kinds of pairs (mixture_kinds.cc).
  void part_families(FittedModel& fitted);
  void note_doubt(const FieldPair& fields, const LevelBits& usual, FittedModel& fitted);
  [[nodiscard]] LevelBits kin_bits(LevelBits bits) const;
  [[nodiscard]] std::optional<FieldPair> surely_alone(const std::vector<double>& matches,
                                                      const LevelBits& bits);
  [[nodiscard]] std::optional<FieldPair> mostly_alone(const std::vector<double>& matches,
                                                      const LevelBits& bits);
  [[nodiscard]] bool may_be_slips(const FieldPair& fields, const LevelBits& bits) const;
  [[nodiscard]] KinEvidence evidence_of(const FieldPair& fields, const LevelBits& bits);
  [[nodiscard]] std::optional<std::size_t> lone_field(const FittedModel& fitted,
                                                      const LevelBits& bits);
  [[nodiscard]] bool are_surely_kin(const FieldPair& fields);
  [[nodiscard]] Households households(const std::vector<double>& matches, const LevelBits& usual);
  [[nodiscard]] Households households_by_both(const std::vector<double>& matches,
                                              const LevelBits& usual, const LevelBits& of_kin);
  [[nodiscard]] std::vector<double> matches_by_pattern();
  void part(const FieldPair& fields, const LevelBits& usual);
  void part_for_good(const FieldPair& fields, const LevelBits& usual);
  [[nodiscard]] std::optional<FieldPair> part_kin();
  [[nodiscard]] std::vector<bool> differing(const FieldPair& fields, const LevelBits& usual) const;
  [[nodiscard]] KinPairs kin_pairs() const;
  [[nodiscard]] std::vector<bool> slips_beside(const FieldPair& fields, bool of_texts = true) const;
  [[nodiscard]] bool is_text(std::size_t field) const noexcept {
    return field < task_.same_texts.size() && task_.same_texts[field] > 0;
  }
  [[nodiscard]] std::optional<std::size_t> mostly_differing(const LevelBits& bits);
  [[nodiscard]] std::vector<double> filled_parts() const;
  [[nodiscard]] double agreeing_part(std::size_t k, std::size_t f) const;
  [[nodiscard]] double mean_bits(std::size_t k, std::size_t f) const;
  void add_copies(double matches);

  static constexpr std::size_t kKin = 2;  // class of members of families, if distinguished
  static constexpr std::size_t kFewClasses = 4;
  static constexpr double kMostOdds = 5e21;

  const FitTask& task_;
  Competition one_partner_;
  std::size_t classes_;
  std::size_t stride_;           // slots for classes per row; those after the last are empty
  std::size_t candidates_;       // patterns of candidates
  std::vector<double> parts_;    // by row and class
  std::vector<double> odds_;     // odds of a match, by pattern of candidates
  std::vector<double> weights_;  // number of pairs by row
  double all_ = 0;
  bool has_families_ = false;  // class 2 holds members of families
  // The only field in which kin differ: they agree in it by chance, as strangers do.
  std::optional<std::size_t> lone_kin_field_;
  std::vector<bool> are_kin_;        // by pattern of candidates: not a match; empty: none known
  std::vector<std::size_t> starts_;  // by field: where its levels begin
  std::vector<double> ratios_;       // by level and class
  std::vector<double> sums_;
  std::vector<PairClass> learnt_;
  std::vector<std::uint32_t> active_;  // pairs that compete
  std::vector<double> of_record_;      // sums of odds
  std::vector<double> of_pattern_;     // sums of probabilities
  std::vector<double> competing_;      // pairs by pattern
};

}  // namespace sosie

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace sosie {

// Edit of a string: the insertion or deletion of a code point; but for indel, also its replacement;
// for osa and damerau, also the swap of two neighbours (osa edits no code point twice, so it breaks
// the triangle inequality; damerau may, and keeps it).
enum class EditMeasure : std::uint8_t { levenshtein, indel, osa, damerau };

// A cut-off that cuts nothing off.
inline constexpr std::uint32_t kAnyDistance = ~std::uint32_t{0};

// The least number of edits that make one string of the other, or any number above `most` when they
// are more than that. Strings are UTF-8, taken as they are (nothing is normalised); a byte that is
// no part of well-formed UTF-8 is a code point of its own. Time: O(x·y / 64) for strings of x and y
// code points, O((x + y) · most / 64) with a cut-off; damerau O(x·y) and O((x + y) · most). Memory:
// O(x + y). Throw Error{limit_exceeded} for strings of 2 GiB. Sources: MMDS 3.5.5; Myers, J. ACM
// 46, 1999 and Hyyrö 2003 (levenshtein, osa); Hyyrö 2004 (indel, by the longest common
// subsequence); Zhao, Sahni 2019 (damerau).
[[nodiscard]] std::uint32_t levenshtein(std::string_view left, std::string_view right,
                                        std::uint32_t most = kAnyDistance);
// Without replacements: x + y - 2 · the length of a longest common subsequence.
[[nodiscard]] std::uint32_t indel(std::string_view left, std::string_view right,
                                  std::uint32_t most = kAnyDistance);
// With swaps of neighbours that are not edited again (optimal string alignment).
[[nodiscard]] std::uint32_t osa(std::string_view left, std::string_view right,
                                std::uint32_t most = kAnyDistance);
// With swaps of neighbours, whatever else is done to them (Damerau-Levenshtein).
[[nodiscard]] std::uint32_t damerau(std::string_view left, std::string_view right,
                                    std::uint32_t most = kAnyDistance);

// One string, to be compared with many: what the comparisons share is made once. From one thread at
// a time.
//
//     EditQuery query(EditMeasure::levenshtein, "Katharina");
//     for (const auto& name : names) if (query.distance(name, 2) <= 2) ...
class EditQuery {
 public:
  // Keeps a copy of the string.
  EditQuery(EditMeasure measure, std::string_view query);
  EditQuery(EditQuery&&) noexcept;
  EditQuery& operator=(EditQuery&&) noexcept;
  ~EditQuery();

  // Values of the functions above.
  [[nodiscard]] std::uint32_t distance(std::string_view other, std::uint32_t most = kAnyDistance);
  // Distances of the query and many strings, one of `distances` for each: several times as fast
  // where the query and they are ASCII and the query has at most 64 letters (levenshtein). Throws
  // Error{invalid_option} for another number of distances.
  void distances(std::span<const std::string_view> others, std::span<std::uint32_t> distances,
                 std::uint32_t most = kAnyDistance);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Jaro similarity of two strings, from 0 to 1 (two empty ones: 1): m code points have an equal
// partner no further away than half of the longer string less one, t of them stand in another order
// than their partners; (m/x + m/y + (m - t/2)/m) / 3. Time: O(x·y). Source: Jaro, JASA 84, 1989.
[[nodiscard]] double jaro(std::string_view left, std::string_view right);
// Jaro's similarity s and, above 0.7, a share of what it lacks for each of up to four code points
// that both begin with: s + p · prefix_weight · (1 - s). `prefix_weight`: 0 to 0.25. Source:
// Winkler 1990.
[[nodiscard]] double jaro_winkler(std::string_view left, std::string_view right,
                                  double prefix_weight = 0.1);

}  // namespace sosie

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace sosie {

// The edits that each measure counts: insertions and deletions of a code point; replacements,
// except for indel; swaps of adjacent code points, only for osa and damerau. osa edits no code
// point twice and violates the triangle inequality; damerau may edit one twice and satisfies it.
enum class EditMeasure : std::uint8_t { levenshtein, indel, osa, damerau };

// Stands for no cut-off.
inline constexpr std::uint32_t kAnyDistance = ~std::uint32_t{0};

// The minimum number of edits that turn one string into the other; if it exceeds `most`, any number
// above `most`. Strings are UTF-8 and not normalised; each byte that is not part of well-formed
// UTF-8 is a code point of its own. Time: O(x·y / 64) for strings of x and y code points, O((x + y)
// · most / 64) with a cut-off; for damerau, O(x·y) and O((x + y) · most). Memory: O(x + y). The
// functions throw Error{limit_exceeded} for strings of 2 GiB. Sources: MMDS 3.5.5; Myers, J. ACM
// 46, 1999 and Hyyrö 2003 (levenshtein, osa); Hyyrö 2004 (indel, by the longest common
// subsequence); Zhao, Sahni 2019 (damerau).
[[nodiscard]] std::uint32_t levenshtein(std::string_view left, std::string_view right,
                                        std::uint32_t most = kAnyDistance);
// Allows no replacements: x + y - 2 · (length of a longest common subsequence).
[[nodiscard]] std::uint32_t indel(std::string_view left, std::string_view right,
                                  std::uint32_t most = kAnyDistance);
// Also allows swaps of adjacent characters that are not edited again (optimal string alignment).
[[nodiscard]] std::uint32_t osa(std::string_view left, std::string_view right,
                                std::uint32_t most = kAnyDistance);
// Also allows swaps of adjacent characters that may be edited again (Damerau-Levenshtein).
[[nodiscard]] std::uint32_t damerau(std::string_view left, std::string_view right,
                                    std::uint32_t most = kAnyDistance);

// Compares one string with many and prepares it only once. Use from one thread at a time.
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

  // Same values as the functions above.
  [[nodiscard]] std::uint32_t distance(std::string_view other, std::uint32_t most = kAnyDistance);
  // Computes the distances between the query and each of `others`. levenshtein is several times
  // faster if all strings are ASCII and the query has at most 64 characters. Throws
  // Error{invalid_option} if `others` and `distances` differ in length.
  void distances(std::span<const std::string_view> others, std::span<std::uint32_t> distances,
                 std::uint32_t most = kAnyDistance);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Jaro similarity of two strings, from 0 to 1 (two empty strings: 1): (m/x + m/y + (m - t/2)/m) /
// 3. x and y are the numbers of code points. m is the number of code points with an equal partner
// at a distance of at most half the length of the longer string minus one, and t is the number of
// these code points whose partners are in a different order. Time: O(x·y). Source: Jaro, JASA 84,
// 1989.
[[nodiscard]] double jaro(std::string_view left, std::string_view right);
// The Jaro similarity s; if it is above 0.7, raised to s + p · prefix_weight · (1 - s), where p is
// the number of common leading code points, at most four. `prefix_weight`: 0 to 0.25. Source:
// Winkler 1990.
[[nodiscard]] double jaro_winkler(std::string_view left, std::string_view right,
                                  double prefix_weight = 0.1);

}  // namespace sosie

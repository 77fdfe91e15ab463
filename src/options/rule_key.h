#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "options/link_rules.h"

namespace sosie {

// The type of a key's value in a rules file.
enum class RuleType : std::uint8_t {
  text,
  texts,           // a text or a list of texts
  choice,          // one of RuleKey::names()
  flag,            // true or false
  count,           // a whole number
  number,          // a number
  number_or_text,  // a number, or a text accepted by the key's check()
  numbers,         // a list of numbers
  fields,          // the name of a field or a list of names
};

// Bounds of a number.
struct RuleRange {
  double least = 0;
  double most = 0;
  bool is_open = false;  // both ends are excluded
};

// A key in a rules file, with its allowed values and its meaning. The parser and the JSON Schema
// use the same rows.
struct RuleKey {
  std::string_view name;
  RuleType type;
  std::string_view help;
  RuleRange range = {};                                // bounds of numbers and counts
  std::size_t most_items = 0;                          // maximum length of a list; 0: no limit
  std::vector<std::string_view> (*names)() = nullptr;  // names of a choice
  std::string_view noun = {};                          // "'x' is no comparison"; empty: the name
  std::string_view beside = {};                     // key in the same table that this one requires
  bool (*check)(std::string_view value) = nullptr;  // true for allowed texts
  std::string_view expected = {};  // texts accepted by check(): "words:5 or chars:3"
  std::string_view pattern = {};   // regular expression for texts accepted by check()
};

// A value of the type that the key requires: a text, texts, a flag, a count, a number, numbers, or
// fields as positions.
using RuleValue = std::variant<std::string, std::vector<std::string>, bool, std::uint32_t, double,
                               std::vector<double>, std::vector<std::uint32_t>>;

// A key, and the member that stores its value.
template <typename Target>
struct RuleKeyOf {
  RuleKey key;
  void (*set)(Target& target, RuleValue value);
};

// TABLE: the keys of a field; of a candidate rule; of [candidates], [score] and [decide], except
// lists of rules; and of the rules in the lists `always` and `never` in [decide].
[[nodiscard]] std::span<const RuleKeyOf<LinkField>> field_keys();
[[nodiscard]] std::span<const RuleKeyOf<CandidateRule>> candidate_keys();
[[nodiscard]] std::span<const RuleKeyOf<LinkRules>> candidates_keys();
[[nodiscard]] std::span<const RuleKeyOf<LinkRules>> score_keys();
[[nodiscard]] std::span<const RuleKeyOf<LinkRules>> decide_keys();
[[nodiscard]] std::span<const RuleKeyOf<PairRule>> always_keys();
[[nodiscard]] std::span<const RuleKeyOf<PairRule>> never_keys();

// Maximum number of rules in a list.
inline constexpr std::size_t kMostListedRules = 32;

}  // namespace sosie

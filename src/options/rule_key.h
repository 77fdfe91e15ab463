#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "options/link_rules.h"

namespace sosie {

// Type of the value of a key in a file of rules.
enum class RuleType : std::uint8_t {
  text,
  texts,           // a text or a list of some
  choice,          // one of RuleKey::names()
  flag,            // true or false
  count,           // a whole number
  number,          // a number
  number_or_text,  // a number, or a text that the key's check() takes
  numbers,         // a list of numbers
  fields,          // the name of a field or a list of some
};

// Bounds of a number.
struct RuleRange {
  double least = 0;
  double most = 0;
  bool is_open = false;  // both ends are out of it
};

// A key of a file of rules: what it is called, what its value may be, and what it means. The parser
// and the JSON Schema read the same rows.
struct RuleKey {
  std::string_view name;
  RuleType type;
  std::string_view help;
  RuleRange range = {};                                // bounds of numbers and counts
  std::size_t most_items = 0;                          // most items of a list; 0: any number
  std::vector<std::string_view> (*names)() = nullptr;  // names of a choice
  std::string_view noun = {};                          // "'x' is no comparison"; empty: the name
  std::string_view beside = {};  // key of the same table without which this one says nothing
  bool (*check)(std::string_view value) = nullptr;  // takes a text that can be meant
  std::string_view expected = {};  // texts that check() takes: "words:5 or chars:3"
  std::string_view pattern = {};   // regular expression of what check() takes
};

// A value of the type that the key has: a text, some texts, a flag, a count, a number, some
// numbers, or fields by their positions.
using RuleValue = std::variant<std::string, std::vector<std::string>, bool, std::uint32_t, double,
                               std::vector<double>, std::vector<std::uint32_t>>;

// A key, and where its value goes.
template <typename Target>
struct RuleKeyOf {
  RuleKey key;
  void (*set)(Target& target, RuleValue value);
};

// TABLE: keys of a field, of a candidate rule, and of [candidates], [score] and [decide] besides
// lists of rules; of the rules in the lists `always` and `never` of [decide].
[[nodiscard]] std::span<const RuleKeyOf<LinkField>> field_keys();
[[nodiscard]] std::span<const RuleKeyOf<CandidateRule>> candidate_keys();
[[nodiscard]] std::span<const RuleKeyOf<LinkRules>> candidates_keys();
[[nodiscard]] std::span<const RuleKeyOf<LinkRules>> score_keys();
[[nodiscard]] std::span<const RuleKeyOf<LinkRules>> decide_keys();
[[nodiscard]] std::span<const RuleKeyOf<PairRule>> always_keys();
[[nodiscard]] std::span<const RuleKeyOf<PairRule>> never_keys();

// Most rules in a list of them.
inline constexpr std::size_t kMostListedRules = 32;

}  // namespace sosie

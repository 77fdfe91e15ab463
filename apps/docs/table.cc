// Queries about the option table that the generated documents share.
#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sosie::docs {
namespace {

// True for a word, false for a range of numbers.
bool begins_with_letter(std::string_view word) noexcept {
  return !word.empty() &&
         ((word[0] >= 'a' && word[0] <= 'z') || (word[0] >= 'A' && word[0] <= 'Z'));
}

}  // namespace

std::vector<const OptionRow*> options_of(const Verb& verb) {
  std::vector<const OptionRow*> rows;
  for (const OptionRow& row : option_table()) {
    if (has_any(row.verbs, verb.bit)) rows.push_back(&row);
  }
  return rows;
}

std::vector<std::string_view> groups() {
  std::vector<std::string_view> groups;
  for (const OptionRow& row : option_table()) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) {
      groups.push_back(row.group);
    }
  }
  return groups;
}

std::vector<std::string_view> choices_of(const OptionRow& row) {
  std::vector<std::string_view> choices;
  if (row.type != OptionType::choice) return choices;
  for (std::string_view rest = row.choices; !rest.empty();) {
    choices.push_back(rest.substr(0, rest.find('|')));
    rest.remove_prefix(std::min(rest.size(), choices.back().size() + 1));
  }
  return choices;
}

std::vector<std::string> words_of(const OptionRow& row) {
  std::vector<std::string> words;
  if (row.words != nullptr) {
    for (const OptionWord& word : row.words()) words.push_back(word.shown);
    return words;
  }
  std::string word;
  for (const char c : std::string(row.choices) + '|') {
    if (c == ' ' && word.empty()) continue;
    if (c == ' ') return {};  // a sentence
    if (c != '|' && c != ',' && c != ';') {
      word += c;
      continue;
    }
    const bool is_word =
        !word.empty() && (row.type == OptionType::choice || begins_with_letter(word));
    if (!word.empty() && !is_word && word != "...") return {};
    if (is_word && std::find(words.begin(), words.end(), word) == words.end()) {
      words.push_back(word);
    }
    word.clear();
  }
  return words;
}

std::vector<std::string> offers_of(const OptionRow& row) {
  std::vector<std::string> offers = words_of(row);
  for (std::string& offer : offers) {
    if (const std::size_t colon = offer.find(':'); colon != std::string::npos) {
      offer.resize(colon + 1);
    }
  }
  return offers;
}

bool takes_list(const OptionRow& row) noexcept { return row.metavar.ends_with(",..."); }

bool takes_path(const OptionRow& row) noexcept {
  constexpr std::array<std::string_view, 6> kPaths = {"FILE",  "OUT",  "DIR",
                                                      "OTHER", "LIST", "PATH"};
  return std::any_of(kPaths.begin(), kPaths.end(), [&](std::string_view word) {
    return row.metavar.find(word) != std::string_view::npos;
  });
}

std::string signature(const OptionRow& row) {
  std::string text = row.letter != 0 ? fmt::format("-{}, ", row.letter) : std::string{};
  text += fmt::format("--{}", row.name);
  if (!row.implied.empty()) return text + fmt::format("[={}]", row.metavar);
  if (!row.metavar.empty()) text += fmt::format(" {}", row.metavar);
  return text;
}

std::string details(const OptionRow& row) {
  std::vector<std::string> parts;
  const auto choices = choices_of(row);
  if (choices.size() > 1) {
    parts.push_back(fmt::format("one of {}", fmt::join(choices, ", ")));
  } else if (!row.choices.empty()) {
    parts.emplace_back(row.choices);
  }
  if (!row.default_text.empty()) parts.push_back(fmt::format("default: {}", row.default_text));
  if (!row.alias.empty()) parts.push_back(fmt::format("also --{}", row.alias));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string verbs_of(const OptionRow& row) {
  std::vector<std::string_view> names;
  for (const Verb& verb : verb_table()) {
    if (has_any(row.verbs, verb.bit)) names.push_back(verb.name);
  }
  if (names.size() == verb_table().size()) return {};
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::string_view> names_of(const Verb& verb) {
  std::vector<std::string_view> names{verb.name};
  if (!verb.alias.empty()) names.push_back(verb.alias);
  return names;
}

const std::vector<ExitStatus>& exit_statuses() {
  static const std::vector<ExitStatus> statuses = {
      {"0", "done, also for empty input"},
      {"1",
       "done, but the answer is no "
       "(--fail-if-duplicates, --audit, query)"},
      {"2", "an invalid option or value, or an unsuitable format"},
      {"3", "bad input: a broken row, a missing or wrong field, a duplicate id"},
      {"4", "a missing, unreadable or unwritable file, a full disk, a budget that is too small"},
      {"129", "the terminal was closed (SIGHUP)"},
      {"130", "interrupted (SIGINT)"},
      {"143", "terminated (SIGTERM)"},
  };
  return statuses;
}

std::string escaped(std::string_view text, std::string_view from, std::string_view mark) {
  std::string out;
  for (const char c : text) {
    if (from.find(c) != std::string_view::npos) out += mark;
    out += c;
  }
  return out;
}

}  // namespace sosie::docs

// Rewords messages for a front end that does not write options as --name.
#include "sosie/reworded.h"

#include <algorithm>

#include "sosie/options.h"

namespace sosie {
namespace {

constexpr std::string_view kClauseEnd = "; ";

bool is_of_option_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

std::string_view name_at_start(std::string_view text) noexcept {
  const auto* end = std::find_if_not(text.begin(), text.end(), is_of_option_name);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

// The option written at `at`, without its hyphens; empty if the table does not contain it.
std::string_view option_at(std::string_view text, std::size_t at) noexcept {
  constexpr std::string_view kHyphens = "--";
  const bool begins = at == 0 || !(is_of_option_name(text[at - 1]) || text[at - 1] == '_');
  if (!begins || !text.substr(at).starts_with(kHyphens)) return {};
  const std::string_view name = name_at_start(text.substr(at + kHyphens.size()));
  return find_option(name) == nullptr ? std::string_view{} : name;
}

// The word after an equals sign, which must begin with a letter; empty if there is none.
std::string_view value_at_start(std::string_view text) noexcept {
  if (text.size() < 2 || text[0] != '=' || text[1] < 'a' || text[1] > 'z') return {};
  return name_at_start(text.substr(1));
}

struct Clause {
  std::string text;
  bool is_command = false;
  bool names_lacking = false;  // true if it names an option that the front end lacks
};

Clause reworded_clause(std::string_view text, const OptionWords& words) {
  if (text.starts_with("sosie ")) return {std::string(text), true};
  Clause clause;
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view name = option_at(text, at);
    if (name.empty() || is_quoted) {
      is_quoted = is_quoted != (text[at] == '`');
      clause.names_lacking |= is_quoted && !name.empty();
      clause.text += text[at++];
      continue;
    }
    const std::size_t end = at + 2 + name.size();
    const std::string_view value = value_at_start(text.substr(end));
    const std::size_t length = 2 + name.size() + (value.empty() ? 0 : 1 + value.size());
    const std::optional<std::string> word = words(name, value);
    clause.names_lacking |= !word.has_value();
    clause.text += word ? *word : std::string(text.substr(at, length));
    at += length;
  }
  return clause;
}

std::string joined_clauses(std::string_view text, const OptionWords& words, bool is_hint) {
  std::string out;
  bool is_first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(kClauseEnd), text.size());
    const Clause clause = reworded_clause(text.substr(0, end), words);
    text.remove_prefix(std::min(text.size(), end + kClauseEnd.size()));
    if (is_hint && clause.names_lacking && !clause.is_command) continue;
    if (!is_first) out += kClauseEnd;
    is_first = false;
    out += clause.text;
  }
  return out;
}

}  // namespace

std::string reworded(std::string_view text, const OptionWords& words) {
  return joined_clauses(text, words, false);
}

std::string reworded_hint(std::string_view hint, const OptionWords& words) {
  return joined_clauses(hint, words, true);
}

}  // namespace sosie

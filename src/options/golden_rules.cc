// Parses the rules for --golden.
#include "options/golden_rules.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sosie {
namespace {

using By = GoldenRule::By;

constexpr std::array<std::pair<std::string_view, By>, 7> kNames = {
    {{"first", By::first},
     {"longest", By::longest},
     {"shortest", By::shortest},
     {"newest", By::newest},
     {"oldest", By::oldest},
     {"most-frequent", By::most_frequent},
     {"source", By::source}}};

// Removes a name and the following "=" from the front of `text`; empty if there is none.
std::optional<std::string> take_name(std::string_view& text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '=') {
      text.remove_prefix(i + 1);
      return name;
    }
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '=') ++i;
    name += text[i];
  }
  return std::nullopt;
}

// Sources separated by bars; empty if one of the sources is empty.
std::vector<std::string> split_sources(std::string_view text) {
  std::vector<std::string> sources;
  for (std::size_t bar = 0; bar != std::string_view::npos;) {
    bar = text.find('|');
    sources.emplace_back(text.substr(0, bar));
    if (sources.back().empty()) return {};
    if (bar != std::string_view::npos) text.remove_prefix(bar + 1);
  }
  return sources;
}

}  // namespace

std::optional<GoldenRule> parse_golden(std::string_view text) {
  GoldenRule rule;
  const auto field = take_name(text);
  if (!field || field->empty()) return std::nullopt;
  rule.field = *field;
  const std::size_t colon = text.find(':');
  const auto* const named = std::find_if(kNames.begin(), kNames.end(), [&](const auto& row) {
    return row.first == text.substr(0, colon);
  });
  if (named == kNames.end()) return std::nullopt;
  rule.by = named->second;
  const bool has_more = colon != std::string_view::npos;
  if (has_more) text.remove_prefix(colon + 1);
  if (rule.by == By::source) {
    if (!has_more) return std::nullopt;
    if (const auto other = take_name(text)) rule.other = *other;
    rule.sources = split_sources(text);
    return rule.sources.empty() ? std::nullopt : std::optional(rule);
  }
  if (!has_more) return rule;
  if ((rule.by != By::newest && rule.by != By::oldest) || text.empty()) return std::nullopt;
  rule.other = text;
  return rule;
}

}  // namespace sosie

// Writes rules for `sosie link` as commented TOML, for --init.
#include <fmt/format.h>

#include "core/joined_text.h"
#include "options/link_rule_names.h"
#include "options/link_rules.h"

namespace sosie {
namespace {

// A text in quotes, escaped for TOML.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

// A key, quoted if it contains characters that bare keys may not contain.
std::string key_of(const std::string& name) {
  const bool bare = !name.empty() && name.find_first_not_of(
                                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_-") == std::string::npos;
  return bare ? name : in_quotes(name);
}

std::string bracketed(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ", ";
    out += in_quotes(text);
  }
  return out + "]";
}

// A brief description of how a field is compared.
std::string_view comment_on(const LinkField& field) noexcept {
  if (!field.is_compared) return "  # for candidates only";
  if (!field.brief.empty()) return "  # cosine of all columns, and of the brief ones; their mean";
  switch (field.comparison.measure) {
    case FieldMeasure::equal:
      return "";
    case FieldMeasure::jaro_winkler:
      return "  # short text: similarity of its characters";
    case FieldMeasure::cosine:
      return "  # text: cosine of 3 characters in a row";
    case FieldMeasure::tfidf:
      return "  # text: cosine of 3 characters in a row, rare ones count more";
    case FieldMeasure::levenshtein:
    case FieldMeasure::damerau:
      return "  # edits";
    case FieldMeasure::edit_similarity:
      return "  # code: share of its characters that need no edit";
    case FieldMeasure::number:
      return "  # difference";
    case FieldMeasure::ratio:
      return "  # difference over the greater number";
    case FieldMeasure::nearness:
      return "  # number: share of random pairs that are as far apart or farther";
    case FieldMeasure::days:
      return "  # days apart";
  }
  return "";
}

// Adds the keys that describe a field's form in both collections.
void add_form(const LinkField& field, std::vector<std::string>& parts) {
  if (field.form.type == FieldType::text) {
    parts.push_back("clean = " + in_quotes(clean_name(field.form.clean)));
    return;
  }
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) parts.push_back(fmt::format("{} = {}", key, in_quotes(value)));
  };
  const auto decimal = [](const char& sign) { return std::string_view(&sign, 1); };
  add("type", name_in(kTypes, field.form.type));
  add("format", field.form.date_format);
  add("format_right", field.format_right);
  if (field.form.decimal != FieldForm{}.decimal) add("decimal", decimal(field.form.decimal));
  if (field.decimal_right != '\0') add("decimal_right", decimal(field.decimal_right));
}

std::string field_text(const LinkField& field) {
  std::vector<std::string> parts;
  if (field.columns != std::vector<std::string>{field.name}) {
    parts.push_back("columns = " + bracketed(field.columns));
  }
  if (!field.columns_right.empty()) {
    parts.push_back("columns_right = " + bracketed(field.columns_right));
  }
  add_form(field, parts);
  if (!field.is_compared) {
    parts.emplace_back("compare = \"none\"");
  } else {
    parts.push_back("compare = " + in_quotes(measure_name(field.comparison.measure)));
    if (!field.comparison.bounds.empty()) {
      parts.push_back(fmt::format("levels = [{}]", fmt::join(field.comparison.bounds, ", ")));
    }
  }
  if (!field.brief.empty()) parts.push_back("brief = " + bracketed(field.brief));
  if (!field.crosswise.empty()) parts.push_back("crosswise = " + in_quotes(field.crosswise));
  if (field.swapped) parts.emplace_back("swapped = true");
  if (!field.nicknames.empty()) parts.push_back("nicknames = " + in_quotes(field.nicknames));
  if (field.frequency) parts.emplace_back("frequency = true");
  if (!field.separator.empty()) parts.push_back("separator = " + in_quotes(field.separator));
  return fmt::format("{} = {{ {} }}{}\n", key_of(field.name), joined_text(parts, ", "),
                     comment_on(field));
}

std::vector<std::string> names_at(const std::vector<std::uint32_t>& places,
                                  const std::vector<LinkField>& fields) {
  std::vector<std::string> names;
  names.reserve(places.size());
  for (const std::uint32_t f : places) names.push_back(fields[f].name);
  return names;
}

// The keys of a `near` rule, except its fields.
std::string near_text(const CandidateRule& rule) {
  const NearMeasure& near = rule.near;
  std::string out;
  if (!near.is_tfidf()) out += fmt::format(", measure = {}", in_quotes(near.measure));
  if (near.shingle != NearMeasure{}.shingle) {
    out += fmt::format(", shingle = {}", in_quotes(near.shingle));
  }
  if (near.within) out += fmt::format(", within = {}", *near.within);
  if (!near.threshold.empty()) out += fmt::format(", threshold = {}", near.threshold);
  if (rule.top > 0 && !near.is_of_strings()) out += fmt::format(", top = {}", rule.top);
  if (near.prune > 0) out += fmt::format(", prune = {}", near.prune);
  if (near.lsh) {
    out += fmt::format(", method = \"lsh\", recall = {}", written_number(near.recall));
  }
  return out;
}

std::string pair_rules_text(std::string_view name, std::string_view key,
                            const std::vector<PairRule>& rules,
                            const std::vector<LinkField>& fields) {
  std::string out;
  for (const PairRule& rule : rules) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{{ {} = {} }}", key, bracketed(names_at(rule, fields)));
  }
  return out.empty() ? out : fmt::format("{} = [{}]\n", name, out);
}

std::string candidate_text(const CandidateRule& rule, const std::vector<LinkField>& fields) {
  const std::vector<std::string> names = names_at(rule.fields, fields);
  switch (rule.kind) {
    case CandidateRule::Kind::equal:
      return rule.prefix == 0
                 ? fmt::format("{{ equal = {} }}", bracketed(names))
                 : fmt::format("{{ equal = {}, prefix = {} }}", bracketed(names), rule.prefix);
    case CandidateRule::Kind::near:
      return fmt::format("{{ near = {}{} }}", bracketed(names), near_text(rule));
    case CandidateRule::Kind::sorted:
      return fmt::format("{{ sorted = {}, window = {} }}", bracketed(names), rule.window);
  }
  return {};
}

// The table [score], if it differs from the default.
std::string score_text(const LinkRules& rules) {
  std::string out;
  if (rules.method != ScoreMethod::automatic) {
    out += fmt::format("method = {}\n", in_quotes(score_method_name(rules.method)));
  }
  std::vector<std::string> groups;
  groups.reserve(rules.together.size());
  for (const std::vector<std::uint32_t>& group : rules.together) {
    groups.push_back(bracketed({rules.fields[group[0]].name, rules.fields[group[1]].name}));
  }
  if (!groups.empty()) out += fmt::format("together = [{}]\n", joined_text(groups, ", "));
  if (!rules.model.empty()) out += fmt::format("model = {}\n", in_quotes(rules.model));
  return out.empty() ? out : "\n[score]\n" + out;
}

}  // namespace

std::string level_name(const FieldComparison& comparison, std::uint32_t level) {
  if (level == 0) return "missing";
  if (level == 1) return "different";
  if (level == comparison.highest()) return "equal";
  return fmt::format("{} {}", measure_name(comparison.measure),
                     comparison.bounds[comparison.highest() - 1 - level]);
}

std::string link_rules_text(const LinkRules& rules, const std::vector<std::string>& notes) {
  std::string out;
  for (const std::string& note : notes) out += fmt::format("# {}\n", note);
  out +=
      "version = 1\n\n"
      "# A field is one or more columns, joined by spaces. levels: strictest first; equal and\n"
      "# different values have their own levels, and a missing value counts neither for nor\n"
      "# against a match. NA, N/A, NULL, none, unknown and - count as missing.\n"
      "[fields]\n";
  for (const LinkField& field : rules.fields) out += field_text(field);
  out +=
      "\n# A pair is compared if any of these rules finds it.\n"
      "#   { equal = [\"a\", \"b\"] }, { equal = [\"a\"], prefix = 3 }, { sorted = [\"a\"], window "
      "= 5 },\n"
      "#   { near = [\"a\"], measure = \"levenshtein\", within = 2 }\n"
      "# prune = 0.2: with many records, the search skips the commonest characters, a fifth of\n"
      "# a text's weight; it finds nearly all neighbours in a tenth of the time. 0: skip nothing.\n"
      "[candidates]\nrules = [\n";
  for (const CandidateRule& rule : rules.candidates) {
    out += fmt::format("  {},\n", candidate_text(rule, rules.fields));
  }
  out += fmt::format("]\nmax_block = {}\n", rules.max_block);
  out += score_text(rules);
  out += fmt::format(
      "\n# assign: auto, one-to-one, best or all (two collections).\n"
      "# cut: auto, or the lowest probability of a link.\n"
      "# always = [{{ equal = [\"a\", \"b\"] }}]: pairs that are links regardless of their score.\n"
      "# never = [{{ differ = [\"c\"] }}]: pairs that are never links.\n"
      "[decide]\nassign = {}\ncut = {}\n",
      in_quotes(assign_name(rules.assign)), in_quotes(rules.cut));
  out += pair_rules_text("always", "equal", rules.always, rules.fields);
  out += pair_rules_text("never", "differ", rules.never, rules.fields);
  return out;
}

}  // namespace sosie

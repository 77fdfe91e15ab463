// Links as rows of a table.
#include "report/link_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace sosie {
namespace {

// The measure and bound of a rule, unless they are the defaults.
std::string near_name(const CandidateRule& rule) {
  const NearMeasure& near = rule.near;
  if (near.is_tfidf()) return {};
  std::string name = " " + near.measure;
  if (near.within) name += fmt::format(" within {}", *near.within);
  if (!near.threshold.empty()) name += " from " + near.threshold;
  if (!near.is_of_strings() && rule.top > 0) name += fmt::format(" top {}", rule.top);
  return name + (near.lsh ? " lsh" : "");
}

}  // namespace

std::string rule_name(const CandidateRule& rule, const std::vector<LinkField>& all) {
  std::string fields;
  for (const std::uint32_t f : rule.fields) {
    if (!fields.empty()) fields += '&';
    fields += all[f].name;
  }
  switch (rule.kind) {
    case CandidateRule::Kind::equal:
      return fields;
    case CandidateRule::Kind::near:
      return "near " + fields + near_name(rule);
    case CandidateRule::Kind::sorted:
      return "sorted " + fields;
  }
  return fields;
}

std::string RecordNames::of(std::uint32_t record) const {
  return right != nullptr && record >= split ? right->name_of(record - split)
                                             : left->name_of(record);
}

bool RecordNames::is_integer(std::uint32_t record) const {
  return right != nullptr && record >= split ? right->is_integer(record - split)
                                             : left->is_integer(record);
}

LinkTable::LinkTable(const LinkRules& rules, const RecordLinker& linker, const RecordNames& names,
                     bool has_bits)
    : linker_(linker), names_(names), has_bits_(has_bits) {
  rule_names_.reserve(rules.candidates.size());
  for (const CandidateRule& rule : rules.candidates) {
    rule_names_.push_back(rule_name(rule, rules.fields));
  }
  const std::vector<std::uint32_t> compared = rules.compared();
  seen_ = LevelPatterns(compared.size());
  level_names_.resize(compared.size());
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const LinkField& field = rules.fields[compared[f]];
    for (std::uint32_t level = 0; level < field.comparison.levels(); ++level) {
      level_names_[f].push_back(level_name(field.comparison, level));
    }
  }
}

std::vector<std::string> link_columns(const LinkRules& rules, bool has_bits) {
  std::vector<std::string> names = {"left", "right", "score", "probability", "rules"};
  const std::vector<std::uint32_t> compared = rules.compared();
  names.reserve(names.size() + 2 * compared.size());
  for (const std::uint32_t f : compared) {
    names.push_back("level_" + rules.fields[f].name);
    if (has_bits) names.push_back("bits_" + rules.fields[f].name);
  }
  return names;
}

void write_record(const RecordNames& names, std::uint32_t record, std::uint32_t first,
                  const RecordGroup* group, TableWriter& out) {
  const std::string id = names.of(record);
  const std::string cluster = names.of(first);
  const Cell weakest =
      group == nullptr ? Cell(std::string_view{}) : Cell(Decimal{group->probability});
  out.row({IdText{id, names.is_integer(record)}, IdText{cluster, names.is_integer(first)},
           std::uint64_t{group == nullptr ? 1 : group->size}, weakest});
}

// Many pairs have the same levels, and therefore often the same bits.
std::span<const double> LinkTable::bits_of(const CandidateLink& link,
                                           std::span<const std::uint8_t> levels) {
  const std::size_t fields = levels.size();
  if (!linker_.comparer().weighs_levels_alone()) {
    bits_ = linker_.field_bits(link);
    return bits_;
  }
  const std::uint32_t number = seen_.add(levels);
  if (bits_.size() == number * fields) {
    const std::vector<double> bits = linker_.field_bits(link);
    bits_.insert(bits_.end(), bits.begin(), bits.end());
  }
  return std::span(bits_).subspan(number * fields, fields);
}

void LinkTable::write(const CandidateLink& link, TableWriter& out) {
  const std::string left = names_.of(link.link.left);
  const std::string right = names_.of(link.link.right);
  std::string rules;
  for (std::size_t rule = 0; rule < rule_names_.size(); ++rule) {
    if ((link.rules >> rule & 1U) == 0) continue;
    if (!rules.empty()) rules += '+';
    rules += rule_names_[rule];
  }
  std::vector<Cell> cells = {
      IdText{left, names_.is_integer(link.link.left)},
      IdText{right, names_.is_integer(link.link.right)}, Decimal{link.link.score},
      link.link.probability < 0 ? Cell(std::string_view{}) : Cell(Decimal{link.link.probability}),
      std::string_view(rules)};
  const std::vector<std::uint8_t> levels =
      linker_.comparer().levels(link.link.left, link.link.right);
  std::span<const double> bits;
  if (has_bits_) bits = bits_of(link, levels);
  cells.reserve(cells.size() + 2 * level_names_.size());
  for (std::size_t f = 0; f < level_names_.size(); ++f) {
    const std::uint32_t level = levels[f];
    cells.emplace_back(std::string_view(level_names_[f][level]));
    if (has_bits_) cells.emplace_back(Decimal{bits[f]});
  }
  out.row(cells);
}

}  // namespace sosie

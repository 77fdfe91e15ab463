// Passes links and groups to a program as columns.
#include "report/linked_rows.h"

#include <algorithm>
#include <limits>

namespace sosie {
namespace {

void copy_ids(const ItemIds& ids, std::vector<std::string>& names, bool& are_integers) {
  names = ids.names;
  are_integers =
      std::all_of(ids.are_integers.begin(), ids.are_integers.end(), [](bool is) { return is; });
}

}  // namespace

LinkedRowsWriter::LinkedRowsWriter(const LinkRules& rules, const RecordLinker& linker,
                                   const RecordNames& names, LinkedRows& rows)
    : linker_(linker), names_(names), rows_(rows) {
  rows_.rule_names.reserve(rules.candidates.size());
  for (const CandidateRule& rule : rules.candidates) {
    rows_.rule_names.push_back(rule_name(rule, rules.fields));
  }
  const std::vector<std::uint32_t> compared = rules.compared();
  rows_.fields.reserve(compared.size());
  rows_.level_names.resize(compared.size());
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const LinkField& field = rules.fields[compared[f]];
    rows_.fields.push_back(field.name);
    for (std::uint32_t level = 0; level < field.comparison.levels(); ++level) {
      rows_.level_names[f].push_back(level_name(field.comparison, level));
    }
  }
  copy_ids(*names.left, rows_.left_ids, rows_.left_ids_are_integers);
  if (names.right != nullptr) {
    copy_ids(*names.right, rows_.right_ids, rows_.right_ids_are_integers);
  }
}

void LinkedRowsWriter::add_link(const CandidateLink& link) {
  rows_.left.push_back(link.link.left);
  rows_.right.push_back(link.link.right - (names_.right == nullptr ? 0 : names_.split));
  rows_.score.push_back(link.link.score);
  rows_.probability.push_back(link.link.probability);
  rows_.rules.push_back(link.rules);
  const auto levels = linker_.comparer().levels(link.link.left, link.link.right);
  rows_.levels.insert(rows_.levels.end(), levels.begin(), levels.end());
  const std::vector<double> bits = linker_.field_bits(link);
  rows_.bits.insert(rows_.bits.end(), bits.begin(), bits.end());
}

void LinkedRowsWriter::add_record(std::uint32_t record, std::uint32_t first,
                                  const RecordGroup* group) {
  rows_.record.push_back(record);
  rows_.cluster.push_back(first);
  rows_.size.push_back(group == nullptr ? 1 : group->size);
  rows_.weakest.push_back(group == nullptr ? std::numeric_limits<double>::quiet_NaN()
                                           : group->probability);
}

}  // namespace sosie

// Groups and links of records as fields of their rows (link --annotate).
#include "report/grouped_records.h"

#include <array>
#include <limits>
#include <memory>

#include "corpus/rank_rows.h"

namespace sosie {
namespace {

constexpr std::array<std::string_view, 3> kOfGroups = {"cluster_id", "cluster_size", "probability"};
constexpr std::array<std::string_view, 2> kOfLinks = {"linked_id", "probability"};

constexpr std::uint32_t kNoRecord = std::numeric_limits<std::uint32_t>::max();

// The likeliest partners of a record, and the text shown in the last field.
struct Partners {
  std::vector<std::uint32_t> record;
  std::vector<double> probability;
  std::string shown = {};
};

}  // namespace

GroupedRecords::GroupedRecords(const RecordGroups& groups, const Corpus& corpus,
                               const Settings& settings)
    : first_(groups.first), groups_(groups.first.size()), kept_(groups.first) {
  for (const RecordGroup& group : groups.groups) groups_[group.first] = &group;
  for (std::uint32_t record = 0; record < first_.size(); ++record) {
    std::uint32_t& kept = kept_[first_[record]];
    if (kept != record && ranks_before(corpus, settings, record, kept)) kept = record;
  }
}

AddFields group_fields(const RecordNames& names, const GroupedRecords& grouped) {
  AddFields fields;
  fields.names = link_field_names(false);
  fields.examples = {IdText{"0", names.is_integer(0)}, std::uint64_t{1}, Decimal{0}};
  const auto shown = std::make_shared<std::string>();
  fields.of = [&names, &grouped, shown](RowNumber row) -> std::vector<AddedField> {
    const std::uint32_t kept = grouped.kept_of(row_id(row));
    const RecordGroup* group = grouped.group_of(row_id(row));
    *shown = names.of(kept);
    return {{kOfGroups[0], IdText{*shown, names.is_integer(kept)}},
            {kOfGroups[1], std::uint64_t{group == nullptr ? 1 : group->size}},
            {kOfGroups[2], Decimal{group == nullptr ? 0 : group->probability}, group == nullptr}};
  };
  return fields;
}

AddFields partner_fields(const RecordNames& names, const std::vector<CandidateLink>& links) {
  const auto partners = std::make_shared<Partners>();
  partners->record.assign(names.split, kNoRecord);
  partners->probability.resize(names.split);
  for (const CandidateLink& link : links) {
    if (partners->record[link.link.left] != kNoRecord) continue;
    partners->record[link.link.left] = link.link.right;
    partners->probability[link.link.left] = link.link.probability;
  }
  AddFields fields;
  fields.names = link_field_names(true);
  fields.examples = {IdText{"0", names.is_integer(names.split)}, Decimal{0}};
  fields.of = [&names, partners](RowNumber row) -> std::vector<AddedField> {
    const std::uint32_t record = partners->record[row];
    if (record == kNoRecord) return {{kOfLinks[0], {}, true}, {kOfLinks[1], {}, true}};
    const double probability = partners->probability[row];
    partners->shown = names.of(record);
    return {{kOfLinks[0], IdText{partners->shown, names.is_integer(record)}},
            {kOfLinks[1], Decimal{probability}, probability < 0}};
  };
  return fields;
}

std::vector<std::string> link_field_names(bool across) {
  if (across) return {kOfLinks.begin(), kOfLinks.end()};
  return {kOfGroups.begin(), kOfGroups.end()};
}

}  // namespace sosie

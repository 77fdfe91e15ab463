#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/average_linkage.h"
#include "corpus/corpus.h"
#include "join/records/score_candidates.h"
#include "options/settings.h"
#include "report/kept_rows.h"
#include "report/link_table.h"

namespace sosie {

// The groups of one collection by record, and the record kept of each.
class GroupedRecords {
 public:
  // All arguments must outlive this object.
  GroupedRecords(const RecordGroups& groups, const Corpus& corpus, const Settings& settings);

  // The record of the group selected by --keep, whose id names the group; for a single record:
  // itself.
  [[nodiscard]] std::uint32_t kept_of(std::uint32_t record) const noexcept {
    return kept_[first_[record]];
  }
  // Null: the record is single.
  [[nodiscard]] const RecordGroup* group_of(std::uint32_t record) const noexcept {
    return groups_[first_[record]];
  }

 private:
  const std::vector<std::uint32_t>& first_;
  std::vector<const RecordGroup*> groups_;  // by first record
  std::vector<std::uint32_t> kept_;         // by first record
};

// Fields that link adds to records of one collection: cluster_id, cluster_size, and probability of
// the least likely pair of the group, null for single records. All arguments must outlive the
// result.
[[nodiscard]] AddFields group_fields(const RecordNames& names, const GroupedRecords& grouped);

// Fields that link adds to records of the first of two collections: linked_id and probability of
// the best link of each record, null without one. `links`: best first.
[[nodiscard]] AddFields partner_fields(const RecordNames& names,
                                       const std::vector<CandidateLink>& links);

// Names of the fields in either case.
[[nodiscard]] std::vector<std::string> link_field_names(bool across);

}  // namespace sosie

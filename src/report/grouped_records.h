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

// The group of each record in a collection, and the record kept in each group.
class GroupedRecords {
 public:
  // All arguments must outlive this object.
  GroupedRecords(const RecordGroups& groups, const Corpus& corpus, const Settings& settings);

  // The record that --keep selects in the group, whose id names the group; a single record is its
  // own.
  [[nodiscard]] std::uint32_t kept_of(std::uint32_t record) const noexcept {
    return kept_[first_[record]];
  }
  // Null if the record is single.
  [[nodiscard]] const RecordGroup* group_of(std::uint32_t record) const noexcept {
    return groups_[first_[record]];
  }

 private:
  const std::vector<std::uint32_t>& first_;
  std::vector<const RecordGroup*> groups_;  // by first record
  std::vector<std::uint32_t> kept_;         // by first record
};

// The fields that link adds to the records of a single collection: cluster_id, cluster_size, and
// the probability of the group's least likely pair, which is null for single records. All arguments
// must outlive the result.
[[nodiscard]] AddFields group_fields(const RecordNames& names, const GroupedRecords& grouped);

// The fields that link adds to the records of the first of two collections: linked_id and the
// probability of the record's best link; both are null if it has no link. `links`: best first.
[[nodiscard]] AddFields partner_fields(const RecordNames& names,
                                       const std::vector<CandidateLink>& links);

// Names of these fields, for two collections (`across`) or one.
[[nodiscard]] std::vector<std::string> link_field_names(bool across);

}  // namespace sosie

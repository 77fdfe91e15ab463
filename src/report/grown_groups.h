#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "corpus/items/record_rows.h"
#include "decide/group_names.h"
#include "io/output_file.h"
#include "report/kept_rows.h"

namespace sosie {

inline constexpr std::string_view kClusterId = "cluster_id";

// A new record with the decision of link --assign groups.
struct NewMember {
  GroupName name = {};     // id of its group
  std::uint64_t size = 1;  // number of records in the group, including new ones
  double weakest = -1;     // lowest probability of a pair in the group; -1: the record is single
};

// Throws Error{invalid_option} unless rows of `fresh` can be appended to the rows of `groups`: both
// must be in files whose rows are text, and `groups` must have every field of the new rows.
void check_grown_groups(const RecordRows& fresh, const RecordRows& groups);

// The other group to which an older record now belongs; nullopt if its group is unchanged. An empty
// function means that all groups are unchanged.
using GroupOfOlder = std::function<std::optional<GroupName>(RowId row)>;

// New records, the groups to which they were added, and the decisions on them.
struct GrownGroups {
  const RecordRows& fresh;
  const RecordRows& groups;
  const std::vector<NewMember>& members;  // by new record
  GroupOfOlder joined;
};

// Writes the rows of the groups, then the new rows that are not left out. The former are unchanged,
// except for the cluster_id of rows whose group was joined with another. New rows get the format,
// dialect, encoding and columns of the first file of groups; fields that a new row lacks are empty.
void write_grown_groups(const GrownGroups& grown, const KeptSource& source, OutputFile& out);

}  // namespace sosie

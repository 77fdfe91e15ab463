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

// Throws Error{invalid_option} unless rows of `fresh` can be written after the rows of `groups`:
// both must be in files with rows of text, and `groups` must have each field of a new row.
void check_grown_groups(const RecordRows& fresh, const RecordRows& groups);

// The other group to which an older record now belongs; nullopt if its group is unchanged. If the
// function is empty, all groups are unchanged.
using GroupOfOlder = std::function<std::optional<GroupName>(RowId row)>;

// New records, the groups to which they were added, and the decisions on them.
struct GrownGroups {
  const RecordRows& fresh;
  const RecordRows& groups;
  const std::vector<NewMember>& members;  // by new record
  GroupOfOlder joined;
};

// Writes the rows of the groups unchanged, except for the cluster_id of rows whose group was joined
// with another, and then the new rows that are not left out. New rows are written in the format,
// dialect and encoding of the first file of groups, with its columns; fields that a new row lacks
// are empty.
void write_grown_groups(const GrownGroups& grown, const KeptSource& source, OutputFile& out);

}  // namespace sosie

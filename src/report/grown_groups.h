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

// A new record as link --assign groups decided.
struct NewMember {
  GroupName name = {};     // its group's
  std::uint64_t size = 1;  // records of the group, new ones among them
  double weakest = -1;     // least probability of a pair of the group; -1: the record is single
};

// Throws Error{invalid_option} unless rows of `fresh` can be written behind rows of `groups`: the
// files of both have rows of text, and `groups` has each field of a new row.
void check_grown_groups(const RecordRows& fresh, const RecordRows& groups);

// The other group that an older record is of now; nothing where it has stayed. Empty: all have.
using GroupOfOlder = std::function<std::optional<GroupName>(RowId row)>;

// New records, the groups that they were added to, and what was decided.
struct GrownGroups {
  const RecordRows& fresh;
  const RecordRows& groups;
  const std::vector<NewMember>& members;  // by new record
  GroupOfOlder joined;
};

// Writes the rows of the groups as they are, but for the cluster_id of those whose group was joined
// with another one, and then the new rows that are not left out, in the format, dialect and
// encoding of the first file of groups, by its columns; fields that a new row lacks are empty.
void write_grown_groups(const GrownGroups& grown, const KeptSource& source, OutputFile& out);

}  // namespace sosie

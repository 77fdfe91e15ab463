#pragma once

#include <cstdint>
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

// Writes the rows of `groups` as they are, and then the rows of `fresh` that are not left out, in
// the format, dialect and encoding of the first file of `groups`, by its columns; fields that a new
// row lacks are empty. `members`: by new record.
void write_grown_groups(const RecordRows& fresh, const RecordRows& groups,
                        const std::vector<NewMember>& members, const KeptSource& source,
                        OutputFile& out);

}  // namespace sosie

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "data/record_table.h"
#include "join/records/record_linker.h"
#include "options/link_rules.h"

namespace sosie {

// Groups of older records, whose numbers begin at `fresh`.
struct OlderGroups {
  std::string file;
  std::span<const std::uint32_t> group_of;  // by older record
  std::uint32_t fresh = 0;
  const RecordColumn& probability;  // column in the file
};

// Throws Error{invalid_option}, naming both files, if the groups' probabilities contradict the
// model's weights. Checks only groups of two records, whose probability hardly depends on other
// records, and skips pairs that are almost certain. Checks nothing if a field is compared by tfidf
// or nearness, whose levels depend on all records. O(records).
void check_group_weights(const OlderGroups& groups, const RecordLinker& linker,
                         const LinkRules& rules, const std::string& model);

}  // namespace sosie

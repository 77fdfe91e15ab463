#pragma once

#include "join/records/score_candidates.h"
#include "report/link_table.h"
#include "sosie/link.h"

namespace sosie {

// Passes the results of a link run to the calling program.
class LinkedRowsWriter {
 public:
  // All arguments must outlive this object.
  LinkedRowsWriter(const LinkRules& rules, const RecordLinker& linker, const RecordNames& names,
                   LinkedRows& rows);

  void add_link(const CandidateLink& link);
  // `first`: the first record in the record's group; `group`: null if the record is single.
  void add_record(std::uint32_t record, std::uint32_t first, const RecordGroup* group);

 private:
  const RecordLinker& linker_;
  const RecordNames& names_;
  LinkedRows& rows_;
};

}  // namespace sosie

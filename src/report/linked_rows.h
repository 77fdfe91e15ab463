#pragma once

#include "join/records/score_candidates.h"
#include "report/link_table.h"
#include "sosie/link.h"

namespace sosie {

// Fills in what a program is told of a run of link().
class LinkedRowsWriter {
 public:
  // All arguments outlive this.
  LinkedRowsWriter(const LinkRules& rules, const RecordLinker& linker, const RecordNames& names,
                   LinkedRows& rows);

  void add_link(const CandidateLink& link);
  // `first`: of the group of the record; null: it is single.
  void add_record(std::uint32_t record, std::uint32_t first, const RecordGroup* group);

 private:
  const RecordLinker& linker_;
  const RecordNames& names_;
  LinkedRows& rows_;
};

}  // namespace sosie

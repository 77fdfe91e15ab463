#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "candidates/parity_signatures.h"
#include "candidates/prefix_join.h"
#include "candidates/prefix_lists.h"
#include "candidates/size_table.h"
#include "kernels/count_overlaps.h"
#include "kernels/join_postings.h"

namespace sosie {

// Pairs the postings of lists and verifies what the filters leave; belongs to one thread. A pair is
// taken from the list of the first token that both sets hold, and from no other: there its filters
// are exact, and so no table of partners seen has to be kept.
class ListJoiner {
 public:
  ListJoiner(const TokenSets& sets, const PrefixJoin& join, const SizeTable& sizes,
             const ParitySignatures& signatures);

  // The pairs of those postings of a list (and maybe some behind it) that probe, from probe_begin
  // to probe_end. `tell` is called from time to time, after pairs were added to `out`, and may take
  // them.
  void join(const kernels::Posting* list, std::uint64_t probe_begin, std::uint64_t probe_end,
            std::vector<VerifiedPair>& out, const std::function<void()>& tell);

  // Verifies what was collected since the last time; join() does when it is much.
  void verify(std::vector<VerifiedPair>& out);

  [[nodiscard]] const JoinCounts& counts() noexcept;

 private:
  void verify_some(std::size_t begin, std::size_t end, std::vector<VerifiedPair>& out);
  [[nodiscard]] bool is_in_scope(const kernels::PostingPair& pair) const;
  [[nodiscard]] bool is_first_shared(const kernels::PostingPair& pair) const;
  [[nodiscard]] kernels::OverlapTask task_of(const kernels::PostingPair& pair) const;
  [[nodiscard]] VerifiedPair found_pair(const kernels::PostingPair& pair,
                                        std::uint32_t shared) const;

  const TokenSets& sets_;
  const PrefixJoin& join_;
  bool is_scoped_;
  kernels::JoinTables tables_;
  std::vector<kernels::Posting> postings_;  // the columns, see kernels::PostingColumns
  std::vector<std::uint32_t> columns_;
  std::vector<kernels::PostingPair> candidates_;
  std::size_t candidate_count_ = 0;
  std::vector<std::uint32_t> tasks_of_;  // candidates that are compared
  std::vector<kernels::OverlapTask> tasks_;
  kernels::PostingCounts scanned_;
  JoinCounts counts_;
};

}  // namespace sosie

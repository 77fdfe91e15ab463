#pragma once

#include <cstdint>
#include <vector>

#include "candidates/parity_signatures.h"
#include "candidates/prefix_index.h"
#include "candidates/prefix_postings.h"
#include "kernels/posting_scan.h"
#include "kernels/token_overlap.h"

namespace sosie {

// What sets of one size may have for partners.
struct SizeBounds {
  std::uint32_t size = 0;
  std::uint32_t least_size = 0;
  std::uint32_t most_size = 0;
  std::vector<std::uint32_t> most_different;  // of partners of least_size .. most_size
  // Of the first shared token in a partner, by its position here; where there is none, no partner
  // can have it.
  std::vector<std::uint32_t> most_positions;

  // `largest`: of all sets to be found.
  void set(const PrefixJoin& join, std::uint32_t new_size, std::uint32_t largest);
};

// Looks sets up in the index and verifies what it finds; belongs to one thread.
class PrefixProber {
 public:
  PrefixProber(const TokenSets& sets, const PrefixJoin& join, bool across,
               const PrefixPostings& index, const kernels::Postings& postings,
               const ParitySignatures& signatures);

  // Looks up some sets of one size, the first of which is `begin`; returns the first of those
  // before `end` that are left. Does not go back: `begin` is not below what another call returned.
  std::uint32_t probe(std::uint32_t begin, std::uint32_t end, std::vector<VerifiedPair>& out);

  [[nodiscard]] const JoinCounts& counts() noexcept;

 private:
  struct Lookup {
    std::uint32_t set;
    std::uint32_t position;
    std::uint32_t token;
    PrefixPostings::List list;
  };

  void probe_in_parts(std::uint32_t set, std::vector<VerifiedPair>& out);
  template <class Each>
  void for_each_token(std::uint32_t set, std::size_t first, std::size_t last,
                      const Each& each) const;
  void prepare(std::uint32_t begin, std::uint32_t end, std::size_t first, std::size_t last);
  void prefetch(std::uint64_t posting) const;
  void look_up(const Lookup& lookup);
  PrefixPostings::List without_small_sets(const Lookup& lookup);
  void add(const Lookup& lookup, std::uint64_t posting);
  void verify(std::uint32_t set, std::vector<VerifiedPair>& out);

  const TokenSets& sets_;
  const PrefixJoin& join_;
  bool across_;
  const PrefixPostings& index_;
  const kernels::Postings& postings_;
  const ParitySignatures& signatures_;
  std::uint32_t largest_;
  SizeBounds sizes_;
  std::vector<std::uint32_t> last_probe_;  // the last set that met this one
  std::vector<std::uint32_t> passed_;      // postings of each list of which the sets are too small
  std::vector<Lookup> lookups_;            // by set
  std::vector<std::uint32_t> survivors_;
  std::vector<std::uint32_t> candidates_;  // of one set
  std::vector<kernels::OverlapTask> tasks_;
  kernels::PostingCounts scanned_;
  JoinCounts counts_;
};

}  // namespace sosie

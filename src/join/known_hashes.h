#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "data/banded_rows.h"
#include "join/measured_pairs.h"
#include "sosie/options.h"

namespace sosie {

class Sketches;

// Vectors or bit strings of a run that files of sketches have hashed already: these are read in
// place of being hashed.
class KnownHashes {
 public:
  // `left_out`: rows of the corpus that take no part, ascending. What it is given outlives this.
  // Throws Error{malformed_input} when a file has not as many items as were sketched.
  KnownHashes(const Options& options, const Inputs& inputs, const Corpus& corpus,
              std::span<const RowId> left_out, ThreadPool& pool);

  // Those of `rows` that must be hashed.
  [[nodiscard]] std::vector<std::uint32_t> unknown(std::span<const std::uint32_t> rows) const;
  // Puts what is known of all known rows in some bands into the table, which holds these bands;
  // `sketches`, unless null: words of all rows. Throws Error{malformed_input} for a damaged block.
  void load(const BandRange& bands, BandedRows& table, std::uint64_t* sketches) const;

 private:
  struct Part {
    const Sketches* sketches;
    RowRange rows;  // of the table
  };

  std::vector<Part> parts_;
  ThreadPool& pool_;
};

}  // namespace sosie

#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/sketches.h"
#include "data/buckets.h"
#include "options/match_part.h"
#include "plan/saved_plan.h"
#include "store/run/saved_overlaps.h"
#include "store/run/saved_pairs.h"

namespace sosie {

// Subject of a part: sketches that are matched, by their plan.
struct PartSubject {
  struct Sketched {
    std::string path;
    std::uint64_t checksum = 0;  // see Sketches::checksums()
  };
  SavedPlan plan;
  std::vector<Sketched> sketches;
  std::uint64_t rows = 0;  // rows of all sketches
};

[[nodiscard]] PartSubject subject_of(const Sketches& sketches);

// Hash of the keys of a band, or of the places and texts of all rows, in all blocks: a part that
// was made of other bytes than the run reads has another one.
struct ColumnHash {
  static constexpr std::uint32_t kRows = ~std::uint32_t{0};
  std::uint32_t band = kRows;
  std::uint64_t hash = 0;

  friend bool operator==(const ColumnHash&, const ColumnHash&) = default;
};

// Verdicts of one part, or of all: rows are numbered as the sketches list them.
struct PartVerdicts {
  std::vector<ColumnHash> columns = {};     // texts, sets and bags
  Buckets buckets = {};                     // likewise: rows that share a key of the part
  std::vector<SavedOverlap> overlaps = {};  // likewise: rows that were compared
  std::vector<SavedPair> pairs = {};        // items that were measured, if they are pairs
  std::vector<SavedPair> far_pairs = {};    // and if they are none
};

// Path of a part in its folder: DIR/3-of-8.part.
[[nodiscard]] std::string part_path(const std::string& folder, const MatchPart& part);

// Makes the folder of parts if it is not there. Throws Error{invalid_option} where the path is
// something else, or the folder holds other files than parts, Error{io}.
void prepare_part_folder(const std::string& folder);

// Writes a part, which appears under its name when it is complete; one that is there is replaced.
// Returns its size. Throws Error{io}.
std::uint64_t write_part(const std::string& folder, const MatchPart& part,
                         const PartSubject& subject, const PartVerdicts& verdicts,
                         const std::atomic<bool>* cancel);

// Throws Error{limit_exceeded} where pairs of a part outgrow their share of --memory, in which they
// stand up to three times until they are written.
void check_memory_of_pairs(std::string_view part, std::uint64_t pairs, std::uint64_t pair_bytes,
                           std::uint64_t memory_bytes);

// The verdicts of all parts in a folder, in the order of their numbers; nothing where their files
// are larger than a quarter of the memory, and are not read. Throws Error{malformed_input} for a
// part that is damaged, is missing, is there twice, or was made of other sketches than the
// subject's, Error{invalid_option} for one of another plan and where the folder holds other files,
// Error{io}.
[[nodiscard]] std::optional<PartVerdicts> read_parts(const std::string& folder,
                                                     const PartSubject& subject,
                                                     std::uint64_t memory_bytes);

}  // namespace sosie

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

// Sketches that a part matches, identified by their plan.
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

// Hash of the keys of a band, or of the places and texts of all rows, over all blocks. It differs
// if a part was made from data other than the run's.
struct ColumnHash {
  static constexpr std::uint32_t kRows = ~std::uint32_t{0};
  std::uint32_t band = kRows;
  std::uint64_t hash = 0;

  friend bool operator==(const ColumnHash&, const ColumnHash&) = default;
};

// Verdicts of one part, or of all parts: rows are numbered as in the list of sketches.
struct PartVerdicts {
  std::vector<ColumnHash> columns = {};     // texts, sets and bags
  Buckets buckets = {};                     // likewise: rows that share a key of the part
  std::vector<SavedOverlap> overlaps = {};  // likewise: rows that were compared
  std::vector<SavedPair> pairs = {};        // measured items that are pairs
  std::vector<SavedPair> far_pairs = {};    // and those that are not
};

// Path of a part in its folder: DIR/3-of-8.part.
[[nodiscard]] std::string part_path(const std::string& folder, const MatchPart& part);

// Creates the folder of parts if it does not exist. Throws Error{invalid_option} if the path is not
// a folder or the folder contains other files, and Error{io}.
void prepare_part_folder(const std::string& folder);

// Writes a part, which appears under its name when it is complete and replaces an existing one.
// Returns its size. Throws Error{io}.
std::uint64_t write_part(const std::string& folder, const MatchPart& part,
                         const PartSubject& subject, const PartVerdicts& verdicts,
                         const std::atomic<bool>* cancel);

// Throws Error{limit_exceeded} if the pairs of a part exceed their share of --memory, which must
// hold up to three copies of them before they are written.
void check_memory_of_pairs(std::string_view part, std::uint64_t pairs, std::uint64_t pair_bytes,
                           std::uint64_t memory_bytes);

// The verdicts of all parts in a folder, in the order of their numbers. Returns nullopt, without
// reading them, if their files exceed a quarter of the memory. Throws Error{malformed_input} for a
// part that is damaged, missing, duplicated, or made from sketches other than the subject's;
// Error{invalid_option} for a part with another plan and if the folder contains other files;
// Error{io}.
[[nodiscard]] std::optional<PartVerdicts> read_parts(const std::string& folder,
                                                     const PartSubject& subject,
                                                     std::uint64_t memory_bytes);

}  // namespace sosie

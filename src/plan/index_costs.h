#pragma once

#include <cstdint>

namespace sosie {

// The items of a planned on-disk index: averages per item of what its files contain
// (docs/formats/index.md), and the cost of producing it.
struct PlannedIndex {
  double items = 0;               // number of them
  int keys = 0;                   // not counting the key of its id; 0: look-ups read every item
  int key_bits = 32;              // stored for each of them
  double id_bytes = 8;            // assumed if unknown; 0: items are numbered
  double id_bytes_in_common = 0;  // with the item before; these are not stored
  double filter_bytes = 0;        // filter signature
  double element_bytes = 0;       // elements, or components, bits or characters
  double held_bytes = 0;          // in memory until the build ends; 0: not kept
  double make_ns = 0;             // to read an item and compute its keys
  double candidate_part = 0;      // share of the items verified by a look-up, found by chance
};

// Predicted costs of an index.
struct IndexCosts {
  double item_bytes = 0;  // on disk, including keys
  double key_bytes = 0;   // share of the keys in it
  double bytes = 0;       // the whole folder
  double build_cpu_seconds = 0;
  double build_peak_bytes = 0;
  double open_bytes = 0;           // memory of a process that keeps it open
  double candidates = 0;           // verified by a look-up
  double look_up_cpu_seconds = 0;  // if everything read is in the page cache
  double indexes = 1;              // an index holds 2^32 - 1 items; each is searched
};

// Predicts the costs for this number of items and bytes of memory, with a single thread, from
// compiled-in constants for a processor that computes md5 at kMegabytesOfMd5.
[[nodiscard]] IndexCosts index_costs(const PlannedIndex& planned, double items,
                                     std::uint64_t memory_bytes) noexcept;

}  // namespace sosie

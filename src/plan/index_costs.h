#pragma once

#include <cstdint>

namespace sosie {

// Items of an index on disk as they are planned: means of what its files hold of one
// (docs/formats/index.md), and what it costs to make that.
struct PlannedIndex {
  double items = 0;           // number of them
  int keys = 0;               // besides that of its name; 0: look-ups read every item
  double id_bytes = 8;        // assumed where nobody has seen them; 0: they are numbered
  double filter_bytes = 0;    // filter signature
  double element_bytes = 0;   // elements, or components, bits or characters
  double held_bytes = 0;      // in memory until the build ends; 0: rows pass through
  double make_ns = 0;         // to read an item and to make its keys
  double candidate_part = 0;  // part of the items that a look-up verifies, found by chance
};

// Predicted costs of an index.
struct IndexCosts {
  double item_bytes = 0;  // on disk, keys counted
  double key_bytes = 0;   // the keys' part
  double bytes = 0;       // the whole folder
  double build_cpu_seconds = 0;
  double build_peak_bytes = 0;
  double open_bytes = 0;           // memory of a process that keeps it open
  double candidates = 0;           // a look-up verifies them
  double look_up_cpu_seconds = 0;  // all that is read is in the page cache
  double indexes = 1;              // an index holds 2^32 - 1 items; each is asked
};

// For so many items, in memory of so many bytes, by one thread. From compiled-in constants, for a
// processor that computes md5 at kMegabytesOfMd5.
[[nodiscard]] IndexCosts index_costs(const PlannedIndex& planned, double items,
                                     std::uint64_t memory_bytes) noexcept;

}  // namespace sosie

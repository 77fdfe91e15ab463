#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "candidates/partner_elements.h"
#include "corpus/inputs.h"
#include "corpus/scan.h"
#include "corpus/spill/spilled_copies.h"
#include "plan/set_costs.h"

namespace sosie {

// The smaller of two collections, read before an exact join that needs only pairs across both.
struct SmallSide {
  std::unique_ptr<PartnerElements> elements;
  ScannedRows larger = ScannedRows::own;  // the collection whose rows are looked up in them
  RowsWithPartners of_smaller = {};  // while no row of the larger one is known to have a partner
};

// Reads the smaller collection if an exact join is possible and the other collection is so much
// larger that it is worthwhile to detect its rows without a partner; otherwise returns null.
[[nodiscard]] std::unique_ptr<SmallSide> read_small_side(VerbBit verb, const Options& options,
                                                         const Settings& settings,
                                                         const Inputs& inputs,
                                                         const RunTools& tools);

}  // namespace sosie

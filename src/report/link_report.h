#pragma once

#include <string>

#include "report/link_sample.h"
#include "report/link_table.h"
#include "sosie/options.h"

namespace sosie {

// The page of `link --report`: the page of `sosie serve` with the run included, in a single file of
// at most 5 MB. Without scripts, it shows the counts, the pairs closest to the decision, and the
// command. Data that differ from run to run appear only in the element with id "resources". `facts`
// must be complete.
[[nodiscard]] std::string link_report(const Options& options, const LinkFacts& facts,
                                      const LinkSample& sample);

}  // namespace sosie

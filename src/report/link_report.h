#pragma once

#include <string>

#include "report/link_sample.h"
#include "report/link_table.h"
#include "sosie/options.h"

namespace sosie {

// The page of `link --report`: the page of `sosie serve` with the run in it, in one file of at most
// 5 MB. Where no script runs it shows the counts, the pairs nearest the decision, and the command.
// What differs from run to run stands in the element of id "resources" alone. `facts`: complete.
[[nodiscard]] std::string link_report(const Options& options, const LinkFacts& facts,
                                      const LinkSample& sample);

}  // namespace sosie

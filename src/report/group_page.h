#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/run_groups.h"
#include "report/run_rows.h"
#include "store/run/run_decisions.h"
#include "store/run/run_folder.h"

// Views of a saved run as JSON objects. docs/serve-run.md describes the fields.
namespace sosie {

[[nodiscard]] std::string run_info(const RunFolder& run, const RunGroups& groups,
                                   const RunDecisions& decisions, bool read_only);

// If a threshold and a recall are given, the curve of a plan for them comes first. Throws
// Error{invalid_option} for invalid numbers, and Error{unsupported} if no plan reaches the recall.
[[nodiscard]] std::string run_histogram(const RunFolder& run, const std::string& threshold,
                                        const std::string& recall);

// Names and values of the options given to the run. Throws Error{malformed_input}.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> given_options(const RunFolder& run);

[[nodiscard]] std::string groups_page(const RunFolder& run, RunGroups& groups,
                                      const RunDecisions& decisions, const GroupsAsked& asked);

// Rows [offset, offset + limit) of a group, which must exist. Each row is compared with the kept
// row.
struct MembersAsked {
  std::size_t group = 0;
  std::uint64_t offset = 0;
  std::uint64_t limit = 20;
};
[[nodiscard]] std::string group_page(const RunFolder& run, const RunGroups& groups,
                                     const RunDecisions& decisions, RunRows& rows,
                                     const MembersAsked& asked);

}  // namespace sosie

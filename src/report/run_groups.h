#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sosie/saved_run.h"
#include "store/run/run_decisions.h"
#include "store/run/run_folder.h"

namespace sosie {

// Selects and sorts the groups of a saved run. The latest result is cached, so that its other pages
// cost nothing. Not thread-safe.
class RunGroups {
 public:
  RunGroups(const RunFolder& run, const RunDecisions& decisions)
      : run_(run), decisions_(decisions) {}

  // The numbers of all requested groups, in the requested order (ties: input order). Throws
  // Error{invalid_option} for an unknown sort, state or source.
  [[nodiscard]] const std::vector<std::uint32_t>& select(const GroupsAsked& asked);
  // For each group, true if its line or one of its ids contains the text.
  [[nodiscard]] std::vector<bool> with_text(const std::string& text) const;
  // Number of groups by source.
  [[nodiscard]] std::vector<std::uint64_t> by_source() const;
  // The sources of a group, by name.
  [[nodiscard]] std::vector<std::string> sources_of(const RunGroup& group) const;

 private:
  [[nodiscard]] std::uint64_t source_bits(const std::string& name) const;
  [[nodiscard]] bool has_state(const std::string& state, std::size_t group) const;
  void keep_with_text(const std::string& text, std::vector<std::uint32_t>& groups) const;
  void sort_by(const std::string& sort, std::vector<std::uint32_t>& groups) const;

  const RunFolder& run_;
  const RunDecisions& decisions_;
  std::string last_asked_;  // empty: nothing yet
  std::vector<std::uint32_t> last_;
};

}  // namespace sosie

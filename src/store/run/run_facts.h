#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/run/run_folder.h"

namespace sosie {

// Size and XXH3 of a table in the folder.
struct TableSum {
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

struct RunSums {
  TableSum groups;
  TableSum members;
  TableSum texts;

  // Name of this very run, by which decisions know it again.
  [[nodiscard]] std::string mark() const;
};

inline constexpr const char* kDecisionsName = "decisions.jsonl";
// First line of that file; `mark`: of the run.
[[nodiscard]] std::string decisions_head(const std::string& mark);

// Content of run.json.
[[nodiscard]] std::string run_facts_json(const RunFacts& facts, const RunSums& sums);

// The facts again, and `sums`. Throws Error{malformed_input} that names `path` for what
// RunFolderWriter never writes, Error{unsupported} for another version.
[[nodiscard]] RunFacts run_facts_of(std::string_view text, const std::string& path, RunSums& sums);

}  // namespace sosie

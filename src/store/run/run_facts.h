#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/input_list.h"

namespace sosie {

inline constexpr int kRunVersion = 1;      // runs of `dedup --save`
inline constexpr int kLinkRunVersion = 2;  // runs of `link --save`, which have pairs, too

// Everything of a run besides its groups.
struct RunFacts {
  std::vector<InputFile> files;  // --against's in front
  std::uint32_t first_own_file = 0;
  std::vector<std::string> sources;  // headings of the summary, --against's behind them
  // Options that rows are read by, as given.
  std::vector<std::pair<std::string, std::string>> options;
  std::string kind;
  std::string id_field;  // empty: rows are numbered
  std::string against_id;
  std::vector<std::string> rank_fields;
  std::string value_name = "similarity";
  bool is_similarity = true;
  double bound = 0;          // threshold, or maximum distance
  bool is_chained = false;   // groups are connected components
  bool is_of_links = false;  // a run of link: of records, and with pairs
  // Columns of a run of link side by side: of its own rows, and of --against; empty: there is none.
  std::vector<std::pair<std::string, std::string>> columns = {};
  std::string overview;  // a JSON object: what the page shows of the whole run
};

// Names of options that say how rows are read, which RunFacts::options may hold.
[[nodiscard]] constexpr std::array<std::string_view, 8> run_reading_options() noexcept {
  return {"encoding",  "shingle", "tokens",       "ratings",
          "represent", "column",  "other-column", "other-encoding"};
}

// Size and XXH3 of a table in the folder.
struct TableSum {
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

struct RunSums {
  TableSum groups;
  TableSum members;
  TableSum texts;
  TableSum pairs = {};  // in runs of link alone

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

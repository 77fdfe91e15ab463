#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/label_basis.h"
#include "options/input_list.h"

namespace sosie {

inline constexpr int kRunVersion = 1;      // runs of `dedup --save`
inline constexpr int kLinkRunVersion = 2;  // runs of `link --save`, which have pairs, too

// Everything about a run except its groups.
struct RunFacts {
  std::vector<InputFile> files;  // --against's first
  std::uint32_t first_own_file = 0;
  std::vector<std::string> sources;  // headings of the summary, --against's last
  // Options for reading rows, as given.
  std::vector<std::pair<std::string, std::string>> options;
  std::string kind;
  std::string id_field;  // empty: rows are numbered
  std::string against_id;
  std::vector<std::string> rank_fields;
  std::string value_name = "similarity";
  bool is_similarity = true;
  double bound = 0;          // threshold, or maximum distance
  bool is_chained = false;   // groups are connected components
  bool is_of_links = false;  // a run of link: on records, and with pairs
  // Columns of a run of link side by side: of its own rows, and of --against; empty: none.
  std::vector<std::pair<std::string, std::string>> columns = {};
  std::string overview;  // a JSON object: the page's data on the whole run
  // Only for runs of link with a model; saved in a file of its own.
  std::optional<LabelBasis> estimate = {};
};

// Names of options for reading rows, which RunFacts::options may contain.
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
  TableSum pairs = {};                    // only in runs of link
  std::optional<TableSum> estimate = {};  // only in some of them, and not in older ones

  // Unique name of this run, by which decisions recognise it.
  [[nodiscard]] std::string mark() const;
};

inline constexpr const char* kDecisionsName = "decisions.jsonl";
// First line of that file; `mark`: of the run.
[[nodiscard]] std::string decisions_head(const std::string& mark);

// Content of run.json.
[[nodiscard]] std::string run_facts_json(const RunFacts& facts, const RunSums& sums);

// The inverse of run_facts_json(): returns the facts and fills in `sums`. Throws
// Error{malformed_input} with `path` for anything that RunFolderWriter never writes, and
// Error{unsupported} for another version.
[[nodiscard]] RunFacts run_facts_of(std::string_view text, const std::string& path, RunSums& sums);

}  // namespace sosie

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sosie {

// The page of `sosie serve` as a single file that includes its data. Without scripts, it shows the
// summary and the pairs. Texts are unescaped; the page escapes and shortens them.
struct OfflinePage {
  struct Row {
    std::string id;
    std::string file = {};  // empty: not shown
    std::uint64_t row = 0;
  };
  struct Pair {
    std::string value;  // the measure's value, and why the pair is shown
    Row left;
    Row right;
  };
  std::string title;  // "what was kept and removed"
  std::string heading;
  std::vector<std::string> inputs;  // names
  std::string resources;            // date, time and memory, which differ from run to run
  std::vector<std::pair<std::string, std::string>> counts;  // names and values
  std::string claim;                                        // sentences
  std::string version;
  std::string command;
  std::string pairs_title;
  std::string value_name;
  std::string left_name;
  std::string right_name;
  std::vector<Pair> pairs;
  std::string data;  // JSON
};

// A self-contained HTML page. Its content security policy allows only its own script and no
// requests, regardless of what the documents contain.
[[nodiscard]] std::string offline_page(const OfflinePage& page);

// JSON with escapes for characters that are invisible or could end its <script>.
[[nodiscard]] std::string script_json(std::string_view json);

}  // namespace sosie

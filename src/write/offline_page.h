#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sosie {

// The page of `sosie serve` in one file, with what it shows in it. Where no script runs, it shows
// the summary and the pairs. Texts are as they stand in the data; the page escapes and cuts them.
struct OfflinePage {
  struct Row {
    std::string id;
    std::string file = {};  // empty: not told
    std::uint64_t row = 0;
  };
  struct Pair {
    std::string value;  // value of the measure, and why the pair is shown
    Row left;
    Row right;
  };
  std::string title;  // "what was kept and removed"
  std::string heading;
  std::vector<std::string> inputs;  // names
  std::string resources;            // date, time and memory, which differ from run to run
  std::vector<std::pair<std::string, std::string>> counts;  // name and value
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

// One HTML page that needs nothing but itself. Its policy lets its own script run and no other, and
// no request go out, whatever a document smuggled in.
[[nodiscard]] std::string offline_page(const OfflinePage& page);

// JSON that neither ends its <script> nor holds what cannot be seen: such characters are escaped.
[[nodiscard]] std::string script_json(std::string_view json);

}  // namespace sosie

// Reads forged rules, weights and nicknames for `sosie link`; the first byte selects which of
// these. Either the file is rejected, or every record is in exactly one group, and scores and
// probabilities are numbers.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "fuzz/small_run.h"
#include "options/link_rules.h"
#include "sosie/link.h"

namespace {

using namespace sosie;
using fuzz::require;
using fuzz::SmallRun;

constexpr std::string_view kRules = R"(version = 1
[fields]
name = { compare = "jaro-winkler", levels = [0.9], frequency = true, nicknames = "x.csv" }
born = { compare = "damerau", levels = [1] }
city = { compare = "levenshtein", levels = [1] }
[candidates]
rules = [{ near = ["name", "born"], top = 5 }, { equal = ["city"] }]
[score]
together = [["born", "city"]]
)";

std::string people() {
  std::string rows = "id,name,born,city\n";
  for (int row = 0; row < fuzz::kSmallRows; ++row) {
    const int person = row / 2;
    rows += fmt::format("p{},{} m{},19{:02}{},c{}\n", row, person % 3 == 0 ? "bill" : "ann", person,
                        40 + person, row % 2 == 0 ? "" : "1", person % 5);
  }
  return rows;
}

bool is_probability(double value) { return value >= 0 && value <= 1; }

// Groups within one collection, or links between two equal ones.
void link_by(const std::string& rules, bool across) {
  Options options = SmallRun::options();
  options.dry_run = false;
  options.inputs = {"people.csv"};
  if (across) options.against = {"people.csv"};
  options.rules = rules;
  LinkedRows found;
  found.wants_pairs = !across;
  const RunReport report = link_rows(options, {}, found);
  require(report.rows == (across ? 2U : 1U) * fuzz::kSmallRows);
  for (const double score : found.score) require(!std::isnan(score));
  for (const double part : found.probability) require(part == -1 || is_probability(part));
  if (across) return;
  require(found.record.size() == fuzz::kSmallRows);
  for (std::size_t i = 0; i < found.record.size(); ++i) {
    require(found.record[i] == i && found.cluster[i] <= i && found.size[i] >= 1);
    require(found.size[i] == 1 || is_probability(found.weakest[i]));
  }
}

// Rules that have been read are written unchanged.
void read_twice(std::string_view text) {
  const LinkRules rules = parse_link_rules(text, "x.toml");
  const std::string written = link_rules_text(rules, {});
  require(link_rules_text(parse_link_rules(written, "x.toml"), {}) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const SmallRun run;
  const SmallRun::Inside inside(run.folder());
  if (static bool is_first = true; is_first) {
    is_first = false;
    SmallRun::write("people.csv", people());
  }
  fuzz::Input input(data, size);
  const unsigned what = input.byte();
  const bool across = (what & 8) != 0;
  std::string rules(kRules);
  std::string_view nicknames = "bill,william\n";
  switch (what % 3) {
    case 0:
      rules = input.rest();
      SmallRun::runs([&] { read_twice(rules); });
      break;
    case 1:
      rules += "model = \"x.json\"\n";
      SmallRun::write("x.json", input.rest());
      break;
    default:
      nicknames = input.rest();
  }
  SmallRun::write("x.csv", nicknames);
  SmallRun::write("x.toml", rules);
  SmallRun::runs([&] { link_by("x.toml", across); });
  return 0;
}

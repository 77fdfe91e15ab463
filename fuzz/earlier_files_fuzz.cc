// Reads forged plans, pairs files and clusters files. The first byte selects the kind and format of
// the file. Either the file is rejected, or every row of the run is kept or removed.
#include <fcntl.h>

#include <array>
#include <string>

#include "fuzz/in_place_mutator.h"
#include "fuzz/small_run.h"

namespace {

using namespace sosie;
using fuzz::require;
using fuzz::SmallRun;

constexpr std::array<const char*, 3> kFormats = {"x.tsv", "x.csv", "x.jsonl"};

void group(const std::string& name, bool chain) {
  static const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  Options options = SmallRun::options();
  options.inputs = {name};
  options.clustering = chain ? "components" : "star";
  RunHooks hooks;
  hooks.result_descriptor = nowhere;
  const RunReport report = cluster(options, hooks);
  // A file of groups has no pairs; at least half of the rows in a group of two are removed.
  const std::uint64_t most = 2 * (report.pairs == 0 ? report.removed : report.pairs);
  require(report.removed <= report.rows && report.rows <= most);
}

void reuse(const std::string& name, bool chain) {
  Options options = SmallRun::options();
  options.inputs = {"in.jsonl"};
  options.reuse = {name};
  options.clustering = chain ? "components" : "star";
  const RunReport report = dedup(options);
  require(report.rows == fuzz::kSmallRows && report.kept + report.removed == report.rows);
}

void take_plan() {
  Options options = SmallRun::options();
  options.inputs = {"in.jsonl"};
  options.plan = "x.json";
  set_option(options, "method", "lsh");
  const RunReport report = dedup(options);
  require(report.rows == fuzz::kSmallRows && report.kept + report.removed == report.rows);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return sosie::fuzz::mutate_in_place(data, size, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const SmallRun run;
  const SmallRun::Inside inside(run.folder());
  fuzz::Input input(data, size);
  const unsigned what = input.byte();
  const bool chain = (what & 8) != 0;
  if (what % 4 == 3) {
    SmallRun::write("x.json", input.rest());
    SmallRun::runs(take_plan);
    return 0;
  }
  const std::string name = kFormats[what % 4];
  SmallRun::write(name, input.rest());
  SmallRun::runs([&] { group(name, chain); });
  SmallRun::runs([&] { reuse(name, chain); });
  return 0;
}

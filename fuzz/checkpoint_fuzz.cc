// Resumes from a forged checkpoint folder whose checksums are all correct. The first byte selects
// the file that the rest of the input replaces. The first record of `rows` and `compared` may be
// the run's own, so that later records are read. Whatever the files contain, the run must not
// crash, and every row must be kept or removed.
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "fuzz/small_run.h"

namespace {

using namespace sosie;
using fuzz::require;
using fuzz::SmallRun;

using Head = std::array<std::uint64_t, 3>;  // header of a record, see src/io/journal.h

Head head_at(const std::string& bytes, std::size_t at) {
  Head head{};
  std::memcpy(head.data(), bytes.data() + at, sizeof head);
  return head;
}

// Corrects the checksums of all records. The last record ends with the file.
void repair(std::string& bytes) {
  for (std::size_t at = 0; bytes.size() - at >= sizeof(Head);) {
    const std::size_t rest = bytes.size() - at - sizeof(Head);
    Head head = head_at(bytes, at);
    head[0] = std::min<std::uint64_t>(head[0], rest);
    head[1] = XXH3_64bits(bytes.data() + at + sizeof(Head), head[0]);
    head[2] = XXH3_64bits_withSeed(head.data(), 2 * sizeof(std::uint64_t), at);
    std::memcpy(bytes.data() + at, head.data(), sizeof head);
    at += sizeof(Head) + head[0];
  }
}

std::string first_record(const std::string& bytes) {
  return bytes.substr(0, sizeof(Head) + head_at(bytes, 0)[0]);
}

Options options() {
  Options options = SmallRun::options();
  options.inputs = {"in.jsonl"};
  options.checkpoint = "kept";
  set_option(options, "method", "lsh");
  return options;
}

void forget() {
  std::error_code none;
  std::filesystem::remove_all("kept", none);
  std::filesystem::create_directory("kept");
}

// The folder and outputs of an undisturbed run.
struct Kept {
  SmallRun run;
  std::string rows;
  std::string compared;

  Kept() {
    const SmallRun::Inside inside(run.folder());
    forget();
    (void)dedup(options());
    rows = SmallRun::read("kept/rows");
    compared = SmallRun::read("kept/compared");
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Kept kept;
  const SmallRun::Inside inside(kept.run.folder());
  fuzz::Input input(data, size);
  const unsigned what = input.byte();
  const bool of_rows = what % 2 == 0;
  const std::string& whole = of_rows ? kept.rows : kept.compared;
  std::string bytes = (what & 2) != 0 ? std::string() : first_record(whole);
  bytes += input.rest();
  if ((what & 4) == 0) repair(bytes);
  forget();
  SmallRun::write("kept/rows", of_rows ? bytes : kept.rows);
  SmallRun::write("kept/compared", of_rows ? kept.compared : bytes);
  SmallRun::runs([] {
    const RunReport report = dedup(options());
    require(report.rows == fuzz::kSmallRows && report.kept + report.removed == report.rows);
  });
  return 0;
}

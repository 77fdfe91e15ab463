// Rows that are (set, element) pairs are put together as plain maps would, and every row of the
// file is a member of its set; or the first row that cannot be read is named. The first byte
// chooses the format, the delimiter, whether there is a header, and whether there are weights.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "corpus/grouped_rows.h"
#include "fuzz/input.h"
#include "io/record_file.h"
#include "options/settings.h"
#include "sosie/error.h"

namespace {

using namespace sosie;
using fuzz::require;

Options options_for(std::size_t choice, const File& file) {
  Options options;
  options.inputs = {"/proc/self/fd/" + std::to_string(file.descriptor())};
  options.format = std::array{"jsonl", "csv", "tsv"}[choice % 3];
  if ((choice & 4) != 0 && options.format != "jsonl") options.delimiter = ";";
  options.no_header = (choice & 8) != 0 && options.format != "jsonl";
  options.group_by = options.no_header ? "1" : "s";
  options.element = options.no_header ? "2" : "e";
  if ((choice & 16) != 0) options.weight = options.no_header ? "3" : "w";
  options.kind = options.weight.empty() ? "sets" : "bags";
  if (!options.weight.empty()) options.measure = "bag-jaccard";
  options.threads = 1;
  return options;
}

void check(const Inputs& inputs, std::uint64_t file_bytes) {
  const GroupedRows& grouped = *inputs.grouped;
  RowStream stream(inputs.source(0));
  std::uint32_t sets = 0;
  for (RowView row; stream.next(row);) ++sets;
  ColumnReader<GroupedRows::Member> members(grouped.members);
  require(grouped.ends.size() == 1 && grouped.ends[0] == grouped.members.size());
  std::uint64_t end = 0;
  std::uint32_t most = 0;
  for (std::uint64_t i = 0; i < grouped.members.size(); ++i) {
    const GroupedRows::Member& member = members[i];
    require(member.offset >= end);
    end = member.offset + member.length;
    require(end <= file_bytes);
    require(member.set <= most);  // sets are numbered by their first rows
    if (member.set == most) ++most;
  }
  require(most == sets);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::size_t choice = input.byte();
  const File file = fuzz::file_of(input.rest());
  const Options options = options_for(choice, file);
  Scratch scratch("/tmp");
  ThreadPool pool(1, nullptr);
  try {
    const Inputs inputs = open_inputs(options, resolve(options), scratch, pool, RunHooks{});
    check(inputs, input.rest().size());
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::malformed_input);
  }
  return 0;
}

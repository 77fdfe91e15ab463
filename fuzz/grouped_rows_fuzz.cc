// Rows that are (set, element) pairs are combined in the same way as plain lists, down to the last
// byte of each element, and every row of the file is a member of its set. Otherwise, the error
// names the first unreadable row. The first byte selects the format, the delimiter, and whether
// there are a header and weights.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "corpus/rows/grouped_rows.h"
#include "data/kinds.h"
#include "fuzz/input.h"
#include "io/record_file.h"
#include "options/settings.h"
#include "read/element_list.h"
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
  options.kind = options.weight.empty() ? kSetItems : kBagItems;
  if (!options.weight.empty()) options.measure = "bag-jaccard";
  options.threads = 1;
  return options;
}

struct Set {
  std::string id;
  std::string lines;  // its elements, as ElementList writes them

  bool operator==(const Set&) const = default;
};

// The sets, with each member's row read from its place.
std::vector<Set> sets_of_members(const Inputs& inputs, const Options& options) {
  const GroupedRows& grouped = *inputs.grouped;
  const Format& format = *grouped.files.list[0].format;
  FieldRequest request;
  request.id = options.group_by;
  request.others.push_back(options.element);
  if (!options.weight.empty()) request.others.push_back(options.weight);
  request.dialect = format.dialect;
  const auto parser = format.make_parser(request, grouped.files.headers[0].names);
  ElementList elements({});
  Record record;
  PaddedBytes row;
  std::vector<Set> sets;
  ColumnReader<GroupedRows::Member> members(grouped.members);
  for (std::uint64_t i = 0; i < grouped.members.size(); ++i) {
    const GroupedRows::Member& member = members[i];
    std::string bytes(member.length, '\0');
    grouped.files.files[0].read_at(member.offset, bytes.data(), bytes.size());
    if (bytes.ends_with('\n')) bytes.pop_back();
    if (bytes.ends_with('\r')) bytes.pop_back();
    row.assign(bytes);
    parser->parse(row.view(), record);
    std::optional<double> weight;
    if (!options.weight.empty()) weight = static_cast<double>(record.others[1].number);
    if (member.set == sets.size()) sets.push_back({std::string(record.id), ""});
    require(sets[member.set].id == record.id);
    sets[member.set].lines += elements.from_pair(record.others[0].text, weight, options.weight);
  }
  return sets;
}

std::vector<Set> sets_in_scratch(const Inputs& inputs) {
  FieldRequest request;
  request.column = "elements";
  request.id = "id";
  const auto parser = set_row_format().make_parser(request, {});
  Record record;
  RowStream stream(inputs.source(0));
  std::vector<Set> sets;
  for (RowView row; stream.next(row);) {
    parser->parse(row.bytes, record);
    sets.push_back({std::string(record.id), std::string(record.text)});
  }
  return sets;
}

void check(const Inputs& inputs, const Options& options, std::uint64_t file_bytes) {
  const GroupedRows& grouped = *inputs.grouped;
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
  require(sets_in_scratch(inputs) == sets_of_members(inputs, options));
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
    check(inputs, options, input.rest().size());
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::malformed_input);
  }
  return 0;
}

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "pipeline/corpus.h"
#include "sosie/error.h"

namespace sosie {
namespace {

File open_one(const InputFile& input, const Settings& settings, const RunHooks& hooks) {
  if (input.path == "-") {
    return spool(hooks.input_descriptor, input.name, settings.scratch, hooks.cancel);
  }
  File file(input.path);
  if (file.is_regular()) return file;
  return spool(file.descriptor(), input.name, settings.scratch, hooks.cancel);
}

// Fields of the first row there is; nothing when there is no row or none has fields.
std::vector<std::string> first_row_fields(const Inputs& inputs) {
  constexpr std::uint64_t kFirstBlock = 1 << 16;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const Format& format = *inputs.list[i].format;
    for (const BlockRange& range : cut_into_blocks({&inputs.files[i], 1}, kFirstBlock)) {
      BlockReader reader;
      reader.open(inputs.files[i], range);
      for (RowView row; reader.next(row);) {
        const bool blank = row.bytes.find_first_not_of(" \t\r") == std::string_view::npos;
        if (!blank || format.blank_lines_are_rows) return format.field_names(row.bytes);
      }
    }
  }
  return {};
}

void choose_id(Inputs& inputs, const std::string& asked) {
  const bool fields = std::all_of(inputs.list.begin(), inputs.list.end(),
                                  [](const InputFile& input) { return input.format->has_fields; });
  if (asked == "row" || (asked.empty() && !fields)) {
    inputs.ids_are_rows = true;
  } else if (!asked.empty()) {
    if (!fields) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("--id {}: an input without fields has no ids", asked),
                  "say --id row");
    }
    inputs.fields.id = asked;
  } else {
    const std::vector<std::string> names = first_row_fields(inputs);
    inputs.ids_are_rows = std::find(names.begin(), names.end(), "id") == names.end();
    if (!inputs.ids_are_rows) inputs.fields.id = "id";
  }
}

}  // namespace

Inputs open_inputs(const Options& options, const Settings& settings, const RunHooks& hooks) {
  InputList list = list_inputs(options.inputs, options.format);
  Inputs inputs;
  inputs.list = std::move(list.files);
  inputs.passed_over = std::move(list.passed_over);
  for (const InputFile& input : inputs.list) {
    inputs.files.push_back(open_one(input, settings, hooks));
  }
  inputs.fields.column = options.column;
  for (const KeepRule& rule : settings.keep) {
    if (!rule.field.empty()) inputs.fields.others.push_back(rule.field);
  }
  choose_id(inputs, options.id);
  return inputs;
}

std::string place_of_row(const Inputs& inputs, const RowLocator& locator) {
  const File& file = inputs.files[locator.file];
  std::uint64_t line = 1;
  std::vector<char> buffer(std::size_t{1} << 20);
  for (std::uint64_t at = 0; at < locator.offset;) {
    const std::size_t size = std::min<std::uint64_t>(buffer.size(), locator.offset - at);
    file.read_at(at, buffer.data(), size);
    line += static_cast<std::uint64_t>(std::count(buffer.data(), buffer.data() + size, '\n'));
    at += size;
  }
  return fmt::format("{}:{}", inputs.list[locator.file].name, line);
}

}  // namespace sosie

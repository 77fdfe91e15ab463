// Collects the rows of each set for --group-by, and writes and parses them as rows of sets.
#include "corpus/rows/grouped_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/size_text.h"
#include "corpus/bad_row.h"
#include "corpus/row_parsers.h"
#include "data/kinds.h"
#include "data/padded_bytes.h"
#include "read/element_list.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kBytesPerSet = 160;  // bytes of a set besides its id twice and its row
constexpr std::uint64_t kRowsPerCheck = 4096;

// The sets of one collection.
class Grouping {
 public:
  Grouping(const Options& options, const Settings& settings, ThreadPool& pool, const Inputs& inputs,
           RecordFile& members)
      : options_(options),
        settings_(settings),
        pool_(pool),
        inputs_(inputs),
        members_(members),
        elements_(settings.elements) {
    request_.id = options.group_by;
    request_.others.push_back(options.element);
    if (!options.weight.empty()) request_.others.push_back(options.weight);
  }

  void read(std::uint32_t file) {
    const Format& format = *inputs_.list[file].format;
    request_.dialect = format.dialect;
    const auto parser = format.make_parser(request_, inputs_.headers[file].names);
    RepeatedHeaders headers(inputs_);
    RowStream stream(inputs_.source(file));
    Record record;
    std::uint64_t rows = 0;
    for (RowView row; stream.next(row);) {
      if (format.is_blank != nullptr && format.is_blank(row.bytes)) continue;
      if (++rows % kRowsPerCheck == 0) pool_.check_cancelled();
      std::string_view way = "remove such rows; --group-by cannot skip them";
      try {
        headers.refuse(file, row.bytes);
        way = "--group-by, --element and --weight name the fields";
        parser->parse(row.bytes, record);
        const GroupedRows::Member member{row.offset, row.length, add(record)};
        members_.append(&member, 1);
      } catch (const RowError& error) {
        throw_bad_row(inputs_,
                      {{row.offset, row.length, file}, row.offset + error.offset(), error.what()},
                      std::string(way));
      }
    }
  }

  File write(ScratchFile& out, const std::string& name) const {
    const std::uint64_t begin = out.size();
    for (const std::string& row : rows_) out.append(row + '\n');
    return out.section(begin, name);
  }

 private:
  // Returns the number of the record's set.
  std::uint32_t add(const Record& record) {
    const std::string_view element = element_of(record.others[0]);
    const std::string_view lines = elements_.from_pair(element, weight_of(record), options_.weight);
    const auto [at, added] = numbers_.try_emplace(std::string(record.id), rows_.size());
    if (added) {
      rows_.push_back(begin_set_row(record.id, record.id_is_integer));
      bytes_ += kBytesPerSet + 2 * record.id.size();
    }
    add_to_set_row(lines, rows_[at->second]);
    bytes_ += lines.size();
    if (bytes_ <= settings_.memory_bytes / 2) return static_cast<std::uint32_t>(at->second);
    throw Error(ErrorKind::limit_exceeded, RefusedOption{"group-by"},
                fmt::format("the sets take more than half of --memory {}",
                            limit_text(settings_.memory_bytes)),
                "raise --memory");
  }

  [[nodiscard]] std::string_view element_of(const FieldValue& value) const {
    using Kind = FieldValue::Kind;
    if (value.kind == Kind::missing) {
      throw RowError(fmt::format("field '{}' is missing", options_.element));
    }
    if (value.kind == Kind::other) {
      throw RowError(fmt::format("field '{}' is {}; an element is a string or a number",
                                 options_.element, value.text));
    }
    return value.text;
  }

  [[nodiscard]] std::optional<double> weight_of(const Record& record) const {
    if (options_.weight.empty()) return std::nullopt;
    const FieldValue& value = record.others[1];
    if (value.kind == FieldValue::Kind::missing) {
      throw RowError(fmt::format("field '{}' is missing", options_.weight));
    }
    const auto weight = static_cast<double>(value.number);
    if (value.kind != FieldValue::Kind::number || !std::isfinite(weight)) {
      throw RowError(fmt::format("field '{}' is '{}', not a number", options_.weight, value.text));
    }
    return weight;
  }

  const Options& options_;
  const Settings& settings_;
  ThreadPool& pool_;
  const Inputs& inputs_;
  RecordFile& members_;
  FieldRequest request_;
  ElementList elements_;
  std::unordered_map<std::string, std::size_t> numbers_;  // numbers of sets, by id
  std::vector<std::string> rows_;                         // sets as rows of set_row_format()
  std::uint64_t bytes_ = 0;
};

constexpr char kInteger = 'i';
constexpr char kText = 't';

// Line feeds and backslashes in elements are already escaped (read/element_list.h), so a tab can be
// written as "\t", and a carriage return, which might be taken for part of the row's end, as "\r".
void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out += c;
    }
  }
}

bool is_escaped_here(char letter) { return letter == 't' || letter == 'r'; }
char unescaped(char letter) { return letter == 't' ? '\t' : '\r'; }

class SetRowParser final : public RowParser {
 public:
  explicit SetRowParser(const FieldRequest& request) : others_(request.others.size()) {}

  void parse(std::string_view row, Record& out) override {
    const std::size_t id_end = std::min(row.find('\t'), row.size());
    id_.clear();
    read_id(row.substr(1, id_end - 1));
    out.id = id_;
    out.id_is_integer = row.front() == kInteger;
    read_elements(row.substr(id_end));
    out.text = padded_.view();
    out.others.assign(others_, {});
  }

 private:
  void read_id(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        id_ += text[i];
        continue;
      }
      const char escaped = text[++i];
      id_ += escaped == 'n' ? '\n' : is_escaped_here(escaped) ? unescaped(escaped) : '\\';
    }
  }

  // Turns "\tONE\tTWO" into "ONE\nTWO\n"; only escapes added here are undone.
  void read_elements(std::string_view text) {
    lines_.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\t') {
        if (i > 0) lines_ += '\n';
      } else if (text[i] != '\\') {
        lines_ += text[i];
      } else if (is_escaped_here(text[++i])) {
        lines_ += unescaped(text[i]);
      } else {
        lines_ += '\\';
        lines_ += text[i];
      }
    }
    if (!text.empty()) lines_ += '\n';
    padded_.assign(lines_);
  }

  std::size_t others_;
  std::string id_;
  std::string lines_;
  PaddedBytes padded_;
};

std::unique_ptr<RowParser> make_set_row_parser(const FieldRequest& request,
                                               std::span<const std::string> /*header*/) {
  return std::make_unique<SetRowParser>(request);
}

std::vector<std::string> set_row_field_names(std::string_view /*row*/, Dialect /*dialect*/) {
  return {"id", "elements"};
}

constexpr Format kFormat{.name = "grouped rows",
                         .extensions = {},
                         .kind = kSetItems,
                         .has_fields = true,
                         .make_parser = make_set_row_parser,
                         .field_names = set_row_field_names};

}  // namespace

void group_rows(const Options& options, const Settings& settings, Scratch& scratch,
                ThreadPool& pool, Inputs& inputs) {
  ScratchFile out(scratch);
  auto grouped = std::make_shared<GroupedRows>(scratch);
  std::vector<InputFile> list;
  std::vector<File> files;
  const auto group = [&](std::uint32_t begin, std::uint32_t end) {
    if (begin == end) return;
    Grouping grouping(options, settings, pool, inputs, grouped->members);
    for (std::uint32_t file = begin; file < end; ++file) {
      grouping.read(file);
      grouped->ends.push_back(grouped->members.size());
    }
    list.push_back(inputs.list[begin]);
    list.back().format = &set_row_format();
    list.back().told.column = "elements";
    files.push_back(grouping.write(out, inputs.list[begin].name));
  };
  const auto all = static_cast<std::uint32_t>(inputs.list.size());
  group(0, inputs.first_own_file);
  group(inputs.first_own_file, all);
  grouped->members.finish();
  for (const InputFile& input : inputs.list) inputs.other_paths.push_back(input.path);
  const bool has_against = inputs.has_against();
  grouped->files.first_own_file = inputs.first_own_file;
  grouped->files.list = std::exchange(inputs.list, std::move(list));
  grouped->files.files = std::exchange(inputs.files, std::move(files));
  grouped->files.encodings = std::exchange(inputs.encodings, {});
  grouped->files.headers = std::move(inputs.headers);
  grouped->files.tables = std::move(inputs.tables);
  inputs.first_own_file = has_against ? 1 : 0;
  inputs.headers.assign(inputs.list.size(), {});
  inputs.tables.assign(inputs.list.size(), {});
  inputs.fields.column = "elements";
  inputs.grouped = std::move(grouped);
}

const Format& set_row_format() noexcept { return kFormat; }

std::string begin_set_row(std::string_view id, bool id_is_integer) {
  std::string row(1, id_is_integer ? kInteger : kText);
  for (const char c : id) {
    if (c == '\n') {
      row += "\\n";
    } else if (c == '\\') {
      row += "\\\\";
    } else {
      append_escaped({&c, 1}, row);
    }
  }
  return row;
}

void add_to_set_row(std::string_view lines, std::string& row) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    row += '\t';
    append_escaped(lines.substr(0, end), row);
    lines.remove_prefix(end + 1);
  }
}

}  // namespace sosie

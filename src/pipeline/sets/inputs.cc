#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "pipeline/rows/bad_row.h"
#include "pipeline/rows/corpus.h"
#include "pipeline/rows/grouped_rows.h"
#include "pipeline/rows/open_files.h"
#include "pipeline/saved/checkpoint.h"
#include "pipeline/saved/sketches.h"
#include "read/field_path.h"
#include "read/formats.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Positions in the list of one of the two collections.
struct FileRange {
  std::uint32_t begin;
  std::uint32_t end;
};

std::string place_at(const Inputs& inputs, std::uint32_t file, std::uint64_t offset) {
  return place_of_row(inputs, {offset, 0, file});
}

// Finds the header of a file whose format has one: its first row that is not blank.
FileHeader read_header(const Inputs& inputs, std::uint32_t file) {
  const Format& format = *inputs.list[file].format;
  FileHeader header;
  RowStream rows(
      {&inputs.files[file], format.row_ends, format.separator, 0, nullptr, 0, inputs.row_limit});
  bool found = false;
  for (RowView row; !found && rows.next(row);) {
    found = !format.is_blank(row.bytes);
    if (!found) continue;
    header.offset = row.offset;
    header.length = row.length;
    header.rows_begin = row.offset + row.length;
    try {
      header.names = format.field_names(row.bytes);
    } catch (const RowError& error) {
      throw Error(ErrorKind::malformed_input,
                  place_at(inputs, file, row.offset + error.offset()) + ": " + error.what());
    }
  }
  if (!found) header.rows_begin = inputs.files[file].size();
  return header;
}

void read_headers(Inputs& inputs, ThreadPool& pool) {
  pool.for_each(inputs.list.size(), [&](unsigned /*worker*/, std::size_t i) {
    if (inputs.list[i].format->has_header) {
      inputs.headers[i] = read_header(inputs, static_cast<std::uint32_t>(i));
    }
  });
}

// Columnar files name their fields before they are opened: by these names it is chosen what is
// read of them.
void read_column_names(Inputs& inputs, ThreadPool& pool, const RunHooks& hooks) {
  inputs.headers.resize(inputs.list.size());
  pool.for_each(inputs.list.size(), [&](unsigned /*worker*/, std::size_t i) {
    if (!inputs.list[i].format->columnar) return;
    inputs.headers[i].names = columnar_names(inputs.list[i], hooks);
  });
}

// Whether the field is the column, or lies in it ("a.b" in a).
bool lies_in(const std::string& field, const std::string& column) {
  return field == column || field.starts_with(column + '.');
}

// By file: the columns that hold these fields.
std::vector<std::vector<std::string>> columns_with(const Inputs& inputs,
                                                   const std::vector<std::string>& fields) {
  std::vector<std::vector<std::string>> columns(inputs.list.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!inputs.list[i].format->columnar) continue;
    const std::vector<std::string>& names = inputs.headers[i].names;
    std::copy_if(
        names.begin(), names.end(), std::back_inserter(columns[i]), [&](const std::string& name) {
          return std::any_of(fields.begin(), fields.end(),
                             [&](const std::string& field) { return lies_in(field, name); });
        });
    if (!columns[i].empty()) continue;
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: field '{}' is missing", inputs.list[i].name, fields.front()),
                fields_there(names, fields.front()));
  }
  return columns;
}

// The fields that are looked at in any row.
std::vector<std::string> fields_read(const Inputs& inputs, const Options& options,
                                     std::vector<std::string> item_fields) {
  if (!options.group_by.empty()) return {options.group_by, options.element, options.weight};
  std::vector<std::string> fields = std::move(item_fields);
  const auto add = [&](const std::vector<std::string>& more) {
    fields.insert(fields.end(), more.begin(), more.end());
  };
  add({inputs.fields.column});
  add(joined_names(inputs.fields.column));
  add({options.id.empty() ? "id" : options.id});
  add(inputs.fields.others);
  add(joined_names(options.show));
  std::erase(fields, "");
  return fields;
}

// Where a file names its fields.
std::string place_of_names(const Inputs& inputs, std::uint32_t file) {
  if (inputs.list[file].format->columnar) return inputs.list[file].name;
  return place_at(inputs, file, inputs.headers[file].offset);
}

// Throws unless the header names the field once.
void check_field(const Inputs& inputs, std::uint32_t file, const std::string& field) {
  const std::vector<std::string>& names = inputs.headers[file].names;
  const bool columnar = inputs.list[file].format->columnar;
  const auto count = std::count_if(names.begin(), names.end(), [&](const std::string& name) {
    return columnar ? lies_in(field, name) : name == field;
  });
  if (count == 1) return;
  throw Error(ErrorKind::malformed_input,
              fmt::format("{}: field '{}' is {}", place_of_names(inputs, file), field,
                          count == 0 ? "missing" : "there twice"),
              fields_there(names, field));
}

// The fields that hold the text; none where items are no text.
std::vector<std::string> text_fields(const std::string& column,
                                     const std::vector<std::string>& header) {
  if (column.empty()) return {};
  const bool literal = std::find(header.begin(), header.end(), column) != header.end();
  return literal ? std::vector{column} : joined_names(column);
}

// Files of one format must have equal headers, which name the fields that the run asks for.
void check_headers(const Inputs& inputs, FileRange range, const std::string& id) {
  std::vector<std::uint32_t> firsts;  // the first file of each format
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    const std::vector<std::string>& names = inputs.headers[i].names;
    if (names.empty()) continue;
    const auto first = std::find_if(firsts.begin(), firsts.end(), [&](std::uint32_t file) {
      return inputs.list[file].format == inputs.list[i].format;
    });
    if (first == firsts.end()) {
      firsts.push_back(i);
      const std::string& column = inputs.fields.column;
      for (const std::string& field : text_fields(column, names)) check_field(inputs, i, field);
      if (!id.empty()) check_field(inputs, i, id);
    } else if (names != inputs.headers[*first].names) {
      throw Error(ErrorKind::malformed_input,
                  fmt::format("{}: the header differs from that of {}", place_of_names(inputs, i),
                              inputs.list[*first].name),
                  fmt::format("here: {}; there: {}", fmt::join(names, ", "),
                              fmt::join(inputs.headers[*first].names, ", ")));
    }
  }
}

// Fields of the first row there is that can be read; nothing when there is none or it has none.
std::vector<std::string> first_row_fields(const Inputs& inputs, FileRange range) {
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    const Format& format = *inputs.list[i].format;
    if (!inputs.headers[i].names.empty()) return inputs.headers[i].names;
    if (format.has_header) continue;
    RowStream rows(inputs.source(i));
    for (RowView row; rows.next(row);) {
      if (format.is_blank == nullptr || !format.is_blank(row.bytes)) {
        std::vector<std::string> names = format.field_names(row.bytes);
        if (!names.empty()) return names;
      }
    }
  }
  return {};
}

// The field that names the rows of a collection; empty when their numbers do.
std::string choose_id(const Inputs& inputs, FileRange range, const std::string& asked) {
  const std::span files(inputs.list.data() + range.begin, inputs.list.data() + range.end);
  const bool fields = std::all_of(files.begin(), files.end(),
                                  [](const InputFile& input) { return input.format->has_fields; });
  const bool documents =
      !files.empty() && std::all_of(files.begin(), files.end(), [](const InputFile& input) {
        return input.format->row_ends == RowEnds::file;
      });
  if (asked == "row") return {};
  if (documents && (asked.empty() || asked == "path")) return "path";
  if (asked.empty() && !fields) return {};
  if (!asked.empty()) {
    if (!fields) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("--id {}: an input without fields has no ids", asked),
                  "say --id row");
    }
    return asked;
  }
  const std::vector<std::string> names = first_row_fields(inputs, range);
  return std::find(names.begin(), names.end(), "id") == names.end() ? "" : "id";
}

// A collection: the files there are, or the one table.
InputList list_collection(const std::vector<std::string>& paths,
                          const std::shared_ptr<const Table>& table, const std::string& format) {
  if (!table) return list_inputs(paths, format);
  InputFile input;
  input.name = "table";
  input.group = "table";
  input.format = &table_format();
  return {{std::move(input)}, {}};
}

// The files of OTHER and then the run's own.
InputList list_collections(const Options& options, const RunHooks& hooks,
                           std::uint32_t& first_own_file) {
  InputList list = list_collection(options.against, options.against_table, options.format);
  first_own_file = static_cast<std::uint32_t>(list.files.size());
  std::vector<std::string> paths = options.inputs;
  if (!options.files_from.empty()) {
    std::vector<std::string> listed =
        read_path_list(options.files_from, hooks.input_descriptor, hooks.cancel);
    std::move(listed.begin(), listed.end(), std::back_inserter(paths));
  }
  InputList own = options.sketches ? options.sketches->inputs()
                                   : list_collection(paths, options.table, options.format);
  std::move(own.files.begin(), own.files.end(), std::back_inserter(list.files));
  std::move(own.passed_over.begin(), own.passed_over.end(), std::back_inserter(list.passed_over));
  const auto pipes = std::count_if(list.files.begin(), list.files.end(),
                                   [](const InputFile& input) { return input.path == "-"; });
  if (pipes + (options.files_from == "-" ? 1 : 0) > 1) {
    throw Error(ErrorKind::invalid_option, "-: standard input can be read only once");
  }
  return list;
}

// Every file must have fields, and its header, if there is one, name those that --group-by needs.
void check_grouped(const Inputs& inputs, const Options& options) {
  for (std::uint32_t i = 0; i < inputs.list.size(); ++i) {
    if (!inputs.list[i].format->has_fields) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("--group-by: {} has no fields", inputs.list[i].name));
    }
    if (inputs.headers[i].names.empty()) continue;
    check_field(inputs, i, options.group_by);
    check_field(inputs, i, options.element);
    if (!options.weight.empty()) check_field(inputs, i, options.weight);
  }
}

// What is asked of each row, besides what names it.
FieldRequest asked_fields(const Options& options, const Settings& settings) {
  FieldRequest fields;
  fields.column = options.column;
  if (settings.shingle.unit == ShingleUnit::elements) fields.form = TextForm::elements;
  fields.ratings = settings.ratings;
  for (const KeepRule& rule : settings.keep) {
    if (!rule.field.empty()) fields.others.push_back(rule.field);
  }
  return fields;
}

// Finds out what names the rows of both collections.
void name_rows(const Options& options, Inputs& inputs) {
  const FileRange other{0, inputs.first_own_file};
  const FileRange own{inputs.first_own_file, static_cast<std::uint32_t>(inputs.list.size())};
  inputs.against_id = choose_id(inputs, other, options.id);
  inputs.fields.id =
      options.sketches ? options.sketches->id_field() : choose_id(inputs, own, options.id);
  inputs.ids_are_rows = inputs.fields.id.empty();
  check_headers(inputs, other, inputs.against_id);
  check_headers(inputs, own, inputs.fields.id);
}

// Gives the inputs that are tables their columns.
void open_tables(Inputs& inputs, const Options& options) {
  inputs.tables.resize(inputs.list.size());
  for (std::uint32_t i = 0; i < inputs.list.size(); ++i) {
    if (inputs.list[i].format->row_ends != RowEnds::cell) continue;
    const bool own = i >= inputs.first_own_file;
    const std::string& name = inputs.list[i].name;
    FieldRequest fields = inputs.fields;
    if (!own) fields.others.clear();
    inputs.tables[i] = columns_of(own ? options.table : options.against_table, fields, name);
    // OTHER's rows rank before all others, whatever they hold.
    inputs.tables[i].others.resize(inputs.fields.others.size(), TableColumns::kNoColumn);
    inputs.files[i] = File::in_memory(name, inputs.tables[i].text_bytes());
  }
}

}  // namespace

RowSource Inputs::source(std::uint32_t file) const {
  const Format& format = *list[file].format;
  RowSource source{
      &files[file], format.row_ends, format.separator, headers[file].rows_begin, nullptr, 0,
      row_limit};
  if (const TableColumns* columns = table_of(file)) {
    source.table = columns->table.get();
    source.column = columns->text;
  }
  return source;
}

Inputs open_inputs(const Options& options, const Settings& settings, Scratch& scratch,
                   ThreadPool& pool, const RunHooks& hooks, std::vector<std::string> item_fields) {
  Inputs inputs;
  inputs.row_limit = {settings.memory_bytes, settings.threads};
  InputList list = list_collections(options, hooks, inputs.first_own_file);
  inputs.list = std::move(list.files);
  for (const InputFile& input : inputs.list) {
    if (input.format->make_parser != nullptr) continue;
    throw Error(ErrorKind::invalid_option,
                input.name + ": holds " + std::string(input.format->kind) + ", not rows");
  }
  inputs.passed_over = std::move(list.passed_over);
  inputs.fields = asked_fields(options, settings);
  read_column_names(inputs, pool, hooks);
  const auto fields = fields_read(inputs, options, std::move(item_fields));
  inputs.files =
      open_files(inputs.list, columns_with(inputs, fields), scratch, pool, hooks,
                 options.checkpoint.empty() ? "" : Checkpoint::input_file(options.checkpoint));
  if (options.sketches) {
    options.sketches->check(std::span(inputs.files).subspan(inputs.first_own_file));
    inputs.other_paths = options.sketches->paths();
  }
  if (!options.group_by.empty() && (options.table || options.against_table)) {
    throw Error(ErrorKind::invalid_option, "--group-by: not for tables in memory");
  }
  open_tables(inputs, options);
  read_headers(inputs, pool);
  if (!options.group_by.empty()) {
    check_grouped(inputs, options);
    group_rows(options, settings, scratch, pool, inputs);
  }
  name_rows(options, inputs);
  return inputs;
}

Inputs inputs_of_stream(InputFile input, File first_rows, const Options& options,
                        const Settings& settings) {
  Inputs inputs;
  inputs.row_limit = {settings.memory_bytes, settings.threads};
  inputs.list.push_back(std::move(input));
  inputs.files.push_back(std::move(first_rows));
  inputs.headers.resize(1);
  inputs.tables.resize(1);
  inputs.fields = asked_fields(options, settings);
  if (inputs.list[0].format->has_header) inputs.headers[0] = read_header(inputs, 0);
  name_rows(options, inputs);
  return inputs;
}

std::uint64_t LineCounter::line_of(std::uint32_t file, std::uint64_t offset) {
  if (file != file_ || offset < at_) {
    file_ = file;
    at_ = 0;
    line_ = 1;
  }
  line_ += count_line_feeds(inputs_.files[file], at_, offset, buffer_);
  at_ = std::max(at_, offset);
  return line_;
}

std::string place_of_row(const Inputs& inputs, const RowLocator& locator) {
  if (const TableColumns* columns = inputs.table_of(locator.file)) {
    return fmt::format("{}, row {}", inputs.list[locator.file].name,
                       columns->row_of_byte(locator.offset));
  }
  return fmt::format("{}:{}", inputs.list[locator.file].name,
                     LineCounter(inputs).line_of(locator.file, locator.offset));
}

}  // namespace sosie

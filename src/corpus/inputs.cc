// Opens the inputs of a run and determines the names of their rows.
#include "corpus/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "corpus/bad_row.h"
#include "corpus/declared_bits.h"
#include "corpus/file_headers.h"
#include "corpus/items/item_rows.h"
#include "corpus/open_files.h"
#include "corpus/rows/grouped_rows.h"
#include "corpus/sketches.h"
#include "data/kinds.h"
#include "options/formats.h"
#include "options/items_as_file.h"
#include "options/output_paths.h"
#include "options/outputs_among_inputs.h"
#include "options/repeated_files.h"
#include "read/field_paths.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Reads the field names of columnar files before they are opened, because the names determine which
// columns are read.
void read_column_names(Inputs& inputs, ThreadPool& pool, const RunHooks& hooks) {
  inputs.headers.resize(inputs.list.size());
  pool.for_each(inputs.list.size(), [&](unsigned /*worker*/, std::size_t i) {
    if (!inputs.list[i].format->columnar) return;
    inputs.headers[i].names = columnar_names(inputs.list[i], hooks);
  });
}

// The fields used from a row.
struct FieldsRead {
  std::vector<std::string> all;
  std::vector<std::string> compared;
};

// Selects the columns that contain one of the fields.
std::vector<std::string> columns_of_fields(const std::vector<std::string>& columns,
                                           const std::vector<std::string>& fields) {
  std::vector<std::string> found;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(found),
               [&](const std::string& column) {
                 return std::any_of(fields.begin(), fields.end(), [&](const std::string& field) {
                   return field == kEveryField || lies_in(field, column);
                 });
               });
  return found;
}

// Adds the fields for a row's text, id and rank.
void add_fields(const std::string& column, const std::string& id,
                const std::vector<std::string>& ranks, std::vector<std::string>& fields) {
  const auto add = [&](const std::vector<std::string>& more) {
    fields.insert(fields.end(), more.begin(), more.end());
  };
  add(all_field_paths(column));
  add(all_field_paths(id.empty() ? "id" : id));
  for (const std::string& rank : ranks) add(all_field_paths(rank));
}

// Columnar rows that were sketched are identified by the columns of that time: only these reproduce
// their bytes.
std::vector<std::string> fields_sketched(const Sketches& sketches, const Options& options) {
  const Sketches::Fields made = sketches.fields();
  std::vector<std::string> fields;
  add_fields(made.column, made.id, made.ranks, fields);
  if (options.show.empty()) return fields;
  for (const std::string& name : joined_names(options.show)) {
    if (!made.columnar || std::find(fields.begin(), fields.end(), name) != fields.end()) continue;
    throw Error(
        ErrorKind::invalid_option, RefusedOption{"show", name},
        fmt::format("{} was made from columnar files without this field", sketches.paths().front()),
        "name the files themselves instead of their sketches");
  }
  return fields;
}

// The fields used from a file. `item_fields`: the fields of items that are not texts.
FieldsRead fields_read(const Inputs& inputs, std::uint32_t file, const Options& options,
                       std::vector<std::string> item_fields) {
  if (!options.group_by.empty()) {
    const std::vector<std::string> grouped{options.group_by, options.element, options.weight};
    return {grouped, grouped};
  }
  const ToldOfFile& told = inputs.list[file].told;
  const bool are_named = !item_fields.empty() && item_fields.front() != kEveryField;
  if (are_named && !told.column.empty()) item_fields = joined_names(told.column);
  FieldsRead read;
  for (const std::string& field : item_fields) {
    for (std::string& path : all_field_paths(field)) read.all.push_back(std::move(path));
  }
  read.compared = read.all;
  for (std::string& path : all_field_paths(inputs.column_of(file))) {
    read.compared.push_back(std::move(path));
  }
  add_fields(inputs.column_of(file), told.id, inputs.fields.others, read.all);
  const std::vector<std::string> shown = all_field_paths(options.show);
  read.all.insert(read.all.end(), shown.begin(), shown.end());
  const Sketches* sketches =
      file < inputs.first_own_file ? options.against_sketches.get() : options.sketches.get();
  if (sketches != nullptr) read.all = fields_sketched(*sketches, options);
  return read;
}

// By file: the columns that contain these fields.
std::vector<ColumnChoice> columns_with(const Inputs& inputs, const Options& options,
                                       const std::vector<std::string>& item_fields) {
  std::vector<ColumnChoice> columns(inputs.list.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!inputs.list[i].format->columnar) continue;
    const std::vector<std::string>& names = inputs.headers[i].names;
    const auto [fields, compared] =
        fields_read(inputs, static_cast<std::uint32_t>(i), options, item_fields);
    columns[i].names = columns_of_fields(names, fields);
    columns[i].compared = columns_of_fields(columns[i].names, compared);
    if (!columns[i].names.empty()) continue;
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: {}", inputs.list[i].name,
                            told_missing(joined_names(fields.front()).front())),
                fields_there(names, field_paths(fields.front()).front(), inputs.list[i].told));
  }
  return columns;
}

// Fields of the first readable row; empty if there is none or it has no fields.
std::vector<std::string> first_row_fields(const Inputs& inputs, FileRange range) {
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    const Format& format = *inputs.list[i].format;
    if (!inputs.headers[i].names.empty()) return inputs.headers[i].names;
    if (format.has_columns() || format.is_document()) continue;
    RowStream rows(inputs.source(i));
    for (RowView row; rows.next(row);) {
      if (format.is_blank == nullptr || !format.is_blank(row.bytes)) {
        std::vector<std::string> names = format.field_names(row.bytes, format.dialect);
        if (!names.empty()) return names;
      }
    }
  }
  return {};
}

// Throws because an input without fields has no ids.
[[noreturn]] void refuse_id(const std::string& asked, const InputFile& input) {
  const bool in_memory = input.format->row_ends == RowEnds::cell;
  const std::string option = input.told.option("id");
  throw Error(ErrorKind::invalid_option, RefusedOption{option.substr(2), asked},
              in_memory ? "rows in memory are identified by their numbers"
                        : "an input without fields has no ids",
              in_memory ? "look the ids up in the table by the row numbers in the results"
                        : fmt::format("use {} row", option));
}

// The field that names the rows of a collection; empty if they are identified by number.
std::string choose_id(const Inputs& inputs, FileRange range, const std::string& asked) {
  const std::span files(inputs.list.data() + range.begin, inputs.list.data() + range.end);
  const auto is_document = [](const InputFile& input) { return input.format->is_document(); };
  const bool documents = !files.empty() && std::all_of(files.begin(), files.end(), is_document);
  // Documents listed together with rows are also identified by their paths.
  const bool fields = std::all_of(files.begin(), files.end(), [&](const InputFile& input) {
    return input.format->has_fields || is_document(input);
  });
  const bool have_names = !files.empty() && index_items_of(files.front()) != nullptr;
  if (names_of(files) != nullptr) return {};
  if (have_names) return "id";
  if (asked == "row" || asked == kIdByFile) return {};
  if (documents && (asked.empty() || asked == "path")) return "path";
  if (asked.empty() && !fields) return {};
  if (!asked.empty()) {
    if (!fields) refuse_id(asked, files.front());
    return asked;
  }
  const std::vector<std::string> names = first_row_fields(inputs, range);
  return std::find(names.begin(), names.end(), "id") == names.end() ? "" : "id";
}

// A collection: the given files, or the single table.
InputList list_collection(const std::vector<std::string>& paths,
                          const std::shared_ptr<const Table>& table, const Options& options) {
  if (!table) return list_inputs(paths, input_rules(options));
  InputFile input;
  input.name = "table";
  input.group = "table";
  input.format = &table_format();
  return {{std::move(input)}, {}};
}

// Passes the options to the inputs; a column given for a single input stays.
void tell(const Options& options, std::vector<InputFile>& files) {
  for (InputFile& input : files) {
    const std::string column = input.told.column;
    input.told = told_of(options);
    if (!column.empty()) input.told.column = column;
  }
}

// Throws for options about CSV and TSV if there are no such files.
void check_rules(const Options& options, const std::vector<InputFile>& files) {
  if (files.empty()) return;
  const auto any = [&](const auto& is_one) {
    return std::any_of(files.begin(), files.end(),
                       [&](const InputFile& input) { return is_one(*input.format); });
  };
  const auto refuse = [](const std::string& option, const char* formats) {
    throw Error(ErrorKind::invalid_option, RefusedOption{option.substr(2)},
                fmt::format("no input is {}", formats), "--format csv reads the inputs as CSV");
  };
  if (!any([](const Format& format) { return format.has_columns(); })) {
    for (const ToldOfFile& told : {told_of(options), told_of(options_of_other(options))}) {
      if (!told.delimiter.empty()) refuse(told.option("delimiter"), "CSV or TSV");
      if (told.skip_lines > 0) refuse(told.option("skip-lines"), "CSV or TSV");
    }
    if (options.no_header) refuse("--no-header", "CSV or TSV");
  }
  if (!any([](const Format& format) { return format.has_dialects; })) {
    if (!options.quote.empty()) refuse("--quote", "CSV");
    if (!options.escape.empty()) refuse("--escape", "CSV");
  }
}

// The files of OTHER, followed by the run's own.
InputList list_collections(const Options& options, const RunHooks& hooks,
                           std::uint32_t& first_own_file) {
  const Options of_other = options_of_other(options);
  InputList list = options.against_sketches
                       ? options.against_sketches->inputs()
                       : list_collection(options.against, options.against_table, of_other);
  tell(of_other, list.files);
  first_own_file = static_cast<std::uint32_t>(list.files.size());
  std::vector<std::string> paths = options.inputs;
  if (!options.files_from.empty()) {
    std::vector<std::string> listed =
        read_path_list(options.files_from, hooks.input_descriptor, hooks.cancel);
    std::move(listed.begin(), listed.end(), std::back_inserter(paths));
  }
  list.notes.repeated = repeated_files(list.files);
  InputList own = options.sketches ? options.sketches->inputs()
                                   : list_collection(paths, options.table, options);
  tell(options, own.files);
  own.notes.repeated = repeated_files(own.files);
  std::move(own.files.begin(), own.files.end(), std::back_inserter(list.files));
  list.notes.append(std::move(own.notes));
  group_by_folder(std::span(list.files).subspan(first_own_file));
  check_rules(options, list.files);
  refuse_outputs_among_inputs(options, list);
  const auto pipes = std::count_if(list.files.begin(), list.files.end(),
                                   [](const InputFile& input) { return input.path == "-"; });
  if (pipes + (options.files_from == "-" ? 1 : 0) > 1) {
    throw Error(ErrorKind::invalid_option, "-: standard input can be read only once");
  }
  return list;
}

// Checks that every file has fields and that its header, if any, names the fields needed by
// --group-by.
void check_grouped(const Inputs& inputs, const Options& options) {
  for (std::uint32_t i = 0; i < inputs.list.size(); ++i) {
    if (!inputs.list[i].format->has_fields) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"group-by"},
                  fmt::format("{} has no fields", inputs.list[i].name));
    }
    if (inputs.headers[i].names.empty()) continue;
    check_field(inputs, i, options.group_by);
    check_field(inputs, i, options.element);
    if (!options.weight.empty()) check_field(inputs, i, options.weight);
  }
}

// Fields requested from each row, in addition to its name.
FieldRequest asked_fields(const Options& options, const Settings& settings) {
  FieldRequest fields;
  fields.column = options.column;
  if (settings.shingle.unit == ShingleUnit::elements) fields.form = TextForm::elements;
  fields.elements = settings.elements;
  for (const KeepRule& rule : settings.keep) {
    if (!rule.field.empty()) fields.others.push_back(rule.field);
  }
  return fields;
}

[[noreturn]] void refuse_two_numberings(const std::string& id_of_other) {
  throw Error(ErrorKind::invalid_option, RefusedOption{"other-id", id_of_other},
              "rows of one collection would be numbered within each file, rows of the other across "
              "all files",
              "use --id file:row alone, or name a field");
}

// Determines how the rows of both collections are named.
void name_rows(const Options& options, Inputs& inputs) {
  const FileRange other{0, inputs.first_own_file};
  const FileRange own{inputs.first_own_file, static_cast<std::uint32_t>(inputs.list.size())};
  const std::string id_of_other = options_of_other(options).id;
  inputs.against_id = options.against_sketches ? options.against_sketches->id_field()
                                               : choose_id(inputs, other, id_of_other);
  inputs.fields.id =
      options.sketches ? options.sketches->id_field() : choose_id(inputs, own, options.id);
  inputs.ids_are_rows = inputs.fields.id.empty();
  inputs.rows_by_file = options.id == kIdByFile;
  if (inputs.has_against() && (id_of_other == kIdByFile) != inputs.rows_by_file) {
    const bool numbers = inputs.rows_by_file ? inputs.against_id.empty() : inputs.ids_are_rows;
    if (numbers) refuse_two_numberings(id_of_other);
    inputs.rows_by_file = true;
  }
  check_file_headers(inputs, other, inputs.against_id);
  check_file_headers(inputs, own, inputs.fields.id);
}

// Leaves out documents that can be read only in part.
void leave_out_damaged_documents(Inputs& inputs) {
  std::uint32_t left_out = 0;
  for (DamagedInput& damaged : inputs.damaged) {
    damaged.file -= left_out;
    const auto at = static_cast<std::ptrdiff_t>(damaged.file);
    if (!inputs.list[damaged.file].format->is_document()) continue;
    inputs.list.erase(inputs.list.begin() + at);
    inputs.files.erase(inputs.files.begin() + at);
    inputs.headers.erase(inputs.headers.begin() + at);
    if (damaged.file < inputs.first_own_file) --inputs.first_own_file;
    damaged.left_out = true;
    ++left_out;
  }
}

// Sketched files must be unchanged, and outputs must not replace the sketches.
void check_sketched_files(const Options& options, Inputs& inputs) {
  const std::span<const File> files(inputs.files);
  const auto add = [&](const Sketches& sketches, std::span<const File> sketched) {
    sketches.check(sketched);
    for (std::string& path : sketches.paths()) inputs.other_paths.push_back(std::move(path));
  };
  if (options.against_sketches) {
    add(*options.against_sketches, files.first(inputs.first_own_file));
  }
  if (options.sketches) add(*options.sketches, files.subspan(inputs.first_own_file));
}

// Assigns columns to the inputs that are tables.
void open_tables(Inputs& inputs, const Options& options) {
  inputs.tables.resize(inputs.list.size());
  for (std::uint32_t i = 0; i < inputs.list.size(); ++i) {
    if (inputs.list[i].format->row_ends != RowEnds::cell) continue;
    const bool own = i >= inputs.first_own_file;
    const std::string& name = inputs.list[i].name;
    FieldRequest fields = inputs.fields;
    fields.column = inputs.column_of(i);
    if (!own) fields.others.clear();
    inputs.tables[i] = columns_of(own ? options.table : options.against_table, fields, name);
    // OTHER's rows always rank before all others.
    inputs.tables[i].others.resize(inputs.fields.others.size(), TableColumns::kNoColumn);
    inputs.files[i] = File::in_memory(name, inputs.tables[i].text_bytes());
  }
}

}  // namespace

Inputs::Inputs() = default;
Inputs::Inputs(Inputs&& other) noexcept = default;
Inputs& Inputs::operator=(Inputs&& other) noexcept = default;
Inputs::~Inputs() = default;

FieldRequest Inputs::request_for(std::uint32_t file, FieldRequest asked) const {
  if (fields.form == TextForm::elements) {  // there is no other form of a set
    asked.form = fields.form;
    asked.elements = fields.elements;
  }
  const bool wants_id = ids_are_rows || !asked.id.empty();
  if (file < first_own_file && wants_id) asked.id = against_id;
  if (asked.column == fields.column) asked.column = column_of(file);
  const std::string& column = list[file].told.column;
  if (asked.items > 0 && !column.empty()) {
    const std::vector<std::string> items = joined_names(column);
    const auto begin = asked.others.begin();
    asked.others.erase(begin, begin + static_cast<std::ptrdiff_t>(asked.items));
    asked.others.insert(asked.others.begin(), items.begin(), items.end());
    asked.items = items.size();
  }
  return asked;
}

RowSource Inputs::source(std::uint32_t file) const {
  const Format& format = *list[file].format;
  RowSource source{
      &files[file], format.row_ends, format.dialect, headers[file].rows_begin, nullptr, 0,
      row_limit};
  if (const TableColumns* columns = table_of(file)) {
    source.table = columns->table.get();
    source.column = columns->text;
  }
  return source;
}

RowLimit row_limit(const Settings& settings) noexcept {
  // Elements may be as short as characters.
  return {
      settings.memory_bytes, settings.threads,
      settings.shingle.cuts_words() ? MemoryBudget::kFormsOfRow : MemoryBudget::kFormsOfCharacters};
}

Inputs open_inputs(const Options& options, const Settings& settings, Scratch& scratch,
                   ThreadPool& pool, const RunHooks& hooks,
                   const std::vector<std::string>& item_fields) {
  Inputs inputs;
  inputs.row_limit = row_limit(settings);
  InputList list = list_collections(options, hooks, inputs.first_own_file);
  inputs.list = std::move(list.files);
  const bool reads_all = !item_fields.empty() && item_fields.front() == kEveryField;
  for (InputFile& input : inputs.list) {
    if (reads_all) input.told.fields = FieldsNamedBy::nothing;
    if (input.format->make_parser != nullptr || !item_fields.empty()) continue;
    throw Error(
        ErrorKind::invalid_option,
        input.name + ": holds " + std::string(kind_name(input.format->kind)) + ", not rows");
  }
  inputs.notes = std::move(list.notes);
  inputs.fields = asked_fields(options, settings);
  read_column_names(inputs, pool, hooks);
  std::vector<std::string> named_fields = item_fields;
  const std::vector<std::string> shown = joined_names(options.show);
  named_fields.insert(named_fields.end(), shown.begin(), shown.end());
  for (const std::string& field : inputs.fields.others) named_fields.push_back(field);
  inputs.files =
      open_files(inputs.list, columns_with(inputs, options, item_fields), scratch, pool, hooks,
                 {options.checkpoint.empty() ? "" : input_kept_in(options.checkpoint),
                  settings.bad_rows == BadRows::stop ? nullptr : &inputs.damaged, &inputs.encodings,
                  settings.memory_bytes});
  leave_out_damaged_documents(inputs);
  inputs.declared_bits = check_declared_bits(inputs.list, inputs.files);
  check_sketched_files(options, inputs);
  if (!options.group_by.empty() && (options.table || options.against_table)) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"group-by"}, "not for tables in memory");
  }
  open_tables(inputs, options);
  // The formats of sketched files already have their dialects.
  const auto all = static_cast<std::uint32_t>(inputs.list.size());
  const FileRange unknown{options.against_sketches ? inputs.first_own_file : 0,
                          options.sketches ? inputs.first_own_file : all};
  read_file_headers(inputs, unknown, dialect_rules(options, named_fields), pool);
  if (!options.group_by.empty()) {
    check_grouped(inputs, options);
    group_rows(options, settings, scratch, pool, inputs);
  }
  name_rows(options, inputs);
  return inputs;
}

void refuse_id_by_file(const Options& options) {
  const std::string option = told_of(options).option("id");
  throw Error(ErrorKind::invalid_option, RefusedOption{option.substr(2), options.id},
              "rows compared with an index are identified by a field or by their number",
              fmt::format("use {0} row, or {0} FIELD", option));
}

void require_unchanged(const Inputs& inputs) {
  for (const File& file : inputs.files) file.require_unchanged();
  if (inputs.grouped) require_unchanged(inputs.grouped->files);
}

Inputs inputs_of_stream(InputFile input, File first_rows, const Options& options,
                        const Settings& settings) {
  Inputs inputs;
  inputs.row_limit = row_limit(settings);
  inputs.list.push_back(std::move(input));
  tell(options, inputs.list);
  inputs.files.push_back(std::move(first_rows));
  inputs.headers.resize(1);
  inputs.tables.resize(1);
  inputs.fields = asked_fields(options, settings);
  if (inputs.list[0].format->has_columns()) inputs.headers[0] = read_file_header(inputs, 0);
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

std::optional<std::uint64_t> vector_row_of(const Inputs& inputs, const RowLocator& locator) {
  const Format& format = *inputs.list[locator.file].format;
  if (format.vector_rows == nullptr) return std::nullopt;
  const VectorRows lie = format.vector_rows(inputs.files[locator.file]);
  return (locator.offset - lie.begin) / lie.row_bytes;
}

std::string place_of_row(const Inputs& inputs, const RowLocator& locator) {
  if (const auto row = vector_row_of(inputs, locator)) {
    return fmt::format("{}, row {}", inputs.list[locator.file].name, *row);
  }
  if (const TableColumns* columns = inputs.table_of(locator.file)) {
    return fmt::format("{}, row {}", inputs.list[locator.file].name,
                       columns->row_of_byte(locator.offset));
  }
  const std::string& name = inputs.list[locator.file].name;
  const std::uint64_t line = LineCounter(inputs).line_of(locator.file, locator.offset);
  return inputs.list[locator.file].memory ? fmt::format("row {}", line - 1)
                                          : fmt::format("{}:{}", name, line);
}

}  // namespace sosie

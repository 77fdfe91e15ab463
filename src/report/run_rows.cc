// Rereads rows of a saved run and checks them against the saved hashes of their bytes; shows the
// fields of rows without text.
#include "report/run_rows.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "corpus/items/item_rows.h"
#include "corpus/row_parsers.h"
#include "corpus/rows/row_reader.h"
#include "corpus/sketches.h"
#include "data/kinds.h"
#include "data/padded_bytes.h"
#include "options/items_as_file.h"
#include "options/saved_option.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// The files of one collection in a saved run, as inputs that serve only to reread rows.
class RunFiles final : public FilesOfRows {
 public:
  RunFiles(const RunFolder& run, std::string column, bool against);

  [[nodiscard]] std::vector<std::string> paths() const override { return {path_}; }
  [[nodiscard]] const SavedPlan& plan() const noexcept override { return plan_; }
  [[nodiscard]] const std::string& id_field() const noexcept override { return id_field_; }
  [[nodiscard]] Fields fields() const override;
  // Throws Error{io} for a file that no longer exists.
  [[nodiscard]] InputList inputs() const override;
  [[noreturn]] void refuse_changed(std::size_t number) const override;

 private:
  std::string path_;
  std::string column_;
  std::string id_field_;
  std::vector<std::string> rank_fields_;
  std::vector<InputFile> files_;
  SavedPlan plan_;
};

RunFiles::RunFiles(const RunFolder& run, std::string column, bool against)
    : path_(run.path()),
      column_(std::move(column)),
      id_field_(against ? run.facts().against_id : run.facts().id_field),
      rank_fields_(run.facts().rank_fields) {
  const auto& files = run.facts().files;
  const auto own = files.begin() + run.facts().first_own_file;
  files_.assign(against ? files.begin() : own, against ? own : files.end());
}

Sketches::Fields RunFiles::fields() const {
  const bool columnar = std::any_of(files_.begin(), files_.end(),
                                    [](const InputFile& file) { return file.format->columnar; });
  return {column_, id_field_, rank_fields_, columnar};
}

InputList RunFiles::inputs() const {
  InputList list;
  for (const InputFile& file : files_) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file.path, none)) {
      throw Error(ErrorKind::io, file.path + ": is missing, or not a regular file",
                  path_ + " shows its rows from there");
    }
    list.files.push_back(file);
  }
  return list;
}

void RunFiles::refuse_changed(std::size_t number) const {
  throw Error(ErrorKind::malformed_input, files_[number].name + ": has changed since the run",
              "run it again with --save");
}

constexpr std::uint64_t kMostRowBytes = std::uint64_t{256} << 20;
constexpr std::size_t kFieldBytes = 2000;  // bytes of a field that are shown
constexpr std::size_t kMostFields = 50;

constexpr KindBit kOfElements = kSetItems | kBagItems;

// Number of indexes at the front of the files; if there are any, nothing else was compared.
std::uint32_t count_indexes(const RunFacts& facts) {
  const bool is_index =
      !facts.files.empty() && facts.files.front().format == &format_of_index_items();
  return is_index ? facts.first_own_file : 0;
}

// The run's options for reading rows, with its files as inputs.
Options options_of_run(const RunFolder& run) {
  Options options;
  try {
    for (const auto& [name, value] : run.facts().options) set_saved_option(options, name, value);
    set_option(options, "kind", run.facts().kind);
  } catch (const Error& error) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}/run.json: is not a run, {}", run.path(), error.what()));
  }
  if (!has_any(kAsSets | kStringItems, options.kind)) {
    options.column.clear();
    options.other_column.clear();
  }
  options.id = run.facts().id_field.empty() ? "row" : run.facts().id_field;
  options.threads = 1;
  if (run.facts().first_own_file > count_indexes(run.facts())) {
    options.against_sketches =
        std::make_shared<RunFiles>(run, options_of_other(options).column, true);
  }
  options.sketches = std::make_shared<RunFiles>(run, options.column, false);
  return options;
}

Settings settings_of_run(const Options& options) {
  if (options.kind == kTextItems) return resolve(options);
  Settings settings = resolve_run(options);
  if (has_any(kOfElements, options.kind)) settings.shingle.unit = ShingleUnit::elements;
  return settings;
}

}  // namespace

RunRows::RunRows(const RunFolder& run)
    : run_(run),
      options_(options_of_run(run)),
      settings_(settings_of_run(options_)),
      indexes_(count_indexes(run.facts())) {
  try {
    open();
  } catch (const Error& error) {
    inputs_.reset();
    trouble_ = error.what();
  }
}

void RunRows::open() {
  scratch_ = std::make_unique<Scratch>(settings_.scratch, settings_.scratch_limit_bytes);
  pool_ = std::make_unique<ThreadPool>(1, nullptr);
  const bool of_items = !has_any(kAsSets, options_.kind);
  std::vector<std::string> fields;
  if (of_items) fields.emplace_back(kEveryField);
  const RunHooks hooks;
  inputs_ =
      std::make_unique<Inputs>(open_inputs(options_, settings_, *scratch_, *pool_, hooks, fields));
  if (inputs_->files.size() + indexes_ == run_.facts().files.size()) return;
  throw Error(ErrorKind::io, run_.path() + ": some of its inputs are missing or have changed");
}

std::string RunRows::bytes_of(const RunMember& member) const {
  const std::string& name = inputs_->list[member.file].name;
  if (member.length > kMostRowBytes) {
    throw Error(ErrorKind::limit_exceeded, name + ": the row is too long to be shown");
  }
  std::string bytes(member.length, '\0');
  const std::size_t read =
      inputs_->files[member.file].read_some(member.offset, bytes.data(), bytes.size());
  if (read == bytes.size() && XXH3_64bits(bytes.data(), bytes.size()) == member.hash) return bytes;
  throw Error(ErrorKind::malformed_input,
              fmt::format("{}: row {} has changed since the run", name, member.row()));
}

std::string RunRows::text_of(const RunMember& member, std::string_view bytes) {
  const Format& format = *inputs_->list[member.file].format;
  if (format.read_vectors != nullptr || options_.column.empty()) return {};
  FieldRequest request;
  request.column = options_.column;
  request.form =
      settings_.shingle.unit == ShingleUnit::elements ? TextForm::elements : TextForm::exact;
  request.elements = settings_.elements;
  PaddedBytes padded;
  padded.assign(row_line(format, bytes));
  RowParsers parsers(*inputs_, request);
  Record record;
  parsers.parse(member.file, padded.view(), record);
  return std::string(record.text);
}

RunRow RunRows::read(const RunMember& saved) {
  RunRow row;
  if (saved.file < indexes_) {
    row.trouble = run_.facts().files[saved.file].name + ": an item of an index, shown by its name";
    return row;
  }
  RunMember member = saved;
  member.file -= indexes_;
  if (!inputs_) {
    row.trouble = trouble_;
    return row;
  }
  try {
    const std::string bytes = bytes_of(member);
    row.text = text_of(member, bytes);
    const bool all_text = !inputs_->list[member.file].format->has_fields && !row.text.empty();
    if (!all_text) row.fields = row_fields(*inputs_, member.locator(), bytes);
  } catch (const Error& error) {
    row.trouble = error.what();
    return row;
  }
  if (row.fields.size() > kMostFields) row.fields.resize(kMostFields);
  std::erase_if(row.fields, [&](const ReportField& field) {
    return field.name == options_.column && !row.text.empty();
  });
  for (ReportField& field : row.fields) {
    field.value.resize(std::min(field.value.size(), kFieldBytes));
  }
  return row;
}

std::vector<ReportField> row_fields(const Inputs& inputs, const Corpus& corpus, RowNumber row) {
  const RowLocator place = corpus.locator(row);
  if (inputs.list[place.file].format->read_vectors != nullptr) return {};
  std::string bytes(place.length, '\0');
  inputs.files[place.file].read_at(place.offset, bytes.data(), bytes.size());
  return row_fields(inputs, place, bytes);
}

std::vector<ReportField> row_fields(const Inputs& inputs, const RowLocator& place,
                                    std::string_view bytes) {
  const Format& format = *inputs.list[place.file].format;
  if (format.read_vectors != nullptr) return {};
  FieldRequest request;
  PaddedBytes padded;
  padded.assign(row_line(format, bytes));
  Record record;
  if (!format.has_fields) {  // an item of an index has an id in addition to its text
    if (index_items_of(inputs.list[place.file]) == nullptr) return {{{}, std::string(bytes)}};
    RowParsers parsers(inputs, request);
    parsers.parse(place.file, padded.view(), record);
    return {{{}, std::string(record.text)}};
  }
  request.others = format.has_columns() ? inputs.headers[place.file].names
                                        : format.field_names(bytes, format.dialect);
  const std::string& id = place.file < inputs.first_own_file ? inputs.against_id : inputs.fields.id;
  std::erase_if(request.others, [&](const std::string& name) { return name == id; });
  RowParsers parsers(inputs, request);
  parsers.parse(place.file, padded.view(), record);
  std::vector<ReportField> fields;
  for (std::size_t i = 0; i < record.others.size(); ++i) {
    if (record.others[i].text.empty()) continue;
    fields.push_back({request.others[i], std::string(record.others[i].text)});
  }
  return fields;
}

}  // namespace sosie

// Converts rows in memory to items or look-ups of an index on disk.
#include "verbs/index/stored_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "options/formats.h"
#include "sketch/band_keys.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"
#include "store/index_options.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

void expect_own_names(const NamesOfRows& names) {
  std::unordered_map<std::string_view, std::size_t> row_of;
  for (std::size_t row = 0; row < names.names.size(); ++row) {
    const auto [first, is_new] = row_of.emplace(names.names[row], row);
    if (is_new) continue;
    throw Error(ErrorKind::malformed_input, BadPlace{fmt::format("row {}", row)},
                fmt::format("id '{}' is already used by row {}", names.names[row], first->second));
  }
}

// Lines of JSONL that arrive one by one, named by the field `id` or by their numbers ("row").
Inputs line_inputs(Options options, const Settings& settings, const std::string& id) {
  options.id = id;
  InputFile input;
  input.path = input.name = input.group = "rows.jsonl";
  input.format = format_by_name("jsonl");
  Inputs inputs = inputs_of_stream(input, File::in_memory(input.name, 0), options, settings);
  inputs.encodings = {FileEncoding{}};
  return inputs;
}

Options options_of_opened(const Options& run, const IndexManifest& manifest,
                          const std::string& path) {
  Options options = with_kind_of_sets(with_index_options(run, manifest, path), "an index");
  options.show = kept_fields(manifest.contents);
  return options;
}

}  // namespace

JsonRows OpenIndexRows::json() const {
  if (array_ == nullptr) return json_;
  throw Error(ErrorKind::unsupported, "an array of numbers holds no texts, sets or bags");
}

std::shared_ptr<const MemoryFile> OpenIndexRows::file() const {
  if (array_ != nullptr) return array_->file;
  auto text = std::make_shared<std::string>();
  for (const std::string_view row : json_) {
    // Inside an object, a line end is white space.
    for (const char c : row) *text += c == '\n' || c == '\r' ? ' ' : c;
    *text += '\n';
  }
  const std::span<const char> bytes(text->data(), text->size());
  return memory_file_of({bytes}, std::move(text));
}

std::string OpenIndexRows::path() const {
  return "rows" + (array_ == nullptr ? std::string(".jsonl") : array_->extension);
}

void OpenIndexRows::expect_names() const {
  if (array_ == nullptr || array_->rows == 0) return;
  const NamesOfRows* names = array_->file->names();
  if (names != nullptr) return expect_own_names(*names);
  throw Error(ErrorKind::malformed_input,
              "the rows are an array without ids, but the items of the index have ids");
}

StoredShape::StoredShape(const Options& run, const IndexManifest& manifest, const std::string& path)
    : options(options_of_opened(run, manifest, path)),
      settings(resolve(options)),
      plan(manifest.contents.plan.banding),
      asked(line_inputs(options, settings, "row")),
      added(line_inputs(options, settings,
                        manifest.contents.id_field.empty() ? "row" : manifest.contents.id_field)) {}

StoredRowReader::StoredRowReader(const StoredShape& shape)
    : shape_(shape),
      asked_(shape.asked, shape.settings, shape.plan),
      added_(shape.added, shape.settings, shape.plan),
      hasher_(shape.plan.components, shape.settings.seed, shape.settings.sketch),
      signature_(static_cast<std::size_t>(shape.plan.components)) {}

void StoredRowReader::read(QueryRowReader& reader, std::string_view line, std::uint64_t number) {
  bytes_.assign(line);
  reader.read({bytes_.view(), 1}, number, row);
  if (!row.is_bad()) return;
  throw Error(ErrorKind::malformed_input, BadPlace{"row " + std::to_string(number)}, row.reason);
}

void StoredRowReader::sketch(SetView elements) {
  row = QueryRow{};
  row.set.assign(elements.begin(), elements.end());
  row.keys.resize(static_cast<std::size_t>(shape_.plan.bands));
  row.filter.resize(signature_.size());
  if (row.set.empty()) return;
  hasher_.sketch(row.set, signature_);
  band_keys(signature_, shape_.plan.rows, row.keys);
  filter_signature(signature_, row.filter);
}

std::unique_ptr<StoredRowReader> StoredRowReaders::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<StoredRowReader> reader = std::move(idle_.back());
      idle_.pop_back();
      return reader;
    }
  }
  return std::make_unique<StoredRowReader>(shape_);
}

void StoredRowReaders::give_back(std::unique_ptr<StoredRowReader> reader) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(reader));
}

}  // namespace sosie

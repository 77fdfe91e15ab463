// Rows in memory on their way into an index on disk, or to what is similar there.
#include "verbs/index/stored_rows.h"

#include <algorithm>

#include "options/formats.h"
#include "sketch/band_keys.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"
#include "store/index_options.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// Lines of JSONL that come one by one, named by the field `id` or by their numbers ("row").
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

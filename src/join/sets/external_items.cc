// Rows of an index that keeps none: read again and compared with their hashes.
#include "join/sets/external_items.h"

#include <algorithm>
#include <filesystem>

#include "kernels/intersection_size.h"
#include "sosie/error.h"
#include "store/sketch_options.h"

namespace sosie {
namespace {

Options options_of_files(const Options& options, std::shared_ptr<const IndexFiles> files,
                         const SketchContents& contents) {
  Options chosen = options;
  chosen.inputs.clear();
  chosen.against.clear();
  chosen.files_from.clear();
  chosen.table.reset();
  chosen.show.clear();
  chosen.column = files->fields().column;
  chosen.id = contents.id_field.empty() ? "row" : contents.id_field;
  chosen.sketches = std::move(files);
  return chosen;
}

}  // namespace

Sketches::Fields IndexFiles::fields() const {
  const auto& files = contents_.files;
  const bool columnar = std::any_of(files.begin(), files.end(), [](const SketchedFile& file) {
    return file.input.format->columnar;
  });
  return {made_with(contents_, "column"), made_with(contents_, "id"), {}, columnar};
}

InputList IndexFiles::inputs() const {
  InputList list;
  for (const SketchedFile& file : contents_.files) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file.input.path, none)) {
      throw Error(ErrorKind::io, file.input.name + ": is not there, or no regular file",
                  path_ + " reads its items from there; --keep-items yes keeps them");
    }
    list.files.push_back(file.input);
  }
  return list;
}

void IndexFiles::refuse_changed(std::size_t number) const {
  throw Error(ErrorKind::malformed_input,
              contents_.files[number].input.name + ": a row has changed since it was added",
              "take its items out of " + path_ + " and add them again");
}

ExternalItems::ExternalItems(const IndexFolder& folder, const Options& options,
                             const Settings& settings, Scratch& scratch, ThreadPool& pool,
                             const RunHooks& hooks)
    : settings_(settings),
      files_(std::make_shared<const IndexFiles>(folder.path(), folder.manifest().contents)),
      inputs_(open_inputs(options_of_files(options, files_, folder.manifest().contents), settings,
                          scratch, pool, hooks)) {}

IndexedRowReader::IndexedRowReader(const ExternalItems& rows)
    : rows_(rows),
      reader_(rows.inputs(), row_,
              {rows.inputs().fields.column, {}, {}, rows.settings().shingle.text_form()}),
      shingler_(rows.settings().shingle) {
  row_.blocks.resize(1);
  row_.blocks.front().locators.resize(1);
  row_.blocks.front().states.resize(1);
}

void IndexedRowReader::read(const IndexItem& item, std::vector<std::uint64_t>& elements) {
  const std::uint32_t file = item.locator.file;
  if (file >= rows_.inputs().files.size()) {
    throw Error(ErrorKind::malformed_input,
                rows_.files().paths().front() + ": an item is of a file that it does not name",
                "build the index again");
  }
  const std::uint64_t size = rows_.inputs().files[file].size();
  if (item.locator.offset > size || item.locator.length > size - item.locator.offset) {
    rows_.files().refuse_changed(file);
  }
  row_.blocks.front().locators.front() = item.locator;
  try {
    shingler_.read_set(reader_.read(0).text);
  } catch (const Error&) {
    rows_.files().refuse_changed(file);
  }
  if (shingler_.text_hash() != item.hash) rows_.files().refuse_changed(file);
  const auto shingles = shingler_.shingles();
  elements.assign(shingles.begin(), shingles.end());
  scratch_.resize(std::max(scratch_.size(), elements.size()));
  elements.resize(kernels::sort_unique_hashes(elements.data(), elements.size(), scratch_.data()));
}

}  // namespace sosie

// Rows of an index that keeps none: read again and compared with their hashes.
#include "join/sets/external_items.h"

#include <algorithm>

#include "kernels/intersection_size.h"
#include "sosie/error.h"

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

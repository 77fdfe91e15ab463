// Looks up sets in an index on disk and verifies the hits; reads rows that the index does not keep
// again and compares them with their hashes.
#include "join/sets/index_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>

#include "kernels/agreement.h"
#include "kernels/intersection_size.h"
#include "sketch/band_keys.h"
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
      throw Error(ErrorKind::io, file.input.name + ": is missing, or not a regular file",
                  path_ + " reads its items from there; --keep-items yes keeps them");
    }
    list.files.push_back(file.input);
  }
  return list;
}

void IndexFiles::refuse_changed(std::size_t number) const {
  throw Error(ErrorKind::malformed_input,
              contents_.files[number].input.name + ": a row has changed since it was added",
              "remove its items from " + path_ + " and add them again");
}

ExternalItems::ExternalItems(const IndexView& index, const Options& options,
                             const Settings& settings, Scratch& scratch, ThreadPool& pool,
                             const RunHooks& hooks)
    : settings_(settings),
      files_(std::make_shared<const IndexFiles>(index.path(), index.manifest().contents)),
      inputs_(open_inputs(options_of_files(options, files_, index.manifest().contents), settings,
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
    throw Error(
        ErrorKind::malformed_input,
        rows_.files().paths().front() + ": an item comes from a file that the index does not name",
        "build the index again");
  }
  const std::uint64_t size = rows_.inputs().files[file].size();
  if (item.locator.offset > size || item.locator.length > size - item.locator.offset) {
    rows_.files().refuse_changed(file);
  }
  row_.blocks.front().locators.front() = item.locator;
  try {
    text_ = reader_.read(0).text;
    shingler_.read_set(text_);
  } catch (const Error&) {
    rows_.files().refuse_changed(file);
  }
  if (shingler_.text_hash().high != item.hash.high) rows_.files().refuse_changed(file);
  const auto shingles = shingler_.shingles();
  elements.assign(shingles.begin(), shingles.end());
  scratch_.resize(std::max(scratch_.size(), elements.size()));
  elements.resize(kernels::sort_unique_hashes(elements.data(), elements.size(), scratch_.data()));
}

void keep_best_hits(const Measure& measure, std::uint64_t top, std::vector<IndexHit>& hits) {
  std::sort(hits.begin(), hits.end(), [&](const IndexHit& a, const IndexHit& b) {
    if (measure.is_above(a.overlap, b.overlap)) return true;
    if (measure.is_above(b.overlap, a.overlap)) return false;
    return a.number < b.number;
  });
  if (top > 0 && hits.size() > top) hits.resize(top);
}

IndexLookup::IndexLookup(const IndexView& index, const Settings& settings,
                         const ExternalItems* rows, const FieldFilter* filter, ShownOfHits shown)
    : index_(index),
      settings_(settings),
      rows_(rows),
      filter_(filter),
      shown_(std::move(shown)),
      least_agreements_(
          static_cast<std::uint32_t>(index.manifest().contents.plan.banding.filter_agreements)) {
  if (settings.method == Method::exact) list_prefixes();
}

void IndexLookup::list_prefixes() {
  constexpr std::uint64_t kItemBytes = 144;
  constexpr std::uint64_t kFieldBytes = 64;
  std::uint64_t shown_bytes = 0;  // texts and fields that are shown
  HashedSets sets;
  Finder finder;
  index_.for_each([&](const IndexItem& item) {
    if (item.size == 0 || (filter_ != nullptr && !filter_->accepts(item))) return;
    const SetView elements = elements_of(item, finder);
    sets.hashes.insert(sets.hashes.end(), elements.begin(), elements.end());
    sets.starts.push_back(sets.hashes.size());
    listed_.push_back({item.number,
                       item.name(),
                       {},
                       hash_of(item, finder),
                       item.name_is_integer(),
                       fields_of(item),
                       text_of(finder)});
    shown_bytes += listed_.back().text.size();
    for (const auto& [name, value] : listed_.back().fields) {
      shown_bytes += kFieldBytes + name.size() + value.size();
    }
    bytes_ = sets.hashes.size() * SetLookup::kBytesPerElement + listed_.size() * kItemBytes +
             shown_bytes;
    if (bytes_ <= settings_.memory_bytes) return;
    throw Error(ErrorKind::limit_exceeded,
                index_.path() +
                    ": --method exact holds all items in memory, but they do not fit in --memory",
                "raise --memory, or use the index's own method");
  });
  by_prefixes_.emplace(std::move(sets), *settings_.measure, settings_.threshold);
}

ItemsAsFile::Fields IndexLookup::fields_of(const IndexItem& item) const {
  ItemsAsFile::Fields fields;
  const std::vector<std::string>& names = shown_.fields.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    fields.emplace_back(names[i], shown_.fields.value(item, i));
  }
  return fields;
}

Hash128 IndexLookup::hash_of(const IndexItem& item, const Finder& finder) {
  return item.is_kept ? item.hash : finder.reader->text_hash();
}

std::string IndexLookup::text_of(const Finder& finder) const {
  return shown_.texts && finder.reader ? std::string(finder.reader->text()) : std::string();
}

void IndexLookup::find_by_prefixes(const SketchedSet& set, Finder& finder,
                                   std::vector<IndexHit>& out) const {
  finder.found.clear();
  const std::uint64_t listed = finder.by_prefixes.candidates;
  const std::uint64_t verified = finder.by_prefixes.verified;
  by_prefixes_->find(set.set, finder.by_prefixes, finder.found);
  finder.listed += finder.by_prefixes.candidates - listed;
  finder.verified += finder.by_prefixes.verified - verified;
  std::sort(finder.found.begin(), finder.found.end(),
            [](const auto& a, const auto& b) { return a.position < b.position; });
  for (const auto& found : finder.found) {
    out.push_back(listed_[found.position]);
    out.back().overlap = found.overlap;
  }
}

void IndexLookup::keep_near(const SketchedSet& set, Finder& finder) const {
  constexpr std::uint32_t kFirst = 0;
  const std::span<const ItemPlace> candidates = finder.candidates;
  std::size_t at = 0;
  const ReadAhead ahead(finder.buffer.run, [&] { index_.begin_filters(candidates.subspan(at)); });
  finder.near.clear();
  for (; at < candidates.size(); ++at) {
    const ItemPlace& place = candidates[at];
    const std::string_view filter = index_.filter(place, finder.buffer);
    if (filter.empty()) continue;
    std::uint32_t agreements = 0;
    kernels::agreements(set.filter.data(), reinterpret_cast<const std::uint8_t*>(filter.data()),
                        set.filter.size(), &kFirst, 1, &agreements);
    if (agreements >= least_agreements_) finder.near.push_back(place);
  }
}

void IndexLookup::find(const SketchedSet& set, Finder& finder, std::vector<IndexHit>& out) const {
  out.clear();
  if (set.set.empty()) return;
  if (by_prefixes_) {
    find_by_prefixes(set, finder, out);
    return;
  }
  index_.find(set.keys, finder.buffer, finder.candidates);
  verify(set, finder, out);
}

void IndexLookup::verify(const SketchedSet& set, Finder& finder, std::vector<IndexHit>& out) const {
  finder.listed += finder.candidates.size();
  keep_near(set, finder);
  const Measure& measure = *settings_.measure;
  const ReadAhead ahead(finder.buffer.run, [&] { index_.begin_items(finder.near); });
  for (const ItemPlace& place : finder.near) {
    const IndexItem item = index_.item(place, finder.buffer);
    const bool can_reach =
        item.size > 0 && measure.sizes_can_reach(set.set.size(), item.size, settings_.threshold);
    if (!can_reach) continue;
    if (filter_ != nullptr && !filter_->accepts(item)) continue;
    ++finder.verified;
    const SetView elements = elements_of(item, finder);
    const Overlap overlap = measure.overlap(set.set, elements);
    if (!measure.reaches(overlap, settings_.threshold)) continue;
    if (!have_common_key(set, elements, finder)) continue;
    out.push_back({item.number, item.name(), overlap, hash_of(item, finder), item.name_is_integer(),
                   fields_of(item), text_of(finder)});
  }
}

bool IndexLookup::have_common_key(const SketchedSet& set, SetView elements, Finder& finder) const {
  const BandingPlan& plan = index_.manifest().contents.plan.banding;
  if (!finder.hasher) {
    finder.hasher.emplace(plan.components, settings_.seed, settings_.sketch);
    finder.signature.resize(static_cast<std::size_t>(plan.components));
    finder.keys.resize(static_cast<std::size_t>(plan.bands));
  }
  finder.hasher->sketch(elements, finder.signature);
  band_keys(finder.signature, plan.rows, finder.keys);
  return !std::equal(finder.keys.begin(), finder.keys.end(), set.keys.begin(),
                     std::not_equal_to<>());
}

SetView IndexLookup::elements_of(const IndexItem& item, Finder& finder) const {
  if (item.is_kept) {
    item.copy_elements(finder.elements);
    const bool ascend = std::adjacent_find(finder.elements.begin(), finder.elements.end(),
                                           std::greater_equal<>()) == finder.elements.end();
    if (ascend) return finder.elements;
    throw Error(
        ErrorKind::malformed_input,
        fmt::format("{}: the elements of item '{}' are out of order", index_.path(), item.name()),
        "sosie index check names the file and the place");
  }
  if (!finder.reader) finder.reader = std::make_unique<IndexedRowReader>(*rows_);
  finder.reader->read(item, finder.elements);
  return finder.elements;
}

}  // namespace sosie

// Sketches of one or several files, as one collection of rows.
#include "store/sketch/sketch_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/joined_text.h"
#include "data/kinds.h"
#include "sosie/error.h"
#include "store/sketch_options.h"

namespace sosie {
namespace {

constexpr std::string_view kOneMaking =
    "sketches that are matched together must have the same plan and options";

// `first`: the first of the previous files.
void expect_equal_making(const SketchFile& file, const SketchFile& first) {
  expect_equal_plans(file.contents().plan, file.path(), first.contents().plan, first.path(),
                     kOneMaking);
  for (const std::string_view option : sketch_option_names()) {
    expect_equal_option(option, made_with(file.contents(), option), file.path(),
                        made_with(first.contents(), option), first.path(), kOneMaking);
  }
  // These follow from --keep.
  if (file.contents().has_lengths != first.contents().has_lengths ||
      file.contents().rank_fields != first.contents().rank_fields) {
    PackedReader({}, file.path()).refuse();
  }
}

[[noreturn]] void refuse_input(const SketchedFile& input, const SketchFile& sketches,
                               std::string_view how) {
  throw Error(
      ErrorKind::malformed_input,
      fmt::format("{}: has changed since {} was made: {}", input.input.name, sketches.path(), how),
      "recreate these sketches");
}

// A path written by someone else is opened only if it is a regular file, because others could
// block.
void expect_regular_file(const SketchedFile& file) {
  std::error_code none;
  const auto status = std::filesystem::status(file.input.path, none);
  const bool is_stream = file.input.path == "-";  // standard input
  const bool exists = std::filesystem::exists(status);
  if (!is_stream && (!exists || std::filesystem::is_regular_file(status))) return;
  throw Error(ErrorKind::malformed_input, file.input.name + ": is not a regular file",
              "sketches can be made of regular files only");
}

bool are_one_file(const std::string& path, const std::string& other) {
  if (path == other) return true;
  const auto stamp = stamp_of(path);
  const auto other_stamp = stamp_of(other);
  return stamp && other_stamp && stamp->device == other_stamp->device &&
         stamp->inode == other_stamp->inode;
}

// Items of different lengths cannot be compared.
void expect_equal_dimensions(const SketchFile& file, const SketchFile& first) {
  const SketchContents& one = file.contents();
  const SketchContents& other = first.contents();
  if (one.rows == 0 || other.rows == 0 || one.dimension == other.dimension) return;
  throw Error(
      ErrorKind::invalid_option,
      fmt::format("{}: contains {} of {} {}, but {} has {}", file.path(), kind_name(one.plan.kind),
                  one.dimension, one.plan.kind == kBitItems ? "bits" : "components", first.path(),
                  other.dimension));
}

// Throws unless both files name their rows in the same way; a file without rows is neutral.
void expect_equal_ids(const SketchFile& file, const SketchFile& first) {
  if (file.contents().rows == 0) return;
  const auto name = [](const SketchFile& sketches) {
    const std::string& field = sketches.contents().id_field;
    return field.empty() ? "row" : field;
  };
  expect_equal_option("id", name(file), file.path(), name(first), first.path(), kOneMaking);
}

}  // namespace

SketchFiles::SketchFiles(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    SketchFile& file = files_.emplace_back(path);
    expect_equal_making(file, files_.front());
    for (std::uint32_t i = 0; i < file.blocks().size(); ++i) {
      places_.push_back({static_cast<std::uint32_t>(files_.size() - 1), i});
    }
  }
  for (const SketchFile& file : files_) {
    expect_equal_ids(file, first_with_rows());
    expect_equal_dimensions(file, first_with_rows());
  }
}

const SketchFile& SketchFiles::first_with_rows() const noexcept {
  const auto found = std::find_if(files_.begin(), files_.end(),
                                  [](const SketchFile& file) { return file.contents().rows > 0; });
  return found == files_.end() ? files_.front() : *found;
}

const std::string& SketchFiles::id_field() const noexcept {
  return first_with_rows().contents().id_field;
}

std::vector<std::string> SketchFiles::paths() const {
  std::vector<std::string> paths;
  for (const SketchFile& file : files_) paths.push_back(file.path());
  return paths;
}

Sketches::Fields SketchFiles::fields() const {
  const SketchContents& made = first();
  const bool columnar = std::any_of(made.files.begin(), made.files.end(),
                                    [](const auto& file) { return file.input.format->columnar; });
  return {made_with(made, "column"), made_with(made, "id"), made.rank_fields, columnar};
}

void SketchFiles::stand_for(InputList inputs) {
  constexpr std::string_view kWay =
      "omit the inputs, which the sketches already name, or make sketches of these inputs";
  std::size_t number = 0;
  for (const SketchFile& sketches : files_) {
    for (const SketchedFile& file : sketches.contents().files) {
      expect_regular_file(file);
      if (number == inputs.files.size()) {
        throw Error(ErrorKind::invalid_option,
                    fmt::format("{} was also made from {}, which is not an input", sketches.path(),
                                file.input.name),
                    std::string(kWay));
      }
      const InputFile& named = inputs.files[number++];
      if (named.format == file.input.format && are_one_file(named.path, file.input.path)) continue;
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{}: at this position, {} was made from {}", named.name,
                              sketches.path(), file.input.name),
                  std::string(kWay));
    }
  }
  if (number < inputs.files.size()) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: has no sketches in {}", inputs.files[number].name,
                            joined_text(paths(), ", ")),
                std::string(kWay));
  }
  named_ = std::move(inputs);
}

InputList SketchFiles::inputs() const {
  if (!named_.files.empty()) return named_;
  InputList list;
  for (const SketchFile& sketches : files_) {
    for (const SketchedFile& file : sketches.contents().files) {
      expect_regular_file(file);
      list.files.push_back(file.input);
    }
    InputNotes notes;
    notes.passed_over = sketches.contents().passed_over;
    list.notes.append(std::move(notes));
  }
  return list;
}

void SketchFiles::check(std::span<const File> files) const {
  std::size_t next = 0;
  for (const SketchFile& sketches : files_) {
    for (const SketchedFile& made_of : sketches.contents().files) {
      const File& file = files[next++];
      if (file.size() == made_of.bytes && fingerprint_of(file) == made_of.fingerprint) continue;
      refuse_input(made_of, sketches,
                   file.size() == made_of.bytes
                       ? "its content differs"
                       : fmt::format("it had {} bytes and now has {}", made_of.bytes, file.size()));
    }
  }
}

void SketchFiles::append_blocks(std::uint32_t first_file, std::vector<BlockRange>& blocks) const {
  for (const SketchFile& sketches : files_) {
    for (BlockRange range : sketches.blocks()) {
      range.file += first_file;
      blocks.push_back(range);
    }
    first_file += static_cast<std::uint32_t>(sketches.contents().files.size());
  }
}

ScannedBlock SketchFiles::read(std::size_t number, std::uint32_t file) const {
  const Place& place = places_[number];
  return files_[place.sketches].read(place.number, file);
}

ScannedBlock SketchFiles::read_keyless(std::size_t number, std::uint32_t file,
                                       std::vector<std::uint64_t>& hashes) const {
  const Place& place = places_[number];
  return files_[place.sketches].read(place.number, file, &hashes);
}

std::uint64_t SketchFiles::rows() const noexcept {
  std::uint64_t rows = 0;
  for (const SketchFile& file : files_) rows += file.contents().rows;
  return rows;
}

std::vector<std::uint64_t> SketchFiles::checksums() const {
  std::vector<std::uint64_t> checksums;
  checksums.reserve(files_.size());
  for (const SketchFile& file : files_) checksums.push_back(file.checksum());
  return checksums;
}

void SketchFiles::read_keys(std::size_t number, const BandRange& bands,
                            std::vector<RowState>& states, std::vector<std::uint64_t>& keys) const {
  const Place& place = places_[number];
  files_[place.sketches].read_keys(place.number, bands, states, keys);
}

void SketchFiles::read_rows(std::size_t number, std::size_t rows, std::string& bytes) const {
  const Place& place = places_[number];
  files_[place.sketches].read_rows(place.number, rows, bytes);
}

void SketchFiles::read_filters(std::size_t number, std::size_t rows, const RowSpan& some,
                               std::vector<std::uint8_t>& filters) const {
  const Place& place = places_[number];
  files_[place.sketches].read_filters(place.number, rows, some, filters);
}

std::uint64_t SketchFiles::dimension() const noexcept {
  return first_with_rows().contents().dimension;
}

std::vector<std::uint64_t> SketchFiles::item_counts() const {
  std::vector<std::uint64_t> counts;
  counts.reserve(places_.size());
  for (const Place& place : places_) {
    counts.push_back(files_[place.sketches].items_of(place.number));
  }
  return counts;
}

HashedItems SketchFiles::read_items(std::size_t number) const {
  const Place& place = places_[number];
  return files_[place.sketches].read_items(place.number);
}

void SketchFiles::refuse_changed(std::size_t number) const {
  const Place& place = places_[number];
  const SketchFile& sketches = files_[place.sketches];
  const std::uint32_t file = sketches.blocks()[place.number].file;
  refuse_input(sketches.contents().files[file], sketches, "its items differ");
}

}  // namespace sosie

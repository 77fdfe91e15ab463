#include "pipeline/sketches.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pipeline/sketch_options.h"
#include "sosie/error.h"

namespace sosie {
namespace {

[[noreturn]] void refuse_difference(const std::string& path, std::string_view what,
                                    const std::string& here, const std::string& there,
                                    const std::string& other) {
  throw Error(ErrorKind::invalid_option,
              fmt::format("{}: was made with {} {}, {} with {}", path, what, here, other, there),
              "sketches that are matched together need one plan and the same options");
}

void expect_equal_plans(const SketchFile& file, const SketchFile& first) {
  const auto here = nlohmann::ordered_json::parse(plan_to_json(file.contents().plan));
  const auto there = nlohmann::ordered_json::parse(plan_to_json(first.contents().plan));
  for (const auto& field : here.items()) {
    const auto& other = there.at(field.key());
    if (field.value() == other) continue;
    refuse_difference(file.path(), field.key(), field.value().dump(), other.dump(), first.path());
  }
}

void expect_equal_options(const SketchFile& file, const SketchFile& first) {
  for (const std::string_view option : sketch_option_names()) {
    const std::string here = made_with(file.contents(), option);
    const std::string there = made_with(first.contents(), option);
    if (here == there) continue;
    refuse_difference(file.path(), fmt::format("--{}", option), shown_value(here),
                      shown_value(there), first.path());
  }
}

// What names the rows; a file without any does not know.
void expect_equal_ids(const SketchFile& file, const SketchFile& first) {
  const std::string& here = file.contents().id_field;
  const std::string& there = first.contents().id_field;
  if (here == there || file.contents().rows == 0) return;
  const auto name = [](const std::string& field) { return field.empty() ? "row" : field; };
  refuse_difference(file.path(), "--id", name(here), name(there), first.path());
}

}  // namespace

Sketches::Sketches(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    SketchFile& file = files_.emplace_back(path);
    expect_equal_plans(file, files_.front());
    expect_equal_options(file, files_.front());
    for (std::uint32_t i = 0; i < file.blocks().size(); ++i) {
      places_.push_back({static_cast<std::uint32_t>(files_.size() - 1), i});
    }
  }
  for (const SketchFile& file : files_) expect_equal_ids(file, first_with_rows());
}

const SketchFile& Sketches::first_with_rows() const noexcept {
  const auto found = std::find_if(files_.begin(), files_.end(),
                                  [](const SketchFile& file) { return file.contents().rows > 0; });
  return found == files_.end() ? files_.front() : *found;
}

const std::string& Sketches::id_field() const noexcept {
  return first_with_rows().contents().id_field;
}

std::vector<std::string> Sketches::paths() const {
  std::vector<std::string> paths;
  for (const SketchFile& file : files_) paths.push_back(file.path());
  return paths;
}

InputList Sketches::inputs() const {
  InputList list;
  for (const SketchFile& sketches : files_) {
    for (const SketchedFile& file : sketches.contents().files) list.files.push_back(file.input);
    const auto& more = sketches.contents().passed_over;
    list.passed_over.insert(list.passed_over.end(), more.begin(), more.end());
  }
  return list;
}

void Sketches::check(std::span<const File> files) const {
  std::size_t next = 0;
  for (const SketchFile& sketches : files_) {
    for (const SketchedFile& made_of : sketches.contents().files) {
      const File& file = files[next++];
      if (file.size() == made_of.bytes && fingerprint_of(file) == made_of.fingerprint) continue;
      const std::string how =
          file.size() == made_of.bytes
              ? "its content is another"
              : fmt::format("it had {} bytes and has {}", made_of.bytes, file.size());
      throw Error(ErrorKind::malformed_input,
                  fmt::format("{}: has changed since {} was made: {}", made_of.input.name,
                              sketches.path(), how),
                  "make these sketches again");
    }
  }
}

void Sketches::append_blocks(std::uint32_t first_file, std::vector<BlockRange>& blocks) const {
  for (const SketchFile& sketches : files_) {
    for (BlockRange range : sketches.blocks()) {
      range.file += first_file;
      blocks.push_back(range);
    }
    first_file += static_cast<std::uint32_t>(sketches.contents().files.size());
  }
}

ScannedBlock Sketches::read(std::size_t number, std::uint32_t file) const {
  const Place& place = places_[number];
  return files_[place.sketches].read(place.number, file);
}

}  // namespace sosie

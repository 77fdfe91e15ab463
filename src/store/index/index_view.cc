// Reads several indexes as one: looks up in one after another and renumbers items.
#include "store/index/index_view.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "store/index/recorded_bits.h"

namespace sosie {
namespace {

// An item's name in its own index, given its name in the view, if items are identified by
// number.
std::optional<std::string> number_from(std::string_view name, std::uint64_t first) {
  std::uint64_t number = 0;
  const std::errc fault = std::from_chars(name.data(), name.data() + name.size(), number).ec;
  if (fault != std::errc{} || std::to_string(number) != name || number < first) return std::nullopt;
  return std::to_string(number - first);
}

}  // namespace

std::vector<std::string> indexes_in(const std::string& argument) {
  std::error_code error;
  if (argument.find(',') == std::string::npos || std::filesystem::exists(argument, error)) {
    return is_index(argument) ? std::vector{argument} : std::vector<std::string>();
  }
  std::vector<std::string> paths;
  bool has_index = false;
  for (std::size_t begin = 0; begin <= argument.size();) {
    const std::size_t end = std::min(argument.find(',', begin), argument.size());
    paths.push_back(argument.substr(begin, end - begin));
    has_index = has_index || is_index(paths.back());
    begin = end + 1;
  }
  if (!has_index) paths.clear();
  return paths;
}

IndexView::IndexView(const IndexFolder& folder) : parts_{{&folder}}, path_(folder.path()) {}

IndexView::IndexView(std::vector<std::unique_ptr<IndexFolder>> folders)
    : owned_(std::move(folders)) {
  if (owned_.size() > 1) {
    joined_ = owned_.front()->manifest();
    joined_->contents.files.clear();
  }
  Part part{};
  for (const auto& folder : owned_) {
    part.folder = folder.get();
    parts_.push_back(part);
    path_ += (path_.empty() ? "" : ",") + folder->path();
    part.first_number += folder->next_number();
    part.first_source += static_cast<std::uint32_t>(folder->runs().size()) + 1;
    if (!joined_) continue;
    const SketchContents& contents = folder->manifest().contents;
    joined_->contents.dimension = std::max(joined_->contents.dimension, contents.dimension);
    const std::uint64_t bits = recorded_bits(contents);
    expect_recorded_bits(bits, folder->path(), *joined_, parts_.front().folder->path());
    record_bits(bits, joined_->contents);
    joined_->contents.files.insert(joined_->contents.files.end(), contents.files.begin(),
                                   contents.files.end());
    part.first_file = static_cast<std::uint32_t>(joined_->contents.files.size());
  }
}

const std::string& IndexView::path_of(std::uint64_t number) const {
  const auto behind =
      std::upper_bound(parts_.begin() + 1, parts_.end(), number,
                       [](std::uint64_t one, const Part& part) { return one < part.first_number; });
  return std::prev(behind)->folder->path();
}

const IndexView::Part& IndexView::part_of(const ItemPlace& place) const noexcept {
  std::size_t part = parts_.size() - 1;
  while (place.source < parts_[part].first_source) --part;
  return parts_[part];
}

IndexItem IndexView::placed(const Part& part, IndexItem item) noexcept {
  item.number += part.first_number;
  item.locator.file += part.first_file;
  return item;
}

std::uint64_t IndexView::items() const noexcept {
  std::uint64_t items = 0;
  for (const Part& part : parts_) items += part.folder->items();
  return items;
}

std::uint64_t IndexView::next_number() const noexcept {
  return parts_.back().first_number + parts_.back().folder->next_number();
}

std::uint64_t IndexView::bytes() const {
  std::uint64_t bytes = 0;
  for (const Part& part : parts_) bytes += part.folder->bytes();
  return bytes;
}

std::uint64_t IndexView::runs() const noexcept {
  std::uint64_t runs = 0;
  for (const Part& part : parts_) runs += part.folder->runs().size();
  return runs;
}

std::uint64_t IndexView::log_items() const noexcept {
  std::uint64_t items = 0;
  for (const Part& part : parts_) items += part.folder->log_items().present();
  return items;
}

void IndexView::find(std::span<const std::uint64_t> keys, IndexBuffer& buffer,
                     std::vector<ItemPlace>& found) const {
  found.clear();
  for (const Part& part : parts_) {
    const std::size_t before = found.size();
    part.folder->find(keys, buffer, found);
    for (std::size_t i = before; i < found.size(); ++i) found[i].source += part.first_source;
  }
}

bool IndexView::find_in_band(std::size_t band, std::span<const RowKey> keys, std::size_t most,
                             IndexBuffer& buffer, std::vector<RowPlace>& found) const {
  for (const Part& part : parts_) {
    const std::size_t before = found.size();
    if (!part.folder->find_in_band(band, keys, most, buffer, found)) return false;
    for (std::size_t i = before; i < found.size(); ++i) found[i].place.source += part.first_source;
  }
  return true;
}

void IndexView::begin_items(std::span<const ItemPlace> places) const {
  for (const ItemPlace& place : places) {
    const Part& part = part_of(place);
    part.folder->begin_item(place_in(part, place));
  }
}

void IndexView::begin_filters(std::span<const ItemPlace> places) const {
  for (const ItemPlace& place : places) {
    const Part& part = part_of(place);
    part.folder->begin_filter(place_in(part, place));
  }
}

std::optional<ItemPlace> IndexView::find_name(std::string_view name, IndexBuffer& buffer) const {
  const bool are_named = !manifest().contents.id_field.empty();
  for (const Part& part : parts_) {
    std::optional<std::string> number;
    if (!are_named && part.first_number > 0) {
      number = number_from(name, part.first_number);
      if (!number) continue;
    }
    auto place = part.folder->find_name(number ? std::string_view(*number) : name, buffer);
    if (!place) continue;
    place->source += part.first_source;
    return place;
  }
  return std::nullopt;
}

std::string_view IndexView::filter(const ItemPlace& place, IndexBuffer& buffer) const {
  const Part& part = part_of(place);
  return part.folder->filter(place_in(part, place), buffer);
}

IndexItem IndexView::item(const ItemPlace& place, IndexBuffer& buffer) const {
  const Part& part = part_of(place);
  return placed(part, part.folder->item(place_in(part, place), buffer));
}

void IndexView::for_each(const std::function<void(const IndexItem& item)>& take,
                         std::uint64_t first) const {
  for (const Part& part : parts_) {
    part.folder->for_each([&](const IndexItem& item) { take(placed(part, item)); },
                          first - std::min(first, part.first_number));
  }
}

}  // namespace sosie

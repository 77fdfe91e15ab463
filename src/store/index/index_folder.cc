// Opens an index on disk and looks items up in its runs and its log.
#include "store/index/index_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "sosie/error.h"
#include "store/index/index_log.h"
#include "store/index/index_marks.h"

namespace sosie {
namespace {

constexpr int kBandBits = 10;  // at most 1,024 bands
constexpr int kTries = 100;    // a writer may replace the state while it is opened

std::uint64_t banded(std::uint64_t key, std::size_t band) noexcept {
  return key << kBandBits | band;
}

}  // namespace

void LogItems::add(std::string bytes, std::vector<std::uint64_t> keys) {
  const std::uint32_t item = size();
  items_.push_back(std::move(bytes));
  for (std::size_t band = 0; band < keys.size(); ++band)
    by_band_.add(banded(keys[band], band), item);
  keys_.push_back(std::move(keys));
  removed_.push_back(false);
  by_name_.add(name_key(unpack(item).name()), item);
}

IndexItem LogItems::unpack(std::uint32_t item) const {
  return *unpack_item(items_[item], shape_.components);
}

bool LogItems::remove(std::uint32_t item) {
  if (removed_[item]) return false;
  removed_[item] = true;
  ++removed_count_;
  return true;
}

void LogItems::find(std::size_t band, std::uint64_t key, std::vector<std::uint32_t>& items) const {
  const auto take = [&](Place item) { items.push_back(item); };
  if (band == shape_.bands) {
    by_name_.for_each(key, take);
  } else {
    by_band_.for_each(banded(key, band), take);
  }
}

IndexFolder::IndexFolder(std::string path, bool writes) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  for (int i = 0; i < kTries; ++i) {
    if (open(writes)) return;
  }
  throw Error(ErrorKind::malformed_input,
              path_ + ": its log, or a run named in its MANIFEST, is missing",
              "restore the folder from a backup, or rebuild the index");
}

IndexFolder::IndexFolder(std::string path, IndexManifest manifest)
    : path_(std::move(path)),
      manifest_(std::move(manifest)),
      shape_(manifest_.shape()),
      log_items_(shape_) {}

bool IndexFolder::open(bool writes) {
  manifest_ = read_manifest(path_);
  shape_ = manifest_.shape();
  runs_.clear();
  log_items_ = LogItems(shape_);
  next_number_ = manifest_.next_number;
  for (RunEntry& entry : manifest_.runs) {
    auto run = IndexRun::open(index_file(path_, "run", entry.number), entry, shape_);
    if (!run) return false;
    runs_.push_back(std::move(run));
    std::vector<std::uint32_t>().swap(entry.removed);  // the run has them
  }
  log_ = IndexLog::open(path_, manifest_.log, writes);
  if (!log_) return false;
  for (const std::string& record : log_->records()) replay(record);
  return true;
}

void IndexFolder::replay(const std::string& bytes) {
  const auto refuse = [&] {
    refuse_damage(log_->path(), 0, "a record refers to runs or items that do not exist");
  };
  IndexRecord record = unpack_record(bytes, shape_, log_->path());
  for (const ItemPlace& place : record.removed) {
    const bool is_there = place.source < runs_.size()
                              ? place.item < runs_[place.source]->items()
                              : place.source == runs_.size() && place.item < log_items_.size();
    if (!is_there) refuse();
    remove(place);
  }
  for (IndexRecord::Item& item : record.items) {
    const IndexItem added = *unpack_item(item.bytes, shape_.components);
    if (added.number < next_number_) refuse();
    next_number_ = added.number + 1;
    log_items_.add(std::move(item.bytes), std::move(item.keys));
  }
  if (record.next_number < next_number_) refuse();
  next_number_ = record.next_number;
}

IndexRecord IndexFolder::record_of_log() const {
  IndexRecord record;
  record.next_number = next_number_;
  for (std::uint32_t item = 0; item < log_items_.size(); ++item) {
    if (log_items_.is_removed(item)) continue;
    const std::span<const std::uint64_t> keys = log_items_.keys(item);
    record.items.push_back({log_items_.bytes(item), {keys.begin(), keys.end()}});
  }
  return record;
}

std::uint64_t IndexFolder::items() const noexcept {
  std::uint64_t items = log_items_.present();
  for (const auto& run : runs_) items += run->present();
  return items;
}

std::uint64_t IndexFolder::bytes() const {
  struct stat status {};
  std::uint64_t bytes = log_->bytes();
  if (::stat(manifest_path(path_).c_str(), &status) == 0) {
    bytes += static_cast<std::uint64_t>(status.st_size);
  }
  for (const auto& run : runs_) bytes += run->entry().bytes;
  return bytes;
}

bool IndexFolder::is_removed(const ItemPlace& place) const {
  return place.source == runs_.size() ? log_items_.is_removed(place.item)
                                      : runs_[place.source]->is_removed(place.item);
}

bool IndexFolder::remove(const ItemPlace& place) {
  return place.source == runs_.size() ? log_items_.remove(place.item)
                                      : runs_[place.source]->remove(place.item);
}

void IndexFolder::begin_find(std::span<const std::uint64_t> keys, std::size_t source,
                             std::size_t band) const {
  for (; source < runs_.size(); ++source, band = 0) {
    for (; band < keys.size(); ++band) runs_[source]->begin_find(band, keys[band]);
  }
}

void IndexFolder::begin_item(const ItemPlace& place) const {
  if (place.source < runs_.size()) runs_[place.source]->begin_item(place.item);
}

void IndexFolder::begin_filter(const ItemPlace& place) const {
  if (place.source < runs_.size()) runs_[place.source]->begin_filter(place.item);
}

void IndexFolder::find_in(std::size_t source, std::size_t band, std::uint64_t key,
                          IndexBuffer& buffer) const {
  if (source == runs_.size()) {
    log_items_.find(band, key, buffer.items);
  } else {
    runs_[source]->find(band, key, buffer.run, buffer.items);
  }
}

void IndexFolder::find(std::span<const std::uint64_t> keys, IndexBuffer& buffer,
                       std::vector<ItemPlace>& found) const {
  std::uint32_t source = 0;
  std::size_t band = 0;
  const ReadAhead ahead(buffer.run, [&] { begin_find(keys, source, band); });
  for (; source <= runs_.size(); ++source) {
    buffer.items.clear();
    for (band = 0; band < keys.size(); ++band) find_in(source, band, keys[band], buffer);
    std::sort(buffer.items.begin(), buffer.items.end());
    buffer.items.erase(std::unique(buffer.items.begin(), buffer.items.end()), buffer.items.end());
    for (const std::uint32_t item : buffer.items) {
      if (!is_removed({source, item})) found.push_back({source, item});
    }
  }
}

bool IndexFolder::find_in_band(std::size_t band, std::span<const RowKey> keys, std::size_t most,
                               IndexBuffer& buffer, std::vector<RowPlace>& found) const {
  std::uint32_t source = 0;
  const ReadAhead ahead(buffer.run, [&] {
    if (source == runs_.size()) return;
    for (const RowKey& each : keys) runs_[source]->begin_find(band, each.key);
  });
  for (; source <= runs_.size(); ++source) {
    for (const RowKey& each : keys) {
      buffer.items.clear();
      find_in(source, band, each.key, buffer);
      for (const std::uint32_t item : buffer.items) {
        if (!is_removed({source, item})) found.push_back({each.row, {source, item}});
      }
      if (found.size() > most) return false;
    }
  }
  return true;
}

std::optional<ItemPlace> IndexFolder::find_name(std::string_view name, IndexBuffer& buffer) const {
  for (std::uint32_t source = 0; source <= runs_.size(); ++source) {
    buffer.items.clear();
    if (source == runs_.size()) {
      log_items_.find(shape_.bands, name_key(name), buffer.items);
    } else {
      runs_[source]->find_name(name, buffer.run, buffer.items);
    }
    for (const std::uint32_t number : buffer.items) {
      const ItemPlace place{source, number};
      if (!is_removed(place) && item(place, buffer).name() == name) return place;
    }
  }
  return std::nullopt;
}

std::string_view IndexFolder::filter(const ItemPlace& place, IndexBuffer& buffer) const {
  if (place.source == runs_.size()) return log_items_.unpack(place.item).filter;
  return runs_[place.source]->filter(place.item, buffer.run);
}

IndexItem IndexFolder::item(const ItemPlace& place, IndexBuffer& buffer) const {
  if (place.source == runs_.size()) return log_items_.unpack(place.item);
  return runs_[place.source]->item(place.item, buffer.run);
}

void IndexFolder::for_each(const std::function<void(const IndexItem& item)>& take,
                           std::uint64_t first) const {
  RunBuffer buffer;
  const auto take_from_first = [&](const IndexItem& item) {
    if (item.number >= first) take(item);
  };
  for (const auto& run : runs_) {
    for (std::size_t block = run->block_before(first, buffer); block < run->item_blocks();
         ++block) {
      run->for_each_of(block, buffer, [&](std::uint32_t number, const IndexItem& item) {
        if (!run->is_removed(number)) take_from_first(item);
      });
    }
  }
  for (std::uint32_t item = 0; item < log_items_.size(); ++item) {
    if (!log_items_.is_removed(item)) take_from_first(log_items_.unpack(item));
  }
}

void IndexFolder::check() const {
  for (const auto& run : runs_) run->check();
  log_->check();
}

}  // namespace sosie

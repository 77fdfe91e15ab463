// Caches decompressed blocks in memory, then in scratch, and finds them by a bit per block.
#include "io/kept_blocks.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/piece_sizes.h"

namespace sosie {
namespace {

std::uint64_t slab_bytes() noexcept { return piece_size(std::uint64_t{1} << 20); }

}  // namespace

SlabStore::~SlabStore() {
  if (file_) scratch_.give_back(file_->size());
}

bool SlabStore::take_memory(std::uint64_t bytes) noexcept {
  std::uint64_t left = memory_left_;
  while (left >= bytes) {
    if (memory_left_.compare_exchange_weak(left, left - bytes)) return true;
  }
  return false;
}

std::optional<SlabStore::Slab> SlabStore::put_in_memory(std::string_view bytes) {
  if (!take_memory(bytes.size())) return std::nullopt;
  Slab slab{std::make_unique_for_overwrite<char[]>(bytes.size())};
  bytes.copy(slab.bytes.get(), bytes.size());
  return slab;
}

std::optional<SlabStore::Slab> SlabStore::put(std::string_view bytes) {
  if (auto slab = put_in_memory(bytes)) return slab;
  const auto offset = put_in_scratch(bytes);
  return offset ? std::optional(Slab{nullptr, *offset}) : std::nullopt;
}

std::optional<std::uint64_t> SlabStore::put_in_scratch(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (!scratch_.has_space(bytes.size())) return std::nullopt;
  if (!file_) file_ = std::make_unique<ScratchFile>(scratch_);
  const std::uint64_t offset = file_->size();
  file_->append(bytes);
  return offset;
}

void SlabStore::read(const Slab& slab, std::size_t from, char* out, std::size_t size) const {
  if (slab.bytes) {
    std::memcpy(out, slab.bytes.get() + from, size);
  } else {
    read_scratch(slab.offset + from, out, size);
  }
}

void SlabStore::read_scratch(std::uint64_t offset, char* out, std::size_t size) const {
  file_->read_at(offset, out, size);
}

KeptBlocks::Stretch KeptBlocks::stretch_of(const Run& run, std::uint64_t offset,
                                           std::uint64_t size) const {
  Stretch there{offset, size};
  if (!run.is_prefix) {
    std::uint64_t block = offset / block_bytes_;
    if (block >= run.end || !run.blocks.test(block)) return {};
    const std::uint64_t from = offset % block_bytes_;
    there = {run.blocks.rank(block) * block_bytes_ + from, block_bytes_ - from};
    while (there.bytes < size && ++block < run.end && run.blocks.test(block)) {
      there.bytes += block_bytes_;
    }
  }
  if (there.place >= run.bytes) return {};
  there.bytes = std::min({there.bytes, size, run.bytes - there.place});
  return there;
}

void KeptBlocks::copy(const Run& run, std::uint64_t place, char* out, std::size_t size) const {
  while (size > 0) {
    const std::uint64_t slab = place / slab_bytes();
    const auto from = static_cast<std::size_t>(place % slab_bytes());
    const std::size_t count = std::min<std::size_t>(size, slab_bytes() - from);
    if (slab < run.slabs.size()) {
      store_.read(run.slabs[slab], from, out, count);
    } else {
      run.last.copy(out, count, from);
    }
    out += count;
    place += count;
    size -= count;
  }
}

bool KeptBlocks::read(std::uint64_t offset, char* out, std::size_t size) const {
  const std::shared_lock lock(mutex_);
  while (size > 0) {
    Stretch there;
    for (auto run = runs_.begin(); run != runs_.end() && there.bytes == 0; ++run) {
      there = stretch_of(*run, offset, size);
      copy(*run, there.place, out, there.bytes);
    }
    if (there.bytes == 0) return false;
    offset += there.bytes;
    out += there.bytes;
    size -= there.bytes;
  }
  return true;
}

bool KeptBlocks::has(std::uint64_t block) const {
  const std::shared_lock lock(mutex_);
  return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
    return stretch_of(run, block * block_bytes_, 1).bytes > 0;
  });
}

bool KeptBlocks::put(Run& run, std::string_view bytes) {
  auto slab = run.is_prefix ? store_.put_in_memory(bytes) : store_.put(bytes);
  if (slab) run.slabs.push_back(std::move(*slab));
  return slab.has_value();
}

bool KeptBlocks::append_to(Run& run, std::string_view bytes) {
  const std::unique_lock lock(mutex_);
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, slab_bytes() - run.last.size());
    const bool is_slab = part.size() == slab_bytes();
    if (!is_slab) run.last += part;
    if (is_slab || run.last.size() == slab_bytes()) {
      const bool has_space = put(run, is_slab ? part : run.last);
      std::string().swap(run.last);
      run.bytes = run.slabs.size() * slab_bytes();
      if (!has_space) return false;
    } else {
      run.bytes += part.size();
    }
    bytes.remove_prefix(part.size());
  }
  return true;
}

bool KeptBlocks::append(std::string_view bytes) {
  if (runs_.empty()) {
    const std::unique_lock lock(mutex_);
    runs_.emplace_back().is_prefix = true;
  }
  return append_to(runs_.front(), bytes);
}

std::uint64_t KeptBlocks::prefix_bytes() const {
  const std::shared_lock lock(mutex_);
  return runs_.empty() || !runs_.front().is_prefix ? 0 : runs_.front().bytes;
}

void KeptBlocks::begin_pass(RowBits blocks, std::uint64_t end) {
  const std::unique_lock lock(mutex_);
  Run& run = runs_.emplace_back();
  run.blocks = std::move(blocks);
  run.end = end;
}

bool KeptBlocks::add(std::string_view blocks) { return append_to(runs_.back(), blocks); }

void KeptBlocks::finish() {
  if (runs_.empty()) return;
  const std::unique_lock lock(mutex_);
  Run& run = runs_.back();
  if (run.last.empty()) return;
  if (!put(run, run.last)) run.bytes -= run.last.size();
  std::string().swap(run.last);
}

void KeptBlocks::clear() {
  const std::unique_lock lock(mutex_);
  for (const Run& run : runs_) {
    for (std::size_t i = 0; i < run.slabs.size(); ++i) {
      if (!run.slabs[i].bytes) continue;
      store_.give_back(std::min<std::uint64_t>(slab_bytes(), run.bytes - i * slab_bytes()));
    }
  }
  runs_.clear();
}

}  // namespace sosie

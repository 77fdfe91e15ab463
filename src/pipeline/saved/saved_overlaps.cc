#include "pipeline/saved/saved_overlaps.h"

#include <algorithm>
#include <cstring>

namespace sosie {
namespace {

constexpr std::size_t kRecordBytes = std::size_t{64} << 10;  // comparisons written at a time
constexpr std::uint64_t kFlushBytes = std::uint64_t{4} << 20;
static_assert(sizeof(SavedOverlap) == 20 && std::is_trivially_copyable_v<SavedOverlap>);

bool comes_before(const SavedOverlap& a, const SavedOverlap& b) noexcept {
  return std::pair(a.left, a.right) < std::pair(b.left, b.right);
}

std::string bytes_of(std::uint64_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

}  // namespace

SavedOverlaps::SavedOverlaps(std::string path, std::uint64_t about)
    : journal_(std::move(path), kFlushBytes) {
  if (journal_.size() > 0 && journal_.read(0) == bytes_of(about)) return;
  journal_.clear();
  journal_.append(bytes_of(about));
}

std::vector<SavedOverlap> SavedOverlaps::load(const RowBits& among, std::size_t most) const {
  std::vector<SavedOverlap> found;
  for (std::size_t i = 1; i < journal_.size(); ++i) {
    const std::optional<std::string> record = journal_.read(i);
    if (!record) continue;
    for (std::size_t at = 0; at + sizeof(SavedOverlap) <= record->size();
         at += sizeof(SavedOverlap)) {
      SavedOverlap rows{};
      std::memcpy(&rows, record->data() + at, sizeof rows);
      if (found.size() < most && among.test(rows.left) && among.test(rows.right)) {
        found.push_back(rows);
      }
    }
  }
  std::sort(found.begin(), found.end(), comes_before);
  return found;
}

void SavedOverlaps::add(const SavedOverlap& rows) {
  const std::lock_guard lock(mutex_);
  unwritten_.append(reinterpret_cast<const char*>(&rows), sizeof rows);
  if (unwritten_.size() >= kRecordBytes) write();
}

void SavedOverlaps::flush() {
  const std::lock_guard lock(mutex_);
  if (!unwritten_.empty()) write();
  journal_.flush();
}

void SavedOverlaps::write() {
  journal_.append(unwritten_);
  unwritten_.clear();
}

KnownOverlaps::KnownOverlaps(SavedOverlaps& saved, std::vector<RowId> rows, RowId all_rows)
    : saved_(saved), rows_(std::move(rows)) {
  constexpr std::size_t kLeast = 4096;
  RowBits among(all_rows);
  for (const RowId row : rows_) among.set(row);
  known_ = saved_.load(among, std::max(kLeast, rows_.size()));
}

std::optional<Overlap> KnownOverlaps::find(RowId left, RowId right) const {
  const SavedOverlap asked{rows_[left], rows_[right], {}};
  const auto at = std::lower_bound(known_.begin(), known_.end(), asked, comes_before);
  if (at == known_.end() || at->left != asked.left || at->right != asked.right) return {};
  return at->overlap;
}

void KnownOverlaps::add(RowId left, RowId right, const Overlap& overlap) {
  saved_.add({rows_[left], rows_[right], overlap});
}

}  // namespace sosie

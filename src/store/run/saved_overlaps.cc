// Comparisons kept beyond their run, checked on reading.
#include "store/run/saved_overlaps.h"

#include <algorithm>
#include <cstring>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kRecordBytes = std::size_t{64} << 10;  // comparisons written at a time
constexpr std::uint64_t kOverlapFlushBytes = std::uint64_t{4} << 20;
static_assert(sizeof(SavedOverlap) == 20 && std::is_trivially_copyable_v<SavedOverlap>);

bool comes_before(const SavedOverlap& a, const SavedOverlap& b) noexcept {
  return std::pair(a.left, a.right) < std::pair(b.left, b.right);
}

bool has_same_rows(const SavedOverlap& a, const SavedOverlap& b) noexcept {
  return a.left == b.left && a.right == b.right;
}

std::string first_record(std::uint64_t about) {
  std::string record(SavedOverlaps::kMark);
  record.append(reinterpret_cast<const char*>(&about), sizeof about);
  return record;
}

// Keeps one of the sorted comparisons of two rows that agree, and none that contradict each other.
void settle_doubles(std::vector<SavedOverlap>& found) {
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < found.size();) {
    std::size_t end = begin + 1;
    bool agree = true;
    for (; end < found.size() && has_same_rows(found[begin], found[end]); ++end) {
      agree &= found[end].overlap == found[begin].overlap;
    }
    if (agree) found[kept++] = found[begin];
    begin = end;
  }
  found.resize(kept);
}

}  // namespace

bool is_possible(const Overlap& overlap) noexcept {
  if (overlap == Overlap{}) return true;
  return overlap.shared <= overlap.left && overlap.left <= overlap.united &&
         overlap.united <= ~std::uint32_t{0} - overlap.shared;
}

void sort_overlaps(std::vector<SavedOverlap>& overlaps) {
  std::sort(overlaps.begin(), overlaps.end(), comes_before);
  settle_doubles(overlaps);
}

SavedOverlaps::SavedOverlaps(std::string path, std::uint64_t about)
    : journal_(std::move(path), kMark, kOverlapFlushBytes) {
  const std::string record = first_record(about);
  if (journal_.size() == 0 || journal_.read(0) != record) journal_.start(record);
}

std::vector<SavedOverlap> SavedOverlaps::load(const RowBits& among, RowId rows_there,
                                              std::size_t most) const {
  std::vector<SavedOverlap> found;
  for (std::size_t i = 1; i < journal_.size(); ++i) {
    const std::optional<std::string> record = journal_.read(i);
    if (!record) continue;
    for (std::size_t at = 0; at + sizeof(SavedOverlap) <= record->size();
         at += sizeof(SavedOverlap)) {
      SavedOverlap rows{};
      std::memcpy(&rows, record->data() + at, sizeof rows);
      const bool are_there =
          rows.left < rows_there && rows.right < rows_there && rows.left != rows.right;
      if (found.size() < most && are_there && among.test(rows.left) && among.test(rows.right) &&
          is_possible(rows.overlap)) {
        found.push_back(rows);
      }
    }
  }
  sort_overlaps(found);
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

OverlapCache::OverlapCache(SavedOverlaps& saved, std::vector<RowId> rows, RowId all_rows)
    : saved_(&saved), path_(saved.path()), rows_(std::move(rows)) {
  constexpr std::size_t kLeast = 4096;
  RowBits among(all_rows);
  for (const RowId row : rows_) among.set(row);
  known_ = saved_->load(among, all_rows, std::max(kLeast, rows_.size()));
}

OverlapCache::OverlapCache(std::string folder, std::vector<SavedOverlap> known)
    : path_(std::move(folder)), known_(std::move(known)) {}

std::optional<Overlap> OverlapCache::find(RowId left, RowId right) const {
  const SavedOverlap asked{row_of_run(left), row_of_run(right), {}};
  const auto at = std::lower_bound(known_.begin(), known_.end(), asked, comes_before);
  if (at == known_.end() || !has_same_rows(*at, asked)) return {};
  return at->overlap;
}

void OverlapCache::refuse() const {
  throw Error(ErrorKind::malformed_input, path_ + ": does not match the texts of the rows",
              saved_ == nullptr ? "recreate the parts"
                                : "remove the folder to begin again, or name another one");
}

void OverlapCache::add(RowId left, RowId right, const Overlap& overlap) {
  if (saved_ != nullptr) saved_->add({row_of_run(left), row_of_run(right), overlap});
}

}  // namespace sosie

// Comparisons kept beyond their run, checked on reading.
#include "store/run/saved_overlaps.h"

#include <algorithm>
#include <cstring>

#include "core/row_bits.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kRecordBytes = std::size_t{64} << 10;  // comparisons written at a time
constexpr std::size_t kLeastKnown = 4096;
constexpr int kRowBits = 32;
constexpr int kPartBits = 16;
constexpr std::uint32_t kPartMask = (std::uint32_t{1} << kPartBits) - 1;
constexpr Overlap kOfParts{1, 0, 0};  // impossible: no comparison has it
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

// Removes repetitions from sorted comparisons, and all comparisons of two rows that contradict each
// other.
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

// A comparison takes 20 bytes, which hold the lowest 32 bits of each row number. A comparison with
// the overlap kOfParts gives the upper bits for all rows after it in the record: right >> 16 for
// left rows, the rest for right rows.
void SavedOverlaps::for_each(const EachOverlap& each) const {
  for (std::size_t i = 1; i < journal_.size(); ++i) {
    const std::optional<std::string> record = journal_.read(i);
    if (!record) continue;
    std::uint32_t parts = 0;
    for (std::size_t at = 0; at + sizeof(SavedOverlap) <= record->size();
         at += sizeof(SavedOverlap)) {
      SavedOverlap rows{};
      std::memcpy(&rows, record->data() + at, sizeof rows);
      if (rows.overlap == kOfParts) {
        parts = rows.right;
        continue;
      }
      if (!is_possible(rows.overlap)) continue;
      each(RowNumber{parts >> kPartBits} << kRowBits | rows.left,
           RowNumber{parts & kPartMask} << kRowBits | rows.right, rows.overlap);
    }
  }
}

std::vector<SavedOverlap> SavedOverlaps::load(std::span<const RowNumber> rows,
                                              std::size_t most) const {
  std::vector<SavedOverlap> found;
  if (rows.empty()) return found;
  const auto [least, greatest] = std::minmax_element(rows.begin(), rows.end());
  const RowNumber first = *least;
  const RowNumber span = *greatest - first + 1;
  RowBits among(span);
  for (const RowNumber row : rows) among.set(row - first);
  among.count();
  std::vector<RowId> position_of(rows.size());
  for (RowId i = 0; i < rows.size(); ++i) position_of[among.rank(rows[i] - first)] = i;
  const auto is_among = [&](RowNumber row) {
    return row >= first && row - first < span && among.test(row - first);
  };
  for_each([&](RowNumber left, RowNumber right, const Overlap& overlap) {
    if (found.size() == most || left == right || !is_among(left) || !is_among(right)) return;
    found.push_back(
        {position_of[among.rank(left - first)], position_of[among.rank(right - first)], overlap});
  });
  sort_overlaps(found);
  return found;
}

std::vector<SavedOverlap> SavedOverlaps::load(RowId rows, std::size_t most) const {
  std::vector<SavedOverlap> found;
  for_each([&](RowNumber left, RowNumber right, const Overlap& overlap) {
    if (found.size() == most || left == right || left >= rows || right >= rows) return;
    found.push_back({row_id(left), row_id(right), overlap});
  });
  sort_overlaps(found);
  return found;
}

void SavedOverlaps::add(RowNumber left, RowNumber right, const Overlap& overlap) {
  const std::lock_guard lock(mutex_);
  const auto put = [&](const SavedOverlap& rows) {
    unwritten_.append(reinterpret_cast<const char*>(&rows), sizeof rows);
  };
  const auto parts = static_cast<std::uint32_t>(left >> kRowBits << kPartBits | right >> kRowBits);
  if (parts != unwritten_parts_) put({kNoRow, parts, kOfParts});
  unwritten_parts_ = parts;
  put({row_id(left), row_id(right), overlap});
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
  unwritten_parts_ = 0;
}

OverlapCache::OverlapCache(SavedOverlaps& saved, std::vector<RowNumber> rows)
    : saved_(&saved),
      path_(saved.path()),
      rows_(std::move(rows)),
      known_(saved_->load(rows_, std::max(kLeastKnown, rows_.size()))) {}

OverlapCache::OverlapCache(SavedOverlaps& saved, RowId rows)
    : saved_(&saved),
      path_(saved.path()),
      known_(saved_->load(rows, std::max<std::size_t>(kLeastKnown, rows))) {}

OverlapCache::OverlapCache(std::string folder, std::vector<SavedOverlap> known)
    : path_(std::move(folder)), known_(std::move(known)) {}

std::optional<Overlap> OverlapCache::find(RowId left, RowId right) const {
  const SavedOverlap asked{left, right, {}};
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
  if (saved_ != nullptr) saved_->add(row_of_run(left), row_of_run(right), overlap);
}

}  // namespace sosie

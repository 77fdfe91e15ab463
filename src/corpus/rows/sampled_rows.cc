// Draws rows of an input by hash, and reads them again.
#include "corpus/rows/sampled_rows.h"

#include <algorithm>

#include "core/mix64.h"
#include "corpus/scan.h"

namespace sosie {
namespace {

constexpr std::uint64_t kSeenBytes = std::uint64_t{32} << 20;
constexpr std::uint64_t kSeenLongBytes = std::uint64_t{8} << 20;
constexpr std::uint64_t kLongRowBytes = 4096;
constexpr std::uint64_t kDrawnBytes = std::uint64_t{2} << 20;
constexpr std::size_t kLeastRows = 128;
constexpr std::uint64_t kSalt = 0x5A3D1E5A3D1E5A3DULL;  // apart from the signatures' random numbers

// Keeps the `most` rows with the least hashes.
class LeastRows {
 public:
  using Rows = decltype(Draw::rows);

  LeastRows(std::size_t most, Rows& rows) : most_(most), rows_(rows) { rows_.reserve(2 * most); }

  [[nodiscard]] bool takes(std::uint64_t order) const noexcept { return order <= limit_; }
  void add(const Rows::value_type& row) {
    rows_.push_back(row);
    if (rows_.size() == 2 * most_) cut();
  }
  // Leaves the rows in the order of their hashes.
  void finish() {
    if (rows_.size() > most_) cut();
    std::sort(rows_.begin(), rows_.end());
  }

 private:
  void cut() {
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(most_);
    std::nth_element(rows_.begin(), end - 1, rows_.end());
    limit_ = (end - 1)->order;
    rows_.erase(end, rows_.end());
  }

  std::size_t most_;
  Rows& rows_;
  std::uint64_t limit_ = ~std::uint64_t{0};
};

// Fewer long rows suffice: their method is lsh in any case, and any plan that the sample may ask
// for takes about as long.
bool has_seen_enough(const Draw& draw) noexcept {
  const bool are_long = draw.seen_bytes > draw.seen_rows * kLongRowBytes;
  const bool are_many = draw.seen_rows > kFewRows && draw.seen_bytes >= kSeenLongBytes;
  return draw.seen_bytes >= kSeenBytes || (are_long && are_many);
}

}  // namespace

Draw draw_rows(const Inputs& inputs, std::uint64_t seed, std::size_t most) {
  Draw draw;
  LeastRows least(most, draw.rows);
  for (std::uint32_t i = 0; i < inputs.files.size(); ++i) {
    const auto is_blank = inputs.list[i].format->is_blank;
    RowStream stream(inputs.source(i));
    for (RowView row; stream.next(row);) {
      if (is_blank != nullptr && is_blank(row.bytes)) continue;
      if (has_seen_enough(draw)) {
        draw.whole = false;
        break;
      }
      draw.seen_bytes += row.bytes.size();
      const std::uint64_t order = random64(seed ^ kSalt, draw.seen_rows++);
      if (i < inputs.first_own_file) ++draw.seen_others;
      if (least.takes(order)) least.add({order, i, row});
    }
    if (!draw.whole) break;
  }
  least.finish();
  return draw;
}

std::vector<SampledRow> rows_of_draw(const Draw& draw, std::size_t first, std::size_t most) {
  const std::size_t limit = std::min(draw.rows.size(), first + most);
  std::size_t end = std::min(first, limit);
  std::uint64_t bytes = 0;
  while (end < limit && (end < first + kLeastRows || bytes < kDrawnBytes)) {
    bytes += draw.rows[end++].row.bytes.size();
  }
  std::vector<SampledRow> rows(draw.rows.begin() + static_cast<std::ptrdiff_t>(first),
                               draw.rows.begin() + static_cast<std::ptrdiff_t>(end));
  std::sort(rows.begin(), rows.end(), [](const SampledRow& a, const SampledRow& b) {
    return a.file != b.file ? a.file < b.file : a.row.offset < b.row.offset;
  });
  return rows;
}

SampledRowReader::SampledRowReader(const Inputs& inputs, const Settings& settings)
    : inputs_(inputs),
      parsers_(inputs, fields_of_scan(inputs, settings)),
      shingler_(settings.shingle) {}

std::span<const std::uint64_t> SampledRowReader::read(const SampledRow& drawn) {
  bytes_.reserve(drawn.row.length);
  bytes_.set_size(drawn.row.bytes.size());
  inputs_.files[drawn.file].read_at(drawn.row.offset, bytes_.data(), drawn.row.bytes.size());
  try {
    parsers_.parse(drawn.file, bytes_.view(), record_);
  } catch (const RowError&) {
    return {};  // the scan will say so, with its place
  }
  shingler_.read_set(record_.text);
  return shingler_.shingles();
}

}  // namespace sosie

// Chooses the look-up keys for strings of each length.
#include "join/strings/string_levels.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace sosie {
namespace {

constexpr std::uint32_t kLongest = std::numeric_limits<std::uint32_t>::max();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Maximum number of deleted symbols; beyond that there are too many combinations.
constexpr std::uint32_t kMostDeletions = 16;
// Maximum number of pieces; beyond that there are too many windows.
constexpr std::uint32_t kMostPieces = 64;
// Bytes of keys in memory: several passes are cheaper than memory that exceeds every cache.
constexpr std::uint64_t kLeastKeyBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostKeyBytes = std::uint64_t{1} << 26;
constexpr std::uint64_t kSharesOfMemory = 8;
// With fewer strings, it is not clear where they differ.
constexpr std::size_t kLeastSampled = 16;

std::uint32_t longest_partner(const EditBound& bound, std::uint32_t length) noexcept {
  std::uint64_t longest = std::uint64_t{length} + bound.within;
  if (bound.by_similarity) {
    const auto [num, den] = bound.threshold;
    if (num == 0) return kLongest;
    // L - l <= (1 - S) L; for indel, (1 - S) (L + l).
    const std::uint64_t shares = bound.measure == EditMeasure::indel ? 2 * den - num : den;
    longest = num >= den ? length : length * shares / num;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(longest, kLongest));
}

std::uint32_t most_deletions(const EditBound& bound, std::uint32_t length) noexcept {
  if (bound.measure != EditMeasure::indel || !bound.by_similarity) {
    return std::min(length, bound.most_edits(length, length));
  }
  // Among x + y edits, x - y are deletions from the longer string, and so are half of the others.
  std::uint32_t most = 0;
  for (std::uint32_t shorter = length;; --shorter) {
    const std::uint32_t edits = bound.most_edits(length, shorter);
    if (edits < length - shorter || most > kMostDeletions) break;
    most = std::max(most, (edits + length - shorter) / 2);
    if (shorter == 0) break;
  }
  return std::min(length, most);
}

void add_job(StringLevel& level, const KeyJob& job, const LengthRange& range) {
  for (const ItemRange& items : {range.left, range.right}) {
    if (items.begin == items.end) continue;
    KeyJob of_side = job;
    of_side.items = items;
    level.jobs.push_back(of_side);
    level.keys += keys_of_item(job, range.length) * (items.end - items.begin);
  }
}

bool is_shorter(std::uint32_t length, const LengthRange& range) noexcept {
  return length < range.length;
}

double count(const ItemRange& items) noexcept {
  return static_cast<double>(items.end - items.begin);
}

// Counts the pairs of items with two lengths, or with the same length.
double pairs_of(const LengthRange& a, const LengthRange& b) noexcept {
  const bool same = a.length == b.length;
  // In a join within one side, the other side is empty.
  const double across =
      count(a.left) * count(b.right) + (same ? 0 : count(a.right) * count(b.left));
  const bool is_self = count(a.right) + count(b.right) == 0;
  return is_self ? count(a.left) * count(b.left) / (same ? 2 : 1) : across;
}

std::vector<StringLevel> in_order(std::map<std::uint32_t, StringLevel>& levels) {
  std::vector<StringLevel> out;
  out.reserve(levels.size());
  for (auto& [length, level] : levels) out.push_back(std::move(level));
  return out;
}

}  // namespace

StringReach reach_of(const EditBound& bound, std::uint32_t length) noexcept {
  StringReach reach;
  reach.longest = longest_partner(bound, length);
  reach.edits = bound.most_edits(length, reach.longest);
  // A swap costs at most two edits without swaps.
  const bool swaps = bound.measure == EditMeasure::osa || bound.measure == EditMeasure::damerau;
  const std::uint64_t pieces = std::uint64_t{reach.edits} * (swaps ? 2 : 1) + 1;
  reach.pieces = static_cast<std::uint32_t>(std::min<std::uint64_t>(pieces, kLongest));
  reach.deletions = most_deletions(bound, length);
  return reach;
}

std::uint32_t most_bits(EditMeasure measure, std::uint32_t edits,
                        std::uint32_t longer_by) noexcept {
  constexpr std::uint32_t kBits = 64;
  if (edits >= kBits) return kBits;
  return std::min(kBits, measure == EditMeasure::indel ? edits : 2 * edits - longer_by);
}

std::vector<StringLevel> deletion_levels(const std::vector<LengthRange>& lengths,
                                         const EditBound& bound, std::uint32_t below) {
  std::map<std::uint32_t, StringLevel> levels;
  const std::uint32_t longest = below == 0 ? 0 : longest_partner(bound, below - 1);
  for (const LengthRange& range : lengths) {
    if (below == 0 || range.length > longest) break;
    const StringReach reach = reach_of(bound, range.length);
    for (std::uint32_t count = 0; count <= reach.deletions; ++count) {
      StringLevel& level = levels[range.length - count];
      level.length = range.length - count;
      level.edits = std::max(level.edits, reach.edits);
      if (count > kMostDeletions) {
        level.keys = kInfinite;
        break;
      }
      add_job(level, {KeyJob::Kind::deletions, {}, count, 0, {}}, range);
    }
  }
  return in_order(levels);
}

std::vector<StringLevel> segment_levels(const std::vector<LengthRange>& lengths,
                                        const EditBound& bound, std::uint32_t from,
                                        double rows_an_item) {
  std::vector<StringLevel> levels;
  for (auto cut = lengths.begin(); cut != lengths.end(); ++cut) {
    if (cut->length < from) continue;
    const StringReach reach = reach_of(bound, cut->length);
    const auto partners =
        std::span(cut, std::upper_bound(cut, lengths.end(), reach.longest, is_shorter));
    StringLevel& level = levels.emplace_back();
    level.length = cut->length;
    level.edits = reach.edits;
    for (const LengthRange& range : partners) level.pairs += pairs_of(*cut, range);
    if (reach.pieces > std::min(cut->length, kMostPieces)) continue;
    level.cuts = std::make_shared<StringCuts>(equal_cuts(cut->length, reach.pieces));
    KeyJob job{KeyJob::Kind::pieces, {}, reach.pieces, cut->length, level.cuts};
    add_job(level, job, *cut);
    job.kind = KeyJob::Kind::windows;
    for (const LengthRange& range : partners) add_job(level, job, range);
    if (level.pairs * rows_an_item * kScannedPairNs > level.keys * kPieces.key_ns) continue;
    level.jobs.clear();
    level.keys = 0;
  }
  return levels;
}

void cut_where_strings_differ(const StringColumn& column, std::vector<StringLevel>& levels) {
  std::vector<std::uint32_t> items;
  std::vector<std::uint32_t> sample;
  for (StringLevel& level : levels) {
    items.clear();
    for (const KeyJob& job : level.jobs) {
      if (job.kind != KeyJob::Kind::pieces) continue;
      for (std::uint32_t item = job.items.begin; item < job.items.end; ++item) {
        items.push_back(item);
      }
    }
    if (items.size() < kLeastSampled) continue;
    const std::size_t count = std::min<std::size_t>(items.size(), kCutSample);
    sample.clear();
    for (std::size_t i = 0; i < count; ++i) sample.push_back(items[items.size() * i / count]);
    *level.cuts = rare_cuts(column, sample, *level.cuts);
  }
}

std::uint64_t bytes_of_keys(std::uint64_t memory_bytes) noexcept {
  return std::clamp(memory_bytes / kSharesOfMemory, kLeastKeyBytes, kMostKeyBytes);
}

std::uint32_t first_cut_length(const std::vector<LengthRange>& lengths,
                               const EditBound& bound) noexcept {
  const auto longest =
      std::find_if(lengths.rbegin(), lengths.rend(), [&](const LengthRange& range) {
        return reach_of(bound, range.length).pieces > range.length;
      });
  return longest == lengths.rend() ? 0 : longest->length + 1;
}

}  // namespace sosie

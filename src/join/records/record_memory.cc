// Estimates the memory of a run on records, to stop runs that would exceed the limit.
#include "join/records/record_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "core/size_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Bytes per element of the sets whose neighbours are searched for: its hash and the sort that
// numbers it; then its number in a set and in a list.
constexpr std::uint64_t kRecordElementBytes = 24;
constexpr std::uint64_t kBytesOfListedElement = 8;
constexpr std::uint64_t kBytesOfRecord = 64;         // needs of a record, whatever it is near
constexpr std::uint64_t kBytesOfRecordAThread = 28;  // needs of a search for neighbours
constexpr std::uint64_t kBytesOfComparedSet = 16;    // element of a set, in a column that grows
constexpr std::uint64_t kBytesOfWeight = 4;          // weight of an element, for tfidf
constexpr std::uint64_t kBytesOfCountedWeight = 32;  // needs while weights are computed

// Bytes of the texts of all records; they have at least as many bytes as elements.
std::uint64_t elements_of(const RecordTable& table, std::span<const std::uint32_t> fields) {
  std::uint64_t sum = 0;
  for (const std::uint32_t field : fields) {
    const RecordColumn& column = table.columns[field];
    for (std::uint32_t value = 1; value < column.distinct(); ++value) {
      sum += (column.text(value).size() + 1) * column.counts[value];
    }
  }
  return sum;
}

}  // namespace

void RecordMemory::require(std::uint64_t bytes, std::string_view what) const {
  const std::uint64_t needed = held_bytes_ + bytes;
  if (needed <= memory_bytes_) return;
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("the records and their {} need about {} of memory; --memory is {}", what,
                          bytes_text(needed), limit_text(memory_bytes_)),
              fmt::format("raise --memory; {} is enough", round_size_text(needed)));
}

RecordNeeds comparison_needs(const RecordTable& table, const LinkRules& rules) {
  constexpr std::uint64_t kBytesOfRowField = 4;
  constexpr std::uint64_t kBytesOfNumber = 8;
  constexpr std::uint64_t kDrawnDistances = 200000;  // distances of random pairs
  RecordNeeds needs;
  const std::vector<std::uint32_t> compared = rules.compared();
  needs.kept_bytes = kBytesOfRowField * compared.size() * table.size();
  for (const std::uint32_t field : compared) {
    needs.kept_bytes +=
        ValueBounds::bytes_for(table.columns[field], rules.fields[field].comparison);
    const FieldMeasure measure = rules.fields[field].comparison.measure;
    if (measure == FieldMeasure::nearness) {
      needs.kept_bytes += kBytesOfNumber * (table.columns[field].distinct() + kDrawnDistances);
    }
    if (measure != FieldMeasure::cosine && measure != FieldMeasure::tfidf) continue;
    const std::uint64_t copies = rules.fields[field].brief.empty() ? 1 : 2;
    const std::uint64_t elements = copies * table.columns[field].bytes.size();
    needs.peak_bytes =
        std::max(needs.peak_bytes, needs.kept_bytes + kBytesOfComparedSet * elements);
    needs.kept_bytes += kBytesOfComparedSet * elements;
    if (measure != FieldMeasure::tfidf) continue;
    needs.kept_bytes += kBytesOfWeight * elements;
    needs.peak_bytes =
        std::max(needs.peak_bytes, needs.kept_bytes + kBytesOfCountedWeight * elements);
  }
  needs.peak_bytes = std::max(needs.peak_bytes, needs.kept_bytes);
  return needs;
}

RecordNeeds nearest_needs(const RecordTable& table, std::span<const std::uint32_t> fields,
                          std::uint32_t top, unsigned threads) {
  const std::uint64_t elements = elements_of(table, fields);
  // No record has more neighbours than there are other records.
  const std::uint64_t partners = std::uint64_t{table.size()} * std::min(top, table.size());
  const std::uint64_t of_records = kBytesOfRecord * table.size() + kBytesOfPartner * partners;
  return {
      kRecordElementBytes * elements + of_records + kBytesOfRecordAThread * table.size() * threads,
      kBytesOfListedElement * elements + of_records};
}

}  // namespace sosie

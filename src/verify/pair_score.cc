// Scores two records by rules of thumb: points per field, and the cosine of their characters.
#include "verify/pair_score.h"

#include <utility>

#include "sosie/strings.h"
#include "verify/field_comparer.h"

namespace sosie {

double BookScore::score(std::uint32_t left, std::uint32_t right) const {
  constexpr std::uint32_t kMostEdits = 8;  // 7 edits leave 2 points, 8 none
  double points = 0;
  double compared = 0;
  for (const RecordColumn* column : columns_) {
    const std::uint32_t a = column->values[left];
    const std::uint32_t b = column->values[right];
    if (a == RecordColumn::kMissing || b == RecordColumn::kMissing) continue;
    compared += 1;
    const std::uint32_t edits = a == b ? 0
                                : column->has_variants()
                                    ? edits_of_variants(*column, left, right, kMostEdits)
                                    : indel(column->text(a), column->text(b), kMostEdits);
    points += book_points(edits);
  }
  return compared == 0 ? 0 : points / compared * static_cast<double>(columns_.size());
}

double BookScore::greatest() const noexcept {
  return book_points(0) * static_cast<double>(columns_.size());
}

TfidfScore::TfidfScore(RecordColumn column)
    : column_(std::move(column)),
      comparison_{FieldMeasure::tfidf, {}},
      values_(compared_values(column_, FieldMeasure::tfidf, /*left=*/0)),
      comparer_(column_, comparison_, values_) {}

double TfidfScore::score(std::uint32_t left, std::uint32_t right) const {
  return comparer_.closeness(column_.values[left], column_.values[right]);
}

}  // namespace sosie

// Collects the rows of packed inputs that a stage is about to read again.
#include "corpus/rows_at_hand.h"

#include <algorithm>

#include "io/packed_file.h"

namespace sosie {

bool has_packed_files(const Inputs& inputs) noexcept {
  return std::any_of(inputs.files.begin(), inputs.files.end(),
                     [](const File& file) { return file.packed() != nullptr; });
}

void keep_rows_at_hand(const Inputs& inputs, const Corpus& corpus, std::vector<RowId> rows) {
  if (!has_packed_files(inputs)) return;
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::vector<Stretch> stretches;
  stretches.reserve(rows.size());
  for (const RowId row : rows) {
    const RowLocator locator = corpus.locator(row);
    stretches.push_back({locator.file, locator.length, locator.offset});
  }
  std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) {
    return a.file != b.file ? a.file < b.file : a.offset < b.offset;
  });
  keep_at_hand(inputs.files, stretches);
}

}  // namespace sosie

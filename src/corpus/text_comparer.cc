// Compares normalised texts byte by byte, behind equal hashes.
#include "corpus/text_comparer.h"

namespace sosie {

TextComparer::TextComparer(const Inputs& inputs, const Corpus& corpus, const Settings& settings)
    : reader_(inputs, corpus, {inputs.fields.column, {}, {}}), shingler_(settings.shingle) {}

void TextComparer::set_leader(RowId row) {
  raw_ = reader_.read(row).text;
  normalized_.reset();
}

bool TextComparer::same_as_leader(RowId row) {
  const std::string_view text = reader_.read(row).text;
  if (text == raw_) return true;
  shingler_.read(text);
  const std::string other = shingler_.normalized_text();
  if (!normalized_) {
    padded_.assign(raw_);
    shingler_.read(padded_.view());
    normalized_ = shingler_.normalized_text();
  }
  return *normalized_ == other;
}

}  // namespace sosie

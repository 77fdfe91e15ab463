// Methods for scoring pairs in `sosie link`, chosen by the number and shape of the fields.
#include "verbs/link/link_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/joined_text.h"
#include "core/rational.h"
#include "corpus/items/record_fields.h"
#include "represent/unicode_tables.h"
#include "verify/word_score.h"

namespace sosie {
namespace {

bool is_long_text(const LinkField& field) noexcept {
  return field.comparison.measure == FieldMeasure::tfidf;
}

bool is_part_of_word(char32_t code_point) {
  return unicode::properties_of(code_point).char_class() >= unicode::CharClass::word;
}

// Half a unit in the last place of a probability, which is written with six digits.
constexpr double kHalfOfLastDigit = 5e-7;

}  // namespace

double LinkMethod::asked_cut(std::string_view cut) const {
  const double value = parse_bound(cut, BoundSide::not_below)->value();
  return has_odds() && value > 2 * kHalfOfLastDigit ? value - kHalfOfLastDigit : value;
}

LinkMethod method_of(const LinkRules& rules) {
  if (rules.method != ScoreMethod::automatic) return {rules.method, "as the rules say"};
  const std::vector<std::uint32_t> compared = rules.compared();
  if (compared.size() == 1 && rules.model.empty()) {
    return {
        ScoreMethod::tfidf,
        fmt::format("compares the words of '{}', the only field", rules.fields[compared[0]].name),
        true};
  }
  std::vector<std::string> texts;
  for (const std::uint32_t f : compared) {
    if (is_long_text(rules.fields[f])) texts.push_back(rules.fields[f].name);
  }
  if (texts.empty()) return {ScoreMethod::fellegi_sunter, "the fields are short"};
  return {ScoreMethod::fellegi_sunter,
          fmt::format("with the cosine of characters as levels of {}", joined_text(texts, ", "))};
}

std::unique_ptr<PairScore> pair_score_of(const LinkMethod& chosen, const LinkRules& rules,
                                         const RecordTable& table, const RecordMemory& memory,
                                         const ThreadPool& pool) {
  const std::vector<std::uint32_t> compared = rules.compared();
  const ScoreMethod method = chosen.method;
  if (chosen.by_words) {
    const WordScoreTask task{std::max(table.left, table.right), table.across, is_part_of_word,
                             [&](std::uint64_t bytes) { memory.require(bytes, "words"); },
                             [&] { pool.check_cancelled(); }};
    return std::make_unique<WordScore>(joined_column(table, compared), task);
  }
  if (method == ScoreMethod::tfidf) {
    return std::make_unique<TfidfScore>(joined_column(table, compared));
  }
  if (method != ScoreMethod::book) return nullptr;
  std::vector<const RecordColumn*> columns;
  columns.reserve(compared.size());
  for (const std::uint32_t f : compared) columns.push_back(&table.columns[f]);
  return std::make_unique<BookScore>(std::move(columns));
}

}  // namespace sosie

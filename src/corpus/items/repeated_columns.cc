// Finds columns that repeat other columns or follow from them.
#include "corpus/items/repeated_columns.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "core/ascii_lower.h"
#include "represent/fields.h"

namespace sosie {
namespace {

constexpr std::uint32_t kMostRecords = 2000;
constexpr std::uint32_t kLeastRecords = 8;
constexpr double kNearlyAllWords = 0.9;
constexpr double kSeveralWords = 1.2;  // a column of fewer words is no whole made of parts
constexpr double kNearlyEvery = 0.95;  // records in which a copy has the same words
constexpr double kNamed = 0.05;        // share of the words of a whole that a part has at least

bool is_word_byte(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Numbers words; equal words get the same number.
class WordNumbers {
 public:
  // Numbers of the distinct words in a text, ascending.
  [[nodiscard]] std::vector<std::uint32_t> of(std::string_view text) {
    std::vector<std::uint32_t> numbers;
    if (is_missing_value(text)) return numbers;
    std::string word;
    const auto finish = [&] {
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      if (!word.empty()) numbers.push_back(numbers_.try_emplace(word, next).first->second);
      word.clear();
    };
    for (const char c : text) {
      if (is_word_byte(c)) {
        word += ascii_lower(c);
      } else {
        finish();
      }
    }
    finish();
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

// Words of some records of one collection, by column and record.
class WordSample {
 public:
  explicit WordSample(std::span<const RecordColumn* const> columns) : words_(columns.size()) {
    const auto records = static_cast<std::uint32_t>(columns.front()->values.size());
    const std::uint32_t step = std::max(1U, records / kMostRecords);
    WordNumbers numbers;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (std::uint32_t record = 0; record < records; record += step) {
        words_[c].push_back(numbers.of(columns[c]->text_of(record)));
      }
    }
  }

  // Mean number of words in the values that are present.
  [[nodiscard]] double mean_words(std::size_t column) const {
    std::size_t words = 0;
    std::size_t values = 0;
    for (const auto& some : words_[column]) {
      words += some.size();
      values += some.empty() ? 0 : 1;
    }
    return static_cast<double>(words) / static_cast<double>(std::max<std::size_t>(1, values));
  }

  // True if the two columns have the same words in nearly every record.
  [[nodiscard]] bool are_copies(std::size_t one, std::size_t other) const {
    const std::size_t records = words_[one].size();
    const double most = (1 - kNearlyEvery) * static_cast<double>(records);
    std::size_t values = 0;
    std::size_t different = 0;
    for (std::size_t i = 0; i < records && static_cast<double>(different) <= most; ++i) {
      values += words_[one][i].empty() ? 0 : 1;
      different += words_[one][i] == words_[other][i] ? 0 : 1;
    }
    return values >= kLeastRecords &&
           static_cast<double>(different) <= (1 - kNearlyEvery) * static_cast<double>(values);
  }

  // The words of a column, and how many of them occur in shorter columns of the same record.
  struct Covered {
    std::size_t values = 0;
    std::size_t words = 0;
    std::size_t covered = 0;
  };
  // By column. `lengths`: mean number of words in each column.
  [[nodiscard]] std::vector<Covered> covered(std::span<const double> lengths) const {
    std::vector<Covered> all(words_.size());
    std::vector<std::pair<std::uint32_t, double>> held;  // word, length of a column that has it
    for (std::size_t i = 0; i < words_.front().size(); ++i) {
      held.clear();
      for (std::size_t c = 0; c < words_.size(); ++c) {
        for (const std::uint32_t word : words_[c][i]) held.emplace_back(word, lengths[c]);
      }
      std::sort(held.begin(), held.end());
      for (std::size_t c = 0; c < words_.size(); ++c) {
        const auto& words = words_[c][i];
        all[c].values += words.empty() ? 0 : 1;
        all[c].words += words.size();
        all[c].covered += static_cast<std::size_t>(
            std::count_if(words.begin(), words.end(), [&](std::uint32_t word) {
              const auto shortest =
                  std::lower_bound(held.begin(), held.end(), std::pair(word, 0.0));
              return shortest->second < lengths[c];
            }));
      }
    }
    return all;
  }

  // Counts the words that each part shares with the whole.
  void count_shared(std::size_t whole, std::span<std::size_t> shared) const {
    for (std::size_t i = 0; i < words_[whole].size(); ++i) {
      for (std::size_t c = 0; c < words_.size(); ++c) {
        const auto& part = words_[c][i];
        shared[c] += static_cast<std::size_t>(
            std::count_if(part.begin(), part.end(), [&](std::uint32_t word) {
              return std::binary_search(words_[whole][i].begin(), words_[whole][i].end(), word);
            }));
      }
    }
  }

 private:
  std::vector<std::vector<std::vector<std::uint32_t>>> words_;
};

using Samples = std::vector<WordSample>;

// Columns with fewer words that contain words of the whole.
std::vector<std::uint32_t> parts_of(std::size_t whole, const Samples& samples,
                                    std::span<const double> lengths, std::size_t words) {
  std::vector<std::size_t> shared(lengths.size());
  for (const WordSample& sample : samples) sample.count_shared(whole, shared);
  std::vector<std::uint32_t> parts;
  for (std::uint32_t c = 0; c < lengths.size(); ++c) {
    if (lengths[c] >= lengths[whole]) continue;
    if (static_cast<double>(shared[c]) >= kNamed * static_cast<double>(words)) parts.push_back(c);
  }
  return parts;
}

constexpr std::uint32_t kSampledRecords = 4000;
constexpr double kSharing = 30;        // records that share a value, on average
constexpr double kSharingSeen = 2;     // such records among the sampled ones
constexpr double kUnexplained = 0.05;  // part of the records without the commonest value
constexpr double kFewestOthers = 10;   // records that have not the commonest value

// Values of some records of a column.
struct SampledColumn {
  std::vector<std::uint32_t> values;
  std::uint32_t distinct = 0;
  double others = 0;  // records that have not the commonest value
  bool is_shared = false;
};

SampledColumn sampled(const RecordColumn& column) {
  const auto records = static_cast<std::uint32_t>(column.values.size());
  const std::uint32_t step = std::max(1U, (records + kSampledRecords - 1) / kSampledRecords);
  SampledColumn found;
  for (std::uint32_t record = 0; record < records; record += step) {
    found.values.push_back(column.values[record]);
  }
  std::vector<std::uint32_t> sorted = found.values;
  std::sort(sorted.begin(), sorted.end());
  double pairs = 0;
  double most = 0;
  double frequent = 0;  // commonest value that is there
  double there = 0;
  for (auto at = sorted.begin(); at != sorted.end();) {
    const auto end = std::upper_bound(at, sorted.end(), *at);
    const auto count = static_cast<double>(end - at);
    most = std::max(most, count);
    if (*at != RecordColumn::kMissing) {
      ++found.distinct;
      there += count;
      pairs += count * (count - 1);
      frequent = std::max(frequent, count);
    }
    at = end;
  }
  // Otherwise, copies of a single record would make its values frequent.
  pairs -= frequent * (frequent - 1);
  there -= frequent;
  found.others = static_cast<double>(sorted.size()) - most;
  const double sharing = there == 0 ? 0 : pairs / there;
  found.is_shared = sharing >= kSharingSeen && sharing * step >= kSharing;
  return found;
}

// True if records with the same value in one column also have the same value in another one. A
// missing value in the other column counts as a value; records that lack the first column are
// ignored.
bool follows(const SampledColumn& from, const SampledColumn& column) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> both;
  both.reserve(from.values.size());
  for (std::size_t i = 0; i < from.values.size(); ++i) {
    both.emplace_back(from.values[i], column.values[i]);
  }
  std::sort(both.begin(), both.end());
  double explained = 0;
  for (auto at = both.begin(); at != both.end();) {
    std::ptrdiff_t most = 0;
    const std::uint32_t value = at->first;
    while (at != both.end() && at->first == value) {
      const auto end = std::upper_bound(at, both.end(), *at);
      most = std::max(most, end - at);
      at = end;
    }
    explained += static_cast<double>(most);
  }
  const double unexplained = static_cast<double>(both.size()) - explained;
  return column.others >= kFewestOthers && unexplained <= kUnexplained * column.others;
}

std::vector<SampledColumn> all_sampled(std::span<const RecordColumn* const> columns) {
  std::vector<SampledColumn> all;
  all.reserve(columns.size());
  for (const RecordColumn* column : columns) all.push_back(sampled(*column));
  return all;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> repeated_columns(
    std::span<const RecordColumn* const> left, std::span<const RecordColumn* const> right) {
  std::vector<std::vector<std::uint32_t>> repeats(left.size());
  Samples samples;
  if (!left.empty()) samples.emplace_back(left);
  if (!right.empty()) samples.emplace_back(right);
  std::vector<double> lengths(left.size());
  for (std::size_t c = 0; c < left.size(); ++c) {
    for (const WordSample& sample : samples) {
      lengths[c] += sample.mean_words(c) / static_cast<double>(samples.size());
    }
  }
  std::vector<std::vector<WordSample::Covered>> covered;
  covered.reserve(samples.size());
  for (const WordSample& sample : samples) covered.push_back(sample.covered(lengths));
  for (std::uint32_t c = 0; c < left.size(); ++c) {
    std::size_t words = 0;
    const bool is_whole =
        lengths[c] > kSeveralWords &&
        std::all_of(covered.begin(), covered.end(), [&](const auto& of_sample) {
          const WordSample::Covered& of = of_sample[c];
          words += of.words;
          return of.values >= kLeastRecords &&
                 static_cast<double>(of.covered) >= kNearlyAllWords * static_cast<double>(of.words);
        });
    if (is_whole) repeats[c] = parts_of(c, samples, lengths, words);
    for (std::uint32_t earlier = 0; earlier < c && repeats[c].empty(); ++earlier) {
      if (!repeats[earlier].empty()) continue;
      if (std::all_of(samples.begin(), samples.end(),
                      [&](const WordSample& sample) { return sample.are_copies(c, earlier); })) {
        repeats[c] = {earlier};
      }
    }
  }
  return repeats;
}

std::vector<std::optional<std::uint32_t>> followed_columns(
    std::span<const RecordColumn* const> left, std::span<const RecordColumn* const> right) {
  const std::vector<SampledColumn> of_left = all_sampled(left);
  const std::vector<SampledColumn> of_right = all_sampled(right);
  const auto in_both = [&](const auto& holds) {
    return holds(of_left) && (of_right.empty() || holds(of_right));
  };
  std::vector<std::uint32_t> order;  // columns of few values, the finest first
  for (std::uint32_t i = 0; i < left.size(); ++i) {
    const bool is_shared = in_both([&](const auto& of) { return of[i].is_shared; });
    if (is_shared) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return of_left[a].distinct > of_left[b].distinct;
  });
  std::vector<std::optional<std::uint32_t>> found(left.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::uint32_t column = order[place];
    for (std::size_t finer = 0; finer < place && !found[column]; ++finer) {
      const std::uint32_t from = order[finer];
      if (found[from]) continue;
      if (in_both([&](const auto& of) { return follows(of[from], of[column]); })) {
        found[column] = from;
      }
    }
  }
  return found;
}

}  // namespace sosie

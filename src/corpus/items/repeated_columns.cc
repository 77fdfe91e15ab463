// Columns that say again what other columns say.
#include "corpus/items/repeated_columns.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>

#include "represent/fields.h"

namespace sosie {
namespace {

constexpr std::uint32_t kMostRecords = 2000;
constexpr std::uint32_t kLeastRecords = 8;
constexpr double kNearlyEvery = 0.95;
constexpr double kOften = 0.5;

using Words = std::vector<std::string>;  // sorted, each once

bool is_word_byte(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

Words words_of(std::string_view text) {
  Words words;
  if (is_missing_value(text)) return words;
  std::string word;
  for (const char c : text) {
    if (is_word_byte(c)) {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

// Words of some records of one collection, by column and record.
class WordSample {
 public:
  explicit WordSample(std::span<const RecordColumn* const> columns) {
    const auto records = static_cast<std::uint32_t>(columns.front()->values.size());
    const std::uint32_t step = std::max(1U, records / kMostRecords);
    words_.resize(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (std::uint32_t record = 0; record < records; record += step) {
        words_[c].push_back(words_of(columns[c]->text_of(record)));
      }
    }
  }

  // Mean number of words of the values that are there.
  [[nodiscard]] double mean_words(std::size_t column) const {
    std::size_t words = 0;
    std::size_t values = 0;
    for (const Words& some : words_[column]) {
      words += some.size();
      values += some.empty() ? 0 : 1;
    }
    return static_cast<double>(words) / static_cast<double>(std::max<std::size_t>(1, values));
  }

  // True if the words of a part are nearly always among the words of the whole, and it is often
  // there.
  [[nodiscard]] bool is_part(std::size_t part, std::size_t whole) const {
    const std::size_t records = words_[whole].size();
    const auto most_outside =
        static_cast<std::size_t>((1 - kNearlyEvery) * static_cast<double>(records)) + 1;
    std::size_t within = 0;
    std::size_t both = 0;
    std::size_t values = 0;
    for (std::size_t i = 0; i < records; ++i) {
      values += words_[whole][i].empty() ? 0 : 1;
      if (words_[whole][i].empty() || words_[part][i].empty()) continue;
      ++both;
      within += includes(words_[whole][i], words_[part][i]) ? 1 : 0;
      if (both - within > most_outside) return false;
    }
    return both >= kLeastRecords &&
           static_cast<double>(both) >= kOften * static_cast<double>(values) &&
           static_cast<double>(within) >= kNearlyEvery * static_cast<double>(both);
  }

  // True if these parts together have nearly always all words of the whole.
  [[nodiscard]] bool are_whole(const std::vector<std::uint32_t>& parts, std::size_t whole) const {
    std::size_t covered = 0;
    std::size_t values = 0;
    Words all;
    for (std::size_t i = 0; i < words_[whole].size(); ++i) {
      if (words_[whole][i].empty()) continue;
      ++values;
      all.clear();
      for (const std::uint32_t part : parts) {
        all.insert(all.end(), words_[part][i].begin(), words_[part][i].end());
      }
      std::sort(all.begin(), all.end());
      covered += includes(all, words_[whole][i]) ? 1 : 0;
    }
    return values >= kLeastRecords &&
           static_cast<double>(covered) >= kNearlyEvery * static_cast<double>(values);
  }

 private:
  [[nodiscard]] static bool includes(const Words& all, const Words& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
  }

  std::vector<std::vector<Words>> words_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> repeated_columns(
    std::span<const RecordColumn* const> left, std::span<const RecordColumn* const> right) {
  std::vector<std::vector<std::uint32_t>> repeats(left.size());
  std::vector<WordSample> samples;
  if (!left.empty()) samples.emplace_back(left);
  if (!right.empty()) samples.emplace_back(right);
  // Columns of many words first: parts are kept, and of equal columns the first.
  std::vector<std::uint32_t> order(left.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double x = samples.front().mean_words(a);
    const double y = samples.front().mean_words(b);
    return x != y ? x > y : a > b;
  });
  const auto in_all = [&](const auto& holds) {
    return std::all_of(samples.begin(), samples.end(), holds);
  };
  for (const std::uint32_t whole : order) {
    std::vector<std::uint32_t> parts;
    for (std::uint32_t part = 0; part < left.size(); ++part) {
      if (part == whole || !repeats[part].empty()) continue;
      if (in_all([&](const WordSample& sample) { return sample.is_part(part, whole); })) {
        parts.push_back(part);
      }
    }
    if (parts.empty()) continue;
    if (in_all([&](const WordSample& sample) { return sample.are_whole(parts, whole); })) {
      repeats[whole] = std::move(parts);
    }
  }
  return repeats;
}

}  // namespace sosie

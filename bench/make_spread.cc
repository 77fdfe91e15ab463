// Writes the corpus used to measure `--memory`, as JSON lines, to stdout: many short documents that
// have nothing in common except words; one in twenty is an earlier document with one word replaced.
// Each document is a stretch of real text with its words shuffled, so shingles are rare. The same
// arguments give the same bytes.
//
//     make_spread TEXT BYTES SEED > spread.jsonl
//
// TEXT: any file that contains prose; its runs of letters are the words.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shuffled_words.h"

namespace {

using namespace sosie::bench;

constexpr std::uint64_t kLeastWords = 60;
constexpr std::uint64_t kWordChoices = 64;  // number of lengths: 60 to 123 words
constexpr std::uint64_t kOneIn = 20;        // is a near-duplicate
constexpr std::size_t kMostBytes = 900;     // maximum size of a text; a row stays below 1 KB

class Maker {
 public:
  Maker(std::vector<std::string_view> words, std::uint64_t seed)
      : words_(std::move(words)), seed_(seed) {}

  // Document `number`, generated anew on each request.
  const std::string& text(std::uint64_t number) {
    const bool planted = number % kOneIn == kOneIn - 1;
    Random own(seed_ + number);
    std::uint64_t original = number;
    if (planted) {
      original = own.below(number);
      if (original % kOneIn == kOneIn - 1) --original;
    }
    choose(original);
    if (planted) chosen_[own.below(chosen_.size())] = words_[own.below(words_.size())];
    text_.clear();
    for (const std::string_view word : chosen_) {
      if (text_.size() + word.size() > kMostBytes) break;
      if (!text_.empty()) text_ += ' ';
      text_ += word;
    }
    return text_;
  }

 private:
  void choose(std::uint64_t number) {
    Random random((seed_ + number) * 0x2545f4914f6cdd1dULL);
    const std::uint64_t count = kLeastWords + random.below(kWordChoices);
    choose_words(words_, count, random, chosen_);
  }

  std::vector<std::string_view> words_;
  std::uint64_t seed_;
  std::vector<std::string_view> chosen_;
  std::string text_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: make_spread TEXT BYTES SEED > spread.jsonl\n", stderr);
    return 2;
  }
  const std::string source = read_text(argv[1]);
  std::vector<std::string_view> words = words_of(source);
  if (words.size() <= 2 * (kLeastWords + kWordChoices)) {
    std::fprintf(stderr, "make_spread: %s: too few words\n", argv[1]);
    return 2;
  }
  Maker maker(std::move(words), std::strtoull(argv[3], nullptr, 10));
  const std::uint64_t bytes = std::strtoull(argv[2], nullptr, 10);
  std::string line;
  for (std::uint64_t written = 0, number = 0; written < bytes; ++number) {
    line = "{\"id\":" + std::to_string(number) + ",\"text\":\"" + maker.text(number) + "\"}\n";
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) return 4;
    written += line.size();
  }
  return std::fflush(stdout) == 0 ? 0 : 4;
}

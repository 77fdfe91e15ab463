// Writes pages with the same template as JSON lines to stdout: every page has the same boilerplate
// around words of its own, and one in 200 is an earlier page with one of its own words replaced.
// The id of such a copy is its original's id followed by "-copy". The same arguments give the same
// bytes.
//
//     make_templated TEXT PAGES PERCENT SEED > pages.jsonl
//
// TEXT: any file that contains prose. PERCENT: share of boilerplate in a page of 200 words; the
// number of a page's own words varies by up to a quarter. 0: pages of the same length without
// boilerplate.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shuffled_words.h"

namespace {

using namespace sosie::bench;

constexpr std::uint64_t kPageWords = 200;
constexpr std::uint64_t kOneIn = 200;  // is a copy

class Maker {
 public:
  Maker(std::vector<std::string_view> words, std::uint64_t percent, std::uint64_t seed)
      : words_(std::move(words)), own_words_(kPageWords * (100 - percent) / 100), seed_(seed) {
    Random random(seed);
    const std::uint64_t boilerplate = kPageWords - own_words_;
    if (boilerplate > 0) choose_words(words_, boilerplate, random, template_);
  }

  // Page `number` as a line, generated anew on each request.
  const std::string& line(std::uint64_t number) {
    const bool is_copy = number % kOneIn == kOneIn - 1;
    Random random(seed_ + number);
    std::uint64_t original = number;
    if (is_copy) original = number - 1 - random.below(kOneIn - 1);
    choose(original);
    if (is_copy) own_[random.below(own_.size())] = words_[random.below(words_.size())];
    const auto header = static_cast<std::ptrdiff_t>(template_.size() / 3);
    line_ = "{\"id\":\"" + std::to_string(original) + (is_copy ? "-copy" : "") + "\",\"text\":\"";
    append({template_.begin(), template_.begin() + header});
    append(own_);
    append({template_.begin() + header, template_.end()});
    line_.back() = '"';
    line_ += "}\n";
    return line_;
  }

 private:
  void choose(std::uint64_t number) {
    Random random((seed_ + number) * 0x2545f4914f6cdd1dULL);
    const std::uint64_t quarter = own_words_ / 4;
    choose_words(words_, own_words_ - quarter + random.below(2 * quarter + 1), random, own_);
  }

  void append(std::span<const std::string_view> words) {
    for (const std::string_view word : words) {
      line_ += word;
      line_ += ' ';
    }
  }

  std::vector<std::string_view> words_;
  std::uint64_t own_words_;
  std::uint64_t seed_;
  std::vector<std::string_view> template_;
  std::vector<std::string_view> own_;
  std::string line_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t percent = argc == 5 ? std::strtoull(argv[3], nullptr, 10) : 100;
  if (percent > 98) {
    std::fputs("usage: make_templated TEXT PAGES PERCENT SEED > pages.jsonl\n", stderr);
    return 2;
  }
  const std::string source = read_text(argv[1]);
  std::vector<std::string_view> words = words_of(source);
  if (words.size() <= 2 * kPageWords) {
    std::fprintf(stderr, "make_templated: %s: too few words\n", argv[1]);
    return 2;
  }
  Maker maker(std::move(words), percent, std::strtoull(argv[4], nullptr, 10));
  const std::uint64_t pages = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t number = 0; number < pages; ++number) {
    const std::string& line = maker.line(number);
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) return 4;
  }
  return std::fflush(stdout) == 0 ? 0 : 4;
}

// Writes many short rows as JSON lines to stdout: rows of about ten words that have nothing in
// common except words. One in five is an earlier row with one word added, and one in fifty an
// unchanged earlier row. The same arguments give the same bytes.
//
//     make_short TEXT ROWS SEED > short.jsonl
//
// TEXT: any file that contains prose; its runs of letters are the words.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "shuffled_words.h"

namespace {

using namespace sosie::bench;

constexpr std::uint64_t kLeastWords = 10;
constexpr std::uint64_t kWordChoices = 5;  // number of lengths: 10 to 14 words
constexpr std::uint64_t kCycle = 50;       // rows, of which ten are near-duplicates and one a copy
constexpr std::uint64_t kOneIn = 5;

bool is_copy(std::uint64_t number) { return number % kCycle == kCycle / 2 + 1; }
bool is_near(std::uint64_t number) { return number % kOneIn == kOneIn - 1; }

// Appends the words of row `number`, generated anew on each request.
void add_text(const std::vector<std::string_view>& words, std::uint64_t seed, std::uint64_t number,
              std::vector<std::string_view>& chosen, std::string& out) {
  Random own((seed + number) * 0x2545f4914f6cdd1dULL);
  std::uint64_t original = number;
  if (is_copy(number) || is_near(number)) {
    original = own.below(number);
    while (is_copy(original) || is_near(original)) --original;  // row 0 is neither
  }
  Random random((seed + original) * 0x9e3779b97f4a7c15ULL + 1);
  choose_words(words, kLeastWords + random.below(kWordChoices), random, chosen);
  if (is_near(number)) chosen.push_back(words[own.below(words.size())]);
  for (const std::string_view word : chosen) {
    out += word;
    out += ' ';
  }
  out.pop_back();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: make_short TEXT ROWS SEED > short.jsonl\n", stderr);
    return 2;
  }
  const std::string source = read_text(argv[1]);
  const std::vector<std::string_view> words = words_of(source);
  if (words.size() <= 2 * (kLeastWords + kWordChoices)) {
    std::fprintf(stderr, "make_short: %s: too few words\n", argv[1]);
    return 2;
  }
  const std::uint64_t rows = std::strtoull(argv[2], nullptr, 10);
  const std::uint64_t seed = std::strtoull(argv[3], nullptr, 10);
  std::vector<std::string_view> chosen;
  std::string line;
  for (std::uint64_t number = 0; number < rows; ++number) {
    line = "{\"id\":" + std::to_string(number) + ",\"text\":\"";
    add_text(words, seed, number, chosen, line);
    line += "\"}\n";
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) return 4;
  }
  return std::fflush(stdout) == 0 ? 0 : 4;
}

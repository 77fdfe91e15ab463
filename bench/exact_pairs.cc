// Finds every pair of documents whose sets of five-word shingles have a Jaccard similarity of at
// least numerator/denominator: the exact truth for corpora that do not come with one. It shares no
// code with Sosie. It uses the plain definition of words and shingles: A-Z are lower-cased; a word
// is a maximal run of [0-9a-z_] or bytes >= 0x80; five consecutive words form a shingle, and fewer
// words are a single one.
//
//   exact_pairs NUMERATOR DENOMINATOR < DOCUMENTS > PAIRS
//
// DOCUMENTS: for each, its length in bytes as a little-endian uint32, and its text.
// PAIRS: `left TAB right TAB similarity`, positions from 0, in order, nine decimals.
//
// A shingle is identified by a 64-bit hash. Prefix filter: with shingles ordered by the number of
// documents that contain them, two similar sets share one of their first n - ceil(n*t) + 1.
// Shingles that occur in only one document count towards this number, but are not stored.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr size_t kWords = 5;

uint64_t mix(uint64_t x) {  // the finaliser of MurmurHash3
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

bool is_word_byte(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c >= 0x80;
}

std::vector<uint64_t> word_hashes(std::string_view text) {
  std::vector<uint64_t> words;
  for (size_t at = 0; at < text.size();) {
    if (!is_word_byte(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
    for (; at < text.size() && is_word_byte(static_cast<unsigned char>(text[at])); ++at) {
      auto c = static_cast<unsigned char>(text[at]);
      hash = (hash ^ (c >= 'A' && c <= 'Z' ? c + 32U : c)) * 0x100000001b3ULL;
    }
    words.push_back(mix(hash));
  }
  return words;
}

std::vector<uint64_t> shingles(std::string_view text) {  // sorted, each once
  const std::vector<uint64_t> words = word_hashes(text);
  std::vector<uint64_t> out;
  if (words.empty()) return out;
  const size_t width = std::min(kWords, words.size());
  for (size_t first = 0; first + width <= words.size(); ++first) {
    uint64_t hash = width;
    for (size_t i = 0; i < width; ++i) hash = mix(hash * 0x9e3779b97f4a7c15ULL + words[first + i]);
    out.push_back(hash);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool read_document(std::string& text) {
  unsigned char head[4];
  if (std::fread(head, 1, 4, stdin) != 4) return false;
  text.resize(head[0] | head[1] << 8 | head[2] << 16 | static_cast<size_t>(head[3]) << 24);
  if (std::fread(text.data(), 1, text.size(), stdin) == text.size()) return true;
  std::fputs("exact_pairs: the input ends inside a document\n", stderr);
  std::exit(1);
}

struct Occurrence {
  uint64_t shingle;
  uint32_t document;
  uint32_t documents;  // that have this shingle
};

uint64_t common(const uint64_t* left, const uint64_t* left_end, const uint64_t* right,
                const uint64_t* right_end) {
  uint64_t count = 0;
  while (left != left_end && right != right_end) {
    if (*left == *right) ++count;
    const bool step_left = *left <= *right;
    if (*right <= *left) ++right;
    if (step_left) ++left;
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: exact_pairs NUMERATOR DENOMINATOR\n", stderr), 2;
  const uint64_t a = std::strtoull(argv[1], nullptr, 10);
  const uint64_t b = std::strtoull(argv[2], nullptr, 10);

  std::vector<uint64_t> sizes;  // shingles of each document, unique ones included
  std::vector<Occurrence> all;
  for (std::string text; read_document(text);) {
    const auto document = static_cast<uint32_t>(sizes.size());
    const std::vector<uint64_t> set = shingles(text);
    for (uint64_t shingle : set) all.push_back({shingle, document, 0});
    sizes.push_back(set.size());
  }
  const size_t count = sizes.size();

  // Keeps shingles that occur in at least two documents, with the number of documents.
  std::sort(all.begin(), all.end(), [](const Occurrence& x, const Occurrence& y) {
    return x.shingle != y.shingle ? x.shingle < y.shingle : x.document < y.document;
  });
  size_t kept = 0;
  for (size_t first = 0, last; first < all.size(); first = last) {
    for (last = first; last < all.size() && all[last].shingle == all[first].shingle;) ++last;
    if (last - first == 1) continue;
    for (size_t i = first; i < last; ++i) {
      all[kept++] = {all[i].shingle, all[i].document, static_cast<uint32_t>(last - first)};
    }
  }
  all.resize(kept);
  std::sort(all.begin(), all.end(), [](const Occurrence& x, const Occurrence& y) {
    if (x.document != y.document) return x.document < y.document;
    return x.documents != y.documents ? x.documents < y.documents : x.shingle < y.shingle;
  });

  std::vector<size_t> begin(count + 1, 0);  // begin of each document in `all` and `shared`
  for (const Occurrence& one : all) ++begin[one.document + 1];
  for (size_t i = 0; i < count; ++i) begin[i + 1] += begin[i];

  struct Posting {
    uint64_t shingle;
    uint32_t document;
  };
  std::vector<Posting> prefixes;  // the part of each prefix shared with others
  for (size_t d = 0; d < count; ++d) {
    const uint64_t alone = sizes[d] - (begin[d + 1] - begin[d]);
    const uint64_t prefix = sizes[d] - (a * sizes[d] + b - 1) / b + 1;
    if (sizes[d] == 0 || prefix <= alone) continue;
    const size_t end = std::min(begin[d + 1], begin[d] + (prefix - alone));
    for (size_t i = begin[d]; i < end; ++i) {
      prefixes.push_back({all[i].shingle, static_cast<uint32_t>(d)});
    }
  }
  std::sort(prefixes.begin(), prefixes.end(), [](const Posting& x, const Posting& y) {
    return x.shingle != y.shingle ? x.shingle < y.shingle : x.document < y.document;
  });
  std::vector<std::vector<uint32_t>> lists_of(count);  // positions of each document in `prefixes`
  for (uint32_t i = 0; i < prefixes.size(); ++i) lists_of[prefixes[i].document].push_back(i);

  std::vector<uint64_t> shared;
  shared.reserve(all.size());
  for (const Occurrence& one : all) shared.push_back(one.shingle);
  std::vector<Occurrence>().swap(all);
  for (size_t d = 0; d < count; ++d) {
    std::sort(shared.data() + begin[d], shared.data() + begin[d + 1]);
  }

  std::vector<uint32_t> seen(count, UINT32_MAX);
  for (uint32_t left = 0; left < count; ++left) {
    std::vector<uint32_t> partners;
    for (uint32_t at : lists_of[left]) {
      for (size_t i = at + 1; i < prefixes.size() && prefixes[i].shingle == prefixes[at].shingle;
           ++i) {
        const uint32_t right = prefixes[i].document;
        if (seen[right] == left) continue;
        seen[right] = left;
        const auto [less, more] = std::minmax(sizes[left], sizes[right]);
        if (b * less >= a * more) partners.push_back(right);
      }
    }
    std::sort(partners.begin(), partners.end());
    for (uint32_t right : partners) {
      const uint64_t both = common(shared.data() + begin[left], shared.data() + begin[left + 1],
                                   shared.data() + begin[right], shared.data() + begin[right + 1]);
      const uint64_t either = sizes[left] + sizes[right] - both;
      if (both * b < a * either) continue;
      std::printf("%u\t%u\t%.9f\n", left, right,
                  static_cast<double>(both) / static_cast<double>(either));
    }
  }
}

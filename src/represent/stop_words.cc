// Stop word lists: those built in for some languages, and files with one word per line.
#include "represent/stop_words.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>

#include "core/joined_text.h"
#include "data/padded_bytes.h"
#include "io/file.h"
#include "kernels/hash_bytes.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 24;

}  // namespace

const StopWordList* stop_word_list(std::string_view language) noexcept {
  const auto lists = stop_word_lists();
  const auto found = std::find_if(lists.begin(), lists.end(), [&](const StopWordList& list) {
    return list.language == language || list.code == language;
  });
  return found == lists.end() ? nullptr : &*found;
}

StopWords::StopWords(std::string_view lines, TokenMode tokens, const std::string& name) {
  FoldedText folded;
  PaddedBytes line;
  for (int number = 1; !lines.empty(); ++number) {
    const std::size_t end = lines.find('\n');
    line.assign(lines.substr(0, end));
    lines = end == std::string_view::npos ? std::string_view{} : lines.substr(end + 1);
    if (line.view().starts_with('#')) continue;
    fold_words(line.view(), tokens, folded);
    const bool blank = line.view().find_first_not_of(" \t\r\xEF\xBB\xBF") == std::string_view::npos;
    if (folded.tokens.empty() && blank) continue;
    if (folded.tokens.size() != 1) {
      throw Error(ErrorKind::malformed_input, fmt::format("{}:{}: expected one word, found {}",
                                                          name, number, folded.tokens.size()));
    }
    const TokenSpan token = folded.tokens.front();
    words_.push_back(hash_bytes(folded.bytes.data() + token.begin, token.end - token.begin));
  }
  if (words_.empty()) throw Error(ErrorKind::malformed_input, name + ": holds no stop word");
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  for (const std::uint64_t word : words_) maybe_.set(word % kBits);
}

bool StopWords::contains(std::uint64_t word) const noexcept {
  return maybe_.test(word % kBits) && std::binary_search(words_.begin(), words_.end(), word);
}

std::string StopWords::fingerprint() const {
  return fmt::format("{:016x}", XXH3_64bits(words_.data(), words_.size() * sizeof(std::uint64_t)));
}

std::shared_ptr<const StopWords> load_stop_words(const std::string& name, TokenMode tokens) {
  if (const StopWordList* list = stop_word_list(name)) {
    return std::make_shared<StopWords>(list->words, tokens, name);
  }
  const bool may_be_path = name.find_first_of("./") != std::string::npos;
  if (!may_be_path && ::access(name.c_str(), F_OK) != 0) {
    std::vector<std::string_view> languages;
    for (const StopWordList& list : stop_word_lists()) languages.push_back(list.language);
    throw Error(ErrorKind::invalid_option, RefusedOption{"stopwords"},
                "'" + name + "' is neither a known language nor a file",
                fmt::format("languages: {}", joined_text(languages, ", ")));
  }
  const File file(name);
  const std::string lines = read_text(file.descriptor(), name, kMaxFileBytes + 1, nullptr);
  if (lines.size() > kMaxFileBytes) {
    throw Error(ErrorKind::malformed_input, name + ": is too long for a list of stop words");
  }
  return std::make_shared<StopWords>(lines, tokens, name);
}

}  // namespace sosie

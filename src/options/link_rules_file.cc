// Reads rules of `sosie link` from a file of bounded size.
#include "options/link_rules_file.h"

#include <cstdint>

#include "io/file.h"
#include "sosie/error.h"

namespace sosie {

LinkRules read_link_rules(const std::string& path, const std::atomic<bool>* cancel) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;
  const File file(path);
  const std::string text = read_to_end(file.descriptor(), path, kMostBytes + 1, cancel);
  if (text.size() > kMostBytes) {
    throw Error(ErrorKind::malformed_input, BadPlace{path}, "too long for rules",
                "a file of rules has 16 MiB at most");
  }
  return parse_link_rules(text, path);
}

}  // namespace sosie

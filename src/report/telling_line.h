#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sosie {

// Chooses the line that a list shows of a text: the first one that says which text it is. A rule
// ("---"), an XML declaration or a licence that many texts begin with does not.
class TellingLines {
 public:
  // Looks at the first lines of a text for those that many have.
  void add(std::string_view text);

  // The first line with a letter or a digit that not more than a quarter of the texts have; the
  // first line of all where there is none. Blanks at its ends are left out, and what is beyond
  // 2,000 bytes.
  [[nodiscard]] std::string of(std::string_view text) const;

 private:
  [[nodiscard]] bool is_common(std::string_view line) const;

  std::uint64_t texts_ = 0;
  std::unordered_map<std::string, std::uint64_t> texts_with_;
};

}  // namespace sosie

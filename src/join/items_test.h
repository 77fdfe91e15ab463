#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/mix64.h"
#include "corpus/items/item_places.h"
#include "data/kinds.h"
#include "join/in_memory_joiner.h"
#include "join/item_lookup.h"
#include "join/option_texts_test.h"

// Joiners whose items are in files in memory, for tests.
namespace sosie {

// Two rows and the value of the measure.
using ValuedPair = ScoredPair;

// Pairs by left, right and value.
using ValuedPairs = std::vector<std::tuple<RowId, RowId, double>>;

inline EachPairs add_to(ValuedPairs& found) {
  return [&found](auto pairs) {
    for (const auto& pair : pairs) found.emplace_back(pair.left, pair.right, pair.value);
  };
}

// A joiner that has already read its items. `own` and `others`: JSON values.
class JoinedItems {
 public:
  JoinedItems(const std::string& kind, VerbBit verb, const std::vector<std::string>& own,
              const std::vector<std::string>& others, const OptionTexts& given) {
    for (const auto& [name, value] :
         OptionTexts{{"kind", kind}, {"column", "v"}, {"threads", "2"}, {"quiet", "true"}}) {
      set_option(options, name, value);
    }
    for (const auto& [name, value] : given) set_option(options, name, value);
    options.inputs = {add_file("own.jsonl", own)};
    if (!others.empty()) options.against = {add_file("other.jsonl", others)};
    make(verb);
  }

  // Calls prepare(), which chooses the method.
  JoinedItems& prepare(const JoinNeeds& needs = {}) {
    joiner->read(pool, hooks, places);
    joiner->prepare(needs);
    return *this;
  }

  Options options;
  RunHooks hooks;
  ThreadPool pool{2, nullptr};
  ItemPlaces places;
  std::unique_ptr<InMemoryJoiner> joiner;

 private:
  void make(VerbBit verb) {
    joiner = options.kind == kVectorItems ? vector_joiner(verb, options)
             : options.kind == kBitItems  ? bit_joiner(verb, options)
                                          : string_joiner(verb, options);
  }
  std::string add_file(const std::string& path, const std::vector<std::string>& values) {
    const auto lines = std::make_shared<std::string>();
    for (const std::string& value : values) *lines += "{\"v\": " + value + "}\n";
    options.memory_files[path] = memory_file_of({{lines->data(), lines->size()}}, lines);
    return path;
  }
};

// Random items as JSON values; many of them are near or equal to others. `alphabet`: the characters
// of strings or the components of vectors; ignored for bits. `size`: number of components of a
// vector or of hex digits of a bit string; maximum number of characters of a string.
inline std::vector<std::string> random_items(const std::string& kind, std::uint64_t seed,
                                             std::size_t rows, std::size_t size,
                                             std::string_view alphabet = "") {
  std::uint64_t next = 0;
  const auto below = [&](std::uint64_t end) { return random64(seed, next++) % end; };
  // The components of a vector are words; the symbols of other items are characters.
  std::vector<std::string> symbols;
  for (std::size_t at = 0; kind == "vectors" && at < alphabet.size();) {
    const std::size_t end = std::min(alphabet.find(' ', at), alphabet.size());
    symbols.emplace_back(alphabet.substr(at, end - at));
    at = end + 1;
  }
  if (kind == "bits") alphabet = "0123456789abcdef";
  for (std::size_t i = 0; kind != "vectors" && i < alphabet.size(); ++i) {
    symbols.emplace_back(1, alphabet[i]);
  }
  std::vector<std::vector<std::string>> items;
  while (items.size() < rows) {
    std::vector<std::string> item;
    if (!items.empty() && below(3) > 0) {
      item = items[below(items.size())];
      for (std::uint64_t edits = below(4); edits > 0 && !item.empty(); --edits) {
        item[below(item.size())] = symbols[below(symbols.size())];
        if (kind == "strings" && below(2) == 0) item.erase(item.begin());
      }
    } else {
      item.resize(kind == "strings" ? 1 + below(size) : size);
      for (std::string& symbol : item) symbol = symbols[below(symbols.size())];
    }
    if (item.empty()) item = {symbols[0]};
    items.push_back(item);
  }
  std::vector<std::string> values;
  for (const auto& item : items) {
    std::string value;
    for (const std::string& symbol : item) {
      value += kind == "vectors" && !value.empty() ? "," + symbol : symbol;
    }
    values.push_back(kind == "vectors" ? "[" + value + "]" : "\"" + value + "\"");
  }
  return values;
}

}  // namespace sosie

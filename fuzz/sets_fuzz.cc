// A line in a .sets file yields the elements between its spaces, regardless of their bytes. As a
// JSON list, or added one by one to a row in scratch, these elements form the same set. Any other
// JSON is read or rejected. The first byte selects the rule for ratings.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/utf8.h"
#include "corpus/rows/grouped_rows.h"
#include "fuzz/input.h"
#include "options/formats.h"
#include "read/element_list.h"

namespace {

using namespace sosie;
using fuzz::require;

std::vector<std::string> plain_words(std::string_view line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c != ' ' && c != '\t') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// The elements in the output of an ElementList: one per line, escaped.
std::vector<std::string> unescaped(std::string_view lines) {
  std::vector<std::string> elements;
  std::string element;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] == '\n') {
      elements.push_back(std::move(element));
      element.clear();
    } else if (lines[i] == '\\') {
      require(++i < lines.size() && (lines[i] == 'n' || lines[i] == '\\'));
      element += lines[i] == 'n' ? '\n' : '\\';
    } else {
      element += lines[i];
    }
  }
  require(element.empty());
  return elements;
}

std::string text_of(RowParser& parser, std::string_view row, Record& record) {
  PaddedBytes padded;
  parser.parse(fuzz::padded(row, '"', padded), record);
  fuzz::touch_padding(record.text);
  return std::string(record.text);
}

void check_line(std::string_view line, const std::vector<std::string>& words) {
  FieldRequest request;
  request.form = TextForm::elements;
  Record record;
  require(unescaped(text_of(*format_by_name("sets")->make_parser(request, {}), line, record)) ==
          words);
}

void check_json(const std::vector<std::string>& words) {
  const auto json = nlohmann::json(words);
  std::string text;
  try {
    text = json.dump();
  } catch (const nlohmann::json::exception&) {
    return;  // no UTF-8
  }
  ElementList list({});
  require(unescaped(list.from_json(text, "s")) == words);
}

void check_grouped(std::string_view id, const std::vector<std::string>& words) {
  std::string row = begin_set_row(id, false);
  ElementList list({});
  for (const std::string& word : words) add_to_set_row(list.from_pair(word, {}, "w"), row);
  require(row.find('\n') == std::string::npos);
  Record record;
  const auto parser = set_row_format().make_parser({"elements", "id", {}}, {});
  require(unescaped(text_of(*parser, row, record)) == words);
  require(record.id == id && !record.id_is_integer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto rule = static_cast<Ratings::Rule>(input.byte() % 4);
  const std::string_view id = input.line();
  const std::string_view line = input.line();
  const std::vector<std::string> words = plain_words(line);
  check_line(line, words);
  check_json(words);
  check_grouped(id, words);
  ElementList rated(ElementRules{.ratings = {rule, 3}});
  try {
    const std::string lines(rated.from_json(input.rest(), "field"));
    constexpr std::size_t kMostBytes = std::size_t{1} << 16;  // a weight may require 64 MiB
    if (lines.size() <= kMostBytes) (void)unescaped(lines);
  } catch (const RowError&) {
  }
  return 0;
}

// A row yields the same text and id as with nlohmann-json, or both reject it. The first two lines
// of the input name the fields of the text and the id; the third is the row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/input.h"
#include "read/field_paths.h"
#include "read/nested_json.h"
#include "read/quote_large_integers.h"
#include "read/repair_json.h"
#include "read/row_parsers.h"
#include "reference/normalize.h"
#include "represent/folded_text.h"
#include "write/row_writers.h"

namespace {

using namespace sosie;
using fuzz::require;
using Json = nlohmann::json;

struct Names {
  std::string text;
  std::string id;
};

struct Found {
  std::string text;
  std::string id;
  FieldValue::Kind kind;  // kind of the id's field, requested like any other
  long double number;
  std::string written;

  friend bool operator==(const Found&, const Found&) = default;
};

// The value of any member of null.
const Json kNull;

// The field with this name, or else the field after the first dot that leads to one.
const Json* field_in(const Json& object, std::string_view path, bool& meets_null) {
  if (const auto own = object.find(path); own != object.end()) return &*own;
  for (std::size_t dot = path.find('.'); dot < path.size(); dot = path.find('.', dot + 1)) {
    const auto inner = object.find(path.substr(0, dot));
    if (inner == object.end()) continue;
    meets_null = meets_null || inner->is_null();
    if (!inner->is_object()) continue;
    if (const Json* found = field_in(*inner, path.substr(dot + 1), meets_null)) return found;
  }
  return nullptr;
}

const Json* field(const Json& object, std::string_view path) {
  bool meets_null = false;
  const Json* found = field_in(object, path, meets_null);
  return found == nullptr && meets_null ? &kNull : found;
}

std::string plain_text(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

std::optional<std::string> text_of(const Json& row, const std::string& column) {
  if (const Json* own = field(row, column)) {
    if (own->is_null()) return std::string();
    return own->is_structured() ? std::nullopt : std::optional(plain_text(*own));
  }
  const std::size_t comma = column.find(',');
  if (comma == std::string::npos) return std::nullopt;
  std::string text;
  bool any = false;
  for (const std::string& name : joined_names(column)) {
    const Json* part = field(row, name);
    any = any || part != nullptr;
    if (part != nullptr && part->is_structured()) return std::nullopt;
    text += (part == nullptr ? "" : plain_text(*part)) + '\n';
  }
  text.pop_back();
  return any ? std::optional(text) : std::nullopt;
}

// True if the row's field, or one of the fields joined in it, is within one of these members.
bool lies_in(const std::vector<std::string>& members, const std::string& name) {
  std::vector<std::string> paths = joined_names(name);
  paths.push_back(name);
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    return std::any_of(members.begin(), members.end(), [&](const std::string& member) {
      return path == member || path.starts_with(member + '.');
    });
  });
}

// The value according to nlohmann-json, with 0.5 in place of numbers outside the range of double,
// and without values that are nested too deeply; discarded if there is no value. `deep`: the
// members from which these values were removed.
Json value_of(std::string_view text, std::vector<std::string>& deep) {
  if (!Json::accept(with_numbers_in_range(text))) return Json(Json::value_t::discarded);
  const ShallowJson shallow = shallow_json(text);
  for (const std::string_view name : shallow.deep_members) {
    if (!name.empty()) deep.push_back(Json::parse(name).get<std::string>());
  }
  return Json::parse(with_numbers_in_range(shallow.has_deep ? shallow.text : text));
}

std::optional<Found> expected(std::string_view row, const Names& names) {
  if (row.find('\0') != std::string_view::npos) return std::nullopt;  // nlohmann would stop there
  PaddedBytes repaired;
  const char32_t stand_ins = repair_json(row, repaired);
  if (stand_ins == 0) return std::nullopt;
  require(repaired.view() == reference::replace_ill_formed(repaired.view()));
  std::vector<std::string> deep;
  const Json json = value_of(repaired.view(), deep);
  std::vector<std::string> ignored;
  const Json unrepaired = value_of(row, ignored);
  require(unrepaired.is_discarded() || json == unrepaired);
  if (!json.is_object() || lies_in(deep, names.text) || lies_in(deep, names.id)) {
    return std::nullopt;
  }
  const auto text = text_of(json, names.text);
  const Json* id = field(json, names.id);
  if (!text || id == nullptr || !(id->is_string() || id->is_number_integer())) return std::nullopt;
  const auto own = [&](const std::string& found) {
    std::string bytes;
    restore_bytes(found, stand_ins, bytes);
    return bytes;
  };
  if (id->is_string()) {
    const std::string name = own(id->get<std::string>());
    return Found{own(*text), name, FieldValue::Kind::text, 0, name};
  }
  return Found{own(*text), id->dump(), FieldValue::Kind::number, id->get<long double>(),
               id->dump()};
}

// True if the texts have the same lines. Sosie keeps numbers as written in the row; nlohmann-json
// keeps only their values, and none outside the range of double.
bool same_texts(std::string_view found, std::string_view expected, std::string_view row) {
  const auto line_of = [](std::string_view& text) {
    const std::string line(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
  };
  while (!found.empty() || !expected.empty()) {
    const std::string one = line_of(found);
    const std::string other = line_of(expected);
    if (one == other) continue;
    char* end = nullptr;
    const double value = std::strtod(one.c_str(), &end);
    if (one.empty() || *end != '\0' || row.find(one) == row.npos) return false;
    if (!std::isinf(value) && value != std::strtod(other.c_str(), nullptr)) return false;
  }
  return true;
}

bool agree(const std::optional<Found>& found, std::optional<Found> expected, std::string_view row) {
  if (!found || !expected) return found.has_value() == expected.has_value();
  if (same_texts(found->text, expected->text, row)) expected->text = found->text;
  return *found == *expected;
}

std::optional<Found> read(std::string_view row, const Names& names, char padding) {
  const auto parser = make_jsonl_row_parser({names.text, names.id, {names.id}});
  PaddedBytes padded;
  Record record;
  try {
    parser->parse(fuzz::padded(row, padding, padded), record);
  } catch (const RowError& error) {
    require(error.offset() <= row.size());
    return std::nullopt;
  }
  fuzz::touch_padding(record.text);
  const FieldValue& other = record.others.at(0);
  return Found{std::string(record.text), std::string(record.id), other.kind, other.number,
               std::string(other.text)};
}

// The part of a text that shingles use: its words, or its folded characters.
std::string seen(std::string_view text, TextForm form) {
  PaddedBytes padded;
  FoldedText folded;
  padded.assign(text);
  if (form == TextForm::characters) {
    fold_chars(padded.view(), TokenMode::unicode, folded);
    return std::string(folded.bytes.view());
  }
  fold_words(padded.view(), TokenMode::unicode, folded);
  std::string words;
  for (const TokenSpan token : folded.tokens) {
    words.append(folded.bytes.data() + token.begin, token.end - token.begin) += '\n';
  }
  return words;
}

// A parser that knows how little of the text will be used must accept the same rows and yield the
// same words, characters and id.
void check_forms(std::string_view row, const Names& names, const std::optional<Found>& found) {
  for (const TextForm form : {TextForm::words, TextForm::characters}) {
    const auto parser = make_jsonl_row_parser({names.text, names.id, {}, form});
    PaddedBytes padded;
    Record record;
    try {
      parser->parse(fuzz::padded(row, '"', padded), record);
    } catch (const RowError&) {
      require(!found);
      continue;
    }
    require(found.has_value());
    require(record.id == found->id);
    require(record.id_is_integer == (found->kind == FieldValue::Kind::number));
    require(seen(record.text, form) == seen(found->text, form));
    fuzz::touch_padding(record.text);
  }
}

// A row with an added field still reads as before.
void check_added_field(std::string_view row, const Names& names, const Found& found) {
  constexpr std::string_view kName = "sosie-fuzz";
  if (names.text.find(kName) != std::string::npos || names.id.find(kName) != std::string::npos) {
    return;
  }
  std::string longer(row);
  kJsonlRowWriter.add(longer, {{kName, std::uint64_t{7}}}, {','});
  require(read(longer, names, '\0') == found);
  require(read(longer, {names.text, std::string(kName)}, '\0')->id == "7");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::string text_name(input.line());
  const std::string id_name(input.line());
  const Names names{text_name.empty() ? "text" : text_name, id_name.empty() ? "id" : id_name};
  require(fmt::format("{}", fmt::join(joined_names(names.text), ",")) == names.text);
  const std::string_view row = input.line();
  const std::optional<Found> found = read(row, names, '\0');
  // Other paths have their own tests; here, they must only do no harm.
  const bool has_paths = (names.text + names.id).find_first_of("|[\\") != std::string::npos;
  require(has_paths || agree(found, expected(row, names), row));
  require(found == read(row, names, '"'));
  check_forms(row, names, found);
  if (found) check_added_field(row, names, *found);
  require(!found || !jsonl_field_names(row).empty());
  return 0;
}

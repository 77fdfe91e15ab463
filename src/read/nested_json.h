#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "read/quote_large_integers.h"

namespace sosie {

// Greatest depth of nested lists and objects: the limit of simdjson.
inline constexpr int kMostNested = 1024;

// JSON text without the lists and objects that lie deeper than kMostNested: null stands for each.
struct ShallowJson {
  std::string text;
  // By member of the outermost object that held one: its name as the text has it, with quotes.
  std::vector<std::string_view> deep_members;
  bool has_deep = false;
};
// `text`: any bytes; of broken JSON the result is broken too or anything. O(text).
[[nodiscard]] ShallowJson shallow_json(std::string_view text);

// The value that `text` holds; 0.5 stands for each number whose size no double holds.
template <class Json>
[[nodiscard]] Json parse_json_of_any_size(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_discarded()) return json;
  return Json::parse(with_numbers_in_range(text), nullptr, /*allow_exceptions=*/false);
}

// The value that `text` holds, as nlohmann-json's type Json, without what lies too deep: what walks
// over a value calls itself, and the stack is not endless. `deep_members`: the names of the
// outermost object's members that this was left out of. Discarded when the text is no JSON.
template <class Json>
[[nodiscard]] Json parse_shallow_json(std::string_view text,
                                      std::vector<std::string>& deep_members) {
  Json none(Json::value_t::discarded);
  // nlohmann-json takes NUL for the end of the text, whatever stands behind it.
  if (text.find('\0') != std::string_view::npos) return none;
  const ShallowJson shallow = shallow_json(text);
  if (!shallow.has_deep) return parse_json_of_any_size<Json>(text);
  if (!Json::accept(with_numbers_in_range(text))) return none;
  for (const std::string_view name : shallow.deep_members) {
    if (name.empty()) continue;  // no member of an object
    deep_members.push_back(Json::parse(name).template get<std::string>());
  }
  return parse_json_of_any_size<Json>(shallow.text);
}

// The value that `text` holds, numbers as above. Discarded when it is no JSON, or is nested deeper
// than kMostNested.
template <class Json>
[[nodiscard]] Json parse_nested_json(std::string_view text) {
  const bool has_nul = text.find('\0') != std::string_view::npos;
  if (has_nul || shallow_json(text).has_deep) return Json(Json::value_t::discarded);
  return parse_json_of_any_size<Json>(text);
}

// Values of nlohmann-json, in which paths are followed (read/path_follower.h).
template <class Json>
struct NlohmannView {
  using Value = const Json*;
  static bool is_null(const Json* value) noexcept { return value->is_null(); }
  static bool is_object(const Json* value) noexcept { return value->is_object(); }
  static bool is_list(const Json* value) noexcept { return value->is_array(); }

  static std::optional<const Json*> member(const Json* object, std::string_view name) {
    const auto found = object->find(std::string(name));
    return found == object->end() ? std::nullopt : std::optional(&*found);
  }

  template <class Take>
  static void for_each(const Json* list, const Take& take) {
    for (const Json& member : *list) take(&member);
  }
};

}  // namespace sosie

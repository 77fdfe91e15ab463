#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace sosie {

// How deep lists and objects may lie in one another: as deep as simdjson lets them.
inline constexpr int kMostNested = 1024;

// The value that `text` holds, as nlohmann-json's type Json. Discarded when it is no JSON, or is
// nested deeper than kMostNested: what walks over a value calls itself, and the stack is not
// endless.
template <class Json>
[[nodiscard]] Json parse_nested_json(std::string_view text) {
  struct TooDeep {};
  const auto look = [](int depth, typename Json::parse_event_t event, Json& /*value*/) {
    using Event = typename Json::parse_event_t;
    const bool opens = event == Event::array_start || event == Event::object_start;
    if (opens && depth >= kMostNested) throw TooDeep{};
    return true;
  };
  // nlohmann-json takes NUL for the end of the text, whatever stands behind it.
  if (text.find('\0') != std::string_view::npos) return Json(Json::value_t::discarded);
  try {
    return Json::parse(text, look, /*allow_exceptions=*/false);
  } catch (const TooDeep&) {
    return Json(Json::value_t::discarded);
  }
}

}  // namespace sosie

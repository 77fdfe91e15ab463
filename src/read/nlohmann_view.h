#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sosie {

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

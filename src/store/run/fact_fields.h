#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_value.h"
#include "sosie/error.h"

namespace sosie {

// Reads fields of a saved run from JSON that may come from anyone.
class FactFields {
 public:
  FactFields(const JsonValue& json, const std::string& path) : json_(json), path_(path) {
    if (!json.is_object()) refuse("an object is missing");
  }

  // Throws Error{malformed_input}, as all functions do for fields that are not as expected.
  [[noreturn]] void refuse(std::string_view what) const {
    throw Error(ErrorKind::malformed_input, fmt::format("{}: not a saved run: {}", path_, what),
                "sosie dedup or link INPUT --save RUN/ writes one");
  }
  [[nodiscard]] const JsonValue& at(const char* name) const {
    const JsonValue* found = json_.find(name);
    if (found == nullptr) refuse(fmt::format("'{}' is missing", name));
    return *found;
  }
  [[nodiscard]] bool has(const char* name) const { return json_.find(name) != nullptr; }
  // Text without zero bytes, so that C functions see all of it.
  [[nodiscard]] std::string text(const char* name) const { return to_text(at(name), name); }
  [[nodiscard]] std::string to_text(const JsonValue& value, const char* name) const {
    if (!value.is_text() || value.text().find('\0') != std::string::npos) {
      refuse(fmt::format("'{}' is not a text", name));
    }
    return value.text();
  }
  [[nodiscard]] std::uint64_t number(const char* name) const {
    if (!at(name).is_natural()) refuse(fmt::format("'{}' is not a count", name));
    return at(name).natural();
  }
  [[nodiscard]] double real(const char* name) const {
    if (!at(name).is_number()) refuse(fmt::format("'{}' is not a number", name));
    return at(name).number();
  }
  [[nodiscard]] bool flag(const char* name) const {
    if (!at(name).is_boolean()) refuse(fmt::format("'{}' is neither true nor false", name));
    return at(name).boolean();
  }
  [[nodiscard]] const JsonValue::List& list(const char* name) const {
    if (!at(name).is_list() || at(name).list().size() > kMostListed) {
      refuse(fmt::format("'{}' is not a list", name));
    }
    return at(name).list();
  }
  [[nodiscard]] std::vector<std::string> texts(const char* name) const {
    std::vector<std::string> out;
    for (const JsonValue& each : list(name)) out.push_back(to_text(each, name));
    return out;
  }
  [[nodiscard]] FactFields object(const char* name) const { return {at(name), path_}; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  static constexpr std::size_t kMostListed = 4'000'000;

  const JsonValue& json_;
  const std::string& path_;
};

}  // namespace sosie

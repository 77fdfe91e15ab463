// Writes JSON, and errors as JSON.
#include "json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sosie/reworded.h"

namespace sosie::server {
namespace {

using Json = nlohmann::ordered_json;

bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string with(std::string_view text, char from, char to) {
  std::string out(text);
  std::replace(out.begin(), out.end(), from, to);
  return out;
}

// Options that a request accepts are fields of their names.
OptionWords fields_of(std::span<const std::string_view> options) {
  return [options](std::string_view option, std::string_view value) -> std::optional<std::string> {
    if (std::find(options.begin(), options.end(), option) == options.end()) return std::nullopt;
    return field_name(option) + (value.empty() ? "" : fmt::format("={}", value));
  };
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::string lines_of_request(std::string_view lines, std::span<const std::string_view> options) {
  const OptionWords words = fields_of(options);
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(lines.size(), end + 1));
    const std::string said = reworded_hint(line, words);
    if (!said.empty() || line.empty()) out += said + "\n";
  }
  return out;
}

void append_json(std::string_view text, std::string& out) {
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](char c) { return is_plain(static_cast<unsigned char>(c)); });
  if (plain) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += dumped(Json(std::string(text)));
  }
}

std::string json_text(std::string_view text) {
  std::string out;
  append_json(text, out);
  return out;
}

void append_json(double number, std::string& out) {
  if (std::isfinite(number)) {
    fmt::format_to(std::back_inserter(out), "{}", number);
  } else {
    out += "null";
  }
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> address_fields(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (std::size_t begin = 0; begin < query.size();) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    const std::string_view part = query.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    std::string name(part.substr(0, equals));
    const auto value =
        percent_decoded(with(part.substr(std::min(part.size(), equals + 1)), '+', ' '));
    if (!value) {
      throw Error(ErrorKind::invalid_option, RefusedOption{std::move(name)},
                  "is not percent-encoded correctly");
    }
    fields.emplace_back(std::move(name), *value);
  }
  return fields;
}

std::string error_json(std::string_view reason) {
  return dumped(Json{{"error", {{"reason", std::string(reason)}}}});
}

std::string error_json(const Error& error, std::span<const std::string_view> options) {
  const OptionWords words = fields_of(options);
  Json about{{"reason", reworded(error.reason(), words)}};
  if (!error.place().empty()) about["place"] = error.place();
  if (!error.option().empty()) about["option"] = field_name(error.option());
  if (!error.value().empty()) about["value"] = error.value();
  if (const std::string hint = reworded_hint(error.hint(), words); !hint.empty()) {
    about["hint"] = hint;
  }
  return dumped(Json{{"error", about}});
}

int status_of(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::invalid_option:
    case ErrorKind::unsupported:
    case ErrorKind::malformed_input:
      return 400;
    case ErrorKind::limit_exceeded:
      return 413;
    case ErrorKind::io:
      return 500;
    case ErrorKind::cancelled:
      return 503;
  }
  return 500;
}

std::string field_name(std::string_view option) { return with(option, '-', '_'); }
std::string option_name(std::string_view field) { return with(field, '_', '-'); }

}  // namespace sosie::server

// Limits, keywords and compared texts in answers about saved runs and in reports.
#include "report/add_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/cut_text.h"
#include "core/joined_text.h"
#include "sosie/error.h"

namespace sosie {

void expect_limit(std::uint64_t limit, std::uint64_t most) {
  if (limit <= most) return;
  throw Error(ErrorKind::invalid_option, RefusedOption{"limit", std::to_string(limit)},
              fmt::format("is more than {}", most), "use offset for the rest");
}

std::string list_page(const ListPage& page,
                      const std::function<void(std::uint32_t number, JsonWriter& json)>& add) {
  const std::uint64_t begin = std::min<std::uint64_t>(page.offset, page.chosen.size());
  const std::uint64_t shown = std::min<std::uint64_t>(page.limit, page.chosen.size() - begin);
  JsonWriter json;
  json.begin_object();
  json.members({{"total", page.all},
                {"matching", page.chosen.size()},
                {"offset", begin},
                {"limit", page.limit}});
  json.begin_array(page.name);
  for (const std::uint32_t number : page.chosen.subspan(begin, shown)) {
    json.begin_object();
    add(number, json);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.text();
}

void require_one_of(std::string_view name, const std::string& value,
                    std::span<const std::string_view> words) {
  if (std::find(words.begin(), words.end(), value) != words.end()) return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("{}: '{}' is not one of {}", name, value, joined_text(words, ", ")));
}

void add_parts(std::string_view name, const ReportSide& side, JsonWriter& json) {
  constexpr std::array<const char*, 3> kKinds = {"same", "changed", "left_out"};
  json.begin_array(name);
  for (const DiffPart& part : side.parts) {
    json.object({{"kind", kKinds[static_cast<std::size_t>(part.kind)]},
                 {"text", part.text},
                 {"words", part.words}});
  }
  json.end_array();
}

void add_part_lists(std::string_view name, const ReportSide& side, JsonWriter& json) {
  json.begin_array(name);
  for (const DiffPart& part : side.parts) {
    json.begin_array();
    json.value(static_cast<int>(part.kind));
    if (part.kind == DiffPart::Kind::left_out) {
      json.value(part.words);
    } else {
      json.value(part.text);
    }
    json.end_array();
  }
  json.end_array();
}

std::string brief(std::string_view text, std::size_t bytes) {
  const std::string_view front = cut_text(text, bytes);
  return std::string(front) + (front.size() < text.size() ? "\u2026" : "");
}

}  // namespace sosie

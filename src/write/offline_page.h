#pragma once

#include <string>
#include <string_view>

namespace sosie {

// The page of `sosie serve` in one file, with what it shows in it.
struct OfflinePage {
  std::string title;    // HTML without markup
  std::string summary;  // HTML that is shown where no script runs
  std::string data;     // JSON
};

// One HTML page that needs nothing but itself. Its policy lets its own script run and no other, and
// no request go out, whatever a document smuggled in.
[[nodiscard]] std::string offline_page(const OfflinePage& page);

// JSON that neither ends its <script> nor holds what cannot be seen: such characters are escaped.
[[nodiscard]] std::string script_json(std::string_view json);

}  // namespace sosie

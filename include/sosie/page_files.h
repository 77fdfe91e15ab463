#pragma once

#include <string_view>

namespace sosie {

// A file of the page of `sosie serve`, which a report holds, too (web/).
struct PageFile {
  std::string_view type;
  std::string_view bytes;
  std::string_view hash;  // "sha256-...", for a Content-Security-Policy
};

struct PageFiles {
  PageFile start;
  PageFile script;
  PageFile style;
};

[[nodiscard]] const PageFiles& page_files() noexcept;

}  // namespace sosie

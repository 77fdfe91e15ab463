#pragma once

#include <string_view>

namespace sosie {

// A file of the web page (web/) that `sosie serve` serves and that reports contain.
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

#pragma once

#include <cstddef>
#include <string_view>

namespace sosie::server {

// A file of the page. cmake/page_files.cmake makes these of apps/server/page.
struct PageFile {
  std::string_view type;
  const char* bytes;
  std::size_t size;
};

extern const PageFile kPageStart;
extern const PageFile kPageScript;
extern const PageFile kPageStyle;

}  // namespace sosie::server

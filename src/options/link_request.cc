// Options of the verb link, from the names and values that were given.
#include "options/link_request.h"

#include <algorithm>
#include <string_view>

namespace sosie {
namespace {

std::string given(const Options& options, std::string_view name) {
  const auto found = std::find_if(options.given.begin(), options.given.end(),
                                  [&](const auto& option) { return option.first == name; });
  return found == options.given.end() ? std::string() : found->second;
}

}  // namespace

LinkRequest link_request(const Options& options) {
  return {given(options, "ignore"), given(options, "assign"), given(options, "cut")};
}

}  // namespace sosie

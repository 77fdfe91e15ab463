// Options of the verb link, from the names and values that were given.
#include "options/link_request.h"

#include <algorithm>
#include <string_view>

#include "io/file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

std::string given(const Options& options, std::string_view name) {
  const auto found = std::find_if(options.given.begin(), options.given.end(),
                                  [&](const auto& option) { return option.first == name; });
  return found == options.given.end() ? std::string() : found->second;
}

}  // namespace

LinkRequest link_request(const Options& options) {
  LinkRequest request;
  request.ignore = given(options, "ignore");
  request.rules = given(options, "rules");
  request.init = given(options, "init") == "true";
  request.assign = given(options, "assign");
  request.cut = given(options, "cut");
  return request;
}

LinkRules read_link_rules(const std::string& path, const std::atomic<bool>* cancel) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;
  const File file(path);
  const std::string text = read_to_end(file.descriptor(), path, kMostBytes + 1, cancel);
  if (text.size() > kMostBytes) {
    throw Error(ErrorKind::malformed_input, BadPlace{path}, "too long for rules");
  }
  return parse_link_rules(text, path);
}

void apply_request(const LinkRequest& request, LinkRules& rules) {
  if (!request.assign.empty()) rules.assign = assign_called(request.assign);
  if (!request.cut.empty()) rules.cut = request.cut;
}

}  // namespace sosie

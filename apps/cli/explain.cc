// Shows the page of explain on a terminal.
#include "explain.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "sosie/error.h"
#include "streams.h"

namespace sosie::cli {
namespace {

// True for a terminal with colours, unless the user opted out (no-color.org).
bool wants_colour() {
  const char* terminal = std::getenv("TERM");
  const char* refused = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && terminal != nullptr &&
         std::string_view(terminal) != "dumb" && (refused == nullptr || *refused == '\0');
}

}  // namespace

void show_explanation(Options options, const RunHooks& hooks, ProgressLine& line) {
  const std::size_t inputs = options.inputs.size() + (options.files_from.empty() ? 0 : 1);
  if (options.inputs.size() < 2 || inputs < 3) {
    throw Error(ErrorKind::invalid_option, "explain: expected two ids and an input",
                "sosie explain ID1 ID2 INPUT...");
  }
  const std::string left = options.inputs[0];
  const std::string right = options.inputs[1];
  options.inputs.erase(options.inputs.begin(), options.inputs.begin() + 2);
  const bool to_file = !options.output.empty();
  if (options.color == "auto") options.color = !to_file && wants_colour() ? "always" : "never";
  const RunReport report = explain(options, left, right, hooks);
  line.clear();
  if (!to_file) write_result_lines(report.summary);
}

}  // namespace sosie::cli

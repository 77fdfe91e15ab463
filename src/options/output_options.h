#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/options.h"

namespace sosie {

struct OutputOption {
  std::string_view flag;  // "--removed"
  std::string path;       // a folder of rows, or of --save, ends in '/'
};

// The options of this run that name files and folders to write, except --checkpoint and
// --scratch.
[[nodiscard]] std::vector<OutputOption> output_options(const Options& options);

// Removes these options from the request.
void forget_outputs(Options& options);

// Rejects outputs that are also inputs, and two outputs that are the same file under any names.
// `result_descriptor`: destination of results without a named output, if there are any.
void check_outputs(std::span<const std::string> inputs, const Options& options,
                   std::optional<int> result_descriptor = std::nullopt);

}  // namespace sosie

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
  std::string path;       // a folder of rows ends in '/', and so does that of --save
};

// Options of this run that name files and folders to write; --checkpoint and --scratch are not
// among them.
[[nodiscard]] std::vector<OutputOption> output_options(const Options& options);

// Takes them out of the request.
void forget_outputs(Options& options);

// Refuses outputs that are inputs, and two outputs that are one file, be it under two names.
// `result_descriptor`: where results go that no output is named for, if there are any.
void check_outputs(std::span<const std::string> inputs, const Options& options,
                   std::optional<int> result_descriptor = std::nullopt);

}  // namespace sosie

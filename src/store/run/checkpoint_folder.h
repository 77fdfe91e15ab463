#pragma once

#include <string>
#include <string_view>

#include "corpus/inputs.h"
#include "io/folder.h"
#include "io/journal.h"
#include "sosie/options.h"

namespace sosie {

// The folder of --checkpoint: `rows`, which identifies the run, `compared`, and standard input. It
// is validated before anything in it is changed.
class CheckpointFolder {
 public:
  static constexpr std::string_view kHint = "remove the folder to begin again, or name another one";

  // Claims the folder for this process. Throws Error{io}; Error{invalid_option} for a folder with
  // other files, or with files of these names that no checkpoint wrote.
  explicit CheckpointFolder(const std::string& folder);

  [[nodiscard]] const std::string& path() const noexcept { return folder_.path(); }
  [[nodiscard]] Journal& rows() noexcept { return rows_; }
  [[nodiscard]] const Journal& rows() const noexcept { return rows_; }
  [[nodiscard]] std::string compared() const { return folder_.file("compared"); }

  // Throws Error{invalid_option} for an input or an output in the folder, and for an output folder
  // that contains it.
  void expect_apart(const Inputs& inputs) const;

 private:
  ClaimedFolder folder_;
  Journal rows_;
};

// Throws Error{invalid_option} for options that exclude --checkpoint, and Error{unsupported} for
// rows that exist only as long as the process.
void check_checkpoint_options(const Options& options);

}  // namespace sosie

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/folder.h"

namespace sosie {

// Saved run whose place another one may take.
enum class OverwrittenRun : std::uint8_t { none, undecided, any };

// A folder in which a run is going to be saved. As long as it lives, nobody decides about the run
// that is there.
class ReplacedRun {
 public:
  // Throws Error{invalid_option} where the folder holds decisions about a run and `which` is not
  // `any`, and where it holds other files and no run; Error{io}: also when a process decides about
  // it at this moment. A folder that is not there, or for which `which` is `none`, is left alone.
  ReplacedRun(const std::string& folder, OverwrittenRun which);

 private:
  std::unique_ptr<ClaimedFolder> claim_;
};

}  // namespace sosie

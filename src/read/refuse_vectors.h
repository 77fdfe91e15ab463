#pragma once

#include <string>

#include "io/file.h"
#include "sosie/error.h"

namespace sosie {

[[noreturn]] inline void refuse_vectors(const File& file, const std::string& why,
                                        std::string hint = {}) {
  throw Error(ErrorKind::malformed_input, BadPlace{file.name()}, why, std::move(hint));
}

}  // namespace sosie

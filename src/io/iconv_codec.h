#pragma once

#include <memory>
#include <string>

#include "io/encoding.h"

namespace sosie {

// The codec of an encoding that iconv knows; null when it does not, or when the encoding has modes
// that a byte here sets for bytes behind (ISO-2022, UTF-7, HZ), so that rows could not be taken out
// of their file. Where other bytes stand for the same character as the ones that iconv writes for
// it, they are kept as bytes that stand for nothing. Throws Error{unsupported} in a static program.
[[nodiscard]] std::shared_ptr<const Codec> iconv_codec(const std::string& name);

}  // namespace sosie

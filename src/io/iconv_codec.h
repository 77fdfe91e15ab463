#pragma once

#include <memory>
#include <string>

#include "io/encoding.h"

namespace sosie {

// The codec for an encoding that iconv supports. Null if iconv does not support it, or if in this
// encoding a byte can change the meaning of later bytes (ISO-2022, UTF-7, HZ), so that rows could
// not be taken out of their file. Byte sequences that iconv itself would not write for their
// character are kept as undecodable bytes. Throws Error{unsupported} in a static program.
[[nodiscard]] std::shared_ptr<const Codec> iconv_codec(const std::string& name);

}  // namespace sosie

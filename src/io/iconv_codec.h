#pragma once

#include <memory>
#include <string>

#include "io/encoding.h"

namespace sosie {

// The codec of an encoding that iconv supports; null if it does not, or if a byte of the encoding
// can change the meaning of later bytes (ISO-2022, UTF-7, HZ), so that rows could not be taken out
// of their file. Byte sequences that iconv would not write for their character are kept as
// undecodable bytes. Throws Error{unsupported} in a static program.
[[nodiscard]] std::shared_ptr<const Codec> iconv_codec(const std::string& name);

}  // namespace sosie

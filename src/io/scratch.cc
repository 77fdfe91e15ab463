// Unnamed temporary files, and the limit on their size.
#include "io/scratch.h"

#include <fmt/format.h>

#include "sosie/error.h"

namespace sosie {

void Scratch::take(std::uint64_t bytes) {
  const std::uint64_t used = used_bytes_ += bytes;
  if (used > limit_bytes_) {
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("{}: needs {} bytes of temporary space; --scratch-limit is {}", folder_,
                            used, limit_bytes_),
                "raise --scratch-limit, or raise --memory, so that less scratch is needed");
  }
  std::uint64_t peak = peak_bytes_;
  while (used > peak && !peak_bytes_.compare_exchange_weak(peak, used)) {
  }
}

}  // namespace sosie

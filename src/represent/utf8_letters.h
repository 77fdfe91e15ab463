#pragma once

#include "kernels/utf8_letters.h"

namespace sosie {

// The Unicode tables in the form for kernels. Built on first use; thread-safe.
[[nodiscard]] const kernels::Utf8Letters& utf8_letters() noexcept;

}  // namespace sosie

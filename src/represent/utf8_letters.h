#pragma once

#include "kernels/utf8_letters.h"

namespace sosie {

// The Unicode tables as the kernels read them. Made on first use; safe to call from all threads.
[[nodiscard]] const kernels::Utf8Letters& utf8_letters() noexcept;

}  // namespace sosie

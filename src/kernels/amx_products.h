#pragma once

#include <cstdint>

#include "kernels/byte_products.h"

// The matrix unit of some Intel CPUs (AMX), which multiplies sixteen vectors by sixteen others
// at a time.
namespace sosie::kernels {

// True if this CPU has AMX and the system lets this process use it. Asks the system only once.
[[nodiscard]] bool has_amx() noexcept;

// byte_products_reaching() on the matrix unit. May be called only if has_amx().
void amx_products_reaching(const ByteProducts& products, std::uint32_t* hits) noexcept;

}  // namespace sosie::kernels

// Products of byte panels on the matrix unit of Intel's CPUs (AMX).
#include "kernels/amx_products.h"

#if defined(__x86_64__) && defined(__linux__)

#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

namespace sosie::kernels {
namespace {

constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
constexpr long kTileData = 18;               // the state component that needs permission
constexpr std::size_t kTileVectors = 16;
constexpr std::size_t kQuadBytes = 4;

bool cpu_has_it() noexcept {
  constexpr unsigned kTile = 1U << 24;
  constexpr unsigned kInt8 = 1U << 25;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  asm volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(7), "c"(0));
  const bool tiles = (d & kTile) != 0 && (d & kInt8) != 0;
  return tiles && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0;
}

// Operand of LDTILECFG.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::array<std::uint8_t, 14> reserved{};
  std::array<std::uint16_t, 16> row_bytes{};
  std::array<std::uint8_t, 16> rows{};
};

// Tiles 0 to 3 hold sums, 4 and 5 left vectors, 6 and 7 right vectors.
TileShapes shapes_of(std::size_t quads) noexcept {
  TileShapes shapes;
  for (std::size_t tile = 0; tile < 8; ++tile) {
    const bool left = tile == 4 || tile == 5;
    shapes.row_bytes[tile] = static_cast<std::uint16_t>(left ? quads * kQuadBytes : 64);
    shapes.rows[tile] = static_cast<std::uint8_t>(tile < 6 ? kTileVectors : quads);
  }
  return shapes;
}

constexpr int kSumsStride = kPanelVectors * sizeof(std::int32_t);
using PanelSums = std::array<std::int32_t, kPanelVectors * kPanelVectors>;

__attribute__((target("amx-tile,amx-int8"))) void multiply(const ByteProducts& products,
                                                           const std::int8_t* right,
                                                           std::size_t quads,
                                                           PanelSums& sums) noexcept {
  const std::size_t right_stride = kPanelVectors * kQuadBytes;
  const std::int8_t* left = products.left;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::size_t q = 0; q < products.quads; q += quads) {
    _tile_loadd(4, left, kStepBytes);
    _tile_loadd(6, right, right_stride);
    _tile_loadd(7, right + kTileVectors * kQuadBytes, right_stride);
    _tile_loadd(5, left + kTileVectors * kStepBytes, kStepBytes);
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
    left += kPanelVectors * kStepBytes;
    right += quads * right_stride;
  }
  std::int32_t* low = sums.data() + kTileVectors * kPanelVectors;
  _tile_stored(0, sums.data(), kSumsStride);
  _tile_stored(1, sums.data() + kTileVectors, kSumsStride);
  _tile_stored(2, low, kSumsStride);
  _tile_stored(3, low + kTileVectors, kSumsStride);
}

__attribute__((target("avx512f,avx512bw"))) void compare(const PanelSums& sums,
                                                         const std::int32_t* left_limits,
                                                         const std::int32_t* right_limits,
                                                         std::uint32_t* hits) noexcept {
  const __m512i low = _mm512_loadu_si512(right_limits);
  const __m512i high = _mm512_loadu_si512(right_limits + kTileVectors);
  for (std::size_t x = 0; x < kPanelVectors; ++x) {
    const __m512i limit = _mm512_set1_epi32(left_limits[x]);
    const std::int32_t* row = sums.data() + x * kPanelVectors;
    const auto first =
        _mm512_cmpge_epi32_mask(_mm512_load_si512(row), _mm512_add_epi32(limit, low));
    const auto second = _mm512_cmpge_epi32_mask(_mm512_load_si512(row + kTileVectors),
                                                _mm512_add_epi32(limit, high));
    hits[x] = static_cast<std::uint32_t>(first) | static_cast<std::uint32_t>(second)
                                                      << kTileVectors;
  }
}

}  // namespace

bool has_amx() noexcept {
  static const bool usable =
      cpu_has_it() && syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  return usable;
}

__attribute__((target("amx-tile"))) void amx_products_reaching(const ByteProducts& products,
                                                               std::uint32_t* hits) noexcept {
  const std::size_t quads = products.quads / quad_steps(products.quads);
  const TileShapes shapes = shapes_of(quads);
  _tile_loadconfig(&shapes);
  // The sums of one panel are compared while the next panel is multiplied.
  alignas(64) std::array<PanelSums, 2> sums;
  const std::size_t panel_bytes = products.quads * kPanelVectors * kQuadBytes;
  for (std::size_t panel = 0; panel <= products.right_count; ++panel) {
    if (panel < products.right_count) {
      multiply(products, products.right + panel * panel_bytes, quads, sums[panel % 2]);
    }
    if (panel > 0) {
      compare(sums[(panel - 1) % 2], products.left_limits,
              products.right_limits + (panel - 1) * kPanelVectors,
              hits + (panel - 1) * kPanelVectors);
    }
  }
  _tile_release();
}

}  // namespace sosie::kernels

#else

namespace sosie::kernels {

bool has_amx() noexcept { return false; }

void amx_products_reaching(const ByteProducts& /*products*/, std::uint32_t* /*hits*/) noexcept {}

}  // namespace sosie::kernels

#endif

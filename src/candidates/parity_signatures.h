#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.h"
#include "data/token_sets.h"

namespace sosie {

// One bit string a set, in which every token flips a bit that its number decides: two sets differ
// in no fewer elements than their signatures do in bits. (Bitmap filter: Sandes, Teodoro, Melo
// 2017.) 64 bits for small sets, up to 256 for large ones.
class ParitySignatures {
 public:
  // Not wanted: no planes, and nothing is computed.
  ParitySignatures(const TokenSets& sets, bool wanted, ThreadPool& pool);

  // Words of 32 bits a signature.
  [[nodiscard]] std::size_t planes() const noexcept { return planes_; }
  [[nodiscard]] const std::uint32_t* operator[](std::uint32_t set) const noexcept {
    return words_.data() + set * planes_;
  }

 private:
  std::size_t planes_ = 0;
  std::vector<std::uint32_t> words_;
};

}  // namespace sosie

// Predicts bytes, time and memory of an index on disk (docs/scale.md).
#include "plan/index_costs.h"

#include <algorithm>
#include <cmath>

#include "data/index_layout.h"

namespace sosie {
namespace {

// Sizes from docs/formats/index.md that do not depend on the plan.
constexpr double kItemsBlockBytes = IndexLayout::kItemBlockBytes;  // at least, or
constexpr double kItemsOfBlock = IndexLayout::kItemsOfBlock;
constexpr double kChecksumBytes = 8;
constexpr double kFenceBytes = 8;      // a block of items has them in the footer
constexpr double kFiltersOfGroup = 8;  // signatures with a checksum of their own
constexpr double kKeyFenceBytes = 12;  // and a block of keys these
constexpr double kFlagsBytes = 1;
constexpr double kHashBytes = 16;
constexpr double kIdLengthBytes = 1;  // both for the shared beginning and for the rest
constexpr double kSizeBytes = 1;
constexpr double kKeysOfBlock = IndexLayout::kKeysOfBlock;
constexpr double kKeyBlockBytes = 2 + 1 + 1 + 8;
constexpr int kNameBits = 40;
constexpr double kFixedBytes = 4096;  // manifest, log, footers
constexpr double kMostItems = 4294967295.0;

// Measured constants, fitted to bench/index.py at 10^5, 10^6 and 10^7 items: nanoseconds. Since
// version 2 of the run format, the costs of a waiting key and of a candidate are scaled by the
// measured saving (docs/scale.md).
constexpr double kItemNs = 300;
constexpr double kKeyBitNs = 5;     // to sort a key, for each doubling of the items
constexpr double kKeyAsideNs = 60;  // to put a key aside, and to merge it again
constexpr double kLookUpNs = 30'000;
constexpr double kLookUpKeyNs = 1'100;  // a block of keys: found, and gone through
constexpr double kLookUpCandidateNs = 2'600;
// Memory.
constexpr double kIndexProgramBytes = 1.1e7;
constexpr double kWindowBytes = 3.3e7;  // rows on their way from the input to the index
constexpr double kIdHashBytes = 8;
constexpr double kMostIdBytes = IndexLayout::kMostIdBytes;
constexpr double kKeyEntryBytes = 12;
constexpr double kMostKeyBytes = IndexLayout::kMostKeyBytes;
constexpr double kShareOfKeys = 0.25;
constexpr double kKeptKeys = 0.5;  // half of that; the other one is for a sort
constexpr double kSortForms = 1.05;
constexpr double kFencesInMemory = 2;

// The smallest number of bits that can hold numbers up to `most`.
int bits_of(double most) noexcept {
  int bits = 1;
  for (double reach = 2; reach <= most && bits < 64; reach *= 2) ++bits;
  return bits;
}

// Bytes of a key among the keys of `items` items.
double bytes_of_key(int bits, double items) noexcept {
  const double distance =
      std::ldexp(1, bits) / std::max(1.0, items);          // mean distance of neighbours
  const int low_bits = std::max(0, std::ilogb(distance));  // stored as they are
  const double steps = std::ldexp(distance, -low_bits);
  return (low_bits + 1 + steps + bits_of(items)) / 8.0 +
         (kKeyBlockBytes + kChecksumBytes + kKeyFenceBytes) / kKeysOfBlock;
}

class IndexForecast {
 public:
  IndexForecast(const PlannedIndex& planned, double items, double memory_bytes) noexcept
      : planned_(planned), items_(items), keys_(planned.keys + 1), memory_(memory_bytes) {}

  [[nodiscard]] IndexCosts costs() const noexcept {
    IndexCosts costs;
    costs.key_bytes =
        planned_.keys * bytes_of_key(planned_.key_bits, items_) + bytes_of_key(kNameBits, items_);
    const double record = record_bytes();
    costs.item_bytes = costs.key_bytes + filter_bytes() + record +
                       (kChecksumBytes + kFenceBytes) * share_of_block(record);
    costs.bytes = kFixedBytes + items_ * costs.item_bytes;
    costs.build_cpu_seconds = build_ns() / 1e9;
    const double rows = planned_.held_bytes > 0 ? items_ * planned_.held_bytes : kWindowBytes;
    costs.build_peak_bytes = kIndexProgramBytes + rows +
                             std::min(items_ * kIdHashBytes, kMostIdBytes) +
                             kSortForms * std::min(all_keys(), key_memory());
    costs.open_bytes = kIndexProgramBytes + kFencesInMemory * items_ * fence_bytes();
    costs.candidates = planned_.keys > 0 ? planned_.candidate_part * items_ : items_;
    costs.look_up_cpu_seconds = look_up_ns() / 1e9;
    return costs;
  }

 private:
  [[nodiscard]] double record_bytes() const noexcept {
    const double id = planned_.id_bytes > 0
                          ? kIdLengthBytes + planned_.id_bytes - planned_.id_bytes_in_common
                          : 0;
    return kFlagsBytes + id + kSizeBytes + kHashBytes + planned_.element_bytes;
  }
  [[nodiscard]] double filter_bytes() const noexcept {
    return planned_.filter_bytes > 0 ? planned_.filter_bytes + kChecksumBytes / kFiltersOfGroup : 0;
  }
  [[nodiscard]] static double share_of_block(double record) noexcept {
    return std::clamp(record / kItemsBlockBytes, 1 / kItemsOfBlock, 1.0);
  }
  [[nodiscard]] double fence_bytes() const noexcept {
    return kFenceBytes * share_of_block(record_bytes()) + keys_ * kKeyFenceBytes / kKeysOfBlock;
  }

  [[nodiscard]] double all_keys() const noexcept { return items_ * keys_ * kKeyEntryBytes; }
  [[nodiscard]] double key_memory() const noexcept {
    return kKeptKeys * std::min(kMostKeyBytes, kShareOfKeys * memory_);
  }

  [[nodiscard]] double build_ns() const noexcept {
    const double aside = all_keys() > key_memory() ? kKeyAsideNs : 0;
    return items_ * (planned_.make_ns + kItemNs + keys_ * (kKeyBitNs * bits_of(items_) + aside));
  }

  [[nodiscard]] double look_up_ns() const noexcept {
    return kLookUpNs + planned_.keys * kLookUpKeyNs +
           planned_.candidate_part * items_ * kLookUpCandidateNs;
  }

  const PlannedIndex& planned_;
  double items_;
  double keys_;  // that of the name counted
  double memory_;
};

}  // namespace

IndexCosts index_costs(const PlannedIndex& planned, double items,
                       std::uint64_t memory_bytes) noexcept {
  double indexes = 1;
  while (items / indexes > kMostItems) ++indexes;
  IndexCosts costs =
      IndexForecast(planned, items / indexes, static_cast<double>(memory_bytes)).costs();
  costs.indexes = indexes;
  for (double* sum : {&costs.bytes, &costs.build_cpu_seconds, &costs.open_bytes, &costs.candidates,
                      &costs.look_up_cpu_seconds}) {
    *sum *= indexes;
  }
  return costs;
}

}  // namespace sosie

// Tests whether records with a copy have likely kin as often as other records.
#include "plan/kin_evidence.h"

#include <algorithm>
#include <array>

namespace sosie {
namespace {

constexpr double kFewestExpected = 10;

// Number of partners of each record.
using PartnerCount = std::vector<std::uint32_t>;

// Counts the partners that each record matches with high confidence and that are not relatives.
PartnerCount sure_partners(const KinPairs& task, const std::vector<bool>& are_kin) {
  PartnerCount partners(task.numbers);
  for (const LikelyPair& pair : task.pairs) {
    if (are_kin[pair.pattern] || !pair.is_sure) continue;
    ++partners[pair.left];
    ++partners[pair.right];
  }
  return partners;
}

// Counts likely relatives of each record; for records with at most one partner, only those that are
// free.
PartnerCount likely_kin(const KinPairs& task, const std::vector<bool>& are_kin,
                        const PartnerCount& partners) {
  const bool across = task.left > 0;
  PartnerCount kin(task.numbers);
  for (const LikelyPair& pair : task.pairs) {
    if (!are_kin[pair.pattern]) continue;
    const bool left_is_free = !task.left_has_one || partners[pair.left] == 0;
    const bool right_is_free = !task.right_has_one || partners[pair.right] == 0;
    if ((task.left_has_one || !across) && right_is_free) ++kin[pair.left];
    if ((task.right_has_one || !across) && left_is_free) ++kin[pair.right];
  }
  return kin;
}

// Share of the likely pairs, of relatives or confident copies, that contain typos.
double part_with_slips(const KinPairs& task, const std::vector<bool>& are_kin,
                       const std::vector<bool>& have_slips, bool of_kin) {
  if (have_slips.empty()) return 0;
  double pairs = 0;
  double with_slips = 0;
  for (const LikelyPair& pair : task.pairs) {
    if (are_kin[pair.pattern] != of_kin || (!of_kin && !pair.is_sure)) continue;
    pairs += 1;
    with_slips += have_slips[pair.pattern] ? 1 : 0;
  }
  return pairs == 0 ? 0 : with_slips / pairs;
}

// Share of the records with a partner that have several.
double part_with_several(const PartnerCount& partners) {
  double with_one = 0;
  double with_several = 0;
  for (const std::uint32_t count : partners) {
    with_one += count > 0 ? 1 : 0;
    with_several += count > 1 ? 1 : 0;
  }
  return with_one == 0 ? 0 : with_several / with_one;
}

}  // namespace

bool KinEvidence::is_sure() const noexcept {
  constexpr double kAboutAsOften = 0.75;
  constexpr double kSome = 0.3;
  constexpr double kClearlyMore = 1.5;
  return share && *share >= kAboutAsOften && share_what_is_written() &&
         several_kin >= std::max(kSome, kClearlyMore * several_copies);
}

bool KinEvidence::share_what_is_written() const noexcept {
  constexpr double kFewSlips = 0.1;  // where copies have so few, kin cannot be told by theirs
  constexpr double kClearlyFewer = 0.75;
  return slips_of_copies >= kFewSlips && slips_of_kin <= kClearlyFewer * slips_of_copies;
}

KinEvidence kin_evidence(const KinPairs& task, const std::vector<bool>& are_kin,
                         const std::vector<bool>& have_slips) {
  const PartnerCount partners = sure_partners(task, are_kin);
  const PartnerCount kin = likely_kin(task, are_kin, partners);
  KinEvidence found;
  found.several_kin = part_with_several(kin);
  found.several_copies = part_with_several(partners);
  found.slips_of_kin = part_with_slips(task, are_kin, have_slips, true);
  found.slips_of_copies = part_with_slips(task, are_kin, have_slips, false);
  const auto see_side = [&](std::uint32_t begin, std::uint32_t end) {
    std::array<double, 2> records{};   // by whether they have their partner
    std::array<double, 2> with_kin{};  // likewise
    for (std::uint32_t record = begin; record < end; ++record) {
      const std::size_t has_partner = partners[record] > 0 ? 1 : 0;
      records[has_partner] += 1;
      with_kin[has_partner] += kin[record] > 0 ? 1 : 0;
    }
    if (records[0] == 0) return;
    const double expected = with_kin[0] / records[0] * records[1];
    if (expected < kFewestExpected) return;
    found.share = std::max(found.share.value_or(0), with_kin[1] / expected);
  };
  if (task.left == 0) see_side(0, task.numbers);
  if (task.left_has_one) see_side(0, task.left);
  if (task.right_has_one) see_side(task.left, task.numbers);
  return found;
}

}  // namespace sosie

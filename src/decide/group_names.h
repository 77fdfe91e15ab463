#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "corpus/item_ids.h"
#include "data/record_table.h"

namespace sosie {

// Id of a group, and whether JSON has it without quotes.
struct GroupName {
  std::string text;
  bool is_integer = false;
};

// Ids of groups that records are added to, and of new ones, which no other group gets.
class GroupNames {
 public:
  // `older`, `clusters`: ids of the records that have groups, and these groups' ids; `fresh`: ids
  // of new records, numbered from `first_number` on where they have none. Keeps references.
  GroupNames(const ItemIds& older, const RecordColumn& clusters, const ItemIds& fresh,
             std::uint32_t first_number);

  // An older group, written as the id of the record that it is called by.
  [[nodiscard]] GroupName of_older(std::string_view cluster) const;
  // A new group: the id of its first record, or that with the first of -2, -3, ... that neither a
  // group nor a new record is called.
  [[nodiscard]] GroupName of_new(std::uint32_t first);

 private:
  const ItemIds& fresh_;
  std::uint32_t first_number_;
  std::unordered_set<std::string> taken_;           // ids of groups
  std::unordered_set<std::string_view> fresh_ids_;  // which groups to come may get
  bool has_integers_;                               // among ids of older records
  std::unordered_set<std::string_view> quoted_;     // ids of older records: integers in quotes
};

}  // namespace sosie

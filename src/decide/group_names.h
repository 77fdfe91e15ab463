#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "corpus/item_ids.h"
#include "data/record_table.h"

namespace sosie {

// Id of a group, and whether it is unquoted in JSON.
struct GroupName {
  std::string text;
  bool is_integer = false;
};

// Ids of groups to which records are added, and of new groups, which are unique.
class GroupNames {
 public:
  // `older`, `clusters`: ids of the records in existing groups, and the ids of these groups;
  // `fresh`: ids of new records, numbered from `first_number` if they have none. Keeps references.
  GroupNames(const ItemIds& older, const RecordColumn& clusters, const ItemIds& fresh,
             std::uint32_t first_number);

  // An existing group, written as the id of the record after which it is named.
  [[nodiscard]] GroupName of_older(std::string_view cluster) const;
  // A new group: the id of its first record, or that id with the first of -2, -3, ... for which it
  // is the name of neither a group nor a new record.
  [[nodiscard]] GroupName of_new(std::uint32_t first);

 private:
  const ItemIds& fresh_;
  std::uint32_t first_number_;
  std::unordered_set<std::string> taken_;           // ids of groups
  std::unordered_set<std::string_view> fresh_ids_;  // possible ids of later groups
  bool has_integers_;                               // among ids of older records
  std::unordered_set<std::string_view> quoted_;     // ids of older records: integers in quotes
};

}  // namespace sosie

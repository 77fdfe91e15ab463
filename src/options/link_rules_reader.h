#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/link_rule_names.h"
#include "options/rule_key.h"
#include "options/toml_library.h"

namespace sosie {

// Reads the nodes of a TOML file according to tables of keys. Anything that the tables do not allow
// is an error with file and line.
class LinkRulesReader {
 public:
  // `name`: name of the file in messages; must outlive this object.
  explicit LinkRulesReader(const std::string& name) : name_(name) {}

  // Sets the fields that later values may name.
  void know(const std::vector<LinkField>& fields) { fields_ = names_of(fields); }

  [[noreturn]] void refuse(const toml::node& node, const std::string& reason,
                           const std::string& hint = {}) const;

  [[nodiscard]] const toml::table& table(const toml::node& node, std::string_view what) const;
  [[nodiscard]] const toml::array& list_of_rules(const toml::node& node,
                                                 std::string_view key) const;
  // The positions of the fields named in a text or a list of texts.
  [[nodiscard]] std::vector<std::uint32_t> fields(const toml::node& node, const RuleKey& key) const;
  // Throws for an unknown key.
  void check_keys(const toml::table& table, std::span<const std::string_view> known) const;

  // Fills in values from the table; each key is checked against its row. `besides`: further keys
  // that are allowed.
  template <typename Target>
  void fill(const toml::table& table, std::span<const RuleKeyOf<Target>> keys, Target& target,
            std::span<const std::string_view> besides = {}) const {
    std::vector<std::string_view> known(besides.begin(), besides.end());
    for (const RuleKeyOf<Target>& row : keys) known.push_back(row.key.name);
    check_keys(table, known);
    for (const RuleKeyOf<Target>& row : keys) {
      const toml::node* node = table.get(row.key.name);
      if (node == nullptr) continue;
      if (!row.key.beside.empty() && table.get(row.key.beside) == nullptr) {
        refuse(*node, fmt::format("{} is for {}", row.key.name, row.key.beside));
      }
      row.set(target, value(*node, row.key));
    }
  }

 private:
  [[nodiscard]] RuleValue value(const toml::node& node, const RuleKey& key) const;
  [[nodiscard]] std::string text(const toml::node& node, std::string_view what) const;
  [[nodiscard]] std::string checked_text(const toml::node& node, const RuleKey& key) const;
  [[nodiscard]] std::vector<std::string> texts(const toml::node& node, std::string_view what) const;
  [[nodiscard]] std::string choice(const toml::node& node, const RuleKey& key) const;
  [[nodiscard]] std::uint32_t count(const toml::node& node, const RuleKey& key) const;
  [[nodiscard]] double number(const toml::node& node, std::string_view what,
                              const RuleRange& range) const;
  [[nodiscard]] std::vector<double> numbers(const toml::node& node, const RuleKey& key) const;
  [[noreturn]] void refuse_at(const toml::source_region& place, const std::string& reason,
                              const std::string& hint) const;

  const std::string& name_;
  std::vector<std::string_view> fields_;
};

}  // namespace sosie

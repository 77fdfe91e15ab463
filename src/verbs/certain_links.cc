// Links that always and never rules decide.
#include "verbs/certain_links.h"

#include <algorithm>

namespace sosie {

CertainLinks::CertainLinks(const RecordTable& table, const LinkRules& rules,
                           const RecordLinker& linker, const ThreadPool& pool)
    : table_(table), linker_(linker), pair_rules_(table, rules) {
  if (rules.always.empty()) return;
  linker.memory().require(pair_rules_.most_always() * kBytesOfChosenLink, "certain links");
  always_ = pair_rules_.always(pool);
}

void CertainLinks::obey(std::vector<PatternLink>& links) const {
  if (pair_rules_.has_never()) {
    std::erase_if(links, [this](const PatternLink& link) {
      return pair_rules_.is_never(link.link.left, link.link.right);
    });
  }
  if (always_.empty() || !table_.across) return;
  const auto scored = static_cast<std::ptrdiff_t>(links.size());
  for (const RecordPair& pair : always_) {
    const auto end = links.begin() + scored;
    const auto found = std::lower_bound(
        links.begin(), end, pair,
        [](const PatternLink& link, const RecordPair& of) { return link.link.pair() < of; });
    if (found != end && found->link.pair() == pair) continue;
    links.push_back(linker_.score_pair(pair.left, pair.right));
  }
  std::sort(links.begin(), links.end(), [](const PatternLink& a, const PatternLink& b) {
    return a.link.pair() < b.link.pair();
  });
}

void CertainLinks::add_to(LinkageTask& task) const {
  task.always = always_;
  if (!pair_rules_.has_never()) return;
  task.never_class = pair_rules_.classes();
  task.never = [this](std::uint32_t left, std::uint32_t right) {
    return pair_rules_.is_never_class(left, right);
  };
}

bool CertainLinks::is_always(const PatternLink& link) const {
  return std::binary_search(always_.begin(), always_.end(), link.link.pair());
}

}  // namespace sosie

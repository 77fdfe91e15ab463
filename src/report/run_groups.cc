// Filters and sorts the groups of a saved run.
#include "report/run_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/ascii_lower.h"
#include "report/add_parts.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::array<std::string_view, 4> kSorts = {"size", "saved", "weakest", "order"};
constexpr std::array<std::string_view, 4> kStates = {"", "open", "reviewed", "changed"};
constexpr std::size_t kGroupsAtOnce = 4096;  // whose texts are searched together

}  // namespace

std::uint64_t RunGroups::source_bits(const std::string& name) const {
  if (name.empty()) return ~std::uint64_t{0};
  const auto& sources = run_.facts().sources;
  const auto found = std::find(sources.begin(), sources.end(), name);
  if (found == sources.end()) {
    throw Error(ErrorKind::invalid_option, fmt::format("source: the run has no '{}'", name));
  }
  const auto number = static_cast<std::size_t>(found - sources.begin());
  return std::uint64_t{1} << std::min(number, kRunSources - 1);
}

bool RunGroups::has_state(const std::string& state, std::size_t group) const {
  if (state == "open") return !decisions_.is_reviewed(group);
  if (state == "reviewed") return decisions_.is_reviewed(group);
  if (state == "changed") return decisions_.is_changed(group);
  return true;
}

// Keeps the groups in the run's own order.
void RunGroups::keep_with_text(const std::string& text, std::vector<std::uint32_t>& groups) const {
  if (text.empty()) return;
  if (text.find('\0') != std::string::npos) {
    throw Error(ErrorKind::invalid_option, "text: holds a zero byte");
  }
  const std::string wanted = ascii_lower(text);
  const auto& all = run_.groups();
  std::string texts;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::erase_if(groups, [&](std::uint32_t group) {
    if (group >= end) {
      begin = group;
      end = std::min(begin + kGroupsAtOnce, all.size());
      texts = ascii_lower(run_.texts(begin, end));
    }
    const std::uint64_t from = all[group].text_begin - all[begin].text_begin;
    const std::uint64_t to =
        group + 1 < end ? all[group + 1].text_begin - all[begin].text_begin : texts.size();
    return std::string_view(texts).substr(from, to - from).find(wanted) == std::string_view::npos;
  });
}

void RunGroups::sort_by(const std::string& sort, std::vector<std::uint32_t>& groups) const {
  const auto& all = run_.groups();
  const auto by = [&](const auto& is_before) {
    std::stable_sort(groups.begin(), groups.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return is_before(all[a], all[b]); });
  };
  if (sort == "size") {
    by([](const RunGroup& a, const RunGroup& b) { return a.members > b.members; });
  } else if (sort == "saved") {
    by([](const RunGroup& a, const RunGroup& b) { return a.saved_bytes > b.saved_bytes; });
  } else if (sort == "weakest") {
    const bool is_similarity = run_.facts().is_similarity;
    by([is_similarity](const RunGroup& a, const RunGroup& b) {
      return is_similarity ? a.weakest < b.weakest : a.weakest > b.weakest;
    });
  }
}

const std::vector<std::uint32_t>& RunGroups::select(const GroupsAsked& asked) {
  require_one_of("sort", asked.sort, kSorts);
  require_one_of("state", asked.state, kStates);
  const std::uint64_t bits = source_bits(asked.source);
  std::string key = fmt::format("{}\t{}\t{}\t", asked.sort, bits, asked.state) + asked.text;
  if (!asked.state.empty()) key += fmt::format("\t{}", decisions_.changes());
  if (key == last_asked_) return last_;
  last_asked_.clear();
  last_.clear();
  for (std::size_t i = 0; i < run_.groups().size(); ++i) {
    const RunGroup& group = run_.groups()[i];
    const bool has_source = (group.sources & bits) != 0 && run_.lists(group);
    if (has_source && has_state(asked.state, i)) last_.push_back(static_cast<std::uint32_t>(i));
  }
  keep_with_text(asked.text, last_);
  sort_by(asked.sort, last_);
  last_asked_ = std::move(key);
  return last_;
}

std::vector<bool> RunGroups::with_text(const std::string& text) const {
  std::vector<std::uint32_t> all(run_.groups().size());
  std::iota(all.begin(), all.end(), 0U);
  keep_with_text(text, all);
  std::vector<bool> has_text(run_.groups().size());
  for (const std::uint32_t group : all) has_text[group] = true;
  return has_text;
}

std::vector<std::uint64_t> RunGroups::by_source() const {
  const std::size_t sources = std::min(run_.facts().sources.size(), kRunSources);
  std::vector<std::uint64_t> counts(sources, 0);
  for (const RunGroup& group : run_.groups()) {
    if (!run_.lists(group)) continue;
    for (std::size_t i = 0; i < sources; ++i) counts[i] += group.sources >> i & 1U;
  }
  return counts;
}

std::vector<std::string> RunGroups::sources_of(const RunGroup& group) const {
  std::vector<std::string> names;
  const auto& sources = run_.facts().sources;
  for (std::size_t i = 0; i < std::min(sources.size(), kRunSources); ++i) {
    if ((group.sources >> i & 1U) == 0) continue;
    names.push_back(i + 1 == kRunSources && sources.size() > kRunSources ? "others" : sources[i]);
  }
  return names;
}

}  // namespace sosie

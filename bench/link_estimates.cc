// Runs the estimates of link quality, assignment and average linkage on scored pairs that
// link_estimates.py prepares, so that their figures can be compared with the truth.
//
//   link_estimates judge one|two < PAIRS     lines `left right score difference` sorted by (left,
//       right), difference -1 if a record lacks the field; then lines `random DIFFERENCE`. Between
//       two collections, links are assigned one to one. Prints lines `field KEY VALUE` and
//       `runners-up KEY VALUE`, then `link LEFT RIGHT SCORE` for each link that was judged.
//   link_estimates groups CUT RECORDS < PAIRS     lines `left right probability linked`; pairs that
//       are not linked are scored on demand. Prints `average RECORD FIRST` and `component RECORD
//       FIRST` for each record.
//   link_estimates speed RECORDS     CPU seconds of each on synthetic links: three for each left
//       record, and one component in which each record is linked to the next ten.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/average_linkage.h"
#include "cluster/components.h"
#include "core/mix64.h"
#include "core/thread_pool.h"
#include "decide/one_to_one.h"
#include "plan/held_out_link.h"
#include "plan/runner_up.h"

namespace {

using sosie::HeldOutLink;
using sosie::ScoredLink;

struct Input {
  std::vector<ScoredLink> links;
  std::vector<double> differences;  // by link
  std::vector<double> random;
};

Input read_input() {
  Input input;
  std::string word;
  while (std::cin >> word) {
    if (word == "random") {
      input.random.emplace_back();
      std::cin >> input.random.back();
      continue;
    }
    ScoredLink link;
    link.left = static_cast<std::uint32_t>(std::stoul(word));
    input.differences.emplace_back();
    std::cin >> link.right >> link.score >> input.differences.back();
    input.links.push_back(link);
  }
  return input;
}

std::vector<HeldOutLink> with_field(const Input& input, const std::vector<std::size_t>& chosen) {
  std::vector<HeldOutLink> links;
  links.reserve(chosen.size());
  for (const std::size_t i : chosen) {
    links.push_back({input.links[i].score, 0, input.differences[i]});
  }
  return links;
}

void print(std::string_view name, const std::string& refusal, const sosie::LinkEstimate& estimate) {
  fmt::print("{0} refusal {1}\n{0} matches {2:.1f}\n{0} f1 {3:.6f}\n{0} cut {4:.9g}\n", name,
             refusal.empty() ? "-" : refusal, estimate.matches, estimate.cut.f1,
             estimate.cut.score);
}

void judge(bool two) {
  const Input input = read_input();
  std::vector<std::size_t> chosen;
  if (two) {
    chosen = sosie::one_to_one(input.links, 0);
  } else {
    for (std::size_t i = 0; i < input.links.size(); ++i) chosen.push_back(i);
  }
  const std::vector<HeldOutLink> links = with_field(input, chosen);
  std::vector<HeldOutLink> others;
  if (two) {
    const sosie::RunnerUpTask task{input.links, chosen};
    others = with_field(input, sosie::runner_up_pairs(task));
    const sosie::RunnerUpEstimate estimate = sosie::estimate_by_runners_up(task);
    print("runners-up", estimate.refusal, estimate.estimate);
  }
  sosie::HeldOutTask task;
  task.links = links;
  task.random = input.random;
  task.runners_up = others;
  const sosie::FieldEstimate field = sosie::estimate_by_field(task);
  print("field", field.refusal, field.estimate);
  fmt::print("field h0 {:.4f}\nfield h1 {:.4f}\nfield sure {}\nfield moved {:.4f}\n", field.h0,
             field.h1, field.sure_pairs, field.moved);
  fmt::print("field least {:.4f}\nfield most {:.4f}\n", field.f1.least, field.f1.most);
  for (const std::size_t i : chosen) {
    fmt::print("link {} {} {:.17g}\n", input.links[i].left, input.links[i].right,
               input.links[i].score);
  }
}

void group(double cut, std::uint32_t records) {
  std::vector<ScoredLink> links;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> others;
  ScoredLink link;
  int linked = 0;
  while (std::cin >> link.left >> link.right >> link.probability >> linked) {
    if (linked == 1) {
      links.push_back(link);
    } else {
      others[{link.left, link.right}] = link.probability;
    }
  }
  sosie::LinkageTask task;
  task.records = records;
  task.links = links;
  task.cut = cut;
  task.probability = [&others](unsigned, std::uint32_t left, std::uint32_t right) {
    const auto found = others.find({left, right});
    return found == others.end() ? 0.0 : found->second;
  };
  sosie::ThreadPool pool(1, nullptr);
  const sosie::RecordGroups groups = sosie::average_linkage(task, pool);
  sosie::Components components(records);
  for (const ScoredLink& pair : links) {
    if (pair.probability >= cut) components.link(pair.left, pair.right);
  }
  for (std::uint32_t record = 0; record < records; ++record) {
    fmt::print("average {0} {1}\ncomponent {0} {2}\n", record, groups.first[record],
               components.root_of(record));
  }
}

double uniform(std::uint64_t stream, std::uint64_t i) {
  return static_cast<double>(sosie::random64(stream, i) >> 11) / 9007199254740992.0;
}

// Prints the CPU seconds of `work` and its description of the result.
void clocked(std::string_view name, const auto& work) {
  const std::clock_t began = std::clock();
  const std::string result = work();
  fmt::print("{:<20} {:6.2f} s  {}\n", name,
             static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC, result);
}

// Each left record has links to its partner (a match for every other record, with a score of 8 to
// 28) and to two others (with scores of 0 to 12).
std::vector<ScoredLink> made_links(std::uint32_t records) {
  std::vector<ScoredLink> links;
  for (std::uint32_t left = 0; left < records; ++left) {
    std::vector<std::uint32_t> rights = {left};
    for (std::uint64_t i = 1; i < 3; ++i) {
      rights.push_back(static_cast<std::uint32_t>(sosie::random64(left, i) % records));
    }
    std::sort(rights.begin(), rights.end());
    rights.erase(std::unique(rights.begin(), rights.end()), rights.end());
    for (const std::uint32_t right : rights) {
      const bool match = right == left && left % 2 == 1;
      const double other = uniform(left, 100 + right) * uniform(left, ~std::uint64_t{right});
      links.push_back({left, right, match ? 8 + 20 * uniform(1, left) : 12 * other, 0});
    }
  }
  return links;
}

std::vector<ScoredLink> one_component(std::uint32_t records) {
  std::vector<ScoredLink> links;
  for (std::uint32_t left = 0; left < records; ++left) {
    for (std::uint32_t right = left + 1; right < std::min(left + 11, records); ++right) {
      links.push_back({left, right, 0, .55 + .4 * uniform(left, right)});
    }
  }
  return links;
}

void speed(std::uint32_t records) {
  const std::vector<ScoredLink> links = made_links(records);
  sosie::ThreadPool pool(1, nullptr);
  std::vector<std::size_t> chosen;
  clocked("one to one", [&] {
    chosen = sosie::one_to_one(links, 0);
    return fmt::format("{} links, {} chosen", links.size(), chosen.size());
  });
  clocked("runners-up", [&] {
    const sosie::RunnerUpEstimate estimate = sosie::estimate_by_runners_up({links, chosen});
    return fmt::format("{:.0f} matches {}", estimate.estimate.matches, estimate.refusal);
  });
  clocked("held-out field", [&] {
    std::vector<HeldOutLink> judged;
    judged.reserve(chosen.size());
    for (const std::size_t i : chosen) {
      const bool match = links[i].left == links[i].right && links[i].left % 2 == 1;
      const bool differs = uniform(7, links[i].left) < (match ? .1 : .9);
      judged.push_back({links[i].score, 0, differs ? 1.0 : 0.0});
    }
    std::vector<double> random(20000, 1);
    std::fill(random.begin(), random.begin() + 2000, 0.0);
    sosie::HeldOutTask task;
    task.links = judged;
    task.random = random;
    const sosie::FieldEstimate field = sosie::estimate_by_field(task);
    return fmt::format("{:.0f} matches {}", field.estimate.matches, field.refusal);
  });
  const std::vector<ScoredLink> component = one_component(records);
  sosie::LinkageTask task;
  task.records = records;
  task.links = component;
  task.probability = [](unsigned, std::uint32_t left, std::uint32_t right) {
    return .3 + .4 * uniform(left, right);
  };
  clocked("average linkage", [&] {
    const sosie::RecordGroups groups = sosie::average_linkage(task, pool);
    return fmt::format("{} links in one component, {} groups, {} pairs scored", component.size(),
                       groups.groups.size(), groups.scored);
  });
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string_view> arguments(words + 1, words + count);
  std::ios::sync_with_stdio(false);
  if (arguments.size() == 2 && arguments[0] == "judge") {
    judge(arguments[1] == "two");
  } else if (arguments.size() == 3 && arguments[0] == "groups") {
    group(std::strtod(words[2], nullptr),
          static_cast<std::uint32_t>(std::strtoul(words[3], nullptr, 10)));
  } else if (arguments.size() == 2 && arguments[0] == "speed") {
    speed(static_cast<std::uint32_t>(std::strtoul(words[2], nullptr, 10)));
  } else {
    fmt::print(stderr, "usage: link_estimates judge one|two, groups CUT RECORDS, speed RECORDS\n");
    return 2;
  }
  return 0;
}

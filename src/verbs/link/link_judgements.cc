// Reads a person's labels and decisions for a link run.
#include "verbs/link/link_judgements.h"

#include <fmt/format.h>

#include <utility>

#include "core/count_text.h"
#include "corpus/table_file.h"
#include "io/scratch.h"
#include "options/settings.h"
#include "sosie/error.h"

namespace sosie {
namespace {

void tell_of_labels(const std::string& path, const LinkLabels& labels,
                    std::vector<std::string>& messages) {
  if (labels.pairs.empty()) {
    messages.push_back(
        fmt::format("{}: no row has a label, so nothing is learnt from the file", path));
  } else if (!labels.are_of_both_kinds()) {
    messages.push_back(fmt::format(
        "{}: all labels are {}: they decide their pairs, but cannot show where matches end", path,
        labels.matches > 0 ? 1 : 0));
  }
  if (labels.against_chains > 0) {
    messages.push_back(fmt::format(
        "{}: {} labelled 0, but pairs labelled 1 connect the two records; such pairs stay apart",
        path, plural_text(labels.against_chains, "pair is", "pairs are")));
  }
}

}  // namespace

LinkJudgements read_judgements(const Options& options, const NamedRecords& records,
                               const RunHooks& hooks) {
  LinkJudgements judgements;
  if (options.labels.empty() && options.reuse.empty()) return judgements;
  if (options.reuse.size() > 1) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"reuse"},
                "link accepts only one file of decisions", "put all their lines into one file");
  }
  const Settings settings = resolve_run(options);
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  const auto read = [&](const std::string& name, const std::string& path, const auto& take) {
    if (path == "-") {
      throw Error(ErrorKind::invalid_option, RefusedOption{name, "-"}, "needs a file of its own");
    }
    TableFile file(path, scratch, hooks, settings.memory_bytes);
    take(file.reader());
    file.require_unchanged();
  };
  if (!options.reuse.empty()) {
    read("reuse", options.reuse.front(), [&](TableReader& table) {
      judgements.decisions = read_link_decisions(table, records, hooks.cancel);
      judgements.known = judgements.decisions->known;
    });
  }
  if (!options.labels.empty()) {
    read("labels", options.labels, [&](TableReader& table) {
      judgements.labels = read_labels(table, records, hooks.cancel);
    });
    tell_of_labels(options.labels, *judgements.labels, judgements.messages);
    const std::uint64_t against = add_labels(*judgements.labels, judgements.known);
    if (against > 0) {
      judgements.messages.push_back(
          fmt::format("{} --reuse, which wins",
                      plural_text(against, "label contradicts", "labels contradict")));
    }
  }
  return judgements;
}

JudgementFacts facts_of(const LinkJudgements& judgements) {
  JudgementFacts facts;
  if (judgements.labels) {
    facts.has_labels = true;
    facts.matches = judgements.labels->matches;
    facts.others = judgements.labels->pairs.size() - facts.matches;
    facts.open = judgements.labels->open;
  }
  if (judgements.decisions) {
    facts.has_decisions = true;
    facts.accepted = judgements.decisions->accepted;
    facts.rejected = judgements.decisions->rejected;
    facts.undecided = judgements.decisions->open;
  }
  return facts;
}

}  // namespace sosie

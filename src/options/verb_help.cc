// Examples for every verb, its most used options, and verbs of other tools.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "sosie/help.h"
#include "sosie/index_folder.h"

namespace sosie {
namespace {

using Text = std::string_view;

constexpr std::array kHelp = {
    VerbHelp{kDedup, "output,column,threshold,shingle,keep,against,removed,report,dry-run",
             "sosie dedup corpus.jsonl -o kept.jsonl --removed removed.tsv\n"
             "sosie dedup train.jsonl -o clean.jsonl --against test.jsonl\n"
             "sosie dedup people.csv --column name,city --shingle chars:3 > kept.csv"},
    VerbHelp{kPairs, "output,column,kind,threshold,within,measure,shingle,against,top",
             "sosie pairs names.txt --shingle chars:3 --threshold 0.6\n"
             "sosie pairs embeddings.npy --threshold 0.95 -o pairs.tsv\n"
             "sosie pairs new.jsonl --against old.jsonl --show text"},
    VerbHelp{kQuery, "output,column,kind,threshold,within,measure,shingle,top,show",
             "sosie query corpus.jsonl questions.jsonl --top 3\n"
             "head -5 new.jsonl | sosie query corpus.jsonl --threshold 0.7"},
    VerbHelp{kCluster, "output,threshold,clustering",
             "sosie cluster pairs.tsv --threshold 0.97 -o clusters.tsv"},
    VerbHelp{kExplain, "column,id,threshold,shingle,keep",
             "sosie explain doc17 doc42 corpus.jsonl\n"
             "sosie explain 0 3 names.txt --shingle chars:5\n"
             "sosie explain doc17 doc3 train.jsonl --against test.jsonl\n"
             "sosie explain a:17 b:42 a.csv --against b.csv --rules rules.toml"},
    VerbHelp{kPlan, "output,column,threshold,recall,shingle,memory,svg",
             "sosie plan corpus.jsonl\n"
             "sosie plan --threshold 0.7 --recall 0.999 --svg curve.svg"},
    VerbHelp{kSketch, "plan,output,column,id",
             "sosie sketch part-1.jsonl --plan plan.json -o part-1.sketch"},
    VerbHelp{kLink, "output,against,id,ignore,assign,cut,pairs",
             "sosie link people.csv -o clusters.csv\n"
             "sosie link a.csv --against b.csv -o links.csv"},
    VerbHelp{kIndex, "column,id,threshold,shingle,recall,plan,keep-items,skip-existing",
             "sosie index build pages.index pages.jsonl\n"
             "sosie index add pages.index today.jsonl --skip-existing\n"
             "sosie query pages.index questions.jsonl --top 3"},
    VerbHelp{kServe, "listen,token-file,read-only,max-body,timeout",
             "sosie serve pages.index\n"
             "sosie serve pages.index --listen 0.0.0.0:7860 --token-file token"},
    VerbHelp{kDemo, "quiet", "sosie demo\nsosie demo /tmp/sosie-demo"},
};

struct ForeignVerb {
  Text theirs;
  Text ours;
};

constexpr std::array kForeignVerbs = {
    ForeignVerb{"deduplicate", "dedup"},
    ForeignVerb{"uniq", "dedup"},
    ForeignVerb{"unique", "dedup"},
    ForeignVerb{"filter", "dedup"},
    ForeignVerb{"decontaminate", "dedup INPUT... --against OTHER"},
    ForeignVerb{"join", "pairs"},
    ForeignVerb{"match", "pairs"},
    ForeignVerb{"resolve", "link"},
    ForeignVerb{"entities", "link"},
    ForeignVerb{"linkage", "link"},
    ForeignVerb{"compare", "pairs"},
    ForeignVerb{"duplicates", "pairs"},
    ForeignVerb{"search", "query"},
    ForeignVerb{"find", "query"},
    ForeignVerb{"lookup", "query"},
    ForeignVerb{"group", "cluster"},
    ForeignVerb{"why", "explain"},
    ForeignVerb{"diff", "explain"},
    ForeignVerb{"minhash", "sketch"},
    ForeignVerb{"signatures", "sketch"},
    ForeignVerb{"example", "demo"},
    ForeignVerb{"tutorial", "demo"},
};

// Cuts off the verbs named before a colon in `text` ("query: ids of DATA", "dedup, link: ...") and
// returns them; none if the text applies to every verb.
VerbBit verbs_before_colon(Text& text) {
  VerbBit verbs{};
  for (Text rest = text; !rest.empty();) {
    const Text word = rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
    const auto table = verb_table();
    const auto verb = std::find_if(table.begin(), table.end(),
                                   [&](const Verb& each) { return each.name == word; });
    if (verb == table.end()) return {};
    verbs = verbs | verb->bit;
    rest.remove_prefix(word.size());
    if (rest.starts_with(": ")) {
      text = rest.substr(2);
      return verbs;
    }
    if (!rest.starts_with(", ")) return {};
    rest.remove_prefix(2);
  }
  return {};
}

// Removes "(dedup: ...)" from the text, but keeps remarks about `verb`, after a semicolon.
std::string with_remarks(Text text, VerbBit verb) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find(" ("), text.size());
    const std::size_t end = text.find(')', begin);
    Text inside = end == Text::npos ? Text() : text.substr(begin + 2, end - begin - 2);
    const VerbBit about = verbs_before_colon(inside);
    out += text.substr(0, begin);
    if (about == VerbBit{}) {
      const std::size_t passed = std::min(begin + 2, text.size());
      out += text.substr(begin, passed - begin);
      text.remove_prefix(passed);
      continue;
    }
    if (has_any(about, verb)) out += fmt::format("; {}", inside);
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace

// For "...; link: TEXT", the help for link is only TEXT.
std::string help_text(const OptionRow& row, const Verb& verb) {
  std::string general;
  for (Text rest = row.help; !rest.empty();) {
    Text part = rest.substr(0, rest.find("; "));
    rest.remove_prefix(std::min(rest.size(), part.size() + 2));
    const VerbBit about = verbs_before_colon(part);
    if (has_any(about, verb.bit)) return with_remarks(part, verb.bit);
    if (about == VerbBit{}) general += fmt::format("{}{}", general.empty() ? "" : "; ", part);
  }
  return with_remarks(general, verb.bit);
}

bool takes_option(const Verb& verb, const OptionRow& row) noexcept {
  const VerbBit of_runs = verb.bit == kPlan ? kDedup | kPairs | kQuery : VerbBit{};
  return has_any(row.verbs, verb.bit | of_runs);
}

const VerbHelp& help_of(const Verb& verb) noexcept {
  return *std::find_if(kHelp.begin(), kHelp.end(),
                       [&](const VerbHelp& help) { return help.verb == verb.bit; });
}

std::string verb_hint(std::string_view name) {
  if (name.find_first_of("./*") != Text::npos) {
    return fmt::format("the verb comes first: sosie dedup {}", name);
  }
  for (const ForeignVerb& foreign : kForeignVerbs) {
    if (foreign.theirs == name) return fmt::format("use {}", foreign.ours);
  }
  std::vector<Text> names;
  for (const Verb& verb : verb_table()) names.push_back(verb.name);
  const Text nearest = nearest_name(name, names);
  return nearest.empty() ? fmt::format("the verbs are: {}", joined_text(names, " "))
                         : fmt::format("did you mean {}?", nearest);
}

}  // namespace sosie

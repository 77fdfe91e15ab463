// The page of `sosie explain`.
#include "report/explanation.h"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/shown_text.h"
#include "plan/candidate_probability.h"
#include "plan/filter.h"

namespace sosie {
namespace {

constexpr std::size_t kExampleColumns = 76;
constexpr std::size_t kWholeText = ~std::size_t{0};

std::string plural(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string shown_value(const Explanation& e, double value) {
  return e.is_count ? fmt::format("{}", value) : fmt::format("{:.6f}", value);
}

// True if the run compares the two items or treats them as the same item.
bool is_found(const Explanation& e) {
  if (!e.of_sets()) return e.is_candidate || e.same_text;
  return e.finds_every_pair || e.same_text || (e.agreement && e.agreement->accepted_by(e.plan));
}

std::string verdict_on_holding(const Explanation& e) {
  if (e.holder == Holder::neither) {
    return "Not compared: --contained compares rows only with items of --against.";
  }
  const bool is_left = e.holder == Holder::left;
  return fmt::format("{} {} {}: {:.6f} of its {}s, --contained {}.", is_left ? "Left" : "Right",
                     e.reaches ? "holds" : "does not hold", is_left ? "right" : "left",
                     e.similarity, e.part, e.threshold);
}

std::string verdict(const Explanation& e) {
  if (e.same_row) return "Left and right are the same row.";
  if (e.same_text && e.of_text) return "The same text, once normalised.";
  if (e.same_text) return fmt::format("The same {}.", e.item);
  if (e.has_nothing) {
    return fmt::format("Not near-duplicates: {} is compared with nothing.", e.nothing);
  }
  if (e.holder != Holder::not_asked) return verdict_on_holding(e);
  const std::string numbers =
      fmt::format("{} {}, {} {}", e.value_name(), shown_value(e, e.similarity),
                  e.is_similarity ? "threshold" : "within", e.threshold);
  if (!e.reaches) return fmt::format("Not near-duplicates: {}.", numbers);
  if (!is_found(e)) return fmt::format("Near-duplicates that this run MISSES: {}.", numbers);
  return fmt::format("Near-duplicates: {}.", numbers);
}

std::string survivor_text(const Fate& fate) {
  const std::string survivor = shown_text(fate.survivor, kIdColumns);
  return fate.for_other ? survivor + " of --against" : survivor;
}

// The outcome for a row and an item of --against, or for two items of --against.
std::string outcome_beside_other(const Fate& left, const Fate& right) {
  if (left.kind == right.kind) {
    return "Both are items of --against, which are not compared with each other.";
  }
  const bool is_left = right.kind == Fate::Kind::of_other;
  const Fate& row = is_left ? left : right;
  const std::string_view name = is_left ? "Left" : "Right";
  const std::string_view other = is_left ? "right" : "left";
  if (!row.is_removed()) return fmt::format("{} is kept.", name);
  if (row.survivor != other)
    return fmt::format("{} is removed because of {}.", name, survivor_text(row));
  return fmt::format("{} is removed because of {}, an item of --against.", name, other);
}

std::string outcome(const Explanation& e) {
  const Fate& left = e.left.fate;
  const Fate& right = e.right.fate;
  if (e.same_row || !e.has_fates) return {};
  const auto is_of_other = [](const Fate& fate) { return fate.kind == Fate::Kind::of_other; };
  if (is_of_other(left) || is_of_other(right)) return outcome_beside_other(left, right);
  if (left.is_kept() && right.is_kept()) return "Both are kept.";
  if (!left.is_kept() && !right.is_kept()) {
    const std::string left_for = survivor_text(left);
    const std::string right_for = survivor_text(right);
    return left_for == right_for
               ? fmt::format("Both are removed because of {}.", left_for)
               : fmt::format("Both are removed: left because of {}, right because of {}.", left_for,
                             right_for);
  }
  const Fate& removed = left.is_kept() ? right : left;
  const std::string_view name = left.is_kept() ? "Right" : "Left";
  const std::string_view other = left.is_kept() ? "left" : "right";
  if (removed.survivor == other) return fmt::format("{} is removed, {} is kept.", name, other);
  return fmt::format("{} is removed because of {}; {} is kept.", name, survivor_text(removed),
                     other);
}

std::string fate_text(const Fate& fate, const Explanation& e) {
  const std::string survivor = survivor_text(fate);
  const std::string removed =
      fate.group == 2 ? "1 row is" : fmt::format("{} rows are", fate.group - 1);
  switch (fate.kind) {
    case Fate::Kind::unmatched:
      return fmt::format("kept: {} is not compared", e.nothing);
    case Fate::Kind::removed_as_identical:
      return fmt::format("removed: the same {} as {}", e.item, survivor);
    case Fate::Kind::removed_as_near:
      if (e.holder != Holder::not_asked) {
        return fmt::format("removed: holds {:.6f} of the {}s of {}", fate.similarity, e.part,
                           survivor);
      }
      return fmt::format("removed: near-duplicate of {}, {} {}", survivor, e.value_name(),
                         shown_value(e, fate.similarity));
    case Fate::Kind::of_other:
      if (fate.group <= 1) return "an item of --against";
      return fmt::format("an item of --against; {} removed for it", removed);
    case Fate::Kind::kept:
      break;
  }
  if (fate.group == 1) return "kept";
  return fmt::format("kept; {} removed for it", removed);
}

// Writes the page section by section.
class Page {
 public:
  Page(const Explanation& e, const TextStyle& style) : e_(e), style_(style) {}

  std::string write() {
    const std::string became = outcome(e_);
    out_ = fmt::format("{}{}{}{}{}\n\n", style_.strong, verdict(e_), style_.off,
                       became.empty() ? "" : " ", became);
    items();
    const bool differ = !e_.same_text && !e_.same_row;
    if (differ && e_.of_sets()) bar();
    facts();
    if (differ && e_.of_sets()) examples();
    if (e_.left.full) in_full("left", *e_.left.full);
    if (e_.right.full && !e_.same_row) in_full("right", *e_.right.full);
    if (e_.passages) {
      out_ += passages_text(*e_.passages, e_.texts->left_words.size(), e_.texts->right_words.size(),
                            style_);
      if (e_.cut_off_words > 0) out_ += fmt::format("  in the first {} words\n", e_.cut_off_words);
    } else if (e_.texts && !e_.same_row) {
      differences(ExplainedDiff(e_.texts->left_words, e_.texts->right_words));
    }
    return std::move(out_);
  }

 private:
  void line(std::string_view label, const std::string& text) {
    out_ += fmt::format("{:<13}{}\n", label, text);
  }

  void items() {
    const std::string ids[] = {shown_text(e_.left.id, kIdColumns),
                               shown_text(e_.right.id, kIdColumns)};
    const std::string places[] = {shown_text(e_.left.place, kPlaceColumns),
                                  shown_text(e_.right.place, kPlaceColumns)};
    const auto pad = [](const std::string(&texts)[2], int i) {
      const std::size_t width = std::max(count_characters(texts[0]), count_characters(texts[1]));
      return texts[i] + std::string(width - count_characters(texts[i]), ' ');
    };
    for (const int i : {0, 1}) {
      const ExplainedItem& item = i == 0 ? e_.left : e_.right;
      line(i == 0 ? "left" : "right",
           fmt::format("{}{}{}  {}  {}{}{}", style_.strong, pad(ids, i), style_.off, pad(places, i),
                       style_.faint, sizes(item), style_.off));
    }
    out_ += '\n';
  }

  [[nodiscard]] std::string sizes(const ExplainedItem& item) const {
    if (!e_.of_sets()) return {};
    if (item.tokens == 0 && item.shingles > 0) {
      return plural(item.shingles, e_.of_bags ? e_.part : "distinct " + e_.part);
    }
    if (e_.of_bags) {
      return fmt::format("{} of {}", plural(item.shingles, "occurrence"),
                         plural(item.elements, "element"));
    }
    return fmt::format("{} {}, {}", item.tokens, e_.token_name,
                       plural(item.shingles, "distinct " + e_.part));
  }

  // Draws both sets as a single bar: elements only in left, in both, only in right.
  void bar() {
    constexpr std::uint64_t kBar = 60;
    const std::uint64_t only_left = e_.left.shingles - e_.overlap.shared;
    const std::uint64_t only_right = e_.right.shingles - e_.overlap.shared;
    const std::uint64_t all = e_.overlap.united;
    if (all == 0) return;
    const auto length = [&](std::uint64_t part) {
      return part == 0 ? 0 : std::max<std::uint64_t>(1, (part * kBar + all / 2) / all);
    };
    const auto colour = [&](std::string_view on, std::string_view off, const std::string& text) {
      return style_.colour && !text.empty() ? fmt::format("{}{}{}", on, text, off) : text;
    };
    const std::string left = std::string(length(only_left), '-');
    const std::string both = std::string(length(e_.overlap.shared), '=');
    const std::string right = std::string(length(only_right), '+');
    line(e_.part + "s", fmt::format("{} only left, {} in both, {} only right", only_left,
                                    e_.overlap.shared, only_right));
    line("", fmt::format("[{}{}{}]", colour("\x1b[31m", style_.off, left), both,
                         colour("\x1b[32m", style_.off, right)));
  }

  void facts() {
    if (e_.of_sets()) {
      facts_of_sets();
    } else {
      if (!e_.has_nothing) {
        line(e_.value_name(), fmt::format("{} {}", shown_value(e_, e_.similarity), e_.measure));
      }
      for (const ExplainedLine& each : e_.lines) line(each.label, each.text);
    }
    if (!e_.has_fates) return;
    out_ += '\n';
    line("left", fate_text(e_.left.fate, e_));
    line("right", fate_text(e_.right.fate, e_));
  }

  void facts_of_sets() {
    const std::string cut_by =
        e_.of_text ? fmt::format(" ({}, {} tokens)", e_.shingle, e_.tokens) : "";
    if (!e_.has_nothing) {
      line("similarity", fmt::format("{:.6f} {}{}: {}{}", e_.similarity, e_.measure, fraction(),
                                     counts(), cut_by));
      const auto part_of = [&](std::uint64_t size) {
        return static_cast<double>(e_.overlap.shared) / static_cast<double>(size);
      };
      line("containment", fmt::format("{:.6f} of left is in right, {:.6f} of right is in left",
                                      part_of(e_.left.shingles), part_of(e_.right.shingles)));
    }
    if (!e_.same_row) candidate();
  }

  // Jaccard similarities are shares of the union; other similarities depend on both sizes.
  [[nodiscard]] bool is_part_of_union() const { return e_.measure.ends_with("jaccard"); }

  [[nodiscard]] std::string counts() const {
    if (is_part_of_union()) {
      return fmt::format("{} of {} in both", e_.overlap.shared, plural(e_.overlap.united, e_.part));
    }
    return fmt::format("{} in both, of {} and {}", plural(e_.overlap.shared, e_.part),
                       e_.left.shingles, e_.right.shingles);
  }

  [[nodiscard]] std::string fraction() const {
    if ((e_.of_text && is_part_of_union()) || e_.fraction.below == 0) return {};
    return fmt::format(" = {}/{}{}", e_.fraction.above, e_.fraction.of_root ? "sqrt " : "",
                       e_.fraction.below);
  }

  void candidate() {
    if (e_.same_text) {
      line("candidate", fmt::format("not needed: the engine treats rows with the same {} as one",
                                    e_.of_text ? "text" : "set"));
    } else if (e_.left.shingles == 0 || e_.right.shingles == 0) {
      line("candidate", fmt::format("no: {} is compared with nothing", e_.nothing));
    } else if (e_.finds_every_pair) {
      every_pair();
    } else if (e_.agreement) {
      banding();
    }
  }

  void every_pair() {
    if (e_.compares_every_pair) {
      line("candidate", "yes: this run compares every pair (brute)");
    } else if (e_.reaches) {
      line("candidate", "yes: this run finds every pair at the threshold or above (exact)");
    } else {
      line("candidate", "no: this run looks for pairs at the threshold or above only (exact)");
    }
  }

  void banding() {
    const BandingPlan& plan = e_.plan;
    const double s = e_.similarity;
    const bool filter = e_.agreement->components >= plan.filter_agreements;
    const std::string_view accepted = e_.reaches ? "yes"
                                      : e_.of_text
                                          ? "yes, but rejected when their texts were compared"
                                          : "yes, but rejected when the sets were compared";
    const std::string_view refused =
        e_.agreement->bands == 0 ? "no: they share no band" : "no: the filter rejects it";
    line("candidate", std::string(e_.agreement->accepted_by(plan) ? accepted : refused));
    line("  bands",
         fmt::format("{} of {} agree, {:.1f} expected; {:.2f} % of pairs this similar share one",
                     e_.agreement->bands, plan.bands,
                     plan.bands * integer_power(s, static_cast<std::uint64_t>(plan.rows)),
                     100 * candidate_probability(s, plan.bands, plan.rows)));
    line("  filter", fmt::format("{} of {} minhashes agree, {:.0f} expected; {} needed{}",
                                 e_.agreement->components, plan.components,
                                 plan.components * filter_agreement(s), plan.filter_agreements,
                                 filter ? "" : ": too few"));
  }

  void examples() {
    bool begun = false;
    const auto list = [&](std::string_view label, std::string_view mark,
                          const std::vector<ExampleShingle>& shown, std::uint64_t all) {
      std::uint64_t listed = 0;
      for (const ExampleShingle& example : shown) {
        if (!begun) out_ += '\n';
        begun = true;
        listed += example.times;
        const bool first = &example == shown.data();
        line(first ? label : "",
             fmt::format("{} \"{}\"{}", mark, shown_text(example.text, kExampleColumns),
                         example.times == 1 ? "" : fmt::format(", {} times", example.times)));
      }
      if (e_.of_text || listed == all) return;
      if (listed == 0) {
        line(label, fmt::format("{} {}", mark, plural(all, e_.part)));
        return;
      }
      line("", fmt::format("{} and {}", mark, plural(all - listed, "more " + e_.part)));
    };
    list("in both", "=", e_.in_both, e_.overlap.shared);
    list("only left", "-", e_.left.only_here, e_.left.shingles - e_.overlap.shared);
    list("only right", "+", e_.right.only_here, e_.right.shingles - e_.overlap.shared);
  }

  void in_full(std::string_view side, const ItemInFull& item) {
    out_ += fmt::format("\n{}{} in full{} {}\n", style_.strong, side, style_.off,
                        plural(item.parts.size(), item.part));
    for (std::size_t i = 0; i < item.parts.size(); ++i) {
      line(i == 0 ? item.part + "s" : "", shown_text(item.parts[i], kWholeText));
    }
    if (!item.signature.empty()) line(item.signature_name, item.signature);
    if (item.bands.empty()) line("bands", "none: this run does not hash such an item");
    for (std::size_t i = 0; i < item.bands.size(); ++i) {
      line(fmt::format("band {}", i), band_text(item.bands[i]));
    }
  }

  static std::string band_text(const ItemInFull::Band& band) {
    const std::size_t others = band.rows.size() - 1;
    std::string text =
        fmt::format("{}: {}", band.key, others == 0 ? "no other row" : plural(others, "other row"));
    for (std::size_t i = 0; i < band.shown.size(); ++i) {
      text += (i == 0 ? ": " : ", ") + shown_text(band.shown[i], kIdColumns);
    }
    return others > band.shown.size() ? text + ", ..." : text;
  }

  void differences(const ExplainedDiff& diff) {
    const DiffCounts& counts = diff.counts();
    out_ += fmt::format("\n{}word by word{} ", style_.strong, style_.off);
    if (counts.removed + counts.added == 0) {
      out_ += fmt::format("all {} are the same; only case, punctuation or spacing can differ\n",
                          counts.same);
      return;
    }
    std::string text = fmt::format("{} the same", counts.same);
    if (counts.removed > 0) {
      text +=
          fmt::format(", {}{} only in left{}", style_.removed, counts.removed, style_.removed_end);
    }
    if (counts.added > 0) {
      text += fmt::format(", {}{} only in right{}", style_.added, counts.added, style_.added_end);
    }
    if (e_.cut_off_words > 0) text += fmt::format(" (in the first {})", e_.cut_off_words);
    out_ += text + '\n';
    if (counts.same * 3 < counts.same + std::min(counts.removed, counts.added)) {
      out_ += "  the texts have too little in common to be shown side by side\n";
      return;
    }
    out_ += '\n' + diff.text(style_);
  }

  const Explanation& e_;
  const TextStyle& style_;
  std::string out_;
};

}  // namespace

std::string explanation_text(const Explanation& e, const TextStyle& style) {
  return Page(e, style).write();
}

}  // namespace sosie

// Summary of a link run, for people and machines.
#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "core/json_writer.h"
#include "corpus/items/field_values.h"
#include "report/input_notes_text.h"
#include "report/link_table.h"
#include "report/quality_lines.h"

namespace sosie {
namespace {

std::string records_line(const RecordTable& table) {
  if (!table.across) return fmt::format("records     {}\n", count_text(table.size()));
  return fmt::format("records     {} and {}\n", count_text(table.left), count_text(table.right));
}

std::string candidate_lines(const LinkFacts& facts) {
  const CandidateCounts& counts = facts.linker->counts();
  std::string out = fmt::format("candidates  {}\n", plural_text(counts.pairs, "pair", "pairs"));
  out += rule_lines(facts.candidates);
  if (facts.linker->widened() > 0) {
    out += fmt::format("  search widened for {}\n",
                       plural_text(facts.linker->widened(), "record", "records"));
  }
  return out;
}

// The weight of each level of each field, in bits.
std::string weight_lines(const LinkFacts& facts) {
  std::string out = "weights     of each level, in bits\n";
  const std::vector<std::uint32_t> compared = facts.rules->compared();
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const LinkField& field = facts.rules->fields[compared[f]];
    const FieldWeights& weights = facts.linker->model().fields()[f];
    out += fmt::format("  {:<24}", field.name);
    for (std::uint32_t level = field.comparison.highest(); level > 0; --level) {
      out += fmt::format("{} {} {:+.1f}", level == field.comparison.highest() ? "" : ",",
                         level_name(field.comparison, level), weights.bits(level));
    }
    out += "\n";
  }
  return out;
}

std::string cut_reason(const LinkFacts& facts) {
  const std::string& cut = facts.rules->cut;
  if (cut.starts_with("precision:")) return "lowest with this " + cut;
  if (cut != "auto") return "as asked for";
  if (!facts.table->across) return "on average in a group";
  return facts.linker->has_model() ? "chosen by the model and the runners-up"
                                   : "chosen from links that stand out";
}

std::string link_lines(const LinkFacts& facts) {
  if (facts.linker->counts().pairs == 0 && facts.links == 0) {
    return "links       none: there are no candidates\n";
  }
  std::string out =
      facts.table->across
          ? fmt::format("links       {}\n", count_text(facts.links))
          : fmt::format("groups      {} of {}; {} between them\n", count_text(facts.groups),
                        plural_text(facts.grouped, "record", "records"),
                        plural_text(facts.links, "pair", "pairs"));
  if (facts.weak_groups > 0) {
    out += fmt::format("            {} with a pair whose probability is below 0.01\n",
                       plural_text(facts.weak_groups, "group", "groups"));
  }
  if (!facts.rules->always.empty() && facts.certain + facts.certain_left_out > 0) {
    out += fmt::format(
        "always      {} regardless of score{}\n", plural_text(facts.certain, "link", "links"),
        facts.certain_left_out == 0
            ? ""
            : fmt::format("; {} more have other partners", count_text(facts.certain_left_out)));
  }
  out += fmt::format("cut         {}\n", cut_words(facts));
  return out;
}

void add_fields(const LinkFacts& facts, JsonWriter& json) {
  json.begin_array("fields");
  const std::vector<std::uint32_t> compared = facts.rules->compared();
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const LinkField& field = facts.rules->fields[compared[f]];
    const FieldWeights& weights = facts.linker->model().fields()[f];
    json.begin_object();
    json.member("name", field.name);
    json.begin_array("levels");
    for (std::uint32_t level = 1; level < weights.m.size(); ++level) {
      json.object({{"level", level_name(field.comparison, level)},
                   {"m", weights.m[level]},
                   {"u", weights.u[level]},
                   {"bits", weights.bits(level)}});
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

std::string over_bad_lines(const LinkFacts& facts) {
  return bad_lines_text(facts.skipped + facts.unmatched, facts.bad_lines);
}

std::string first_lines(const LinkFacts& facts) {
  std::string out = records_line(*facts.table);
  if (facts.skipped > 0) {
    out += fmt::format("bad rows    {} left out{}\n", facts.skipped, over_bad_lines(facts));
  }
  if (facts.unmatched > 0) {
    out +=
        fmt::format("bad rows    {} linked to nothing{}\n", facts.unmatched, over_bad_lines(facts));
  }
  out += input_notes_text(facts.inputs);
  const std::string encoding = encoding_line(facts.encodings, facts.ill_formed);
  if (!encoding.empty()) out += fmt::format("encoding    {}\n", encoding);
  const std::string dialect = dialect_line(facts.dialects);
  if (!dialect.empty()) out += fmt::format("dialect     {}\n", dialect);
  for (const std::string& note : facts.notes) out += fmt::format("note        {}\n", note);
  if (!facts.has_rules_file) {
    out += "rules       chosen from the data; --init writes them to a file for --rules\n";
  }
  return out;
}

std::string last_line(const LinkFacts& facts) {
  return fmt::format("time        {:.1f} s, peak memory {}\n", facts.seconds,
                     bytes_text(facts.peak_memory));
}

void add_inputs(const LinkFacts& facts, JsonWriter& json) {
  json.member("verb", "link");
  json.member("records", facts.table->left);
  if (facts.table->across) json.member("records_against", facts.table->right);
  json.member("skipped", facts.skipped);
  json.member("unmatched", facts.unmatched);
  json.member("bad_lines", facts.bad_lines);
  add_input_notes(facts.inputs, json);
  json.member("ill_formed", facts.ill_formed);
  add_unusual_files(facts.encodings, facts.dialects, json);
}

void add_resources(const LinkFacts& facts, JsonWriter& json) {
  json.member("seconds", facts.seconds);
  json.member("peak_memory_bytes", facts.peak_memory);
}

// Lines about labels and decisions.
std::string judgement_lines(const JudgementFacts& facts) {
  std::string out;
  if (facts.has_labels) {
    out += fmt::format("labels      {} that match, {} that do not{}{}\n", count_text(facts.matches),
                       count_text(facts.others),
                       facts.are_learnt ? "; the model is scaled to them" : "",
                       facts.open == 0 ? ""
                                       : fmt::format("; {} without a label are ignored",
                                                     plural_text(facts.open, "row", "rows")));
  }
  if (facts.has_decisions) {
    out += fmt::format("reused      {} accepted, {} rejected{}\n", count_text(facts.accepted),
                       count_text(facts.rejected),
                       facts.undecided == 0
                           ? ""
                           : fmt::format("; {} without a decision are ignored",
                                         plural_text(facts.undecided, "row", "rows")));
  }
  if (facts.asked > 0) {
    out += fmt::format(
        "to label    {}: fill in the label column (1: same entity, 0: different), then use "
        "--labels\n",
        plural_text(facts.asked, "pair", "pairs"));
  }
  if (facts.left_out > 0) {
    out += fmt::format(
        "            {} judged a match but not linked, because of other judgements or partners\n",
        facts.left_out == 1 ? "1 pair is" : count_text(facts.left_out) + " pairs are");
  }
  return out;
}

void add_judgements(const JudgementFacts& facts, JsonWriter& json) {
  if (facts.has_labels) {
    json.object("labels", {{"matches", facts.matches},
                           {"others", facts.others},
                           {"open", facts.open},
                           {"learnt", facts.are_learnt}});
  }
  if (facts.has_decisions) {
    json.object(
        "decisions",
        {{"accepted", facts.accepted}, {"rejected", facts.rejected}, {"open", facts.undecided}});
  }
  if (facts.has_labels || facts.has_decisions) json.member("judged_left_out", facts.left_out);
  if (facts.asked > 0) json.member("suggested", facts.asked);
}

}  // namespace

std::string cut_words(const LinkFacts& facts) {
  return fmt::format("{} {:.3f}, {}", facts.has_odds ? "probability" : "share of the highest score",
                     facts.cut_probability, cut_reason(facts));
}

double filled_share(const RecordTable& table, std::size_t field) {
  const std::vector<std::uint32_t>& values = table.columns[field].values;
  const auto share = [](auto begin, auto end) {
    const auto missing = std::count(begin, end, RecordColumn::kMissing);
    return begin == end ? 1 : 1 - static_cast<double>(missing) / static_cast<double>(end - begin);
  };
  const auto split = values.begin() + (table.across ? table.left : table.size());
  return std::min(share(values.begin(), split), share(split, values.end()));
}

void add_field_notes(const RecordTable& table, std::vector<std::string>& notes) {
  constexpr double kNearlyEmpty = 0.01;
  if (table.across && (table.left == 0 || table.left == table.size())) {
    notes.push_back(fmt::format("{} no rows, so there are no links",
                                table.left == 0 ? "INPUT has" : "--against has"));
    return;
  }
  for (std::size_t f = 0; f < table.columns.size(); ++f) {
    const double filled = filled_share(table, f);
    if (filled >= kNearlyEmpty) continue;
    notes.push_back(fmt::format("field '{}' is nearly empty: {:.1f} % of the records{} have it",
                                table.columns[f].name, 100 * filled,
                                table.across ? " of one collection" : ""));
  }
  for (std::size_t f = 0; f < table.unparsed.size(); ++f) {
    const UnparsedValues& unparsed = table.unparsed[f];
    if (unparsed.records == 0) continue;
    std::vector<std::string> shown;
    shown.reserve(unparsed.first.size());
    for (const std::string& text : unparsed.first) {
      shown.push_back(fmt::format("'{}'", shortened(text)));
    }
    notes.push_back(fmt::format(
        "field '{}': {} no value of its type, such as {}; these count as missing",
        table.columns[f].name,
        unparsed.records == 1 ? "1 record has"
                              : fmt::format("{} records have", count_text(unparsed.records)),
        joined_text(shown, ", ")));
  }
  for (std::size_t f = 0; f < table.cut_lists.size(); ++f) {
    if (table.cut_lists[f] == 0) continue;
    notes.push_back(fmt::format("field '{}': in {}, only the first {} members are compared",
                                table.columns[f].name,
                                plural_text(table.cut_lists[f], "list", "lists"), kMostMembers));
  }
}

std::string link_summary(const LinkFacts& facts) {
  std::string out = first_lines(facts);
  out += candidate_lines(facts);
  out += fmt::format("score       {}: {}\n", score_method_name(facts.method), facts.method_reason);
  if (facts.linker->has_model()) out += weight_lines(facts);
  out += link_lines(facts);
  out += judgement_lines(facts.judgements);
  out += quality_lines(facts);
  return out + last_line(facts);
}

void write_link_summary(const LinkFacts& facts, JsonWriter& json, bool of_page) {
  const CandidateCounts& counts = facts.linker->counts();
  json.begin_object();
  add_inputs(facts, json);
  json.member("candidates", counts.pairs);
  json.member("method", score_method_name(facts.method));
  json.member("method_reason", facts.method_reason);
  add_rules(facts.candidates, !of_page, json);
  add_large_blocks(facts.candidates, json);
  json.member("patterns", counts.patterns.size());
  if (facts.linker->has_model()) {
    json.member("prior", facts.linker->model().prior());
    json.member("expected_matches", facts.linker->matches());
    add_fields(facts, json);
  }
  if (facts.linker->has_model() || (facts.has_odds && counts.pairs > 0)) {
    json.member("cut_probability", facts.cut_probability);
    if (facts.cut.links > 0) json.member("cut_bits", facts.cut.score);
  }
  json.member("links", facts.links);
  if (facts.table->across && !facts.rules->always.empty()) {
    json.member("always", facts.certain);
    json.member("always_left_out", facts.certain_left_out);
  }
  if (!facts.table->across) {
    json.member("groups", facts.groups);
    json.member("grouped", facts.grouped);
    json.member("weak_groups", facts.weak_groups);
  }
  if (facts.links > 0 && facts.method == ScoreMethod::fellegi_sunter && !facts.estimates.empty()) {
    json.member("estimated_precision", facts.estimates.front().precision);
  }
  add_judgements(facts.judgements, json);
  add_quality(facts, of_page, json);
  if (!of_page) add_resources(facts, json);
  json.end_object();
}

std::string link_summary_json(const LinkFacts& facts) {
  JsonWriter json(2);
  write_link_summary(facts, json, false);
  return json.text() + "\n";
}

std::string link_dry_run(const LinkFacts& facts) {
  return first_lines(facts) + dry_run_text(facts.candidates) + last_line(facts);
}

std::string link_dry_run_json(const LinkFacts& facts) {
  JsonWriter json(2);
  json.begin_object();
  add_inputs(facts, json);
  json.member("dry_run", true);
  add_rules(facts.candidates, true, json);
  add_large_blocks(facts.candidates, json);
  add_resources(facts, json);
  json.end_object();
  return json.text() + "\n";
}

}  // namespace sosie

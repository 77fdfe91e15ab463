// Notes in pairs files on how they were made, so that later runs do not expect pairs that are
// missing.
#include "decide/pair_note.h"

#include <fmt/format.h>

#include <map>

#include "corpus/sketches.h"
#include "data/kinds.h"
#include "options/tells.h"
#include "sosie/error.h"

namespace sosie {
namespace {

void add(std::string& note, std::string_view key, const std::string& value) {
  if (!note.empty()) note += ' ';
  note += key;
  note += '=';
  note += value;
}

// Words without "=" are ignored.
std::map<std::string, std::string> values_of(std::string_view note) {
  std::map<std::string, std::string> values;
  while (!note.empty()) {
    const std::string_view word = note.substr(0, note.find(' '));
    note.remove_prefix(std::min(note.size(), word.size() + 1));
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    values.emplace(word.substr(0, equals), word.substr(equals + 1));
  }
  return values;
}

// Distances of at most 1 and the corresponding similarities cannot be distinguished.
Bound opposite_of(const Bound& bound) noexcept {
  return bound.num > bound.den ? Bound{0, 1} : Bound{bound.den - bound.num, bound.den};
}

// `option`: threshold or within.
void check_bound(std::string_view option, const std::string& made_with,
                 const PairsFileRequirements& asked) {
  const BoundSide side = option == "within" ? BoundSide::not_above : BoundSide::not_below;
  const auto made = parse_bound(made_with, side);
  if (!made) {
    throw Error(ErrorKind::malformed_input, BadPlace{asked.path},
                fmt::format("was made with {} {} '{}', which is not a number",
                            option == "within" ? "a" : "the",
                            option == "within" ? "distance" : "threshold", made_with));
  }
  const bool asks_within = !asked.within.empty();
  const std::string& text = asks_within ? asked.within : asked.threshold;
  if (text.empty()) return;
  Bound bound = *parse_bound(text, asks_within ? BoundSide::not_above : BoundSide::not_below);
  const bool converts = asks_within != (option == "within");
  if (converts) bound = opposite_of(bound);
  if (!(option == "within" ? is_less(*made, bound) : is_less(bound, *made))) return;
  const std::string_view asked_option = asks_within ? "within" : "threshold";
  throw Error(ErrorKind::invalid_option,
              fmt::format("{}: was made with --{} {} and lacks pairs for --{} {}", asked.path,
                          option, made_with, asked_option, text),
              fmt::format("recreate the pairs with --{} {}{}", asked_option, text,
                          converts ? "" : fmt::format(", or use --{} {}", option, made_with)));
}

void check_same(std::string_view option, const std::string& made_with, const std::string& asked,
                const std::string& path) {
  if (asked.empty() || made_with == asked) return;
  throw Error(
      ErrorKind::invalid_option,
      fmt::format("{}: was made with --{} {}, this run has {}", path, option, made_with, asked),
      "recreate the pairs");
}

}  // namespace

std::string pair_note(const Options& options, const BoundFacts& facts) {
  std::string note;
  if (!facts.bound.empty()) add(note, facts.is_similarity ? "threshold" : "within", facts.bound);
  add(note, "measure", facts.measure);
  if (options.bag_union != Options{}.bag_union) add(note, "union", options.bag_union);
  if (told_kind(options.kind) == kTextItems) {
    if (options.shingle != Options{}.shingle) add(note, "shingle", options.shingle);
    if (options.tokens != Options{}.tokens) add(note, "tokens", options.tokens);
  }
  if (!options.ignore_common.empty()) add(note, "ignore-common", options.ignore_common);
  if (!options.represent.empty()) add(note, "represent", options.represent);
  if (options.kind == kStringItems && options.clean != Options{}.clean) {
    add(note, "clean", options.clean);
  }
  const bool across = has_other(options);
  if (across) add(note, "against", "yes");
  if (options.top > 0) add(note, "top", std::to_string(options.top));
  if (options.top_pairs > 0) add(note, "top-pairs", std::to_string(options.top_pairs));
  return note;
}

void check_pair_note(const std::string& note, const PairsFileRequirements& asked) {
  const auto values = values_of(note);
  for (const char* option : {"threshold", "within"}) {
    const auto made = values.find(option);
    if (made != values.end()) check_bound(option, made->second, asked);
  }
  if (const auto made = values.find("measure"); made != values.end()) {
    check_same("measure", made->second, asked.measure, asked.path);
    const auto how = values.find("union");
    check_same("union", how == values.end() ? Options{}.bag_union : how->second, asked.bag_union,
               asked.path);
    const auto value_or = [&](const char* key, const std::string& usual) {
      const auto found = values.find(key);
      return found == values.end() ? usual : found->second;
    };
    check_same("shingle", value_or("shingle", Options{}.shingle), asked.shingle, asked.path);
    check_same("ignore-common", value_or("ignore-common", "none"), asked.ignore_common, asked.path);
    check_same("represent", value_or("represent", "none"), asked.represent, asked.path);
    check_same("clean", value_or("clean", Options{}.clean), asked.clean, asked.path);
    check_same("tokens", value_or("tokens", Options{}.tokens), asked.tokens, asked.path);
  }
  if (asked.of_one_collection && values.contains("against")) {
    throw Error(ErrorKind::invalid_option,
                asked.path + ": was made with --against: its ids come from two collections",
                "give pairs of this input only, or use --against here too, without --reuse");
  }
}

void tell_of_pair_note(const std::string& note, const PairsFileRequirements& asked,
                       const Options& options, const RunHooks& hooks) {
  if (!tells(options, hooks)) return;
  const auto values = values_of(note);
  // Pairs piped from `pairs` have no note, so all of them count.
  const bool takes_all = asked.threshold.empty() && asked.within.empty();
  const bool says_bound = values.contains("threshold") || values.contains("within");
  if (!says_bound && !(asked.path == "-" && takes_all)) {
    hooks.on_message(fmt::format(
        "{}: does not record the --{} it was made with, so pairs {} it are missing", asked.path,
        asked.within.empty() ? "threshold" : "within", asked.within.empty() ? "below" : "beyond"));
  }
  if (values.contains("against")) {
    hooks.on_message(
        asked.path +
        ": was made with --against; equal ids of the two collections count as one item here");
  }
  for (const char* option : {"top", "top-pairs"}) {
    const auto made = values.find(option);
    if (made == values.end()) continue;
    hooks.on_message(fmt::format("{}: was made with --{} {}; it lacks all other pairs", asked.path,
                                 option, made->second));
  }
}

}  // namespace sosie

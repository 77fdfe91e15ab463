// TABLE: routes of runs over the items in a body.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "body.h"
#include "index_routes.h"
#include "json_text.h"
#include "sosie/join.h"

namespace sosie::server {
namespace {

// A run over a body. Options default to the index's own.
struct BodyRun {
  Options options;
  RunHooks hooks;
};

std::shared_ptr<const MemoryFile> file_of(std::string text) {
  auto owned = std::make_shared<const std::string>(std::move(text));
  const std::span<const char> bytes(owned->data(), owned->size());
  return memory_file_of({bytes}, owned);
}

bool says(std::span<const std::pair<std::string, std::string>> options, std::string_view asked) {
  return std::any_of(options.begin(), options.end(),
                     [&](const auto& option) { return option.first == asked; });
}

// Adopts the options with which an index was built, unless the request is about another kind of
// items. Also adopts the default bound, since kinds other than sets have none. A bound in the
// request replaces that of the index, which, for sets, may have either form.
void take_from_index(const StoredFacts& built, const Route& route, const Body& body,
                     Options& options) {
  options.column = built.column;
  const auto kind = std::find_if(body.options.begin(), body.options.end(),
                                 [](const auto& option) { return option.first == "kind"; });
  if (kind != body.options.end() && kind->second != built.kind) return;
  const bool has_bound = says(body.options, "threshold") || says(body.options, "within");
  for (const auto& [name, value] : built.options) {
    if (!takes_option(route, name)) continue;
    const bool is_bound = name == "threshold" || name == "within";
    if (is_bound ? has_bound : value == find_option(name)->default_text) continue;
    if (name == "within" && says(built.options, "threshold")) continue;
    set_option(options, name, value);
  }
}

BodyRun run_of(Service& service, const Request& request, const Body& body) {
  const Route& route = *request.route;
  BodyRun run;
  Options& options = run.options;
  if (service.index) take_from_index(service.built, route, body, options);
  const std::string column = options.column;
  for (const auto& [name, value] : body.options) set_option(options, name, value);
  options.column = column;
  options.threads = 1;
  options.memory_bytes = service.options.memory_bytes;
  options.scratch = service.options.scratch;
  options.scratch_limit_bytes = service.options.scratch_limit_bytes;
  options.id = "row";
  std::string text;
  for (std::size_t i = 0; i < body.items.size(); ++i) text += content_of(body.items[i], i) + "\n";
  if (!route.items.empty()) {
    options.inputs = {"items.jsonl"};
    options.memory_files["items.jsonl"] = file_of(std::move(text));
  }
  run.hooks = hooks_of(service);
  return run;
}

BodyRun run_of(Service& service, const Request& request) {
  return run_of(service, request, body_of(service, request));
}

Response pairs_of_body(Service& service, const Request& request) {
  BodyRun run = run_of(service, request);
  RowPairs found;
  run.hooks.pairs = &found;
  const RunReport report = pairs(run.options, run.hooks);
  ListAnswer answer(request, "pairs");
  for (std::size_t i = 0; i < found.left.size(); ++i) {
    std::string& out = answer.next();
    fmt::format_to(std::back_inserter(out), R"({{"left": {}, "right": {}, "{}": )", found.left[i],
                   found.right[i], report.value_name);
    append_json(found.similarity[i], out);
    out += '}';
  }
  return std::move(answer).done(fmt::format(R"("rows": {})", report.rows));
}

Response dedup_of_body(Service& service, const Request& request) {
  BodyRun run = run_of(service, request);
  RowDecisions found;
  run.hooks.decisions = &found;
  run.options.dry_run = true;
  const RunReport report = dedup(run.options, run.hooks);
  std::string kept;
  std::string removed;
  for (std::size_t row = 0; row < found.survivor.size(); ++row) {
    if (found.survivor[row] == row) {
      kept += fmt::format("{}{}", kept.empty() ? "" : ", ", row);
      continue;
    }
    removed += fmt::format("{}{{\"row\": {}, \"kept\": {}, \"{}\": ", removed.empty() ? "" : ", ",
                           row, found.survivor[row], report.value_name);
    append_json(found.similarity[row], removed);
    removed += fmt::format(", \"exact\": {}}}", static_cast<bool>(found.identical[row]));
  }
  return {200, fmt::format(R"({{"kept": [{}], "removed": [{}]}})", kept, removed)};
}

// Explains two items, at least one of which is in the index.
std::string explain_stored(const StoredIndex& index, const Body& body, const RunHooks& hooks) {
  const BodyItem& left = body.items[0];
  const BodyItem& right = body.items[1];
  if (right.line.empty()) {
    return left.line.empty() ? index.explain_ids(left.id, right.id, hooks)
                             : index.explain(left.line, right.id, hooks);
  }
  return index.explain(right.line, left.id, hooks);
}

Response explain_items(Service& service, const Request& request) {
  const Body body = body_of(service, request);
  if (body.items.size() != 2) {
    throw Error(ErrorKind::malformed_input, BadPlace{"items"},
                fmt::format("expected 2 items, got {}", body.items.size()),
                "the first is compared with the second");
  }
  const auto is_stored = [](const BodyItem& item) { return item.line.empty(); };
  const bool is_any_stored = std::any_of(body.items.begin(), body.items.end(), is_stored);
  if (service.index && is_any_stored) {
    if (!body.options.empty()) {
      throw Error(ErrorKind::malformed_input, BadPlace{field_name(body.options.front().first)},
                  "not allowed here: stored items are explained with the index's own options");
    }
    return {200, fmt::format(R"({{"text": {}}})",
                             json_text(explain_stored(*service.index, body, hooks_of(service))))};
  }
  BodyRun run = run_of(service, request, body);
  run.options.color = "never";
  const RunReport report = explain(run.options, "0", "1", run.hooks);
  return {200, fmt::format(R"({{"text": {}}})", json_text(report.summary))};
}

Response plan_run(Service& service, const Request& request) {
  const BodyRun run = run_of(service, request);
  const std::string text =
      lines_of_request(plan(run.options, run.hooks).summary, option_names(*request.route));
  return {200, fmt::format(R"({{"text": {}}})", json_text(text))};
}

constexpr std::string_view kBodyItems = "texts, token lists, or objects with one of these";
constexpr std::string_view kOptions =
    "threshold,within,measure,union,shingle,tokens,clean,represent,ratings,method,recall,sketch,"
    "bands,"
    "seed,kind";

constexpr std::array kBodyRows = {
    Route{.method = "POST",
          .path = "/v1/pairs",
          .answer = pairs_of_body,
          .summary = "pairs of similar items in the body, by number, each with its similarity, or "
                     "its distance if the bound is a distance",
          .items = kBodyItems,
          .options = kOptions,
          .more_options = "top,top-pairs,limit",
          .lists = true},
    Route{.method = "POST",
          .path = "/v1/dedup",
          .answer = dedup_of_body,
          .summary = "items of the body that remain after deduplication, by number",
          .items = kBodyItems,
          .options = kOptions,
          .more_options = "keep,clustering"},
    Route{
        .method = "POST",
        .path = "/v1/explain",
        .answer = explain_items,
        .summary = "why the two items of the body are similar or not",
        .items =
            "two texts, token lists, objects with one of these, or {\"id\": ...} for stored items",
        .options = kOptions},
    Route{.method = "POST",
          .path = "/v1/plan",
          .answer = plan_run,
          .summary = "method, recall and S-curve that result from the options",
          .options = kOptions},
};

}  // namespace

std::span<const Route> body_routes() { return kBodyRows; }

}  // namespace sosie::server

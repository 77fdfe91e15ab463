// TABLE: routes of runs over the items of a body.
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

extern const std::array<Route, 4> kBodyRows;

// A run over a body. Options are the index's unless the request gives them.
struct BodyRun {
  Options options;
  RunHooks hooks;
};

// The item as a line of JSONL. Throws Error{malformed_input} where it has an id alone.
std::string line_of(const BodyItem& item, std::size_t number) {
  if (item.line.empty()) {
    throw Error(ErrorKind::malformed_input, BadPlace{fmt::format("item {}", number)},
                "has an id and no content");
  }
  return item.line + "\n";
}

std::shared_ptr<const MemoryFile> file_of(std::string text) {
  auto owned = std::make_shared<const std::string>(std::move(text));
  const std::span<const char> bytes(owned->data(), owned->size());
  return memory_file_of({bytes}, owned);
}

BodyRun run_of(Service& service, const Request& request) {
  const Route& route = *std::find_if(kBodyRows.begin(), kBodyRows.end(), [&](const Route& row) {
    return row.path == request.head.path;
  });
  BodyRun run;
  Options& options = run.options;
  std::string column = options.column;
  if (service.index) {
    const StoredFacts facts = service.index->facts();
    column = facts.column;
    for (const auto& [name, value] : facts.options) {
      const bool is_default = value == find_option(name)->default_text;
      const bool is_taken = takes_option(route, name) && name != "within";
      if (is_taken && !is_default) set_option(options, name, value);
    }
  }
  const Body body = read_body(request, route, column);
  for (const auto& [name, value] : body.options) set_option(options, name, value);
  options.column = column;
  options.threads = 1;
  options.memory_bytes = service.options.memory_bytes;
  options.scratch = service.options.scratch;
  options.scratch_limit_bytes = service.options.scratch_limit_bytes;
  options.id = "row";
  std::string text;
  for (std::size_t i = 0; i < body.items.size(); ++i) text += line_of(body.items[i], i);
  if (!route.items.empty()) {
    options.inputs = {"items.jsonl"};
    options.memory_files["items.jsonl"] = file_of(std::move(text));
  }
  run.hooks.cancel = &service.cancel;
  return run;
}

Response pairs_of_body(Service& service, const Request& request) {
  BodyRun run = run_of(service, request);
  RowPairs found;
  run.hooks.pairs = &found;
  const RunReport report = pairs(run.options, run.hooks);
  std::string out = "{\"pairs\": [";
  for (std::size_t i = 0; i < found.left.size(); ++i) {
    fmt::format_to(std::back_inserter(out),
                   "{}{{\"left\": {}, \"right\": {}, \"{}\": ", i > 0 ? ", " : "", found.left[i],
                   found.right[i], report.value_name);
    append_json(found.similarity[i], out);
    out += '}';
  }
  return {200, out + fmt::format("], \"rows\": {}}}", report.rows)};
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

Response explain_items(Service& service, const Request& request) {
  BodyRun run = run_of(service, request);
  run.options.color = "never";
  const RunReport report = explain(run.options, "0", "1", run.hooks);
  return {200, fmt::format(R"({{"text": {}}})", json_text(report.summary))};
}

Response plan_run(Service& service, const Request& request) {
  const BodyRun run = run_of(service, request);
  return {200, fmt::format(R"({{"text": {}}})", json_text(plan(run.options, run.hooks).summary))};
}

constexpr std::string_view kOptions =
    "threshold,within,measure,union,shingle,tokens,method,recall,sketch,bands,seed,kind";

const std::array<Route, 4> kBodyRows = {
    Route{.method = "POST",
          .path = "/v1/pairs",
          .answer = pairs_of_body,
          .summary = "pairs of similar items of the body, by their numbers",
          .items = "texts, lists of tokens, or objects with one",
          .options = "threshold,within,measure,union,shingle,tokens,method,recall,sketch,bands,"
                     "seed,kind,top,top-pairs,limit"},
    Route{.method = "POST",
          .path = "/v1/dedup",
          .answer = dedup_of_body,
          .summary = "items of the body that stay when near-duplicates go, by their numbers",
          .items = "texts, lists of tokens, or objects with one",
          .options = "threshold,within,measure,union,shingle,tokens,method,recall,sketch,bands,"
                     "seed,kind,keep,clustering"},
    Route{.method = "POST",
          .path = "/v1/explain",
          .answer = explain_items,
          .summary = "why the two items of the body are similar or not",
          .items = "two texts, lists of tokens, or objects with one",
          .options = kOptions},
    Route{.method = "POST",
          .path = "/v1/plan",
          .answer = plan_run,
          .summary = "method, recall and S-curve that options lead to",
          .options = kOptions},
};

}  // namespace

std::span<const Route> body_routes() { return kBodyRows; }

}  // namespace sosie::server

#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "http.h"
#include "metrics.h"
#include "sosie/options.h"
#include "sosie/saved_run.h"
#include "sosie/stored_index.h"

namespace sosie::server {

// State that routes answer from. Lives as long as the server.
struct Service {
  Options options;                   // given to `sosie serve`
  std::optional<StoredIndex> index;  // none: a run is served
  StoredFacts built;                 // facts at the start, for the ones that the build fixed
  std::optional<SavedRun> run;
  Metrics metrics;
  const HttpServer* http = nullptr;
  std::atomic<bool> is_ending{false};  // no new work is taken
  std::atomic<bool> cancel{false};     // work that goes on is to end, too
};

// A run is cancelled when the service stops.
[[nodiscard]] inline RunHooks hooks_of(Service& service) {
  RunHooks hooks;
  hooks.cancel = &service.cancel;
  return hooks;
}

}  // namespace sosie::server

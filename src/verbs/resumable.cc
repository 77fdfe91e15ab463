// Saves the progress of an interrupted run to the checkpoint, and reports it.
#include "sosie/error.h"
#include "verbs/engine.h"

namespace sosie {
namespace {

// The run still counts as interrupted if saving its progress fails.
std::string kept_progress(Engine& engine) noexcept {
  try {
    return engine.keep_progress();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

RunReport resumable(Engine& engine, const std::function<RunReport()>& run) {
  try {
    return run();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::cancelled) throw;
    const std::string folder = kept_progress(engine);
    if (folder.empty()) throw;
    throw Error(error.kind(), error.what(),
                "progress is saved in " + folder + "; rerun the same command to resume");
  }
}

}  // namespace sosie

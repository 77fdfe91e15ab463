// A saved run behind one lock: what the server asks of it.
#include "sosie/saved_run.h"

#include <mutex>

#include "report/run_groups.h"
#include "report/run_pages.h"
#include "report/run_review.h"
#include "report/run_rows.h"
#include "store/run_decisions.h"
#include "store/run_folder.h"

namespace sosie {

struct SavedRun::State {
  State(const std::string& folder, bool for_reading)
      : run(folder),
        read_only(for_reading),
        decisions(run, for_reading),
        groups(run, decisions),
        rows(run) {}

  RunFolder run;
  bool read_only;
  std::mutex mutex;  // guards what follows
  RunDecisions decisions;
  RunGroups groups;
  RunRows rows;
};

SavedRun::SavedRun(const std::string& folder, bool read_only)
    : state_(std::make_unique<State>(folder, read_only)) {}
SavedRun::~SavedRun() = default;
SavedRun::SavedRun(SavedRun&&) noexcept = default;

std::string SavedRun::info() const {
  const std::lock_guard lock(state_->mutex);
  return run_info(state_->run, state_->groups, state_->decisions, state_->read_only);
}

std::string SavedRun::histogram(const std::string& threshold, const std::string& recall) const {
  return run_histogram(state_->run, threshold, recall);
}

std::string SavedRun::groups(const GroupsAsked& asked) const {
  const std::lock_guard lock(state_->mutex);
  return groups_page(state_->run, state_->groups, state_->decisions, asked);
}

std::optional<std::string> SavedRun::group(std::uint64_t number, std::uint64_t offset,
                                           std::uint64_t limit) const {
  if (number >= state_->run.groups().size()) return std::nullopt;
  const std::lock_guard lock(state_->mutex);
  return group_page(state_->run, state_->groups, state_->decisions, state_->rows,
                    {number, offset, limit});
}

std::string SavedRun::decisions() const {
  const std::lock_guard lock(state_->mutex);
  return review_status(state_->run, state_->decisions);
}

std::string SavedRun::decide(std::string_view request) {
  const std::lock_guard lock(state_->mutex);
  return take_step(state_->run, state_->groups, state_->decisions, request);
}

void SavedRun::export_clusters(const std::string& format,
                               const std::function<void(std::string_view bytes)>& sink) const {
  const std::lock_guard lock(state_->mutex);
  sosie::export_clusters(state_->run, state_->decisions, format, sink);
}

}  // namespace sosie

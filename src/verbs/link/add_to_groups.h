#pragma once

#include "sosie/link.h"

namespace sosie {

// Performs link() with --assign groups: adds the records of options.inputs to the groups whose rows
// are in options.against, using the weights in options.model, and writes the rows of both. Older
// groups are not changed, unless options.join_groups joins groups that belong together. `found`
// (may be null) receives a link for each record that joins a group. Throws Error{invalid_option}
// for groups without cluster_id, for a model with other rules, and for options that cannot be
// combined; throws Error{malformed_input} for a record that is already in the groups.
RunReport add_to_groups(const Options& options, const RunHooks& hooks, LinkedRows* found);

}  // namespace sosie

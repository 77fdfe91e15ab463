#pragma once

#include "sosie/link.h"

namespace sosie {

// Does link() with --assign groups: puts the records of options.inputs into the groups that
// options.against holds with their rows, by the weights of options.model, and writes the rows of
// both. Older groups stay as they are, unless options.join_groups joins those that belong together.
// `found`: gets a link for each record that joins one of them; may be null. Throws
// Error{invalid_option} for groups without cluster_id, for a model of other rules, and for options
// that do not go with it; Error{malformed_input} for a record that is in the groups already.
RunReport add_to_groups(const Options& options, const RunHooks& hooks, LinkedRows* found);

}  // namespace sosie

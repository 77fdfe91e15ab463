#pragma once

#include "data/buckets.h"
#include "data/overlap.h"

namespace sosie {

// A set that is similar to the one that was looked up, which is the left one of the overlap.
struct SimilarSet {
  Place position;
  Overlap overlap;
};

}  // namespace sosie

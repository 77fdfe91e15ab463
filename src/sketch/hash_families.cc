// TABLE: every locality-sensitive family, once.
#include "sketch/hash_families.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/nearest_name.h"
#include "sketch/collision_laws.h"
#include "sketch/grid_triples.h"
#include "sketch/hyperplanes.h"
#include "sketch/standard_normal.h"

namespace sosie {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

constexpr std::array kHashFamilies = {
    HashFamily{.name = "minhash",
               .form = FunctionForm::minhash,
               .distance = "jaccard",
               .unit = "",
               .largest_distance = 1,
               .source = "MMDS 3.3; one permutation: Li, Owen, Zhang, NIPS 2012",
               .collision_probability = minhash_collision_law},
    HashFamily{.name = "bit-sampling",
               .form = FunctionForm::bit_samples,
               .distance = "hamming",
               .unit = " of the positions",
               .largest_distance = 1,
               .source = "MMDS 3.7.1; Indyk, Motwani, STOC 1998",
               .collision_probability = bit_sampling_collision_law},
    HashFamily{.name = "hyperplane",
               .form = FunctionForm::hyperplanes,
               .distance = "angle",
               .unit = " degrees",
               .largest_distance = 180,
               .source = "MMDS 3.7.2; Charikar, STOC 2002",
               .collision_probability = hyperplane_collision_law,
               .normals = hyperplane_normals,
               .wide = "hyperplane-rotation"},
    HashFamily{.name = "hyperplane-signs",
               .form = FunctionForm::hyperplanes,
               .distance = "angle",
               .unit = " degrees",
               .largest_distance = 180,
               .source = "sketches of MMDS 3.7.3: normals of +1 and -1; on average over directions",
               .collision_probability = hyperplane_collision_law,
               .normals = sign_normals},
    HashFamily{
        .name = "hyperplane-rotation",
        .form = FunctionForm::rotations,
        .distance = "angle",
        .unit = " degrees",
        .largest_distance = 180,
        .source = "fast rotations: Andoni, Indyk, Laarhoven, Razenshteyn, Schmidt, NIPS 2015",
        .collision_probability = hyperplane_collision_law},
    HashFamily{.name = "cross-polytope",
               .form = FunctionForm::polytopes,
               .distance = "angle",
               .unit = " degrees",
               .largest_distance = 180,
               .source = "Andoni, Indyk, Laarhoven, Razenshteyn, Schmidt, NIPS 2015; 16 dimensions",
               .collision_probability = cross_polytope_collision_law},
    HashFamily{.name = "gaussian-segments",
               .form = FunctionForm::segments,
               .distance = "euclidean",
               .unit = " segments",
               .largest_distance = kNoLimit,
               .source = "MMDS 3.7.4; Datar, Immorlica, Indyk, Mirrokni, SoCG 2004",
               .collision_probability = gaussian_segment_collision_law,
               .component = standard_normal},
    HashFamily{.name = "cauchy-segments",
               .form = FunctionForm::segments,
               .distance = "manhattan",
               .unit = " segments",
               .largest_distance = kNoLimit,
               .source = "Datar, Immorlica, Indyk, Mirrokni, SoCG 2004",
               .collision_probability = cauchy_segment_collision_law,
               .component = standard_cauchy},
    HashFamily{
        .name = "grid-triples",
        .form = FunctionForm::squares,
        .distance = "grid",
        .unit = "",
        .largest_distance = 1,
        .source = "MMDS 3.8.3: three grid cells that both sets contain; --squares sets the number",
        .collision_probability = grid_triples_collision},
};

}  // namespace

std::span<const HashFamily> hash_families() noexcept { return kHashFamilies; }

const HashFamily* hash_family_by_name(std::string_view name) noexcept {
  return find_by_name(hash_families(), name);
}

bool can_be_probed(std::string_view name) noexcept {
  const HashFamily* family = hash_family_by_name(name);
  return family != nullptr && family->form == FunctionForm::polytopes;
}

int sketch_bits_of(const HashFamily& family) noexcept {
  constexpr int kSketchBits = 256;
  constexpr int kRotatedSketchBits = 512;  // enough functions are available
  if (family.form == FunctionForm::bit_samples) return 0;
  return family.form == FunctionForm::rotations ? kRotatedSketchBits : kSketchBits;
}

bool is_in_segments(const HashFamily& family) noexcept {
  return family.form == FunctionForm::segments;
}

const HashFamily* usual_hash_family(std::string_view distance) noexcept {
  const auto* found =
      std::find_if(kHashFamilies.begin(), kHashFamilies.end(),
                   [&](const HashFamily& family) { return family.distance == distance; });
  return found == kHashFamilies.end() ? nullptr : found;
}

}  // namespace sosie

#pragma once

#include "pliant/mesh/mesh_contents.hpp"

namespace pliant {

/// Makes one vertex of those that lie in exactly the same place and have the same values in all fields (0 and
/// -0 are the same); it takes the place of the first of them. Triangles and tetrahedra keep their order and
/// their corners' places. For files that repeat a vertex for every face or along seams of a texture, whose
/// faces would otherwise fall apart.
MeshContents merge_equal_vertices(const MeshContents& mesh);

/// A mesh of triangles without those that have the same corner twice, and without vertices that none uses.
MeshContents tidied_triangles(MeshContents mesh);

}  // namespace pliant

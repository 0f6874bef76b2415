#include "pliant/mesh/strand.hpp"

namespace pliant {

StrandMesh make_strand(const CurveShape& curve, int cells) {
  StrandMesh strand{sample_curve(curve, cells), {}};
  const int count = static_cast<int>(strand.vertices.size());
  for (int i = 0; i < cells; ++i) strand.edges.push_back({i, (i + 1) % count});
  return strand;
}

}  // namespace pliant

#include "pliant/mesh/rectangle.hpp"

#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

TetMesh make_rectangle(const RectangleShape& shape) {
  const int nx = shape.cells[0], ny = shape.cells[1];
  if (!(shape.size.array() > 0).all() || !shape.size.allFinite() || nx < 1 || ny < 1)
    throw InputError(
        "rectangle: sizes must be positive and finite, and there must be at least 1 cell each way");
  if (2.0 * (nx + 1.0) * (ny + 1.0) > std::numeric_limits<int>::max())
    throw InputError(format("rectangle: {} x {} cells are too many; use fewer", nx, ny));
  TetMesh mesh;
  mesh.thickness = shape.size.z();
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i)
      mesh.vertices.emplace_back(shape.size.x() * ((2.0 * i - nx) / (2.0 * nx)),
                                 shape.size.y() * ((2.0 * j - ny) / (2.0 * ny)), 0);
  const auto vertex = [&](int i, int j) { return i + (nx + 1) * j; };
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = vertex(i, j), b = vertex(i + 1, j), c = vertex(i + 1, j + 1), d = vertex(i, j + 1);
      if (((i ^ j) & 1) == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  }
  return mesh;
}

}  // namespace pliant

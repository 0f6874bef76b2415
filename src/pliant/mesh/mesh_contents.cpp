#include "pliant/mesh/mesh_contents.hpp"

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

std::vector<PointData> fields_at(std::span<const int> vertices, const std::vector<PointData>& fields) {
  std::vector<PointData> some;
  for (const PointData& field : fields) {
    PointData& part = some.emplace_back(PointData{field.name, field.components, {}});
    for (const int vertex : vertices) {
      const auto first = field.values.begin() + Index{vertex} * field.components;
      part.values.insert(part.values.end(), first, first + field.components);
    }
  }
  return some;
}

void check_fields(const MeshContents& mesh) {
  for (const PointData& field : mesh.fields) {
    const bool known = field.components == 1 || field.components == 3;
    if (known && field.values.size() == mesh.vertices.size() * field.components) continue;
    throw InputError(
        format("point data '{}' has {} values of {} components for {} vertices; 1 or 3 a vertex are possible",
               field.name, field.values.size(), field.components, mesh.vertices.size()));
  }
}

}  // namespace pliant

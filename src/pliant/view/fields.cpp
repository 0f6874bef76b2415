#include "pliant/view/fields.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {

constexpr std::array kFieldKinds{
    FieldKind{"displacement", "Displacement", "m"}, FieldKind{"speed", "Speed", "m/s"},
    FieldKind{"energy-density", "Elastic energy density", "J/m³"},
    FieldKind{"stretch", "Largest stretch", ""}, FieldKind{"inverted", "Inverted elements", ""}};

Vec3 position_in(std::span<const float> frame, std::int32_t vertex) {
  const size_t at = 3 * static_cast<size_t>(vertex);
  return {frame[at], frame[at + 1], frame[at + 2]};
}

template <class Element>
Vec3 edge_in(std::span<const float> frame, const Element& element, size_t corner) {
  return position_in(frame, element.corners[corner]) - position_in(frame, element.corners[0]);
}

template <class Element>
Mat3 deformation_of_tet(std::span<const float> frame, const Element& tet) {
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = edge_in(frame, tet, static_cast<size_t>(k) + 1);
  return edges * Eigen::Map<const Eigen::Matrix3f>(tet.rest.data()).template cast<double>();
}

using Mat32 = Eigen::Matrix<double, 3, 2>;

template <class Element>
Mat32 deformation_of_triangle(std::span<const float> frame, const Element& triangle) {
  Mat32 edges;
  for (int k = 0; k < 2; ++k) edges.col(k) = edge_in(frame, triangle, static_cast<size_t>(k) + 1);
  return edges * Eigen::Map<const Eigen::Matrix2f>(triangle.rest.data()).template cast<double>();
}

template <class Matrix>
double largest_singular_value(const Matrix& F) {
  constexpr int kSize = Matrix::ColsAtCompileTime;
  const Eigen::Matrix<double, kSize, kSize> C = F.transpose() * F;
  if (!C.allFinite()) return 0;
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, kSize, kSize>> solver;
  solver.computeDirect(C, Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(0.0, solver.eigenvalues()[kSize - 1]));
}

/// In a basis of the triangle's own plane, so that the matrix is square.
Eigen::Matrix2d rest_edges_of_triangle(const Vec3& a, const Vec3& b) {
  const Vec3 along = a.stableNormalized();
  const double shear = along.dot(b);
  Eigen::Matrix2d edges;
  edges << a.norm(), shear, 0, (b - shear * along).norm();
  return edges;
}

template <class Element, class Matrix>
bool set_inverse(const Matrix& rest_edges, Element& element) {
  const Matrix inverse = rest_edges.inverse();
  for (Index i = 0; i < inverse.size(); ++i)
    element.rest[static_cast<size_t>(i)] = static_cast<float>(inverse.data()[i]);
  return std::all_of(element.rest.begin(), element.rest.end(), [](float x) { return std::isfinite(x); });
}

}  // namespace

std::span<const FieldKind> field_kinds() { return kFieldKinds; }

std::vector<float> distances(std::span<const float> from, std::span<const float> to, double seconds) {
  std::vector<float> values(from.size() / 3);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto vertex = static_cast<std::int32_t>(i);
    values[i] = static_cast<float>((position_in(to, vertex) - position_in(from, vertex)).norm() / seconds);
  }
  return values;
}

ShownStrain::ShownStrain(std::span<const RunBody> bodies, const ShownSurface& surface)
    : shown_(surface.vertex_of.size()) {
  int vertices = 0;
  for (const RunBody& body : bodies) vertices += static_cast<int>(body.rest.vertices.size());
  const std::vector<std::int32_t> numbers = surface.shown_numbers(vertices);
  for (const RunBody& body : bodies) {
    const TetMesh& rest = body.rest;
    const auto place = [&](auto& element, const auto& corners) {
      bool seen = false;
      for (size_t k = 0; k < corners.size(); ++k) {
        element.corners[k] = body.first_vertex + corners[k];
        element.shown[k] = numbers[static_cast<size_t>(element.corners[k])];
        seen = seen || element.shown[k] >= 0;
      }
      return seen;
    };
    const auto edge = [&](const auto& corners, size_t k) -> Vec3 {
      return rest.vertices[static_cast<size_t>(corners[k])] - rest.vertices[static_cast<size_t>(corners[0])];
    };
    for (const auto& corners : rest.tets) {
      Mat3 edges;
      for (int k = 0; k < 3; ++k) edges.col(k) = edge(corners, static_cast<size_t>(k) + 1);
      Tet tet;
      if (place(tet, corners) && set_inverse(edges, tet)) tets_.push_back(tet);
    }
    for (const auto& corners : rest.triangles) {
      Triangle triangle;
      const Vec3 a = edge(corners, 1), b = edge(corners, 2);
      Eigen::Matrix2d edges;
      edges << a.x(), b.x(), a.y(), b.y();
      if (!place(triangle, corners)) continue;
      if (!set_inverse(rest.planar() ? edges : rest_edges_of_triangle(a, b), triangle)) continue;
      (rest.planar() ? planar_ : sheets_).push_back(triangle);
    }
    for (const auto& corners : rest.edges) {
      Line line;
      line.rest[0] = static_cast<float>(1 / edge(corners, 1).norm());
      if (rest.triangles.empty() && place(line, corners) && std::isfinite(line.rest[0]))
        lines_.push_back(line);
    }
  }
}

template <class Kind, class Value>
void ShownStrain::gather_largest(std::span<const Kind> elements, const Value& value,
                                 std::vector<float>& largest) const {
  constexpr Index kChunk = 4096;
  std::vector<float> values(elements.size());
  parallel_chunks(std::ssize(elements), kChunk, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e)
      values[static_cast<size_t>(e)] = static_cast<float>(value(elements[static_cast<size_t>(e)]));
  });
  for (size_t e = 0; e < elements.size(); ++e)
    for (const std::int32_t vertex : elements[e].shown) {
      if (vertex < 0) continue;
      float& of_vertex = largest[static_cast<size_t>(vertex)];
      of_vertex = std::max(of_vertex, values[e]);
    }
}

std::vector<float> ShownStrain::stretch(std::span<const float> frame) const {
  std::vector<float> largest(shown_, 0);
  const auto of_triangle = [&](const Triangle& triangle) {
    return largest_singular_value(deformation_of_triangle(frame, triangle));
  };
  gather_largest(
      std::span<const Tet>(tets_),
      [&](const Tet& tet) { return largest_singular_value(deformation_of_tet(frame, tet)); }, largest);
  gather_largest(std::span<const Triangle>(planar_), of_triangle, largest);
  gather_largest(std::span<const Triangle>(sheets_), of_triangle, largest);
  gather_largest(
      std::span<const Line>(lines_),
      [&](const Line& line) { return edge_in(frame, line, 1).norm() * line.rest[0]; }, largest);
  return largest;
}

std::vector<float> ShownStrain::inverted(std::span<const float> frame) const {
  std::vector<float> largest(shown_, 0);
  gather_largest(
      std::span<const Tet>(tets_),
      [&](const Tet& tet) { return deformation_of_tet(frame, tet).determinant() < 0 ? 1 : 0; }, largest);
  gather_largest(
      std::span<const Triangle>(planar_),
      [&](const Triangle& triangle) {
        const Mat32 F = deformation_of_triangle(frame, triangle);
        return F.topRows<2>().determinant() < 0 ? 1 : 0;
      },
      largest);
  return largest;
}

}  // namespace pliant

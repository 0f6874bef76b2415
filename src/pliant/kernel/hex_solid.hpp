#pragma once

// Trilinear hexahedra of an isotropic material with eight quadrature points. Bricks: the map from the unit
// cube to the rest shape is linear, so that F = (sum_c x_c s_c^T) E^-1 with s_c the slopes of the shape
// functions at the point and E the matrix of the three rest edges.

#include "pliant/kernel/brick.hpp"
#include "pliant/kernel/tet_solid.hpp"

namespace pliant {

template <class Material>
struct HexSolid {
  static constexpr std::string_view kName = "hexahedron";
  /// Not two side by side: the 36 blocks of as many elements fill the first cache as it is.
  static constexpr Width kWidth = Width::pack;
  [[no_unique_address]] Material material = {};
  static constexpr int kCorners = 8, kPoints = 8;
  static constexpr int kRest = TetSolid<Material>::kRest;
  static constexpr int kVolume = TetSolid<Material>::kVolume;
  template <class T>
  using Rest = typename TetSolid<Material>::template Rest<T>;

  static constexpr bool kProjective = kProjectiveMaterial<Material>;

  /// The sum over points of k V/8 b_a . b_b, in the order of the blocks of the Hessian.
  struct Proxy {
    FittedStiffness<Material> stiffness;
    Proxy(const HexSolid& kernel, const StretchRange& range) : stiffness(kernel.material, range) {}
    void operator()(const double* rest, double* entries) {
      const Rest<double> r(rest);
      const double k = share(r) * stiffness(r.lame.mu, r.lame.lambda);
      const Small33<double> to_rest = transpose(r.edges_inverse);
      for (int e = 0; e < kCorners * (kCorners + 1) / 2; ++e) entries[e] = 0;
      for (int q = 0; q < kPoints; ++q) {
        Small3<double> b[kCorners];
        for (int c = 0; c < kCorners; ++c) b[c] = to_rest * slope<double>(q, c);
        for (int i = 0, e = 0; i < kCorners; ++i)
          for (int j = i; j < kCorners; ++j) entries[e++] += k * dot(b[i], b[j]);
      }
    }
  };

  template <class T>
  PLIANT_KERNEL T energy(const T* rest, const Small3<T>* x) const {
    const Rest<T> r(rest);
    const BrickEdges<Small3<T>> edges = brick_edges<T>(x);
    T sum(0.0);
    for (int q = 0; q < kPoints; ++q) sum = sum + energy_density(material, r.lame, deformation(r, edges, q));
    return share(r) * sum;
  }

  /// Energy, and the gradient by each corner.
  template <class T>
  PLIANT_KERNEL T gradient(const T* rest, const Small3<T>* x, Small3<T>* gradient) const {
    const Rest<T> r(rest);
    const BrickEdges<Small3<T>> edges = brick_edges<T>(x);
    BrickEdges<Small3<T>> by_edges;
    for (auto& along : by_edges) along.fill({T(0.0), T(0.0), T(0.0)});
    T sum(0.0);
    for (int q = 0; q < kPoints; ++q) {
      Small33<T> P;
      sum = sum + energy_density(material, r.lame, deformation(r, edges, q), &P);
      const Small33<T> by_slope = P * transpose(r.edges_inverse);
      for (int axis = 0; axis < 3; ++axis) {
        Small3<T>& by_edge = by_edges[axis][brick_edge(q, axis)];
        by_edge = by_edge + by_slope.column[axis];
      }
    }
    for (int c = 0; c < kCorners; ++c) gradient[c] = {T(0.0), T(0.0), T(0.0)};
    add_brick_edges<T>(by_edges, gradient);
    for (int c = 0; c < kCorners; ++c) gradient[c] = share(r) * gradient[c];
    return share(r) * sum;
  }

  /// Blocks (a, b) with a <= b, row by row.
  template <class T>
  PLIANT_KERNEL void hessian(const T* rest, const Small3<T>* x, Definiteness definiteness,
                             Small33<T>* blocks) const {
    const Rest<T> r(rest);
    const BrickEdges<Small3<T>> edges = brick_edges<T>(x);
    for (int k = 0; k < kCorners * (kCorners + 1) / 2; ++k) blocks[k] = zeros<T>();
    for (int q = 0; q < kPoints; ++q) add_point(r, edges, q, definiteness, blocks);
    for_pairs([&](int, int, int k) {
      for (Small3<T>& column : blocks[k].column) column = share(r) * column;
    });
    complete(blocks);
  }

 private:
  template <class T>
  PLIANT_KERNEL void add_point(const Rest<T>& r, const BrickEdges<Small3<T>>& edges, int q,
                               Definiteness definiteness, Small33<T>* blocks) const {
    // By volume; that comes last.
    Small3<T> b[kCorners];
    if constexpr (kDirect<Material, T>) {
      if (definiteness == Definiteness::none) {
        using Direct = typename Material::template OfDeformation<T>;
        const Direct direct(r.lame, deformation(r, edges, q));
        const Small33<T> to_rest = transpose(r.edges_inverse);
        typename Direct::Side sides[kCorners];
        for (int c = 1; c < kCorners; ++c) sides[c] = direct.side(to_rest * slope<T>(q, c));
        for_pairs(
            [&](int i, int j, int k) { blocks[k] = blocks[k] + direct.block(T(1.0), sides[i], sides[j]); });
        return;
      }
    }
    const Svd<T> s = svd(deformation(r, edges, q));
    StretchHessian<T> h = material.hessian(r.lame, s.sigma);
    make_definite(h, definiteness);
    const Small33<T> to_frame = transpose(r.edges_inverse * s.V), back = transpose(s.U);
    for (int c = 1; c < kCorners; ++c) b[c] = to_frame * slope<T>(q, c);
    for_pairs([&](int i, int j, int k) {
      blocks[k] = blocks[k] + s.U * stretch_block(h, T(1.0), b[i], b[j]) * back;
    });
  }

  /// Pairs of corners but the first, i <= j.
  template <class Visit>
  PLIANT_KERNEL static void for_pairs(const Visit& visit) {
    int k = kCorners;
    for (int i = 1; i < kCorners; ++i)
      for (int j = i; j < kCorners; ++j) visit(i, j, k++);
  }

  /// Moving all corners together changes nothing: block (0, b) is minus the sum of the blocks (a, b).
  template <class T>
  PLIANT_KERNEL static void complete(Small33<T>* blocks) {
    for_pairs([&](int i, int j, int k) {
      blocks[j] = blocks[j] - blocks[k];
      if (i != j) blocks[i] = blocks[i] - transpose(blocks[k]);
    });
    for (int j = 1; j < kCorners; ++j) blocks[0] = blocks[0] - transpose(blocks[j]);
  }

  template <class T>
  PLIANT_KERNEL static T share(const Rest<T>& r) {
    return T(1.0 / kPoints) * r.volume;
  }

  template <class T>
  PLIANT_KERNEL static Small3<T> slope(int q, int c) {
    return {T(kBrickSlopes[q][c][0]), T(kBrickSlopes[q][c][1]), T(kBrickSlopes[q][c][2])};
  }

  template <class T>
  PLIANT_KERNEL static Small33<T> deformation(const Rest<T>& r, const BrickEdges<Small3<T>>& edges, int q) {
    Small33<T> along;
    for (int axis = 0; axis < 3; ++axis) along.column[axis] = edges[axis][brick_edge(q, axis)];
    return along * r.edges_inverse;
  }
};

}  // namespace pliant

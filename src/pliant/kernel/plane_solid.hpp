#pragma once

// Linear triangles in plane strain: F = [F2 0; 0 1]. That is the deformation of a tetrahedron over the
// triangle whose fourth corner stands 1 m above corner 0, whatever the thickness, so its formulas serve.

#include "pliant/kernel/tet_solid.hpp"

namespace pliant {

template <class Material>
struct PlaneSolid {
  static constexpr std::string_view kName = "plane triangle";
  /// One at a time: planar bodies are small, and a second kernel of packs would double the time it takes to
  /// compile a material.
  static constexpr Width kWidth = Width::one;
  using Tet = TetSolid<Material>;
  [[no_unique_address]] Tet tet = {};
  static constexpr int kCorners = 3;
  /// Of the tetrahedron; the volume is that of the triangle times the thickness.
  static constexpr int kRest = Tet::kRest;
  static constexpr int kVolume = Tet::kVolume;
  static constexpr bool kProjective = Tet::kProjective;

  /// Of the tetrahedron, whose fourth corner moves with corner 0.
  struct Proxy {
    typename Tet::Proxy of_tet;
    Proxy(const PlaneSolid& kernel, const StretchRange& range) : of_tet(kernel.tet, range) {}
    void operator()(const double* rest, double* entries) {
      double e[10];  // 00 01 02 03 11 12 13 22 23 33
      of_tet(rest, e);
      entries[0] = e[0] + e[9] + 2 * e[3];
      entries[1] = e[1] + e[6];
      entries[2] = e[2] + e[8];
      entries[3] = e[4];
      entries[4] = e[5];
      entries[5] = e[7];
    }
  };

  template <class T>
  PLIANT_KERNEL T energy(const T* rest, const Small3<T>* x) const {
    return tet.energy(rest, WithApex<T>(x).corner);
  }

  /// The fourth corner moves with corner 0, which gets its share.
  template <class T>
  PLIANT_KERNEL T gradient(const T* rest, const Small3<T>* x, Small3<T>* gradient) const {
    Small3<T> of_tet[4];
    const T energy = tet.gradient(rest, WithApex<T>(x).corner, of_tet);
    gradient[0] = of_tet[0] + of_tet[3];
    gradient[1] = of_tet[1];
    gradient[2] = of_tet[2];
    return energy;
  }

  /// Blocks 00 01 02 11 12 22.
  template <class T>
  PLIANT_KERNEL void hessian(const T* rest, const Small3<T>* x, Definiteness definiteness,
                             Small33<T>* blocks) const {
    Small33<T> of_tet[10];  // 00 01 02 03 11 12 13 22 23 33
    tet.hessian(rest, WithApex<T>(x).corner, definiteness, of_tet);
    blocks[0] = sum(sum(of_tet[0], of_tet[9]), sum(of_tet[3], transpose(of_tet[3])));
    blocks[1] = sum(of_tet[1], transpose(of_tet[6]));
    blocks[2] = sum(of_tet[2], transpose(of_tet[8]));
    blocks[3] = of_tet[4];
    blocks[4] = of_tet[5];
    blocks[5] = of_tet[7];
  }

 private:
  template <class T>
  struct WithApex {
    Small3<T> corner[4];
    PLIANT_KERNEL explicit WithApex(const Small3<T>* x) : corner{x[0], x[1], x[2], x[0]} {
      corner[3][2] = x[0][2] + T(1.0);
    }
  };

  template <class T>
  PLIANT_KERNEL static Small33<T> sum(const Small33<T>& a, const Small33<T>& b) {
    Small33<T> m;
    for (int k = 0; k < 3; ++k) m.column[k] = a.column[k] + b.column[k];
    return m;
  }
};

}  // namespace pliant

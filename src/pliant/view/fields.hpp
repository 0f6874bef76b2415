#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/run/run_folder.hpp"
#include "pliant/view/shown_surface.hpp"

namespace pliant {

/// A quantity to colour bodies by.
struct FieldKind {
  std::string_view name, label, unit;
};

/// displacement, speed, energy-density, stretch, inverted.
std::span<const FieldKind> field_kinds();

/// Distance of each shown vertex between two sets of positions, m; divided by `seconds`.
std::vector<float> distances(std::span<const float> from, std::span<const float> to, double seconds = 1);

/// How the elements around the shown vertices are deformed, from positions alone. Positions are those of
/// frames, three numbers a vertex. Where a rest element has no volume it is passed over.
class ShownStrain {
 public:
  ShownStrain(std::span<const RunBody> bodies, const ShownSurface& surface);

  /// The largest principal stretch of the elements around each shown vertex: of a solid the largest singular
  /// value of the deformation gradient, of a sheet or planar body that in its plane, of a strand that along
  /// it.
  std::vector<float> stretch(std::span<const float> frame) const;

  /// 1 where an element around is inside out, 0 elsewhere. Sheets and strands have no inside.
  std::vector<float> inverted(std::span<const float> frame) const;

 private:
  /// Corners in frames, and the numbers they are shown with.
  template <int kCorners, int kRest>
  struct Element {
    std::array<std::int32_t, kCorners> corners, shown;
    std::array<float, kRest> rest;  ///< inverse of the matrix of rest edges, by columns; or the rest length
  };
  using Tet = Element<4, 9>;
  using Triangle = Element<3, 4>;
  using Line = Element<2, 1>;

  template <class Kind, class Value>
  void gather_largest(std::span<const Kind> elements, const Value& value, std::vector<float>& largest) const;

  size_t shown_;
  std::vector<Tet> tets_;
  std::vector<Triangle> planar_, sheets_;
  std::vector<Line> lines_;
};

}  // namespace pliant

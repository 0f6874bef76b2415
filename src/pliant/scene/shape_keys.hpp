#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/base/visitor.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

struct RotationKeys {
  Vec3 axis = Vec3::UnitY();
  double angle = 0;
};

/// A ball in which cells are smaller.
struct RefineKeys {
  Vec3 center = Vec3::Zero();
  double radius = 0;
  double cell = 0;
};

/// What a shape is. Which of the keys have a meaning depends on the kind.
struct SolidKeys {
  std::string kind = "box";
  Vec3 size = Vec3::Ones();
  double round = 0;
  double radius = 0.5;
  Vec3 radii{0.5, 0.4, 0.3};
  double major = 0.5, minor = 0.2;
  double length = 1, height = 1;
  double top = 0;
  double hole = 0.25;
  std::optional<double> thickness;
  double rim = 0;
  Vec3 normal = Vec3::UnitY();
  double extent = 1;
  std::string file;
  std::vector<SolidKeys> parts;
  double blend = 0.1;
  std::string mirror = "x";
  double scale = 1;
  RotationKeys rotate;
  Vec3 translate = Vec3::Zero();
};

/// A point of a curve.
struct PointKeys {
  Vec3 at = Vec3::Zero();
};

/// What a thin shape has besides.
struct ThinKeys {
  std::optional<double> width;
  std::optional<std::string> pattern;
  std::string curve = "line";
  double pitch = 0.05;
  double turns = 5;
  double twist = 0;
  Vec3 up = Vec3::UnitY();
  std::string rest = "as-made";
  std::vector<PointKeys> points;
};

/// What it is, and how it is meshed.
struct ShapeKeys : SolidKeys, ThinKeys {
  std::array<int, 3> cells{8, 8, 8};
  int tets_per_cell = 5;
  std::string elements = "tetrahedra";
  std::optional<double> cell;
  double grading = 0;
  std::string fit = "surface";
  std::vector<RefineKeys> refine;
};

void describe(Visitor& visit, RotationKeys& keys);
void describe(Visitor& visit, RefineKeys& keys);
void describe(Visitor& visit, PointKeys& keys);
void describe(Visitor& visit, SolidKeys& keys);
void describe(Visitor& visit, ShapeKeys& keys);

std::span<const Choice> shape_choices();

/// Sheets and strands.
std::span<const Choice> thin_choices();
bool is_thin(const std::string& kind);
/// The keys of thin shapes, besides `kind`, `file` and `cells`.
void describe_thin(Visitor& visit, ShapeKeys& keys);
/// Of a sheet, or the diameter of a strand, as said or as usual.
double thickness_of(const ShapeKeys& keys);
/// Throws InputError.
PaintedMesh make_thin(const ShapeKeys& keys);

/// Whether it is, or has a part that is, the surface in a file.
bool has_surface(const SolidKeys& keys);

/// File names in the keys, which are relative to `folder`, become full paths.
void complete_paths(SolidKeys& keys, const std::filesystem::path& folder);

/// The shape as a signed distance. Throws InputError, also for what has none.
ShapePointer make_solid_shape(const SolidKeys& keys);

/// The mesh of a shape, centred at the origin unless moved; that of a surface with what is painted on it.
/// Throws InputError.
PaintedMesh make_shape(const ShapeKeys& keys);

/// The mesh of what a closed surface encloses, with the cells that `meshing` says and what is painted on the
/// surface. Throws InputError, which calls the surface `file`.
PaintedMesh fill_surface(const MeshContents& surface, const std::string& file, const ShapeKeys& meshing);

/// Keys from words as on a command line: "torus major=0.5 minor=0.2", or a table in braces as in a scene.
/// Throws InputError.
ShapeKeys parse_shape(const std::string& words);

}  // namespace pliant

// The shapes of scene files: which keys each kind has, and what it is.
#include "pliant/scene/shape_keys.hpp"

#include <algorithm>
#include <cctype>
#include <numbers>
#include <sstream>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/mesh/rectangle.hpp"
#include "pliant/mesh_file/mesh_file.hpp"
#include "pliant/meshing/mesher.hpp"
#include "pliant/meshing/voxels.hpp"
#include "pliant/scene/reader.hpp"
#include "pliant/shape/figures.hpp"
#include "pliant/shape/shapes.hpp"
#include "pliant/shape/surface_shape.hpp"

namespace pliant {

namespace {

constexpr double kMostCells = 5e7;

using Parts = std::vector<ShapePointer>;

template <class Operation>
ShapePointer folded(const Parts& parts, Operation operation) {
  ShapePointer whole = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) whole = operation(whole, parts[i]);
  return whole;
}

TriangleMesh triangles_of(const MeshContents& surface) { return {surface.vertices, surface.triangles}; }

/// The triangles of a file that encloses something, with what is painted on them.
MeshContents read_surface(const std::string& file) { return skin_of(read_mesh_file(file)); }

/// `keys` are the names of those that have a meaning, with blanks between; `least` and `most` how many parts
/// it takes.
struct SolidKind {
  std::string_view name, summary, keys;
  size_t least, most;
  ShapePointer (*make)(const SolidKeys&, const Parts&);
};

constexpr size_t kAnyNumberOfParts = 1000;
constexpr double kThick = 0.1;  ///< a bowl or shell, unless said otherwise

const SolidKind kKinds[] = {
    {"box", "a block; of regular cells where `cells` says how many, otherwise meshed like the others",
     "size round", 0, 0, [](const SolidKeys& k, const Parts&) { return make_box_shape(k.size, k.round); }},
    {"sphere", "a ball", "radius", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_sphere(k.radius); }},
    {"ellipsoid", "a ball stretched along x, y and z", "radii", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_ellipsoid(k.radii); }},
    {"torus", "a ring around the y axis", "major minor", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_torus(k.major, k.minor); }},
    {"capsule", "all within `radius` of a segment along y", "length radius", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_capsule(k.length, k.radius); }},
    {"cylinder", "a round column along y", "radius height", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_cylinder(k.radius, k.height); }},
    {"cone", "a cone along y, cut off where `top` is not zero", "radius top height", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_cone(k.radius, k.top, k.height); }},
    {"plate", "a block with a round hole along y", "size hole", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_plate(k.size, k.hole); }},
    {"bowl", "a spherical shell, open above", "radius thickness rim", 0, 0,
     [](const SolidKeys& k, const Parts&) {
       return make_bowl(k.radius, k.thickness.value_or(kThick), k.rim);
     }},
    {"half-space", "everything below a plane through the origin, to cut others with", "normal", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_half_space(k.normal); }},
    {"plane", "another name of half-space: as an obstacle a ground, a wall or a ramp", "normal", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_half_space(k.normal); }},
    {"creature", "an animal with limbs, ears and a tail", "extent", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_creature(k.extent); }},
    {"duck", "a duck", "extent", 0, 0, [](const SolidKeys& k, const Parts&) { return make_duck(k.extent); }},
    {"hippo", "a hippopotamus", "extent", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_hippo(k.extent); }},
    {"teddy", "a teddy bear", "extent", 0, 0,
     [](const SolidKeys& k, const Parts&) { return make_teddy(k.extent); }},
    {"surface",
     "what the closed surface in `file` encloses; small holes, overlaps and turned triangles do not matter",
     "file", 0, 0,
     [](const SolidKeys& k, const Parts&) {
       return make_surface_shape(triangles_of(read_surface(k.file)), k.file);
     }},
    {"union", "all parts together", "", 1, kAnyNumberOfParts,
     [](const SolidKeys&, const Parts& parts) { return folded(parts, unite); }},
    {"smooth-union", "all parts grown together, inner edges filled", "blend", 1, kAnyNumberOfParts,
     [](const SolidKeys& k, const Parts& parts) {
       return folded(parts,
                     [&](const ShapePointer& a, const ShapePointer& b) { return blend(a, b, k.blend); });
     }},
    {"difference", "the first part without the others", "", 2, kAnyNumberOfParts,
     [](const SolidKeys&, const Parts& parts) { return folded(parts, subtract); }},
    {"intersection", "what all parts have in common", "", 2, kAnyNumberOfParts,
     [](const SolidKeys&, const Parts& parts) { return folded(parts, intersect); }},
    {"shell", "the skin of its part, below its surface", "thickness", 1, 1,
     [](const SolidKeys& k, const Parts& parts) { return hollow(parts[0], k.thickness.value_or(kThick)); }},
    {"mirror", "its part on the positive side of a plane, and the image of that", "mirror", 1, 1,
     [](const SolidKeys& k, const Parts& parts) { return mirror(parts[0], k.mirror[0] - 'x'); }},
};

constexpr Choice kRectangle = {"rectangle",
                               "a planar body of triangles in the plane of x and y, centred at the origin, "
                               "which deforms in this plane only (plane strain)"};
constexpr Choice kAxes[] = {{"x", "the plane x = 0"}, {"y", "the plane y = 0"}, {"z", "the plane z = 0"}};
constexpr Choice kElements[] = {
    {"tetrahedra", "fit any shape"},
    {"hexahedra",
     "trilinear bricks: the cells of a regular box, or of a grid where their centres are inside of the "
     "shape; "
     "its surface is stepped"},
};

constexpr Choice kFits[] = {
    {"surface", "vertices lie on the surface; sharp edges of the shape are cut off a little"},
    {"edges", "vertices also lie on sharp edges and corners; elements are a little less well shaped"},
};

const SolidKind* find_kind(const std::string& name) {
  const auto found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const SolidKind& kind) { return kind.name == name; });
  return found == std::end(kKinds) ? nullptr : found;
}

bool is_word_of(std::string_view word, std::string_view words) {
  for (size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

std::span<const Choice> solid_choices() {
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> all;
    for (const SolidKind& kind : kKinds) all.push_back({kind.name, kind.summary});
    return all;
  }();
  return choices;
}

/// Of what has no inside.
std::string_view keys_of_flat(const std::string& kind) {
  if (kind == "cloth") return "length thickness";
  if (kind == "cloth-disc") return "radius thickness";
  if (kind == "sheet") return "file thickness";
  if (kind == "ribbon") return "length radius thickness";
  if (kind == "strand") return "length radius thickness file";
  return "size";
}

/// All keys of a part except its kind.
void describe_solid(Visitor& visit, SolidKeys& keys) {
  const SolidKind* kind = find_kind(keys.kind);
  const std::string_view own = kind != nullptr ? kind->keys : keys_of_flat(keys.kind);
  const auto has = [&](std::string_view key) { return visit.shows_everything() || is_word_of(key, own); };
  const auto number = [&](std::string_view name, std::string_view meaning, double& field,
                          Range range = kPositive) {
    if (has(name)) visit.value({.name = name, .meaning = meaning, .unit = "m", .range = range}, field);
  };
  if (has("size"))
    visit.value(
        {.name = "size",
         .meaning = "lengths of the sides of a box or plate; of a rectangle its width, height and thickness",
         .unit = "m",
         .range = kPositive},
        keys.size);
  number("round", "radius of the edges of a box", keys.round, at_least(0));
  number("radius",
         "of a sphere, capsule, cylinder, bowl (outside), cloth disc, circle or helix, or of a cone at its "
         "bottom",
         keys.radius);
  if (has("radii"))
    visit.value({.name = "radii", .meaning = "half axes of an ellipsoid", .unit = "m", .range = kPositive},
                keys.radii);
  number("major", "radius of the ring of a torus", keys.major);
  number("minor", "half the thickness of the ring of a torus", keys.minor);
  number("length",
         "of the segment of a capsule, between the centres of its ends; of cloth along x; of a line",
         keys.length);
  number("height", "of a cylinder or cone", keys.height);
  number("top", "radius of a cone at its top", keys.top, at_least(0));
  number("hole", "radius of the hole of a plate", keys.hole);
  if (has("thickness"))
    visit.value(
        {.name = "thickness",
         .meaning = "of a bowl or shell, 0.1 m unless given; of cloth and ribbons, 1 mm; of a strand, 5 mm",
         .unit = "m",
         .range = kPositive},
        keys.thickness);
  number("rim", "height of the rim of a bowl over the centre of its sphere", keys.rim, kAnyNumber);
  if (has("normal"))
    visit.value({.name = "normal", .meaning = "direction out of a half-space or plane"}, keys.normal);
  number("extent", "height of a figure, or its length where it is longer than tall", keys.extent);
  if (has("file"))
    visit.value({.name = "file",
                 .meaning = "a surface (.obj, .ply, .stl, .glb), relative to the scene file; of a file of "
                            "tetrahedra their surface"},
                keys.file);
  number("blend", "of a smooth union: how far from inner edges it is filled, as a difference of distances",
         keys.blend);
  if (has("mirror"))
    visit.value({.name = "mirror", .meaning = "across which plane", .choices = kAxes}, keys.mirror);
  const size_t most = kind != nullptr ? kind->most : 0;
  if (visit.shows_everything() || most > 0) {
    visit.list({.name = "parts",
                .meaning = "the shapes that a union, smooth-union, difference, intersection, shell or mirror "
                           "is made of, each a table like "
                           "this one without the keys of the mesh (from `cells` on)",
                .recursive = true},
               keys.parts);
    const size_t given = keys.parts.size();
    visit.rule(kind == nullptr || (given >= kind->least && given <= kind->most), "parts",
               format("{} takes {}, here {} given", keys.kind,
                      most == 1 ? "one part"
                                : format("at least {} part{}", kind ? kind->least : 0,
                                         kind && kind->least == 1 ? "" : "s"),
                      given == 0 ? "none is" : format("{} {}", given, given == 1 ? "is" : "are")));
  }
  if (kind == nullptr && !visit.shows_everything()) return;
  visit.value({.name = "scale", .meaning = "by how much the shape is enlarged", .range = kPositive},
              keys.scale);
  visit.table({.name = "rotate", .meaning = "turn about the origin, after the scale"}, keys.rotate);
  visit.value({.name = "translate", .meaning = "move, after the turn", .unit = "m"}, keys.translate);
}

/// Figures have ears, plates are thin.
double usual_cell(const Shape& shape, const std::string& kind) {
  const bool figure = kind == "creature" || kind == "duck" || kind == "hippo" || kind == "teddy";
  const Vec3 size = shape.bounds().sizes();
  constexpr double kAcross = 20, kAcrossFigure = 45, kThrough = 4, kMost = 1e5;
  const double cell = size.norm() / (figure ? kAcrossFigure : kAcross);
  return std::max(std::min(cell, size.minCoeff() / kThrough), std::cbrt(size.prod() / kMost));
}

TetMesh meshed(const Shape& shape, const ShapeKeys& keys) {
  if (shape.bounds().isEmpty()) throw InputError("the shape is empty: its parts have nothing in common");
  if (!shape.bounds().sizes().allFinite())
    throw InputError("a half-space has no end; cut another shape with it, or make it an obstacle");
  if (keys.elements == "hexahedra")
    return make_voxels(shape, keys.cell ? *keys.cell : usual_cell(shape, keys.kind));
  MeshingOptions options{.cell = keys.cell ? *keys.cell : usual_cell(shape, keys.kind),
                         .grading = keys.grading,
                         .sharp = keys.fit == "edges"};
  for (const RefineKeys& ball : keys.refine)
    options.refinements.push_back({ball.center, ball.radius, ball.cell});
  return mesh_shape(shape, options);
}

bool is_placed(const SolidKeys& keys) {
  return keys.scale != 1 || keys.rotate.angle != 0 || keys.translate != Vec3::Zero();
}

void require_file(const SolidKeys& keys) {
  if (keys.file.empty()) throw InputError("a surface needs a file; add file = \"...\"");
}

/// Where `scale`, `rotate` and `translate` put things, in this order.
struct Placement {
  explicit Placement(const SolidKeys& keys)
      : scale(keys.scale),
        turn(Eigen::AngleAxisd(keys.rotate.angle * std::numbers::pi / 180, keys.rotate.axis.normalized())),
        move(keys.translate) {}
  Vec3 operator()(const Vec3& point) const { return turn * (scale * point) + move; }

  double scale;
  Eigen::Quaterniond turn;
  Vec3 move;
};

/// Whether it is a block of regular cells and not a signed distance.
bool is_block(const ShapeKeys& keys) {
  return keys.kind == "box" && !keys.cell && keys.round == 0 && !is_placed(keys) && keys.grading == 0 &&
         keys.fit == "surface" && keys.refine.empty();
}

}  // namespace

void describe(Visitor& visit, RotationKeys& keys) {
  visit.value({.name = "axis", .meaning = "direction of the axis, of any length but zero"}, keys.axis);
  visit.value(
      {.name = "angle", .meaning = "by how much, counter-clockwise seen against the axis", .unit = "deg"},
      keys.angle);
  visit.rule(keys.axis.squaredNorm() > 0, "axis",
             "axis has no length; give the direction to turn about, for instance [0, 1, 0]");
}

void describe(Visitor& visit, RefineKeys& keys) {
  visit.value({.name = "center", .meaning = "of the ball", .unit = "m", .required = true}, keys.center);
  visit.value({.name = "radius", .meaning = "of the ball", .unit = "m", .range = kPositive, .required = true},
              keys.radius);
  visit.value({.name = "cell",
               .meaning = "side of the cells in it",
               .unit = "m",
               .range = kPositive,
               .required = true},
              keys.cell);
}

void describe(Visitor& visit, SolidKeys& keys) {
  visit.value({.name = "kind", .meaning = "which shape", .choices = solid_choices(), .required = true},
              keys.kind);
  describe_solid(visit, keys);
}

void describe(Visitor& visit, ShapeKeys& keys) {
  visit.value({.name = "kind", .meaning = "which shape", .choices = shape_choices()}, keys.kind);
  describe_solid(visit, keys);
  const bool all = visit.shows_everything(), planar = keys.kind == "rectangle", thin = is_thin(keys.kind);
  if (all || thin) describe_thin(visit, keys);
  if (all || planar || thin || keys.kind == "box") {
    visit.value({.name = "cells",
                 .meaning = "cells along each side of a box that is meshed regularly; a rectangle, cloth and "
                            "ribbons (along, across) take the first two, a cloth-disc (from its centre) and "
                            "a strand the first",
                 .range = at_least(1)},
                keys.cells);
    const double cells = 1.0 * keys.cells[0] * keys.cells[1] * (planar || thin ? 1 : keys.cells[2]);
    visit.rule(
        cells <= kMostCells, "cells",
        format("{:.3g} cells are too many, at most {:.0e} are possible; use fewer", cells, kMostCells));
  }
  if (all || keys.kind == "box" || planar)
    visit.value({.name = "tets_per_cell",
                 .meaning = "elements that a cell of such a box is cut into: 5 (mirrored in every other "
                            "cell, so that no direction "
                            "is preferred) or 6 (all cells alike)",
                 .range = between(5, 6)},
                keys.tets_per_cell);
  if ((planar || thin) && !all) return;
  visit.value({.name = "elements", .meaning = "what the mesh is made of", .choices = kElements},
              keys.elements);
  visit.value(
      {.name = "cell",
       .meaning = "side of the cells at the surface of a shape that is not meshed regularly; a "
                  "twentieth of its diagonal unless given (of a figure a 45th), but at most a quarter "
                  "of its smallest extent",
       .unit = "m",
       .range = kPositive},
      keys.cell);
  visit.rule(
      all || keys.kind != "box" || !keys.cell || keys.cells == ShapeKeys().cells, "cells",
      "cells makes a box of regular cells and cell one that is meshed like other shapes; leave one out");
  visit.value(
      {.name = "grading",
       .meaning =
           "by how much the side of cells grows for every metre below the surface; 0 makes all cells equal",
       .range = between(0, 1)},
      keys.grading);
  visit.value({.name = "fit", .meaning = "what vertices are put onto", .choices = kFits}, keys.fit);
  visit.list({.name = "refine", .meaning = "balls in which cells are smaller"}, keys.refine);
  // Once all of these are read.
  visit.rule(all || keys.elements == "tetrahedra" ||
                 (keys.grading == 0 && keys.fit == "surface" && keys.refine.empty()),
             "elements", "hexahedra are all alike; leave out grading, fit and refine, or use tetrahedra");
}

std::span<const Choice> shape_choices() {
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> all(solid_choices().begin(), solid_choices().end());
    all.insert(all.begin() + 1, kRectangle);
    all.insert(all.end(), thin_choices().begin(), thin_choices().end());
    return all;
  }();
  return choices;
}

bool has_surface(const SolidKeys& keys) {
  return keys.kind == "surface" || std::any_of(keys.parts.begin(), keys.parts.end(), has_surface);
}

void complete_paths(SolidKeys& keys, const std::filesystem::path& folder) {
  if (!keys.file.empty())
    keys.file = std::filesystem::absolute(folder / keys.file).lexically_normal().string();
  for (SolidKeys& part : keys.parts) complete_paths(part, folder);
}

ShapePointer make_solid_shape(const SolidKeys& keys) {
  const SolidKind* kind = find_kind(keys.kind);
  if (kind == nullptr) throw InputError(format("a {} has no inside", keys.kind));
  if (keys.kind == "surface") require_file(keys);
  Parts parts;
  for (const SolidKeys& part : keys.parts) parts.push_back(make_solid_shape(part));
  const ShapePointer shape = kind->make(keys, parts);
  if (!is_placed(keys)) return shape;
  const Placement placement(keys);
  return moved(shape, placement.scale, placement.turn, placement.move);
}

PaintedMesh make_shape(const ShapeKeys& keys) {
  if (is_thin(keys.kind)) return make_thin(keys);
  if (keys.kind == "rectangle")
    return {make_rectangle({.size = keys.size, .cells = {keys.cells[0], keys.cells[1]}})};
  if (is_block(keys))
    return {make_box({.size = keys.size,
                      .cells = keys.cells,
                      .tets_per_cell = keys.tets_per_cell,
                      .hexahedra = keys.elements == "hexahedra"})};
  if (keys.kind != "surface") return {meshed(*make_solid_shape(keys), keys)};
  require_file(keys);
  MeshContents surface = read_surface(keys.file);
  const Placement placement(keys);
  for (Vec3& vertex : surface.vertices) vertex = placement(vertex);
  return fill_surface(surface, keys.file, keys);
}

PaintedMesh fill_surface(const MeshContents& surface, const std::string& file, const ShapeKeys& meshing) {
  const TriangleMesh triangles = triangles_of(surface);
  const std::string cloth = ", or take it as cloth: shape = { kind = \"sheet\", file = ... }";
  TetMesh mesh = meshed(*make_surface_shape(triangles, file, cloth), meshing);
  std::vector<PointData> fields = carry_over(triangles, surface.fields, mesh.vertices);
  return {std::move(mesh), std::move(fields)};
}

ShapeKeys parse_shape(const std::string& words) {
  std::string text;
  if (words.find('{') != std::string::npos) {
    text = format("shape = {}", words);
  } else {
    std::istringstream rest(words);
    std::string word, kind;
    rest >> kind;
    text = format("shape = {{ kind = {}", toml_text(kind));
    while (rest >> word) {
      // Lists may hold spaces: size=[1, 2, 3].
      for (std::string more; std::ranges::count(word, '[') > std::ranges::count(word, ']') && rest >> more;)
        word += more;
      // Texts need no quotes here: curve=helix.
      const size_t value = word.find('=') + 1;
      const bool bare =
          value > 0 && value < word.size() && std::isalpha(static_cast<unsigned char>(word[value]));
      text += ", " + (bare ? word.substr(0, value) + toml_text(word.substr(value)) : word);
    }
    text += " }";
  }
  const Value document = parse_toml(text, "--shape");
  const Value* table = document.find("shape");
  if (table == nullptr || table->kind != Value::Kind::table)
    throw InputError("--shape takes a kind and keys, as in 'torus major=0.5', or a table in braces");
  Reader reader(*table);
  ShapeKeys keys;
  reader.read(keys);
  std::vector<Complaint> complaints = reader.complaints();
  for (Complaint& complaint : complaints) complaint.line = complaint.column = 0;
  if (!complaints.empty()) throw InputError(std::move(complaints));
  return keys;
}

}  // namespace pliant

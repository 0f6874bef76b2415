// Sheets and strands in scene files.
#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/cloth.hpp"
#include "pliant/mesh/merge.hpp"
#include "pliant/mesh/ribbon.hpp"
#include "pliant/mesh/strand.hpp"
#include "pliant/mesh_file/mesh_file.hpp"
#include "pliant/scene/shape_keys.hpp"

namespace pliant {

namespace {

constexpr Choice kThinKinds[] = {
    {"cloth", "a rectangle of cloth in the plane y = 0"},
    {"cloth-disc", "a disc of cloth in the plane y = 0"},
    {"sheet", "the triangles in `file` as cloth"},
    {"ribbon", "a strip along a curve"},
    {"strand", "a thread along a curve, or the lines in `file` (.vtu)"},
};
constexpr Choice kPatterns[] = {
    {"regular", "every cell of a cloth cut along the same diagonal"},
    {"alternating", "along the other diagonal in every other cell; the default of cloth"},
    {"rings", "rings of triangles around the centre of a disc; its default"},
    {"delaunay", "irregular, which prefers no direction"},
};
constexpr Choice kCurves[] = {
    {"line", "`length` long, along x"},
    {"circle", "of `radius`, in the plane y = 0"},
    {"helix", "`turns` turns of `radius` around the y axis"},
    {"polyline", "straight from one of `points` to the next"},
    {"spline", "smooth, through all `points`"},
    {"closed-polyline", "back to the first point at the end"},
    {"closed-spline", "back to the first point at the end"},
};
constexpr Choice kRests[] = {
    {"as-made", "along its curve"},
    {"flat", "straight and flat; the curve bends it"},
};

constexpr double kSheetThickness = 1e-3, kStrandThickness = 5e-3, kRibbonWidth = 0.02;

CurveShape curve_of(const ShapeKeys& keys) {
  CurveShape curve;
  const std::string& name = keys.curve;
  const auto is = [&](std::string_view kind) { return name == kind || name == format("closed-{}", kind); };
  curve.kind = name == "circle"  ? CurveKind::kCircle
               : name == "helix" ? CurveKind::kHelix
               : is("polyline")  ? CurveKind::kPolyline
               : is("spline")    ? CurveKind::kSpline
                                 : CurveKind::kLine;
  curve.length = keys.length;
  curve.radius = keys.radius;
  curve.pitch = keys.pitch;
  curve.turns = keys.turns;
  for (const PointKeys& point : keys.points) curve.points.push_back(point.at);
  curve.closed = name.starts_with("closed-");
  return curve;
}

PaintedMesh sheet_of(const ShapeKeys& keys, double thickness) {
  if (keys.file.empty()) throw InputError("a sheet needs a file; add file = \"...\"");
  // Programs write vertices once for every normal and texture coordinate: loose triangles.
  MeshContents contents = tidied_triangles(merge_equal_vertices(skin_of(read_mesh_file(keys.file))));
  if (contents.triangles.empty())
    throw InputError(Complaint{keys.file, 0, 0, "there are no triangles in it to make a sheet of"});
  return {make_sheet({std::move(contents.vertices), std::move(contents.triangles)}, thickness),
          std::move(contents.fields)};
}

PaintedMesh strand_of(const ShapeKeys& keys, double thickness) {
  PaintedMesh made;
  if (keys.file.empty()) {
    StrandMesh strand = make_strand(curve_of(keys), keys.cells[0]);
    made.mesh.vertices = std::move(strand.vertices);
    made.mesh.edges = std::move(strand.edges);
  } else {
    MeshContents contents = read_mesh_file(keys.file);
    if (contents.edges.empty())
      throw InputError(Complaint{keys.file, 0, 0, "there are no lines in it to make a strand of"});
    made.mesh.vertices = std::move(contents.vertices);
    made.mesh.edges = std::move(contents.edges);
    made.fields = std::move(contents.fields);
  }
  made.mesh.thickness = thickness;
  return made;
}

}  // namespace

std::span<const Choice> thin_choices() { return kThinKinds; }

bool is_thin(const std::string& kind) {
  return std::any_of(std::begin(kThinKinds), std::end(kThinKinds),
                     [&](const Choice& choice) { return choice.name == kind; });
}

void describe(Visitor& visit, PointKeys& keys) {
  visit.value({.name = "at", .meaning = "its place", .unit = "m", .required = true}, keys.at);
}

void describe_thin(Visitor& visit, ShapeKeys& keys) {
  const bool all = visit.shows_everything(), cloth = keys.kind == "cloth", ribbon = keys.kind == "ribbon";
  const bool curved = ribbon || keys.kind == "strand";
  if (all || cloth || ribbon)
    visit.value({.name = "width",
                 .meaning = "of cloth along z, as much as its length unless given; of a ribbon, 2 cm",
                 .unit = "m",
                 .range = kPositive},
                keys.width);
  if (all || cloth || keys.kind == "cloth-disc") {
    visit.value({.name = "pattern", .meaning = "how cloth is cut into triangles", .choices = kPatterns},
                keys.pattern);
    const std::string wrong = cloth ? "rings" : keys.pattern == "regular" ? "regular" : "alternating";
    visit.rule(all || keys.pattern != wrong, "pattern",
               format("a {} cannot have the pattern {}", keys.kind, wrong));
  }
  if (!all && !curved) return;
  visit.value({.name = "curve", .meaning = "of a ribbon or strand", .choices = kCurves}, keys.curve);
  visit.value({.name = "pitch", .meaning = "height of a turn of a helix", .unit = "m", .range = kPositive},
              keys.pitch);
  visit.value({.name = "turns", .meaning = "of a helix", .range = kPositive}, keys.turns);
  visit.list({.name = "points", .meaning = "of a polyline or spline, in order"}, keys.points);
  if (!all && !ribbon) return;
  visit.value({.name = "twist",
               .meaning = "turns that a ribbon makes around its curve, more than it must; half turns close a "
                          "Moebius band"},
              keys.twist);
  visit.value({.name = "up", .meaning = "what a ribbon faces where it begins"}, keys.up);
  visit.value({.name = "rest", .meaning = "the shape in which a ribbon has no tension", .choices = kRests},
              keys.rest);
}

double thickness_of(const ShapeKeys& keys) {
  return keys.thickness.value_or(keys.kind == "strand" ? kStrandThickness : kSheetThickness);
}

PaintedMesh make_thin(const ShapeKeys& keys) {
  const double thickness = thickness_of(keys);
  if (keys.kind == "sheet") return sheet_of(keys, thickness);
  if (keys.kind == "cloth") {
    const std::string pattern = keys.pattern.value_or("alternating");
    return {
        make_sheet(make_cloth_rectangle({.size = {keys.length, keys.width.value_or(keys.length)},
                                         .cells = {keys.cells[0], keys.cells[1]},
                                         .pattern = pattern == "regular"    ? ClothPattern::kRegular
                                                    : pattern == "delaunay" ? ClothPattern::kDelaunay
                                                                            : ClothPattern::kAlternating}),
                   thickness)};
  }
  if (keys.kind == "cloth-disc")
    return {make_sheet(make_cloth_disc({.radius = keys.radius,
                                        .cell = keys.radius / keys.cells[0],
                                        .pattern = keys.pattern == "delaunay" ? DiscPattern::kDelaunay
                                                                              : DiscPattern::kRings}),
                       thickness)};
  if (keys.kind == "ribbon") {
    Ribbon ribbon = make_ribbon({.curve = curve_of(keys),
                                 .width = keys.width.value_or(kRibbonWidth),
                                 .cells = {keys.cells[0], keys.cells[1]},
                                 .twist = keys.twist,
                                 .up = keys.up,
                                 .rest = keys.rest == "flat" ? RibbonRest::kFlat : RibbonRest::kAsMade});
    return {make_sheet(std::move(ribbon.rest), thickness), {}, std::move(ribbon.start)};
  }
  return strand_of(keys, thickness);
}

}  // namespace pliant

#include "mesh.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "pliant/base/error.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/merge.hpp"
#include "pliant/mesh/quality.hpp"
#include "pliant/mesh_file/mesh_file.hpp"
#include "pliant/scene/shape_keys.hpp"
#include "pliant/shape/surface_shape.hpp"

namespace pliant {

namespace {

void print(const std::string& line) { std::printf("%s\n", line.c_str()); }

std::string extents(const Vec3& size) {
  return format("{:.4g} x {:.4g} x {:.4g} m", size.x(), size.y(), size.z());
}

/// Files carry no units. What is meant to be seen is rarely this large or small.
void guess_units(const Vec3& size) {
  const double widest = size.maxCoeff();
  if (widest > 20)
    print(
        format("units        {:.4g} m is large: if the file is in millimetres, use --scale 0.001; if in "
               "centimetres, 0.01",
               widest));
  else if (widest < 2e-3 && widest > 0)
    print(format("units        {:.4g} m is small: if it should be larger, use --scale, for instance 1000",
                 widest));
  else
    print("units        metres, by the size of it");
}

template <class Counts>
void print_histogram(const char* title, const Counts& counts, double width, const char* unit) {
  const Index most = std::max<Index>(1, *std::max_element(counts.begin(), counts.end()));
  print(title);
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    constexpr Index kColumns = 50;
    print(format("  {:>5.4g} to {:>4.4g}{} {:>9} {}", static_cast<double>(i) * width,
                 static_cast<double>(i + 1) * width, unit, counts[i],
                 std::string(static_cast<size_t>(std::max<Index>(1, kColumns * counts[i] / most)), '#')));
  }
}

void report_volume(const TetMesh& mesh) {
  const MeshQuality quality = measure_quality(mesh);
  print(format(
      "vertices     {}{}", quality.vertices,
      quality.unused_vertices > 0 ? format(", {} of them in no element", quality.unused_vertices) : ""));
  print(format("tetrahedra   {}, {} triangles on the surface", quality.tets, quality.surface_triangles));
  print(format("components   {}", quality.components));
  print(format("size         {}, volume {:.6g} m^3", extents(quality.size), quality.volume));
  print(format("edges        {:.4g} to {:.4g} m", quality.shortest_edge, quality.longest_edge));
  print(format("angles       {:.1f} to {:.1f} degrees between faces", quality.smallest_angle,
               quality.largest_angle));
  print(format("shape        {:.3f} at least, {:.3f} on average (3 x inscribed / circumscribed radius)",
               quality.smallest_ratio, quality.mean_ratio));
  print(format("degenerate   {}, inverted {}", quality.degenerate, quality.inverted));
  guess_units(quality.size);
  print_histogram("dihedral angles", quality.angles, 10, " deg");
  print_histogram("radius ratios", quality.ratios, 0.1, "");
}

void report_surface(const TriangleMesh& mesh) {
  const SurfaceReport report = examine(weld(mesh));
  print(format("vertices     {}, {} places", mesh.vertices.size(), report.vertices));
  print(format("triangles    {}", report.triangles));
  print(format("components   {}", report.components));
  print(format("size         {}, area {:.6g} m^2, volume inside {:.6g} m^3", extents(report.size),
               report.area, report.volume));
  print(format("open edges   {} in {} hole{}{}", report.boundary_edges, report.holes.size(),
               report.holes.size() == 1 ? "" : "s",
               report.holes.empty() ? ""
                                    : format(", the largest {:.3g} m across around [{:.4g}, {:.4g}, {:.4g}]",
                                             report.holes[0].extent, report.holes[0].centre.x(),
                                             report.holes[0].centre.y(), report.holes[0].centre.z())));
  if (report.crowded_edges > 0)
    print(format("crowded      {} edges of more than two triangles", report.crowded_edges));
  guess_units(report.size);
}

void report_fields(const MeshContents& mesh) {
  std::string names;
  for (const PointData& field : mesh.fields) {
    const auto [low, high] = std::minmax_element(field.values.begin(), field.values.end());
    names +=
        format("{}{}{}{}", names.empty() ? "" : ", ", field.name, field.components == 3 ? " (vector)" : "",
               field.values.empty() ? "" : format(" {:.4g} to {:.4g}", *low, *high));
  }
  if (!names.empty()) print("fields       " + names);
}

void warn_of_lost_fields(const MeshContents& mesh, const std::filesystem::path& output) {
  const std::string ending = output.extension().string();
  std::string lost;
  for (const PointData& field : mesh.fields)
    if (ending == ".mesh" || ending == ".stl" || (ending == ".obj" && field.name != "colour"))
      lost += (lost.empty() ? "" : ", ") + field.name;
  if (!lost.empty()) log::warn(format("{} files hold no fields; left out: {}", ending, lost));
}

void report_strand(const MeshContents& mesh) {
  double length = 0;
  for (const auto& [a, b] : mesh.edges) length += (mesh.vertices[a] - mesh.vertices[b]).norm();
  print(format("vertices     {}", mesh.vertices.size()));
  print(format("edges        {}", mesh.edges.size()));
  print(format("length       {:.6g} m", length));
}

/// Tetrahedra that are inside out get two corners swapped.
void repair_orientation(MeshContents& mesh) {
  Index turned = 0;
  for (auto& [a, b, c, d] : mesh.tets) {
    if (signed_volume(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], mesh.vertices[d]) >= 0) continue;
    std::swap(c, d);
    ++turned;
  }
  if (turned > 0)
    log::info(
        format("turned {} tetrahedr{} that had the opposite orientation", turned, turned == 1 ? "on" : "a"));
}

/// What is not said on the command line is as in the shape.
void apply_meshing(const MeshOptions& options, ShapeKeys& keys) {
  if (options.cell) keys.cell = options.cell;
  if (options.grading > 0) keys.grading = options.grading;
  if (options.fit) keys.fit = "edges";
}

MeshContents filled(const MeshContents& surface, const MeshOptions& options) {
  ShapeKeys meshing;
  apply_meshing(options, meshing);
  const Timer timer;
  MeshContents mesh = contents_of(fill_surface(surface, options.input, meshing));
  log::info(format("meshed in {:.3g} s", timer.seconds()));
  return mesh;
}

MeshContents load(const MeshOptions& options) {
  if (options.input.empty() == options.shape.empty())
    throw InputError("give either a file to read or a --shape; see pliant mesh --help");
  if (!options.input.empty()) return read_mesh_file(options.input);
  ShapeKeys keys = parse_shape(options.shape);
  apply_meshing(options, keys);
  complete_paths(keys, ".");
  const Timer timer;
  MeshContents mesh = contents_of(make_shape(keys));
  log::info(format("meshed in {:.3g} s", timer.seconds()));
  return mesh;
}

}  // namespace

int mesh_command(const MeshOptions& options) {
  std::error_code different;
  if (!options.input.empty() && !options.output.empty() &&
      std::filesystem::equivalent(options.input, options.output, different))
    throw InputError(format("{} would be written over; give another name to -o", options.input));
  MeshContents mesh = load(options);
  for (Vec3& vertex : mesh.vertices) {
    vertex *= options.scale;
    if (!vertex.allFinite())
      throw InputError(format("--scale {} makes coordinates that are no numbers", options.scale));
  }
  if (options.merge) {
    const size_t before = mesh.vertices.size();
    mesh = merge_equal_vertices(mesh);
    log::info(format("merged {} of {} vertices with others at the same place", before - mesh.vertices.size(),
                     before));
  }
  repair_orientation(mesh);
  const bool is_surface = mesh.tets.empty() && !mesh.triangles.empty() && !options.input.empty();
  if (mesh.tets.empty() && mesh.triangles.empty() && mesh.edges.empty())
    throw InputError(Complaint{options.input, 0, 0, "there are neither tetrahedra nor triangles in it"});
  const bool wants_volume =
      options.output.empty() ? options.cell.has_value() : !holds_surfaces_only(options.output);
  if (is_surface && wants_volume && !options.surface)
    mesh = filled(mesh, options);
  else if (!options.input.empty() && (options.cell || options.fit || options.grading > 0))
    log::warn("nothing is meshed here, so --cell, --grading and --fit change nothing");
  const bool is_strand = mesh.tets.empty() && mesh.triangles.empty();
  if (is_strand && !options.output.empty() && !holds_strands(options.output))
    throw InputError(
        format("{} cannot hold a strand, which has neither tetrahedra nor triangles; write a .vtu file",
               options.output));
  if (!options.output.empty()) warn_of_lost_fields(mesh, options.output);
  if (!options.output.empty())
    write_mesh_file(options.output, mesh, options.binary ? FileEncoding::kBinary : FileEncoding::kText);
  report_fields(mesh);
  if (is_strand)
    report_strand(mesh);
  else if (mesh.tets.empty())
    report_surface({mesh.vertices, mesh.triangles});
  else
    report_volume(body_of(mesh));
  if (!options.output.empty()) log::info(format("wrote {}", options.output));
  return 0;
}

}  // namespace pliant

#include "pliant/run/summary.hpp"

#include <array>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/version.hpp"
#include "pliant/linear/dense_front.hpp"
#include "pliant/run/steps_table.hpp"

namespace pliant {

namespace {

Json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

/// What the file of a body holds: of a sheet its triangles, not its edges, and of hexahedra the tetrahedra
/// that they fall into.
size_t cells_in_file(const TetMesh& mesh) {
  if (!mesh.hexes.empty()) return mesh.tets.size();
  return mesh.triangles.empty() ? mesh.element_count() : mesh.triangles.size();
}

Json bodies_json(const std::vector<SummaryHead::Body>& bodies) {
  Json list = Json::array();
  for (const SummaryHead::Body& body : bodies) {
    Json& entry = list.emplace_back(Json{{"name", body.name},
                                         {"vertices", body.vertices},
                                         {"elements", body.elements},
                                         {"sheet", body.sheet}});
    if (body.color) entry["color"] = to_json(*body.color);
  }
  return list;
}

/// How many elements have left their bodies since the start.
int torn_elements(const Model& model, const std::vector<SummaryHead::Body>& start) {
  int count = 0;
  for (const SummaryHead::Body& body : start) count += body.elements;
  for (const Body& body : model.bodies) count -= head_of(body).elements;
  return count;
}

Json obstacles_json(const Model& model) {
  Json list = Json::array();
  for (const Obstacle& obstacle : model.obstacles)
    list.push_back({{"name", obstacle.name},
                    {"contact", name(obstacle.way)},
                    {"friction", obstacle.friction},
                    {"unbounded", obstacle.unbounded()}});
  return list;
}

Json to_json(const Energies& energies) {
  Json json = {{"kinetic", energies.kinetic}};
  for (const auto& [name, energy] : energies.potentials) json[name] = energy;
  json["total"] = energies.total();
  return json;
}

Json final_json(const Simulation& simulation, const Energies& energies) {
  const Momenta momentum = momenta(simulation.model->mass, simulation.state);
  Json json = to_json(energies);
  json["linear_momentum"] = to_json(momentum.linear);
  json["angular_momentum"] = to_json(momentum.angular);
  json["inverted_elements"] = simulation.model->inverted_elements(simulation.state.x);
  return json;
}

Json failures_json(const std::vector<FailedStep>& failures) {
  Json list = Json::array();
  for (const FailedStep& failure : failures)
    list.push_back({{"step", failure.step},
                    {"time", failure.time},
                    {"status", failure.status},
                    {"body", failure.body},
                    {"element", failure.element},
                    {"force", failure.force},
                    {"message", failure.message}});
  return list;
}

Json seconds_json(const PhaseSeconds& seconds) {
  return {{"total", seconds.total},
          {"assembly", seconds.assembly},
          {"linear_solve", seconds.linear_solve},
          {"line_search", seconds.line_search},
          {"contact", seconds.contact},
          {"output", seconds.output}};
}

size_t element_count(const Model& model) {
  size_t count = 0;
  for (const Body& body : model.bodies) count += body.rest.element_count();
  return count;
}

}  // namespace

SummaryHead::Body head_of(const Body& body) {
  return {.name = body.name,
          .vertices = static_cast<int>(body.rest.vertices.size()),
          .elements = static_cast<int>(cells_in_file(body.rest)),
          .sheet = body.rest.thin() && !body.rest.triangles.empty(),
          .color = body.color};
}

std::string summary_text(const Simulation& simulation, const RunProgress& progress) {
  const RunTotals& totals = progress.totals;
  const Json summary = {{"scene", simulation.name},
                        {"status", progress.status},
                        {"version", version()},
                        {"flags", build_flags()},
                        {"build", build_id()},
                        {"cpu", cpu_name()},
                        {"simd_width", simd_width()},
                        {"blas", blas_in_use()},
                        {"threads", threads()},
                        {"seed", simulation.seed},
                        {"scheme", simulation.scheme_name},
                        {"solver", simulation.solver_name},
                        {"tolerance", simulation.tolerance},
                        {"frame_rate", simulation.frame_rate},
                        {"steps_per_frame", simulation.steps_per_frame},
                        {"step_tolerance", simulation.step_tolerance.value_or(0)},
                        {"dofs", simulation.model->dof_count()},
                        {"elements", element_count(*simulation.model)},
                        {"bodies", bodies_json(progress.bodies)},
                        {"torn_elements", torn_elements(*simulation.model, progress.bodies)},
                        {"obstacles", obstacles_json(*simulation.model)},
                        {"frames_planned", progress.frames_planned},
                        {"frames", totals.frames},
                        {"steps", totals.steps},
                        {"steps_converged", totals.steps_converged},
                        {"steps_as_asked", totals.steps_as_asked},
                        {"iterations", totals.iterations},
                        {"linear_solves", totals.linear_solves},
                        {"cg_iterations", totals.cg_iterations},
                        {"seconds", seconds_json(totals.seconds)},
                        {"peak_memory_bytes", totals.peak_memory},
                        {"start", to_json(progress.start)},
                        {"final", final_json(simulation, totals.energies)},
                        {"not_converged", failures_json(totals.failures)}};
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

SummaryHead read_summary(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  try {
    const Json summary = parse_json(text);
    SummaryHead head;
    head.name = summary.at("scene").get<std::string>();
    head.frame_rate = summary.at("frame_rate").get<double>();
    for (const Json& body : summary.at("bodies")) {
      head.bodies.push_back({body.at("name").get<std::string>(),
                             body.at("vertices").get<int>(),
                             body.at("elements").get<int>(),
                             body.value("sheet", false),
                             {}});
      if (body.contains("color")) {
        const auto color = body["color"].get<std::array<double, 3>>();
        head.bodies.back().color = Vec3(color[0], color[1], color[2]);
      }
    }
    for (const Json& obstacle : summary.value("obstacles", Json::array()))
      head.obstacles.push_back({obstacle.at("name").get<std::string>(), obstacle.value("unbounded", false)});
    return head;
  } catch (const Json::exception& error) {
    throw InputError(
        Complaint{path.string(), 0, 0, std::string("not the summary of a run: ") + error.what()});
  }
}

bool is_summary(const std::filesystem::path& path) {
  try {
    read_summary(path);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace pliant

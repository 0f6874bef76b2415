#include "pliant/setup/model_builder.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <type_traits>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/setup/description.hpp"
#include "pliant/setup/start.hpp"

namespace pliant {

namespace {

[[noreturn]] void refuse(const BodyOptions& body, const std::string& why) {
  throw InputError(format("body {}: {}", body.name, why));
}

/// Names become names of files.
bool is_plain(const std::string& name) {
  return name.size() <= 100 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '-' || c == '_';
         });
}

/// "body", "body-2", "body-3"; what already has that name is refused.
template <class Named>
void choose_name(const char* what, const std::vector<Named>& others, std::string& name) {
  const auto name_of = [](const auto& other) -> const std::string& {
    if constexpr (std::is_same_v<Named, BodyPlan>)
      return other.options.name;
    else
      return other.name;
  };
  if (name.empty()) name = others.empty() ? what : format("{}-{}", what, others.size() + 1);
  if (!is_plain(name))
    throw InputError(format("\"{}\" cannot be part of a file name; use letters, digits, - and _ only", name));
  for (const Named& other : others)
    if (name_of(other) == name)
      throw InputError(format("two are called {} {}; name one of them otherwise", what, name));
}

void require_numbers(const BodyOptions& body, size_t vertices) {
  const MaterialOptions& m = body.material;
  const auto positive = [&](const char* what, double value) {
    if (!(value > 0 && std::isfinite(value)))
      refuse(body, format("{} is {}; it must be positive", what, value));
  };
  positive("material.young", m.young);
  positive("material.density", m.density);
  if (!(m.poisson >= 0 && m.poisson < 0.5))
    refuse(body, format("material.poisson is {}; it must be at least 0 and less than 0.5", m.poisson));
  for (const double value : {m.volume, m.bending, m.bending_springs, body.damping.stiffness,
                             body.damping.mass, body.damping.ether, body.damping.internal})
    if (!(value >= 0)) refuse(body, format("a stiffness or damping is {}; none may be negative", value));
  for (const auto* places : {&body.positions, &body.velocities})
    if (!places->empty() && places->size() != vertices)
      refuse(body, format("there are {} starts or velocities for {} vertices; give one each, or none",
                          places->size(), vertices));
}

/// Of what the model of a material takes beside its moduli.
std::vector<std::string> complaints_about(const MaterialOptions& material) {
  if (const SolidMaterial* solid = find_solid(material.model))
    return complaints_about(*solid, material.parameters);
  if (material.parameters.empty()) return {};
  return {format("{} takes no parameters; leave them out", material.model)};
}

void require_vertices(const BodyPlan& body, const std::vector<int>& vertices, size_t starts) {
  const auto count = std::ssize(body.rest.vertices);
  for (const int vertex : vertices)
    if (vertex < 0 || vertex >= count)
      refuse(body.options, format("there is no vertex {}; it has {}, counted from 0", vertex, count));
  if (starts > 0 && starts != vertices.size())
    refuse(body.options,
           format("there are {} places for {} vertices; give one each, or none", starts, vertices.size()));
}

}  // namespace

BodyId ModelBuilder::add_body(TetMesh rest, BodyOptions options) {
  choose_name("body", plan_.bodies, options.name);
  require_numbers(options, rest.vertices.size());
  plan_.bodies.push_back({std::move(options), std::move(rest), {}, {}});
  return {plan_.bodies.size() - 1};
}

std::vector<int> ModelBuilder::vertices_in(BodyId id, const Region& region) const {
  const BodyPlan& body = plan_.bodies.at(id.number);
  std::vector<int> vertices = select_vertices(region, body.rest.vertices);
  if (vertices.empty()) refuse(body.options, "this region selects no vertex");
  return vertices;
}

void ModelBuilder::add_script(BodyId id, Script script) {
  BodyPlan& of = body(id);
  require_vertices(of, script.vertices, script.start.size());
  std::vector<char> taken(of.rest.vertices.size(), 0);
  for (const Script& other : of.scripts)
    for (const int vertex : other.vertices) taken[vertex] = 1;
  for (const int vertex : script.vertices)
    if (taken[vertex]) refuse(of.options, format("vertex {} follows another script already", vertex));
  of.scripts.push_back(std::move(script));
}

void ModelBuilder::attach(BodyId id, AttachmentOptions attachment) {
  BodyPlan& of = body(id);
  require_vertices(of, attachment.vertices, attachment.start.size());
  if (!(attachment.stiffness > 0)) refuse(of.options, "an attachment needs a positive stiffness");
  of.attachments.push_back(std::move(attachment));
}

void ModelBuilder::add_obstacle(Obstacle obstacle) {
  choose_name("obstacle", plan_.obstacles, obstacle.name);
  if (!obstacle.shape) throw InputError(format("obstacle {} has no shape", obstacle.name));
  if (!(obstacle.friction >= 0))
    throw InputError(format("obstacle {}: friction must not be negative", obstacle.name));
  plan_.obstacles.push_back(std::move(obstacle));
}

SteppingOptions ModelBuilder::stepping() const {
  SteppingOptions options{.scheme = plan_.time.scheme, .solver = plan_.solver};
  for (const BodyPlan& body : plan_.bodies)
    options.drags.push_back({body.options.damping.ether, body.options.damping.internal});
  return options;
}

Combination ModelBuilder::combination() const {
  Combination asked{.scheme = plan_.time.scheme,
                    .solver = plan_.solver.method,
                    .tolerance = plan_.time.tolerance.has_value(),
                    .contact = plan_.contact,
                    .wind = plan_.wind.has_value()};
  for (const BodyPlan& body : plan_.bodies) {
    Combination::Body parts = parts_of(body.options.material);
    parts.name = body.options.name;
    parts.elements = elements_of(body.rest);
    add_parts(body.options.damping, parts);
    asked.bodies.push_back(std::move(parts));
  }
  for (const Obstacle& obstacle : plan_.obstacles)
    asked.obstacles.push_back({obstacle.way, obstacle.friction > 0});
  return asked;
}

void ModelBuilder::refuse_defects() const {
  std::vector<Complaint> complaints;
  const auto complain = [&](const std::string& message) { complaints.push_back({"", 0, 0, message}); };
  if (plan_.bodies.empty()) complain("there is no body; add one");
  for (const BodyPlan& body : plan_.bodies) {
    for (const std::string& defect : find_defects(body.rest))
      complain(format("body {}: {}", body.options.name, defect));
    for (const std::string& complaint : complaints_about(body.options.material))
      complain(format("body {}: {}", body.options.name, complaint));
    const std::vector<double>& painted = body.options.material.young_of_element;
    const bool by_triangles = body.rest.thin() && body.options.material.model != "springs";
    const size_t count = by_triangles ? body.rest.triangles.size() : body.rest.element_count();
    if (!painted.empty() && painted.size() != count)
      complain(format("body {}: young_of_element has {} numbers for {} elements", body.options.name,
                      painted.size(), count));
  }
  for (const Conflict& conflict : find_conflicts(combination())) {
    const bool names_it = !conflict.body || conflict.message.starts_with("body ");
    complain(names_it ? conflict.message
                      : format("body {}: {}", plan_.bodies[*conflict.body].options.name, conflict.message));
  }
  if (!complaints.empty()) throw InputError(complaints);
}

Assembly ModelBuilder::build() const {
  refuse_defects();
  Assembly made;
  made.model = make_model(made.state);
  warn_of_idle_contacts(plan_.contact, *made.model);
  made.model->apply_scripts(0, made.state.x, &made.state.v);
  std::vector<Complaint> complaints;
  const auto add = [&](const std::vector<BodyComplaint>& found) {
    for (const BodyComplaint& complaint : found) complaints.push_back({"", 0, 0, complaint.message});
  };
  add(separate_at_start(*made.model, plan_.contact.allow_initial_overlap, made.state));
  std::vector<std::string> materials;
  for (const BodyPlan& body : plan_.bodies) materials.push_back(body.options.material.model);
  add(find_infinite_starts(*made.model, materials, made.state));
  if (!complaints.empty()) throw InputError(complaints);
  made.stepping = stepping();
  made.scheme = make_scheme(*made.model, made.stepping);
  made.description = description_of(plan_);
  made.scheme_name = plan_.time.scheme.name;
  made.solver_name = plan_.solver.method;
  made.tolerance = plan_.solver.tolerance;
  made.step_tolerance = plan_.time.tolerance;
  return made;
}

}  // namespace pliant

#include "pliant/setup/description.hpp"

#include <cmath>

#include "pliant/base/checksum.hpp"
#include "pliant/base/text.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant {

namespace {

/// Names and kinds of things need no escapes; numbers are the shortest that read back to the same bits.
class Lines {
 public:
  std::string text;

  void header(const std::string& name) { text += format("\n{}\n", name); }
  void put(std::string_view key, std::string_view word) { text += format("{} = \"{}\"\n", key, word); }
  void put(const Setting& setting) { text += format("{} = {}\n", setting.key, setting.value); }
  void put(std::string_view key, const char* word) { put(key, std::string_view(word)); }
  void put(std::string_view key, bool flag) { text += format("{} = {}\n", key, flag); }
  void put(std::string_view key, int number) { text += format("{} = {}\n", key, number); }
  void put(std::string_view key, size_t number) { text += format("{} = {}\n", key, number); }
  void put(std::string_view key, double number) { text += format("{} = {}\n", key, shown(number)); }
  void put(std::string_view key, const Vec3& v) {
    text += format("{} = [{}, {}, {}]\n", key, shown(v[0]), shown(v[1]), shown(v[2]));
  }
  template <class T>
  void put(std::string_view key, const std::optional<T>& given) {
    if (given) put(key, *given);
  }
  void put(std::string_view key, const Checksum& sum) {
    text += format("{} = \"checksum {:016x}\"\n", key, sum.value());
  }
  /// Lists by their checksums; nothing of empty ones.
  template <class T>
  void sum(std::string_view key, const std::vector<T>& list) {
    if (list.empty()) return;
    Checksum of;
    of.add(list);
    put(key, of);
  }

 private:
  static std::string shown(double number) {
    const std::string shortest = format("{}", number);
    return shortest.find_first_of(".en") == std::string::npos ? shortest + ".0" : shortest;
  }
};

void put(const Motion& motion, Lines& lines) {
  if (motion.keys.empty() && motion.constant_velocity.isZero(0) && motion.constant_spin == 0) return;
  lines.put("center", motion.center);
  lines.put("axis", motion.axis);
  lines.put("smooth", motion.interpolation == Motion::Interpolation::smooth);
  lines.put("velocity", motion.constant_velocity);
  lines.put("spin", motion.constant_spin);
  std::vector<double> keys;
  for (const auto& [time, translate, angle] : motion.keys)
    keys.insert(keys.end(), {time, translate.x(), translate.y(), translate.z(), angle});
  lines.sum("keys", keys);
}

void put(const TetMesh& rest, Lines& lines) {
  Checksum sum;
  sum.add(rest.vertices);
  sum.add(rest.tets);
  sum.add(rest.triangles);
  sum.add(rest.edges);
  sum.add(rest.hexes);
  lines.put("vertices", rest.vertices.size());
  lines.put("elements", rest.element_count());
  lines.put("thickness", rest.thickness);
  lines.put("mesh", sum);
}

void put(const MaterialOptions& material, Lines& lines) {
  lines.put("model", material.model);
  lines.put("young", material.young);
  lines.put("poisson", material.poisson);
  lines.put("density", material.density);
  lines.put("consistent_mass", material.consistent_mass);
  lines.sum("young_of_element", material.young_of_element);
  if (const SolidMaterial* solid = find_solid(material.model))
    for (const Setting& own : settings_of(*solid, material.parameters)) lines.put(own);
  lines.put("volume", material.volume);
  if (material.fibre) {
    lines.put("fibre_direction", material.fibre->direction);
    lines.put("fibre_stiffness", material.fibre->stiffness);
  }
  lines.put("bending", material.bending);
  lines.put("bending_springs", material.bending_springs);
}

void put(const BodyPlan& body, Lines& lines) {
  const BodyOptions& options = body.options;
  lines.header("[[body]]");
  lines.put("name", options.name);
  put(body.rest, lines);
  lines.put("color", options.color);
  lines.sum("positions", options.positions);
  lines.sum("velocities", options.velocities);
  lines.put("velocity", options.velocity);
  lines.header("[body.material]");
  put(options.material, lines);
  lines.header("[body.damping]");
  lines.put("stiffness", options.damping.stiffness);
  lines.put("mass", options.damping.mass);
  lines.put("ether", options.damping.ether);
  lines.put("internal", options.damping.internal);
  for (const Script& script : body.scripts) {
    lines.header("[[body.script]]");
    lines.sum("vertices", script.vertices);
    lines.sum("start", script.start);
    put(script.motion, lines);
    lines.put("release", script.release);
  }
  for (const AttachmentOptions& attachment : body.attachments) {
    lines.header("[[body.attachment]]");
    lines.sum("vertices", attachment.vertices);
    lines.sum("start", attachment.start);
    lines.put("stiffness", attachment.stiffness);
    put(attachment.motion, lines);
  }
}

/// Of its distances from points of a grid around it; of a shape without an end, around the origin.
Checksum sum_of(const Shape& shape) {
  constexpr int kAcross = 6;
  constexpr double kAround = 10, kMargin = 0.1;
  const Bounds own = shape.bounds();
  const bool ends = own.sizes().allFinite();
  const Vec3 low = ends ? Vec3(own.min() - kMargin * own.sizes()) : Vec3::Constant(-kAround),
             size = ends ? Vec3((1 + 2 * kMargin) * own.sizes()) : Vec3::Constant(2 * kAround);
  std::vector<double> distances;
  for (int i = 0; i < kAcross; ++i)
    for (int j = 0; j < kAcross; ++j)
      for (int k = 0; k < kAcross; ++k)
        distances.push_back(shape.distance(low + size.cwiseProduct(Vec3(i, j, k)) / (kAcross - 1)));
  Checksum sum;
  sum.add(distances);
  return sum;
}

void put(const Obstacle& obstacle, Lines& lines) {
  lines.header("[[obstacle]]");
  lines.put("name", obstacle.name);
  lines.put("shape", sum_of(*obstacle.shape));
  lines.put("contact", name(obstacle.way));
  lines.put("friction", obstacle.friction);
  lines.put("stiffness", obstacle.stiffness);
  put(obstacle.motion, lines);
}

void put(const ContactOptions& contact, Lines& lines) {
  lines.header("[contact]");
  lines.put("self_collision", contact.self_collision);
  lines.put("method", name(contact.way));
  lines.put("within_bodies", contact.within_bodies);
  lines.put("stiffness", contact.stiffness);
  lines.put("friction", contact.friction);
  lines.put("program_damping", contact.program_damping);
  lines.put("thin_distance", contact.thin_distance);
  lines.put("allow_initial_overlap", contact.allow_initial_overlap);
}

void put(const TimeOptions& time, Lines& lines) {
  lines.header("[time]");
  lines.put("scheme", time.scheme.name);
  lines.put("tolerance", time.tolerance);
  lines.put("longest_step", time.longest_step);
  lines.put("rho", time.scheme.rho);
  lines.put("stiffness", time.scheme.stiffness);
  if (!time.scheme.tableau) return;
  const Tableau& tableau = *time.scheme.tableau;
  std::vector<double> numbers = tableau.b;
  for (const std::vector<double>& row : tableau.a) numbers.insert(numbers.end(), row.begin(), row.end());
  for (const auto* more : {&tableau.c, &tableau.embedded})
    numbers.insert(numbers.end(), more->begin(), more->end());
  lines.sum("tableau", numbers);
}

void put(const SolverOptions& solver, Lines& lines) {
  lines.header("[solver]");
  lines.put("method", solver.method);
  lines.put("tolerance", solver.tolerance);
  lines.put("norm", solver.norm == ResidualNorm::velocity ? "velocity" : "gradient");
  lines.put("max_iterations", solver.max_iterations);
  lines.put("sigma", solver.sigma);
  lines.put("kappa", solver.kappa);
  lines.put("iterations", solver.iterations);
  lines.put("cg_iterations", solver.cg_iterations);
  const LbfgsOptions& lbfgs = solver.lbfgs;
  lines.put("window", lbfgs.window);
  lines.put("stretch_first", lbfgs.range.first);
  lines.put("stretch_last", lbfgs.range.last);
  lines.put("newton_below", lbfgs.newton_below);
  lines.put("initial", static_cast<int>(lbfgs.initial));
  lines.put("preconditioner", static_cast<int>(lbfgs.preconditioner));
  lines.put("wolfe", lbfgs.wolfe);
  lines.put("safeguard_guesses", solver.safeguards.guesses);
  lines.put("safeguard_walls", solver.safeguards.walls);
  lines.put("safeguard_places", solver.safeguards.places);
  lines.put("safeguard_rotations", solver.safeguards.rotations);
}

}  // namespace

std::string description_of(const ModelPlan& plan) {
  Lines lines;
  lines.text = "# What a program put together. It was no scene file, and this is none either.\n";
  lines.put("gravity", plan.gravity);
  if (plan.wind) {
    lines.header("[wind]");
    lines.put("velocity", plan.wind->velocity);
    lines.put("gust", plan.wind->gust);
    lines.put("frequency", plan.wind->frequency);
    lines.put("drag", plan.wind->drag);
  }
  put(plan.time, lines);
  put(plan.solver, lines);
  put(plan.contact, lines);
  for (const BodyPlan& body : plan.bodies) put(body, lines);
  for (const Obstacle& obstacle : plan.obstacles) put(obstacle, lines);
  return lines.text;
}

}  // namespace pliant

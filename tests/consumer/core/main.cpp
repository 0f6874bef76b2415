// A soft box falls for a few steps. Vectors are allocated here and freed in the library, and the other way
// round, which crashes where the two do not agree on alignment.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "pliant/integrate/backward_euler.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/potential/gravity.hpp"
#include "pliant/potential/solid.hpp"

namespace {

using namespace pliant;

void fill(Model& model) {
  const TetMesh mesh = make_box({.size = {1, 1, 1}, .cells = {3, 3, 3}});
  const std::vector<double> masses = lumped_masses(mesh, 1000);
  model.mass = Eigen::Map<const Vector>(masses.data(), std::ssize(masses));
  model.terms.push_back({"box", Term::Kind::elastic, make_solid("fixed-corotated", mesh, 0, lame(1e5, 0.4))});
  model.terms.push_back(
      {"", Term::Kind::gravitational, std::make_unique<Gravity>(model.mass, Vec3(0, -9.81, 0))});
  model.bodies.push_back({"box", mesh, 0});
  model.finish();
}

/// At rest, but stretched along x, so that elastic energy turns into motion.
State stretched(const Model& model) {
  State state;
  state.x.resize(3 * model.mass.size());
  state.v.setZero(3 * model.mass.size());
  for (size_t i = 0; i < model.bodies[0].rest.vertices.size(); ++i)
    state.x.segment<3>(3 * i) = Vec3(1.2, 1, 1).cwiseProduct(model.bodies[0].rest.vertices[i]);
  state.keep("history", state.x);
  return state;
}

unsigned long long checksum(const Vector& x) {
  unsigned long long sum = 14695981039346656037ull;
  for (const double value : x) {
    unsigned long long bits;
    std::memcpy(&bits, &value, sizeof bits);
    sum = (sum ^ bits) * 1099511628211ull;
  }
  return sum;
}

}  // namespace

int main() {
  Model model;
  fill(model);
  BackwardEuler scheme(model, {});
  State state = stretched(model);
  bool sane = true;
  double last = 0;
  for (int step = 0; step < 5; ++step) {
    const StepReport report = scheme.step(state, 1.0 / 24);
    const double total = report.energies.total();
    sane = sane && is_converged(report.outcome.status) && std::isfinite(total);
    // Backward Euler may lose energy, never gain it.
    sane = sane && (step == 0 || total < last + 1e-6 * std::abs(last));
    sane = sane && report.energies.kinetic > 0 && report.energies.elastic > 0;
    last = total;
  }
  const State copy = state;
  state = State();
  std::printf("energy %.6f J, checksum %016llx\n", last, checksum(copy.x));
  return sane ? 0 : 1;
}

#include "pliant/integrate/position_based.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/vector_ops.hpp"
#include "pliant/integrate/instant.hpp"

namespace pliant {

namespace {
constexpr Index kAtOnce = 2048;
}

std::string is_not_of_springs(const std::string& body) {
  return "body " + body +
         " is not made of springs, which position based schemes move; use time.scheme = \"backward-euler\" "
         "with solver.method = \"lbfgs\"";
}

PositionBased::PositionBased(const Model& model, const Options& options)
    : Scheme(model, pliant::name(options.way), {.ends_with_stage = true}),
      model_(model),
      options_(options),
      objective_(model, ResidualNorm::velocity) {
  collect_springs();
  color_springs();
}

void PositionBased::collect_springs() {
  for (const Term& term : model_.terms) {
    if (!term.is_elastic()) continue;
    const std::vector<SpringAt> springs = springs_of(*term.potential);
    if (springs.empty()) throw InputError(is_not_of_springs(term.body));
    springs_.insert(springs_.end(), springs.begin(), springs.end());
  }
}

/// Each spring gets the first colour that none of its neighbours has: those of a colour can be corrected at
/// once, with the same bits for any number of threads.
void PositionBased::color_springs() {
  constexpr int kMost = 64;
  std::vector<std::uint64_t> used(model_.mass.size(), 0);
  std::vector<int> color(springs_.size());
  for (size_t s = 0; s < springs_.size(); ++s) {
    const std::uint64_t taken = used[springs_[s].a] | used[springs_[s].b];
    int free = 0;
    while (free < kMost && (taken >> free & 1)) ++free;
    if (free == kMost) throw InputError("a vertex has more springs than position based schemes can move, 64");
    color[s] = free;
    used[springs_[s].a] |= std::uint64_t{1} << free;
    used[springs_[s].b] |= std::uint64_t{1} << free;
  }
  std::vector<SpringAt> sorted;
  color_start_.push_back(0);
  for (int c = 0; c < kMost && sorted.size() < springs_.size(); ++c) {
    for (size_t s = 0; s < springs_.size(); ++s)
      if (color[s] == c) sorted.push_back(springs_[s]);
    color_start_.push_back(std::ssize(sorted));
  }
  springs_ = std::move(sorted);
}

Stage PositionBased::first_stage(const State& state, double dt) {
  return instant(state, dt, state.time, state.x, state.v);
}

StepReport PositionBased::advance(State& state, double dt) {
  StepAccount account(model_, objective_, state, potentials_);
  StepReport report;
  objective_.begin(first_stage(state, dt));
  // What is not springs pushes as it does at the start of the step.
  Vector force = Vector::Zero(state.x.size());
  for (const Term& term : model_.terms)
    if (!term.is_elastic()) {
      std::vector<double> energies(static_cast<size_t>(term.potential->contributions()));
      term.potential->evaluate(state.x, energies, &force);
    }
  objective_.add_stage_gradient(state.x, force);
  State next = state;
  next.time = state.time + dt;
  const std::vector<char> fixed = model_.fixed_dofs(next.time);
  mobility_.resize(model_.mass.size());
  for (Index i = 0; i < model_.mass.size(); ++i) mobility_[i] = fixed[3 * i] ? 0 : 1 / model_.mass[i];
  for (Index d = 0; d < next.x.size(); ++d)
    next.x[d] += dt * (state.v[d] - dt * force[d] / model_.mass[d / 3]);
  model_.apply_scripts(next.time, next.x, &next.v);
  objective_.begin(instant(state, dt, next.time, next.x, next.v));

  multipliers_.assign(springs_.size(), 0);
  report.outcome.first_residual = longest_error(next.x) / dt;
  for (int i = 0; i < options_.iterations; ++i) {
    if (options_.way == PositionWay::step_and_project)
      correct_all(next.x);
    else
      correct(dt, next.x);
    objective_.project(next.x);
  }
  report.outcome.status = Status::as_asked;
  report.outcome.iterations = options_.iterations;
  report.outcome.residual = longest_error(next.x) / dt;
  next.v = (next.x - state.x) / dt;
  Vector places = next.x;
  model_.apply_scripts(next.time, places, &next.v);
  account.close(next, report, {}, false);
  state = std::move(next);
  return report;
}

/// Springs one after another. PBD takes the part 1 - (1 - k)^(1/n) of the error in each of n iterations; XPBD
/// remembers the force that a spring has reached.
void PositionBased::correct(double dt, Vector& x) {
  const double part = 1 - std::pow(1 - options_.stiffness, 1.0 / options_.iterations);
  const bool compliant = options_.way == PositionWay::xpbd;
  for (size_t c = 0; c + 1 < color_start_.size(); ++c)
    parallel_chunks(color_start_[c + 1] - color_start_[c], kAtOnce, [&](Index begin, Index end) {
      for (Index s = color_start_[c] + begin; s < color_start_[c] + end; ++s) {
        const SpringAt& spring = springs_[s];
        const double wa = mobility_[spring.a], wb = mobility_[spring.b];
        auto xa = x.segment<3>(3 * Index{spring.a}), xb = x.segment<3>(3 * Index{spring.b});
        const Vec3 way = xb - xa;
        const double length = way.norm();
        if (!(wa + wb > 0) || !(length > 0)) continue;
        const double compliance = compliant ? 1 / (spring.stiffness * dt * dt) : 0;
        const double error = length - spring.length;
        double change = (-error - compliance * multipliers_[s]) / (wa + wb + compliance);
        if (!compliant) change *= part;
        multipliers_[s] += change;
        xa -= wa * change / length * way;
        xb += wb * change / length * way;
      }
    });
}

/// All springs at once, to first order: (J W J^T) l = c, x -= W J^T l, by conjugate gradients. The matrix may
/// be singular, where springs contradict each other.
void PositionBased::correct_all(Vector& x) {
  const Index count = std::ssize(springs_);
  std::vector<Vec3> direction(count);
  Vector c(count), diagonal(count);
  for (Index s = 0; s < count; ++s) {
    const SpringAt& spring = springs_[s];
    const Vec3 way = x.segment<3>(3 * Index{spring.b}) - x.segment<3>(3 * Index{spring.a});
    const double length = way.norm();
    direction[s] = length > 0 ? Vec3(way / length) : Vec3::Zero();
    c[s] = length - spring.length;
    diagonal[s] = mobility_[spring.a] + mobility_[spring.b];
  }
  constexpr double kRegular = 1e-9, kTolerance = 1e-6;
  constexpr int kMost = 1000;
  const auto spread = [&](const Vector& l) {  // W J^T l
    Vector moved = Vector::Zero(x.size());
    for (Index s = 0; s < count; ++s) {
      moved.segment<3>(3 * Index{springs_[s].b}) += mobility_[springs_[s].b] * l[s] * direction[s];
      moved.segment<3>(3 * Index{springs_[s].a}) -= mobility_[springs_[s].a] * l[s] * direction[s];
    }
    return moved;
  };
  const auto multiply = [&](const Vector& l) {
    const Vector moved = spread(l);
    Vector product(count);
    for (Index s = 0; s < count; ++s)
      product[s] = direction[s].dot(moved.segment<3>(3 * Index{springs_[s].b}) -
                                    moved.segment<3>(3 * Index{springs_[s].a})) +
                   kRegular * diagonal[s] * l[s];
    return product;
  };
  const auto precondition = [&](const Vector& r) {
    Vector z(count);
    for (Index s = 0; s < count; ++s) z[s] = diagonal[s] > 0 ? r[s] / diagonal[s] : 0;
    return z;
  };
  Vector l = Vector::Zero(count), r = c;
  for (Index s = 0; s < count; ++s)
    if (!(diagonal[s] > 0)) r[s] = 0;  // between two vertices that do not give way
  Vector z = precondition(r), p = z;
  double rz = dot(r, z);
  const double enough = kTolerance * kTolerance * rz;
  for (int i = 0; i < kMost && rz > enough; ++i) {
    const Vector Ap = multiply(p);
    const double step = rz / dot(p, Ap);
    add_scaled(step, p, l);
    add_scaled(-step, Ap, r);
    z = precondition(r);
    const double next = dot(r, z);
    scale_and_add(next / rz, z, p);
    rz = next;
  }
  x -= spread(l);
}

double PositionBased::longest_error(const Vector& x) const {
  return parallel_max(std::ssize(springs_), kAtOnce, [&](Index begin, Index end) {
    double most = 0;
    for (Index s = begin; s < end; ++s) {
      const Vec3 way = x.segment<3>(3 * Index{springs_[s].b}) - x.segment<3>(3 * Index{springs_[s].a});
      most = std::max(most, std::abs(way.norm() - springs_[s].length));
    }
    return most;
  });
}

}  // namespace pliant

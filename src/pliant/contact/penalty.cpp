#include "pliant/contact/penalty.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/vector_ops.hpp"
#include "pliant/contact/definite.hpp"

namespace pliant {

namespace {

constexpr Index kVerticesAtOnce = 1024;

Vec3 place_of(const Vector& x, Index vertex) { return x.segment<3>(3 * vertex); }

}  // namespace

std::unique_ptr<ContactTerm> ObstaclePenalty::term_sub_model(const SubModel& sub_model) const {
  auto made = std::make_unique<ObstaclePenalty>(*this);
  made->obstacles_ = obstacles_.of(sub_model);
  return made;
}

void ObstaclePenalty::begin_stage(const Stage& stage) { placed_ = obstacles_.placed_at(stage.time); }

void ObstaclePenalty::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  parallel_chunks(contributions(), kVerticesAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      energies[i] = 0;
      const Vec3 place = place_of(x, i);
      for (const PlacedObstacle& at : placed_) {
        if (!at.may_reach(place, 0)) continue;
        const double depth = -at.distance(place);
        if (!(depth > 0)) continue;
        energies[i] += obstacles_.stiffness(at.obstacle(), i) * depth * depth * depth;
        if (gradient) gradient->segment<3>(3 * i) -= force(at, i, place);
      }
    }
  });
}

void ObstaclePenalty::add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const {
  parallel_chunks(contributions(), kVerticesAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Vec3 place = place_of(x, i);
      for (const PlacedObstacle& at : placed_) {
        if (!at.may_reach(place, 0) || !(at.distance(place) < 0)) continue;
        const Jet phi = at.distance_jet(place);
        const double factor = -3 * obstacles_.stiffness(at.obstacle(), i) * phi.value;
        const Mat3 block = factor * (2 * phi.gradient * phi.gradient.transpose() + phi.value * phi.hessian);
        hessian.add_diagonal_block(static_cast<int>(i), made_definite(block, definiteness));
      }
    }
  });
}

double ObstaclePenalty::stored(const Vector& x, double t) const {
  return obstacles_.stored(x, t, [](double k, double depth) { return k * depth * depth * depth; });
}

StageTerm::Power ObstaclePenalty::power(const Vector& x, const Vector&, const Interval& during) const {
  return {.supplied = parallel_sum(contributions(), kVerticesAtOnce, [&](Index begin, Index end) {
            double sum = 0;
            for (Index i = begin; i < end; ++i) {
              const Vec3 place = place_of(x, i);
              for (const PlacedObstacle& at : placed_)
                if (at.may_reach(place, 0) && at.distance(place) < 0)
                  sum += force(at, i, place).dot(at.mean_velocity(place, during));
            }
            return sum;
          })};
}

/// On a vertex inside.
Vec3 ObstaclePenalty::force(const PlacedObstacle& at, Index vertex, const Vec3& place) const {
  const Jet phi = at.distance_jet(place);
  return 3 * obstacles_.stiffness(at.obstacle(), vertex) * phi.value * phi.value * phi.gradient;
}

void ObstaclePenalty::add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const {
  for (Index i = 0; i < contributions(); ++i) {
    const Vec3 place = place_of(x, i);
    for (const PlacedObstacle& at : placed_) {
      if (!at.may_reach(place, 0) || !(at.distance(place) < 0)) continue;
      const Vec3 push = force(at, i, place);
      if (push.isZero(0)) continue;
      contacts.push_back(contact_with(at, static_cast<int>(i), place, push.normalized(), push.norm()));
    }
  }
}

}  // namespace pliant

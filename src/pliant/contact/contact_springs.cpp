#include "pliant/contact/contact_springs.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {
constexpr Index kVerticesLookedAt = 1024;
}

std::unique_ptr<ContactTerm> ContactSprings::term_sub_model(const SubModel& sub_model) const {
  auto made = std::make_unique<ContactSprings>(*this);
  made->obstacles_ = obstacles_.of(sub_model);
  return made;
}

void ContactSprings::begin_stage(const Stage& stage) {
  placed_ = obstacles_.placed_at(stage.time);
  c_v_ = stage.c_v;
  x_v_ = stage.x_v;
  iterations_ = 0;
  springs_.clear();
}

bool ContactSprings::had(const Spring& spring) const {
  const auto found =
      std::lower_bound(springs_.begin(), springs_.end(), spring, [](const Spring& a, const Spring& b) {
        return std::pair(a.vertex, a.obstacle) < std::pair(b.vertex, b.obstacle);
      });
  return found != springs_.end() && found->same_pair_as(spring);
}

void ContactSprings::find(const Vector& x, Index begin, Index end, std::vector<Spring>& found) const {
  // A set that goes on changing would keep a descent from ending; this late none is let go any more.
  constexpr int kPatience = 30;
  for (Index i = begin; i < end; ++i) {
    const Vec3 place = x.segment<3>(3 * i);
    const Vec3 velocity = c_v_ * (place - x_v_.segment<3>(3 * i));
    for (int o = 0; o < std::ssize(placed_); ++o) {
      const PlacedObstacle& at = placed_[o];
      if (!at.may_reach(place, 0) || !(at.distance(place) < 0)) continue;
      const Jet phi = at.distance_jet(place);
      const Spring spring{static_cast<int>(i), o, obstacles_.stiffness(at.obstacle(), i),
                          place - phi.value * phi.gradient, phi.gradient};
      const bool leaves = (velocity - at.velocity(place)).dot(phi.gradient) > 0;
      if (!leaves || (iterations_ > kPatience && had(spring))) found.push_back(spring);
    }
  }
}

Renewal ContactSprings::begin_iteration(const Vector& x, Vector& gradient) {
  ++iterations_;
  std::vector<std::vector<Spring>> found(
      static_cast<size_t>((contributions() + kVerticesLookedAt - 1) / kVerticesLookedAt));
  parallel_chunks(contributions(), kVerticesLookedAt,
                  [&](Index begin, Index end) { find(x, begin, end, found[begin / kVerticesLookedAt]); });
  for (const Spring& spring : springs_)
    gradient.segment<3>(3 * Index{spring.vertex}) += spring.k * spring.depth(x) * spring.normal;
  Renewal renewal{.changed = !springs_.empty()};
  std::vector<Spring> now;
  for (const auto& chunk : found)
    for (const Spring& spring : chunk) {
      renewal.fresh += !had(spring);
      now.push_back(spring);
      gradient.segment<3>(3 * Index{spring.vertex}) -= spring.k * spring.depth(x) * spring.normal;
    }
  springs_ = std::move(now);
  renewal.all = std::ssize(springs_);
  renewal.changed |= !springs_.empty();
  return renewal;
}

void ContactSprings::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  std::fill(energies.begin(), energies.end(), 0.0);
  for (const Spring& spring : springs_) {
    const double depth = spring.depth(x);
    energies[spring.vertex] += 0.5 * spring.k * depth * depth;
    if (gradient) gradient->segment<3>(3 * Index{spring.vertex}) -= spring.k * depth * spring.normal;
  }
}

void ContactSprings::add_hessian(const Vector&, Definiteness, BlockMatrix& hessian) const {
  for (const Spring& spring : springs_)
    hessian.add_diagonal_block(spring.vertex, spring.k * spring.normal * spring.normal.transpose());
}

double ContactSprings::stored(const Vector& x, double t) const {
  return obstacles_.stored(x, t, [](double k, double depth) { return 0.5 * k * depth * depth; });
}

StageTerm::Power ContactSprings::power(const Vector& x, const Vector&, const Interval& during) const {
  Power power;
  for (const Spring& spring : springs_) {
    const Vec3 place = x.segment<3>(3 * Index{spring.vertex});
    power.supplied +=
        spring.k * spring.depth(x) * spring.normal.dot(placed_[spring.obstacle].mean_velocity(place, during));
  }
  return power;
}

void ContactSprings::add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const {
  for (const Spring& spring : springs_) {
    const double push = spring.k * spring.depth(x);
    if (push > 0)
      contacts.push_back(contact_with(placed_[spring.obstacle], spring.vertex,
                                      x.segment<3>(3 * Index{spring.vertex}), spring.normal, push));
  }
}

}  // namespace pliant

#include "pliant/contact/embedded_contact.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

namespace pliant {

EmbeddedContact::EmbeddedContact(std::unique_ptr<ContactTerm> contact, SeenPoints points)
    : contact_(std::move(contact)), points_(std::move(points)), pattern_(points_.count(), {}) {
  // At a vertex and a triangle four points meet.
  constexpr size_t kMostBlocks = ContactPoint::kMost / 4;
  for (int point = 0; point < points_.count(); ++point)
    if (points_.of(point).size() > kMostBlocks)
      throw std::invalid_argument("a point that contact sees is a combination of too many blocks");
  contact_->attach(pattern_);
}

void EmbeddedContact::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  const Vector y = points_.taken(x);
  if (!gradient) return contact_->evaluate(y, energies, nullptr);
  Vector of_points = Vector::Zero(y.size());
  contact_->evaluate(y, energies, &of_points);
  points_.add_back(of_points, *gradient);
}

/// w_i w_j times a block that couples two different points, for all blocks i of the one and j of the other.
void EmbeddedContact::add_between(int one, int other, const Mat3& values, BlockMatrix& hessian) const {
  for (const auto& [i, wi] : points_.of(one))
    for (const auto& [j, wj] : points_.of(other)) {
      if (i != j)
        hessian.add_block(i, j, wi * wj * values);
      else
        hessian.add_diagonal_block(i, wi * wj * (values + values.transpose()));
    }
}

/// W^T H W. Blocks of two points stand for their transposes too, those of one point for themselves alone.
void EmbeddedContact::add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const {
  BlockMatrix of_points(pattern_);
  of_points.set_zero();
  contact_->add_hessian(points_.taken(x), definiteness, of_points);
  for (int point = 0; point < points_.count(); ++point) {
    const Mat3 values = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
        of_points.block(pattern_.diagonal(point)));
    if (values.isZero(0)) continue;
    const auto shares = points_.of(point);
    for (size_t a = 0; a < shares.size(); ++a) {
      hessian.add_diagonal_block(shares[a].block, shares[a].weight * shares[a].weight * values);
      for (size_t b = a + 1; b < shares.size(); ++b)
        hessian.add_block(shares[a].block, shares[b].block, shares[a].weight * shares[b].weight * values);
    }
  }
  for (const ExtraBlock& extra : of_points.extra_blocks())
    add_between(extra.a, extra.b, extra.values, hessian);
}

void EmbeddedContact::add_pattern(std::vector<std::pair<int, int>>& edges) const {
  for (int point = 0; point < points_.count(); ++point) {
    const auto shares = points_.of(point);
    for (size_t a = 0; a < shares.size(); ++a)
      for (size_t b = a + 1; b < shares.size(); ++b) edges.emplace_back(shares[a].block, shares[b].block);
  }
}

/// Of those points all of whose blocks are in the sub-model.
std::unique_ptr<ContactTerm> EmbeddedContact::term_sub_model(const SubModel& sub_model) const {
  SubModel of_points;
  SeenPoints points(static_cast<int>(sub_model.vertices.size()));
  for (int point = 0; point < points_.count(); ++point) {
    std::vector<SeenPoints::Share> shares;
    bool whole = true, free = false;
    for (const auto& [block, weight] : points_.of(point)) {
      const int local = sub_model.local(block);
      whole = whole && local >= 0;
      free = free || (local >= 0 && sub_model.free[static_cast<size_t>(local)]);
      shares.push_back({local, weight});
    }
    if (!whole) continue;
    of_points.vertices.push_back(point);
    of_points.free.push_back(free);
    points.add(shares);
  }
  std::unique_ptr<ContactTerm> part = contact_->term_sub_model(of_points);
  return part ? std::make_unique<EmbeddedContact>(std::move(part), std::move(points)) : nullptr;
}

Stage EmbeddedContact::of_points(const Stage& stage) const {
  Stage seen = stage;
  for (Vector* places : {&seen.x_a, &seen.x_v, &seen.x_step}) *places = points_.taken(*places);
  return seen;
}

void EmbeddedContact::begin_stage(const Stage& stage) { contact_->begin_stage(of_points(stage)); }

/// A point is held in a direction where all of its blocks are.
void EmbeddedContact::begin(const ContactStage& stage) {
  std::vector<char> fixed;
  for (int point = 0; point < points_.count(); ++point)
    for (int k = 0; k < 3; ++k) {
      const auto shares = points_.of(point);
      fixed.push_back(std::all_of(shares.begin(), shares.end(), [&](const SeenPoints::Share& share) {
        return stage.fixed[static_cast<size_t>(3 * share.block + k)] != 0;
      }));
    }
  contact_->begin({of_points(stage.stage), fixed, stage.extent});
}

Renewal EmbeddedContact::begin_iteration(const Vector& x, Vector& gradient) {
  const Vector y = points_.taken(x);
  Vector correction = Vector::Zero(y.size());
  const Renewal renewal = contact_->begin_iteration(y, correction);
  if (renewal.changed) points_.add_back(correction, gradient);
  return renewal;
}

/// Points share unknowns, so that none can be held back alone: all go as far as the one that is held back
/// most.
double EmbeddedContact::limit(const Vector& x, Vector& step, const Interval& of_obstacles) {
  const Vector whole = points_.taken(step);
  Vector left = whole;
  double share = contact_->step_limit()->limit(points_.taken(x), left, of_obstacles);
  double least = 1;
  for (Index i = 0; i < whole.size() / 3; ++i) {
    const double length = whole.segment<3>(3 * i).norm();
    if (length > 0) least = std::min(least, left.segment<3>(3 * i).norm() / length);
  }
  if (least < 1) share = std::min(share, 1.0) * least;
  return share;
}

void EmbeddedContact::add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const {
  std::vector<ContactPoint> of_points;
  contact_->add_contacts(points_.taken(x), of_points);
  for (ContactPoint& contact : of_points) {
    std::map<int, double> weights;
    for (int k = 0; k < ContactPoint::kMost && contact.vertices[k] >= 0; ++k)
      for (const auto& [block, weight] : points_.of(contact.vertices[k]))
        weights[block] += contact.weights[k] * weight;
    contact.vertices.fill(-1);
    int k = 0;
    for (const auto& [block, weight] : weights) {
      if (weight == 0) continue;
      contact.vertices[k] = block;
      contact.weights[k++] = weight;
    }
    contacts.push_back(contact);
  }
}

}  // namespace pliant

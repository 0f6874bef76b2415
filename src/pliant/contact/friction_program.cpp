#include "pliant/contact/friction_program.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

/// The programs in turn, with tangents that turn.
class Rounds {
 public:
  explicit Rounds(const FrictionProgram& of)
      : now_(of),
        count_(std::ssize(of.friction)),
        limits_(of.friction.size(), 0),
        slides_(of.friction.size(), false),
        frames_(of.friction.size(), Mat2::Identity()) {}

  /// The best of the rounds: where they do not settle, later ones may be worse.
  ProgramReport run(const FrictionProgram::Options& options, Vector& best) {
    ProgramReport report, of_best;
    Vector impulses = Vector::Zero(now_.least.size());
    for (int round = 0; round < options.rounds; ++round) {
      const int iterations = report.iterations, factorisations = report.factorisations;
      report = QuadraticProgram({}).solve(now_.A, now_.free, bounds(impulses, round), impulses);
      report.iterations += iterations;
      report.factorisations += factorisations;
      cut(impulses);
      report.error = error(impulses);
      if (round == 0 || report.error < of_best.error) {
        of_best = report;
        best = as_given(impulses);
      }
      if (report.error <= options.tolerance || report.status == ProgramReport::Status::infeasible) break;
      turn_along_the_sliding(impulses);
    }
    of_best.iterations = report.iterations;
    of_best.factorisations = report.factorisations;
    if (report.status == ProgramReport::Status::infeasible) of_best.status = report.status;
    if (of_best.error > options.enough)
      of_best.status = std::max(of_best.status, ProgramReport::Status::inaccurate);
    return of_best;
  }

  /// Contact after contact, again and again, from where the programs led: a step to where it neither sinks in
  /// nor slides, cut off at Coulomb's cone of the moment (projected Gauss-Seidel; Jourdan et al. 1998). Slow,
  /// and with no rounds that could go around in a circle.
  void sweep(const FrictionProgram::Options& options, Vector& best, ProgramReport& report) {
    Vector impulses = best, off = now_.free + now_.A * impulses - now_.least;
    const auto move = [&](Index row, double to) {
      off += (to - impulses[row]) * now_.A.col(row);
      impulses[row] = to;
    };
    for (int sweeps = 1; sweeps <= options.sweeps && report.error > options.tolerance; ++sweeps) {
      for (Index k = 0; k < count_; ++k) {
        if (now_.A(k, k) > 0) move(k, std::max(0.0, impulses[k] - off[k] / now_.A(k, k)));
        const double scale = scale_of(k), limit = most(impulses, k);
        Vec2 to = scale * wanted(impulses, off, k, scale);
        if (to.norm() > limit) to *= limit / to.norm();
        for (const int t : {0, 1}) move(tangents_of(k) + t, to[t]);
      }
      constexpr int kLook = 10;
      if (sweeps % kLook != 0) continue;
      const double error_now = error(impulses);
      if (!(error_now < report.error)) continue;
      report.error = error_now;
      best = impulses;
    }
    if (report.error <= options.enough) report.status = ProgramReport::Status::solved;
  }

 private:
  /// With the tangents as they were given.
  Vector as_given(Vector impulses) const {
    for (Index k = 0; k < count_; ++k)
      tangential(impulses, k) = frames_[static_cast<size_t>(k)].transpose() * tangential(impulses, k);
    return impulses;
  }

  Index tangents_of(Index k) const { return count_ + 2 * k; }
  Eigen::VectorBlock<Vector, 2> tangential(Vector& rows, Index k) const {
    return rows.segment<2>(tangents_of(k));
  }
  double most(const Vector& impulses, Index k) const {
    return now_.friction[static_cast<size_t>(k)] * std::max(0.0, impulses[k]);
  }

  /// With friction of at most what the normal impulses allow: along the sliding where there is some, in any
  /// direction where it sticks. (That lets it be too large across the corners, which is cut; a second limit
  /// that follows from the first impulse, the root of a difference, keeps the rounds from settling.) Where
  /// friction presses or lifts, normal impulses go up and down by turns: late rounds go half the way.
  std::vector<VelocityBound> bounds(const Vector& impulses, int round) {
    constexpr int kLate = 8;
    std::vector<VelocityBound> bounds;
    for (Index r = 0; r < now_.least.size(); ++r) bounds.push_back({.least = now_.least[r]});
    for (Index k = 0; k < count_; ++k) {
      const auto at = bounds.begin() + tangents_of(k);
      double& limit = limits_[static_cast<size_t>(k)];
      limit = round < kLate ? most(impulses, k) : 0.5 * (limit + most(impulses, k));
      at[0].limit = limit;
      at[1].limit = slides_[static_cast<size_t>(k)] ? 0 : limit;
    }
    return bounds;
  }

  void cut(Vector& impulses) const {
    for (Index k = 0; k < count_; ++k) {
      const double limit = most(impulses, k), length = tangential(impulses, k).norm();
      if (length > limit) tangential(impulses, k) *= limit / length;
    }
  }

  /// What friction would be if it made the sliding vanish to first order, in the scaling of the pair.
  Vec2 wanted(const Vector& impulses, const Vector& off, Index k, double scale) const {
    return impulses.segment<2>(tangents_of(k)) / scale - scale * off.segment<2>(tangents_of(k));
  }
  double scale_of(Index k) const {
    const Index t = tangents_of(k);
    const double largest = std::max(now_.A(t, t), now_.A(t + 1, t + 1));
    return largest > 0 ? 1 / std::sqrt(largest) : 1;
  }

  /// How far a step along the residual, cut off at Coulomb's cone, would lead, relative to the velocities.
  double error(const Vector& impulses) const {
    const Vector w = now_.free + now_.A * impulses, off = w - now_.least;
    double missed = 0, size = 1e-12;
    const auto count_in = [&](Index row, double scale) {
      for (const double velocity : {w[row], now_.least[row], now_.free[row]})
        size = std::max(size, scale * std::abs(velocity));
    };
    for (Index k = 0; k < count_; ++k) {
      const double scale = now_.A(k, k) > 0 ? 1 / std::sqrt(now_.A(k, k)) : 1, y = impulses[k] / scale;
      missed = std::max(missed, std::abs(y - std::max(0.0, y - scale * off[k])));
      count_in(k, scale);
      const double of_pair = scale_of(k), limit = most(impulses, k) / of_pair;
      Vec2 wants = wanted(impulses, off, k, of_pair);
      if (wants.norm() > limit) wants *= limit / wants.norm();
      missed = std::max(missed, (impulses.segment<2>(tangents_of(k)) / of_pair - wants).norm());
      for (const int t : {0, 1}) count_in(tangents_of(k) + t, of_pair);
    }
    return missed / size;
  }

  void turn_along_the_sliding(Vector& impulses) {
    const Vector off = now_.free + now_.A * impulses - now_.least;
    for (Index k = 0; k < count_; ++k) {
      const double scale = scale_of(k);
      const Vec2 along = wanted(impulses, off, k, scale);
      slides_[static_cast<size_t>(k)] = scale * along.norm() > most(impulses, k);
      if (!(along.norm() > 0) || now_.friction[static_cast<size_t>(k)] == 0) continue;
      const Vec2 first = along.normalized();
      Mat2 turn;
      turn << first[0], first[1], -first[1], first[0];
      const Index t = tangents_of(k);
      now_.A.middleRows<2>(t) = (turn * now_.A.middleRows<2>(t)).eval();
      now_.A.middleCols<2>(t) = (now_.A.middleCols<2>(t) * turn.transpose()).eval();
      for (Vector* rows : {&now_.free, &now_.least, &impulses})
        tangential(*rows, k) = (turn * tangential(*rows, k)).eval();
      frames_[static_cast<size_t>(k)] = turn * frames_[static_cast<size_t>(k)];
    }
  }

  FrictionProgram now_;
  Index count_;
  std::vector<double> limits_;  ///< of friction at each contact, in this round
  std::vector<char> slides_;    ///< which contacts
  std::vector<Mat2> frames_;    ///< from the tangents given to those now
};

}  // namespace

ProgramReport FrictionProgram::solve(const Options& options, Vector& impulses) const {
  if (rubs()) {
    if (!A.allFinite() || !free.allFinite() || !least.allFinite()) {
      impulses = Vector::Zero(least.size());
      return {.residual = std::numeric_limits<double>::infinity(),
              .error = std::numeric_limits<double>::infinity()};
    }
    ProgramReport report = Rounds(*this).run(options, impulses);
    if (report.status == ProgramReport::Status::inaccurate) Rounds(*this).sweep(options, impulses, report);
    return report;
  }
  std::vector<VelocityBound> bounds;
  for (const double velocity : least) bounds.push_back({.least = velocity});
  return QuadraticProgram({}).solve(A, free, bounds, impulses);
}

}  // namespace pliant

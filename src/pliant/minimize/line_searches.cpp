#include "pliant/minimize/line_searches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kDecrease = 1e-4;  ///< c1 of the Wolfe conditions
constexpr double kCurvature = 0.5;  ///< c2
constexpr int kExpansions = 30;
constexpr int kSections = 60;

/// Value and slope at a point along the line, without its vectors.
struct Probe {
  double alpha, value, slope;
  double noise = 0;  ///< of the value
};

/// One search: the line, and the point on it last looked at.
class Line {
 public:
  Line(const SearchLine& line, SearchPoint& end, double enough = kInfinity)
      : noise(line.start.noise), line_(line), enough_(enough), end_(end) {}

  Probe look_at(double alpha) {
    ++evaluations;
    end_.alpha = alpha;
    add_scaled(alpha, line_.step, line_.start.x, end_.x);
    if (line_.set) line_.set->project(end_.x);
    const Change value = line_.objective.evaluate(end_.x, &end_.gradient, enough_);
    end_.value = value.difference;
    end_.noise = value.noise;
    // What is not a number is as bad as infinite: the search backs off from both.
    if (!(end_.value < kInfinity)) end_.value = kInfinity;
    end_.slope = end_.value < kInfinity ? slope() : 0;
    if (!std::isfinite(end_.slope)) end_.value = kInfinity;
    met_infinity |= end_.value == kInfinity;
    if (end_.value == kInfinity) return {alpha, kInfinity, 0, 0};
    noise = std::min(noise, end_.noise);
    // Between such slopes a smooth function does not change: what is seen is noise, elsewhere maybe more.
    constexpr double kFew = 10;
    if (alpha * std::max(std::abs(line_.start.slope), std::abs(end_.slope)) < noise)
      observed_noise = std::max(observed_noise, kFew * std::abs(end_.value));
    return {alpha, end_.value, end_.slope, std::max(end_.noise, observed_noise)};
  }

  double longest() const { return line_.longest; }

  /// Sufficient decrease; where it cannot be measured, a slope that says so.
  bool falls_enough(const Probe& p) const {
    return p.value <= kDecrease * p.alpha * line_.start.slope || falls_in_noise(p);
  }
  bool falls_in_noise(const Probe& p, double decrease = kDecrease) const {
    return p.value <= p.noise && p.slope <= (2 * decrease - 1) * line_.start.slope;
  }
  bool flat_enough(const Probe& p) const { return std::abs(p.slope) <= -kCurvature * line_.start.slope; }

  int evaluations = 0;
  bool met_infinity = false;
  double noise;               ///< the least of all points looked at and the start
  double observed_noise = 0;  ///< from changes where there should be none

 private:
  double slope() const {
    return line_.set ? line_.set->slope(end_.gradient, line_.step) : dot(end_.gradient, line_.step);
  }

  const SearchLine& line_;
  double enough_;  ///< values above need not be exact
  SearchPoint& end_;
};

/// The minimum of the cubic through two probes, kept well inside the interval; its middle where there is
/// none.
double interpolate(const Probe& low, const Probe& high) {
  const double width = high.alpha - low.alpha;
  double t = 0.5;
  if (high.value < kInfinity) {
    const double d = low.slope + high.slope - 3 * (high.value - low.value) / width;
    const double square = d * d - low.slope * high.slope;
    if (square >= 0) {
      const double r = std::copysign(std::sqrt(square), width);
      const double minimum = 1 - (high.slope + r - d) / (high.slope - low.slope + 2 * r);
      if (std::isfinite(minimum)) t = std::clamp(minimum, 0.1, 0.9);
    }
  }
  return low.alpha + t * width;
}

/// Shrinks an interval whose end `low` falls enough and is the lowest such point seen; true if it ends at a
/// point that satisfies both conditions.
bool zoom(Line& line, Probe& low, Probe high) {
  for (int i = 0; i < kSections; ++i) {
    const Probe p = line.look_at(interpolate(low, high));
    if (!line.falls_enough(p) || p.value > low.value + p.noise) {
      high = p;
    } else {
      // Where the slope flattens no sooner than at a wall, closer to it every next step would be tiny.
      if (line.flat_enough(p) || (high.value == kInfinity && p.slope < 0)) return true;
      if (p.slope * (high.alpha - low.alpha) >= 0) high = low;
      low = p;
    }
    // Where the slope jumps there is no such point; what has been gained is taken then.
    constexpr int kPatience = 10;
    if (i >= kPatience && low.value < 0) break;
    const double width = std::abs(high.alpha - low.alpha);
    if (width <= 1e-12 * std::max(std::abs(high.alpha), std::abs(low.alpha))) break;
  }
  return false;
}

/// True if a point that satisfies both conditions has been found; `low` is the lowest seen otherwise.
bool find(Line& line, Probe& low) {
  double alpha = std::min(1.0, line.longest());
  for (int i = 0; i < kExpansions; ++i, alpha = std::min(2 * alpha, line.longest())) {
    const Probe p = line.look_at(alpha);
    if (!line.falls_enough(p) || (i > 0 && p.value >= low.value)) return zoom(line, low, p);
    const Probe before = low;
    low = p;
    // What still falls at the end of the way is as good as it gets.
    if (line.flat_enough(p) || (alpha == line.longest() && p.slope < 0)) return true;
    if (p.slope >= 0) return zoom(line, low, before);
  }
  return false;
}

}  // namespace

SearchReport StrongWolfe::search(const SearchLine& along, SearchPoint& end) {
  // No point that is higher than the start will do, by how much does not matter.
  constexpr double kMuchNoise = 100;
  Line line(along, end, kMuchNoise * along.start.noise);
  const Probe origin{0, 0, along.start.slope};
  Probe low = origin;
  bool found = find(line, low);
  // Values that are noisier than expected have led astray; now that this is known, slopes decide.
  if (!found && line.observed_noise > line.noise) {
    low = origin;
    found = find(line, low);
  }
  // Without a point that meets both conditions, the lowest one seen is progress too.
  if (!found && low.alpha > 0 && low.value < 0) {
    line.look_at(low.alpha);
    found = true;
  }
  return {found, line.evaluations, line.met_infinity};
}

SearchReport Backtracking::search(const SearchLine& along, SearchPoint& end) {
  constexpr double kShrink = 0.5, kEnough = 0.03;
  constexpr int kMost = 50;
  Line line(along, end);
  double alpha = std::min(1.0, along.longest);
  for (int i = 0; i < kMost; ++i, alpha *= kShrink) {
    const Probe p = line.look_at(alpha);
    if (p.value <= kEnough * alpha * along.start.slope || line.falls_in_noise(p, kEnough))
      return {true, line.evaluations, line.met_infinity};
  }
  return {false, line.evaluations, line.met_infinity};
}

SearchReport ResidualBacktracking::search(const SearchLine& along, SearchPoint& end) {
  constexpr double kEnough = 1e-4;
  constexpr int kHalvings = 30;
  Line line(along, end);
  const double before = along.objective.residual(along.start.gradient);
  double alpha = std::min(1.0, along.longest);
  for (int i = 0; i < kHalvings; ++i, alpha /= 2) {
    line.look_at(alpha);
    if (std::isfinite(end.value) && along.objective.residual(end.gradient) <= (1 - kEnough * alpha) * before)
      return {true, line.evaluations, line.met_infinity};
  }
  return {false, line.evaluations, line.met_infinity};
}

SearchReport UnitStep::search(const SearchLine& along, SearchPoint& end) {
  Line line(along, end);
  line.look_at(std::min(1.0, along.longest));
  return {true, line.evaluations, line.met_infinity};
}

}  // namespace pliant

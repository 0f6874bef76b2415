#include "pliant/shape/figures.hpp"

#include <numbers>

#include "pliant/shape/shapes.hpp"

namespace pliant {

namespace {

ShapePointer at(ShapePointer shape, const Vec3& place) {
  return moved(std::move(shape), 1, Eigen::Quaterniond::Identity(), place);
}

ShapePointer turned(ShapePointer shape, const Vec3& axis, double degrees) {
  const Eigen::AngleAxisd turn(degrees * std::numbers::pi / 180, axis.normalized());
  return moved(std::move(shape), 1, Eigen::Quaterniond(turn), Vec3::Zero());
}

ShapePointer ball(const Vec3& centre, double radius) { return at(make_sphere(radius), centre); }
ShapePointer egg(const Vec3& centre, const Vec3& radii) { return at(make_ellipsoid(radii), centre); }

/// A capsule from one point to another.
ShapePointer limb(const Vec3& from, const Vec3& to, double radius) {
  const Vec3 along = to - from;
  const auto turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), along);
  return moved(make_capsule(along.norm(), radius), 1, turn, (from + to) / 2);
}

/// Parts that grow together, one after the other.
ShapePointer grown_together(std::initializer_list<ShapePointer> parts, double radius) {
  ShapePointer whole;
  for (const ShapePointer& part : parts) whole = whole ? blend(whole, part, radius) : part;
  return whole;
}

/// What stands on the right side, and its image on the left.
ShapePointer on_both_sides(ShapePointer right) { return mirror(std::move(right), 0); }

}  // namespace

ShapePointer make_creature(double size) {
  const ShapePointer trunk = egg({0, 0.02, -0.05}, {0.16, 0.15, 0.26});
  const ShapePointer head =
      grown_together({ball({0, 0.2, 0.27}, 0.13), egg({0, 0.16, 0.39}, {0.07, 0.06, 0.08})}, 0.06);
  const ShapePointer neck = limb({0, 0.06, 0.14}, {0, 0.16, 0.24}, 0.09);
  const ShapePointer legs = on_both_sides(unite(limb({0.11, -0.04, 0.1}, {0.15, -0.36, 0.14}, 0.06),
                                                limb({0.11, -0.04, -0.2}, {0.15, -0.36, -0.22}, 0.065)));
  const ShapePointer feet = on_both_sides(
      unite(egg({0.15, -0.39, 0.17}, {0.07, 0.05, 0.1}), egg({0.15, -0.39, -0.19}, {0.07, 0.05, 0.1})));
  const ShapePointer ears =
      on_both_sides(at(turned(make_ellipsoid({0.05, 0.14, 0.03}), Vec3::UnitZ(), -25), {0.11, 0.38, 0.24}));
  const ShapePointer tail =
      grown_together({limb({0, 0.06, -0.28}, {0, 0.16, -0.4}, 0.04),
                      limb({0, 0.16, -0.4}, {0, 0.3, -0.42}, 0.032), ball({0, 0.33, -0.42}, 0.05)},
                     0.04);
  return moved(grown_together({trunk, neck, head, legs, feet, ears, tail}, 0.06), size / 0.95,
               Eigen::Quaterniond::Identity(), Vec3::Zero());
}

ShapePointer make_duck(double size) {
  const ShapePointer trunk = egg({0, -0.12, -0.04}, {0.24, 0.2, 0.34});
  const ShapePointer breast = egg({0, -0.06, 0.14}, {0.19, 0.2, 0.18});
  const ShapePointer neck = limb({0, 0.02, 0.16}, {0, 0.18, 0.17}, 0.1);
  const ShapePointer head = ball({0, 0.29, 0.18}, 0.155);
  const ShapePointer beak = grown_together(
      {egg({0, 0.27, 0.36}, {0.075, 0.025, 0.11}), egg({0, 0.235, 0.34}, {0.06, 0.02, 0.09})}, 0.02);
  const ShapePointer tail = at(turned(make_cone(0.13, 0.02, 0.26), Vec3::UnitX(), -50), {0, -0.03, -0.37});
  const ShapePointer wings = on_both_sides(
      at(turned(turned(make_ellipsoid({0.05, 0.12, 0.22}), Vec3::UnitX(), 18), Vec3::UnitZ(), 12),
         {0.22, -0.06, -0.08}));
  const ShapePointer whole = grown_together({trunk, breast, neck, head, tail, wings}, 0.07);
  return moved(blend(whole, beak, 0.03), size / 0.85, Eigen::Quaterniond::Identity(), Vec3::Zero());
}

ShapePointer make_hippo(double size) {
  const ShapePointer trunk = egg({0, 0.02, -0.1}, {0.25, 0.24, 0.36});
  const ShapePointer neck = limb({0, 0.06, 0.14}, {0, 0.08, 0.26}, 0.17);
  const ShapePointer head = egg({0, 0.1, 0.34}, {0.15, 0.14, 0.17});
  const ShapePointer muzzle = grown_together(
      {egg({0, 0.03, 0.5}, {0.17, 0.12, 0.12}), on_both_sides(ball({0.09, 0.07, 0.54}, 0.075))}, 0.05);
  const ShapePointer nostrils = on_both_sides(ball({0.07, 0.15, 0.57}, 0.035));
  const ShapePointer eyes = on_both_sides(ball({0.09, 0.225, 0.34}, 0.042));
  const ShapePointer ears = on_both_sides(
      at(turned(make_ellipsoid({0.028, 0.055, 0.022}), Vec3::UnitZ(), -30), {0.12, 0.25, 0.25}));
  const ShapePointer legs = on_both_sides(unite(limb({0.14, -0.1, 0.1}, {0.15, -0.3, 0.12}, 0.085),
                                                limb({0.14, -0.1, -0.28}, {0.15, -0.3, -0.3}, 0.09)));
  const ShapePointer tail = limb({0, 0.08, -0.44}, {0, -0.06, -0.49}, 0.025);
  const ShapePointer whole = grown_together({trunk, neck, head, muzzle, legs}, 0.08);
  return moved(grown_together({whole, nostrils, eyes, ears, tail}, 0.025), size / 1.15,
               Eigen::Quaterniond::Identity(), Vec3::Zero());
}

ShapePointer make_teddy(double size) {
  const ShapePointer trunk = egg({0, -0.12, 0}, {0.19, 0.22, 0.16});
  const ShapePointer head = egg({0, 0.23, 0.01}, {0.17, 0.155, 0.15});
  const ShapePointer muzzle = egg({0, 0.19, 0.15}, {0.075, 0.06, 0.06});
  const ShapePointer nose = egg({0, 0.215, 0.205}, {0.026, 0.018, 0.018});
  const ShapePointer ears = on_both_sides(egg({0.14, 0.36, 0}, {0.07, 0.07, 0.035}));
  const ShapePointer arms = on_both_sides(limb({0.15, 0.01, 0.02}, {0.3, -0.12, 0.08}, 0.065));
  const ShapePointer paws = on_both_sides(ball({0.31, -0.13, 0.085}, 0.075));
  const ShapePointer legs = on_both_sides(limb({0.1, -0.28, 0.03}, {0.16, -0.34, 0.2}, 0.08));
  const ShapePointer feet = on_both_sides(egg({0.165, -0.32, 0.25}, {0.08, 0.1, 0.05}));
  const ShapePointer whole = grown_together({trunk, head, muzzle, ears, arms, paws, legs, feet}, 0.035);
  return moved(blend(whole, nose, 0.01), size / 0.86, Eigen::Quaterniond::Identity(), Vec3::Zero());
}

}  // namespace pliant

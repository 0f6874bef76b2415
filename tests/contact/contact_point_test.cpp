#include "pliant/contact/contact_point.hpp"

#include <random>

#include "meshes.hpp"

namespace pliant::contact_point_test {
namespace {

using testing::random_vector;

constexpr double kDt = 0.02;
const std::vector<char> kFree(12, 0);

ContactPoint on_the_ground(double force, double friction) {
  ContactPoint contact;
  contact.vertices[0] = 0;
  contact.weights[0] = 1;
  contact.normal = Vec3::UnitY();
  contact.force = force;
  contact.friction = friction;
  return contact;
}

/// A vertex against a triangle.
ContactPoint between_bodies(double force, double friction) {
  ContactPoint contact = on_the_ground(force, friction);
  contact.vertices = {0, 1, 2, 3};
  contact.weights = {1, -0.2, -0.5, -0.3};
  contact.normal = Vec3(1, 2, -1).normalized();
  return contact;
}

Vec3 sliding(const ContactPoint& contact, const Vector& v) {
  Vec3 relative = -contact.velocity;
  for (int k = 0; k < 4 && contact.vertices[k] >= 0; ++k)
    relative += contact.weights[k] * v.segment<3>(3 * contact.vertices[k]);
  return relative - contact.normal.dot(relative) * contact.normal;
}

double kinetic(const Vector& mass, const Vector& v, const Vec3& seen_from = Vec3::Zero()) {
  double sum = 0;
  for (Index i = 0; i < mass.size(); ++i)
    sum += 0.5 * mass[i] * (v.segment<3>(3 * i) - seen_from).squaredNorm();
  return sum;
}

TEST(Friction, StopsSlidingWhereItIsStrongEnough) {
  const Vector mass = Vector::LinSpaced(4, 1, 2);
  for (const ContactPoint& contact : {on_the_ground(1e6, 0.5), between_bodies(1e6, 0.5)}) {
    Vector v = random_vector(12, 3);
    const Vec3 before = v.head<3>();
    ASSERT_GT(sliding(contact, v).norm(), 0.1);
    apply_friction({&contact, 1}, mass, kFree, kDt, v);
    EXPECT_LT(sliding(contact, v).norm(), 1e-14);
    EXPECT_NEAR(contact.normal.dot(v.head<3>() - before), 0, 1e-14) << "nothing changes along the normal";
  }
}

TEST(Friction, IsNoLargerThanCoulombsBoundAndAgainstTheSliding) {
  const Vector mass = Vector::LinSpaced(4, 1, 2);
  for (const ContactPoint& contact : {on_the_ground(3, 0.5), between_bodies(3, 0.5)}) {
    Vector v = random_vector(12, 3);
    const Vec3 before = v.head<3>(), way = sliding(contact, v).normalized();
    apply_friction({&contact, 1}, mass, kFree, kDt, v);
    const Vec3 impulse = mass[0] * (v.head<3>() - before);
    EXPECT_LT((impulse + 0.5 * 3 * kDt * way).norm(), 1e-14);
  }
}

TEST(Friction, BetweenBodiesConservesMomentum) {
  const Vector mass = Vector::LinSpaced(4, 1, 2);
  for (const double force : {3.0, 1e6}) {
    const ContactPoint contact = between_bodies(force, 0.5);
    const Vector before = random_vector(12, 4);
    Vector v = before;
    apply_friction({&contact, 1}, mass, kFree, kDt, v);
    Vec3 change = Vec3::Zero();
    for (Index i = 0; i < 4; ++i) change += mass[i] * (v - before).segment<3>(3 * i);
    EXPECT_GT((v - before).norm(), 1e-3);
    EXPECT_LT(change.norm(), 1e-14);
  }
}

TEST(Friction, LeavesFixedDofs) {
  const Vector mass = Vector::LinSpaced(4, 1, 2);
  std::vector<char> fixed(12, 0);
  fixed[0] = fixed[4] = fixed[5] = 1;
  for (const ContactPoint& contact : {on_the_ground(1e6, 0.5), between_bodies(1e6, 0.5)}) {
    const Vector before = random_vector(12, 5);
    Vector v = before;
    apply_friction({&contact, 1}, mass, fixed, kDt, v);
    EXPECT_GT((v - before).norm(), 1e-3);
    for (Index d = 0; d < 12; ++d)
      if (fixed[d]) {
        EXPECT_EQ(v[d], before[d]);
      }
  }
}

TEST(Friction, NeverAddsKineticEnergySeenFromTheObstacle) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (unsigned draw = 0; draw < 1000; ++draw) {
    const Vector r = random_vector(32, draw);
    const Vector mass = (3 * r.head(4).array()).exp();
    const double force = std::exp(10 * r[4]), friction = uniform(random);
    ContactPoint contact = draw % 2 ? between_bodies(force, friction) : on_the_ground(force, friction);
    contact.normal = r.segment<3>(5).normalized();
    if (draw % 2 == 0) contact.velocity = r.segment<3>(8);
    std::vector<char> fixed(12, 0);
    if (draw % 3 == 0 && draw % 2)
      for (char& dof : fixed) dof = uniform(random) < 0.3;
    Vector v = r.segment(12, 12);
    // Scripted bodies do not feel it; whatever they touch sees a wall that moves, so let them rest.
    for (Index d = 0; d < 12; ++d)
      if (fixed[d]) v[d] = 0;
    const double before = kinetic(mass, v, contact.velocity), before_here = kinetic(mass, v);
    const auto [gained, most_seen] = apply_friction({&contact, 1}, mass, fixed, kDt, v);
    EXPECT_LE(kinetic(mass, v, contact.velocity), before * (1 + 1e-14)) << "draw " << draw;
    EXPECT_NEAR(gained, kinetic(mass, v) - before_here, 1e-13 * (before + before_here)) << "draw " << draw;
    EXPECT_LE(most_seen, 1e-14 * before) << "draw " << draw;
  }
}

TEST(Friction, OfAPlanarVertexIsAlongWhatIsLeftOfTheSurface) {
  ContactPoint contact = on_the_ground(3, 0.5);
  contact.normal = Vec3(0, 0.8, 0.6);
  const std::vector<char> planar{0, 0, 1};
  Vector v = Vec3(0, -1, 0), sliding = Vec3(2, -1, 0);
  apply_friction({&contact, 1}, Vector::Constant(1, 1), planar, kDt, v);
  EXPECT_LT((v - Vec3(0, -1, 0)).norm(), 1e-15) << "straight into it nothing slides";
  apply_friction({&contact, 1}, Vector::Constant(1, 1), planar, kDt, sliding);
  EXPECT_LT((sliding - Vec3(2 - 0.5 * kDt * 3 * 0.8, -1, 0)).norm(), 1e-14);
}

TEST(Friction, DragsAVertexAlongWithItsObstacle) {
  ContactPoint contact = on_the_ground(1e6, 0.5);
  contact.velocity = Vec3(2, 5, -1);
  Vector v = Vec3(0, 0.5, 0);
  EXPECT_GT(apply_friction({&contact, 1}, Vector::Constant(1, 3), std::vector<char>(3, 0), kDt, v).gained, 0);
  EXPECT_LT((v - Vec3(2, 0.5, -1)).norm(), 1e-14);
}

}  // namespace
}  // namespace pliant::contact_point_test
